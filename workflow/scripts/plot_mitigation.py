"""Draw what debiasing did: Figure 2 of the paper, what remains, every effect size, bias against quality."""

import polars as pl

from biasorigin.artefacts import load_table
from biasorigin.figures import new_figure, save_figure
from biasorigin.mitigation.plots import plot_bias_and_quality, plot_effects, plot_projections, plot_remaining


def plot_mitigation(
    path_to_remaining: str,
    paths_to_audits: list[str],
    paths_to_projections: dict[str, str],
    titles: dict[str, str],
    direction: str,
    tests: list[str],
    paths_to_figures: dict[str, list[str]],
) -> None:
    """Write each figure in all of its formats; projections are drawn for the first seed of each embedding."""
    summary = load_table(path_to_remaining)
    audit = pl.concat([load_table(path) for path in paths_to_audits])
    save_figure(plot_remaining(summary, tests, titles, direction), *paths_to_figures["remaining"])
    save_figure(plot_effects(summary, tests, titles), *paths_to_figures["effects"])
    save_figure(plot_bias_and_quality(audit, tests, titles), *paths_to_figures["bias_and_quality"])
    for name, path in paths_to_projections.items():
        projections = load_table(path)
        figure = plot_projections(projections, titles[name]) if len(projections) else _nothing(titles[name])
        save_figure(figure, *paths_to_figures[name])


def _nothing(title: str):
    """A figure that says why it is empty."""
    figure, axis = new_figure(height=1.2)
    axis.set_axis_off()
    axis.text(0, 0.5, f"{title}: the vocabulary lacks the seed words or the direction; see the log of its audit.")
    return figure


if __name__ == "__main__":
    from entry import run

    run(
        plot_mitigation,
        snakemake.log,
        threads=snakemake.threads,
        path_to_remaining=snakemake.input.remaining,
        paths_to_audits=snakemake.input.audits,
        paths_to_projections=dict(zip(snakemake.params.projected, snakemake.input.projections, strict=True)),
        titles=snakemake.params.titles,
        direction=snakemake.params.direction,
        tests=snakemake.params.tests,
        paths_to_figures={
            **{
                name: [snakemake.output[name], *snakemake.output[f"{name}_files"]]
                for name in ("remaining", "effects", "bias_and_quality")
            },
            **{
                name: [path.removesuffix("svg") + ending for ending in ("svg", "pdf", "png")]
                for name, path in zip(snakemake.params.projected, snakemake.output.projections, strict=True)
            },
        },
    )
