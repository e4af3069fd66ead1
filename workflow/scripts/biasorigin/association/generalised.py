"""The WEAT of any number of groups (Swinger et al. 2019, section 2.1)."""

from collections.abc import Sequence

import numpy as np

from biasorigin.errors import UserError


def weat_statistic(
    first_names: np.ndarray, first_words: np.ndarray, second_names: np.ndarray, second_words: np.ndarray
) -> float:
    """The WEAT statistic s of two groups of names and two sets of words, all (words, dim) unit rows."""
    names = first_names.sum(axis=0) - second_names.sum(axis=0)
    return float(names @ (first_words.mean(axis=0) - second_words.mean(axis=0)))


def generalised_weat(
    names: Sequence[np.ndarray], words: Sequence[np.ndarray], all_names: np.ndarray, all_words: np.ndarray
) -> float:
    """Association g of n groups of names with n sets of words; positive means that like goes with like.

    names, words          n arrays (words, dim) of unit rows; group i is paired with set i; sizes may differ
    all_names, all_words  (words, dim) every name and every word there is: the reference for one group alone
    For two groups of equal size, 2 |X| g is the WEAT statistic (lemma 1).
    """
    if len(names) != len(words) or not names:
        raise UserError(
            f"The generalised WEAT needs as many word sets as name groups, and at least one; found {len(names)} "
            f"groups and {len(words)} sets. Give one set for each group."
        )
    if any(len(group) == 0 for group in (*names, *words)):
        raise UserError("The generalised WEAT was given an empty group. Give at least one word for each group and set.")
    name_means = np.array([group.mean(axis=0) for group in names])  # (n, dim)
    word_means = np.array([group.mean(axis=0) for group in words])
    centre = all_names.mean(axis=0) if len(names) == 1 else name_means.mean(axis=0)
    return float(np.sum((name_means - centre) * (word_means - all_words.mean(axis=0))))
