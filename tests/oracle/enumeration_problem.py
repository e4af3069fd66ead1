"""Made-up embeddings for tests of the enumeration: clusters of names and words, associated or not."""

from dataclasses import dataclass

import numpy as np

from biasorigin.enumeration.groups import group_means
from biasorigin.enumeration.scores import centred


@dataclass
class Problem:
    """Name groups and word categories with known membership; unit vectors."""

    groups: np.ndarray  # (groups, dim) centred means
    vectors: np.ndarray  # (words, dim)
    categories: np.ndarray  # (words,)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def haar(rng: np.random.Generator, dim: int) -> np.ndarray:
    """A uniformly random orthogonal matrix."""
    q, r = np.linalg.qr(rng.standard_normal((dim, dim)))
    return q * np.sign(np.diag(r))


def make_problem(rng, *, dim=12, groups=4, categories=5, names=120, words=250, planted=0.0) -> Problem:
    """Names and words in loose clusters, turned against each other at random: no association, unless planted.

    planted  how far a fifth of the words of each category is pushed towards group `category % groups`.
    """
    own_group = np.arange(names) % groups
    centres = rng.standard_normal((groups, dim))
    name_vectors = unit(centres[own_group] + rng.standard_normal((names, dim)))
    own_category = np.sort(np.arange(words) % categories)
    word_vectors = rng.standard_normal((categories, dim))[own_category] + rng.standard_normal((words, dim))
    word_vectors = word_vectors @ haar(rng, dim)
    means = group_means(name_vectors, own_group, groups)
    if planted:
        directions = unit(centred(means))
        pushed = rng.random(words) < 0.2
        word_vectors[pushed] += planted * np.sqrt(dim) * directions[own_category[pushed] % groups]
    return Problem(centred(means), unit(word_vectors), own_category)
