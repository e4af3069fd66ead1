"""The debiasing methods, from an embedding and its word lists to new vectors."""

import logging
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.mitigation.certificate import certify
from biasorigin.mitigation.problem import DebiasProblem, gram_of
from biasorigin.mitigation.sdp import solve_sdp
from biasorigin.mitigation.subspace import hard_debias, join_subspaces, pair_subspace, remove_components
from biasorigin.mitigation.vectors import (
    apply_transform,
    direction_rows,
    direction_vector,
    found_pairs,
    found_rows,
    most_associated,
    split_words,
    unit_and_lengths,
)
from biasorigin.mitigation.weight import cross_validate, smallest_sufficient
from biasorigin.wordsets import Direction

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Lists:
    """The words that say what the bias is and where it should go.

    directions: the biases to remove; seeds: words that should be neutral; keep: words that are gendered (or the like)
    by definition; equalise: pairs to be told apart by the bias subspace alone. `total` seeds are reached by adding the
    words most associated with the directions; `training_share` of the seeds go to the solver, the rest is held out.
    """

    directions: tuple[Direction, ...]
    seeds: tuple[str, ...]
    keep: tuple[str, ...] = ()
    equalise: Direction | None = None
    total: int = 0
    training_share: float = 1.0
    salt: str = "seed words"


@dataclass(frozen=True)
class SeedWords:
    """Rows of the seed words: those that the solver sees, and those held out."""

    training: np.ndarray
    held_out: np.ndarray


@dataclass(frozen=True)
class Debiased:
    """New vectors (words, dim) float32 in the rows of the old; what was done; and, where λ was chosen, how."""

    vectors: np.ndarray
    facts: dict
    choice: pl.DataFrame | None = None
    transform: np.ndarray | None = field(default=None, repr=False)


def direction_matrix(embedding: Embedding, unit: np.ndarray, directions: tuple[Direction, ...]) -> np.ndarray:
    """B of the paper with rows of length one, (directions, dim)."""
    if not directions:
        raise UserError("There is no bias direction: name one or more directions to remove.")
    return np.stack([direction_vector(unit, *direction_rows(embedding, one)) for one in directions])


def choose_seeds(embedding: Embedding, unit: np.ndarray, lists: Lists) -> SeedWords:
    """Seed words of the lists and, up to `total`, the words most associated with the directions; split in two."""
    rows, _ = found_rows(embedding, lists.seeds, "Seed words")
    never = set(embedding.find(list(lists.keep))[0].tolist())
    for direction in lists.directions:
        never.update(np.concatenate(direction_rows(embedding, direction)).tolist())
    seeds = [int(row) for row in rows if row not in never]
    if dropped := [embedding.words[row] for row in rows if row in never]:
        logger.info("%d seed words are gendered by definition and not used (%s)", len(dropped), listing(dropped))
    if (wanted := lists.total - len(seeds)) > 0:
        seeds += _most_associated_rows(embedding, unit, lists.directions, never | set(seeds), wanted)
    if not seeds:
        raise UserError("No seed words are left after taking out the definitional ones: give words to make neutral.")
    training, held_out = split_words([embedding.words[row] for row in seeds], lists.training_share, lists.salt)
    index = embedding.index
    return SeedWords(
        np.array([index[word] for word in training], dtype=np.int64),
        np.array([index[word] for word in held_out], dtype=np.int64),
    )


def _most_associated_rows(
    embedding: Embedding, unit: np.ndarray, directions: tuple[Direction, ...], never: set[int], wanted: int
) -> list[int]:
    chosen: list[int] = []
    matrix = direction_matrix(embedding, unit, directions)
    for number, vector in enumerate(matrix):
        left = (wanted - len(chosen)) // (len(matrix) - number)
        sides = most_associated(embedding, unit @ vector, never | set(chosen), left)
        chosen += [int(row) for row in np.concatenate(sides)]
    return chosen


