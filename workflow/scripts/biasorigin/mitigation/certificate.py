"""Proof that a debiasing solution is optimal, worked out anew from X alone."""

from dataclasses import asdict, dataclass

import numpy as np

from biasorigin.mitigation.problem import DebiasProblem, whiten
from biasorigin.mitigation.sdp import evaluate_dual


@dataclass(frozen=True)
class Certificate:
    """Karush-Kuhn-Tucker conditions and duality gap of eq. (4) at X; all residuals are relative, zero is perfect.

    lowest_metric: smallest eigenvalue of X, 0 or more (feasible); lowest_gradient: smallest eigenvalue of the whitened
    gradient over its scale, 0 or more (no feasible direction goes down); slackness: ⟨gradient, X⟩ over the objective;
    gap: (objective − lower bound) over the objective, where the bound comes from a dual point built from X.
    """

    objective: float
    lower_bound: float
    gap: float
    lowest_metric: float
    lowest_gradient: float
    slackness: float

    def holds(self, tolerance: float) -> bool:
        """Whether all conditions hold up to the tolerance."""
        return (
            self.gap <= tolerance
            and self.slackness <= tolerance
            and self.lowest_metric >= -tolerance
            and self.lowest_gradient >= -tolerance
        )

    def facts(self) -> dict[str, float]:
        """The numbers, for a JSON file."""
        return asdict(self)


def certify(problem: DebiasProblem, weight: float, metric: np.ndarray) -> Certificate:
    """Check X = metric (dim, dim) against the optimality conditions of eq. (4) with λ = weight."""
    objective = problem.objective(metric, weight)
    lowest_metric = float(np.linalg.eigvalsh(metric)[0])
    if weight == 0 or len(problem.seeds) == 0 or len(problem.directions) == 0:
        return Certificate(objective, 0.0, 0.0 if objective <= 1e-18 else 1.0, lowest_metric, 0.0, 0.0)
    white = whiten(problem)
    gradient = problem.gradient(metric, weight)
    whitened_gradient = white.inward.T @ gradient @ white.inward
    lowest = np.linalg.eigvalsh(whitened_gradient)[0]
    multipliers = 2 * weight * white.seeds.T @ white.from_metric(metric) @ white.directions.T
    point = evaluate_dual(white, weight, multipliers)
    bound = point.primal * (1 - point.gap)
    scale = max(objective, 1e-300)
    return Certificate(
        objective=objective,
        lower_bound=bound,
        gap=float((objective - bound) / scale),
        lowest_metric=lowest_metric,
        lowest_gradient=float(lowest / white.spectrum[-1]),
        slackness=float(abs(np.sum(gradient * metric)) / scale),
    )
