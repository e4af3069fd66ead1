"""The benchmarks side by side: one panel each, one line for each embedding."""

import numpy as np
import polars as pl

from biasorigin.figures import CYCLE, GREY, new_figure
from biasorigin.quality.benchmarks import ALL, SEMANTIC, SYNTACTIC
from biasorigin.quality.measure import title_of

MARKERS = "osD^vP*X"
MOST_COLUMNS = 3
LEFT_EDGE = -0.35  # so that the values that matter have room


def plot_quality(table: pl.DataFrame, titles: dict[str, str], little_covered: float):
    """A forest plot of a table with the columns embedding, seed and COLUMNS; `titles` orders the embeddings.

    A point for each seed with its bootstrap interval; on the right the share of pairs or questions covered. Markers
    are hollow where that share is below `little_covered`.
    """
    panels = _panels(table)
    columns = min(MOST_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    height = rows * (0.75 + 0.3 * len(titles)) + 0.3
    figure, axes = new_figure(
        rows, columns, width=2 + 2.5 * columns, height=height, squeeze=False, sharey=True, sharex=True
    )
    for axis, panel in zip(axes.ravel(), panels, strict=False):
        benchmark, section = panel
        chosen = table.filter((pl.col("benchmark") == benchmark) & (pl.col("section") == section))
        _draw_panel(axis, chosen, titles, little_covered)
        axis.set_title(f"{title_of(benchmark, section)} (n = {chosen['items'][0]:,})", size=9)
    for axis in axes.ravel()[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[:, 0]:
        axis.set_yticks(range(len(titles)), titles.values())
        axis.set_ylim(len(titles) - 0.5, -0.5)
    for column in range(columns):
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


def _draw_panel(axis, chosen: pl.DataFrame, titles: dict[str, str], little_covered: float) -> None:
    """One benchmark: `chosen` has one row for each embedding and seed."""
    for place, embedding in enumerate(titles):
        rows = chosen.filter(pl.col("embedding") == embedding).sort("seed").rows(named=True)
        if not rows:
            continue
        share = rows[0]["covered"] / rows[0]["items"]
        look = {"color": CYCLE[place % len(CYCLE)], "markerfacecolor": "white" if share < little_covered else None}
        offsets = np.linspace(-0.2, 0.2, len(rows)) if len(rows) > 1 else [0.0]
        for row, offset in zip(rows, offsets, strict=True):
            _draw_value(axis, row, place + offset, MARKERS[place % len(MARKERS)], look)
        beside = axis.get_yaxis_transform()
        axis.text(1.02, place, f"{share:.0%}", transform=beside, color=GREY, size=7, va="center")
    axis.axvline(0, color=GREY, linewidth=0.8)
    axis.set_xlim(LEFT_EDGE, 1.04)


def _draw_value(axis, row: dict, height: float, marker: str, look: dict) -> None:
    """A value and its interval; one beyond the left edge is an arrow there."""
    if row["value"] is None:
        return
    if row["low"] is not None:
        axis.plot([max(row["low"], LEFT_EDGE), row["high"]], [height] * 2, color=look["color"], linewidth=1)
    beyond = row["value"] < LEFT_EDGE
    value = LEFT_EDGE if beyond else row["value"]
    axis.plot(value, height, "<" if beyond else marker, markersize=4, clip_on=False, zorder=3, **look)
