"""What removing documents did: estimated and retrained bias, and quality, before and after."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.attribution.retraining import FULL


def compare_removal(
    path_to_estimates: str, path_to_retrained: str, embedding: str, path_to_removal: str, path_to_table: str,
    path_to_repair: str,
) -> None:  # fmt: skip
    """Write one row per removal, instrument and key (means over the seeds that were retrained), and the long table
    that mitigation compares with repairs of vectors (one row per seed)."""
    retrained = load_table(path_to_retrained)
    estimates = load_table(path_to_estimates).rename({"set": "key", "before": "estimated_before", "after": "estimated"})
    keys = ["instrument", "key"]
    before = retrained.filter(pl.col("removal") == FULL).group_by(keys).agg(pl.col("value").mean().alias("before"))
    after = (
        retrained.filter(pl.col("removal") != FULL)
        .group_by("removal", *keys, maintain_order=True)
        .agg(pl.col("value").mean().alias("after"), pl.len().alias("seeds"), pl.col("n").first())
    )
    table = after.join(before, on=keys, maintain_order="left")
    table = table.join(estimates, on=["removal", "key"], how="left", maintain_order="left").with_columns(
        removed=pl.col("removed").forward_fill().backward_fill().over("removal")
    )
    names = ["removal", "removed", *keys, "before", "after", "estimated_before", "estimated", "seeds", "n", "reached",
             "removed_set_by_set"]  # fmt: skip
    save_table(path_to_removal, table.select(names))
    save_table(path_to_table, table.select(names))
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
