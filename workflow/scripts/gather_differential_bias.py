"""Put the shards of the differential bias together: one row for each document and WEAT set."""

from itertools import pairwise

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, mapped_array, write_atomically
from biasorigin.parquet_files import write_parquet

BLOCK = 50_000  # documents whose rows are in memory at a time


def gather_differential_bias(
    path_to_shards: list[str],
    path_to_documents: str,
    path_to_sets: str,
    seeds: list[int],
    path_to_effects: str,
    path_to_table: str,
) -> None:
    """Write effects.npy (seeds, documents, sets), and a table: document, set, mean, sd (ddof 1, over the seeds; null
    for one seed), seed_1, seed_2, ...; documents in corpus order, sets in the order of the sets table."""
    shards = [load_array(path) for path in path_to_shards]
    documents = load_table(path_to_documents, ["id"])["id"]
    keys = load_table(path_to_sets)["set"]
    ends = np.cumsum([0, *(shard.shape[1] for shard in shards)])
    with mapped_array(path_to_effects, (len(seeds), len(documents), len(keys)), np.float64) as effects:
        for shard, (first, last) in zip(shards, pairwise(ends), strict=True):
            effects[:, first:last] = shard
    effects = load_array(path_to_effects)
    with write_atomically(path_to_table) as temporary:
        blocks = (slice(first, first + BLOCK) for first in range(0, len(documents), BLOCK))
        rows = (_rows(effects[:, block], documents[block], keys, seeds).to_arrow() for block in blocks)
        write_parquet(temporary, rows)


def _rows(effects: np.ndarray, documents: pl.Series, keys: pl.Series, seeds: list[int]) -> pl.DataFrame:
    """The rows of some documents; effects (seeds, documents, sets)."""
    flat = effects.reshape(len(seeds), -1)
    spread = flat.std(axis=0, ddof=1) if len(seeds) > 1 else [None] * flat.shape[1]
    return pl.DataFrame(
        {
            "document": documents.gather(np.repeat(np.arange(len(documents)), len(keys))),
            "set": keys.gather(np.tile(np.arange(len(keys)), len(documents))),
            "mean": flat.mean(axis=0),
            "sd": pl.Series(spread, dtype=pl.Float64),
            **{f"seed_{seed}": one for seed, one in zip(seeds, flat, strict=True)},
        }
    )


if __name__ == "__main__":
    from entry import run

    run(
        gather_differential_bias,
        snakemake.log,
        threads=snakemake.threads,
        path_to_shards=snakemake.input.shards,
        path_to_documents=snakemake.input.documents,
        path_to_sets=snakemake.input.sets,
        seeds=snakemake.params.seeds,
        path_to_effects=snakemake.output.effects,
        path_to_table=snakemake.output.table,
    )
