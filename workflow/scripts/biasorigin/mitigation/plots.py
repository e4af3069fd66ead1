"""Figures of the mitigation stage."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from biasorigin.figures import COLOURS, GREY, WIDTH, new_figure
from biasorigin.mitigation.summary import BEFORE, mean_effect, mean_quality

MARKERS = "osD^vPX*<>"
ROLES = {
    "background": ("other words", COLOURS["green"], "x", 12),
    "stereotype": ("held-out stereotype words", COLOURS["blue"], "o", 14),
}
#: instrument, label, value that means no trace of bias, what n counts
COLUMNS = [
    ("direct_bias", "DirectBias\n(mean |cos|)", 0.0, "words"),
    ("neighbours", "biased neighbours\n(correlation)", 0.0, "words"),
    ("cluster", "two clusters\n(accuracy)", 0.5, "words"),
    ("classifier", "classifier\n(accuracy)", 0.5, "words"),
    ("effect", "WEAT\n(mean |effect size|)", 0.0, "tests"),
    ("ube", "UBE\n(significant cells)", 0.0, "cells"),
]


def plot_projections(projections: pl.DataFrame, title: str) -> Figure:
    """Figure 2 of the paper, a panel for each method: |projection| on the direction before against after."""
    methods = projections.filter(pl.col("method") != BEFORE).select("method", "title").unique(maintain_order=True)
    columns = min(2, len(methods))
    rows = -(-len(methods) // columns)
    figure, axes = new_figure(
        rows,
        columns,
        width=WIDTH if columns > 1 else 3.6,
        height=0.4 + 3.0 * rows,
        squeeze=False,
        sharex=True,
        sharey=True,
    )
    shown = projections.filter(pl.col("role").is_in(list(ROLES)))
    reach = 1.05 * float(
        shown.select(pl.max_horizontal(pl.col("before").abs().max(), pl.col("after").abs().max())).item()
    )
    for place, (method, name) in enumerate(methods.iter_rows()):
        axis = axes.flat[place]
        _projection_panel(axis, shown.filter(pl.col("method") == method), reach)
        axis.set_title(name)
    for axis in axes.flat[len(methods) :]:
        axis.set_visible(False)
    for axis in axes[-1]:
        axis.set_xlabel("|projection| before")
    for row in axes:
        row[0].set_ylabel("|projection| after")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    return figure


def _projection_panel(axis: Axes, shown: pl.DataFrame, reach: float) -> None:
    axis.plot([0, reach], [0, reach], color=GREY, linewidth=0.8, label="unchanged")
    lines = []
    for role, (label, colour, marker, size) in ROLES.items():
        own = shown.filter(pl.col("role") == role)
        before, after = own["before"].to_numpy(), own["after"].to_numpy()
        edge = {"linewidths": 0.7} if marker == "x" else {"linewidths": 0.3, "edgecolors": "white"}
        axis.scatter(np.abs(before), np.abs(after), s=size, c=colour, marker=marker, alpha=0.7, label=label, **edge)
        if len(own) > 1:
            lines.append(f"{label}, n = {len(own):,}:\nvariance {_short(before.var())} → {_short(after.var())}")
    axis.text(0.03, 0.97, "\n".join(reversed(lines)), transform=axis.transAxes, va="top", fontsize=7,
              bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5})  # fmt: skip
    axis.set_xlim(0, reach)
    axis.set_ylim(0, reach)


def plot_remaining(summary: pl.DataFrame, tests: list[str], titles: dict[str, str], direction: str) -> Figure:
    """What remains: for each embedding (rows) and instrument (columns) a dot for each version, with its interval."""
    effects = mean_effect(summary, tests).with_columns(pl.lit("effect").alias("instrument"))
    along = pl.col("key").is_in([direction, "significant"])
    shown = pl.concat([summary.filter(along), effects], how="diagonal_relaxed").filter(pl.col("value").is_not_null())
    audited = shown.filter(pl.col("instrument") == "neighbours")
    names = audited["embedding"].unique(maintain_order=True).to_list()
    shown = shown.filter(pl.col("embedding").is_in(names))
    columns = [column for column in COLUMNS if (shown["instrument"] == column[0]).any()]
    counts = [summary.filter(pl.col("embedding") == name)["method"].n_unique() for name in names]
    figure, axes = new_figure(
        max(len(names), 1), max(len(columns), 1), width=1.6 * max(len(columns), 1) + 1.5,
        height=1.0 + sum(0.5 + 0.24 * count for count in counts), squeeze=False, sharey="row", sharex="col",
        height_ratios=counts or [1],
    )  # fmt: skip
    for row, name in enumerate(names):
        methods = summary.filter(pl.col("embedding") == name).select("method", "title")
        methods = methods.unique("method", maintain_order=True)
        for column, (instrument, label, none, unit) in enumerate(columns):
            own = shown.filter((pl.col("embedding") == name) & (pl.col("instrument") == instrument))
            _dots(axes[row, column], own, methods, none)
            axes[-1, column].set_xlabel(label)
            if counted := own["n"].max():
                axes[row, column].set_title(
                    f"{counted:,} {unit if counted > 1 else unit[:-1]}", loc="right", fontsize=7, color=GREY
                )
        axes[row, 0].annotate(titles[name], (0, 1), (-105, 16), "axes fraction", "offset points", fontweight="bold")
    return figure


def _dots(axis: Axes, shown: pl.DataFrame, methods: pl.DataFrame, none: float) -> None:
    axis.axvline(none, color=COLOURS["black"], linewidth=0.8, linestyle=(0, (3, 2)))
    for place, method in enumerate(methods["method"]):
        found = shown.filter((pl.col("method") == method) & pl.col("value").is_not_null()).to_dicts()
        if not found:
            axis.text(0.5, place, "not measured", transform=axis.get_yaxis_transform(), ha="center", va="center",
                      fontsize=6.5, color=GREY)  # fmt: skip
            continue
        value, low, high = found[0]["value"], found[0].get("low"), found[0].get("high")
        colour = GREY if method == BEFORE else COLOURS["blue"]
        if low is not None and high is not None:
            axis.plot([low, high], [place, place], color=colour, linewidth=1.5, solid_capstyle="butt")
        axis.plot(value, place, "o", color=colour, markersize=5)
    axis.set_yticks(range(len(methods)), methods["title"])
    axis.set_ylim(len(methods) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)


def plot_effects(summary: pl.DataFrame, tests: list[str], titles: dict[str, str]) -> Figure:
    """Effect size of every association test before and after each method, a panel for each embedding.

    The tests of the bias that the methods are to remove stand above the dashed line; the bar is the interval before.
    """
    weat = summary.filter((pl.col("instrument") == "weat") & pl.col("value").is_not_null())
    names = weat["embedding"].unique(maintain_order=True).to_list()
    columns = min(2, max(len(names), 1))
    rows = max(1, -(-len(names) // columns))
    figure, axes = new_figure(rows, columns, width=WIDTH + 1.5, height=0.6 + 4.2 * rows, squeeze=False, sharex=True)
    styles = _styles(weat)
    for axis, name in zip(axes.flat, names, strict=False):
        _effects_panel(axis, weat.filter(pl.col("embedding") == name), tests, styles)
        axis.set_title(titles[name])
    for axis in axes.flat[len(names) :]:
        axis.set_visible(False)
    for axis in axes[-1]:
        axis.set_xlabel("WEAT effect size")
    _legend(figure, axes)
    return figure


def _effects_panel(axis: Axes, own: pl.DataFrame, tests: list[str], styles: dict[str, tuple[str, str, str]]) -> None:
    every = own["key"].unique(maintain_order=True).to_list()
    keys = [key for key in every if key in tests] + [key for key in every if key not in tests]
    before = own.filter((pl.col("method") == BEFORE) & pl.col("low").is_not_null())
    axis.hlines(
        [keys.index(key) for key in before["key"]], before["low"], before["high"], colors="#C8C8C8", linewidth=5
    )
    for method, (title, colour, marker) in styles.items():
        part = own.filter(pl.col("method") == method)
        places = [keys.index(key) for key in part["key"]]
        axis.scatter(part["value"], places, c=colour, marker=marker, s=24, linewidths=0, label=title, zorder=3)
    axis.axvline(0, color=COLOURS["black"], linewidth=0.8)
    divide = sum(key in tests for key in keys)
    if 0 < divide < len(keys):
        axis.axhline(divide - 0.5, color=GREY, linewidth=0.8, linestyle=(0, (3, 2)))
    targets = dict(own.group_by("key").agg(pl.col("n").max()).rows())
    axis.set_yticks(range(len(keys)), [f"{key} (n = {targets[key]})" for key in keys])
    axis.set_ylim(len(keys) - 0.5, -0.5)


def plot_bias_and_quality(audit: pl.DataFrame, tests: list[str], titles: dict[str, str]) -> Figure:
    """Vector repair against corpus repair: remaining bias (lower is better) against quality kept (right is better).

    A point is one repair of one seed, compared with the same seed before.
    """
    version = ["embedding", "method", "title", "seed"]
    quality = mean_quality(audit).rename({"value": "quality", "n": "benchmarks"})
    before = quality.filter(pl.col("method") == BEFORE).select("embedding", "seed", whole="quality")
    quality = quality.join(before, on=["embedding", "seed"], maintain_order="left").with_columns(
        change=100 * (pl.col("quality") / pl.col("whole") - 1)
    )
    hidden = audit.filter((pl.col("instrument") == "neighbours") & pl.col("value").is_not_null())
    bias = {"WEAT, mean |effect size|": mean_effect(audit, tests), "biased neighbours, correlation": hidden}
    bias = {label: own.join(quality, on=version, maintain_order="left") for label, own in bias.items()}
    names = [name for name in titles if any((own["embedding"] == name).any() for own in bias.values())]
    figure, axes = new_figure(
        2, max(len(names), 1), width=max(2.7 * len(names), 4.2), height=5.2, squeeze=False, sharex=True, sharey="row"
    )
    styles = _styles(audit)
    for row, (label, own) in enumerate(bias.items()):
        for column, name in enumerate(names):
            for one in own.filter(pl.col("embedding") == name).iter_rows(named=True):
                title, colour, marker = styles[one["method"]]
                axes[row, column].scatter(
                    one["change"],
                    one["value"],
                    c=colour,
                    marker=marker,
                    s=40,
                    linewidths=0,
                    alpha=0.8,
                    label=title,
                    zorder=3,
                )
        axes[row, 0].set_ylabel(label)
        axes[row, 0].set_ylim(0, 1.1 * max([1e-3, *own["value"].abs()]))
    for column, name in enumerate(names):
        made = int(quality.filter(pl.col("embedding") == name)["benchmarks"].max())
        axes[0, column].set_title(titles[name])
        axes[1, column].set_xlabel(f"quality, change in %\n(mean of {made} benchmarks)")
        axes[0, column].axvline(0, color=GREY, linewidth=0.8)
        axes[1, column].axvline(0, color=GREY, linewidth=0.8)
    changes = quality["change"].drop_nulls().to_list()
    axes[0, 0].set_xlim(1.15 * min([-5.0, *changes]), 1.15 * max([5.0, *changes]))
    _legend(figure, axes)
    return figure


def _legend(figure: Figure, axes: np.ndarray) -> None:
    """One legend for all panels, below them."""
    found = {}
    for axis in axes.flat:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=3)


def _styles(summary: pl.DataFrame) -> dict[str, tuple[str, str, str]]:
    """Title, colour and marker of every method, the same in every panel."""
    methods = summary.select("method", "title").unique("method", maintain_order=True).rows()
    colours = [COLOURS[name] for name in ("blue", "vermilion", "green", "orange", "purple", "sky", "yellow")]
    styles, used = {}, 0
    for method, title in methods:
        if method == BEFORE:
            styles[method] = (title, GREY, "o")
        else:
            styles[method] = (title, colours[used % len(colours)], MARKERS[1 + used % (len(MARKERS) - 1)])
            used += 1
    return styles


def _short(value: float) -> str:
    return "0" if value < 5e-6 else f"{value:.2g}" if value >= 1e-3 else f"{value:.1e}"
