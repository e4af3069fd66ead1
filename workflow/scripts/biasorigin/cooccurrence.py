"""How often words occur near each other: X of the GloVe paper (Pennington et al. 2014, section 4.2).

Every pair of tokens of one document at a distance d of at most `window` adds 1/d to the cell (i, j) and to the
cell (j, i); a word beside itself therefore adds 2/d to its own cell. Sums are held as whole multiples of
1/denominator, so they are exact, and any number of threads, shards or runs gives the same bytes.
"""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biasorigin.artefacts import load_array, load_json
from biasorigin.cooccurrence_kernels import count_hits, count_rows, subtract_rows
from biasorigin.errors import UserError

# Up to this window 1/d is an exact multiple of 1/lcm(1..window); lcm(1..20) is 232,792,560.
LONGEST_EXACT_WINDOW = 20
FIXED_POINT = 2**30
# One task of a count holds at most about this many tokens and cells (12 bytes each).
CELLS_PER_TASK = 4_000_000


@dataclass(frozen=True)
class Cooccurrence:
    """A sparse matrix of co-occurrence sums by rows (CSR).

    indptr      (rows + 1,) int64: row i is cells indptr[i]:indptr[i + 1]
    indices     (cells,) int32: column (vocabulary id), ascending in each row
    values      (cells,) float64: X_ij > 0
    denominator values times this are whole numbers
    """

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    denominator: int

    @property
    def words(self) -> int:
        """The number of rows; the size of the vocabulary unless rows were restricted."""
        return len(self.indptr) - 1

    @property
    def cells(self) -> int:
        """The number of pairs of words seen together, each order counted."""
        return len(self.indices)


def integer_weights(window: int) -> tuple[np.ndarray, int]:
    """Integer weights of the distances 0..window (the first unused) and the denominator that they share.

    Exact up to a window of 20; beyond, 1/d is rounded to a multiple of 2^-30 (relative error below 1e-7).
    """
    if window < 1:
        raise UserError(f"A co-occurrence window of {window} holds no words. Set window to 1 or more.")
    denominator = math.lcm(*range(1, window + 1)) if window <= LONGEST_EXACT_WINDOW else FIXED_POINT
    weights = [0] + [round(denominator / distance) for distance in range(1, window + 1)]
    return np.array(weights, dtype=np.int64), denominator


def count_cooccurrence(
    tokens: np.ndarray,
    offsets: np.ndarray,
    words: int,
    window: int = 8,
    documents: np.ndarray | None = None,
    threads: int = 1,
) -> Cooccurrence:
    """Count the co-occurrences of a corpus, or of some of its documents, in memory."""
    _, denominator = integer_weights(window)
    indptr, indices, sums = count_sums(tokens, offsets, words, window, documents, threads)
    return Cooccurrence(indptr, indices, sums / denominator, denominator)


