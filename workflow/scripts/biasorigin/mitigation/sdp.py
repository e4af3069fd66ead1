"""Debiasing by semidefinite programming: a first-order method on the dual, with restart and a certificate.

In the whitened form (problem.py) the multiplier N of R = LᵀYCᵀ has only rank × directions entries, and for a given N
the best Y is one projection on the cone: Y(N) = [Σ² − ½ sym(L N C)]₊. The dual function

    q(N) = min_{Y ⪰ 0} ‖Y − Σ²‖² + ⟨N, LᵀYCᵀ⟩ − ‖N‖²/4λ

is smooth and concave. A projection does not expand, so the curvature of q is nowhere above that of the same function
without the cone, K = 1/2λ + ¼(LᵀL ⊗ CCᵀ + …). Gradient steps measured in K therefore need no step size and no line
search; the first one already solves the problem if the cone does not bind. Nesterov's momentum with O'Donoghue and
Candès' gradient restart does the rest. Every Y(N) is feasible and every q(N) is a lower bound: the duality gap is free.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from biasorigin.errors import UserError
from biasorigin.mitigation.problem import DebiasProblem, WhitenedProblem, whiten


@dataclass(frozen=True)
class DebiasSolution:
    """X and T of eq. (4). metric: X (dim, dim) ⪰ 0; transform: T, the symmetric root of X, T Tᵀ = X; rows move to vT.

    multipliers: N (k, b), to start a neighbouring problem from; gap: relative duality gap reached.
    """

    metric: np.ndarray
    transform: np.ndarray
    multipliers: np.ndarray
    objective: float
    gap: float
    steps: int
    restarts: int


@dataclass(frozen=True)
class _DualPoint:
    whitened: np.ndarray  # Y(N), (rank, rank)
    gradient: np.ndarray  # of q at N, (k, b)
    primal: float
    gap: float


def solve_sdp(
    problem: DebiasProblem,
    weight: float,
    *,
    tolerance: float = 1e-11,
    max_steps: int = 5000,
    start: np.ndarray | None = None,
    whitened: WhitenedProblem | None = None,
) -> DebiasSolution:
    """The linear map that takes the directions out of the seed words and changes the background the least.

    weight: λ of eq. (4), 0 or more; tolerance: relative duality gap at which to stop. Without seeds, directions or
    weight the answer is the identity. Reference: Bolukbasi et al. 2016, Quantifying and Reducing Stereotypes, eq. (4).
    """
    if not np.isfinite(weight) or weight < 0:
        raise UserError(f"The debiasing weight (lambda) is {weight}; it must be a finite number, 0 or more.")
    if weight == 0 or len(problem.seeds) == 0 or len(problem.directions) == 0:
        identity = np.eye(len(problem.gram))
        return DebiasSolution(identity, identity, np.zeros((0, 0)), problem.objective(identity, weight), 0.0, 0, 0)
    white = whiten(problem) if whitened is None else whitened
    if white.seeds.shape[1] == 0 or len(white.directions) == 0:
        raise UserError("All seed words or all directions are zero vectors: check the words of the bias directions.")
    point, multipliers, steps, restarts = _ascend(white, weight, tolerance, max_steps, start)
    metric = white.to_metric(point.whitened)
    return DebiasSolution(
        metric, symmetric_root(metric), multipliers, problem.objective(metric, weight), point.gap, steps, restarts
    )


def _ascend(white: WhitenedProblem, weight: float, tolerance: float, max_steps: int, start: np.ndarray | None):
    curvature = scipy.linalg.cho_factor(_curvature(white, weight))
    shape = (white.seeds.shape[1], len(white.directions))
    multipliers = np.zeros(shape) if start is None else start
    ahead, momentum, restarts = multipliers, 1.0, 0
    for step in range(max_steps + 1):
        point = evaluate_dual(white, weight, ahead)
        if point.gap <= tolerance:
            return point, ahead, step, restarts
        moved = ahead + scipy.linalg.cho_solve(curvature, point.gradient.ravel()).reshape(shape)
        if np.sum(point.gradient * (moved - multipliers)) < 0:  # the momentum points downhill: forget it
            momentum, restarts = 1.0, restarts + 1
        next_momentum = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / next_momentum * (moved - multipliers)
        multipliers, momentum = moved, next_momentum
    raise UserError(
        f"Debiasing with lambda {weight:.3g} stopped at a relative duality gap of {point.gap:.1e} after {max_steps} "
        f"steps; {tolerance:.0e} was asked for. Lower lambda, raise the tolerance or allow more steps."
    )


def evaluate_dual(white: WhitenedProblem, weight: float, multipliers: np.ndarray) -> _DualPoint:
    """Y(N), the gradient of q, the primal objective at Y(N) and the relative gap between the two."""
    pull = white.seeds @ multipliers @ white.directions  # (rank, rank)
    target = np.diag(white.spectrum) - (pull + pull.T) / 4
    # sym(LNC) has at most b positive eigenvalues, so at most b of target are negative: compute only those.
    values, vectors = scipy.linalg.eigh(target, subset_by_value=(-np.inf, 0.0), driver="evr", check_finite=False)
    whitened = target - (vectors * values) @ vectors.T
    residual = white.seeds.T @ whitened @ white.directions.T  # LᵀYCᵀ, (k, b)
    change = whitened.copy()
    change[np.diag_indices_from(change)] -= white.spectrum
    distortion = np.sum(change**2)
    primal = distortion + weight * np.sum(residual**2)
    # primal − dual = λ‖R‖² − ⟨N, R⟩ + ‖N‖²/4λ, a square: no cancellation
    gap = weight * np.sum((residual - multipliers / (2 * weight)) ** 2)
    return _DualPoint(whitened, residual - multipliers / (2 * weight), float(primal), float(gap / max(primal, 1e-300)))


def _curvature(white: WhitenedProblem, weight: float) -> np.ndarray:
    """K, the curvature of −q where the cone does not bind, over N in row order, (k·b, k·b)."""
    inner_seeds = white.seeds.T @ white.seeds  # (k, k)
    inner_directions = white.directions @ white.directions.T  # (b, b)
    cross = white.seeds.T @ white.directions.T  # (k, b)
    size = cross.size
    swapped = np.einsum("ib,ja->iajb", cross, cross).reshape(size, size)
    return (np.kron(inner_seeds, inner_directions) + swapped) / 4 + np.eye(size) / (2 * weight)


def symmetric_root(metric: np.ndarray) -> np.ndarray:
    """T = X^½ (dim, dim): of all T with T Tᵀ = X the one nearest to the identity, so debiased words stay comparable."""
    values, vectors = np.linalg.eigh(metric)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return (root + root.T) / 2
