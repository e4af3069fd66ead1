"""Choose the WEAT sets whose bias is traced to documents, and check that it can be."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.association.words import ROLES
from biasorigin.attribution.study import check_attributable, choose_sets
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import load_word_sets


def choose_bias_tests(
    path_to_embeddings: list[str],
    path_to_statistics: str,
    path_to_word_sets: list[str],
    tests: list[str],
    significance: float,
    sets: list[str] | None,
    path_to_sets: str,
    path_to_table: str,
) -> None:
    """Write the sets with their words (parquet) and without (tsv)."""
    for folder in path_to_embeddings:
        check_attributable(Path(folder), path_to_statistics)
    known = load_word_sets(path_to_word_sets).tests
    unknown = [key for key in tests if key not in known]
    if unknown:
        raise UserError(f"attribution.tests names {listing(unknown)}; the word sets define {listing(list(known), 40)}.")
    table = choose_sets(path_to_embeddings, [known[key] for key in tests], significance, sets)
    save_table(path_to_sets, table)
    save_table(path_to_table, table.select(pl.exclude(ROLES)))


if __name__ == "__main__":
    from entry import run

    run(
        choose_bias_tests,
        snakemake.log,
        threads=snakemake.threads,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_statistics=snakemake.input.statistics,
        path_to_word_sets=snakemake.input.word_sets,
        tests=snakemake.params.tests,
        significance=snakemake.params.significance,
        sets=snakemake.params.sets,
        path_to_sets=snakemake.output.sets,
        path_to_table=snakemake.output.table,
    )
