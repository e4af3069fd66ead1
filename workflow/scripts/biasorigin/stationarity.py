"""How far each word of a GloVe model is from the minimum of its own problem.

Attribution (Brunet et al. 2019) assumes that the gradient with respect to w_i is zero when contexts and biases are
fixed. The relative Newton step |H_i⁻¹ grad_i| / |w_i| says how far that is from true: 0 at the minimum, 1 when the
way to the minimum is as long as the vector itself.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from biasorigin.cooccurrence import Cooccurrence
from biasorigin.row_solves import solve_rows, weigh_cells

BAND_EDGES = (0, 30, 100, 300, 1_000, 10_000)


def newton_steps(model, cooccurrence: Cooccurrence, settings, *, threads: int = 1) -> np.ndarray:
    """Relative Newton step of each word vector, contexts and biases fixed: (words,) float64, 0 is the minimum.

    Of the objective with the settings' ridge: H_i = sum_j 2 f u_j u_jᵀ + 2 ridge I. A direction that neither a
    cell nor the ridge determines counts as zero.
    """
    return _steps(model.vectors, model.contexts, model.biases[0], model.biases[1], cooccurrence, settings, threads)


def context_steps(model, cooccurrence: Cooccurrence, settings, *, threads: int = 1) -> np.ndarray:
    """The same for each context vector, words and biases fixed: how far alternating solves are from their end."""
    return _steps(model.contexts, model.vectors, model.biases[1], model.biases[0], cooccurrence, settings, threads)


def _steps(moving, still, own_biases, other_biases, cooccurrence, settings, threads) -> np.ndarray:
    cells = weigh_cells(cooccurrence, settings.x_max, settings.alpha)
    # A row's own bias is fixed: take it off the targets.
    own = np.repeat(np.asarray(own_biases), np.diff(cells.indptr))
    _, steps = solve_rows(
        np.array(moving, np.float32),
        np.ascontiguousarray(still, np.float32),
        np.array(other_biases, np.float32),
        replace(cells, targets=cells.targets - own),
        np.full(moving.shape[1], float(settings.ridge)),
        steps=0,
        threads=threads,
    )
    return steps


def by_frequency_band(counts: np.ndarray, steps: np.ndarray) -> pl.DataFrame:
    """Quantiles of the relative Newton step for rare to frequent words."""
    band = np.searchsorted(BAND_EDGES, counts, side="right") - 1
    rows = []
    for number, low in enumerate(BAND_EDGES):
        inside = steps[band == number]
        if not len(inside):
            continue
        high = BAND_EDGES[number + 1] - 1 if number + 1 < len(BAND_EDGES) else None
        quantiles = np.quantile(inside, [0.5, 0.9, 1.0])
        rows.append(
            {
                "from_count": low,
                "to_count": high,
                "words": len(inside),
                "median_step": quantiles[0],
                "p90_step": quantiles[1],
                "largest_step": quantiles[2],
                "share_below_0.001": float((inside < 1e-3).mean()),
            }
        )
    return pl.DataFrame(rows, schema_overrides={"to_count": pl.Int64})
