"""The documents for the page: ids, lengths, filters and texts by corpus; effects and their carriers by embedding."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from biasorigin.association.words import ROLES
from biasorigin.explorer.blocks import Blocks, spans
from biasorigin.explorer.values import plain, records
from biasorigin.wordsets import Test

OWN_COLUMNS = ("id", "text", "words", "kept")
FACET_VALUES = 24  # more values than this are shown with the document, but are no filter
TEXT_BYTES = 400_000  # of a block of texts: small enough to open twenty of them for a page of results
CARRIERS = 12
KINDS = 8
SPREAD_KEPT = 6  # bits of mantissa: two digits of a standard deviation
FOUND = 0.05


@dataclass(frozen=True)
class Attributed:
    """What attribution found for one embedding.

    sets          table made by `choose_sets`: set, title, effect_size, reported, rows of the four lists
    effects       (seeds, documents, sets) differential bias; positive: the document raises the bias
    explanations  set, document (id), word, context, contribution; or None
    kinds         set, kind, feature, top, matched, effect, q, n_top, n_matched: how top documents differ; or None
    window        words on either side that the embedding was trained on
    """

    embedding: str
    title: str
    corpus: str
    lowercase: bool
    vocabulary: pl.Series
    sets: pl.DataFrame
    effects: np.ndarray
    explanations: pl.DataFrame | None = None
    kinds: pl.DataFrame | None = None
    window: int = 8


def corpus_blocks(name: str, documents: pl.DataFrame, blocks: Blocks, topics: pl.Series | None = None) -> dict:
    """Put a corpus into blocks; what the page needs to find its parts.

    documents  id, text, metadata, words; in the order of the corpus
    topics     a short name of each document's main topic, a further filter; or None
    """
    metadata = documents.select(pl.exclude(OWN_COLUMNS)).cast(pl.String).fill_null("")
    if topics is not None:
        metadata = metadata.with_columns(topics.alias("topic"))
    small = [column for column in metadata.columns if 1 < metadata[column].n_unique() <= FACET_VALUES]
    large = [column for column in metadata.columns if metadata[column].n_unique() > FACET_VALUES]
    facets = []
    for number, column in enumerate(small):
        values = sorted(metadata[column].unique())
        codes = metadata[column].replace_strict(values, list(range(len(values))), return_dtype=pl.UInt8)
        block = blocks.add_numbers(f"{name}-facet-{number}", codes.to_numpy())
        facets.append({"name": column, "values": values, "block": block})
    return {
        "corpus": name,
        "documents": len(documents),
        "ids": blocks.add_json(f"{name}-ids", documents["id"].to_list()),
        "words": blocks.add_numbers(f"{name}-words", documents["words"].to_numpy()),
        "facets": facets,
        "more": large,
        "texts": _texts(name, documents["text"], metadata.select(large), blocks),
    }


def _texts(name: str, texts: pl.Series, more: pl.DataFrame, blocks: Blocks) -> list[dict]:
    cuts = spans(texts.str.len_bytes().to_list(), TEXT_BYTES)
    parts = []
    for number, (first, last) in enumerate(pairwise(cuts)):
        content = {
            "texts": texts[first:last].to_list(),
            "more": [more[column][first:last].to_list() for column in more.columns],
        }
        parts.append({"first": first, "block": blocks.add_json(f"{name}-texts-{number}", content)})
    return parts


def attributed_entry(found: Attributed, corpus: dict, tests: dict[str, Test], ids: pl.Series, blocks: Blocks) -> dict:
    """One choice of the Documents view: the corpus' blocks, and for each set its bias, words and effects."""
    sets = [
        _set(found, row, found.effects[:, :, place], tests.get(row["set"]), ids, blocks)
        for place, row in enumerate(found.sets.iter_rows(named=True))
    ]
    return {
        **corpus,
        "embedding": found.embedding,
        "title": found.title,
        "lowercase": found.lowercase,
        "window": found.window,
        "seeds": len(found.effects),
        "sets": sorted(sets, key=lambda one: not one["reported"]),
    }


def _set(found: Attributed, row: dict, effects: np.ndarray, test: Test | None, ids: pl.Series, blocks: Blocks) -> dict:
    titles = [one.title for one in (*test.targets, *test.attributes)] if test else list(ROLES)
    stem = f"{found.embedding}-{row['set']}"
    return {
        "key": row["set"],
        "title": row["title"],
        "bias": plain(row["effect_size"]),
        "reported": bool(row["reported"]),
        "roles": [
            {"title": title, "words": found.vocabulary.gather(row[role]).to_list()}
            for title, role in zip(titles, ROLES, strict=True)
        ],
        "column": blocks.add_numbers(f"{stem}-effects", effects.mean(axis=0)),
        "spread": None
        if len(effects) < 2
        else blocks.add_numbers(f"{stem}-spread", effects.std(axis=0, ddof=1), SPREAD_KEPT),
        "kinds": _kinds(found.kinds, row["set"]),
        "carriers": _carriers(found.explanations, row["set"], ids, stem, blocks),
    }


def _kinds(kinds: pl.DataFrame | None, key: str) -> dict | None:
    """In what the top documents of a set differ from others of the same length: the clearest differences."""
    own = None if kinds is None else kinds.filter(pl.col("set") == key)
    if own is None or own.is_empty():
        return None
    found = own.filter(pl.col("q") <= FOUND).sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    rows = records(found.head(KINDS), kind="kind", feature="feature", top="top", matched="matched", q="q")
    return {"top": own["n_top"][0], "matched": own["n_matched"][0], "rows": rows}


def _carriers(explanations: pl.DataFrame | None, key: str, ids: pl.Series, stem: str, blocks: Blocks) -> str | None:
    """The pairs of words behind the documents that were explained, by the document's place in the corpus."""
    own = None if explanations is None else explanations.filter(pl.col("set") == key)
    if own is None or own.is_empty():
        return None
    places = pl.DataFrame({"document": ids, "place": range(len(ids))})
    largest = own.sort(pl.col("contribution").abs(), descending=True, maintain_order=True)
    largest = largest.group_by("document", maintain_order=True).head(CARRIERS).join(places, on="document")
    content: dict[str, list[dict]] = {}
    for row in largest.sort("place", maintain_order=True).iter_rows(named=True):
        pair = {name: plain(row[name]) for name in ("word", "context", "contribution")}
        content.setdefault(str(row["place"]), []).append(pair)
    return blocks.add_json(f"{stem}-carriers", content)
