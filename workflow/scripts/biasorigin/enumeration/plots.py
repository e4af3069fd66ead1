"""Figures of an enumeration: name groups, the table of tests, scores against chance."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from sklearn.manifold import TSNE

from biasorigin.enumeration.names import RACES
from biasorigin.figures import COLOURS, DIVERGING, GREY, SEQUENTIAL, new_figure

# Twelve colours that stay apart; more groups repeat them, and every group carries its label.
GROUP_COLOURS = np.array(
    [
        *("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"),
        *("#332288", "#882255", "#999933", "#44AA99", "#117733", "#661100"),
    ]
)
RACE_COLOURS = dict(zip(RACES, ("sky", "black", "vermilion", "green", "purple"), strict=True))
RACE_LETTERS = dict(zip(RACES, "WBHAO", strict=True))


def name_map(vectors: np.ndarray, seed: int) -> np.ndarray:
    """(names, 2) a map on which names with similar vectors lie close together (t-SNE); distances mean nothing else."""
    perplexity = min(30.0, max(2.0, (len(vectors) - 1) / 4))
    tsne = TSNE(init="pca", perplexity=perplexity, max_iter=500, random_state=seed)
    return tsne.fit_transform(np.asarray(vectors, dtype=np.float32))


def names_to_show(names: pl.DataFrame, most: int) -> pl.DataFrame:
    """The most common names of each group, equally many of each where it has so many, at most `most` together."""
    each = max(1, most // names["group"].n_unique())
    common = names.sort(["weight", "name"], descending=[True, False])
    return common.filter(pl.int_range(pl.len()).over("group") < each).sort("row")


def plot_name_groups(plane: np.ndarray, names: pl.DataFrame, groups: pl.DataFrame) -> plt.Figure:
    """Names as points on a map, coloured by group and by what is known of their bearers.

    plane   (names, 2); names  the names on the map, with group and demographics; groups  the table of groups
    """
    panels = [panel for panel in _PANELS if panel[0] == "group" or names[panel[0]].null_count() < names.height]
    columns = 2 if len(panels) > 1 else 1
    rows = -(-len(panels) // columns)
    figure, axes = new_figure(rows, columns, width=3.6 * columns, height=3.9 * rows, squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (_, title, draw) in zip(axes.flat, panels, strict=False):
        draw(axis, plane, names, groups)
        axis.set_title(title)
        axis.set(xticks=[], yticks=[], xlabel="", ylabel="")
        axis.grid(visible=False)
        for side in ("left", "bottom"):
            axis.spines[side].set_visible(False)
    return figure


def _draw_groups(axis, plane, names, groups) -> None:
    own = names["group"].to_numpy()
    axis.scatter(*plane.T, c=GROUP_COLOURS[own % len(GROUP_COLOURS)], s=6, alpha=0.7, linewidths=0, rasterized=True)
    present = np.unique(own)
    places = _apart(
        np.array([np.median(plane[own == group], axis=0) for group in present]), 0.075 * np.ptp(plane, axis=0)
    )
    for group, (x, y) in zip(present, places, strict=True):
        edge = GROUP_COLOURS[group % len(GROUP_COLOURS)]
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": edge, "linewidth": 1.2}
        axis.text(x, y, groups["label"][int(group)], ha="center", va="center", fontsize=7.5, bbox=box)


def _apart(places: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """(labels, 2) the places moved until no two are closer than the distance given for either axis."""
    places = places / distance
    for _ in range(200):
        gaps = places[:, None] - places[None]  # (labels, labels, 2)
        lengths = np.linalg.norm(gaps, axis=2)
        np.fill_diagonal(lengths, np.inf)
        push = np.clip(1 - lengths, 0, None) / np.maximum(lengths, 1e-9)
        if not push.any():
            break
        places = places + 0.5 * (gaps * push[:, :, None]).sum(axis=1)
    return places * distance


def _draw_values(axis, plane, names, column, colours, limits, label) -> None:
    values = names[column].to_numpy().astype(float)
    known = np.isfinite(values)
    axis.scatter(*plane[~known].T, c="#D9D9D9", s=6, linewidths=0, rasterized=True)
    points = axis.scatter(
        *plane[known].T,
        c=values[known],
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        s=6,
        linewidths=0,
        rasterized=True,
    )
    axis.figure.colorbar(points, ax=axis, label=label, orientation="horizontal", shrink=0.8, pad=0.02, aspect=35)


def _draw_female(axis, plane, names, groups) -> None:
    _draw_values(axis, plane, names, "female", DIVERGING, (0, 1), "share of births that are girls")


def _draw_year(axis, plane, names, groups) -> None:
    years = names["year"].drop_nulls()
    limits = (float(years.quantile(0.02)), float(years.quantile(0.98)))
    _draw_values(axis, plane, names, "year", SEQUENTIAL, limits, "mean year of birth")


def _draw_race(axis, plane, names, groups) -> None:
    shares = names.select(RACES).to_numpy().astype(float)
    known = np.isfinite(shares).all(axis=1)
    largest = np.where(known, np.nan_to_num(shares).argmax(axis=1), -1)
    axis.scatter(*plane[~known].T, c="#D9D9D9", s=6, linewidths=0, rasterized=True)
    # The most common first, so that it does not cover the others.
    for race in sorted(range(len(RACES)), key=lambda race: -(largest == race).sum()):
        axis.scatter(
            *plane[largest == race].T, c=COLOURS[RACE_COLOURS[RACES[race]]], s=6, linewidths=0, rasterized=True
        )
    handles = [
        Line2D([], [], marker="o", linestyle="", color=COLOURS[RACE_COLOURS[race]], markersize=4, label=race)
        for race in RACES
    ]
    axis.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncol=5, handletextpad=0, columnspacing=0.8
    )


_PANELS = (
    ("group", "Name groups", _draw_groups),
    ("female", "Sex", _draw_female),
    ("year", "Birth year", _draw_year),
    ("white", "Largest race share", _draw_race),
)


def plot_tests(weats: pl.DataFrame, groups: pl.DataFrame, cells: pl.DataFrame) -> plt.Figure:
    """Table 5 as a picture: tests as rows, groups as columns, the significant words in cells shaded by score."""
    found = cells.filter("significant").filter(pl.col("category").is_in(weats["category"].implode()))
    scores = {(row["category"], row["group"]): row["score"] for row in found.iter_rows(named=True)}
    labels = groups["label"].to_list()
    shown = [label for label in labels if any(group == label for _, group in scores)]
    heads = _headers(groups, shown)
    head = 0.42 + 0.125 * max((text.count("\n") + 1 for text in heads), default=1)
    row_height, first, column = 0.56, 1.75, 1.2
    width = first + column * max(4, len(shown))
    height = head + row_height * max(1, weats.height) + 0.45
    figure, axis = new_figure(width=width, height=height, layout="none")
    axis.set_position([0, 0, 1, 1])
    axis.set(xlim=(0, width), ylim=(height, 0))
    axis.axis("off")
    for place, text in enumerate(heads):
        x = first + column * place + 0.1
        axis.text(x, 0.06, shown[place], fontsize=9, fontweight="bold", va="top")
        axis.text(x, 0.26, text, fontsize=6.8, va="top", linespacing=1.25, color="#333333")
    shades = plt.Normalize(0, max(scores.values(), default=1.0) * 1.6)
    for row, test in enumerate(weats.iter_rows(named=True)):
        y = head + row_height * row
        axis.plot([0, width], [y, y], color="#CCCCCC", linewidth=0.6)
        axis.text(0.05, y + row_height / 2, test["category"], fontsize=7.5, va="center")
        axis.text(0.38, y + row_height / 2, _wrapped(test["examples"], 22), fontsize=6.8, va="center", color=GREY)
        for place, label in enumerate(shown):
            if test[label]:
                x = first + column * place
                shade = plt.get_cmap("Oranges")(shades(scores[test["category"], label]))
                axis.add_patch(Rectangle((x + 0.03, y + 0.03), column - 0.06, row_height - 0.06, color=shade))
                words = "\n".join(test[label].split(", "))
                size = 7.2 if max(map(len, test[label].split(", "))) <= 18 else 5.8
                axis.text(x + 0.1, y + row_height / 2, words, fontsize=size, va="center")
    without = [label for label in labels if label not in shown]
    note = "Shade: score, from 0 (white). " if scores else "No association is significant. "
    note += f"Groups without a significant association here: {', '.join(without)}." if without else ""
    axis.text(0.05, height - 0.2, note, fontsize=7, va="center", color=GREY)
    return figure


def _headers(groups: pl.DataFrame, shown: list[str]) -> list[str]:
    texts = []
    for group in groups.filter(pl.col("label").is_in(shown)).iter_rows(named=True):
        names = group["examples"].split(", ")
        lines = [*names, f"+{group['names'] - len(names):,}"]
        if group["female"] is not None:
            lines.append(f"{group['female']:.0%} F, {group['year']:.0f}")
        if group["white"] is not None:
            shares = [f"{group[race]:.0%} {RACE_LETTERS[race]}" for race in ("black", "hispanic", "asian", "white")]
            lines += [", ".join(shares[:2]), ", ".join(shares[2:])]
        texts.append("\n".join(lines))
    return texts


def _wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=True) or [""])


def plot_null(cells: pl.DataFrame, histogram: np.ndarray, edges: np.ndarray) -> plt.Figure:
    """Observed scores against those under rotation: as densities, and cell by cell against the cell's own chance.

    histogram  (groups, categories, bins) rotations by score; edges  (bins + 1,)
    """
    figure, (left, right) = new_figure(1, 2, width=7.4, height=3.2)
    observed = cells.drop_nulls("score")
    scores, significant = observed["score"].to_numpy(), observed["significant"].to_numpy()
    pooled = histogram.sum(axis=(0, 1))
    width = edges[1] - edges[0]
    left.stairs(pooled / max(1, pooled.sum()) / width, edges, fill=True, color="#C9C9C9", label="rotated at random")
    bins = edges[::4]
    heights = np.histogram(scores, bins)[0] / max(1, len(scores)) / (bins[1] - bins[0])
    left.stairs(heights, bins, color=COLOURS["blue"], linewidth=1.4, label=f"observed ({len(scores):,} cells)")
    left.set(xlabel="score σ of a cell", ylabel="density", title="All cells together")
    left.legend(loc="upper right")

    chance = observed["null_95"].to_numpy().astype(float)
    right.scatter(
        chance[~significant], scores[~significant], s=9, color=GREY, alpha=0.5, linewidths=0, label="not significant"
    )
    found = f"significant ({significant.sum():,})"
    right.scatter(chance[significant], scores[significant], s=16, color=COLOURS["vermilion"], linewidths=0, label=found)
    limits = [float(np.nanmin(np.r_[chance, scores])), float(np.nanmax(np.r_[chance, scores]))]
    right.plot(limits, limits, color="black", linewidth=0.8, linestyle="--")
    right.set(xlim=(0.9 * np.nanmin(chance), 1.1 * np.nanmax(chance)))
    right.set(xlabel="95 % of rotations stay below", ylabel="observed score σ", title="Cell by cell")
    right.legend(loc="upper left")
    return figure
