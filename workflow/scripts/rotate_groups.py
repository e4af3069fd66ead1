"""Turn the name groups at random, many times, and count how often chance reaches the observed scores."""

from pathlib import Path

import numpy as np

from biasorigin.artefacts import load_array, load_table, save_array
from biasorigin.embedding import load_embedding
from biasorigin.enumeration.rotations import count_exceedances
from biasorigin.enumeration.scores import centred
from biasorigin.enumeration.settings import Settings


def rotate_groups(
    path_to_embedding: str,
    path_to_words: str,
    path_to_means: str,
    path_to_scores: str,
    settings: dict,
    shard: int,
    shards: int,
    path_to_exceedances: str,
    path_to_histogram: str,
    threads: int,
) -> None:
    """Run one shard of the rotations; the integers of all shards add up to those of a single run."""
    settings = Settings.of(settings)
    words = load_table(path_to_words)
    counts = count_exceedances(
        centred(np.asarray(load_array(path_to_means))),
        load_embedding(path_to_embedding).unit_rows(words["row"].to_numpy()),
        words["category"].to_numpy(),
        np.asarray(load_array(path_to_scores)),
        words_per_cell=settings.words_per_cell,
        rotations=settings.rotations,
        seed=settings.seed,
        shard=shard,
        shards=shards,
        threads=threads,
    )
    save_array(path_to_exceedances, counts.exceedances)
    save_array(path_to_histogram, counts.histogram)


if __name__ == "__main__":
    from entry import run

    run(
        rotate_groups,
        snakemake.log,
        threads=snakemake.threads,
        path_to_embedding=str(Path(snakemake.input.vectors).parent),
        path_to_words=snakemake.input.words,
        path_to_means=snakemake.input.means,
        path_to_scores=snakemake.input.scores,
        settings=snakemake.params.settings,
        shard=int(snakemake.wildcards.shard),
        shards=snakemake.params.shards,
        path_to_exceedances=snakemake.output.exceedances,
        path_to_histogram=snakemake.output.histogram,
    )
