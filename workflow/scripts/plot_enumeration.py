"""Draw the name groups, the tests and the scores against chance."""

from pathlib import Path

import numpy as np

from biasorigin.artefacts import load_array, load_table
from biasorigin.embedding import load_embedding
from biasorigin.enumeration.plots import name_map, names_to_show, plot_name_groups, plot_null, plot_tests
from biasorigin.enumeration.rotations import histogram_edges
from biasorigin.enumeration.tables import weat_table
from biasorigin.figures import save_figure

NAMES_SHOWN = 960  # more are slow to lay out and hide one another


def plot_enumeration(
    path_to_embedding: str,
    path_to_names: str,
    path_to_groups: str,
    path_to_cells: str,
    path_to_scores: str,
    path_to_histogram: str,
    tests: int,
    seed: int,
    paths_to_name_groups: list[str],
    paths_to_tests: list[str],
    paths_to_null: list[str],
) -> None:
    """Read the tables of an enumeration and write three figures, each as .svg, .pdf and .png."""
    groups = load_table(path_to_groups)
    cells = load_table(path_to_cells)
    names = names_to_show(load_table(path_to_names).filter("kept"), NAMES_SHOWN)
    vectors = load_embedding(path_to_embedding).unit_rows(names["row"].to_numpy())
    save_figure(plot_name_groups(name_map(vectors, seed), names, groups), *paths_to_name_groups)
    save_figure(plot_tests(weat_table(cells, groups["label"].to_list(), tests), groups, cells), *paths_to_tests)
    edges = histogram_edges(np.asarray(load_array(path_to_scores)))
    save_figure(plot_null(cells, np.asarray(load_array(path_to_histogram)), edges), *paths_to_null)


if __name__ == "__main__":
    from entry import run

    run(
        plot_enumeration,
        snakemake.log,
        threads=snakemake.threads,
        path_to_embedding=str(Path(snakemake.input.vectors).parent),
        path_to_names=snakemake.input.names,
        path_to_groups=snakemake.input.groups,
        path_to_cells=snakemake.input.cells,
        path_to_scores=snakemake.input.scores,
        path_to_histogram=snakemake.input.histogram,
        tests=snakemake.params.tests,
        seed=snakemake.params.seed,
        paths_to_name_groups=[snakemake.output.name_groups, *snakemake.output.name_groups_files],
        paths_to_tests=[snakemake.output.tests, *snakemake.output.tests_files],
        paths_to_null=[snakemake.output.null, *snakemake.output.null_files],
    )
