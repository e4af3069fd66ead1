"""Repairs for the page: every measure of bias and quality, for every version of an embedding."""

import polars as pl

from biasorigin.explorer.values import plain

CLOSER = "closer to 0 is better"
INSTRUMENTS = {
    "weat": ("WEAT {key}", "bias", CLOSER, "effect size; n is the number of target words"),
    "direct_bias": (
        "DirectBias along {key}",
        "bias",
        "lower is better",
        "mean |cosine| of neutral words with the axis",
    ),
    "variance": ("Variance of {key} words on the axis", "bias", "lower is better", "projections on the direction"),
    "cluster": ("Sides found by clustering", "bias", "0.5 is chance", "accuracy of 2-means on formerly biased words"),
    "classifier": ("Sides found by a classifier", "bias", "0.5 is chance", "accuracy on formerly biased words"),
    "neighbours": (
        "Biased neighbours",
        "bias",
        CLOSER,
        "correlation of former bias with the share of biased neighbours",
    ),
    "quality": ("{key}", "quality", "higher is better", "quality of the vectors on a benchmark"),
}
ALL_WEAT = "weat/all"
KEYS = ["instrument", "key"]


def mitigation_entry(embedding: str, title: str, audit: pl.DataFrame, repair: pl.DataFrame | None = None) -> dict:
    """One choice of the Mitigation view.

    audit   method, title, seed, instrument, key, value, low, high, n, problem; method `none` is the embedding as it was
    repair  the same for embeddings that were trained again without documents; or None
    """
    columns = ["method", "title", "seed", *KEYS, "value", "low", "high", "n", "problem"]
    parts = [audit.select(columns)]
    if repair is not None:
        parts.append(repair.filter(pl.col("method") != "none").select(columns))
    table = pl.concat(parts, how="vertical_relaxed").filter(pl.col("instrument").is_in(list(INSTRUMENTS)))
    over_seeds = table.group_by("method", *KEYS, maintain_order=True).agg(
        pl.col("value", "low", "high").mean(), pl.col("n").first(), pl.col("problem").first(), seeds=pl.len()
    )
    versions = table.select(key="method", title="title").unique("key", maintain_order=True).to_dicts()
    measures = [_mean_weat(over_seeds)] if (over_seeds["instrument"] == "weat").any() else []
    for (instrument, key), own in over_seeds.group_by(*KEYS, maintain_order=True):
        name, side, better, about = INSTRUMENTS[instrument]
        measures.append(
            {
                "key": f"{instrument}/{key}",
                "title": name.format(key=key),
                "side": side,
                "better": better,
                "about": about,
                "values": {row["method"]: _value(row) for row in own.iter_rows(named=True)},
            }
        )
    return {"embedding": embedding, "title": title, "versions": versions, "measures": measures}


def mean_weat(table: pl.DataFrame) -> pl.DataFrame:
    """method, value (mean |d| over the tests that every method could make), n (tests), seeds."""
    weat = table.filter(pl.col("instrument") == "weat")
    common = weat.group_by("key").agg(pl.col("value").is_not_null().all().alias("all")).filter("all")["key"]
    return (
        weat.filter(pl.col("key").is_in(common.to_list()))
        .group_by("method", maintain_order=True)
        .agg(pl.col("value").abs().mean(), n=pl.len(), seeds=pl.col("seeds").first())
    )


def _mean_weat(table: pl.DataFrame) -> dict:
    return {
        "key": ALL_WEAT,
        "title": "Mean |WEAT effect size|",
        "side": "bias",
        "better": CLOSER,
        "about": "over the tests that every version could make; n is the number of tests",
        "values": {row["method"]: _value(row) for row in mean_weat(table).iter_rows(named=True)},
    }


def _value(row: dict) -> dict:
    return {name: plain(row.get(name)) for name in ("value", "low", "high", "n", "seeds", "problem")}
