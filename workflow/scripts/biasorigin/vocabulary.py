"""From types to a vocabulary: which documents and words stay, and what number each word gets."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import polars as pl

from biasorigin.compiled import compiled
from biasorigin.errors import UserError

PIECE = 1 << 24  # tokens handled at a time


@dataclass(frozen=True)
class Vocabulary:
    """The words that stay, most frequent first and ties by the word, and the number of every type.

    table    word, count, documents (how many documents hold the word)
    numbers  (types,) int32 number of each type's word, or -1 where it was too rare
    """

    table: pl.DataFrame
    numbers: np.ndarray


def documents_within(lengths: np.ndarray, shortest: int, longest: int | None) -> np.ndarray:
    """(documents,) bool: whose number of tokens lies within the limits, both included."""
    within = lengths >= shortest
    return within if longest is None else within & (lengths <= longest)


def build_vocabulary(
    types: list[str], tokens: np.ndarray, offsets: np.ndarray, kept: np.ndarray, min_count: int
) -> Vocabulary:
    """Count the types in the documents that are kept and number those seen at least `min_count` times."""
    counts, holders = _count(tokens, offsets, kept, len(types))
    table = (
        pl.DataFrame({"word": types, "count": counts, "documents": holders})
        .with_row_index("type")
        .filter(pl.col("count") >= min_count)
        .sort("count", "word", descending=[True, False])
    )
    if table.is_empty():
        most = int(counts.max()) if len(counts) else 0
        raise UserError(
            f"No word occurs at least {min_count} times: the most frequent of {len(types):,} distinct words occurs "
            f"{most} times. Lower min_count, raise fraction, or check the reader's settings."
        )
    numbers = np.full(len(types), -1, dtype=np.int32)
    numbers[table["type"].to_numpy()] = np.arange(len(table), dtype=np.int32)
    return Vocabulary(table.drop("type"), numbers)


@compiled()
def _count(tokens, offsets, kept, types):
    counts = np.zeros(types, np.int64)
    holders = np.zeros(types, np.int64)
    last_holder = np.full(types, -1, np.int64)
    for document in range(len(offsets) - 1):
        if not kept[document]:
            continue
        for place in range(offsets[document], offsets[document + 1]):
            word = tokens[place]
            counts[word] += 1
            if last_holder[word] != document:
                last_holder[word] = document
                holders[word] += 1
    return counts, holders


def encode(tokens: np.ndarray, offsets: np.ndarray, kept: np.ndarray, numbers: np.ndarray):
    """Pieces of the corpus in the vocabulary's numbers: (tokens,) int32 of some documents and their lengths.

    Words outside the vocabulary and documents that are not kept are gone.
    """
    first = 0
    documents = len(offsets) - 1
    while first < documents:
        last = int(np.searchsorted(offsets, offsets[first] + PIECE, side="right")) - 1
        last = min(max(last, first + 1), documents)
        encoded = numbers[tokens[offsets[first] : offsets[last]]]
        document_of = np.repeat(np.arange(first, last), np.diff(offsets[first : last + 1]))
        stays = (encoded >= 0) & kept[document_of]
        lengths = np.bincount(document_of[stays] - first, minlength=last - first)
        yield encoded[stays], lengths[kept[first:last]].astype(np.int64)
        first = last


def fingerprint(tokens: np.ndarray, offsets: np.ndarray, words: list[str]) -> str:
    """A digest of a corpus as an embedding sees it: equal fingerprints mean equal tokens, documents and words."""
    digest = blake2b(digest_size=16)
    for start in range(0, len(tokens), PIECE):
        digest.update(np.ascontiguousarray(tokens[start : start + PIECE], dtype="<i4").tobytes())
    digest.update(np.ascontiguousarray(offsets, dtype="<i8").tobytes())
    digest.update("\0".join(words).encode())
    return digest.hexdigest()
