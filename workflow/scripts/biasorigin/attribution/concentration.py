"""How few documents hold how much of the bias: Tables 7 and 9 and Figure 1 of the Intersectional paper."""

import numpy as np
import polars as pl

# The quantiles of the paper's Table 9.
QUANTILES = tuple(
    round(float(q), 3)
    for q in np.concatenate([np.arange(0.1, 0.91, 0.1), np.arange(0.91, 0.995, 0.01), np.arange(0.991, 1.0005, 0.001)])
)


def share_below_quantiles(effects: np.ndarray, quantiles: tuple[float, ...] = QUANTILES) -> np.ndarray:
    """(quantiles, tests) share of the total positive effect that documents strictly below each quantile hold.

    `effects` (documents, tests): differential bias. The last quantile, 1, leaves out the top document, as the
    paper's table does. NaN where no document raises the bias.
    """
    positive = np.maximum(effects, 0.0)
    total = positive.sum(axis=0)
    edges = np.quantile(effects, quantiles, axis=0)  # (quantiles, tests)
    below = np.array([np.where(effects < edge, positive, 0.0).sum(axis=0) for edge in edges])
    return np.divide(below, total, out=np.full_like(below, np.nan), where=total > 0)


def concentration_curve(effects: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(points, tests) share of the total positive effect held by the given numbers of top documents."""
    positive = -np.sort(-np.maximum(effects, 0.0), axis=0)
    held = np.vstack([np.zeros(effects.shape[1]), np.cumsum(positive, axis=0)])
    total = held[-1]
    return np.divide(held[points], total, out=np.full((len(points), effects.shape[1]), np.nan), where=total > 0)


def documents_for_share(effects: np.ndarray, share: float = 0.5) -> np.ndarray:
    """(tests,) fewest documents that together hold the given share of the total positive effect; 0 if none does."""
    positive = -np.sort(-np.maximum(effects, 0.0), axis=0)
    held = np.cumsum(positive, axis=0)
    reached = held >= share * held[-1] * (1 - 1e-12)
    return np.where(held[-1] > 0, reached.argmax(axis=0) + 1, 0)


def describe_shares(shares: np.ndarray, quantiles: tuple[float, ...], rows: tuple[float, ...]) -> pl.DataFrame:
    """The paper's Table 7: over the tests, the share held by documents at or above each of the given quantiles.

    The paper prints 1 − describe() of Table 9's rows; here 1 is subtracted first, so that the standard deviation,
    the minimum and the maximum are those of the shares themselves.
    """
    table = []
    for quantile in rows:
        held = 1.0 - shares[quantiles.index(quantile)]
        held = held[np.isfinite(held)]
        spread = held.std(ddof=1) if len(held) > 1 else 0.0
        quarters = np.quantile(held, [0, 0.25, 0.5, 0.75, 1]) if len(held) else np.full(5, np.nan)
        values = [held.mean() if len(held) else np.nan, spread, *quarters]
        names = ["mean", "std", "min", "25%", "50%", "75%", "max"]
        table.append({"quantile": quantile, "sets": len(held), **dict(zip(names, map(float, values), strict=True))})
    return pl.DataFrame(table)


def summarise(effects: np.ndarray, by_seed: np.ndarray, keys: tuple[str, ...]) -> pl.DataFrame:
    """One row per test: documents with any effect, those that hold half, shares of the top 1 and 10 %.

    `effects` (documents, tests) mean over seeds; `by_seed` (seeds, documents, tests). The lowest and highest values
    over the seeds stand beside each number: the band.
    """
    documents = len(effects)
    tops = np.array([max(1, round(0.01 * documents)), max(1, round(0.1 * documents))])
    columns: dict[str, list | np.ndarray] = {
        "set": list(keys),
        "documents": [documents] * len(keys),
        "touched": (effects != 0).sum(axis=0),
        "raising": (effects > 0).sum(axis=0),
        "total_raising": np.maximum(effects, 0).sum(axis=0),
        "total_lowering": np.minimum(effects, 0).sum(axis=0),
    }
    half = np.array([documents_for_share(one) for one in by_seed])
    columns |= {"half": documents_for_share(effects), "half_least": half.min(axis=0), "half_most": half.max(axis=0)}
    seeds = np.array([concentration_curve(one, tops) for one in by_seed])  # (seeds, 2, tests)
    mean = concentration_curve(effects, tops)
    for position, name in enumerate(("top_1_percent", "top_10_percent")):
        columns[name] = mean[position]
        columns[f"{name}_least"], columns[f"{name}_most"] = (
            seeds[:, position].min(axis=0),
            seeds[:, position].max(axis=0),
        )
    columns["seed_correlation"] = seed_correlation(by_seed)
    return pl.DataFrame(columns)


def seed_correlation(by_seed: np.ndarray) -> np.ndarray:
    """(tests,) mean correlation between two seeds' effects over the documents that have any; NaN for one seed."""
    tests = by_seed.shape[2]
    result = np.full(tests, np.nan)
    for test in range(tests):
        touched = (by_seed[:, :, test] != 0).any(axis=0)
        if len(by_seed) > 1 and touched.sum() > 2:
            matrix = np.corrcoef(by_seed[:, touched, test])
            result[test] = matrix[np.triu_indices(len(by_seed), 1)].mean()
    return result
