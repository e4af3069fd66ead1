"""What a vector file holds, after the checks that every format shares."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from biasorigin.errors import UserError, listing

CHOICES = ("error", "drop")


@dataclass(frozen=True)
class Policies:
    """What to do with rows that no measure can use: `error` names the first of them, `drop` leaves out and counts.

    zero_vectors     rows without a direction
    duplicate_words  the second and later rows of a word
    invalid_words    words that are empty or not UTF-8
    """

    zero_vectors: str = "error"
    duplicate_words: str = "error"
    invalid_words: str = "error"

    def __post_init__(self) -> None:
        for name, choice in vars(self).items():
            if choice not in CHOICES:
                raise UserError(f"`{name}` is “{choice}”; expected one of {', '.join(CHOICES)}.")


@dataclass(frozen=True)
class VectorFile:
    """The usable rows of a vector file, in the order of the file.

    words    distinct words
    vectors  (words, dim) float32, finite, none of them zero
    dropped  number of rows left out, by reason
    """

    words: tuple[str, ...]
    vectors: np.ndarray
    dropped: dict[str, int] = field(default_factory=dict)


def checked(path: Path, spellings: list[bytes], vectors: np.ndarray, policies: Policies) -> VectorFile:
    """Decode the words and apply the policies; NaN and infinity are always an error."""
    words, invalid = _decoded(spellings)
    name = _namer(words, spellings)
    _require_finite(path, vectors, name)
    dropped = {
        "invalid_words": invalid,
        "duplicate_words": _repeats(words),
        "zero_vectors": np.flatnonzero(~vectors.any(axis=1)),
    }
    explained = {
        "invalid_words": "a word that is empty or not UTF-8",
        "duplicate_words": "a word that an earlier row has already",
        "zero_vectors": "a vector of zeros, which has no direction",
    }
    for reason, rows in dropped.items():
        if len(rows) and getattr(policies, reason) == "error":
            raise UserError(
                f"{path}: {len(rows):,} of {len(words):,} rows have {explained[reason]} "
                f"({listing([name(row) for row in rows[:9]], 8)}). "
                f"Repair the file, or set `{reason}: drop` to leave these rows out and count them."
            )
    lost = np.unique(np.concatenate([np.asarray(rows, dtype=np.int64) for rows in dropped.values()]))
    if len(lost):
        keep = np.ones(len(words), dtype=bool)
        keep[lost] = False
        words = [word for word, kept in zip(words, keep, strict=True) if kept]
        vectors = vectors[keep]
    if not words:
        raise UserError(f"{path} holds no usable vector. Check that it is the file you mean.")
    return VectorFile(tuple(words), vectors, {reason: len(rows) for reason, rows in dropped.items()})


def _decoded(spellings: list[bytes]) -> tuple[list[str], list[int]]:
    """The words as text, and the rows whose word is empty or not UTF-8 (held as an empty word)."""
    words, invalid = [], []
    for row, spelling in enumerate(spellings):
        try:
            word = spelling.decode("utf-8")
        except UnicodeDecodeError:
            word = ""
        if not word:
            invalid.append(row)
        words.append(word)
    return words, invalid


def _repeats(words: list[str]) -> list[int]:
    seen: set[str] = set()
    rows = []
    for row, word in enumerate(words):
        if word and word in seen:
            rows.append(row)
        seen.add(word)
    return rows


def _require_finite(path: Path, vectors: np.ndarray, name) -> None:
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(bad):
        raise UserError(
            f"{path}: {len(bad):,} of {len(vectors):,} vectors hold NaN, infinity or a number beyond float32 "
            f"({listing([name(row) for row in bad[:9]], 8)}). Fetch the file again or train it anew."
        )


def _namer(words: list[str], spellings: list[bytes]):
    """A function that names a row for a reader: the word, or its bytes where it cannot be read."""
    return lambda row: f"row {row + 1}: " + (words[row] or repr(spellings[row][:40]))
