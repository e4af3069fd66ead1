"""Test every cell, write the tables of the enumeration and the questionnaire that asks people about it."""

from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json, load_table, save_array, save_json, save_table, save_text
from biasorigin.embedding import load_embedding
from biasorigin.enumeration.form import form_html
from biasorigin.enumeration.indirect import cell_means, indirect_bias, indirect_bias_by_chance
from biasorigin.enumeration.questionnaire import make_questionnaire
from biasorigin.enumeration.rotations import NullCounts, histogram_edges
from biasorigin.enumeration.scores import Selection, centred
from biasorigin.enumeration.settings import Settings
from biasorigin.enumeration.tables import (
    category_order,
    category_table,
    cell_table,
    group_table,
    significant_cells,
    weat_table,
)

CHANCE_ROTATIONS = 20  # enough for a share to a few tenths of a percent: each has up to 130,000 fourtuples


def tabulate_enumeration(
    path_to_embedding: str,
    path_to_names: str,
    path_to_words: str,
    path_to_means: str,
    path_to_selected: str,
    path_to_scores: str,
    path_to_voronoi: str,
    path_to_facts: str,
    paths_to_exceedances: list[str],
    paths_to_histograms: list[str],
    settings: dict,
    label: str,
    tests: int,
    names_asked: int,
    title: str,
    path_to_groups: str,
    path_to_groups_tsv: str,
    path_to_cells: str,
    path_to_cells_tsv: str,
    path_to_weats: str,
    path_to_summary: str,
    path_to_histogram: str,
    path_to_items: str,
    path_to_form: str,
) -> None:
    """Add up the shards, correct for many tests, and write tables for machines (.parquet) and people (.tsv).

    groups     label, examples, names, weight, demographics weighted and by name, race_known (table 2)
    cells      every cell: words, score, null quantiles, p, adjusted p, significant
    weats      the first tests as rows, groups as columns (table 5)
    summary    counts, stability, indirect bias (table 3, section 4.2)
    """
    settings = Settings.of(settings)
    embedding = load_embedding(path_to_embedding)
    names = load_table(path_to_names).filter("kept")
    words = load_table(path_to_words)
    word_vectors = embedding.unit_rows(words["row"].to_numpy())
    selection = Selection(*(np.asarray(load_array(p)) for p in (path_to_selected, path_to_scores, path_to_voronoi)))
    counts = NullCounts(
        settings.rotations,
        sum(np.asarray(load_array(path)) for path in paths_to_exceedances),
        sum(np.asarray(load_array(path)) for path in paths_to_histograms),
    )
    p, _, significant = significant_cells(counts, settings.alpha)

    groups = group_table(names, embedding.unit_rows(names["row"].to_numpy()), label)
    categories = category_table(words, word_vectors, category_order(selection.scores, p, significant))
    cells = cell_table(
        groups["label"].to_list(),
        categories,
        words["word"].to_list(),
        selection=selection,
        counts=counts,
        edges=histogram_edges(selection.scores),
        alpha=settings.alpha,
    )
    save_table(path_to_groups, groups)
    save_table(path_to_groups_tsv, groups)
    save_table(path_to_cells, cells)
    save_table(path_to_cells_tsv, cells)
    save_table(path_to_weats, weat_table(cells, groups["label"].to_list(), tests))
    save_array(path_to_histogram, counts.histogram)

    indirect = _indirect(load_array(path_to_means), word_vectors, words, selection, significant, settings)
    found = {
        "rotations": settings.rotations,
        "alpha": settings.alpha,
        "significant": int(significant.sum()),
        "tests_with_significant": int(significant.any(axis=0).sum()),
        "groups_with_significant": int(significant.any(axis=1).sum()),
    }
    save_json(path_to_summary, {"title": title, **load_json(path_to_facts), **found, **indirect})

    labelled = names.select(
        pl.col("group").replace_strict(list(range(groups.height)), groups["label"]).alias("label"), "name"
    )
    # The names that describe the groups in the form would give the answer away.
    described = [name for examples in groups["examples"] for name in examples.split(", ")]
    labelled = labelled.filter(~pl.col("name").is_in(described))
    rng = np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=(1,)))
    items = make_questionnaire(labelled.sort("label", maintain_order=True), cells, tests, names_asked, rng)
    save_text(path_to_items, items.write_csv())
    save_text(path_to_form, form_html(title, items, dict(groups.select("label", "examples").iter_rows())))


def _indirect(means, vectors, words, selection: Selection, significant: np.ndarray, settings: Settings) -> dict:
    """Eq. (1) over significant cells and over all cells, each beside what random rotations give."""
    observed = cell_means(selection.words, vectors)
    result = {}
    for name, looked_at in (("indirect", significant), ("indirect_all", ~selection.void)):
        found = indirect_bias(observed, looked_at)
        chance = indirect_bias_by_chance(
            centred(means),
            vectors,
            words["category"].to_numpy(),
            looked_at,
            words_per_cell=settings.words_per_cell,
            rotations=CHANCE_ROTATIONS,
            seed=settings.seed,
        )
        result |= {
            f"{name}_fourtuples": found.fourtuples,
            f"{name}_share": found.share,
            f"{name}_share_by_chance": chance.share,
        }
    return result


if __name__ == "__main__":
    from entry import run

    run(
        tabulate_enumeration,
        snakemake.log,
        threads=snakemake.threads,
        path_to_embedding=str(Path(snakemake.input.vectors).parent),
        path_to_names=snakemake.input.names,
        path_to_words=snakemake.input.words,
        path_to_means=snakemake.input.means,
        path_to_selected=snakemake.input.selected,
        path_to_scores=snakemake.input.scores,
        path_to_voronoi=snakemake.input.voronoi,
        path_to_facts=snakemake.input.facts,
        paths_to_exceedances=snakemake.input.exceedances,
        paths_to_histograms=snakemake.input.histograms,
        settings=snakemake.params.settings,
        label=snakemake.params.label,
        tests=snakemake.params.tests,
        names_asked=snakemake.params.names_asked,
        title=snakemake.params.title,
        path_to_groups=snakemake.output.groups,
        path_to_groups_tsv=snakemake.output.groups_tsv,
        path_to_cells=snakemake.output.cells,
        path_to_cells_tsv=snakemake.output.cells_tsv,
        path_to_weats=snakemake.output.weats,
        path_to_summary=snakemake.output.summary,
        path_to_histogram=snakemake.output.histogram,
        path_to_items=snakemake.output.questions,
        path_to_form=snakemake.output.form,
    )
