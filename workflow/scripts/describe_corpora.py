"""Describe the corpora of the study side by side: the paper's Table 1, word sets, lengths and frequencies."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_json, load_table, save_table
from biasorigin.corpus_statistics import plot_document_lengths, plot_rank_frequency, sizes, word_set_coverage
from biasorigin.figures import save_figure
from biasorigin.wordsets import load_word_sets


def describe_corpora(
    corpora: dict[str, dict],
    paths_to_facts: list[str],
    paths_to_readings: list[str],
    paths_to_documents: list[str],
    paths_to_vocabularies: list[str],
    paths_to_word_sets: list[str],
    path_to_table: str,
    path_to_coverage: str,
    path_to_lengths: str,
    path_to_frequencies: str,
) -> None:
    """Write the tables and figures; the lists of paths are in the order of the corpora."""
    titles = {name: settings["title"] for name, settings in corpora.items()}
    facts = {name: load_json(path) for name, path in zip(corpora, paths_to_facts, strict=True)}
    readings = {name: load_json(path) for name, path in zip(corpora, paths_to_readings, strict=True)}
    vocabularies = {name: load_table(path) for name, path in zip(corpora, paths_to_vocabularies, strict=True)}
    save_table(path_to_table, sizes(titles, readings, facts))
    word_sets = load_word_sets(paths_to_word_sets)
    coverage = [
        word_set_coverage(set(table["word"]), not corpora[name]["tokenizer"]["lowercase"], word_sets).select(
            pl.lit(name).alias("corpus"), pl.all()
        )
        for name, table in vocabularies.items()
    ]
    save_table(path_to_coverage, pl.concat(coverage))
    lengths = {
        titles[name]: load_table(path, ["words"])["words"].to_numpy()
        for name, path in zip(corpora, paths_to_documents, strict=True)
    }
    counts = {titles[name]: table["count"].to_numpy() for name, table in vocabularies.items()}
    minimum = {titles[name]: fact["min_count"] for name, fact in facts.items()}
    for figure, path in (
        (plot_document_lengths(lengths), path_to_lengths),
        (plot_rank_frequency(counts, minimum), path_to_frequencies),
    ):
        save_figure(figure, *(Path(path).with_suffix(f".{ending}") for ending in ("svg", "pdf", "png")))


if __name__ == "__main__":
    from entry import run

    run(
        describe_corpora,
        snakemake.log,
        corpora=snakemake.params.corpora,
        paths_to_facts=snakemake.input.facts,
        paths_to_readings=snakemake.input.readings,
        paths_to_documents=snakemake.input.documents,
        paths_to_vocabularies=snakemake.input.vocabularies,
        paths_to_word_sets=snakemake.input.word_sets,
        path_to_table=snakemake.output.table,
        path_to_coverage=snakemake.output.coverage,
        path_to_lengths=snakemake.output.lengths,
        path_to_frequencies=snakemake.output.frequencies,
    )
