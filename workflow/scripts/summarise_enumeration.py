"""Put the enumerations of a study side by side: names, words, discoveries, indirect bias."""

import polars as pl

from biasorigin.artefacts import load_json, save_table


def summarise_enumeration(paths_to_summaries: list[str], runs: list[str], path_to_table: str, path_to_tsv: str) -> None:
    """One row per enumeration: `run`, then what its summary holds (UBE table 3 and section 4.2)."""
    rows = [{"run": run} | load_json(path) for run, path in zip(runs, paths_to_summaries, strict=True)]
    table = pl.DataFrame(rows, infer_schema_length=None)
    save_table(path_to_table, table)
    save_table(path_to_tsv, table)


if __name__ == "__main__":
    from entry import run

    run(
        summarise_enumeration,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_summaries=snakemake.input.summaries,
        runs=snakemake.params.runs,
        path_to_table=snakemake.output.table,
        path_to_tsv=snakemake.output.tsv,
    )
