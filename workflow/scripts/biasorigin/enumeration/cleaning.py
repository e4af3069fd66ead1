"""Which names are really used as names in an embedding (UBE section 3.1)."""

import math
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError


def choose_other_words(
    embedding: Embedding, name_rows: np.ndarray, count: int, most_frequent: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows of `count` random words among the most frequent that are not on the list of names, ascending.

    Where the embedding has fewer such words than there are names, all of them are returned.
    """
    pool = np.setdiff1d(np.arange(min(most_frequent, len(embedding.words))), name_rows)
    if not len(pool):
        raise UserError(
            f"Every one of the {min(most_frequent, len(embedding.words)):,} most frequent words is on the list of "
            "names, so nothing is left to tell names from. Use an embedding with a larger vocabulary."
        )
    return np.sort(rng.choice(pool, size=min(count, len(pool)), replace=False))


def name_margins(names: np.ndarray, others: np.ndarray, seed: int) -> np.ndarray:
    """How clearly each name is told from other words by a linear classifier; (names,) signed, positive = a name.

    names   (names, dim) unit vectors
    others  (others, dim) unit vectors of words that are not names
    """
    vectors = np.vstack([names, others])
    labels = np.r_[np.ones(len(names), dtype=int), np.zeros(len(others), dtype=int)]
    classifier = LinearSVC(random_state=seed)
    with warnings.catch_warnings():
        # A margin that is a hair off changes at most which of two neighbours is the last one removed.
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier.fit(vectors, labels)
    return classifier.decision_function(names)


def keep_clear_names(margins: np.ndarray, removed_share: float) -> np.ndarray:
    """(names,) boolean: all but the given share of names, those with the smallest margins.

    The number removed is rounded down; among equal margins the earlier name is kept.
    """
    if not 0 <= removed_share < 1:
        raise UserError(f"The share of names to remove is {removed_share}; it must be from 0 to below 1.")
    removed = math.floor(removed_share * len(margins) + 1e-9)
    order = np.lexsort((-np.arange(len(margins)), margins))
    keep = np.ones(len(margins), dtype=bool)
    keep[order[:removed]] = False
    return keep
