"""Permutation tests on one number for each word: how often does a random split do as well as the real one?

Every statistic used here (sum of the first set minus sum of the second, difference of the means, effect size) grows
with the sum over the first set, because the total does not change. So a test only has to count subsets by their sum.
"""

from dataclasses import dataclass
from math import comb

import numba
import numpy as np

from biasorigin.errors import UserError

# Numbers are rounded to multiples of 2^-40 of the largest, so that sums are whole numbers: exact, and the same in any
# order. Two sums closer than one unit for each word cannot be told apart from a tie.
_UNITS = 1 << 40
_DRAWS_PER_BLOCK = 1024


@dataclass(frozen=True)
class PermutationTest:
    """How the observed split of the words compares with the others of the same sizes.

    greater         share of splits whose first set has a strictly greater sum (the p-value that the papers print)
    p_one_sided     the same with ties, the observed split among them; Monte Carlo: (1 + count) / (1 + draws)
    p_two_sided     share of splits at least as far from the mean over all splits, on either side
    standard_error  of p_one_sided; 0 when all splits were counted
    method          "exact" or "monte carlo"
    partitions      splits counted: all there are, or the number of draws
    """

    greater: float
    p_one_sided: float
    p_two_sided: float
    standard_error: float
    method: str
    partitions: int


def permutation_test(
    first: np.ndarray, second: np.ndarray, *, exact_words: int, draws: int, seed: int
) -> PermutationTest:
    """Test whether the first numbers are larger than the second, over all splits or a random sample of them.

    first, second  (words,) one association for each word; the sizes may differ
    exact_words    count every split up to this many words in all (time and memory grow as 2^(words / 2))
    """
    values = np.concatenate([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    if not np.all(np.isfinite(values)):
        raise UserError("A permutation test was given a number that is not finite. Check the embedding for NaN.")
    largest = np.abs(values).max()
    whole = np.rint(values / largest * _UNITS).astype(np.int64) if largest > 0 else np.zeros(len(values), np.int64)
    size = len(first)
    if len(values) <= exact_words:
        greater, at_least, two_sided = count_splits(whole, size)
        total = comb(len(values), size)
        return PermutationTest(greater / total, at_least / total, two_sided / total, 0.0, "exact", total)
    greater, at_least, two_sided = draw_splits(whole, size, draws, seed)
    p = (1 + at_least) / (1 + draws)
    error = float(np.sqrt(p * (1 - p) / draws))
    return PermutationTest(greater / draws, p, (1 + two_sided) / (1 + draws), error, "monte carlo", draws)


def thresholds(whole: np.ndarray, size: int) -> tuple[int, int, int, int]:
    """Sums that decide: (strictly greater from, at least from, far above from, far below up to).

    A sum of `size` words is *far* when it lies at least as far from the mean over all splits as the first `size` words.
    """
    words, total, observed = len(whole), int(whole.sum()), int(whole[:size].sum())
    distance = abs(words * observed - size * total)  # `words` times the distance from the mean
    above = -((-(size * total + distance)) // words)
    below = (size * total - distance) // words
    return observed + words + 1, observed - words, above - words, below + words


def count_splits(whole: np.ndarray, size: int) -> tuple[int, int, int]:
    """Count the splits with a greater sum, with at least the same, and as far from the mean, out of all there are.

    Meet in the middle: the sums of all subsets of each half, sorted by subset size, are matched by binary search, so
    that 40 words (138 billion splits) take about a million steps.
    """
    greater_from, least_from, above, below = thresholds(whole, size)
    half = len(whole) // 2
    left, right = subset_sums(whole[:half]), subset_sums(whole[half:])
    greater = at_least = far_above = far_below = 0
    for from_left, sums in enumerate(left):
        from_right = size - from_left
        if not 0 <= from_right < len(right):
            continue
        others = right[from_right]
        greater += _pairs_from(sums, others, greater_from)
        at_least += _pairs_from(sums, others, least_from)
        far_above += _pairs_from(sums, others, above)
        far_below += len(sums) * len(others) - _pairs_from(sums, others, below + 1)
    every = comb(len(whole), size)
    return greater, at_least, min(every, far_above + far_below)


def subset_sums(whole: np.ndarray) -> list[np.ndarray]:
    """The sorted sums of all subsets of the numbers; entry k holds those of subsets of size k."""
    sums = [np.zeros(1, np.int64)]
    for number in whole:
        longer = [sums[0], *[np.concatenate([a, b + number]) for a, b in zip(sums[1:], sums[:-1], strict=True)]]
        sums = [*longer, sums[-1] + number]
    return [np.sort(one) for one in sums]


def _pairs_from(sums: np.ndarray, others: np.ndarray, threshold: int) -> int:
    """How many pairs, one from each sorted array, sum up to the threshold or more."""
    return int(len(sums) * len(others) - np.searchsorted(others, threshold - sums, side="left").sum())


def draw_splits(whole: np.ndarray, size: int, draws: int, seed: int) -> tuple[int, int, int]:
    """Like `count_splits` over `draws` random splits; the same for any number of threads."""
    counts = _draw_blocks(whole, size, draws, np.uint64(seed), thresholds(whole, size))
    greater, at_least, far = counts.sum(axis=0)
    return int(greater), int(at_least), int(far)


@numba.njit(cache=True)
def next_random(state):
    """One step of SplitMix64: (new state, 64 random bits)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    bits = state
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, bits ^ (bits >> np.uint64(31))


@numba.njit(cache=True, parallel=True)
def _draw_blocks(whole, size, draws, seed, decisive):
    greater_from, least_from, above, below = decisive
    blocks = -(-draws // _DRAWS_PER_BLOCK)
    counts = np.zeros((blocks, 3), np.int64)
    words = len(whole)
    # Sampling the smaller side is enough: the sums of the two sides add up to the total.
    drawn = min(size, words - size)
    total = whole.sum()
    for block in numba.prange(blocks):
        # Each block has a random stream of its own, whichever thread runs it.
        _, state = next_random(seed + np.uint64(block) * np.uint64(0xD1342543DE82EF95))
        shuffled = whole.copy()
        for _ in range(min(_DRAWS_PER_BLOCK, draws - block * _DRAWS_PER_BLOCK)):
            chosen = 0
            for place in range(drawn):
                state, bits = next_random(state)
                span = np.uint64(words - place)
                other = place + np.int64(((bits >> np.uint64(32)) * span) >> np.uint64(32))
                shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
                chosen += shuffled[place]
            if drawn != size:
                chosen = total - chosen
            counts[block, 0] += chosen >= greater_from
            counts[block, 1] += chosen >= least_from
            counts[block, 2] += chosen >= above or chosen <= below
    return counts
