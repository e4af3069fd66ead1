"""Figures of discovered categories."""

import matplotlib.pyplot as plt
import polars as pl

from biasorigin.figures import COLOURS, GREY, new_figure

SERIES = (
    ("effect_size", "gender words", COLOURS["blue"], "o", True),
    ("held_out_effect_size", "gender words, held out", COLOURS["blue"], "o", False),
    ("random_effect_size", "random words", COLOURS["vermilion"], "s", True),
    ("random_held_out_effect_size", "random words, held out", COLOURS["vermilion"], "s", False),
)


def categories_figure(
    categories: pl.DataFrame, words: pl.DataFrame, titles: dict[str, str], shown: int, listed: int = 5
) -> plt.Figure:
    """The clusters with the largest held-out effect sizes: their most gendered words, and effect sizes.

    Open marks choose the words by half of the attribute words and test them with the other half; squares do the same
    with random attribute words.
    """
    names = [name for name in titles if (categories["embedding"] == name).any()]
    figure, axes = new_figure(
        len(names), 1, width=8.6, height=0.9 + len(names) * (0.75 + 0.33 * shown), squeeze=False, sharex=True
    )
    for panel, name in zip(axes[:, 0], names, strict=True):
        own = categories.filter((pl.col("embedding") == name) & pl.col("held_out_effect_size").is_not_null())
        top = own.sort("held_out_effect_size", descending=True, maintain_order=True).head(shown)
        labels = []
        for y, row in enumerate(top.iter_rows(named=True)):
            for column, _, colour, marker, filled in SERIES:
                if row[column] is not None:
                    face = colour if filled else "white"
                    panel.plot(row[column], y, marker, color=colour, markerfacecolor=face, markersize=5)
            of_cluster = words.filter((pl.col("embedding") == name) & (pl.col("cluster") == row["cluster"]))
            sides = [
                ", ".join(of_cluster.filter(pl.col("side") == side).head(listed)["word"].to_list())
                for side in ("male", "female")
            ]
            labels.append(f"{row['cluster']} ({row['words']} words)\nm: {_cut(sides[0])}\nf: {_cut(sides[1])}")
        panel.axvline(0, color=GREY, linewidth=0.8)
        panel.set_yticks(range(top.height), labels, fontsize=6.5)
        panel.set_ylim(top.height - 0.5, -0.5)
        panel.set_xlim(-1, 2.05)
        means = ", ".join(f"{label} {own[column].mean():.2f}" for column, label, *_ in SERIES)
        panel.set_title(f"{titles[name]}: mean d over {own.height} clusters: {means}", fontsize=8, loc="right")
    axes[-1, 0].set_xlabel("effect size d")
    handles = [
        plt.Line2D([], [], marker=marker, color=colour, markerfacecolor=colour if filled else "white", linestyle="")
        for _, _, colour, marker, filled in SERIES
    ]
    figure.legend(handles, [label for _, label, *_ in SERIES], loc="outside upper center", ncols=4)
    return figure


def _cut(text: str, most: int = 62) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
