"""Count the co-occurrences of one shard of a corpus, as whole numbers."""

from pathlib import Path

from biasorigin.artefacts import load_array, load_table
from biasorigin.cooccurrence_runs import count_shard, shard_documents


def count_cooccurrence(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_vocabulary: str,
    window: int,
    shard: int,
    shards: int,
    path_to_indptr: str,
    threads: int = 1,
) -> None:
    """Write indptr.npy, indices.npy and sums.npy beside each other; sums are multiples of 1/denominator."""
    offsets = load_array(path_to_offsets)
    count_shard(
        load_array(path_to_tokens),
        offsets,
        shard_documents(offsets, shard, shards),
        len(load_table(path_to_vocabulary)),
        window,
        Path(path_to_indptr).parent,
        threads=threads,
    )


if __name__ == "__main__":
    from entry import run

    run(
        count_cooccurrence,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_vocabulary=snakemake.input.vocabulary,
        window=snakemake.params.window,
        shard=int(snakemake.wildcards.shard),
        shards=snakemake.params.shards,
        path_to_indptr=snakemake.output.indptr,
    )
