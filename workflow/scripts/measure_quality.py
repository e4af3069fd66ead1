"""Measure the quality of an embedding on the published benchmarks, for each of its seeds."""

from pathlib import Path

import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.embedding import load_embedding
from biasorigin.progress import track
from biasorigin.quality import Settings, load_benchmark
from biasorigin.quality import measure_quality as measure


def measure_quality(
    paths_to_vectors: list[str],
    paths_to_benchmarks: list[str],
    name: str,
    seeds: list[int],
    settings: dict,
    path_to_table: str,
) -> None:
    """Write a table with embedding, seed and the columns of `biasorigin.quality.COLUMNS`; lists are in like order."""
    names = settings["benchmarks"]
    benchmarks = [load_benchmark(key, path) for key, path in zip(names, paths_to_benchmarks, strict=True)]
    chosen = Settings(**{key: settings[key] for key in ("candidates", "replicates", "confidence", "seed")})
    tables = []
    for seed, path in track(list(zip(seeds, paths_to_vectors, strict=True)), f"Quality of {name}"):
        table = measure(load_embedding(Path(path).parent), benchmarks, chosen)
        tables.append(table.select(pl.lit(name).alias("embedding"), pl.lit(seed).alias("seed"), pl.all()))
    save_table(path_to_table, pl.concat(tables))


if __name__ == "__main__":
    from entry import run

    run(
        measure_quality,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_vectors=snakemake.input.vectors,
        paths_to_benchmarks=snakemake.input.benchmarks,
        name=snakemake.wildcards.embedding,
        seeds=snakemake.params.seeds,
        settings=snakemake.params.settings,
        path_to_table=snakemake.output.table,
    )