def background_rows(embedding: Embedding, lists: Lists, seeds: SeedWords) -> np.ndarray:
    """Rows of A: all words but the seeds, the held-out ones too, and the words of the directions."""
    inside = np.ones(len(embedding.words), dtype=bool)
    inside[seeds.training] = inside[seeds.held_out] = False
    for direction in lists.directions:
        inside[np.concatenate(direction_rows(embedding, direction))] = False
    return np.flatnonzero(inside)


def debias_by_sdp(
    embedding: Embedding, lists: Lists, *, weight: float | None, multiples: list[float], folds: int, tolerance: float
) -> Debiased:
    """Eq. (4) of Bolukbasi et al. 2016 (ICML workshop), on unit vectors; the map is applied to the vectors as they are.

    weight: λ, or None to choose among `multiples` of the natural λ by cross-validation on the training seeds.
    """
    unit, _ = unit_and_lengths(embedding.vectors)
    seeds = choose_seeds(embedding, unit, lists)
    directions = direction_matrix(embedding, unit, lists.directions)
    background = background_rows(embedding, lists, seeds)
    problem = DebiasProblem(gram_of(unit[background]), unit[seeds.training], directions)
    choice = None
    if weight is None:
        scores = cross_validate(problem.gram, problem.seeds, directions, multiples, folds)
        multiple, choice = smallest_sufficient(scores)
        weight = multiple * problem.natural_weight()
    solution = solve_sdp(problem, weight, tolerance=tolerance)
    certificate = certify(problem, weight, solution.metric)
    logger.info("lambda %.4g: %d steps, relative duality gap %.1e", weight, solution.steps, certificate.gap)
    natural = problem.natural_weight()
    facts = {
        "lambda": weight,
        "lambda_multiple": weight / natural if natural else 0.0,
        "seeds": len(seeds.training),
        "held_out": len(seeds.held_out),
        "background": len(background),
        "steps": solution.steps,
        "restarts": solution.restarts,
        "certificate": certificate.facts(),
    }
    return Debiased(apply_transform(embedding.vectors, solution.transform), facts, choice, solution.transform)


def bias_subspace(
    embedding: Embedding, unit: np.ndarray, directions: tuple[Direction, ...], components: int
) -> np.ndarray:
    """Orthonormal rows that span all directions: principal components of pairs, or the difference of two means.

    A direction given by several pairs gives `components` rows; one given by two groups of words gives one.
    """
    bases = []
    for direction in directions:
        if len(direction.pairs) > 1:
            rows = np.array(found_pairs(embedding, direction))
            bases.append(pair_subspace(unit[rows[:, 0]], unit[rows[:, 1]], components))
        else:
            bases.append(direction_vector(unit, *direction_rows(embedding, direction))[None])
    return join_subspaces(bases)


def debias_hard(embedding: Embedding, lists: Lists, components: int) -> Debiased:
    """Neutralise all words but the definitional ones, equalise the pairs; the vectors keep their former lengths."""
    unit, lengths = unit_and_lengths(embedding.vectors)
    basis = bias_subspace(embedding, unit, lists.directions, components)
    pairs = found_pairs(embedding, lists.equalise) if lists.equalise else []
    definitional = embedding.find(list(lists.keep))[0].tolist()
    for direction in (*lists.directions, *([lists.equalise] if lists.equalise else [])):
        definitional += np.concatenate(direction_rows(embedding, direction)).tolist()
    keep = np.unique(np.array(definitional, dtype=np.int64))
    moved = hard_debias(unit, basis, keep, pairs) * lengths[:, None]
    facts = {"components": len(basis), "kept": len(keep), "equalised_pairs": len(pairs)}
    return Debiased(moved.astype(np.float32), facts)


def debias_by_components(embedding: Embedding, lists: Lists, components: int) -> Debiased:
    """Take the bias subspace out of every word, definitional ones too."""
    unit, _ = unit_and_lengths(embedding.vectors)
    basis = bias_subspace(embedding, unit, lists.directions, components)
    transform = remove_components(np.eye(embedding.dim), basis)
    facts = {"components": len(basis)}
    return Debiased(apply_transform(embedding.vectors, transform), facts, transform=transform)
