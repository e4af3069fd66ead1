"""Audits of all embeddings as tables that people read, and as numbers for the scorecard."""

import polars as pl

from biasorigin.mitigation.audit import SCHEMA
from biasorigin.quality import BENCHMARKS

BEFORE = "none"
#: Names under which the scorecard knows the benchmarks of the paper's Table 2.
SCORECARD_BENCHMARKS = {"rg": "RG", "ws353": "WS353", "rw": "RW", "msr_analogies": "MSR"}
#: Columns that an audit has before those of SCHEMA.
LABELS = {"embedding": pl.String, "version": pl.String, "method": pl.String, "title": pl.String, "seed": pl.Int64}
VERSION = ["embedding", "method", "title"]


def over_seeds(audit: pl.DataFrame) -> pl.DataFrame:
    """Mean over seeds of every number and of its interval, the standard deviation between seeds, and their number."""
    return audit.group_by(*VERSION, "instrument", "key", maintain_order=True).agg(
        pl.col("value").mean(),
        pl.col("low").mean(),
        pl.col("high").mean(),
        pl.col("value").std(ddof=1).alias("sd"),
        pl.col("value").is_not_null().sum().cast(pl.Int64).alias("seeds"),
        pl.col("n").max(),
        pl.col("problem").drop_nulls().first(),
    )


def quality_table(summary: pl.DataFrame) -> pl.DataFrame:
    """The paper's Table 2: one row a version, for each benchmark the score and how many of its items are covered."""
    quality = summary.filter(pl.col("instrument") == "quality")
    keys = quality["key"].unique(maintain_order=True).to_list()
    table = quality.select(VERSION).unique(maintain_order=True)
    for key in keys:
        name = BENCHMARKS[key].title
        own = quality.filter(pl.col("key") == key).select(
            *VERSION, pl.col("value").alias(name), pl.col("n").alias(f"{name} covered")
        )
        table = table.join(own, on=VERSION, how="left", maintain_order="left")
    return table


def mean_effect(summary: pl.DataFrame, tests: list[str]) -> pl.DataFrame:
    """Mean |effect size| over those of the tests that every version of an embedding could make: VERSION, value, n.

    summary: an audit (then for each seed) or its means over seeds.
    """
    weat = summary.filter((pl.col("instrument") == "weat") & pl.col("key").is_in(tests))
    everywhere = weat.filter(pl.col("value").is_not_null().all().over("embedding", "key"))
    return everywhere.group_by(_keys(summary), maintain_order=True).agg(
        pl.col("value").abs().mean(), pl.len().cast(pl.Int64).alias("n")
    )


def mean_quality(summary: pl.DataFrame) -> pl.DataFrame:
    """Mean score over the benchmarks that every version of an embedding could answer, as in `mean_effect`."""
    quality = summary.filter(pl.col("instrument") == "quality")
    everywhere = quality.filter(pl.col("value").is_not_null().all().over("embedding", "key"))
    return everywhere.group_by(_keys(summary), maintain_order=True).agg(
        pl.col("value").mean(), pl.len().cast(pl.Int64).alias("n")
    )


def _keys(table: pl.DataFrame) -> list[str]:
    return [*VERSION, *(["seed"] if "seed" in table.columns else [])]


def enumeration_rows(found: list[dict]) -> pl.DataFrame:
    """UBE before and after as rows of an audit; each dict holds VERSION, seed and the enumeration's summary."""
    rows = []
    for one in found:
        summary, label = one["summary"], [one["embedding"], one["version"], one["method"], one["title"], one["seed"]]
        rows.append((*label, "ube", "significant", float(summary["significant"]), None, None, summary["cells"], None))
    return pl.DataFrame(rows, schema={**LABELS, **SCHEMA}, orient="row")


def scorecard_rows(summary: pl.DataFrame, method: str) -> list[tuple[str, float, str | None]]:
    """(key, value, note) of the paper's variances and Table 2, after `method`, for every embedding that has them."""
    rows = []
    made = summary.filter(pl.col("value").is_not_null() & pl.col("method").is_in([BEFORE, method]))
    for row in made.iter_rows(named=True):
        when = "before" if row["method"] == BEFORE else "after"
        name = row["embedding"]
        if row["instrument"] == "variance":
            rows.append((f"projection_variance/{name}/{row['key']}/{when}", row["value"], f"{row['n']} words"))
        elif row["instrument"] == "quality" and when == "after" and row["key"] in SCORECARD_BENCHMARKS:
            benchmark = SCORECARD_BENCHMARKS[row["key"]]
            rows.append((f"quality_after/{name}/{benchmark}", row["value"], f"{row['n']} items covered"))
    return rows
