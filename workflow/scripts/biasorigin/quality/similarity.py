"""Spearman's rank correlation between cosines and people's ratings, with a bootstrap over pairs."""

import numpy as np
from scipy.stats import rankdata

BLOCK = 1 << 21  # resampled pairs held at a time


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation of two (n,) arrays, ties by mid-ranks; NaN if either is constant or n < 3."""
    if len(first) < 3:
        return float("nan")
    return float(_weighted_correlation(rankdata(first)[None], rankdata(second)[None], np.ones((1, len(first))))[0])


def bootstrap_spearman(
    first: np.ndarray, second: np.ndarray, replicates: int, random: np.random.Generator
) -> np.ndarray:
    """(replicates,) Spearman correlations of pairs drawn with replacement; NaN where a sample is constant.

    A sample is held as how often each pair was drawn, so that ranks come from cumulative counts, without sorting.
    """
    pairs = len(first)
    results = np.empty(replicates)
    step = max(1, BLOCK // max(pairs, 1))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        draws = random.integers(0, pairs, size=(size, pairs)) + np.arange(size)[:, None] * pairs
        counts = np.bincount(draws.ravel(), minlength=size * pairs).reshape(size, pairs)
        results[start : start + size] = _weighted_correlation(
            resampled_ranks(first, counts), resampled_ranks(second, counts), counts
        )
    return results


def resampled_ranks(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(samples, n) mid-rank of each value in a sample that holds it (samples, n) `counts` times."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])  # of each group of ties
    in_group = np.add.reduceat(counts[:, order], starts, axis=1)
    middle = np.cumsum(in_group, axis=1) - (in_group - 1) / 2
    ranks = np.empty(counts.shape)
    ranks[:, order] = np.repeat(middle, np.diff(np.r_[starts, len(values)]), axis=1)
    return ranks


def _weighted_correlation(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(samples,) Pearson correlations of (samples, n) arrays, each entry counted (samples, n) `weights` times."""
    total = weights.sum(axis=1, keepdims=True)
    first = first - (weights * first).sum(axis=1, keepdims=True) / total
    second = second - (weights * second).sum(axis=1, keepdims=True) / total
    together = (weights * first * second).sum(axis=1)
    spread = (weights * first**2).sum(axis=1) * (weights * second**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, together / np.sqrt(spread), np.nan)
