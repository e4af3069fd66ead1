"""Figures of WEAT, DirectBias, adjective shares and samples."""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from biasorigin.figures import COLOURS, CYCLE, DIVERGING, GREY, new_figure

MARKERS = "osD^vPX"
KINDS = {"adjectives_positive": "positive", "adjectives_neutral": "neutral", "adjectives_negative": "negative"}


def empty_figure(message: str) -> plt.Figure:
    """A figure that says why there is nothing to see."""
    figure, axes = new_figure(height=1.2)
    axes.axis("off")
    axes.text(0.5, 0.5, message, ha="center", va="center", color=GREY, transform=axes.transAxes)
    return figure


def forest_figure(summary: pl.DataFrame, titles: dict[str, str]) -> plt.Figure:
    """Effect sizes, tests down the page and one panel for each embedding that has any.

    Thick bar: interval over target words; thin bar: over all four lists; ticks: least and most over seeds.
    """
    made = summary.filter(pl.col("effect_size").is_not_null())
    shown = [name for name in titles if (made["embedding"] == name).any()]
    tests = [test for test in summary["test"].unique(maintain_order=True) if (made["test"] == test).any()]
    if not shown:
        return empty_figure("No test could be made: too few words are known to any embedding.")
    names = dict(made.select("test", "title").iter_rows())
    figure, axes = new_figure(
        1,
        len(shown),
        width=3.2 + 1.55 * len(shown),
        height=0.9 + 0.235 * len(tests),
        sharey=True,
        sharex=True,
        squeeze=False,
    )
    for place, (panel, name) in enumerate(zip(axes[0], shown, strict=True)):
        for row in made.filter(pl.col("embedding") == name).iter_rows(named=True):
            _forest_row(panel, tests.index(row["test"]), row, CYCLE[place % len(CYCLE)])
        panel.axvline(0, color=GREY, linewidth=0.8)
        panel.set_title(_wrapped(titles[name]), fontsize=8)
        panel.set_xlim(-2.1, 2.1)
        panel.set_xticks([-2, -1, 0, 1, 2])
    axes[0][0].set_yticks(range(len(tests)), [f"{_short(names[test])}  {test}" for test in tests], fontsize=7)
    axes[0][0].set_ylim(len(tests) - 0.5, -0.5)
    figure.supxlabel("effect size d; filled: q ≤ .05 in every seed", fontsize=9)
    return figure


def _forest_row(panel: plt.Axes, y: int, row: dict, colour: str) -> None:
    for low, high, width in (("low_all_words", "high_all_words", 0.8), ("low", "high", 2.4)):
        if row[low] is not None:
            panel.plot([row[low], row[high]], [y, y], color=colour, linewidth=width, solid_capstyle="butt")
    if row["seeds"] > 1:
        panel.plot([row["least"], row["most"]], [y, y], "|", color=COLOURS["black"], markersize=5, markeredgewidth=0.8)
    significant = row["q_largest"] is not None and row["q_largest"] <= 0.05
    panel.plot(
        row["effect_size"], y, "o", color=colour, markersize=4.5, markerfacecolor=colour if significant else "white"
    )


