"""Is the bias gone or only hidden? The tests of Gonen and Goldberg (2019, Lipstick on a Pig).

All three ask whether the bias that a word had *before* debiasing can still be read off its place *after* it.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.svm import SVC

from biasorigin.errors import UserError

NEIGHBOUR_BLOCK = 512


@dataclass(frozen=True)
class Estimate:
    """A number, its 95 % interval, and how many words it rests on."""

    value: float
    low: float
    high: float
    n: int


def cluster_accuracy(unit: np.ndarray, first: np.ndarray, second: np.ndarray, seed: int) -> Estimate:
    """Share of formerly biased words that fall into the cluster of their own side, with two clusters.

    unit: (words, dim) after debiasing; first, second: rows of the words most biased before, either side.
    .5: no trace of the former bias; 1: it separates as before. Wilson interval.
    """
    if min(len(first), len(second)) < 2:
        raise UserError("The cluster test needs two or more biased words of either side. Lower cluster_words.")
    rows = np.concatenate([first, second])
    truth = np.arange(len(rows)) < len(first)
    labels = KMeans(2, n_init=10, random_state=seed).fit_predict(unit[rows]) == 1
    agree = int(np.sum(labels == truth))
    return _share(max(agree, len(rows) - agree), len(rows))


def classifier_accuracy(
    unit: np.ndarray, first: np.ndarray, second: np.ndarray, training: int, generator: np.random.Generator
) -> Estimate:
    """Share of formerly biased words whose side a support vector machine (RBF kernel) tells, on words it has not seen.

    training: number of words to learn from, half of either side. .5: no trace. Wilson interval.
    """
    half = training // 2
    if half < 1 or half >= min(len(first), len(second)):
        raise UserError(
            f"The classifier test learns from {training} words; {len(first)} and {len(second)} biased words are there. "
            "Lower mitigation.audit.classifier_training."
        )
    one, two = generator.permutation(first), generator.permutation(second)
    learn, ask = np.concatenate([one[:half], two[:half]]), np.concatenate([one[half:], two[half:]])
    sides = np.arange(len(learn)) < half
    model = SVC(kernel="rbf", C=1.0, gamma="scale").fit(unit[learn], sides)
    right = int(np.sum(model.predict(unit[ask]) == (np.arange(len(ask)) < len(one) - half)))
    return _share(right, len(ask))


def neighbour_correlation(
    unit: np.ndarray, words: np.ndarray, bias_before: np.ndarray, exclude: np.ndarray, neighbours: int
) -> tuple[Estimate, np.ndarray]:
    """Correlation of each word's former bias with the share of its neighbours that were biased to the first side.

    words: rows, e.g. occupations; bias_before: (all words,) projection before debiasing, positive = first side;
    exclude: rows that do not count as neighbours (definitional words). 0: no trace. Fisher interval.
    Also returns the shares, (words,).
    """
    if len(words) < 4:
        raise UserError(f"The neighbour test needs 4 words or more; {len(words)} are in the vocabulary.")
    candidates = np.setdiff1d(np.arange(len(unit)), exclude)
    if len(candidates) <= neighbours:
        raise UserError(f"The neighbour test asks for {neighbours} neighbours among {len(candidates)} words.")
    table = unit[candidates].T  # (dim, candidates)
    towards_first = bias_before[candidates] > 0
    shares = np.empty(len(words))
    for start in range(0, len(words), NEIGHBOUR_BLOCK):
        block = words[start : start + NEIGHBOUR_BLOCK]
        cosines = unit[block] @ table  # (block, candidates)
        cosines[candidates[None, :] == block[:, None]] = -np.inf
        nearest = np.argpartition(-cosines, neighbours - 1, axis=1)[:, :neighbours]
        shares[start : start + len(block)] = towards_first[nearest].mean(axis=1)
    return _correlation(bias_before[words], shares), shares


def _share(successes: int, total: int) -> Estimate:
    interval = stats.binomtest(successes, total).proportion_ci(method="wilson")
    return Estimate(successes / total, float(interval.low), float(interval.high), total)


def _correlation(first: np.ndarray, second: np.ndarray) -> Estimate:
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return Estimate(0.0, -1.0, 1.0, len(first))  # nothing varies: no correlation can be read
    result = stats.pearsonr(first, second)
    interval = result.confidence_interval()
    return Estimate(float(result.statistic), float(interval.low), float(interval.high), len(first))
