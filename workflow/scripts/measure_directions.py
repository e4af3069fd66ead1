"""Measure how occupations and adjectives lean along the directions of the word sets."""

import logging

import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.association.direction_tables import (
    DirectionSettings,
    direct_bias_table,
    directions_of,
    extremes_table,
    indirect_bias_table,
    shares_table,
)
from biasorigin.embedding import load_embedding
from biasorigin.progress import track
from biasorigin.wordsets import load_word_sets

logger = logging.getLogger(__name__)


def measure_directions(
    paths_to_word_sets: list[str],
    embeddings: dict[str, dict[str, str]],
    settings: dict,
    path_to_direct_bias: str,
    path_to_direct_bias_tsv: str,
    path_to_extremes: str,
    path_to_top: str,
    path_to_shares: str,
    path_to_indirect_bias: str,
) -> None:
    """Write DirectBias for every seed; extremes, shares and indirect bias for the first seed of each embedding."""
    word_sets = load_word_sets(paths_to_word_sets)
    chosen = DirectionSettings(**settings)
    direct, extremes, shares, indirect = [], [], [], []
    runs = [(name, seed, folder) for name, seeds in embeddings.items() for seed, folder in seeds.items()]
    for name, seed, folder in track(runs, "embeddings and seeds"):
        embedding = load_embedding(folder)
        directions, problems = directions_of(embedding, word_sets, chosen)
        label = pl.lit(name).alias("embedding")
        table = direct_bias_table(embedding, directions, problems, word_sets, chosen)
        direct.append(table.select(label, pl.lit(int(seed)).alias("seed"), pl.all()))
        if seed != next(iter(embeddings[name])):
            continue
        for problem in problems.values():
            logger.warning("%s: %s", name, problem)
        ranked = extremes_table(embedding, directions, word_sets, chosen)
        extremes.append(ranked.select(label, pl.all()))
        shares.append(shares_table(embedding, ranked, word_sets, chosen).select(label, pl.all()))
        indirect.append(indirect_bias_table(embedding, word_sets, ranked, chosen).select(label, pl.all()))
    save_table(path_to_direct_bias, pl.concat(direct))
    save_table(path_to_direct_bias_tsv, pl.concat(direct))
    save_table(path_to_extremes, pl.concat(extremes))
    near = (pl.col("rank") <= chosen.shown) & (pl.col("vocabulary_rank") <= chosen.nearest)
    save_table(path_to_top, pl.concat(extremes).filter(near))
    save_table(path_to_shares, pl.concat(shares))
    save_table(path_to_indirect_bias, pl.concat(indirect))


if __name__ == "__main__":
    from entry import run

    run(
        measure_directions,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        embeddings=snakemake.params.embeddings,
        settings=snakemake.params.settings,
        path_to_direct_bias=snakemake.output.direct_bias,
        path_to_direct_bias_tsv=snakemake.output.direct_bias_tsv,
        path_to_extremes=snakemake.output.extremes,
        path_to_top=snakemake.output.top,
        path_to_shares=snakemake.output.shares,
        path_to_indirect_bias=snakemake.output.indirect_bias,
    )
