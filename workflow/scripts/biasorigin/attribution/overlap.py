"""Do the same documents carry several biases? Table 8 of the Intersectional paper, and its closing question."""

import numpy as np
import polars as pl

COMPOSITE = "composite"


def composite_score(effects: np.ndarray) -> np.ndarray:
    """(documents,) mean over the tests of each test's positive effects as shares of their total.

    ASSUME the paper's undefined composite score gives every set the same say, whatever its scale.
    """
    positive = np.maximum(effects, 0.0)
    total = positive.sum(axis=0)
    return np.divide(positive, total, out=np.zeros_like(positive), where=total > 0).mean(axis=1)


def top_documents(scores: np.ndarray, quantile: float) -> np.ndarray:
    """(documents, columns) whether a document is above the quantile of a score and raises it (score above 0)."""
    scores = scores.reshape(len(scores), -1)
    return (scores > np.quantile(scores, quantile, axis=0)) & (scores > 0)


def top_correlation(effects: np.ndarray, keys: tuple[str, ...], quantile: float) -> pl.DataFrame:
    """The paper's Table 8 at one quantile: correlation of top-document indicators between tests and the composite."""
    top = top_documents(np.column_stack([effects, composite_score(effects)]), quantile).astype(np.float64)
    centred = top - top.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    scale = np.outer(length, length)
    matrix = np.divide(centred.T @ centred, scale, out=np.full_like(scale, np.nan), where=scale > 0)
    names = [*keys, COMPOSITE]
    return pl.DataFrame({"set": names, **dict(zip(names, matrix.T, strict=True))})


def coverage(effects: np.ndarray, keys: tuple[str, ...], share: float) -> pl.DataFrame:
    """How much of each test's positive effect the top documents found for *other* tests hold.

    `share` of the documents is taken, by the other tests' composite score (leave one out). Beside it: what the
    test's own top documents hold (the best possible) and what documents without regard to bias would hold
    (`share`, the chance level); efficiency = (covered − chance) / (best − chance).
    """
    size = max(1, round(share * len(effects)))
    table = []
    for test, key in enumerate(keys):
        others = np.delete(effects, test, axis=1)
        covered = held_by(effects[:, test], top_of(composite_score(others), size)) if others.size else np.nan
        best = held_by(effects[:, test], top_of(effects[:, test], size))
        efficiency = (covered - share) / (best - share) if best > share else np.nan
        table.append(
            {"set": key, "share": share, "documents": size, "covered": covered, "best": best, "efficiency": efficiency}
        )
    return pl.DataFrame(table)


def forward_coverage(effects: np.ndarray, keys: tuple[str, ...], share: float) -> pl.DataFrame:
    """Which few sets suffice: add, one at a time, the set that raises the mean covered effect over all sets most."""
    size = max(1, round(share * len(effects)))
    chosen: list[int] = []
    table = []
    while len(chosen) < len(keys):
        scores = {}
        for test in sorted(set(range(len(keys))) - set(chosen)):
            top = top_of(composite_score(effects[:, [*chosen, test]]), size)
            scores[test] = float(np.nanmean([held_by(effects[:, one], top) for one in range(len(keys))]))
        best = max(scores, key=lambda test: (scores[test], -test))
        chosen.append(best)
        table.append({"step": len(chosen), "set": keys[best], "share": share, "mean_covered": scores[best]})
    return pl.DataFrame(table)


def top_of(score: np.ndarray, size: int) -> np.ndarray:
    """The documents with the highest scores, ties by position."""
    return np.argsort(-score, kind="stable")[:size]


def held_by(effect: np.ndarray, documents: np.ndarray) -> float:
    """Share of a test's total positive effect that the documents hold; NaN if no document raises the bias."""
    positive = np.maximum(effect, 0.0)
    return float(positive[documents].sum() / positive.sum()) if positive.sum() > 0 else float("nan")


def regress_on_axes(effects: np.ndarray, keys: tuple[str, ...], target: str, axes: list[str]) -> dict:
    """Least squares of a set's effects on those of other sets: how much of it do the single axes explain?

    Over the documents that move any of the sets, both standardised: r² of all axes together, each axis' coefficient,
    its own r², and what r² would lose without it.
    """
    y, columns = effects[:, keys.index(target)], effects[:, [keys.index(axis) for axis in axes]]
    touched = (y != 0) | (columns != 0).any(axis=1)
    y, columns = _standardise(y[touched]), _standardise(columns[touched])
    coefficients = np.linalg.lstsq(columns, y, rcond=None)[0]
    whole = _explained(y, columns)
    return {
        "set": target,
        "documents": int(touched.sum()),
        "r2": whole,
        "axes": [
            {
                "axis": axis,
                "coefficient": float(coefficients[k]),
                "r2_alone": _explained(y, columns[:, [k]]),
                "r2_lost_without": whole - _explained(y, np.delete(columns, k, axis=1)),
            }
            for k, axis in enumerate(axes)
        ],
    }


def _standardise(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=0)
    deviation = centred.std(axis=0)
    return np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)


def _explained(y: np.ndarray, columns: np.ndarray) -> float:
    if not columns.shape[1] or not y.any():
        return 0.0
    fit = columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    return float(1.0 - ((y - fit) ** 2).sum() / (y**2).sum())
