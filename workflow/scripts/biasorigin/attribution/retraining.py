"""Which retrainings a job makes, and what is measured on a retrained model."""

import logging
from collections.abc import Sequence

import numpy as np
import polars as pl

from biasorigin.attribution.bias_tests import BiasTests, effect_sizes
from biasorigin.embedding import Embedding
from biasorigin.errors import listing
from biasorigin.quality import Analogies, Settings, Similarity, measure_quality

logger = logging.getLogger(__name__)

FULL = "none"  # the removal that removes nothing
Measures = {
    "removal": pl.String,
    "seed": pl.Int64,
    "instrument": pl.String,
    "key": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
}


def share_of_work(plan: pl.DataFrame, seeds: Sequence[int], job: int, jobs: int) -> list[tuple[dict, int]]:
    """This job's retrainings (removal, seed): every `jobs`-th of all, so that each job gets large and small ones."""
    every = [(removal, seed) for removal in plan.to_dicts() for seed in seeds]
    return every[job::jobs]


def measure_bias(removal: str, seed: int, vectors: np.ndarray, tests: BiasTests, instrument: str) -> pl.DataFrame:
    """Effect sizes of all sets on vectors (vocabulary, dim), on the very words of the full model."""
    values = effect_sizes(np.asarray(vectors[tests.rows], dtype=np.float64), tests)
    columns = {"removal": removal, "seed": seed, "instrument": instrument, "key": list(tests.keys), "value": values}
    columns |= {"low": None, "high": None, "n": tests.bounds[:, 2] - tests.bounds[:, 0]}
    return pl.DataFrame(columns, schema=Measures)


def measure_model(
    removal: str, seed: int, embedding: Embedding, tests: BiasTests, benchmarks: Sequence[Similarity | Analogies]
) -> pl.DataFrame:
    """Effect sizes of all sets, on the very words of the full model, and the quality benchmarks.

    A word that lost all its co-occurrences has a zero vector: cosine 0 in a WEAT, left out of a benchmark.
    """
    vectors = np.asarray(embedding.vectors, dtype=np.float64)
    bias = measure_bias(removal, seed, vectors, tests, "weat")
    if not benchmarks:
        return bias
    alive = np.flatnonzero(np.linalg.norm(vectors, axis=1) > 0)
    if len(alive) < len(vectors):
        gone = [word for row, word in enumerate(embedding.words) if row not in set(alive.tolist())]
        logger.warning(
            "%s, seed %d: %d words have no co-occurrences left: %s.", removal, seed, len(gone), listing(gone)
        )
    part = Embedding(tuple(embedding.words[row] for row in alive), embedding.vectors[alive], None, embedding.cased)
    quality = measure_quality(part, list(benchmarks), Settings(candidates=10_000, replicates=200))
    quality = quality.filter(pl.col("section") == "all").select(
        pl.lit(removal).alias("removal"),
        pl.lit(seed, dtype=pl.Int64).alias("seed"),
        pl.lit("quality").alias("instrument"),
        pl.col("benchmark").alias("key"),
        "value",
        "low",
        "high",
        pl.col("covered").alias("n"),
    )
    return pl.concat([bias, quality])
