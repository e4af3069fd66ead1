"""The figures of attribution; each function draws one figure from its table and returns it."""

import textwrap

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from biasorigin.attribution.concentration import concentration_curve
from biasorigin.figures import COLOURS, CYCLE, GREY, SEQUENTIAL, new_figure

STYLES = ("-", "--", ":", "-.")


def style_of(place: int) -> dict:
    """A colour and a line style for the n-th of many lines: they differ also without colour."""
    return {"color": CYCLE[place % len(CYCLE)], "linestyle": STYLES[(place // len(CYCLE)) % len(STYLES)]}


def draw_concentration(by_seed: np.ndarray, keys: list[str]) -> Figure:
    """Share of the total positive effect against the share of documents, worst first; band: lowest to highest seed."""
    documents = by_seed.shape[1]
    points = np.unique(np.round(np.geomspace(1, documents, 120)).astype(np.int64))
    figure, axes = new_figure(height=3.8)
    seeds = np.array([concentration_curve(one, points) for one in by_seed])  # (seeds, points, tests)
    mean = concentration_curve(by_seed.mean(axis=0), points)
    order = np.argsort(-mean[np.searchsorted(points, max(1, documents // 100))], kind="stable")
    for place, test in enumerate(order):
        style = style_of(place)
        axes.plot(100 * points / documents, 100 * mean[:, test], label=keys[test], **style)
        low, high = 100 * seeds[:, :, test].min(axis=0), 100 * seeds[:, :, test].max(axis=0)
        axes.fill_between(100 * points / documents, low, high, color=style["color"], alpha=0.12, linewidth=0)
    axes.set(
        xscale="log",
        xlabel="Documents, most raising first (%, logarithmic)",
        ylabel="Share of all raising effect (%)",
        ylim=(0, 101),
        xlim=(100 / documents, 100),
        title=f"Few documents carry most of a bias ({documents:,} documents, {len(by_seed)} seeds)",
    )
    axes.axhline(50, color=GREY, linewidth=0.8)
    axes.set_xticks([0.01, 0.1, 1, 10, 100] if documents > 5000 else [0.1, 1, 10, 100])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.legend(title="WEAT set", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def draw_removal_curves(curves: pl.DataFrame, titles: dict[str, str], columns: int = 3) -> Figure:
    """Estimated effect size as the worst documents, or random ones, are removed; one panel per set, with its title."""
    keys = curves["set"].unique(maintain_order=True).to_list()
    columns = min(columns, len(keys))
    rows = -(-len(keys) // columns)
    figure, panels = new_figure(rows, columns, height=0.8 + 1.7 * rows, sharex=True, sharey=True, squeeze=False)
    names = {"worst": ("most raising first", COLOURS["vermilion"]), "random": ("in random order", COLOURS["blue"])}
    for key, axes in zip(keys, panels.flat, strict=False):
        for order, (title, colour) in names.items():
            some = curves.filter((pl.col("set") == key) & (pl.col("order") == order))
            found = some.group_by("removed", maintain_order=True).agg(
                pl.col("effect_size").mean().alias("mean"),
                pl.col("effect_size").min().alias("low"),
                pl.col("effect_size").max().alias("high"),
            )
            axes.plot(
                found["removed"], found["mean"], color=colour, label=title, marker="." if order == "worst" else None
            )
            axes.fill_between(found["removed"], found["low"], found["high"], color=colour, alpha=0.2, linewidth=0)
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.set_xscale("symlog", linthresh=1)
        axes.set_title("\n".join(textwrap.wrap(f"{key}: {titles[key]}", 38)[:2]), fontsize=7)
    for axes in panels.flat[len(keys) :]:
        axes.set_visible(False)
    largest = int(curves["removed"].max())
    ticks = [0, *(10**power for power in range(9) if 10**power <= largest)]
    for axes in panels.flat:
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()
        axes.tick_params(labelbottom=True)
    figure.supxlabel("Documents removed (logarithmic)", fontsize=9)
    figure.supylabel("Estimated WEAT effect size", fontsize=9)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def draw_overlap(table: pl.DataFrame) -> Figure:
    """Heat maps of Table 8: correlation of top-document indicators, one panel per quantile."""
    quantiles = table["quantile"].unique(maintain_order=True).to_list()
    names = table.filter(pl.col("quantile") == quantiles[0])["set"].to_list()
    size = 0.8 + 0.24 * len(names)
    figure, panels = new_figure(1, len(quantiles), width=size * len(quantiles) + 0.9, height=size + 0.5, squeeze=False)
    image = None
    matrices = [
        table.filter(pl.col("quantile") == quantile).select(names).to_numpy().astype(float) for quantile in quantiles
    ]
    shown = [np.where(np.eye(len(names), dtype=bool), np.nan, matrix) for matrix in matrices]
    largest = max([0.1, *(float(np.nanmax(one)) for one in shown if np.isfinite(one).any())])
    for quantile, matrix, axes in zip(quantiles, shown, panels[0], strict=True):
        image = axes.imshow(matrix, vmin=0, vmax=largest, cmap=SEQUENTIAL)
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names if axes is panels[0, 0] else [])
        axes.set_title(f"Top {100 * (1 - quantile):.0f} % of documents")
        axes.grid(False)
        for (row, column), value in np.ndenumerate(matrix):
            if np.isfinite(value):
                ink = "white" if value < 0.6 * largest else "black"
                axes.text(column, row, f"{round(100 * value)}", ha="center", va="center", fontsize=5.5, color=ink)
    figure.colorbar(image, ax=list(panels[0]), label="Correlation (numbers: hundredths)", shrink=0.8)
    return figure


def draw_ground_truth(comparison: pl.DataFrame, agreement: pl.DataFrame, estimators: list[str], titles: dict) -> Figure:
    """Retrained against estimated effect of each removal on the sets it aimed at, and of random ones on all sets.

    Points are means over seeds; bars, where there are several seeds, one standard deviation to each side.
    """
    figure, panels = new_figure(1, len(estimators), height=3.9, sharey=True, squeeze=False)
    random = pl.col("kind").is_in(["random", "subset"])
    shown = comparison.filter(pl.col("targeted") | random)
    kinds = {
        # The many in the background come first, so that they hide none of the others.
        "subset": ("D", "green", 0.3),
        "random": ("^", "black", 0.5),
        "lowering": ("s", "blue", 0.8),
        "raising": ("o", "vermilion", 0.8),
    }
    columns = ["retrained", *estimators]
    reach = shown.group_by("removal", "set").agg(
        pl.min_horizontal(pl.col(c).mean() - pl.col(c).std().fill_null(0.0) for c in columns).alias("low"),
        pl.max_horizontal(pl.col(c).mean() + pl.col(c).std().fill_null(0.0) for c in columns).alias("high"),
    )
    margin = 0.05 * float(reach["high"].max() - reach["low"].min()) + 1e-3
    low, high = float(reach["low"].min()) - margin, float(reach["high"].max()) + margin
    for name, axes in zip(estimators, panels[0], strict=True):
        axes.plot([low, high], [low, high], color=GREY, linewidth=0.9)
        for kind, (marker, colour, alpha) in kinds.items():
            some = shown.filter(pl.col("kind") == kind)
            if not len(some):
                continue
            found = some.group_by("removal", "set", maintain_order=True).agg(
                *(pl.col(column).mean().alias(f"{column}_mean") for column in (name, "retrained")),
                *(pl.col(column).std().fill_null(0.0).alias(f"{column}_sd") for column in (name, "retrained")),
            )
            axes.errorbar(
                found[f"{name}_mean"], found["retrained_mean"], xerr=found[f"{name}_sd"], yerr=found["retrained_sd"],
                fmt=marker, color=COLOURS[colour], markersize=4, elinewidth=0.7, alpha=alpha, markeredgewidth=0,
                label=f"{kind} ({len(found)})",
            )  # fmt: skip
        row = agreement.filter((pl.col("scope") == "targeted") & (pl.col("estimator") == name)).to_dicts()
        text = f"r² {row[0]['r2']:.3f}, slope {row[0]['slope']:.2f}\nsame sign {row[0]['sign']:.0%}" if row else ""
        axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=8)
        axes.set(xlim=(low, high), ylim=(low, high), xlabel="Estimated effect", title=titles.get(name, name))
        axes.set_aspect("equal")
    panels[0, 0].set_ylabel("Retrained effect (before − after)")
    handles, labels = panels[0, -1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure
