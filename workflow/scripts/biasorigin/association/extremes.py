"""The words of a list that lie furthest along a direction, and what kinds of words they are."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import stats

from biasorigin.association.directions import BiasDirection
from biasorigin.embedding import Embedding
from biasorigin.wordsets import WordList

SIDES = ("first", "second")


def vocabulary_cosines(embedding: Embedding, directions: list[BiasDirection]) -> np.ndarray:
    """(words, directions) cosine of every word of the vocabulary with every direction; NaN for a zero vector."""
    vectors = np.array([one.vector for one in directions], np.float32).T
    lengths = np.linalg.norm(embedding.vectors, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.asarray(embedding.vectors) @ vectors / lengths[:, None]).astype(np.float64)


@dataclass(frozen=True)
class KnownWords:
    """Words of some lists that an embedding knows: row, word as listed, and name of the list, in parallel."""

    rows: np.ndarray
    words: list[str]
    lists: list[str]


def known_words(embedding: Embedding, lists: list[WordList]) -> KnownWords:
    """Look up the words of the lists."""
    found = [embedding.find(list(one.words)) for one in lists]
    rows = np.concatenate([one[0] for one in found]) if found else np.zeros(0, np.int64)
    names = [name.name for name, one in zip(lists, found, strict=True) for _ in one[1]]
    return KnownWords(rows, [word for one in found for word in one[1]], names)


def rank_words(direction: BiasDirection, cosines: np.ndarray, known: KnownWords) -> pl.DataFrame:
    """The words from either end of a direction: side, rank, word, list, cosine, vocabulary_rank.

    cosines          (words,) of the whole vocabulary with the direction
    vocabulary_rank  1 for the word of the whole vocabulary nearest to that end of the direction
    cosine           with that end: positive on both sides; words that lean to the other side are left out of a side
    """
    places = known.rows
    ordered = np.sort(np.nan_to_num(cosines, nan=0.0))  # ascending
    frames = []
    for side, sign in zip(SIDES, (1, -1), strict=True):
        towards = sign * cosines[places]
        order = np.lexsort((places, -towards))
        order = order[towards[order] > 0]
        if sign > 0:
            nearer = len(ordered) - np.searchsorted(ordered, cosines[places[order]], side="right")
        else:
            nearer = np.searchsorted(ordered, cosines[places[order]], side="left")
        frames.append(
            pl.DataFrame(
                {
                    "direction": [direction.key] * len(order),
                    "side": [side] * len(order),
                    "rank": np.arange(1, len(order) + 1, dtype=np.int64),
                    "word": [known.words[place] for place in order],
                    "list": [known.lists[place] for place in order],
                    "cosine": towards[order],
                    "vocabulary_rank": (nearer + 1).astype(np.int64),
                }
            )
        )
    return pl.concat(frames)


def shares_of_lists(ranked: pl.DataFrame, sizes: dict[str, int], nearest: int, confidence: float) -> pl.DataFrame:
    """Shares of the lists among the words near either end: direction, side, list, count, total, share, interval.

    ranked   rows of `rank_words` for one direction; sizes: words of each list in the embedding, the reference
    nearest  how many words of the whole vocabulary count as near
    low, high  Wilson interval of the share; p: chance of a share at least as far from the reference when the words
    near the end are drawn from the lists at random (hypergeometric, two-sided)
    """
    records = []
    reference = sum(sizes.values())
    for side in SIDES:
        near = ranked.filter((pl.col("side") == side) & (pl.col("vocabulary_rank") <= nearest))
        total = near.height
        for name, size in sizes.items():
            count = near.filter(pl.col("list") == name).height
            low, high = wilson_interval(count, total, confidence)
            p = hypergeometric_p(count, total, size, reference) if total else None
            share = count / total if total else None
            records.append((side, name, count, total, share, low, high, size / reference, p))
    names = ["side", "list", "count", "total", "share", "low", "high", "reference_share", "p_two_sided"]
    types = [pl.String, pl.String, pl.Int64, pl.Int64, *[pl.Float64] * 5]
    return pl.DataFrame(records, schema=dict(zip(names, types, strict=True)), orient="row")


def wilson_interval(count: int, total: int, confidence: float) -> tuple[float | None, float | None]:
    """Wilson's interval for a share; none for a share of nothing."""
    if total == 0:
        return None, None
    z = stats.norm.ppf((1 + confidence) / 2)
    share = count / total
    centre = (share + z**2 / (2 * total)) / (1 + z**2 / total)
    half = z * np.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return float(max(0.0, centre - half)), float(min(1.0, centre + half))


def hypergeometric_p(count: int, total: int, size: int, reference: int) -> float:
    """Two-sided chance of `count` of `size` special words among `total` drawn out of `reference`."""
    counts = np.arange(max(0, total + size - reference), min(total, size) + 1)
    chances = stats.hypergeom.pmf(counts, reference, size, total)
    observed = chances[counts == count]
    return float(min(1.0, chances[chances <= observed * (1 + 1e-9)].sum()))
