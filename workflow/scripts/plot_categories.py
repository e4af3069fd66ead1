"""Draw the discovered categories, and hand their averages to the scorecard."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.association.plots import empty_figure
from biasorigin.discovery_plots import categories_figure
from biasorigin.figures import save_figure
from biasorigin.scorecard import measured_table


def plot_categories(
    paths_to_categories: list[str],
    paths_to_words: list[str],
    titles: dict[str, str],
    shown: int,
    path_to_figure: str,
    path_to_measured: str,
) -> None:
    """Write the figure (.svg, .pdf, .png) and the mean effect size and largest p of each embedding."""
    rows = []
    if paths_to_categories:
        categories = pl.concat([load_table(path) for path in paths_to_categories])
        words = pl.concat([load_table(path) for path in paths_to_words])
        figure = categories_figure(categories, words, titles, shown)
        for (name,), own in categories.group_by("embedding", maintain_order=True):
            remark = f"{own.height} clusters of {own['words'].sum()} words."
            rows.append((f"discovery/{name}/mean_effect_size", own["effect_size"].mean(), remark))
            rows.append((f"discovery/{name}/largest_p", own["p_one_sided"].max(), remark))
    else:
        figure = empty_figure("No embedding of discovery.embeddings is part of this study.")
    path = Path(path_to_figure)
    save_figure(figure, path, path.with_suffix(".pdf"), path.with_suffix(".png"))
    save_table(path_to_measured, measured_table(rows))


if __name__ == "__main__":
    from entry import run

    run(
        plot_categories,
        snakemake.log,
        paths_to_categories=snakemake.input.get("categories", []),
        paths_to_words=snakemake.input.get("words", []),
        titles=snakemake.params.titles,
        shown=snakemake.params.shown,
        path_to_figure=snakemake.output.figure,
        path_to_measured=snakemake.output.measured,
    )
