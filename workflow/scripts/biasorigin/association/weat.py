"""The word embedding association test (Caliskan et al. 2017) with honest p-values and intervals."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import polars as pl

from biasorigin.association.multiple_testing import benjamini_hochberg
from biasorigin.association.permutation import PermutationTest, permutation_test
from biasorigin.association.words import ROLES, ChosenTest, choose_words
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import Test

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class WeatSettings:
    """How a WEAT is made.

    missing        what to do with unknown words: balance, drop or require
    least_words    fewest words in each target list
    exact_words    count every split of the targets up to this many words in all
    draws          random splits beyond that
    bootstrap      resamples of the words for the interval; 0 for none
    confidence     coverage of the interval
    seed           of the draws and resamples
    """

    missing: str = "balance"
    least_words: int = 2
    exact_words: int = 36
    draws: int = 100_000
    bootstrap: int = 2_000
    confidence: float = 0.95
    seed: int = 1


@dataclass(frozen=True)
class WeatResult:
    """What a WEAT says.

    effect_size  d, between -2 and 2
    statistic    s, sum of the first targets' associations minus sum of the second's
    interval     of d over other target words of the same kind, the attributes being what they are
    wide         of d over other words in all four lists; wider, because attribute words matter too
    test         p-values
    """

    effect_size: float
    statistic: float
    interval: tuple[float, float]
    wide: tuple[float, float]
    test: PermutationTest


def associations(cosines: np.ndarray, first: int) -> np.ndarray:
    """g(c) = mean cosine with the first attributes minus mean cosine with the second, for each target.

    cosines  (targets, attributes); the first `first` columns are the first attributes
    """
    return cosines[:, :first].mean(axis=1) - cosines[:, first:].mean(axis=1)


def effect_size(first: np.ndarray, second: np.ndarray) -> float:
    """d = difference of the mean associations over their standard deviation (ddof 1) over both sets.

    Positive means that the first targets go with the first attributes. NaN when all associations are equal.
    Caliskan et al. 2017; Brunet et al. 2019; Chaloner and Maldonado 2019 all divide by n - 1.
    """
    deviation = np.concatenate([first, second]).std(ddof=1)
    return float((first.mean() - second.mean()) / deviation) if deviation > 0 else float("nan")


def bootstrap_interval(
    cosines: np.ndarray, sizes: tuple[int, int, int, int], resampled: Sequence[bool], settings: WeatSettings, seed: int
) -> tuple[float, float]:
    """Percentile interval of d when the words of some of the lists are drawn again with replacement.

    cosines    (first + second targets, first + second attributes); sizes: the four lists in the order of ROLES
    resampled  which of the four lists are drawn again; the others stay as they are
    """
    resamples, confidence = settings.bootstrap, settings.confidence
    if resamples == 0:
        return float("nan"), float("nan")
    rng = np.random.default_rng([settings.seed, seed])
    weights = [
        (rng.multinomial(size, np.full(size, 1 / size), size=resamples) if again else np.ones((resamples, size))) / size
        for size, again in zip(sizes, resampled, strict=True)
    ]
    split = sizes[2]
    g = weights[2] @ cosines[:, :split].T - weights[3] @ cosines[:, split:].T  # (resamples, targets)
    first, second = g[:, : sizes[0]], g[:, sizes[0] :]
    first_mean, second_mean = (weights[0] * first).sum(axis=1), (weights[1] * second).sum(axis=1)
    total = sizes[0] + sizes[1]
    mean = (sizes[0] * first_mean + sizes[1] * second_mean) / total
    squares = sizes[0] * (weights[0] * (first - mean[:, None]) ** 2).sum(axis=1)
    squares += sizes[1] * (weights[1] * (second - mean[:, None]) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = (first_mean - second_mean) / np.sqrt(squares / (total - 1))
    d = d[np.isfinite(d)]
    if len(d) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(d, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def weat(cosines: np.ndarray, sizes: tuple[int, int, int, int], settings: WeatSettings, seed: int) -> WeatResult:
    """Effect size, p-values and interval from the cosines of all targets with all attributes."""
    g = associations(cosines, sizes[2])
    first, second = g[: sizes[0]], g[sizes[0] :]
    targets_only = bootstrap_interval(cosines, sizes, (True, True, False, False), settings, seed)
    all_lists = bootstrap_interval(cosines, sizes, (True, True, True, True), settings, seed)
    test = permutation_test(first, second, exact_words=settings.exact_words, draws=settings.draws, seed=seed)
    return WeatResult(effect_size(first, second), float(first.sum() - second.sum()), targets_only, all_lists, test)


def score_tests(
    embedding: Embedding, tests: Sequence[Test], settings: WeatSettings
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Every test on one embedding: (one row for each test, one row for each word of each test).

    A test that cannot be made keeps its row, with the reason in `problem` and no numbers. `q` is the one-sided
    p-value after Benjamini and Hochberg over the tests of this embedding that could be made.
    """
    chosen: dict[str, ChosenTest | str] = {}
    for test in tests:
        try:
            chosen[test.key] = choose_words(embedding, test, settings.missing, settings.least_words)
        except UserError as error:
            if settings.missing == "require":
                raise
            chosen[test.key] = str(error)
            logger.warning("%s", error)
    every = [one for entry in chosen.values() if isinstance(entry, ChosenTest) for one in entry.lists]
    rows = np.unique(np.concatenate([one.rows for one in every])) if every else np.zeros(0, np.int64)
    unit = embedding.unit_rows(rows)
    cosines = unit @ unit.T  # (words, words): all pairs of words of all tests at once
    records = []
    for test in tests:
        entry = chosen[test.key]
        result = None if isinstance(entry, str) else _score(entry, rows, cosines, settings)
        records.append(_record(test, entry, result))
    table = pl.DataFrame(records, schema=_SCHEMA, orient="row")
    q = benjamini_hochberg(table["p_one_sided"].fill_null(float("nan")).to_numpy())
    table = table.with_columns(pl.Series("q", q).fill_nan(None))
    return table, _word_table(embedding, tests, chosen)


