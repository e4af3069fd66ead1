"""The choice of λ on seed words that the solver does not see."""

import numpy as np
import polars as pl

from biasorigin.errors import UserError
from biasorigin.mitigation.problem import DebiasProblem, whiten
from biasorigin.mitigation.sdp import solve_sdp
from biasorigin.progress import track


def projections(vectors: np.ndarray, directions: np.ndarray, transform: np.ndarray) -> np.ndarray:
    """Projections of transformed vectors on each transformed direction of length one, (words, directions)."""
    moved = directions @ transform
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return vectors @ transform @ (moved / np.maximum(lengths, 1e-300)).T


def cross_validate(
    gram: np.ndarray, seeds: np.ndarray, directions: np.ndarray, multiples: list[float], folds: int
) -> pl.DataFrame:
    """Variance of held-out seed words along the directions, for each λ and fold.

    gram: background (dim, dim); seeds (seeds, dim), in an order that carries no meaning; multiples: of the natural λ.
    Columns: multiple, fold, variance (mean over directions), steps.
    """
    if len(seeds) < 2 * folds or folds < 2:
        raise UserError(
            f"Choosing lambda over {folds} folds needs 2 or more folds and at least {2 * folds} seed words; "
            f"{len(seeds)} are in the vocabulary. Give lambda as a number, or more seed words."
        )
    rows = []
    for fold in track(range(folds), "choosing lambda, folds"):
        held_out = np.arange(len(seeds)) % folds == fold
        problem = DebiasProblem(gram, seeds[~held_out], directions)
        white, natural, start = whiten(problem), problem.natural_weight(), None
        for multiple in sorted(multiples):
            solution = solve_sdp(problem, multiple * natural, tolerance=1e-6, start=start, whitened=white)
            start = solution.multipliers
            spread = projections(seeds[held_out], directions, solution.transform).var(axis=0).mean()
            rows.append((float(multiple), fold, float(spread), solution.steps))
    return pl.DataFrame(rows, orient="row", schema=["multiple", "fold", "variance", "steps"])


def smallest_sufficient(scores: pl.DataFrame) -> tuple[float, pl.DataFrame]:
    """One-standard-error rule: the smallest λ whose mean held-out variance is within one standard error of the lowest.

    The smallest, because it changes the background the least. Also returns mean and standard error for each λ.
    """
    summary = (
        scores.group_by("multiple")
        .agg(
            pl.col("variance").mean().alias("mean"),
            (pl.col("variance").std() / pl.len().sqrt()).alias("standard_error"),
        )
        .sort("multiple")
    )
    lowest = summary.sort("mean", "multiple").row(0, named=True)
    enough = summary.filter(pl.col("mean") <= lowest["mean"] + lowest["standard_error"])
    return float(enough["multiple"][0]), summary
