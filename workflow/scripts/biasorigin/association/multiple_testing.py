"""Correction for asking many questions at once."""

import numpy as np


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Adjusted p-values that bound the false discovery rate (Benjamini and Hochberg 1995).

    p  (tests,) raw p-values; NaN marks a test that could not be made: it stays NaN and does not count
    Calling every test with an adjusted value of at most alpha a discovery keeps the expected share of false
    discoveries at alpha.
    """
    p = np.asarray(p, np.float64)
    adjusted = np.full(len(p), np.nan)
    made = np.flatnonzero(~np.isnan(p))
    if len(made) == 0:
        return adjusted
    order = made[np.argsort(p[made], kind="stable")]
    scaled = p[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return adjusted
