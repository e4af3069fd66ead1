"""Bring a GloVe model to where the gradient of every word row is zero, by exact solves of one side at a time.

With the contexts held fixed, the best (w_i, b_i) is a ridge regression of log X_ij - c_j on u_j with weights
f(X_ij): one Cholesky solve a row, all rows independent of each other. A sweep solves the context rows and then the
word rows, so the last thing to move is w, and its gradient is zero for the contexts that are stored. Sweeps alone,
from a random start, train a model just as well (`epochs: 0`).
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from biasorigin.cooccurrence import Cooccurrence, row_ranges
from biasorigin.progress import duration
from biasorigin.row_kernels import newton_rows

logger = logging.getLogger(__name__)

CELLS_PER_TASK = 50_000
ROWS_PER_TASK = 256


@dataclass(frozen=True)
class FinishSettings:
    """How many sweeps of exact solves follow the stochastic epochs, and the ridge on w and u (not on biases)."""

    sweeps: int = 6
    ridge: float = 0.3


@dataclass(frozen=True)
class WeightedCells:
    """The co-occurrences as weighted regressions: row i has cells indptr[i]:indptr[i + 1].

    columns (cells,) int32; targets (cells,) float32 log X; importances (cells,) float32 f(X), roots their roots
    """

    indptr: np.ndarray
    columns: np.ndarray
    targets: np.ndarray
    importances: np.ndarray
    roots: np.ndarray
    tasks: list[tuple[int, int]]


def weigh_cells(cooccurrence: Cooccurrence, x_max: float, alpha: float) -> WeightedCells:
    """log X and f(X) = min(1, (X/x_max)^alpha) of every cell."""
    indptr = np.asarray(cooccurrence.indptr)
    values = np.asarray(cooccurrence.values)
    importances = np.minimum((values / x_max) ** alpha, 1.0)
    return WeightedCells(
        indptr,
        np.asarray(cooccurrence.indices),
        np.log(values).astype(np.float32),
        importances.astype(np.float32),
        np.sqrt(importances).astype(np.float32),
        # A row costs as much as some cells do, for its factorisation.
        row_ranges(np.diff(indptr) + CELLS_PER_TASK // ROWS_PER_TASK, CELLS_PER_TASK),
    )


def solve_rows(
    solution: np.ndarray,
    fixed: np.ndarray,
    offsets: np.ndarray,
    cells: WeightedCells,
    ridge: np.ndarray,
    *,
    steps: int = 1,
    threads: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve every row of `solution` (words, size) in place, given `fixed` (words, size) and additive `offsets`.

    Returns, for each row, its weighted squared error before the solve and the length of its step relative to its
    own length. With `steps=0` nothing moves. The same bytes for any number of threads: rows are independent, and
    BLAS works on one row at a time in one thread.
    """
    losses, sizes = np.zeros(len(solution)), np.zeros(len(solution))

    def solve(task: tuple[int, int]) -> None:
        first, last = task
        grams = np.empty((last - first, fixed.shape[1], fixed.shape[1]), np.float32)
        for row in range(first, last):
            part = slice(cells.indptr[row], cells.indptr[row + 1])
            weighted = np.take(fixed, cells.columns[part], axis=0)  # (cells of the row, size)
            weighted *= cells.roots[part, None]
            np.matmul(weighted.T, weighted, out=grams[row - first])
        newton_rows(
            first, solution, fixed, offsets, cells.indptr, cells.columns, cells.targets, cells.importances,
            grams, ridge, steps, losses, sizes,
        )  # fmt: skip

    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(solve, cells.tasks):
            pass
    return losses, sizes


def finish(
    parameters: tuple[np.ndarray, np.ndarray, np.ndarray],
    cooccurrence: Cooccurrence,
    settings,
    *,
    threads: int = 1,
    watch: Callable[[int, np.ndarray, np.ndarray], None] | None = None,
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], tuple[tuple[str, int, float], ...]]:
    """Sweep over (vectors, contexts, biases); returns the new ones and a loss after each sweep.

    The co-occurrences must be symmetric, so that a row of X is also the column of that context. `settings` are
    GloveSettings; `watch` is called with (sweep, words [w, b], contexts [u, c]) after each sweep.
    """
    vectors, contexts, biases = parameters
    dim = vectors.shape[1]
    cells = weigh_cells(cooccurrence, settings.x_max, settings.alpha)
    ridge = np.append(np.full(dim, float(settings.finish.ridge)), 0.0)
    sides = [np.column_stack([vectors, biases[0]]), np.column_stack([contexts, biases[1]])]  # (words, dim + 1) each
    losses, began = [], time.monotonic()
    for sweep in range(1, settings.finish.sweeps + 1):
        for moving, still in ((1, 0), (0, 1)):
            fixed = sides[still].copy()
            fixed[:, dim] = 1
            last = sweep == settings.finish.sweeps and moving == 0
            loss, sizes = solve_rows(
                sides[moving], fixed, sides[still][:, dim].copy(), cells, ridge, steps=2 if last else 1, threads=threads
            )
        losses.append(("finish", sweep, float(loss.sum()) / cooccurrence.cells))
        left = (time.monotonic() - began) / sweep * (settings.finish.sweeps - sweep)
        logger.info(
            "Sweep %d of %d: loss %.6f, words moved by %.1f %% (median), %s left",
            sweep, settings.finish.sweeps, losses[-1][2], 100 * np.median(sizes), duration(left),
        )  # fmt: skip
        if watch:
            watch(sweep, *sides)
    return (
        np.ascontiguousarray(sides[0][:, :dim]),
        np.ascontiguousarray(sides[1][:, :dim]),
        np.stack([sides[0][:, dim], sides[1][:, dim]]),
    ), tuple(losses)
