"""Potential indirect bias: do the associations hold among the words alone, without the names? (UBE section 4.2)"""

from dataclasses import dataclass

import numpy as np

from biasorigin.enumeration.rotations import random_frames
from biasorigin.enumeration.scores import select_words


@dataclass(frozen=True)
class IndirectBias:
    """How many fourtuples of cells fulfil eq. (1).

    fourtuples  pairs of groups i < i' and of categories j < j' all four cells of which are looked at
    biased      those with (A_ij - A_i'j) . (A_ij' - A_i'j') > 0
    """

    fourtuples: int
    biased: int

    @property
    def share(self) -> float | None:
        """Share of the fourtuples that are biased, or None without any."""
        return self.biased / self.fourtuples if self.fourtuples else None


def cell_means(selected: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """(groups, categories, dim) mean unit vector of the words of each cell; zero in a void one.

    selected  (groups, categories, t) rows into vectors, negative in a void cell
    """
    means = np.asarray(vectors, dtype=np.float64)[np.maximum(selected, 0)].mean(axis=2)
    means[selected[:, :, 0] < 0] = 0.0
    return means


def indirect_bias(means: np.ndarray, cells: np.ndarray) -> IndirectBias:
    """Eq. (1) over all fourtuples of the given cells.

    means  (groups, categories, dim) mean vectors of the cells' words
    cells  (groups, categories) boolean: the cells to look at, e.g. the significant ones
    """
    fourtuples = biased = 0
    for i in range(len(means)):
        for other in range(i + 1, len(means)):
            both = np.flatnonzero(cells[i] & cells[other])
            differences = means[i, both] - means[other, both]  # (shared categories, dim)
            products = (differences @ differences.T)[np.triu_indices(len(both), k=1)]
            fourtuples += len(products)
            biased += int((products > 0).sum())
    return IndirectBias(fourtuples, biased)


def indirect_bias_by_chance(
    groups: np.ndarray,
    vectors: np.ndarray,
    categories: np.ndarray,
    cells: np.ndarray,
    *,
    words_per_cell: int,
    rotations: int,
    seed: int,
) -> IndirectBias:
    """What eq. (1) gives when names and words are turned at random, summed over the rotations.

    Words are chosen for lying in a group's direction, so that the differences of two groups' words point the same
    way in every category by choice alone. The share among observed fourtuples means something only beside this one.

    groups  (groups, dim) centred means; the other arguments are as in `select_words`.
    """
    lower = np.linalg.qr(np.asarray(groups, dtype=np.float64).T)[1].T
    frames = random_frames(range(rotations), groups.shape[1], min(groups.shape), seed)
    fourtuples = biased = 0
    for frame in frames:
        chosen = select_words(lower @ frame.T, vectors, categories, cells.shape[1], words_per_cell)
        found = indirect_bias(cell_means(chosen.words, vectors), cells & ~chosen.void)
        fourtuples, biased = fourtuples + found.fourtuples, biased + found.biased
    return IndirectBias(fourtuples, biased)
