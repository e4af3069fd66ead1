"""The association tests for the page, with each word's part of every effect size."""

import re
import textwrap
from collections.abc import Mapping

import numpy as np
import polars as pl

from biasorigin.association.words import ROLES
from biasorigin.embedding import Embedding
from biasorigin.explorer.blocks import Blocks
from biasorigin.explorer.values import plain, records
from biasorigin.wordsets import Test

CITED = re.compile(r"(.{1,80}?\([12]\d{3}\))")
SHOWN = 4


def family_of(source: str) -> str:
    """The paper from which a test is: its citation up to the year in brackets, or the first words of it."""
    found = CITED.match(source)
    return found[1] if found else textwrap.shorten(source, 60, placeholder="…") or "other"


def word_parts(unit: list[np.ndarray]) -> list[np.ndarray]:
    """Each word's part of a WEAT effect size, for the four lists S, T, A, B of unit vectors (words, dim).

    The parts of the targets sum to d, and so do those of the attributes: for s in S, (g(s) − mean g) / (|S| std g);
    for a in A, (mean over S of cos(s, a) − mean over T of cos(t, a)) / (|A| std g); with the sign turned for T and B.
    """
    first, second, plus, minus = unit
    targets = np.concatenate([first, second])
    g = targets @ plus.mean(axis=0) - targets @ minus.mean(axis=0)
    deviation = g.std(ddof=1)
    difference = first.mean(axis=0) - second.mean(axis=0)
    centred = g - g.mean()
    return [
        centred[: len(first)] / len(first) / deviation,
        -centred[len(first) :] / len(second) / deviation,
        plus @ difference / len(plus) / deviation,
        -(minus @ difference) / len(minus) / deviation,
    ]


def association_entry(
    name: str,
    title: str,
    summary: pl.DataFrame,
    words: pl.DataFrame,
    embeddings: list[Embedding],
    tests: dict[str, Test],
    blocks: Blocks,
) -> dict:
    """One choice of the Associations view.

    summary     one row for each test, means over seeds (made by `over_seeds`)
    words       test, role, word, fate, count
    embeddings  one for each seed; a word's part is the mean over them
    """
    parts = {test: _parts(own, embeddings) for (test,), own in words.group_by("test", maintain_order=True)}
    rows = records(
        summary,
        test="test",
        title="title",
        d="effect_size",
        low="low",
        high="high",
        least="least",
        most="most",
        p="p_one_sided",
        q="q_largest",
        problem="problem",
    )
    for row in rows:
        own = parts.get(row["test"], [])
        row["family"] = family_of(tests[row["test"]].source) if row["test"] in tests else "other"
        row["used"] = [sum(one["role"] == role and one["part"] is not None for one in own) for role in range(4)]
        row["absent"] = sum(one["fate"] == "missing" for one in own)
        largest = sorted((one for one in own if one["part"] is not None), key=lambda one: -one["part"])[:SHOWN]
        row["top"] = ", ".join(f"{one['word']} {one['part']:+.2f}" for one in largest)
    return {
        "embedding": name,
        "title": title,
        "seeds": len(embeddings),
        "rows": rows,
        "words": blocks.add_json(f"{name}-words", parts),
    }


def _parts(words: pl.DataFrame, embeddings: list[Embedding]) -> list[dict]:
    """Every word of a test with its role, its fate and its part of the effect size (null if it was not used)."""
    used = words.filter(pl.col("fate") == "used")
    part: Mapping[tuple[str, str], float] = {}
    if used["role"].n_unique() == len(ROLES):
        lists = [used.filter(pl.col("role") == role)["word"].to_list() for role in ROLES]
        means = [np.mean(seeds, axis=0) for seeds in zip(*(_of(one, lists) for one in embeddings), strict=True)]
        part = {
            (role, word): float(value)
            for role, own, values in zip(ROLES, lists, means, strict=True)
            for word, value in zip(own, values, strict=True)
        }
    return [
        {
            "role": ROLES.index(row["role"]),
            "word": row["word"],
            "fate": row["fate"],
            "count": row["count"],
            "part": plain(part.get((row["role"], row["word"]))),
        }
        for row in words.iter_rows(named=True)
    ]


def _of(embedding: Embedding, lists: list[list[str]]) -> list[np.ndarray]:
    return word_parts([embedding.unit_rows(np.array([embedding.row(word) for word in own])) for own in lists])
