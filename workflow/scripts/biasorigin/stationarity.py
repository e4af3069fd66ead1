"""How far each word of a GloVe model is from the minimum of its own problem.

Attribution (Brunet et al. 2019) assumes that the gradient with respect to w_i is zero when contexts and biases are
fixed. The relative Newton step |H_i⁻¹ grad_i| / |w_i| says how far that is from true: 0 at the minimum, 1 when the
way to the minimum is as long as the vector itself.
"""

import numpy as np
import polars as pl

from biasorigin.cooccurrence import Cooccurrence
from biasorigin.finish import solve_rows, weigh_cells

BAND_EDGES = (0, 30, 100, 300, 1_000, 10_000)


def newton_steps(model, cooccurrence: Cooccurrence, settings, ridge: float, *, threads: int = 1) -> np.ndarray:
    """Relative Newton step of each word vector, contexts and biases fixed: (words,) float64, 0 is the minimum.

    The gradient and H_i = sum_j 2 f u_j u_jᵀ + 2 ridge I are those of the objective with this ridge; a direction
    that neither a cell nor the ridge determines counts as zero.
    """
    cells = weigh_cells(cooccurrence, settings.x_max, settings.alpha)
    dim = model.vectors.shape[1]
    vectors, contexts = np.array(model.vectors, np.float32), np.ascontiguousarray(model.contexts, np.float32)
    steps = np.empty(len(vectors))
    # The bias of the word belongs to the row, that of the context to the cell: shift the targets by the former.
    rows = np.repeat(np.arange(len(vectors)), np.diff(cells.indptr))
    shifted = cells.targets - np.asarray(model.biases[0])[rows]
    cells = type(cells)(cells.indptr, cells.columns, shifted, cells.importances, cells.roots, cells.tasks)
    _, steps = solve_rows(
        vectors, contexts, np.array(model.biases[1]), cells, np.full(dim, float(ridge)), steps=0, threads=threads
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