def domains_figure(summary: pl.DataFrame, words: pl.DataFrame, tests: list[str], titles: dict[str, str]) -> plt.Figure:
    """Effect sizes of some tests over all embeddings as a heat map, with p and the number of unknown target words."""
    chosen = summary.filter(pl.col("test").is_in(tests))
    tests = [test for test in tests if (chosen["test"] == test).any()]
    if not tests:
        return empty_figure("None of the tests of association.domains is among the word sets.")
    grid = np.full((len(tests), len(titles)), np.nan)
    figure, axes = new_figure(width=2.6 + 1.15 * len(titles), height=1.3 + 0.55 * len(tests))
    for column, name in enumerate(titles):
        for line, test in enumerate(tests):
            row = chosen.filter((pl.col("embedding") == name) & (pl.col("test") == test)).row(0, named=True)
            asked = words.filter(
                (pl.col("embedding") == name) & (pl.col("test") == test) & pl.col("role").str.ends_with("targets")
            )
            unknown = f"{(asked['fate'] == 'missing').sum()} of {asked.height} unknown"
            if row["effect_size"] is None:
                text, colour = f"not testable\n{unknown}", GREY
            else:
                grid[line, column] = row["effect_size"]
                text = f"d = {row['effect_size']:.2f}\np = {_p(row['p_one_sided'])}\n{unknown}"
                colour = "white" if abs(row["effect_size"]) > 1.1 else "black"
            axes.text(column, line, text, ha="center", va="center", fontsize=6.5, color=colour)
    image = axes.imshow(grid, cmap=DIVERGING, vmin=-2, vmax=2, aspect="auto")
    axes.set_facecolor("#F2F2F2")
    names = dict(chosen.select("test", "title").iter_rows())
    axes.set_yticks(range(len(tests)), [f"{test}: {_wrapped(_short(names[test]), 18)}" for test in tests])
    axes.set_xticks(range(len(titles)), [_wrapped(title) for title in titles.values()])
    axes.grid(False)
    axes.tick_params(length=0)
    figure.colorbar(image, ax=axes, label="effect size d", shrink=0.8)
    return figure


def direct_bias_figure(table: pl.DataFrame, words: str, titles: dict[str, str]) -> plt.Figure:
    """DirectBias of one neutral list along every direction, embeddings side by side, against the level of chance."""
    made = table.filter((pl.col("list") == words) & pl.col("direct_bias").is_not_null())
    shown = [name for name in titles if (made["embedding"] == name).any()]
    directions = made["title"].unique(maintain_order=True).to_list()
    if not shown:
        return empty_figure(f"No direction could be made, or no word of {words!r} is known.")
    figure, axes = new_figure(
        1, len(shown), width=2.9 + 1.6 * len(shown), height=1.0 + 0.24 * len(directions), sharey=True, squeeze=False
    )
    for place, (panel, name) in enumerate(zip(axes[0], shown, strict=True)):
        rows = made.filter(pl.col("embedding") == name).group_by("title", maintain_order=True)
        for row in rows.agg(pl.col("direct_bias", "low", "high", "chance", "chance_high").mean()).iter_rows(named=True):
            y = directions.index(row["title"])
            panel.barh(y, row["direct_bias"], height=0.62, color=CYCLE[place % len(CYCLE)], alpha=0.85)
            panel.plot([row["low"], row["high"]], [y, y], color="black", linewidth=0.9)
            if row["chance"] is not None:
                panel.plot([row["chance"]] * 2, [y - 0.42, y + 0.42], color=COLOURS["black"], linewidth=1.4)
                panel.plot([row["chance_high"]] * 2, [y - 0.3, y + 0.3], color=GREY, linewidth=0.9, linestyle=":")
        count = made.filter(pl.col("embedding") == name)["words"].max()
        panel.set_title(f"{_wrapped(titles[name])}\n({count} words)", fontsize=8)
    axes[0][0].set_yticks(range(len(directions)), directions, fontsize=7)
    axes[0][0].set_ylim(len(directions) - 0.5, -0.5)
    figure.supxlabel(
        f"DirectBias of {words}; black tick: random directions (dotted: their 97.5 % quantile)", fontsize=9
    )
    return figure


def shares_figure(
    shares: pl.DataFrame, embedding: str, titles: dict[str, str], names: dict[str, str], least: int = 5
) -> plt.Figure:
    """Positive, neutral and negative adjectives near those ends of directions that have at least a few."""
    rows = shares.filter((pl.col("embedding") == embedding) & (pl.col("total") >= least))
    ends = rows.select("direction", "side", "total").unique(maintain_order=True)
    if ends.height == 0:
        return empty_figure(f"No end of a direction has {least} adjectives near it.")
    labels = ["reference"]
    figure, axes = new_figure(width=7.2, height=1.4 + 0.21 * (ends.height + 1))
    colours = {"positive": COLOURS["sky"], "neutral": "#D9D9D9", "negative": COLOURS["vermilion"]}
    reference = dict(rows.select("list", "reference_share").iter_rows())
    _stack(axes, 0, {name: (reference[name], None, None) for name in KINDS}, colours)
    for y, (direction, side, total) in enumerate(ends.iter_rows(), 1):
        own = rows.filter((pl.col("direction") == direction) & (pl.col("side") == side))
        parts = {name: rest for name, *rest in own.select("list", "share", "low", "high").iter_rows()}
        _stack(axes, y, parts, colours)
        labels.append(f"{names.get(direction, direction)}: {'left' if side == 'first' else 'right'} end (n = {total})")
    axes.axvline(reference["adjectives_positive"], color="black", linewidth=0.8, linestyle="--")
    axes.axvline(1 - reference["adjectives_negative"], color="black", linewidth=0.8, linestyle="--")
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the adjectives near this end; dashed: share in the whole list")
    axes.set_title(titles[embedding])
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in colours.values()]
    figure.legend(handles, list(colours), loc="outside upper right", ncols=3)
    return figure


