"""Estimate the differential bias of one shard of the documents, for every WEAT set and seed."""

from biasorigin.artefacts import load_table, save_array
from biasorigin.attribution.influence import differential_bias
from biasorigin.attribution.study import load_study


def estimate_differential_bias(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_cooccurrence: str,
    path_to_embeddings: list[str],
    path_to_sets: str,
    estimator: str,
    shard: int,
    shards: int,
    path_to_effects: str,
    threads: int = 1,
) -> None:
    """Write (seeds, documents of the shard, sets) float64: positive means that removal lowers the bias."""
    sets = load_table(path_to_sets)
    study = load_study(path_to_tokens, path_to_offsets, path_to_cooccurrence, path_to_embeddings, sets, estimator)
    effects = differential_bias(*study.parts, estimator, shard=shard, shards=shards, threads=threads)
    save_array(path_to_effects, effects)


if __name__ == "__main__":
    from entry import run

    run(
        estimate_differential_bias,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_cooccurrence=snakemake.params.cooccurrence,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_sets=snakemake.input.sets,
        estimator=snakemake.params.estimator,
        shard=int(snakemake.wildcards.shard),
        shards=snakemake.params.shards,
        path_to_effects=snakemake.output.effects,
    )
