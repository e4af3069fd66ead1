"""The debiasing methods, from an embedding and its word lists to new vectors."""

import logging
from dataclasses import dataclass

import numpy as np
import polars as pl

from biasorigin.embedding import Embedding
from biasorigin.mitigation.certificate import certify
from biasorigin.mitigation.problem import make_problem
from biasorigin.mitigation.sdp import solve_sdp
from biasorigin.mitigation.seeds import SeedWords
from biasorigin.mitigation.subspace import hard_debias, join_subspaces, pair_subspace, remove_components
from biasorigin.mitigation.vectors import (
    apply_transform,
    direction_matrix,
    direction_rows,
    direction_vector,
    found_pairs,
    unit_and_lengths,
)
from biasorigin.mitigation.weight import cross_validate, smallest_sufficient
from biasorigin.wordsets import Direction

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Debiased:
    """New vectors (words, dim) float32 in the rows of the old; what was done; and, where λ was chosen, how."""

    vectors: np.ndarray
    facts: dict
    choice: pl.DataFrame | None = None


@dataclass(frozen=True)
class WeightRule:
    """λ itself, or (weight None) the multiples of the natural λ among which cross-validation chooses."""

    weight: float | None = None
    multiples: tuple[float, ...] = (0.001, 0.01, 0.1, 1.0, 10.0)
    folds: int = 5


def debias_by_sdp(
    embedding: Embedding,
    directions: tuple[Direction, ...],
    seeds: SeedWords,
    rule: WeightRule,
    tolerance: float = 1e-11,
) -> Debiased:
    """Eq. (4) of Bolukbasi et al. 2016 (ICML workshop), on unit vectors; the map is applied to the vectors as they are.

    The background A is every word but the seeds, the held-out ones too, and the words of the directions.
    """
    unit, _ = unit_and_lengths(embedding.vectors)
    matrix = direction_matrix(embedding, unit, directions)
    named = np.concatenate([rows for one in directions for rows in direction_rows(embedding, one)])
    training = seeds.training[~np.isin(seeds.training, named)]
    background = np.setdiff1d(np.arange(len(unit)), np.concatenate([seeds.training, seeds.held_out, named]))
    problem = make_problem(unit[background], unit[training], matrix)
    natural, weight, choice = problem.natural_weight(), rule.weight, None
    if weight is None:
        scores = cross_validate(problem.gram, problem.seeds, matrix, list(rule.multiples), rule.folds)
        multiple, choice = smallest_sufficient(scores)
        weight = multiple * natural
    solution = solve_sdp(problem, weight, tolerance=tolerance)
    certificate = certify(problem, weight, solution.metric)
    logger.info("lambda %.4g: %d steps, relative duality gap %.1e", weight, solution.steps, certificate.gap)
    facts = {
        "lambda": weight,
        "lambda_multiple": weight / natural if natural else 0.0,
        "seed_words": len(training),
        "background_words": len(background),
        "steps": solution.steps,
        "restarts": solution.restarts,
        "certificate": certificate.facts(),
    }
    return Debiased(apply_transform(embedding.vectors, solution.transform), facts, choice)


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


def debias_hard(
    embedding: Embedding,
    directions: tuple[Direction, ...],
    keep: tuple[str, ...],
    equalise: Direction | None,
    components: int = 1,
) -> Debiased:
    """Neutralise all words but the definitional ones, equalise the pairs; the vectors keep their former lengths."""
    unit, lengths = unit_and_lengths(embedding.vectors)
    basis = bias_subspace(embedding, unit, directions, components)
    pairs = found_pairs(embedding, equalise) if equalise else []
    definitional = embedding.find(list(keep))[0].tolist()
    for direction in (*directions, *((equalise,) if equalise else ())):
        definitional += np.concatenate(direction_rows(embedding, direction)).tolist()
    kept = np.unique(np.array(definitional, dtype=np.int64))
    moved = hard_debias(unit, basis, kept, pairs) * lengths[:, None]
    facts = {"components": len(basis), "kept_words": len(kept), "equalised_pairs": len(pairs)}
    return Debiased(moved.astype(np.float32), facts)


def debias_by_components(embedding: Embedding, directions: tuple[Direction, ...], components: int = 1) -> Debiased:
    """Take the bias subspace out of every word, definitional ones too."""
    unit, _ = unit_and_lengths(embedding.vectors)
    basis = bias_subspace(embedding, unit, directions, components)
    transform = remove_components(np.eye(embedding.dim), basis)
    return Debiased(apply_transform(embedding.vectors, transform), {"components": len(basis)})
