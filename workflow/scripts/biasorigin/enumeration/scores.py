"""Words selected for each name group in each category, and their association scores (UBE sections 3.3 and 3.4).

Notation of the paper: bar X_i is the mean unit vector of name group i, mu the mean of the bar X_i, A_j the words of
category j, A all words, V_ij the words of A_j that are closest to group i. Everything depends on the names only
through the centred groups D_i = bar X_i - mu: argmax_i w.bar X_i = argmax_i w.D_i, because w.mu is the same for
every i.
"""

from dataclasses import dataclass

import numpy as np

from biasorigin.errors import UserError

NO_WORD = -1


@dataclass(frozen=True)
class Selection:
    """The words that stand for each (group, category) cell.

    words    (groups, categories, t) int64 rows into the words given, best first; NO_WORD throughout a void cell
    scores   (groups, categories) sigma_ij = D_i . (mean of the words - mean of all words); -inf in a void cell
    voronoi  (groups, categories) int64 number of words closest to the group, |V_ij|

    A cell is void when fewer than t words of the category are closest to the group. The positive sign means that the
    words lie on the group's side.
    """

    words: np.ndarray
    scores: np.ndarray
    voronoi: np.ndarray

    @property
    def void(self) -> np.ndarray:
        """(groups, categories) boolean: cells without enough words."""
        return ~np.isfinite(self.scores)


def centred(means: np.ndarray) -> np.ndarray:
    """(groups, dim) group means less the mean of the group means: D_i = bar X_i - mu."""
    if len(means) < 2:
        raise UserError(
            f"An enumeration compares groups of names; {len(means)} was asked for. Set groups to 2 or more."
        )
    means = np.asarray(means, dtype=np.float64)
    return means - means.mean(axis=0)


def select_words(
    groups: np.ndarray, vectors: np.ndarray, categories: np.ndarray, number_of_categories: int, words_per_cell: int
) -> Selection:
    """Choose the words of every cell and score it.

    groups      (groups, dim) centred group means D
    vectors     (words, dim) unit vectors
    categories  (words,) category of each word
    Ties: a word equally close to two groups goes to the first; of two words with equal value the earlier one is taken.
    """
    n, t = len(groups), words_per_cell
    vectors = np.asarray(vectors, dtype=np.float64)
    products = vectors @ np.asarray(groups, dtype=np.float64).T  # (words, groups)
    nearest = products.argmax(axis=1)
    value = products[np.arange(len(products)), nearest]
    cell = nearest * number_of_categories + categories
    order = np.lexsort((np.arange(len(value)), -value, cell))
    sizes = np.bincount(cell, minlength=n * number_of_categories)
    starts = np.cumsum(sizes) - sizes
    words = np.full((n * number_of_categories, t), NO_WORD, dtype=np.int64)
    scores = np.full(n * number_of_categories, -np.inf)
    for filled in np.flatnonzero(sizes >= t):
        words[filled] = order[starts[filled] : starts[filled] + t]
        scores[filled] = value[words[filled]].mean()
    shape = (n, number_of_categories)
    offset = groups @ vectors.mean(axis=0)  # (groups,)
    return Selection(words.reshape(*shape, t), scores.reshape(shape) - offset[:, None], sizes.reshape(shape))
