"""The benchmarks side by side: one panel each, one line for each embedding."""

import numpy as np
import polars as pl

from biasorigin.figures import CYCLE, GREY, new_figure
from biasorigin.quality.benchmarks import ALL, SEMANTIC, SYNTACTIC
from biasorigin.quality.measure import title_of

MARKERS = "osD^vP*X"
COLUMNS_OF_PANELS = 3


def plot_quality(table: pl.DataFrame, titles: dict[str, str]):
    """A forest plot of a table with the columns embedding, seed and COLUMNS; `titles` orders the embeddings.

    A point for each seed with its bootstrap interval; on the right the share of pairs or questions covered.
    """
    panels = _panels(table)
    rows = -(-len(panels) // COLUMNS_OF_PANELS)
    height = rows * (0.75 + 0.3 * len(titles)) + 0.3
    figure, axes = new_figure(
        rows, COLUMNS_OF_PANELS, width=9.5, height=height, squeeze=False, sharey=True, sharex=True
    )
    for axis, panel in zip(axes.ravel(), panels, strict=False):
        _draw_panel(axis, table, panel, titles)
    for axis in axes.ravel()[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[:, 0]:
        axis.set_yticks(range(len(titles)), titles.values())
        axis.set_ylim(len(titles) - 0.5, -0.5)
    for column in range(COLUMNS_OF_PANELS):
        lowest = [axis for axis in axes[:, column] if axis.get_visible()][-1]
        lowest.tick_params(labelbottom=True)
        lowest.set_xlabel("Spearman's ρ or accuracy")
    return figure


def _panels(table: pl.DataFrame) -> list[tuple[str, str]]:
    """(benchmark, section) in the table's order; Google's two halves instead of its total."""
    found = table.select("benchmark", "section").unique(maintain_order=True).rows()
    halved = {benchmark for benchmark, section in found if section == SYNTACTIC}
    return [
        (benchmark, section)
        for benchmark, section in found
        if section in ((SEMANTIC, SYNTACTIC) if benchmark in halved else (ALL,))
    ]


def _draw_panel(axis, table: pl.DataFrame, panel: tuple[str, str], titles: dict[str, str]) -> None:
    benchmark, section = panel
    chosen = table.filter((pl.col("benchmark") == benchmark) & (pl.col("section") == section))
    for place, embedding in enumerate(titles):
        rows = chosen.filter(pl.col("embedding") == embedding).sort("seed").rows(named=True)
        offsets = np.linspace(-0.2, 0.2, len(rows)) if len(rows) > 1 else [0.0]
        for row, offset in zip(rows, offsets, strict=True):
            if row["value"] is None:
                continue
            colour = CYCLE[place % len(CYCLE)]
            if row["low"] is not None:
                axis.plot([row["low"], row["high"]], [place + offset] * 2, color=colour, linewidth=1)
            axis.plot(row["value"], place + offset, MARKERS[place % len(MARKERS)], color=colour, markersize=3.5)
        if rows:
            share = rows[0]["covered"] / rows[0]["items"]
            axis.text(
                1.01, place, f"{share:.0%}", transform=axis.get_yaxis_transform(), color=GREY, size=7, va="center"
            )
    axis.axvline(0, color=GREY, linewidth=0.8)
    axis.set_title(f"{title_of(benchmark, section)} (n = {chosen['items'][0]:,})", size=9)
    axis.set_xlim(-0.35, 1.02)
