"""Show the quality of all embeddings of the study side by side."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.figures import save_figure
from biasorigin.quality import summarise_seeds
from biasorigin.quality.plots import plot_quality as plot


def plot_quality(
    paths_to_tables: list[str],
    titles: dict[str, str],
    little_covered: float,
    path_to_table: str,
    path_to_readable_table: str,
    path_to_summary: str,
    paths_to_figures: list[str],
) -> None:
    """Write every seed's values, mean and standard deviation over seeds, and the figure."""
    table = pl.concat([load_table(path) for path in paths_to_tables])
    save_table(path_to_table, table)
    save_table(path_to_readable_table, table)
    save_table(path_to_summary, summarise_seeds(table))
    save_figure(plot(table, titles, little_covered), *paths_to_figures)


if __name__ == "__main__":
    from entry import run

    run(
        plot_quality,
        snakemake.log,
        paths_to_tables=snakemake.input.tables,
        titles=snakemake.params.titles,
        little_covered=snakemake.params.little_covered,
        path_to_table=snakemake.output.table,
        path_to_readable_table=snakemake.output.readable_table,
        path_to_summary=snakemake.output.summary,
        paths_to_figures=[snakemake.output.figure, *snakemake.output.other_formats],
    )
