"""The tables of an enumeration: every cell, the name groups (table 2), the tests (table 5)."""

import numpy as np
import polars as pl

from biasorigin.association.multiple_testing import benjamini_hochberg
from biasorigin.enumeration.demographics import describe_groups
from biasorigin.enumeration.groups import illustrative_members
from biasorigin.enumeration.rotations import NullCounts, p_values
from biasorigin.enumeration.scores import Selection

NAMES_SHOWN = 5
WORDS_SHOWN = 4


def significant_cells(counts: NullCounts, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """p-values, adjusted p-values and which cells are discoveries, each (groups, categories).

    Benjamini-Hochberg over all cells, void ones (p = 1) included.
    """
    p = p_values(counts)
    adjusted = benjamini_hochberg(p.ravel()).reshape(p.shape)
    return p, adjusted, adjusted <= alpha


def category_order(scores: np.ndarray, p: np.ndarray, significant: np.ndarray) -> np.ndarray:
    """Categories by the sum of their significant scores, largest first; those without any by their smallest p."""
    totals = np.where(significant, scores, 0.0).sum(axis=0)
    return np.lexsort((np.arange(len(totals)), p.min(axis=0), -totals))


def group_table(names: pl.DataFrame, unit_vectors: np.ndarray, label: str) -> pl.DataFrame:
    """Table 2: one row per group with its label, illustrative names and demographics.

    names         names frame with `group`, kept names only
    unit_vectors  (names, dim)
    """
    groups = names["group"].to_numpy()
    shown = []
    for group in range(int(groups.max()) + 1):
        members = np.flatnonzero(groups == group)
        chosen = members[illustrative_members(unit_vectors[members], NAMES_SHOWN)]
        shown.append(", ".join(names["name"].gather(chosen).to_list()))
    described = describe_groups(names)
    labels = [f"{label}{group + 1}" for group in described["group"]]
    return described.with_columns(pl.Series("label", labels), pl.Series("examples", shown)).select(
        "label", "examples", pl.exclude("label", "examples", "group")
    )


def category_table(words: pl.DataFrame, unit_vectors: np.ndarray, order: np.ndarray) -> pl.DataFrame:
    """One row per category in the given order: label, number of words, the words that illustrate it."""
    categories = words["category"].to_numpy()
    rows = []
    for place, category in enumerate(order):
        members = np.flatnonzero(categories == category)
        chosen = members[illustrative_members(unit_vectors[members], WORDS_SHOWN)]
        examples = ", ".join(words["word"].gather(chosen).to_list())
        rows.append({"category": f"C{place + 1}", "cluster": int(category), "size": len(members), "examples": examples})
    return pl.DataFrame(
        rows, schema={"category": pl.String, "cluster": pl.Int64, "size": pl.Int64, "examples": pl.String}
    )


def cell_table(
    group_labels: list[str],
    categories: pl.DataFrame,
    words: list[str],
    *,
    selection: Selection,
    counts: NullCounts,
    edges: np.ndarray,
    alpha: float,
) -> pl.DataFrame:
    """Every (group, category) cell: its words, score, p-value and what chance gives. Categories in table order.

    score        sigma_ij; positive means that the words lie on the group's side; null in a void cell
    p            one-sided, over rotations; p_se its Monte Carlo standard error
    null_median, null_95  quantiles of the score over the rotations in which the cell was not void
    """
    p, adjusted, significant = significant_cells(counts, alpha)
    median, upper = (histogram_quantile(counts.histogram, edges, q) for q in (0.5, 0.95))
    rows = []
    for category in categories.iter_rows(named=True):
        j = category["cluster"]
        for i, label in enumerate(group_labels):
            void = bool(selection.void[i, j])
            chosen = selection.words[i, j]
            rows.append(
                {
                    "category": category["category"],
                    "category_examples": category["examples"],
                    "category_size": category["size"],
                    "group": label,
                    "words": "" if void else ", ".join(words[w] for w in chosen),
                    "words_closest": int(selection.voronoi[i, j]),
                    "score": None if void else float(selection.scores[i, j]),
                    "null_median": median[i, j],
                    "null_95": upper[i, j],
                    "p": float(p[i, j]),
                    "p_se": float(np.sqrt(p[i, j] * (1 - p[i, j]) / counts.rotations)),
                    "p_adjusted": float(adjusted[i, j]),
                    "significant": bool(significant[i, j]),
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col("null_median", "null_95").fill_nan(None))


def weat_table(cells: pl.DataFrame, group_labels: list[str], tests: int) -> pl.DataFrame:
    """Table 5: the first categories with a significant cell as rows, name groups as columns, words as entries.

    An entry that is not significant is null.
    """
    found = cells.filter(pl.col("significant").any().over("category"))
    top = found["category"].unique(maintain_order=True)[:tests].to_list()
    rows = []
    for category in top:
        own = found.filter(pl.col("category") == category)
        words = dict(own.filter("significant").select("group", "words").iter_rows())
        about = {"category": category, "examples": own["category_examples"][0]}
        rows.append(about | {label: words.get(label) for label in group_labels})
    return pl.DataFrame(rows, schema=dict.fromkeys(("category", "examples", *group_labels), pl.String))


def histogram_quantile(histogram: np.ndarray, edges: np.ndarray, quantile: float) -> np.ndarray:
    """The quantile of each histogram (..., bins), to the middle of a bin; NaN where it is empty."""
    cumulative = histogram.cumsum(axis=-1)
    total = cumulative[..., -1]
    place = (cumulative >= quantile * total[..., None]).argmax(axis=-1)
    middle = (edges[:-1] + edges[1:]) / 2
    return np.where(total > 0, middle[place], np.nan)
