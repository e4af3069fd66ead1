"""The semidefinite debiasing problem of Bolukbasi et al. (2016, ICML workshop), eq. (4), and its whitened form."""

from dataclasses import dataclass

import numpy as np

from biasorigin.errors import UserError

#: An eigenvalue of a Gram matrix below this share of the largest counts as zero (float32 vectors carry 1e-7 noise).
RANK_TOLERANCE = 1e-12
BLOCK = 8192


@dataclass(frozen=True)
class DebiasProblem:
    """What to keep and what to remove: min over X ⪰ 0 of ‖A(X − I)Aᵀ‖² + λ‖P X Bᵀ‖².

    gram: AᵀA of the background words, (dim, dim); seeds: P, (seeds, dim); directions: B, (directions, dim).
    The number of background words does not enter: the first term is tr(G(X−I)G(X−I)) with G = AᵀA.
    """

    gram: np.ndarray
    seeds: np.ndarray
    directions: np.ndarray

    def objective(self, metric: np.ndarray, weight: float) -> float:
        """Eq. (4) at X = metric (dim, dim), evaluated in the original coordinates."""
        return self.distortion(metric) + weight * self.stereotype(metric)

    def distortion(self, metric: np.ndarray) -> float:
        """First term of eq. (4): squared change of all inner products between background words."""
        moved = self.gram @ (metric - np.eye(len(metric)))  # (dim, dim)
        return float(np.sum(moved * moved.T))

    def stereotype(self, metric: np.ndarray) -> float:
        """Second term of eq. (4) without λ: squared inner products of seed words with the directions."""
        return float(np.sum((self.seeds @ metric @ self.directions.T) ** 2))

    def gradient(self, metric: np.ndarray, weight: float) -> np.ndarray:
        """Gradient of eq. (4) at X = metric, symmetric (dim, dim)."""
        keep = 2 * self.gram @ (metric - np.eye(len(metric))) @ self.gram
        remove = (self.seeds.T @ (self.seeds @ metric @ self.directions.T)) @ self.directions
        return keep + weight * (remove + remove.T)

    def natural_weight(self) -> float:
        """The λ at which removing everything (X = 0) costs what keeping everything (X = I) costs.

        Weights in the configuration are multiples of it, so that they mean the same for every embedding.
        """
        identity = np.eye(len(self.gram))
        stereotype = self.stereotype(identity)
        return float(np.sum(self.gram**2) / stereotype) if stereotype > 0 else 0.0


def gram_of(vectors: np.ndarray) -> np.ndarray:
    """AᵀA in double precision, (dim, dim), of vectors (words, dim), block by block in a fixed order."""
    gram = np.zeros((vectors.shape[1], vectors.shape[1]))
    for start in range(0, len(vectors), BLOCK):
        block = np.asarray(vectors[start : start + BLOCK], dtype=np.float64)
        gram += block.T @ block
    return gram


def make_problem(background: np.ndarray, seeds: np.ndarray, directions: np.ndarray) -> DebiasProblem:
    """Check the three sets of vectors and reduce the background (words, dim) to its Gram matrix."""
    dim = np.shape(background)[-1]
    named = {"background": background, "seed": seeds, "direction": directions}
    for name, vectors in named.items():
        if np.ndim(vectors) != 2 or np.shape(vectors)[1] != dim:
            raise UserError(
                f"The {name} vectors have shape {np.shape(vectors)}; rows of {dim} numbers each were expected, "
                "as many as the embedding has dimensions. Check that all vectors come from one embedding."
            )
        bad = int(np.sum(~np.isfinite(vectors).all(axis=1)))
        if bad:
            raise UserError(
                f"{bad} of {len(vectors)} {name} vectors hold NaN or infinite numbers; remove or repair these words."
            )
    return DebiasProblem(
        gram_of(background), np.asarray(seeds, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    )


@dataclass(frozen=True)
class WhitenedProblem:
    """The same problem in Y = ΣVᵀXVΣ, where it reads min over Y ⪰ 0 of ‖Y − Σ²‖² + λ‖Lᵀ Y Cᵀ‖².

    A congruence keeps the cone, and the first term becomes a plain distance.
    inward: VΣ⁻¹ (dim, rank); outward: VΣ (dim, rank); spectrum: diagonal of Σ² (rank,);
    seeds: L with LLᵀ the whitened seeds' Gram (rank, k); directions: C (b, rank), rank(C) = b;
    outside: projector on the directions in which no vector has any part (dim, dim).
    """

    inward: np.ndarray
    outward: np.ndarray
    spectrum: np.ndarray
    seeds: np.ndarray
    directions: np.ndarray
    outside: np.ndarray

    def to_metric(self, whitened: np.ndarray) -> np.ndarray:
        """X (dim, dim) from Y (rank, rank); the identity where there are no vectors."""
        metric = self.inward @ whitened @ self.inward.T + self.outside
        return (metric + metric.T) / 2

    def from_metric(self, metric: np.ndarray) -> np.ndarray:
        """Y (rank, rank) from X (dim, dim)."""
        return self.outward.T @ metric @ self.outward


def whiten(problem: DebiasProblem) -> WhitenedProblem:
    """Change to the coordinates in which the background words have unit covariance.

    A background that spans fewer dimensions than the seeds and directions use leaves the solution open: an error.
    """
    values, vectors = np.linalg.eigh(problem.gram)  # ascending
    kept = values > RANK_TOLERANCE * max(values[-1], 0.0)
    if not kept.any():
        raise UserError("The background words have no vectors but zero: give background words to preserve.")
    scale = np.sqrt(values[kept])
    null = vectors[:, ~kept]  # (dim, dim − rank)
    _refuse_words_outside(problem, null, int(kept.sum()))
    inward, outward = vectors[:, kept] / scale, vectors[:, kept] * scale
    return WhitenedProblem(
        inward=inward,
        outward=outward,
        spectrum=values[kept],
        seeds=_factor((problem.seeds @ inward).T),
        directions=_factor((problem.directions @ inward).T).T,
        outside=null @ null.T,
    )


def _refuse_words_outside(problem: DebiasProblem, null: np.ndarray, rank: int) -> None:
    for name, vectors in {"seed words": problem.seeds, "directions": problem.directions}.items():
        if null.shape[1] and len(vectors):
            part = np.linalg.norm(vectors @ null)
            if part > 1e-5 * np.linalg.norm(vectors):
                raise UserError(
                    f"The background words span {rank} of {len(null)} dimensions and the {name} reach outside of "
                    "them, so what to preserve there is not defined. Use an embedding with more words than dimensions."
                )


def _factor(columns: np.ndarray) -> np.ndarray:
    """A matrix with as many columns as the rank and the same outer product, (rows, rank), from (rows, columns)."""
    if columns.shape[1] == 0:
        return columns
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    kept = values > np.sqrt(RANK_TOLERANCE) * values[0]
    return left[:, kept] * values[kept]
