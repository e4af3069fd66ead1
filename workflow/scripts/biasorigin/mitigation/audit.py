"""What remains of the bias after debiasing, asked with every instrument, and what it cost in quality."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import polars as pl

from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.mitigation.evaluation import direct_bias, variance_with_interval
from biasorigin.mitigation.gonen_goldberg import (
    Estimate,
    classifier_accuracy,
    cluster_accuracy,
    neighbour_correlation,
)
from biasorigin.mitigation.seeds import SeedWords, most_associated
from biasorigin.mitigation.vectors import direction_rows, direction_vector, unit_and_lengths
from biasorigin.quality import Analogies, Settings, Similarity, measure_quality
from biasorigin.wordsets import Direction, Test

logger = logging.getLogger(__name__)

#: One row for each number: which instrument and which of its tests; the 95 % interval; words or pairs behind it.
SCHEMA = {
    "instrument": pl.String,
    "key": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "problem": pl.String,
}

PROJECTIONS = {"word": pl.String, "role": pl.String, "before": pl.Float64, "after": pl.Float64}


@dataclass(frozen=True)
class AuditWords:
    """Who is asked. Rows refer to the embedding before debiasing, whose words and order the debiased one shares.

    seeds: training and held-out stereotype words; background: a sample of other words; definitional: words that carry
    the bias by definition; neutral: words that should carry none; before: (words,) projection on the direction before;
    clustered, classified: the most biased words before, (first side, second side).
    """

    seeds: SeedWords
    background: np.ndarray
    definitional: np.ndarray
    neutral: np.ndarray
    before: np.ndarray
    lengths: np.ndarray
    clustered: tuple[np.ndarray, np.ndarray]
    classified: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class AuditSettings:
    """How the audit is made.

    direction          of the projections and of the hidden-bias tests
    directions         for DirectBias
    background_words   background words in the variances
    vocabulary         the hidden-bias tests look at this many most frequent words
    cluster_words      most biased words to cluster, half of either side; classifier_words likewise
    classifier_training  how many of the latter to learn from
    neighbours         nearest words asked for their former side
    """

    direction: Direction
    directions: tuple[Direction, ...]
    background_words: int = 1000
    vocabulary: int = 50_000
    cluster_words: int = 1000
    classifier_words: int = 5000
    classifier_training: int = 1000
    neighbours: int = 100
    seed: int = 1

    def generator(self, name: str) -> np.random.Generator:
        """A stream of its own for each instrument, so that adding one changes no other."""
        return np.random.default_rng([self.seed, crc32(name.encode())])


def choose_audit_words(
    base: Embedding, seeds: SeedWords, neutral: list[str], definitional: list[str], settings: AuditSettings
) -> AuditWords:
    """Fix, on the embedding before debiasing, the words that all versions are asked about."""
    unit, lengths = unit_and_lengths(base.vectors)
    first, second = direction_rows(base, settings.direction)
    defined = np.union1d(base.find(definitional)[0], np.concatenate([first, second]))
    before = unit @ direction_vector(unit, first, second)
    others = np.setdiff1d(np.arange(len(unit)), np.concatenate([seeds.training, seeds.held_out, defined]))
    sample = min(settings.background_words, len(others))
    background = np.sort(settings.generator("background").choice(others, sample, replace=False))
    beyond = range(min(settings.vocabulary, len(unit)), len(unit))
    never = {*defined.tolist(), *beyond}
    return AuditWords(
        seeds=seeds,
        background=background,
        definitional=defined,
        neutral=np.setdiff1d(base.find(neutral)[0], defined),
        before=before,
        lengths=lengths,
        clustered=_both_sides(base, before, never, settings.cluster_words),
        classified=_both_sides(base, before, never, settings.classifier_words),
    )


def _both_sides(base: Embedding, before: np.ndarray, never: set[int], wanted: int) -> tuple[np.ndarray, np.ndarray]:
    try:
        return most_associated(base, before, never, wanted)
    except UserError as error:
        logger.warning("%s", error)
        return np.zeros(0, np.int64), np.zeros(0, np.int64)


def projections_of(base: Embedding, after: Embedding, words: AuditWords, settings: AuditSettings) -> pl.DataFrame:
    """Figure 2: each held-out, background and definitional word on the direction, before and after.

    Columns: word, role, before, after. The vectors after are compared at the lengths they had as unit vectors.
    """
    unit, _ = unit_and_lengths(after.vectors)
    direction = direction_vector(unit, *direction_rows(after, settings.direction))
    frames = []
    for role, rows in _roles(words).items():
        scaled = np.asarray(after.vectors[rows], dtype=np.float64) / np.maximum(words.lengths[rows], 1e-300)[:, None]
        frames.append(
            pl.DataFrame(
                {
                    "word": [base.words[row] for row in rows],
                    "role": [role] * len(rows),
                    "before": words.before[rows],
                    "after": scaled @ direction,
                },
                schema=PROJECTIONS,
            )
        )
    return pl.concat(frames)


def _roles(words: AuditWords) -> dict[str, np.ndarray]:
    return {
        "stereotype": words.seeds.held_out,
        "background": words.background,
        "definitional": words.definitional,
    }


def audit(after: Embedding, words: AuditWords, projections: pl.DataFrame, settings: AuditSettings) -> pl.DataFrame:
    """Variances, DirectBias and the three hidden-bias tests of one embedding, with columns SCHEMA.

    An instrument that cannot be used keeps its row, with the reason in `problem`.
    """
    unit, _ = unit_and_lengths(after.vectors)
    instruments: list[tuple[str, str, Callable[[], Estimate]]] = []
    for role in ("stereotype", "background", "definitional"):
        values = projections.filter(pl.col("role") == role)["after"].to_numpy()
        instruments.append(
            ("variance", role, lambda values=values: variance_with_interval(values, settings.generator("variance")))
        )
    for one in settings.directions:
        instruments.append(
            ("direct_bias", one.key, lambda one=one: _direct_bias(after, unit, words.neutral, one, settings))
        )
    instruments += [
        ("cluster", settings.direction.key, lambda: cluster_accuracy(unit, *words.clustered, settings.seed)),
        ("classifier", settings.direction.key,
         lambda: classifier_accuracy(unit, *words.classified, settings.classifier_training,
                                     settings.generator("classifier"))),
        ("neighbours", settings.direction.key, lambda: _neighbours(unit, words, settings)),
    ]  # fmt: skip
    return pl.DataFrame([_row(*one) for one in instruments], schema=SCHEMA, orient="row")


def no_audit(settings: AuditSettings, reason: str) -> pl.DataFrame:
    """The rows of `audit` without numbers, for an embedding that lacks the words."""
    asked = [("variance", role) for role in ("stereotype", "background", "definitional")]
    asked += [("direct_bias", one.key) for one in settings.directions]
    asked += [(instrument, settings.direction.key) for instrument in ("cluster", "classifier", "neighbours")]
    return pl.DataFrame([(*one, None, None, None, None, reason) for one in asked], schema=SCHEMA, orient="row")


def _direct_bias(
    after: Embedding, unit: np.ndarray, neutral: np.ndarray, one: Direction, settings: AuditSettings
) -> Estimate:
    direction = direction_vector(unit, *direction_rows(after, one))
    return direct_bias(unit, neutral, direction, settings.generator("direct_bias"))


def _neighbours(unit: np.ndarray, words: AuditWords, settings: AuditSettings) -> Estimate:
    limit = min(settings.vocabulary, len(unit))
    exclude = np.union1d(words.definitional, np.arange(limit, len(unit)))
    return neighbour_correlation(
        unit, words.neutral[words.neutral < limit], words.before, exclude, settings.neighbours
    )[0]


def _row(instrument: str, key: str, measure: Callable[[], Estimate]) -> tuple:
    try:
        made = measure()
    except UserError as error:
        return instrument, key, None, None, None, None, str(error)
    return instrument, key, made.value, made.low, made.high, made.n, None


def audit_weat(after: Embedding, tests: list[Test], settings: WeatSettings) -> pl.DataFrame:
    """Effect sizes of association tests, with columns SCHEMA; n is the number of target words."""
    table, _ = score_tests(after, tests, settings)
    return table.select(
        pl.lit("weat").alias("instrument"),
        pl.col("test").alias("key"),
        pl.col("effect_size").alias("value"),
        "low",
        "high",
        (pl.col("first_targets_used") + pl.col("second_targets_used")).alias("n"),
        "problem",
    ).cast(SCHEMA)


def audit_quality(after: Embedding, benchmarks: list[Similarity | Analogies], settings: Settings) -> pl.DataFrame:
    """Benchmark scores, with columns SCHEMA; n is the number of pairs or questions that the vocabulary covers."""
    table = measure_quality(after, benchmarks, settings).filter(pl.col("section") == "all")
    few = pl.when(pl.col("value").is_null()).then(pl.lit("The vocabulary covers too few of its words."))
    return table.select(
        pl.lit("quality").alias("instrument"),
        pl.col("benchmark").alias("key"),
        "value",
        "low",
        "high",
        pl.col("covered").alias("n"),
        few.otherwise(None).alias("problem"),
    ).cast(SCHEMA)
