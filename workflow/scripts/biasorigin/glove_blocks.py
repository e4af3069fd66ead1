"""Co-occurrences cut into blocks that threads can work on without sharing a row or a column.

Words are dealt into groups, as rows and again as columns. Blocks (p, p + s), p = 0, 1, ..., of one shift s share
neither rows nor columns, so any number of threads may take them in any order and leave the same bytes. The
groups and the order of rows depend on the seed and the size of the vocabulary alone, never on the cells, so two
runs on slightly different corpora stay paired.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from biasorigin.cooccurrence import Cooccurrence
from biasorigin.glove_kernels import count_block_cells, fill_block_cells

# A column group's lines should about fit a core's own cache; smaller groups make for shorter runs of cells in a row.
BYTES_PER_GROUP = 1024 * 1024
# At most as many threads as groups can be busy at a time.
FEWEST_GROUPS, MOST_GROUPS = 16, 64


@dataclass(frozen=True)
class Grouping:
    """Words dealt into groups of at most `lines` lines: word i has line place[i], in group place[i] // lines."""

    place: np.ndarray  # (words,) int64
    lines: int

    @property
    def groups(self) -> int:
        """The number of groups."""
        return int(self.place.max(initial=-1)) // self.lines + 1

    def members(self) -> list[np.ndarray]:
        """The words of each group, by line."""
        order = np.argsort(self.place)
        return np.split(order, np.searchsorted(self.place[order], np.arange(1, self.groups) * self.lines))


def deal(words: int, groups: int, rng: np.random.Generator) -> Grouping:
    """Deal words into groups: each run of `groups` words (alike in frequency) goes to different groups."""
    lines = -(-words // groups)
    dealt = rng.permuted(np.tile(np.arange(groups), (lines, 1)), axis=1).ravel()[:words]
    place = dealt * lines + np.arange(words) // groups
    return Grouping(place, lines)


def number_of_groups(words: int, bytes_per_line: int) -> int:
    """How many groups keep a group's lines in cache; a power of two unless there are fewer words."""
    wanted = max(words * bytes_per_line / BYTES_PER_GROUP, 1)
    return min(max(FEWEST_GROUPS, 2 ** round(np.log2(wanted))), MOST_GROUPS, words)


@dataclass(frozen=True)
class Blocks:
    """Cells in the order in which they are trained.

    cells    per row group: (column groups, rows + 1) int64, where the rows of each block lie
    columns  (cells,) int32 line of the context; targets (cells,) float32 log X; importances (cells,) float32 f(X)
    """

    rows: Grouping
    contexts: Grouping
    cells: list[np.ndarray]
    columns: np.ndarray
    targets: np.ndarray
    importances: np.ndarray


def cut_into_blocks(
    cooccurrence: Cooccurrence, rows: Grouping, contexts: Grouping, x_max: float, alpha: float, *, threads: int = 1
) -> Blocks:
    """Sort the cells by row group, column group and row."""
    indptr, indices, values = (
        np.asarray(array) for array in (cooccurrence.indptr, cooccurrence.indices, cooccurrence.values)
    )
    columns = np.empty(len(indices), np.int32)
    targets = np.empty(len(indices), np.float32)
    importances = np.empty(len(indices), np.float32)
    members = rows.members()
    sizes = [int((indptr[words + 1] - indptr[words]).sum()) for words in members]
    bases = np.concatenate([[0], np.cumsum(sizes)])

    def fill(group: int) -> np.ndarray:
        words = members[group]
        counts = count_block_cells(indptr, indices, words, contexts.place, contexts.groups, contexts.lines)
        ends = bases[group] + counts.cumsum().reshape(counts.shape)
        starts = ends - counts
        cells = np.concatenate([starts, ends[:, -1:]], axis=1)
        fill_block_cells(
            indptr, indices, values, words, contexts.place, contexts.lines, starts,
            x_max, alpha, columns, targets, importances,
        )  # fmt: skip
        return cells

    with ThreadPoolExecutor(threads) as pool:
        cells = list(pool.map(fill, range(rows.groups)))
    return Blocks(rows, contexts, cells, columns, targets, importances)
