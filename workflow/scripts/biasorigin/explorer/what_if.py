"""The bias without some documents, estimated and retrained, for the page."""

import polars as pl

from biasorigin.explorer.values import plain

KINDS = {"worst": "raising", "random": "random"}


def what_if_entry(
    embedding: str,
    title: str,
    documents: int,
    sets: pl.DataFrame,
    curves: pl.DataFrame,
    comparison: pl.DataFrame | None,
    agreement: pl.DataFrame | None,
    estimator: str,
) -> dict:
    """One choice of the What-if view.

    curves      set, order (worst or random), removed, seed, effect_size: the estimate for the documents as one set
    comparison  removal, target, kind, documents, set, seed, before, after and a column for each estimator; or None
    agreement   scope, estimator, pairs, removals, r2, sign, slope with intervals; or None
    """
    drawn = curves["set"].unique(maintain_order=True).to_list()
    titles = dict(sets.select("set", "title").iter_rows())
    return {
        "embedding": embedding,
        "title": title,
        "documents": documents,
        "seeds": curves["seed"].n_unique(),
        "method": "for all of them together, not the sum of single documents",
        "sets": [
            {
                "key": key,
                "title": titles[key],
                "curves": _curves(curves.filter(pl.col("set") == key)),
                "points": [] if comparison is None else _points(comparison.filter(pl.col("set") == key), estimator),
            }
            for key in drawn
        ],
        "agreement": None if agreement is None else agreement_in_words(agreement, estimator),
    }


def _curves(own: pl.DataFrame) -> dict[str, list[dict]]:
    over_seeds = own.group_by("order", "removed", maintain_order=True).agg(
        value=pl.col("effect_size").mean(), low=pl.col("effect_size").min(), high=pl.col("effect_size").max()
    )
    return {
        KINDS[order]: [
            {"n": row["removed"], **{name: plain(row[name]) for name in ("value", "low", "high")}}
            for row in some.sort("removed").iter_rows(named=True)
        ]
        for (order,), some in over_seeds.group_by("order", maintain_order=True)
    }


def _points(own: pl.DataFrame, estimator: str) -> list[dict]:
    """Retrained embeddings: documents chosen for this set, for several sets at once (`together`), or at random."""
    trained = own.filter(pl.col("after").is_not_null(), pl.col("kind").is_in(["raising", "lowering", "random"]))
    trained = trained.filter(pl.col("target").is_null() | pl.col("target").is_in([own["set"].first(), "all"]))
    return [
        {
            "n": row["documents"],
            "kind": row["kind"],
            "together": row["target"] == "all",
            "seed": row["seed"],
            "value": plain(row["after"]),
            "estimate": plain(row["before"] - row[estimator]) if estimator in row else None,
        }
        for row in trained.sort("documents", "seed").iter_rows(named=True)
    ]


def agreement_in_words(agreement: pl.DataFrame, estimator: str) -> dict | None:
    """How far estimates and retraining agree for removals that were aimed at a set: numbers, and a sentence."""
    own = agreement.filter(pl.col("estimator") == estimator, pl.col("scope") == "targeted")
    if own.is_empty():
        return None
    row = own.row(0, named=True)
    names = ("r2", "r2_low", "r2_high", "slope", "slope_low", "slope_high", "sign", "pairs", "removals")
    numbers = {name: plain(row.get(name)) for name in names}
    if numbers["r2"] is None:
        return None
    text = (
        f"Over {row['removals']} removals that were trained again ({row['pairs']} comparisons with a set and a seed) "
        f"the estimate explains {100 * row['r2']:.0f} % of the variance of the retrained effects"
        f"{_range(row, 'r2', 100, ' %')}, the slope of retrained on estimated effects is {row['slope']:.2f}"
        f"{_range(row, 'slope', 1, '')}, and the sign is right in {100 * row['sign']:.0f} % of them. "
        "A slope below 1 means that the estimate promises more than retraining gives."
    )
    return {**numbers, "text": text}


def _range(row: dict, name: str, scale: float, unit: str) -> str:
    low, high = plain(row.get(f"{name}_low")), plain(row.get(f"{name}_high"))
    if low is None or high is None:
        return ""
    digits = 0 if scale == 100 else 2
    return f" (95 % interval {scale * low:.{digits}f} to {scale * high:.{digits}f}{unit})"
