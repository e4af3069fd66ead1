"""The bias subspace, and the two classical ways to take it out of word vectors."""

import numpy as np

from biasorigin.errors import UserError


def pair_subspace(first: np.ndarray, second: np.ndarray, components: int) -> np.ndarray:
    """Leading principal directions of word pairs around their own middles, orthonormal rows (components, dim).

    first, second: unit vectors (pairs, dim). The first row points from the second words to the first.
    Reference: Bolukbasi et al. 2016, Man is to Computer Programmer, section 5.1.
    """
    middle = (first + second) / 2
    centred = np.concatenate([first - middle, second - middle])  # (2 pairs, dim)
    _, values, directions = np.linalg.svd(centred, full_matrices=False)
    rank = int(np.sum(values > 1e-6 * values[0])) if len(values) and values[0] > 0 else 0
    if components < 1 or components > rank:
        raise UserError(
            f"{components} components of the bias subspace were asked for; {len(first)} pairs give 1 to {rank}. "
            "Give more pairs or ask for fewer components."
        )
    basis = directions[:components]
    sides = (first - second) @ basis.T  # (pairs, components)
    return basis * np.where(sides.sum(axis=0) < 0, -1.0, 1.0)[:, None]


def join_subspaces(bases: list[np.ndarray]) -> np.ndarray:
    """Orthonormal rows that span several subspaces at once, e.g. gender and race, (sum of rows or fewer, dim)."""
    if len(bases) == 1:
        return bases[0]
    _, values, directions = np.linalg.svd(np.concatenate(bases), full_matrices=False)
    return directions[values > 1e-6 * values[0]]


def remove_components(vectors: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Vectors (words, dim) without their part in the subspace of orthonormal rows `basis` (k, dim)."""
    return vectors - (vectors @ basis.T) @ basis


def equalise(unit: np.ndarray, pairs: list[tuple[int, int]], basis: np.ndarray) -> np.ndarray:
    """Unit vectors in which the two words of each pair differ in nothing but the bias subspace, and are alike long.

    Both keep their common part outside of the subspace; a pair with the same part inside it is left as it is.
    """
    moved = unit.copy()
    for first, second in pairs:
        middle = (unit[first] + unit[second]) / 2
        outside = remove_components(middle[None], basis)[0]
        inside = ((unit[first] - unit[second]) / 2 @ basis.T) @ basis  # half the difference, within the subspace
        length = np.linalg.norm(inside)
        if length < 1e-12:
            continue
        reach = np.sqrt(max(0.0, 1.0 - outside @ outside)) / length
        moved[first], moved[second] = outside + reach * inside, outside - reach * inside
    return moved


def hard_debias(unit: np.ndarray, basis: np.ndarray, keep: np.ndarray, pairs: list[tuple[int, int]]) -> np.ndarray:
    """Neutralise every word but those in `keep` (rows), then equalise the pairs; unit vectors (words, dim) in and out.

    Reference: Bolukbasi et al. 2016, Man is to Computer Programmer, section 6, step 2a.
    """
    neutral = remove_components(unit, basis)
    lengths = np.linalg.norm(neutral, axis=1, keepdims=True)
    neutral = np.where(lengths > 1e-12, neutral / np.maximum(lengths, 1e-12), 0.0)
    neutral[keep] = unit[keep]
    return equalise(neutral, pairs, basis)
