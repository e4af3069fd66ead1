"""What the documents that carry a bias are like, against documents of the same length that do not."""

import numpy as np
import polars as pl
from scipy.stats import chi2_contingency, mannwhitneyu
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from biasorigin.attribution.overlap import top_of
from biasorigin.attribution.text_features import Features


def matched_sample(lengths: np.ndarray, chosen: np.ndarray, per_document: int, seed: int) -> np.ndarray:
    """For each chosen document, others of nearly the same length, each used at most once.

    The rest is put in a seeded order and sorted by length (so that equal lengths come in random order); each chosen
    document, in turn, takes the free ones nearest to its own place.
    """
    rest = np.setdiff1d(np.arange(len(lengths)), chosen)
    rest = np.random.default_rng(seed).permutation(rest)
    rest = rest[np.argsort(lengths[rest], kind="stable")]
    length = lengths[rest]
    begins = np.searchsorted(length, lengths[chosen])
    # Where to go from a place to find a free one: upwards, with an end after the last, and downwards (places counted
    # from 1), with an end before the first.
    upwards, downwards = list(range(len(rest) + 1)), list(range(len(rest) + 1))
    picked = []
    for document, begin in zip(chosen, begins.tolist(), strict=True):
        for _ in range(per_document):
            right, left = _follow(upwards, begin), _follow(downwards, begin) - 1
            gaps = [
                length[right] - lengths[document] if right < len(rest) else np.inf,
                lengths[document] - length[left] if left >= 0 else np.inf,
            ]
            if not np.isfinite(min(gaps)):
                break
            place = right if gaps[0] <= gaps[1] else left
            upwards[place], downwards[place + 1] = place + 1, place
            picked.append(rest[place])
    return np.array(picked, dtype=np.int64)


def _follow(pointers: list[int], place: int) -> int:
    """The place that points to itself, from here; the way is shortened for the next time."""
    while pointers[place] != place:
        pointers[place] = pointers[pointers[place]]
        place = pointers[place]
    return place


def compare_numbers(values: np.ndarray, chosen: np.ndarray, others: np.ndarray) -> dict[str, float]:
    """Means, Mann-Whitney's p (two-sided) and Cliff's delta: P(chosen above other) − P(below), between −1 and 1."""
    first, second = values[chosen], values[others]
    statistic, p = mannwhitneyu(first, second, alternative="two-sided", method="asymptotic")
    delta = 2.0 * statistic / (len(first) * len(second)) - 1.0
    return {
        "top": float(first.mean()),
        "matched": float(second.mean()),
        "effect": float(delta),
        "p": float(p) if np.isfinite(p) else 1.0,
    }


def compare_categories(labels: list[str], chosen: np.ndarray, others: np.ndarray) -> list[dict]:
    """For each value of a metadata column its share in both groups; over all, chi-squared's p and Cramér's V."""
    labels = np.array(["" if label is None else str(label) for label in labels])
    values = np.unique(labels[np.concatenate([chosen, others])])
    table = np.array([[np.sum(labels[group] == value) for value in values] for group in (chosen, others)])
    p, strength = 1.0, 0.0
    if len(values) > 1:
        statistic, p, *_ = chi2_contingency(table, correction=False)
        strength = float(np.sqrt(statistic / table.sum()))
    return [
        {
            "feature": str(value),
            "top": float(table[0, k] / len(chosen)),
            "matched": float(table[1, k] / len(others)),
            "effect": strength,
            "p": float(p),
        }
        for k, value in enumerate(values)
    ]


def check_sentiment(score: np.ndarray, labels: list[str]) -> dict:
    """Area under the ROC curve of the sentiment measure for the label that sorts last (`1`, `positive`) of two."""
    names = sorted({str(label) for label in labels if label is not None})
    if len(names) != 2:
        return {"labels": names, "documents": 0, "auc": None}
    known = np.array([label is not None for label in labels])
    truth = np.array([str(label) == names[1] for label in labels])[known]
    return {"labels": names, "documents": int(known.sum()), "auc": float(roc_auc_score(truth, score[known]))}


def classify_biasing(
    features: Features,
    lengths: np.ndarray,
    effect: np.ndarray,
    vocabulary: list[str],
    *,
    share: float,
    folds: int,
    seed: int,
) -> tuple[dict, pl.DataFrame]:
    """Can cheap features tell biasing documents (the top `share`, by effect) from the others?

    Logistic regression on TF-IDF, cross-validated: each fold flags the `share` of its documents with the highest
    score, so that precision and recall are those of a list of the same length. Returns the scores and the words that
    decide, by their weight in a fit on all documents.
    """
    documents = len(effect)
    positive = np.zeros(documents, dtype=bool)
    positive[top_of(effect, max(folds, round(share * documents)))] = True
    positive &= effect > 0
    if positive.sum() < folds:
        return {"biasing": int(positive.sum()), "precision": None, "recall": None, "average_precision": None}, _NO_WORDS
    score = np.zeros(documents)
    rank = np.zeros(documents)
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(features.matrix, positive):
        score[test] = _model().fit(features.matrix[train], positive[train]).decision_function(features.matrix[test])
        rank[test] = np.argsort(np.argsort(-score[test], kind="stable"), kind="stable") / len(test)
    flagged = rank < positive.mean()
    hits = int((flagged & positive).sum())
    by_length = np.zeros(documents, dtype=bool)
    by_length[top_of(lengths.astype(np.float64), int(positive.sum()))] = True
    result = {
        "documents": documents,
        "biasing": int(positive.sum()),
        "precision": hits / int(flagged.sum()),
        "recall": hits / int(positive.sum()),
        "average_precision": float(average_precision_score(positive, score)),
        "auc": float(roc_auc_score(positive, score)),
        "chance": float(positive.mean()),
        "precision_by_length": float((by_length & positive).sum() / positive.sum()),
    }
    weights = _model().fit(features.matrix, positive).coef_.ravel()
    order = np.argsort(-weights, kind="stable")
    words = [vocabulary[features.words[k]] for k in order[:15]]
    return result, pl.DataFrame({"word": words, "weight": weights[order[:15]]})


_NO_WORDS = pl.DataFrame(schema={"word": pl.String, "weight": pl.Float64})


def _model() -> LogisticRegression:
    return LogisticRegression(C=1.0, solver="liblinear", class_weight="balanced", max_iter=100, tol=1e-2)
