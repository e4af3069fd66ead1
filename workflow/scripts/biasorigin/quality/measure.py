"""Every benchmark on one embedding, as a table."""

import zlib
from dataclasses import dataclass

import numpy as np
import polars as pl

from biasorigin.embedding import Embedding
from biasorigin.quality.analogies import answer_analogies, bootstrap_accuracy
from biasorigin.quality.benchmarks import ALL, BENCHMARKS, Analogies, Similarity, groups_of
from biasorigin.quality.similarity import bootstrap_spearman, spearman

COLUMNS = {
    "benchmark": pl.String,  # as in BENCHMARKS
    "section": pl.String,  # `all`, or a part of an analogy benchmark
    "measure": pl.String,  # spearman or accuracy
    "value": pl.Float64,  # null if too few items are covered
    "low": pl.Float64,  # bootstrap interval
    "high": pl.Float64,
    "items": pl.Int64,  # pairs or questions
    "covered": pl.Int64,  # those whose words the embedding has
    "candidates": pl.Int64,  # words among which an analogy is answered
}


@dataclass(frozen=True)
class Settings:
    """How quality is measured.

    candidates  analogies are answered among, and asked of, this many most frequent words; None for all
    replicates  bootstrap samples; confidence  share of them between `low` and `high`
    """

    candidates: int | None = None
    replicates: int = 1000
    confidence: float = 0.95
    seed: int = 1


def measure_quality(embedding: Embedding, benchmarks: list[Similarity | Analogies], settings: Settings) -> pl.DataFrame:
    """One row for each benchmark and section, with columns as in COLUMNS; deterministic for a given seed."""
    rows = []
    for benchmark in benchmarks:
        measure = _similarity_row if isinstance(benchmark, Similarity) else _analogy_rows
        rows += measure(embedding, benchmark, settings)
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def summarise_seeds(table: pl.DataFrame) -> pl.DataFrame:
    """Mean and standard deviation (ddof 1) over seeds of a table with the columns embedding, seed and COLUMNS."""
    keys = ["embedding", "benchmark", "section", "measure"]
    return table.group_by(keys, maintain_order=True).agg(
        pl.len().alias("seeds"),
        pl.col("value").mean().alias("mean"),
        pl.col("value").std(ddof=1).alias("sd"),
        pl.col("items", "covered", "candidates").first(),
    )


def _similarity_row(embedding: Embedding, benchmark: Similarity, settings: Settings) -> list[tuple]:
    known = _rows_of(embedding, {*benchmark.first, *benchmark.second})
    rows = np.array([[known[one], known[other]] for one, other in zip(benchmark.first, benchmark.second, strict=True)])
    covered = (rows >= 0).all(axis=1)
    rows, ratings = rows[covered], benchmark.scores[covered]
    cosines = np.einsum("pd,pd->p", embedding.unit_rows(rows[:, 0]), embedding.unit_rows(rows[:, 1]))
    value = spearman(cosines, ratings)
    samples = (
        bootstrap_spearman(cosines, ratings, settings.replicates, _random(settings, benchmark.name, ALL))
        if np.isfinite(value)
        else np.array([])
    )
    return [(benchmark.name, ALL, "spearman", *_with_interval(value, samples, settings), len(covered), len(rows), None)]


def _analogy_rows(embedding: Embedding, benchmark: Analogies, settings: Settings) -> list[tuple]:
    candidates = min(settings.candidates or len(embedding.words), len(embedding.words))
    known = _rows_of(embedding, {word for question in benchmark.questions for word in question})
    rows = np.array([[known[word] for word in question] for question in benchmark.questions])
    # As in word2vec's own evaluation, a question is asked only if all four words are candidates.
    covered = ((rows >= 0) & (rows < candidates)).all(axis=1)
    correct = np.zeros(len(rows), dtype=bool)
    if covered.any():
        unit = embedding.unit_rows(np.arange(candidates))
        correct[covered] = answer_analogies(unit, rows[covered, :3]) == rows[covered, 3]
    pairs = rows[:, [0, 2]] * len(embedding.words) + rows[:, [1, 3]]  # a number for each pair of words
    table = []
    for section, members in groups_of(benchmark).items():
        chosen = members & covered
        value, samples = float("nan"), np.array([])
        if chosen.any():
            value = float(correct[chosen].mean())
            random = _random(settings, benchmark.name, section)
            samples = bootstrap_accuracy(correct[chosen], pairs[chosen], settings.replicates, random)
        interval = _with_interval(value, samples, settings)
        counts = (int(members.sum()), int(chosen.sum()), candidates)
        table.append((benchmark.name, section, "accuracy", *interval, *counts))
    return table


def _rows_of(embedding: Embedding, words: set[str]) -> dict[str, int]:
    """The row of each word as the embedding spells it, -1 where it has none."""
    found = {word: embedding.row(word) for word in words}
    return {word: -1 if row is None else row for word, row in found.items()}


def _with_interval(value: float, samples: np.ndarray, settings: Settings) -> tuple[float | None, ...]:
    """(value, low, high) by percentiles, None where undefined."""
    if not np.isfinite(value):
        return None, None, None
    samples = samples[np.isfinite(samples)]
    if not len(samples):
        return value, None, None
    tail = (1 - settings.confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return value, float(low), float(high)


def _random(settings: Settings, benchmark: str, section: str) -> np.random.Generator:
    """A stream for each benchmark and section, so that adding one changes no other."""
    return np.random.default_rng([settings.seed, zlib.crc32(f"{benchmark} {section}".encode())])


def title_of(benchmark: str, section: str) -> str:
    """The benchmark and section as a figure calls them."""
    title = BENCHMARKS[benchmark].title
    return title if section == ALL else f"{title.removesuffix(' analogies')}, {section}"
