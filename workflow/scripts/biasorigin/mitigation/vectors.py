"""From the words of an embedding to the arrays that debiasing works on."""

import logging

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import Direction

logger = logging.getLogger(__name__)
BLOCK = 8192


def unit_and_lengths(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of length one (words, dim) and the former lengths (words,); a zero vector stays zero and is counted."""
    rows = np.asarray(vectors, dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise UserError(
            f"{len(bad)} of {len(rows)} vectors hold NaN or infinite numbers (first in row {bad[0]}); "
            "repair the embedding before debiasing it."
        )
    lengths = np.linalg.norm(rows, axis=1)
    if (zeros := int(np.sum(lengths == 0))) > 0:
        logger.warning("%d zero vectors have no direction and are left as they are", zeros)
    return rows / np.where(lengths > 0, lengths, 1.0)[:, None], lengths


def apply_transform(vectors: np.ndarray, transform: np.ndarray) -> np.ndarray:
    """vT for every row v of vectors (words, dim), T (dim, dim); float32, block by block in a fixed order."""
    moved = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):
        moved[start : start + BLOCK] = np.asarray(vectors[start : start + BLOCK], dtype=np.float64) @ transform
    return moved


def found_rows(embedding: Embedding, words: list[str] | tuple[str, ...], role: str) -> tuple[np.ndarray, list[str]]:
    """Rows and words that the embedding has; the lost ones are logged, and losing all of them is an error."""
    rows, found, missing = embedding.find(list(words))
    if len(words) and not found:
        raise UserError(
            f"{role}: none of the {len(words)} words is in the vocabulary ({listing(list(words))}). "
            "Give words that the embedding has, or check its casing."
        )
    if missing:
        logger.warning("%s: %d of %d words are not in the vocabulary (%s)", role, len(missing), len(words),
                       listing(missing))  # fmt: skip
    return rows, found


def found_pairs(embedding: Embedding, direction: Direction) -> list[tuple[int, int]]:
    """Rows (first, second) of the pairs of which the embedding has both words."""
    rows = [(embedding.row(first), embedding.row(second)) for first, second in direction.pairs]
    whole = list(dict.fromkeys(pair for pair in rows if None not in pair))  # folding case can make two pairs one
    if direction.pairs and not whole:
        raise UserError(
            f"Direction {direction.key!r}: the embedding has both words of none of its {len(direction.pairs)} pairs. "
            "Give pairs that the embedding has, or check its casing."
        )
    lost = sum(None in pair for pair in rows)
    if lost:
        logger.warning("direction %s: %d of %d pairs are not in the vocabulary", direction.key, lost, len(rows))
    return whole


def direction_rows(embedding: Embedding, direction: Direction) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the first and of the second words of a direction; a pair counts only when both words are there."""
    if direction.pairs:
        whole = np.array(found_pairs(embedding, direction), dtype=np.int64)
        return whole[:, 0], whole[:, 1]
    first, _ = found_rows(embedding, direction.first, f"Direction {direction.key!r}, first words")
    second, _ = found_rows(embedding, direction.second, f"Direction {direction.key!r}, second words")
    return first, second


def direction_vector(unit: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Mean of the first words minus mean of the second, of length one, (dim,); unit: (words, dim).

    The length of a direction only rescales λ; one length for all keeps several directions in balance.
    """
    difference = unit[first].mean(axis=0) - unit[second].mean(axis=0)
    length = np.linalg.norm(difference)
    if length < 1e-12:
        raise UserError(
            "The two sides of a direction have the same vector, so there is no direction: change its words."
        )
    return difference / length


def direction_matrix(embedding: Embedding, unit: np.ndarray, directions: tuple[Direction, ...]) -> np.ndarray:
    """B of the paper with rows of length one, (directions, dim)."""
    if not directions:
        raise UserError("There is no bias direction: name one or more directions to remove.")
    return np.stack([direction_vector(unit, *direction_rows(embedding, one)) for one in directions])
