"""Repairs for the page: every measure of bias and quality, for every version of an embedding."""

import polars as pl

from biasorigin.explorer.values import plain
from biasorigin.mitigation.summary import mean_effect, mean_quality

CLOSER = "closer to 0 is better"
LOWER = "lower is better"
CHANCE = "0.5 is chance"
#: title, side, what is better, what the number is
INSTRUMENTS = {
    "weat": ("WEAT {key}", "bias", CLOSER, "effect size; n is the number of target words"),
    "direct_bias": ("DirectBias along {key}", "bias", LOWER, "mean |cosine| of neutral words with the direction"),
    "variance": ("Variance of {key} words", "bias", LOWER, "of their projections on the direction"),
    "cluster": ("Sides found by clustering", "bias", CHANCE, "accuracy of two clusters on formerly biased words"),
    "classifier": ("Sides found by a classifier", "bias", CHANCE, "accuracy on formerly biased words"),
    "neighbours": (
        "Biased neighbours",
        "bias",
        CLOSER,
        "correlation of former bias with the share of biased neighbours",
    ),
    "ube": ("Enumeration: pairs found", "bias", LOWER, "pairs of name group and word category; n is all pairs"),
    "quality": ("{key}", "quality", "higher is better", "score on a benchmark; n is the number of items covered"),
}
MEAN_EFFECT = "effect/mean"


def mitigation_entry(embedding: str, title: str, summary: pl.DataFrame, tests: list[str]) -> dict:
    """One choice of the Mitigation view.

    summary  the rows of one embedding of `over_seeds`: method (`none`: as it was), title, instrument, key, value, ...
    tests    keys of the WEAT tests of the bias that the repairs aim at
    """
    effect = (mean_effect(summary, tests), MEAN_EFFECT, "Mean |WEAT effect size|", "bias", CLOSER)
    quality = (mean_quality(summary), "quality/mean", "Mean quality", "quality", "higher is better")
    about = {"bias": f"over those of {', '.join(tests)} that every version could make; n is their number"}
    about["quality"] = "over the benchmarks that every version could answer; n is their number"
    measures = [
        {"key": key, "title": name, "side": side, "better": better, "about": about[side], "values": _values(table)}
        for table, key, name, side, better in (effect, quality)
        if not table.is_empty()
    ]
    for (instrument, key), own in summary.group_by("instrument", "key", maintain_order=True):
        name, side, better, what = INSTRUMENTS.get(instrument, (f"{instrument} {{key}}", "bias", CLOSER, ""))
        shown = {"title": name.format(key=key), "side": side, "better": better, "about": what}
        measures.append({"key": f"{instrument}/{key}", **shown, "values": _values(own)})
    versions = summary.select(key="method", title="title").unique("key", maintain_order=True).to_dicts()
    return {"embedding": embedding, "title": title, "versions": versions, "measures": measures}


def _values(table: pl.DataFrame) -> dict[str, dict]:
    names = ("value", "low", "high", "n", "seeds", "problem")
    return {
        row["method"]: {name: plain(row.get(name)) for name in names}
        for row in table.iter_rows(named=True)
    }  # fmt: skip
