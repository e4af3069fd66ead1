"""Figures of the scorecard."""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from biasorigin.figures import COLOURS, GREY, new_figure
from biasorigin.scorecard import STATUSES

STATUS_COLOURS = {
    "reproduced": COLOURS["green"],
    "differs": COLOURS["vermilion"],
    "other data": COLOURS["sky"],
    "needs data": "#D9D9D9",
    "not a result": "#F2F2F2",
}
MARKERS = dict(zip(STATUSES[:3], "oXs", strict=True))


def status_figure(summary: pl.DataFrame) -> plt.Figure:
    """Printed numbers of each table or figure by status, as shares, with their number."""
    labels = [
        f"{paper}, {item} ({total})" for paper, item, total in summary.select("paper", "item", "total").iter_rows()
    ]
    figure, axes = new_figure(width=7.4, height=1.2 + 0.2 * summary.height)
    left = np.zeros(summary.height)
    for status in STATUSES:
        counts = summary[status].to_numpy()
        shares = counts / summary["total"].to_numpy()
        hatch = {"differs": "////", "other data": "...."}.get(status)
        bars = axes.barh(
            range(summary.height), shares, left=left, height=0.75, color=STATUS_COLOURS[status], hatch=hatch,
            edgecolor="white", linewidth=0.3, label=f"{status} ({counts.sum()})",
        )  # fmt: skip
        texts = [str(count) if share > 0.06 else "" for count, share in zip(counts, shares, strict=True)]
        axes.bar_label(bars, texts, label_type="center", fontsize=6.5)
        left += shares
    axes.set_yticks(range(summary.height), labels, fontsize=7)
    axes.set_ylim(summary.height - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the printed numbers")
    figure.legend(loc="outside upper center", ncols=5, fontsize=7.5)
    return figure


def values_figure(scorecard: pl.DataFrame) -> plt.Figure:
    """Published against ours, for every printed number that we have a number for; on the line they are equal."""
    rows = scorecard.filter(pl.col("difference").is_not_null()).with_columns(
        published=pl.col("value").cast(pl.Float64, strict=False),
        ours_=pl.col("our_value").cast(pl.Float64, strict=False),
    )
    kinds = {
        "effect size": "effect size",
        "p": "one-sided p",
        "DirectBias": "DirectBias",
        "percentage": "percentage of the adjectives",
        "share": "share of the positive estimated effect",
        "indirect bias": "indirect bias",
    }
    panels = [(title, rows.filter(pl.col("quantity").str.starts_with(start))) for title, start in kinds.items()]
    panels = [(title, own) for title, own in panels if own.height]
    columns = min(3, max(1, len(panels)))
    lines = max(1, -(-len(panels) // columns))
    figure, axes = new_figure(lines, columns, width=7.4, height=2.6 * lines + 0.4, squeeze=False)
    for panel in axes.flat[len(panels) :]:
        panel.axis("off")
    for panel, (title, own) in zip(axes.flat, panels, strict=False):
        for status, marker in MARKERS.items():
            points = own.filter(pl.col("status") == status)
            panel.plot(
                points["published"], points["ours_"], marker, color=STATUS_COLOURS[status], markersize=4,
                markeredgecolor="black", markeredgewidth=0.3, linestyle="",
            )  # fmt: skip
        ends = [own.select(pl.min_horizontal("published", "ours_").min()).item()]
        ends.append(own.select(pl.max_horizontal("published", "ours_").max()).item())
        panel.plot(ends, ends, color=GREY, linewidth=0.8)
        if title == "p":  # many are 0 in print
            panel.set_xscale("symlog", linthresh=1e-3)
            panel.set_yscale("symlog", linthresh=1e-3)
        panel.set_title(f"{title} (n = {own.height})", fontsize=8)
        panel.set_xlabel("published")
        panel.set_ylabel("ours")
    handles = [
        plt.Line2D([], [], marker=marker, color=STATUS_COLOURS[status], markeredgecolor="black", linestyle="")
        for status, marker in MARKERS.items()
    ]
    figure.legend(handles, list(MARKERS), loc="outside upper center", ncols=3)
    return figure
