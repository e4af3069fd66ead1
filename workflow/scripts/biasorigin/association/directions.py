"""Directions between two groups of words, and how strongly neutral words lean along them."""

from dataclasses import dataclass

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import Direction

METHODS = ("sum", "principal")


@dataclass(frozen=True)
class BiasDirection:
    """A direction in one embedding; a positive projection lies towards the first group.

    vector     (dim,) float64 of length 1
    first      words used of the first group; second: of the second
    missing    words of either group that the embedding does not know
    method     "sum" or "principal"
    explained  share of the pairs' variance along the direction ("principal" only)
    """

    key: str
    vector: np.ndarray
    first: tuple[str, ...]
    second: tuple[str, ...]
    missing: tuple[str, ...]
    method: str
    explained: float | None = None


def make_direction(embedding: Embedding, direction: Direction, method: str | None = None) -> BiasDirection:
    """The direction in an embedding, from unit vectors.

    sum        sum of the first words minus sum of the second (Sosnick 2017)
    principal  first principal component of the pairs, each pair centred on its mean (Bolukbasi et al. 2016)
    Without a method, pairs give the principal component and two lists give the sum.
    """
    method = method or ("principal" if direction.pairs else "sum")
    if method not in METHODS:
        raise UserError(f"Unknown method {method!r} for a direction; expected one of {', '.join(METHODS)}.")
    if method == "principal":
        return _principal(embedding, direction)
    first_rows, first, first_missing = embedding.find(list(direction.first))
    second_rows, second, second_missing = embedding.find(list(direction.second))
    missing = (*first_missing, *second_missing)
    if not first or not second:
        raise UserError(
            f"Direction {direction.key!r}: the {'second' if first else 'first'} group is empty, because none of its "
            f"words is in the vocabulary ({listing(list(missing))}). Edit the direction, or use another embedding."
        )
    vector = embedding.unit_rows(first_rows).sum(axis=0) - embedding.unit_rows(second_rows).sum(axis=0)
    return BiasDirection(direction.key, _unit(vector, direction.key), tuple(first), tuple(second), missing, "sum")


def _principal(embedding: Embedding, direction: Direction) -> BiasDirection:
    pairs = [(embedding.find([a]), embedding.find([b])) for a, b in direction.pairs]
    known = [place for place, (a, b) in enumerate(pairs) if len(a[0]) and len(b[0])]
    missing = tuple(word for a, b in pairs for word in (*a[2], *b[2]))
    if not known:
        raise UserError(
            f"Direction {direction.key!r}: no pair has both its words in the vocabulary (unknown: "
            f"{listing(list(missing)) or 'the direction has no pairs'}). Edit the direction, or use another embedding."
        )
    first = embedding.unit_rows(np.array([pairs[place][0][0][0] for place in known]))
    second = embedding.unit_rows(np.array([pairs[place][1][0][0] for place in known]))
    # Centred on its mean, a pair is plus and minus half its difference: the components are those of the differences.
    differences = (first - second) / 2  # (pairs, dim)
    _, scales, components = np.linalg.svd(differences, full_matrices=False)
    vector = components[0] if components[0] @ differences.sum(axis=0) >= 0 else -components[0]
    used = [direction.pairs[place] for place in known]
    return BiasDirection(
        direction.key,
        _unit(vector, direction.key),
        tuple(a for a, _ in used),
        tuple(b for _, b in used),
        missing,
        "principal",
        float(scales[0] ** 2 / np.sum(scales**2)),
    )


def _unit(vector: np.ndarray, key: str) -> np.ndarray:
    length = np.linalg.norm(vector)
    if not length > 1e-12:
        raise UserError(f"Direction {key!r}: the two groups have the same vector. Give groups with different words.")
    return vector / length


def direct_bias(cosines: np.ndarray, strictness: float = 1.0) -> float:
    """DirectBias: mean of |cos(w, d)|^c over words that should be neutral; 0 is none, 1 the most.

    cosines     (words,) of the neutral words with the direction; strictness is c (Bolukbasi et al. 2016)
    """
    if len(cosines) == 0:
        raise UserError("DirectBias of no words is undefined: none of the neutral words is in the vocabulary.")
    return float(np.mean(leaning(cosines, strictness)))


def leaning(cosines: np.ndarray, strictness: float = 1.0) -> np.ndarray:
    """|cos|^c, the leaning of each word along a direction, whichever way."""
    return np.abs(cosines) if strictness == 1 else np.abs(cosines) ** strictness


def chance_directions(unit: np.ndarray, sizes: tuple[int, int], draws: int, rng: np.random.Generator) -> np.ndarray:
    """(draws, dim) directions of length 1 made of random words, as many on each side as in a real one.

    unit  (words, dim) unit rows that the words are drawn from
    Any direction gives a DirectBias above 0: these give the level that a real one has to be compared with.
    """
    chosen = rng.integers(0, len(unit), (draws, sum(sizes)))  # a word twice in one direction is rare and harmless
    vectors = unit[chosen[:, : sizes[0]]].sum(axis=1) - unit[chosen[:, sizes[0] :]].sum(axis=1)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def indirect_bias(word: np.ndarray, other: np.ndarray, direction: np.ndarray) -> float:
    """β: the part of two words' similarity that is due to the direction.

    word, other, direction  (dim,) of length 1
    0 when neither word leans along the direction; positive when their similarity shrinks without it
    (Bolukbasi et al. 2016). Undefined (NaN) for words at right angles or on the direction itself.
    """
    similarity = float(word @ other)
    rests = [vector - (vector @ direction) * direction for vector in (word, other)]
    lengths = [float(np.linalg.norm(rest)) for rest in rests]
    if abs(similarity) < 1e-12 or min(lengths) < 1e-12:
        return float("nan")
    return (similarity - float(rests[0] @ rests[1]) / (lengths[0] * lengths[1])) / similarity
