"""Draw how the loss of a GloVe embedding fell, and how far each word is from the minimum of its problem."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.convergence_plots import draw_losses, draw_stationarity
from biasorigin.figures import save_figure
from biasorigin.stationarity import by_frequency_band


def plot_convergence(
    paths_to_losses: list[str],
    paths_to_stationarity: list[str],
    seeds: list[int],
    title: str,
    path_to_bands: str,
    paths_to_loss_figure: list[str],
    paths_to_stationarity_figure: list[str],
) -> None:
    """Write one figure of losses, one of Newton steps, and a table of Newton steps by frequency band."""
    losses = [load_table(path) for path in paths_to_losses]
    tables = [load_table(path) for path in paths_to_stationarity]
    bands = []
    for seed, table in zip(seeds, tables, strict=True):
        for side, column in (("word", "relative_newton_step"), ("context", "context_newton_step")):
            band = by_frequency_band(table["count"].to_numpy(), table[column].to_numpy())
            bands.append(band.select(pl.lit(seed).alias("seed"), pl.lit(side).alias("side"), pl.all()))
    save_table(path_to_bands, pl.concat(bands))
    save_figure(draw_losses(losses, seeds, title), *paths_to_loss_figure)
    save_figure(draw_stationarity(tables, title), *paths_to_stationarity_figure)


if __name__ == "__main__":
    from entry import run

    run(
        plot_convergence,
        snakemake.log,
        paths_to_losses=snakemake.input.losses,
        paths_to_stationarity=snakemake.input.stationarity,
        seeds=snakemake.params.seeds,
        title=snakemake.params.title,
        path_to_bands=snakemake.output.bands,
        paths_to_loss_figure=[snakemake.output.loss, *snakemake.output.loss_formats],
        paths_to_stationarity_figure=[snakemake.output.stationarity, *snakemake.output.stationarity_formats],
    )
