"""Do two embeddings lean the same way? Projections of the same words on the same direction (Stereotypes, Figure 1)."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import stats

from biasorigin.association.directions import make_direction
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import Direction


@dataclass(frozen=True)
class Agreement:
    """Pearson's correlation with Fisher's interval, Spearman's correlation, and the number of words."""

    pearson: float
    low: float
    high: float
    spearman: float
    words: int


def project_words(embedding: Embedding, direction: Direction, words: list[str]) -> pl.DataFrame:
    """The projection v·d of each known word's unit vector: word, projection; positive towards the first group."""
    rows, found, _ = embedding.find(words)
    along = embedding.unit_rows(rows) @ make_direction(embedding, direction).vector
    return pl.DataFrame({"word": found, "projection": along}, schema={"word": pl.String, "projection": pl.Float64})


def agreement(first: np.ndarray, second: np.ndarray, confidence: float = 0.95) -> Agreement:
    """How far two sets of projections of the same words agree; (words,) each."""
    if len(first) < 4:
        raise UserError(
            f"Only {len(first)} words are in both embeddings, too few for a correlation; at least 4 are needed. "
            "Compare embeddings that share more of the list."
        )
    pearson = float(stats.pearsonr(first, second)[0])
    half = stats.norm.ppf((1 + confidence) / 2) / np.sqrt(len(first) - 3)
    centre = np.arctanh(np.clip(pearson, -1 + 1e-15, 1 - 1e-15))
    low, high = np.tanh([centre - half, centre + half])
    return Agreement(pearson, float(low), float(high), float(stats.spearmanr(first, second)[0]), len(first))
