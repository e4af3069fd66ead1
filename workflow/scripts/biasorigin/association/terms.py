"""Looking up printed terms in an embedding."""

import unicodedata

import numpy as np

from biasorigin.embedding import Embedding


def find_terms(embedding: Embedding, terms: list[str] | tuple[str, ...]) -> tuple[np.ndarray, list[str], list[str]]:
    """Like `Embedding.find`, and without accents where the accented word is unknown (protégé, protege)."""
    rows, found, missing = [], [], []
    seen: set[int] = set()
    for term in terms:
        row = embedding.row(term)
        if row is None:
            row = embedding.row(_without_accents(term))
        if row is None:
            missing.append(term)
        elif row not in seen:
            seen.add(row)
            rows.append(row)
            found.append(term)
    return np.array(rows, dtype=np.int64), found, missing


def _without_accents(term: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", term) if not unicodedata.combining(letter))
