"""Secondary bias: whom does the text itself put beside a word? (Zhao et al. 2017, as used by Sosnick 2017)"""

import numba
import numpy as np
import polars as pl

from biasorigin.association.extremes import wilson_interval
from biasorigin.errors import UserError


def count_beside(
    tokens: np.ndarray, offsets: np.ndarray, word_of: np.ndarray, group_of: np.ndarray, window: int
) -> np.ndarray:
    """c(o, g): how often a word of group g stands within `window` tokens of word o, in the same document.

    tokens    (tokens,) ids; offsets: (documents + 1,)
    word_of   (vocabulary,) number of the word o that an id stands for, or -1; group_of: likewise for groups
    Returns (words, groups) int64.
    """
    shape = (int(word_of.max(initial=-1)) + 1, int(group_of.max(initial=-1)) + 1)
    if 0 in shape:
        raise UserError("Secondary bias needs at least one known word and one known group word. Edit the word lists.")
    return _count_beside(tokens, offsets, word_of, group_of, window, np.zeros(shape, np.int64))


def secondary_bias(words: list[str], groups: list[str], counts: np.ndarray, confidence: float = 0.95) -> pl.DataFrame:
    """b(o, g) = c(o, g) / sum over groups, for every word and group; flagged above 1 / |G|.

    counts  (words, groups)
    base_share  b of all the words together: what the text's own balance of the groups leads one to expect
    low, high  Wilson interval of b, as if occurrences were independent (they are not: read it as a lower bound)
    A word that never stands beside any group has no b.
    """
    totals = counts.sum(axis=1)
    base = counts.sum(axis=0) / max(1, counts.sum())
    records = []
    for place, word in enumerate(words):
        for column, group in enumerate(groups):
            count, total = int(counts[place, column]), int(totals[place])
            share = count / total if total else None
            low, high = wilson_interval(count, total, confidence)
            flagged = None if share is None else share > 1 / len(groups)
            records.append((word, group, count, total, share, low, high, float(base[column]), flagged))
    names = ["word", "group", "count", "total", "share", "low", "high", "base_share", "flagged"]
    types = [pl.String, pl.String, pl.Int64, pl.Int64, *[pl.Float64] * 4, pl.Boolean]
    return pl.DataFrame(records, schema=dict(zip(names, types, strict=True)), orient="row")


@numba.njit(cache=True)
def _count_beside(tokens, offsets, word_of, group_of, window, counts):
    for document in range(len(offsets) - 1):
        start, stop = offsets[document], offsets[document + 1]
        for place in range(start, stop):
            word = word_of[tokens[place]]
            if word < 0:
                continue
            for near in range(max(start, place - window), min(stop, place + window + 1)):
                group = group_of[tokens[near]]
                if group >= 0 and near != place:
                    counts[word, group] += 1
    return counts
