"""What removing documents did: estimated and retrained bias, and quality, before and after."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.attribution.retraining import FULL


def compare_removal(
    path_to_estimates: str, path_to_retrained: str, embedding: str, path_to_removal: str, path_to_table: str,
    path_to_repair: str,
) -> None:  # fmt: skip
    """Write one row per removal, instrument and key, and the long table that mitigation compares with repairs of
    vectors (one row per seed).

    removal, removed (documents), instrument (weat, quality), key, aimed_at (a set that the removal was to lower),
    seeds (retrained), before, retrained, estimated (effect sizes only), n (words or pairs), reached and
    removed_set_by_set (of the choice). All are means over the retrained seeds, the estimates too.
    """
    retrained = load_table(path_to_retrained)
    estimates = load_table(path_to_estimates).with_columns(instrument=pl.lit("weat"))
    estimates = estimates.rename({"set": "key", "after": "estimated"}).drop("before")
    full = retrained.filter(pl.col("removal") == FULL).rename({"value": "before"})
    keys = ["instrument", "key"]
    table = (
        retrained.filter(pl.col("removal") != FULL)
        .rename({"value": "retrained"})
        .join(full.select("seed", *keys, "before"), on=["seed", *keys], maintain_order="left")
        .join(estimates, on=["removal", "seed", *keys], how="left", maintain_order="left")
        .with_columns(pl.col("removed").forward_fill().backward_fill().over("removal"))
        .group_by("removal", "removed", *keys, maintain_order=True)
        .agg(
            pl.col("aimed_at").first(),
            pl.len().alias("seeds"),
            pl.col("before", "retrained", "estimated").mean(),
            pl.col("n", "reached", "removed_set_by_set").first(),
        )
    )
    save_table(path_to_removal, table)
    save_table(path_to_table, table)
    titles = pl.col("removal").str.replace(r"documents_(\d+)", "$1 documents removed")
    repair = retrained.select(
        pl.lit(embedding).alias("embedding"),
        pl.col("removal").alias("method"),
        titles.str.replace(r"random_(\d+)", "$1 random documents removed").alias("title"),
        "seed",
        "instrument",
        "key",
        "value",
        "low",
        "high",
        "n",
        pl.lit(None, dtype=pl.String).alias("problem"),
    )
    save_table(path_to_repair, repair)


if __name__ == "__main__":
    from entry import run

    run(
        compare_removal,
        snakemake.log,
        threads=snakemake.threads,
        path_to_estimates=snakemake.input.estimates,
        path_to_retrained=snakemake.input.retrained,
        embedding=snakemake.wildcards.embedding,
        path_to_removal=snakemake.output.removal,
        path_to_table=snakemake.output.table,
        path_to_repair=snakemake.output.repair,
    )
