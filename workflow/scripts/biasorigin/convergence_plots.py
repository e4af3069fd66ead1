"""Figures of a GloVe training: the loss, and how far each word is from the minimum of its own problem."""

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from biasorigin.figures import COLOURS, CYCLE, GREY, new_figure

SMALLEST_STEP = 1e-9  # for a logarithmic axis
# The finished rows are asked to stay below this.
LIMIT = 1e-3


def draw_losses(losses: list[pl.DataFrame], seeds: list[int], title: str) -> Figure:
    """Loss against steps, a line a seed: AdaGrad epochs and then sweeps of exact solves."""
    figure, axes = new_figure(height=3.2)
    for number, (seed, table) in enumerate(zip(seeds, losses, strict=True)):
        at = np.arange(1, len(table) + 1)
        sweep = table["phase"].to_numpy() == "finish"
        colour = CYCLE[number % len(CYCLE)]
        axes.plot(at, table["loss"], color=colour, label=f"seed {seed}", zorder=2 + number)
        axes.plot(at[sweep], table["loss"].to_numpy()[sweep], "o", color=colour, markersize=4, zorder=2 + number)
    epochs = int((losses[0]["phase"] == "adagrad").sum()) if losses else 0
    if 0 < epochs < len(losses[0]):
        axes.axvline(epochs + 0.5, color=GREY, linewidth=0.8, linestyle="--")
    axes.set_yscale("log")
    axes.set_xlabel("AdaGrad epochs (line), then sweeps of exact solves (dots)" if epochs else "sweep of exact solves")
    axes.set_ylabel("mean weighted squared error")
    axes.set_title(title)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend()
    return figure


def draw_stationarity(tables: list[pl.DataFrame], title: str) -> Figure:
    """Relative Newton step of each word against its frequency, seeds together: words and contexts."""
    figure, axes = new_figure(height=3.4)
    both = pl.concat(tables)
    counts = both["count"].to_numpy()
    for column, label, colour in (
        ("context_newton_step", "context vectors u", COLOURS["orange"]),
        ("relative_newton_step", "word vectors w", COLOURS["blue"]),
    ):
        steps = np.maximum(both[column].to_numpy(), SMALLEST_STEP)
        axes.plot(counts, steps, ".", color=colour, markersize=1.2, alpha=0.25, rasterized=True)
        centres, medians = _medians(counts, steps)
        axes.plot(centres, medians, "o-", color=colour, markersize=3.5, markeredgecolor="white", label=label)
    axes.axhline(LIMIT, color=GREY, linewidth=0.8, linestyle="--")
    axes.annotate("0.001", (counts.max(), LIMIT), color=GREY, fontsize=7, ha="right", va="bottom")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("occurrences of the word in the corpus")
    axes.set_ylabel("Newton step / length of vector")
    axes.set_title(f"{title}: {len(tables[0]):,} words, {len(tables)} seeds")
    axes.legend(title="median by frequency", loc="center right")
    return figure


def _medians(counts: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Medians of the steps in logarithmic bins of the counts that hold any words."""
    edges = np.geomspace(max(counts.min(), 1), counts.max() + 1, 13)
    which = np.digitize(counts, edges)
    bins = np.unique(which)
    centres = np.array([np.exp(np.log(counts[which == number]).mean()) for number in bins])
    return centres, np.array([np.median(steps[which == number]) for number in bins])
