"""Our values for the keys that the papers' numbers refer to, looked up in this stage's tables."""

from dataclasses import dataclass

import polars as pl

from biasorigin.scorecard import plain
from biasorigin.wordsets import WordSets

ROLE_OF = {"targets": 0, "attributes": 1}


@dataclass(frozen=True)
class Tables:
    """The stage's tables, as its scripts write them."""

    weat: pl.DataFrame  # over seeds
    weat_words: pl.DataFrame
    direct_bias: pl.DataFrame
    extremes: pl.DataFrame
    indirect_bias: pl.DataFrame
    analogies: pl.DataFrame
    samples: pl.DataFrame
    word_sets: WordSets


def look_up(published: pl.DataFrame, tables: Tables) -> list[tuple[str, object, str | None]]:
    """(key, value, note) for every key that is asked for and belongs to this stage; each key once."""
    found: dict[str, tuple[object, str | None]] = {}
    for row in published.iter_rows(named=True):
        key = row["ours"].removesuffix("*100")
        kind, *parts = key.split("/")
        resolver = RESOLVERS.get(kind)
        if resolver is None or key in found:
            continue
        value, note = resolver(tables, parts)
        if value is not None or note is not None:
            found[key] = (value, note)
    return [(key, value, note) for key, (value, note) in found.items()]


def _only(frame: pl.DataFrame, column: str, **where) -> object:
    for name, value in where.items():
        frame = frame.filter(pl.col(name) == value)
    return frame[column][0] if frame.height == 1 else None


def _weat(tables: Tables, parts: list[str]):
    embedding, test, column = parts
    value = _only(tables.weat, column, embedding=embedding, test=test)
    words = _only(tables.weat, "target_words", embedding=embedding, test=test)
    seeds = _only(tables.weat, "seeds", embedding=embedding, test=test)
    over = f", mean over {seeds} seeds" if seeds and seeds > 1 else ""
    if value is None:
        return None, _only(tables.weat, "problem", embedding=embedding, test=test)
    return value, f"Ours with {words} target words{over}."


def _oov(tables: Tables, parts: list[str]):
    embedding, test, role = parts
    words = tables.weat_words.filter(
        (pl.col("embedding") == embedding) & (pl.col("test") == test) & (pl.col("role") == role)
    )
    return (int((words["fate"] == "missing").sum()), None) if words.height else (None, None)


def _direct_bias(tables: Tables, parts: list[str]):
    embedding, direction, words = parts
    return _only(tables.direct_bias, "direct_bias", embedding=embedding, direction=direction, list=words), None


def _extreme(tables: Tables, parts: list[str]):
    """The rank of a word at one end of a direction; a word that leans the other way has none."""
    embedding, direction, side, words, word = parts
    if not (tables.extremes["embedding"] == embedding).any():
        return None, None
    ranks = [
        rank
        for rank, other in _ranked(tables, embedding, direction, side, words).select("rank", "word").iter_rows()
        if plain(other) == plain(word)
    ]
    if ranks:
        return ranks[0], None
    other_side = "second" if side == "first" else "first"
    leaning = _ranked(tables, embedding, direction, other_side, words)["word"].to_list()
    if plain(word) in {plain(other) for other in leaning}:
        return "on the other side", "The word leans to the other side."
    return None, "The word is not in the vocabulary."


def _ranked(tables: Tables, embedding: str, direction: str, side: str, words: str) -> pl.DataFrame:
    return tables.extremes.filter(
        (pl.col("embedding") == embedding)
        & (pl.col("direction") == direction)
        & (pl.col("side") == side)
        & (pl.col("group") == words)
    )


def _adjective_share(tables: Tables, parts: list[str]):
    embedding, direction, side, kind, count = parts
    near = _ranked(tables, embedding, direction, side, "adjectives").filter(pl.col("rank") <= int(count))
    if near.height < int(count):
        return None, None
    return round(100 * (near["list"] == f"adjectives_{kind}").sum() / int(count), 2), None


def _indirect_bias(tables: Tables, parts: list[str]):
    embedding, first, word = parts
    value = _only(tables.indirect_bias, "indirect_bias", embedding=embedding, word=first, other=word)
    return (None if value is None else round(100 * value, 2)), None


def _analogy(tables: Tables, parts: list[str]):
    embedding, pair = parts
    left, right = pair.split(":")
    ours = tables.analogies.filter(pl.col("embedding") == embedding)
    if ours.height == 0:
        return None, None
    rank = _only(ours, "rank", left=left, right=right)
    if rank is not None:
        return "yes", f"Our rank {rank}."
    partner = _only(ours, "right", left=left)
    return "no", f"Ours pairs {left} with {partner}." if partner else f"{left} is the left word of no pair of ours."


def _sample(tables: Tables, parts: list[str]):
    if tables.samples.height == 0 or tables.samples["full"][0] != parts[0]:
        return None, None
    if len(parts) == 3:
        return _only(tables.samples, parts[2], test=parts[1]), None
    statistic, column = parts[1].split("_", 1)
    values = tables.samples[column].drop_nulls()
    return (values.median() if statistic == "median" else values.max()), None


def _list_size(tables: Tables, parts: list[str]):
    return (sum(len(one.words) for one in _lists(tables, parts[1])) or None), None


def _list_share(tables: Tables, parts: list[str]):
    lists = _lists(tables, parts[1])
    total = sum(len(one.words) for one in lists)
    own = sum(len(one.words) for one in lists if one.name.endswith(parts[2]))
    return (round(100 * own / total, 2) if total else None), None


def _lists(tables: Tables, name: str) -> list:
    return [one for key, one in tables.word_sets.lists.items() if key == name or key.startswith(f"{name}_")]


def _test_size(tables: Tables, parts: list[str]):
    test = tables.word_sets.tests.get(parts[1])
    if test is None:
        return None, None
    return len((test.targets, test.attributes)[ROLE_OF[parts[2]]][0].words), None


def _list_words(tables: Tables, parts: list[str]):
    test = tables.word_sets.tests.get(parts[1])
    if test is None:
        return None, None
    side, role = parts[2].split("_")
    return len((test.targets, test.attributes)[ROLE_OF[role]][0 if side == "first" else 1].words), None


RESOLVERS = {
    "weat": _weat,
    "oov": _oov,
    "direct_bias": _direct_bias,
    "extreme": _extreme,
    "adjective_share": _adjective_share,
    "indirect_bias": _indirect_bias,
    "analogy": _analogy,
    "sample": _sample,
    "list_size": _list_size,
    "list_share": _list_share,
    "test_size": _test_size,
    "list_words": _list_words,
}
