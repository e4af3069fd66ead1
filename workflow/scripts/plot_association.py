"""Draw the figures of the association stage."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_table
from biasorigin.association.plots import (
    direct_bias_figure,
    domains_figure,
    forest_figure,
    ladder_figure,
    shares_figure,
)
from biasorigin.association.scatter_plots import projections_figure, secondary_figure
from biasorigin.figures import save_figure

FIGURES = ("weat_forest", "domains", "direct_bias", "adjective_shares", "projections", "secondary_bias", "ladder")


def plot_association(
    path_to_summary: str,
    path_to_words: str,
    path_to_direct_bias: str,
    path_to_shares: str,
    path_to_projections: str,
    path_to_agreement: str,
    path_to_secondary_bias: str,
    path_to_rungs: str,
    titles: dict[str, str],
    corpus_titles: dict[str, str],
    domains: list[str],
    ladder_embedding: str,
    paths_to_figures: dict[str, str],
) -> None:
    """Write every figure as .svg, .pdf and .png."""
    summary, direct = load_table(path_to_summary), load_table(path_to_direct_bias)
    shares = load_table(path_to_shares)
    totals = shares.group_by("embedding", maintain_order=True).agg(pl.col("total").sum())
    most_shares = totals.sort("total", descending=True, maintain_order=True)["embedding"].to_list()
    corpus = next(iter(corpus_titles), "")
    names = dict(direct.select("direction", "title").unique(maintain_order=True).iter_rows())
    figures = {
        "weat_forest": forest_figure(summary, titles),
        "domains": domains_figure(summary, load_table(path_to_words), domains, titles),
        "direct_bias": direct_bias_figure(direct, "occupations", titles),
        "adjective_shares": shares_figure(shares, (most_shares or [""])[0], titles, names),
        "projections": projections_figure(load_table(path_to_projections), load_table(path_to_agreement), titles),
        "secondary_bias": secondary_figure(load_table(path_to_secondary_bias), corpus, corpus_titles.get(corpus, "")),
        "ladder": ladder_figure(load_table(path_to_rungs), titles.get(ladder_embedding, ladder_embedding)),
    }
    for name, figure in figures.items():
        path = Path(paths_to_figures[name])
        save_figure(figure, path, path.with_suffix(".pdf"), path.with_suffix(".png"))


if __name__ == "__main__":
    from entry import run

    run(
        plot_association,
        snakemake.log,
        path_to_summary=snakemake.input.summary,
        path_to_words=snakemake.input.words,
        path_to_direct_bias=snakemake.input.direct_bias,
        path_to_shares=snakemake.input.shares,
        path_to_projections=snakemake.input.projections,
        path_to_agreement=snakemake.input.agreement,
        path_to_secondary_bias=snakemake.input.secondary_bias,
        path_to_rungs=snakemake.input.rungs,
        titles=snakemake.params.titles,
        corpus_titles=snakemake.params.corpus_titles,
        domains=snakemake.params.domains,
        ladder_embedding=snakemake.params.ladder_embedding,
        paths_to_figures={name: snakemake.output[name] for name in FIGURES},
    )
