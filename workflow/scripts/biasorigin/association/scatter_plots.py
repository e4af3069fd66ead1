"""Figures with labelled points: professions in two embeddings, occupations in the text."""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from adjustText import adjust_text

from biasorigin.association.plots import empty_figure
from biasorigin.figures import COLOURS, GREY, new_figure


def projections_figure(projections: pl.DataFrame, agreement: pl.DataFrame, titles: dict[str, str]) -> plt.Figure:
    """Professions on he - she in two embeddings; the extreme ones and the most contested ones are named."""
    if agreement.height == 0:
        return empty_figure("No pair of embeddings to compare is part of this study.")
    figure, axes = new_figure(1, agreement.height, width=4.6 * agreement.height, height=4.6, squeeze=False)
    for panel, row in zip(axes[0], agreement.iter_rows(named=True), strict=True):
        points = projections.filter((pl.col("first") == row["first"]) & (pl.col("second") == row["second"]))
        x, y = points["on_first"].to_numpy(), points["on_second"].to_numpy()
        named = _worth_naming(x, y)
        panel.axhline(0, color=GREY, linewidth=0.6)
        panel.axvline(0, color=GREY, linewidth=0.6)
        panel.plot(np.delete(x, named), np.delete(y, named), "o", color=COLOURS["sky"], markersize=3, alpha=0.6)
        panel.plot(x[named], y[named], "o", color=COLOURS["vermilion"], markersize=3.5)
        panel.set_xlabel(f"{titles[row['first']]}: projection on he - she")
        panel.set_ylabel(f"{titles[row['second']]}: projection on he - she")
        panel.set_title(
            f"r = {row['pearson']:.2f} [{row['low']:.2f}, {row['high']:.2f}], ρ = {row['spearman']:.2f}, "
            f"n = {row['words']}",
            fontsize=9,
        )
        panel.margins(0.12)
        _label(panel, x, y, points["word"].to_list(), named)
    return figure


def secondary_figure(table: pl.DataFrame, corpus: str, title: str, least: int = 30) -> plt.Figure:
    """Share of the first group beside each occupation against how often any group stands beside it."""
    rows = table.filter((pl.col("corpus") == corpus) & (pl.col("total") >= least))
    groups = rows["group"].unique(maintain_order=True).to_list()
    rows = rows.filter(pl.col("group") == groups[0]) if groups else rows
    if rows.height == 0:
        return empty_figure(f"No occupation stands beside the groups' words {least} times or more.")
    figure, panel = new_figure(height=4.4)
    x, y = rows["total"].to_numpy().astype(float), rows["share"].to_numpy()
    panel.errorbar(
        x,
        y,
        yerr=[y - rows["low"].to_numpy(), rows["high"].to_numpy() - y],
        fmt="none",
        ecolor="#C9C9C9",
        elinewidth=0.6,
    )
    outside = (rows["low"] > rows["base_share"]) | (rows["high"] < rows["base_share"])
    outside = outside.to_numpy()
    panel.plot(x[~outside], y[~outside], "o", color=COLOURS["sky"], markersize=3)
    panel.plot(x[outside], y[outside], "o", color=COLOURS["vermilion"], markersize=3.5)
    panel.axhline(1 / len(groups), color=GREY, linewidth=0.8, linestyle=":")
    panel.axhline(rows["base_share"][0], color="black", linewidth=0.9, linestyle="--")
    panel.set_xscale("log")
    panel.set_ylim(-0.02, 1.02)
    panel.set_xlabel("occurrences beside a word of either group")
    panel.set_ylabel(f"share of {groups[0].replace('_', ' ')}")
    panel.set_title(f"{title}: {rows.height} occupations with {least} occurrences or more")
    far = np.argsort(-np.abs(y - rows["base_share"].to_numpy()) * np.sqrt(x), kind="stable")[:22]
    _label(panel, x, y, rows["word"].to_list(), far)
    return figure


def _worth_naming(x: np.ndarray, y: np.ndarray, most: int = 8) -> np.ndarray:
    """Places of the words furthest to either side in both, and of those on which the two differ most."""
    scaled = [(one - one.mean()) / (one.std() or 1) for one in (x, y)]
    both, gap = scaled[0] + scaled[1], np.abs(scaled[0] - scaled[1])
    ends = np.argsort(both, kind="stable")
    chosen = [*ends[:most], *ends[-most:], *np.argsort(-gap, kind="stable")[: most // 2]]
    return np.array(sorted(set(chosen)), dtype=np.int64)


def _label(panel: plt.Axes, x: np.ndarray, y: np.ndarray, words: list[str], named: np.ndarray) -> None:
    texts = [panel.text(x[place], y[place], words[place], fontsize=7) for place in named]
    # A fixed number of steps instead of a time limit keeps the figure the same on any machine.
    adjust_text(
        texts, x=x, y=y, ax=panel, iter_lim=300, time_lim=None, arrowprops={"arrowstyle": "-", "color": GREY, "lw": 0.5}
    )
