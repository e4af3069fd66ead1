"""Put the shards of the differential bias together: one row for each document and WEAT set."""

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_array, save_table


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
    effects = np.concatenate([load_array(path) for path in path_to_shards], axis=1)
    documents = load_table(path_to_documents, ["id"])["id"]
    keys = load_table(path_to_sets)["set"]
    flat = effects.reshape(len(seeds), -1)
    columns = {
        "document": documents.gather(np.repeat(np.arange(len(documents)), len(keys))),
        "set": keys.gather(np.tile(np.arange(len(keys)), len(documents))),
        "mean": flat.mean(axis=0),
        "sd": pl.Series(flat.std(axis=0, ddof=1))
        if len(seeds) > 1
        else pl.Series([None] * flat.shape[1], dtype=pl.Float64),
        **{f"seed_{seed}": one for seed, one in zip(seeds, flat, strict=True)},
    }
    save_array(path_to_effects, effects)
    save_table(path_to_table, pl.DataFrame(columns))


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
