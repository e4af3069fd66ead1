"""Clean and group names, sort words into categories and select the words of every (group, category) cell."""

import logging
from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_table, save_array, save_json, save_table
from biasorigin.embedding import load_embedding
from biasorigin.enumeration.names import first_names, listed_names, match_names, surnames
from biasorigin.enumeration.preparation import prepare
from biasorigin.enumeration.settings import Settings
from biasorigin.errors import UserError

logger = logging.getLogger(__name__)


def prepare_enumeration(
    path_to_embedding: str,
    path_to_lower_case: str | None,
    lists: list[dict],
    settings: dict,
    path_to_names: str,
    path_to_removed: str,
    path_to_words: str,
    path_to_means: str,
    path_to_selected: str,
    path_to_scores: str,
    path_to_voronoi: str,
    path_to_facts: str,
    threads: int,
) -> None:
    """Read the embedding and the lists of names (the first is the one to enumerate with), write what precedes the test.

    names.parquet  name, weight, female, year, race shares, row, margin, kept, group (null where not kept)
    removed.tsv    the names that the cleaning removed, most suspicious first
    words.parquet  word, row, category
    """
    embedding = load_embedding(path_to_embedding)
    matched = [match_names(embedding, read_list(**entry)) for entry in lists]
    lower_case = set(load_table(path_to_lower_case)["word"]) if path_to_lower_case and not embedding.cased else None
    prepared = prepare(
        embedding,
        matched[0],
        matched[1:],
        lower_case_words=lower_case,
        settings=Settings.of(settings),
        threads=threads,
    )
    logger.info("%s", prepared.facts)
    removed = prepared.names.filter(~pl.col("kept")).sort(["margin", "name"]).drop("kept", "group")
    save_table(path_to_names, prepared.names)
    save_table(path_to_removed, removed.select("name", "margin", pl.exclude("name", "margin")))
    save_table(path_to_words, prepared.words)
    save_array(path_to_means, prepared.means)
    save_array(path_to_selected, prepared.selection.words)
    save_array(path_to_scores, prepared.selection.scores)
    save_array(path_to_voronoi, prepared.selection.voronoi)
    save_json(path_to_facts, prepared.facts)


def read_list(
    kind: str, files: list[str], *, min_count: int = 1, years: list[int] | None = None, words: list[str] | None = None
) -> pl.DataFrame:
    """A names frame from the files of one configured list, or from the names written in the config itself."""
    try:
        if kind == "births":
            race = load_table(files[1]) if len(files) > 1 else None
            return first_names(load_table(files[0]), race, years[0], years[1], min_count)
        if kind == "census":
            return surnames(load_table(files[0]), min_count)
    except pl.exceptions.PolarsError as error:
        raise UserError(
            f"{files[0]} is no list of {kind}: {str(error).splitlines()[0]}. Correct its columns, or the list's kind."
        ) from error
    if words:
        return listed_names(words, "enumeration.names")
    try:
        return listed_names(Path(files[0]).read_text(encoding="utf-8").splitlines(), files[0])
    except UnicodeDecodeError as error:
        raise UserError(f"{files[0]} is not UTF-8 text. Save the list of names as UTF-8.") from error


if __name__ == "__main__":
    from entry import run

    run(
        prepare_enumeration,
        snakemake.log,
        threads=snakemake.threads,
        path_to_embedding=str(Path(snakemake.input.vectors).parent),
        path_to_lower_case=snakemake.input.get("lower_case"),
        lists=snakemake.params.lists,
        settings=snakemake.params.settings,
        path_to_names=snakemake.output.names,
        path_to_removed=snakemake.output.removed,
        path_to_words=snakemake.output.words,
        path_to_means=snakemake.output.means,
        path_to_selected=snakemake.output.selected,
        path_to_scores=snakemake.output.scores,
        path_to_voronoi=snakemake.output.voronoi,
        path_to_facts=snakemake.output.facts,
    )