def seed_of(*parts: object) -> int:
    """A seed that depends on nothing but the names given, so that adding a test does not change the others."""
    return crc32("/".join(map(str, parts)).encode())


def _score(chosen: ChosenTest, rows: np.ndarray, cosines: np.ndarray, settings: WeatSettings) -> WeatResult:
    places = [np.searchsorted(rows, one.rows) for one in chosen.lists]
    block = cosines[np.ix_(np.concatenate(places[:2]), np.concatenate(places[2:]))]
    sizes = tuple(len(one) for one in places)
    return weat(block, sizes, settings, seed_of(settings.seed, chosen.key))


_NO_SPREAD = "All associations are equal, so the effect size is undefined."

_SCHEMA = {
    "test": pl.String,
    "title": pl.String,
    "effect_size": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_all_words": pl.Float64,
    "high_all_words": pl.Float64,
    "statistic": pl.Float64,
    "greater": pl.Float64,
    "p_one_sided": pl.Float64,
    "p_two_sided": pl.Float64,
    "p_standard_error": pl.Float64,
    "method": pl.String,
    "partitions": pl.Int64,
    **{f"{role}_used": pl.Int64 for role in ROLES},
    **{f"{role}_missing": pl.Int64 for role in ROLES},
    "problem": pl.String,
}


def _record(test: Test, chosen: ChosenTest | str, result: WeatResult | None) -> tuple:
    if result is None:
        return (test.key, test.title, *[None] * (len(_SCHEMA) - 3), chosen)
    made = result.test
    numbers = [result.effect_size, *result.interval, *result.wide, result.statistic]
    numbers += [made.greater, made.p_one_sided, made.p_two_sided, made.standard_error]
    finite = [number if np.isfinite(number) else None for number in numbers]
    problem = None if np.isfinite(result.effect_size) else _NO_SPREAD
    used = [len(one.rows) for one in chosen.lists]
    missing = [len(one.missing) for one in chosen.lists]
    return (test.key, test.title, *finite, made.method, made.partitions, *used, *missing, problem)


def _word_table(embedding: Embedding, tests: Sequence[Test], chosen: dict[str, ChosenTest | str]) -> pl.DataFrame:
    """Each word of each test with its fate: used, missing, cut (for balance) or unused (the test was not made)."""
    records = []
    for test in tests:
        entry = chosen[test.key]
        for place, (role, words) in enumerate(zip(ROLES, (*test.targets, *test.attributes), strict=True)):
            for word in words.words:
                row = embedding.row(word)
                fate = "missing" if row is None else "unused"
                if isinstance(entry, ChosenTest):
                    one = entry.lists[place]
                    fate = "used" if word in one.used else "cut" if word in one.cut else "missing"
                    fate = "repeated" if fate == "missing" and row is not None else fate
                count = None if row is None or embedding.counts is None else int(embedding.counts[row])
                records.append((test.key, role, words.name, word, fate, count))
    names = ["test", "role", "list", "word", "fate", "count"]
    return pl.DataFrame(records, schema=dict(zip(names, [pl.String] * 5 + [pl.Int64], strict=True)), orient="row")
