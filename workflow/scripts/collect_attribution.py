"""Collect the numbers of the attribution tables that the paper prints, for the scorecard."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.scorecard import measured_table


def collect_attribution(
    embeddings: list[str],
    paths_to_table_7: list[str],
    paths_to_table_8: list[str],
    paths_to_table_9: list[str],
    path_to_measured: str,
) -> None:
    """Write key, value and note; see `biasorigin.scorecard`."""
    rows = []
    for name, path_7, path_8, path_9 in zip(
        embeddings, paths_to_table_7, paths_to_table_8, paths_to_table_9, strict=True
    ):
        for row in load_table(path_9).to_dicts():
            quantile = row.pop("quantile")
            rows += [(f"cumulative_share/{name}/{key}/{quantile:.3f}", value, None) for key, value in row.items()]
        for row in load_table(path_7).to_dicts():
            quantile, sets = row.pop("quantile"), row.pop("sets")
            note = f"over {sets} sets"
            rows += [(f"top_share/{name}/{quantile:.2f}/{key}", value, note) for key, value in row.items()]
        for row in load_table(path_8).filter(pl.col("quantile") == 0.9).drop("quantile").to_dicts():
            first = row.pop("set")
            rows += [(f"top_decile_correlation/{name}/{first}/{key}", value, None) for key, value in row.items()]
    save_table(path_to_measured, measured_table([row for row in rows if row[1] is not None]))


if __name__ == "__main__":
    from entry import run

    run(
        collect_attribution,
        snakemake.log,
        threads=snakemake.threads,
        embeddings=snakemake.params.embeddings,
        paths_to_table_7=snakemake.input.table_7,
        paths_to_table_8=snakemake.input.table_8,
        paths_to_table_9=snakemake.input.table_9,
        path_to_measured=snakemake.output.measured,
    )
