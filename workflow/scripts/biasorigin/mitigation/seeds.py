"""Seed words: those that debiasing should make neutral, some of them held out to see whether it does."""

import hashlib
import logging
from dataclasses import dataclass

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.mitigation.vectors import direction_matrix, direction_rows, found_rows
from biasorigin.wordsets import Direction

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SeedChoice:
    """How seed words are chosen.

    words: given words; exclude: words that carry the bias by definition; along: directions whose most associated words
    are added until there are `total`; training_share: part that the solver sees; salt: chooses which part.
    """

    words: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    along: tuple[Direction, ...] = ()
    total: int = 0
    training_share: float = 1.0
    salt: str = "seed words"


@dataclass(frozen=True)
class SeedWords:
    """Rows of the seed words: those that the solver sees, and those held out."""

    training: np.ndarray
    held_out: np.ndarray


def choose_seeds(embedding: Embedding, unit: np.ndarray, choice: SeedChoice) -> SeedWords:
    """Given words and, up to `total`, the words most associated with the directions; split in two by their letters."""
    rows, _ = found_rows(embedding, choice.words, "Seed words")
    never = set(embedding.find(list(choice.exclude))[0].tolist())
    for direction in choice.along:
        never.update(np.concatenate(direction_rows(embedding, direction)).tolist())
    if dropped := [embedding.words[row] for row in rows if int(row) in never]:
        logger.info("%d seed words carry the bias by definition and are not used (%s)", len(dropped), listing(dropped))
    seeds = [int(row) for row in rows if int(row) not in never]
    if (wanted := choice.total - len(seeds)) > 0 and choice.along:
        seeds += _along(embedding, unit, choice.along, never | set(seeds), wanted)
    if not seeds:
        raise UserError("No seed words are left after taking out the definitional ones: give words to make neutral.")
    training, held_out = split_words([embedding.words[row] for row in seeds], choice.training_share, choice.salt)
    return SeedWords(_rows(embedding, training), _rows(embedding, held_out))


def split_words(words: list[str], share: float, salt: str) -> tuple[list[str], list[str]]:
    """Two parts of the words, the first holding `share` of them; which word falls where depends on its letters only."""
    if not 0 < share <= 1:
        raise UserError(f"The training share of the seed words is {share}; it must be above 0 and at most 1.")
    ranked = sorted(words, key=lambda word: hashlib.blake2b(f"{salt}\0{word}".encode(), digest_size=8).digest())
    cut = max(1, round(share * len(ranked)))
    return ranked[:cut], ranked[cut:]


def most_associated(embedding: Embedding, projections: np.ndarray, exclude: set[int], total: int) -> tuple:
    """Rows of the words furthest along and furthest against a direction, half of `total` each.

    projections: (words,), positive towards the first words. Only lower-case words of letters and underscores, so
    that names and numbers stay out; ties go to the more frequent word.
    """
    rows = np.array(
        [
            row
            for row, word in enumerate(embedding.words)
            if row not in exclude and word.islower() and word.replace("_", "").isalpha()
        ],
        dtype=np.int64,
    )
    if len(rows) < total:
        raise UserError(
            f"{total} words associated with a direction were asked for; the embedding has {len(rows)} lower-case words "
            "to choose from. Ask for fewer."
        )
    order = rows[np.argsort(-projections[rows], kind="stable")]
    return order[: total - total // 2], order[::-1][: total // 2]


def _along(embedding: Embedding, unit: np.ndarray, directions: tuple[Direction, ...], never: set[int], wanted: int):
    chosen: list[int] = []
    matrix = direction_matrix(embedding, unit, directions)
    for number, vector in enumerate(matrix):
        share = (wanted - len(chosen)) // (len(matrix) - number)
        sides = most_associated(embedding, unit @ vector, never | set(chosen), share)
        chosen += [int(row) for row in np.concatenate(sides)]
    return chosen


def _rows(embedding: Embedding, words: list[str]) -> np.ndarray:
    return np.array([embedding.index[word] for word in words], dtype=np.int64)