def count_sums(tokens, offsets, words, window, documents=None, threads=1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As `count_cooccurrence`, but (indptr, indices, integer sums)."""
    parts = list(count_row_ranges(tokens, offsets, words, window, documents, threads))
    indptr = np.concatenate([[0], *(counts for counts, _, _ in parts)]).cumsum()
    indices = np.concatenate([np.empty(0, np.int32), *(part for _, part, _ in parts)])
    sums = np.concatenate([np.empty(0, np.int64), *(part for _, _, part in parts)])
    return indptr.astype(np.int64), indices, sums


def count_row_ranges(tokens, offsets, words, window, documents=None, threads=1):
    """Yield (cells in each row, indices, integer sums) of ranges of rows, in order, in bounded memory."""
    weights, denominator = integer_weights(window)
    documents = _documents(documents, offsets)
    tokens, offsets = np.asarray(tokens), np.asarray(offsets)
    hits = count_hits(tokens, offsets, documents, np.arange(words, dtype=np.int32), words)
    _check_overflow(hits, window, denominator)
    most = np.minimum(hits * 2 * window, words)  # cells that a row can have

    def count(bounds: tuple[int, int]):
        first, last = bounds
        row_of = np.full(words, -1, dtype=np.int32)
        row_of[first:last] = np.arange(last - first)
        capacity = int(most[first:last].sum())
        ends, indices, sums = count_rows(tokens, offsets, documents, row_of, last - first, weights, capacity)
        return np.diff(ends, prepend=0), indices, sums

    yield from in_order(count, row_ranges(most + hits, CELLS_PER_TASK), threads)


def restricted_cooccurrence(
    tokens: np.ndarray, offsets: np.ndarray, documents: np.ndarray, rows: np.ndarray, window: int = 8, words: int = 0
) -> Cooccurrence:
    """Co-occurrences of a set of documents, for some rows only: row k is the word rows[k].

    `words` is the size of the vocabulary; if it is not given, it is found by reading all tokens.
    """
    documents = _documents(documents, offsets)
    weights, denominator = integer_weights(window)
    tokens, offsets, rows = np.asarray(tokens), np.asarray(offsets), np.asarray(rows, dtype=np.int64)
    row_of = np.full(words or _vocabulary_size(tokens), -1, dtype=np.int32)
    row_of[rows] = np.arange(len(rows))
    if np.count_nonzero(row_of >= 0) != len(rows):
        raise ValueError("The rows of a restricted co-occurrence must be distinct.")
    hits = count_hits(tokens, offsets, documents, row_of, len(rows))
    capacity = int(np.minimum(hits * 2 * window, len(row_of)).sum())
    ends, columns, sums = count_rows(tokens, offsets, documents, row_of, len(rows), weights, capacity)
    return Cooccurrence(np.concatenate([[0], ends]), columns, sums / denominator, denominator)


def without_documents(
    cooccurrence: Cooccurrence,
    tokens: np.ndarray,
    offsets: np.ndarray,
    documents: np.ndarray,
    window: int = 8,
    threads: int = 1,
) -> Cooccurrence:
    """The co-occurrences that are left when documents are removed, with the vocabulary as it was; exact."""
    words, denominator = cooccurrence.words, cooccurrence.denominator
    less = count_sums(tokens, offsets, words, window, documents, threads)
    sums = np.rint(cooccurrence.values * denominator).astype(np.int64)
    indptr, indices, sums, wrong = subtract_rows(
        np.asarray(cooccurrence.indptr), np.asarray(cooccurrence.indices), sums, *less
    )
    if wrong:
        raise UserError(
            f"{wrong:,} cells of the documents are not in the co-occurrences that they are to be removed from. "
            "Count these from the same corpus and with the same window."
        )
    return Cooccurrence(indptr, indices, sums / denominator, denominator)


def load_cooccurrence(folder: Path | str) -> Cooccurrence:
    """Read co-occurrences from their folder, memory-mapped."""
    folder = Path(folder)
    indptr, indices, values = (load_array(folder / f"{name}.npy") for name in ("indptr", "indices", "values"))
    if not (len(indices) == len(values) == indptr[-1]):
        raise UserError(f"The arrays in {folder} do not belong together. Delete the folder and run again.")
    return Cooccurrence(indptr, indices, values, int(load_json(folder / "facts.json")["denominator"]))


def _documents(documents: Sequence[int] | np.ndarray | None, offsets: np.ndarray) -> np.ndarray:
    if documents is None:
        return np.arange(len(offsets) - 1, dtype=np.int64)
    return np.ascontiguousarray(documents, dtype=np.int64)


def _vocabulary_size(tokens: np.ndarray) -> int:
    return int(np.max(tokens, initial=-1)) + 1


def row_ranges(sizes: np.ndarray, most: int) -> list[tuple[int, int]]:
    """Cut rows into consecutive ranges whose sizes add up to about `most` at the largest."""
    piece = (np.cumsum(sizes) - sizes) // most
    edges = np.flatnonzero(np.diff(piece, prepend=-1)) if len(sizes) else np.empty(0, np.int64)
    return list(zip(edges.tolist(), [*edges[1:].tolist(), len(sizes)], strict=True)) if len(edges) else []


def in_order(function, tasks: list, threads: int):
    """Yield the function of each task in the order of the tasks, a few ahead at a time."""
    if threads == 1:
        yield from map(function, tasks)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting = []
        for task in tasks:
            waiting.append(pool.submit(function, task))
            if len(waiting) > threads:
                yield waiting.pop(0).result()
        yield from (future.result() for future in waiting)


def _check_overflow(hits: np.ndarray, window: int, denominator: int) -> None:
    largest = int(hits.max(initial=0)) * 2 * window * denominator
    if largest >= 2**63:
        raise UserError(
            f"A word that occurs {int(hits.max()):,} times could overflow its co-occurrence sum at window {window}. "
            "Use a shorter window."
        )
