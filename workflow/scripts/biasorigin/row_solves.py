"""Solve one side of the GloVe objective while the other side is fixed: every row is a ridge regression of its own.

With contexts fixed, the best (w_i, b_i) is the regression of log X_ij - c_j on u_j with weights f(X_ij). Rows do not
depend on each other, and BLAS works on one row at a time in one thread: the same bytes for any number of threads.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from biasorigin.cooccurrence import Cooccurrence, row_ranges
from biasorigin.row_kernels import improve_rows, newton_rows, row_sums

CELLS_PER_TASK = 50_000
ROWS_PER_TASK = 256


@dataclass(frozen=True)
class WeightedCells:
    """The co-occurrences as weighted regressions: row i has cells indptr[i]:indptr[i + 1].

    columns (cells,) int32; targets (cells,) float32 log X; importances (cells,) float32 f(X);
    masses (words,) float64 sum of f(X) over a row; tasks: ranges of rows of about the same work
    """

    indptr: np.ndarray
    columns: np.ndarray
    targets: np.ndarray
    importances: np.ndarray
    masses: np.ndarray
    tasks: list[tuple[int, int]]


def weigh_cells(cooccurrence: Cooccurrence, x_max: float, alpha: float) -> WeightedCells:
    """log X and f(X) = min(1, (X/x_max)^alpha) of every cell."""
    indptr = np.asarray(cooccurrence.indptr)
    values = np.asarray(cooccurrence.values)
    importances = np.minimum((values / x_max) ** alpha, 1.0).astype(np.float32)
    # A row costs as much as some cells do, for its factorisation.
    sizes = np.diff(indptr) + CELLS_PER_TASK // ROWS_PER_TASK
    return WeightedCells(
        indptr,
        np.asarray(cooccurrence.indices),
        np.log(values).astype(np.float32),
        importances,
        row_sums(indptr, importances),
        row_ranges(sizes, CELLS_PER_TASK),
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
    own length. A second step removes what rounding left; with `steps=0` nothing moves.
    """
    losses, sizes = np.zeros(len(solution)), np.zeros(len(solution))

    def solve(task: tuple[int, int]) -> None:
        first, last = task
        grams = np.empty((last - first, fixed.shape[1], fixed.shape[1]), np.float32)
        for row in range(first, last):
            part = slice(cells.indptr[row], cells.indptr[row + 1])
            weighted = np.take(fixed, cells.columns[part], axis=0)  # (cells of the row, size)
            weighted *= np.sqrt(cells.importances[part])[:, None]
            np.matmul(weighted.T, weighted, out=grams[row - first])
        newton_rows(
            first, solution, fixed, offsets, cells.indptr, cells.columns, cells.targets, cells.importances,
            grams, ridge, steps, losses, sizes,
        )  # fmt: skip

    _run(solve, cells.tasks, threads)
    return losses, sizes


def solve_side(moving: np.ndarray, still: np.ndarray, cells: WeightedCells, ridge: float, *, threads: int = 1):
    """Put `moving` (words, dim + 1), vectors and biases, at its minimum for `still`; returns (losses, step sizes)."""
    dim = still.shape[1] - 1
    fixed = still.copy()
    fixed[:, dim] = 1
    penalty = np.append(np.full(dim, float(ridge)), 0.0)  # biases are not penalised
    return solve_rows(moving, fixed, still[:, dim].copy(), cells, penalty, steps=2, threads=threads)


def improve_side(
    moving: np.ndarray, still: np.ndarray, cells: WeightedCells, ridge: float, *, steps: int = 2, threads: int = 1
) -> np.ndarray:
    """Take `moving` (words, dim + 1) most of the way to its minimum for `still`, by conjugate gradients.

    The fixed vectors are centred and turned to their principal axes first, where a diagonal is a good model of
    every row's second derivatives: two steps then do what an exact solve does. Returns each row's loss before.
    """
    words, dim = len(still), still.shape[1] - 1
    lanes = -(-(dim + 1) // 16) * 16
    with threadpool_limits(1):
        share = cells.masses / cells.masses.sum()
        vectors = still[:, :dim].astype(np.float64)
        mean = share @ vectors
        vectors -= mean
        spectrum, axes = np.linalg.eigh((vectors * share[:, None]).T @ vectors)
        fixed = np.zeros((words, lanes), np.float32)
        fixed[:, :dim] = vectors @ axes
        fixed[:, dim] = 1
        turned = np.zeros((words, lanes), np.float32)
        turned[:, :dim] = moving[:, :dim] @ axes
        turned[:, dim] = moving[:, dim] + moving[:, :dim] @ mean  # the mean's part of w·u joins the bias
    spectrum = np.concatenate([np.maximum(spectrum, 0), np.ones(lanes - dim)]).astype(np.float32)
    penalty = np.zeros(lanes, np.float32)
    penalty[:dim] = ridge
    losses = np.zeros(words)
    offsets = still[:, dim].copy()

    def improve(task: tuple[int, int]) -> None:
        improve_rows(
            *task, turned, fixed, offsets, cells.indptr, cells.columns, cells.targets, cells.importances,
            spectrum, penalty, steps, losses, (0,) * (lanes // 16),
        )  # fmt: skip

    _run(improve, cells.tasks, threads)
    with threadpool_limits(1):
        vectors = turned[:, :dim] @ axes.T
        biases = turned[:, dim] - vectors @ mean
    seen = cells.masses > 0  # a word without co-occurrences stays where it is
    moving[seen, :dim] = vectors[seen]
    moving[seen, dim] = biases[seen]
    return losses


def _run(function, tasks: list[tuple[int, int]], threads: int) -> None:
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(function, tasks):
            pass
