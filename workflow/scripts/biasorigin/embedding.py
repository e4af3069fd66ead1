"""An embedding: words and their vectors, wherever they came from."""

import unicodedata
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json, load_table, save_array, save_json, save_table
from biasorigin.errors import UserError, listing


@dataclass(frozen=True)
class Embedding:
    """Words in descending order of frequency, and a vector for each.

    words    distinct words
    vectors  (words, dim) float32
    counts   (words,) int64 occurrences in the training corpus, or None where unknown
    cased    whether *May* and *may* are different words here
    facts    where the vectors came from: kind, seed, corpus, settings
    """

    words: tuple[str, ...]
    vectors: np.ndarray
    counts: np.ndarray | None = None
    cased: bool = False
    facts: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.words) != len(self.vectors):
            raise UserError(
                f"An embedding needs one vector for each word; found {len(self.words):,} words "
                f"and an array of shape {self.vectors.shape}. Make the embedding anew."
            )

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return self.vectors.shape[1]

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def unit(self) -> np.ndarray:
        """(words, dim) float64 vectors scaled to length 1."""
        return self.unit_rows(np.arange(len(self.words)))

    def unit_rows(self, rows: np.ndarray) -> np.ndarray:
        """(rows, dim) float64 vectors of the given rows scaled to length 1; a zero vector is an error."""
        vectors = np.asarray(self.vectors[rows], dtype=np.float64)
        lengths = np.linalg.norm(vectors, axis=1)
        if not np.all(lengths > 0):
            zeros = [self.words[row] for row in np.asarray(rows)[~(lengths > 0)]]
            raise UserError(
                f"{len(zeros)} words have a zero or undefined vector ({listing(zeros)}), so they have no direction. "
                "Remove them from the word list or from the embedding."
            )
        return vectors / lengths[:, None]

    def find(self, words: list[str]) -> tuple[np.ndarray, list[str], list[str]]:
        """Look words up as this embedding spells them: (rows, found words as given, missing words as given).

        A case-folded embedding is asked for the folded word; a term of several words is also tried with the
        joinings in use (`cab driver`, `cab_driver`, `cab-driver`). A row is returned once.
        """
        rows, found, missing = [], [], []
        seen: set[int] = set()
        for word in words:
            row = self.row(word)
            if row is None:
                missing.append(word)
            elif row not in seen:
                seen.add(row)
                rows.append(row)
                found.append(word)
        return np.array(rows, dtype=np.int64), found, missing

    def row(self, word: str) -> int | None:
        """The row of a word as this embedding spells it, or None."""
        for spelling in spellings(word, self.cased):
            row = self.index.get(spelling)
            if row is not None:
                return row
        return None


def spellings(word: str, cased: bool) -> list[str]:
    """The ways in which an embedding may write a word, most faithful first."""
    word = word if cased else word.lower()
    parts = word.replace("_", " ").replace("-", " ").split()
    joined = [word] if len(parts) < 2 else [word, "_".join(parts), "-".join(parts)]
    plain = [without_accents(one) for one in joined]  # many vocabularies hold fiance, not fiancé
    return list(dict.fromkeys(joined + plain))


def without_accents(word: str) -> str:
    """The word with its accents removed."""
    return "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))


def save_embedding(folder: Path | str, embedding: Embedding) -> None:
    """Write vectors.npy, vocabulary.parquet (word, count) and facts.json into a folder."""
    folder = Path(folder)
    counts = [None] * len(embedding.words) if embedding.counts is None else np.asarray(embedding.counts, np.int64)
    vocabulary = pl.DataFrame(
        {"word": list(embedding.words), "count": counts}, schema={"word": pl.String, "count": pl.Int64}
    )
    save_array(folder / "vectors.npy", np.asarray(embedding.vectors, dtype=np.float32))
    save_table(folder / "vocabulary.parquet", vocabulary)
    shape = {"cased": embedding.cased, "words": len(embedding.words), "dim": embedding.dim}
    save_json(folder / "facts.json", {**embedding.facts, **shape})


def load_embedding(folder: Path | str) -> Embedding:
    """Read an embedding from its folder; the vectors are memory-mapped."""
    folder = Path(folder)
    vocabulary = load_table(folder / "vocabulary.parquet")
    facts = load_json(folder / "facts.json")
    counts = vocabulary["count"]
    return Embedding(
        words=tuple(vocabulary["word"].to_list()),
        vectors=load_array(folder / "vectors.npy"),
        counts=None if counts.null_count() else counts.to_numpy(),
        cased=bool(facts["cased"]),
        facts=facts,
    )