def _stack(axes: plt.Axes, y: int, parts: dict, colours: dict[str, str]) -> None:
    left = 0.0
    for name, kind in KINDS.items():
        share, low, high = parts.get(name, (0.0, None, None))
        axes.barh(y, share, left=left, height=0.72, color=colours[kind])
        if low is not None and kind == "positive":
            axes.plot([low, high], [y, y], color="black", linewidth=0.9)
        if low is not None and kind == "negative":
            axes.plot([1 - low, 1 - high], [y, y], color="black", linewidth=0.9)
        left += share


def ladder_figure(rungs: pl.DataFrame, title: str) -> plt.Figure:
    """Effect sizes over sample fractions: one small panel for each test, the band being the noise of seeds."""
    rungs = rungs.filter(pl.col("whole").is_not_null() & pl.col("effect_size").is_not_null())
    tests = [test for (test,), rows in rungs.group_by("test", maintain_order=True) if rows.height > 1]
    if not tests:
        return empty_figure("No ladder of samples was trained, or no test could be made on the whole corpus.")
    columns = min(6, len(tests))
    lines = -(-len(tests) // columns)
    figure, axes = new_figure(
        lines, columns, width=1.45 * columns + 0.6, height=1.25 * lines + 0.7, sharex=True, sharey=True, squeeze=False
    )
    for panel in axes.flat[len(tests) :]:
        panel.axis("off")
    for panel, test in zip(axes.flat, tests, strict=False):
        rows = rungs.filter(pl.col("test") == test).sort("fraction")
        noise, whole = rows["noise"].max(), rows["whole"][0]
        panel.axhspan(whole - noise, whole + noise, color=COLOURS["sky"], alpha=0.25, linewidth=0)
        panel.axhline(whole, color=COLOURS["blue"], linewidth=0.8)
        agrees = rows["agrees"].to_numpy()
        panel.plot(rows["fraction"], rows["effect_size"], "-", color=COLOURS["blue"], linewidth=1)
        panel.plot(
            rows["fraction"].filter(agrees),
            rows["effect_size"].filter(agrees),
            "o",
            color=COLOURS["blue"],
            markersize=4,
        )
        panel.plot(
            rows["fraction"].filter(~agrees),
            rows["effect_size"].filter(~agrees),
            "X",
            color=COLOURS["vermilion"],
            markersize=5,
        )
        panel.set_xscale("log")
        panel.set_title(test, fontsize=8)
        panel.set_ylim(-2, 2)
        fractions = sorted(rungs["fraction"].unique())
        panel.set_xticks(fractions, [f"{fraction:g}" for fraction in fractions], fontsize=6, rotation=45)
        panel.minorticks_off()
    for place in range(max(0, len(tests) - columns), len(tests)):
        axes.flat[place].tick_params(labelbottom=True)
    figure.supxlabel(f"fraction of the documents ({title}); cross: beyond the noise of seeds", fontsize=9)
    figure.supylabel("effect size d", fontsize=9)
    return figure


def _short(title: str, most: int = 42) -> str:
    return title if len(title) <= most else f"{title[: most - 1].rstrip()}…"


def _wrapped(title: str, width: int = 16) -> str:
    lines = [""]
    for word in title.split():
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _p(p: float) -> str:
    return "< .0001" if p < 0.0001 else f"{p:.4f}".lstrip("0") if p < 1 else "1"
