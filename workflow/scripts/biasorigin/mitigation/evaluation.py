"""The evaluation of Bolukbasi et al. (2016, ICML workshop, section 3), and bias along a direction."""

import numpy as np

from biasorigin.errors import UserError
from biasorigin.mitigation.gonen_goldberg import Estimate


def variance_with_interval(values: np.ndarray, generator: np.random.Generator, resamples: int = 2000) -> Estimate:
    """Variance of projections (words,) and its 95 % bootstrap interval over words."""
    if len(values) < 2:
        raise UserError(f"A variance needs two or more words; {len(values)} are in the vocabulary.")
    drawn = generator.integers(0, len(values), size=(resamples, len(values)))
    low, high = np.quantile(values[drawn].var(axis=1), [0.025, 0.975])
    return Estimate(float(values.var()), float(low), float(high), len(values))


def direct_bias(
    unit: np.ndarray,
    rows: np.ndarray,
    direction: np.ndarray,
    generator: np.random.Generator,
    *,
    strictness: float = 1.0,
    resamples: int = 2000,
) -> Estimate:
    """Mean of |cos(word, direction)|^c over neutral words, c = strictness; 0: no bias along the direction.

    unit: (words, dim); rows: the neutral words; direction: (dim,) of length one. 95 % bootstrap interval over words.
    Reference: Bolukbasi et al. 2016, Man is to Computer Programmer, section 5.2.
    """
    if len(rows) == 0:
        raise UserError("DirectBias needs neutral words; none of them is in the vocabulary.")
    sizes = np.abs(unit[rows] @ direction) ** strictness
    drawn = generator.integers(0, len(sizes), size=(resamples, len(sizes)))
    low, high = np.quantile(sizes[drawn].mean(axis=1), [0.025, 0.975])
    return Estimate(float(sizes.mean()), float(low), float(high), len(sizes))
