"""Tables of everything that is measured along directions, for one embedding."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from biasorigin.association.directions import (
    BiasDirection,
    chance_directions,
    direct_bias,
    indirect_bias,
    leaning,
    make_direction,
)
from biasorigin.association.extremes import known_words, rank_words, shares_of_lists, vocabulary_cosines
from biasorigin.association.weat import seed_of
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import WordList, WordSets


@dataclass(frozen=True)
class DirectionSettings:
    """What is measured along directions.

    names          directions, or none for all; method: sum, principal, or none for what the direction's form suggests
    neutral        groups of word lists that should not lean either way, e.g. {adjectives: [positive, negative]}
    strictness     c of DirectBias
    chance_draws   random directions that DirectBias is compared with
    nearest        a word counts as extreme among this many nearest words of the vocabulary (the thesis: 100,000)
    nearest_share  the same as a share of the vocabulary, for the shares of kinds of words (100,000 of 3 million)
    shown          extremes listed on each side
    indirect       gender direction and the axis whose extremes are looked at, e.g. {direction: ..., axis: ...}
    """

    neutral: dict[str, list[str]]
    names: list[str] = field(default_factory=list)
    method: str | None = None
    strictness: float = 1.0
    chance_draws: int = 500
    nearest: int = 100_000
    nearest_share: float = 1 / 30
    shown: int = 10
    confidence: float = 0.95
    indirect: dict[str, str] | None = None
    seed: int = 1


def directions_of(
    embedding: Embedding, word_sets: WordSets, settings: DirectionSettings
) -> tuple[list[BiasDirection], dict[str, str]]:
    """The directions that can be made in an embedding, and why the others cannot."""
    unknown = [name for name in settings.names if name not in word_sets.directions]
    if unknown:
        raise UserError(
            f"association.directions.names has {listing(unknown)}, which no word-set file defines. "
            f"Known: {listing(sorted(word_sets.directions), 50)}."
        )
    made, problems = [], {}
    for name in settings.names or word_sets.directions:
        direction = word_sets.directions[name]
        try:
            made.append(make_direction(embedding, direction, settings.method if not direction.pairs else None))
        except UserError as error:
            problems[name] = str(error)
    return made, problems


def direct_bias_table(
    embedding: Embedding,
    directions: list[BiasDirection],
    problems: dict[str, str],
    word_sets: WordSets,
    settings: DirectionSettings,
) -> pl.DataFrame:
    """DirectBias of each neutral list along each direction, with an interval over words and the level of chance.

    low, high     bootstrap interval of the mean over the neutral words
    chance        mean over directions made of random words of the vocabulary, chance_high its 97.5 % quantile
    """
    vocabulary = embedding.unit_rows(_nonzero(embedding)[:50_000])
    sizes = {one.key: (len(one.first), len(one.second)) for one in directions}
    random = {pair: _random_directions(vocabulary, pair, settings) for pair in sorted(set(sizes.values()))}
    tails = [(1 - settings.confidence) / 2, (1 + settings.confidence) / 2]
    records: list[tuple] = []
    for name, words in _neutral_lists(word_sets, settings).items():
        rows, _, missing = embedding.find(list(words))
        count = len(rows)
        if count == 0:
            continue
        neutral = embedding.unit_rows(rows)
        rng = np.random.default_rng([settings.seed, seed_of(name)])
        weights = rng.multinomial(count, np.full(count, 1 / count), size=1000) / count
        chance = {pair: _level(neutral, vectors, settings.strictness) for pair, vectors in random.items()}
        for direction in directions:
            cosines = neutral @ direction.vector
            low, high = np.quantile(weights @ leaning(cosines, settings.strictness), tails)
            level = chance[sizes[direction.key]]
            measured = [direct_bias(cosines, settings.strictness), float(low), float(high), *level]
            known = [count, len(missing), *sizes[direction.key], len(direction.missing), ", ".join(direction.missing)]
            title = word_sets.directions[direction.key].title
            records.append((direction.key, title, name, direction.method, *measured, *known, None))
    empty = [None] * (len(_DIRECT_BIAS) - 3)
    records += [(key, word_sets.directions[key].title, *empty, problem) for key, problem in problems.items()]
    return pl.DataFrame(records, schema=_DIRECT_BIAS, orient="row")


def _random_directions(vocabulary: np.ndarray, sizes: tuple[int, int], settings: DirectionSettings) -> np.ndarray:
    rng = np.random.default_rng([settings.seed, *sizes])
    return chance_directions(vocabulary, sizes, settings.chance_draws, rng)


def _level(neutral: np.ndarray, vectors: np.ndarray, strictness: float) -> tuple[float | None, float | None]:
    if len(vectors) == 0 or len(neutral) == 0:
        return None, None
    levels = leaning(neutral @ vectors.T, strictness).mean(axis=0)
    return float(levels.mean()), float(np.quantile(levels, 0.975))


def extremes_table(
    embedding: Embedding, directions: list[BiasDirection], word_sets: WordSets, settings: DirectionSettings
) -> pl.DataFrame:
    """The words of each neutral group from either end of each direction: group, then the columns of `rank_words`."""
    frames = [pl.DataFrame(schema=_EXTREMES)]
    cosines = vocabulary_cosines(embedding, directions) if directions else None
    for group, names in settings.neutral.items():
        known = known_words(embedding, [word_sets.lists[name] for name in names])
        for place, direction in enumerate(directions):
            ranked = rank_words(direction, cosines[:, place], known)
            frames.append(ranked.select(pl.lit(group).alias("group"), pl.all()).cast(_EXTREMES))
    return pl.concat(frames)


def shares_table(
    embedding: Embedding, extremes: pl.DataFrame, word_sets: WordSets, settings: DirectionSettings
) -> pl.DataFrame:
    """Shares of the kinds of words near either end, for every neutral group that has several lists."""
    frames = [pl.DataFrame(schema=_SHARES)]
    nearest = min(settings.nearest, max(1, round(settings.nearest_share * len(embedding.words))))
    for group, names in settings.neutral.items():
        if len(names) < 2:
            continue
        sizes = {name: len(embedding.find(list(word_sets.lists[name].words))[0]) for name in names}
        if sum(sizes.values()) == 0:
            continue
        of_group = extremes.filter(pl.col("group") == group)
        for (direction,), ranked in of_group.group_by("direction", maintain_order=True):
            shares = shares_of_lists(ranked, sizes, nearest, settings.confidence)
            labels = (
                pl.lit(group).alias("group"),
                pl.lit(direction).alias("direction"),
                pl.lit(nearest).alias("nearest"),
            )
            frames.append(shares.select(*labels, pl.all()).cast(_SHARES))
    return pl.concat(frames)


def indirect_bias_table(
    embedding: Embedding, word_sets: WordSets, extremes: pl.DataFrame, settings: DirectionSettings
) -> pl.DataFrame:
    """β of the two poles of an axis with the words furthest along it (the thesis: softball and football, Figure 4)."""
    records: list[tuple] = []
    chosen = settings.indirect
    if chosen:
        axis = word_sets.directions[chosen["axis"]]
        try:
            along = make_direction(embedding, word_sets.directions[chosen["direction"]]).vector
        except UserError:
            along = None
        for side, poles in (("first", axis.first), ("second", axis.second)):
            row = embedding.row(poles[0])
            near = extremes.filter((pl.col("direction") == axis.key) & (pl.col("side") == side)).head(settings.shown)
            if along is None or row is None:
                continue
            pole = embedding.unit_rows(np.array([row]))[0]
            for word, cosine in near.select("word", "cosine").iter_rows():
                other = embedding.unit_rows(embedding.find([word])[0])[0]
                beta = indirect_bias(pole, other, along)
                records.append((poles[0], word, float(pole @ other), cosine, beta if np.isfinite(beta) else None))
    return pl.DataFrame(records, schema=_INDIRECT, orient="row")


def _neutral_lists(word_sets: WordSets, settings: DirectionSettings) -> dict[str, tuple[str, ...]]:
    """Each neutral group as a whole and, where it has several lists, each of them."""
    lists: dict[str, tuple[str, ...]] = {}
    for group, names in settings.neutral.items():
        unknown = [name for name in names if name not in word_sets.lists]
        if unknown:
            raise UserError(f"association.directions.neutral names the word lists {listing(unknown)}: not defined.")
        parts: list[WordList] = [word_sets.lists[name] for name in names]
        lists[group] = tuple(word for part in parts for word in part.words)
        lists |= {part.name: part.words for part in parts if len(parts) > 1}
    return lists


def _nonzero(embedding: Embedding) -> np.ndarray:
    return np.flatnonzero(np.linalg.norm(embedding.vectors, axis=1) > 0)


_DIRECT_BIAS = {
    "direction": pl.String,
    "title": pl.String,
    "list": pl.String,
    "method": pl.String,
    "direct_bias": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "chance": pl.Float64,
    "chance_high": pl.Float64,
    "words": pl.Int64,
    "words_missing": pl.Int64,
    "first_used": pl.Int64,
    "second_used": pl.Int64,
    "direction_missing": pl.Int64,
    "missing": pl.String,
    "problem": pl.String,
}
_EXTREMES = {
    "group": pl.String,
    "direction": pl.String,
    "side": pl.String,
    "rank": pl.Int64,
    "word": pl.String,
    "list": pl.String,
    "cosine": pl.Float64,
    "vocabulary_rank": pl.Int64,
}
_SHARES = {
    "group": pl.String,
    "direction": pl.String,
    "nearest": pl.Int64,
    "side": pl.String,
    "list": pl.String,
    "count": pl.Int64,
    "total": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "reference_share": pl.Float64,
    "p_two_sided": pl.Float64,
}
_INDIRECT = {
    "word": pl.String,
    "other": pl.String,
    "similarity": pl.Float64,
    "cosine": pl.Float64,
    "indirect_bias": pl.Float64,
}
