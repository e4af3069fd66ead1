"""The GloVe objective of single words with everything else held fixed: a ridge regression for each word.

With the contexts fixed, word i's part of the GloVe objective is

    J_i(v) = sum_j f(X_ij) (v·z_j + o_i + c_j − log X_ij)² + ridge |w_i|²

where either v = w_i, z_j = u_j and o_i = b_i (the bias stays, as in the paper), or v = (w_i, b_i), z_j = (u_j, 1)
and o_i = 0 (the bias is solved for too, as the trainer's finishing step does). Biases are not penalised.
"""

import logging
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from biasorigin.errors import UserError

logger = logging.getLogger(__name__)

# A pivot below this share of the largest one counts as zero.
SMALLEST_PIVOT = 1e-7
# What is added to a singular Hessian's diagonal, as a share of its mean diagonal.
REGULARISATION = 1e-4


@dataclass(frozen=True)
class Weighting:
    """The weights of the objective: f(x) = min(1, (x / x_max)^alpha), and the penalty on vectors."""

    x_max: float = 100.0
    alpha: float = 0.75
    ridge: float = 0.0

    def __call__(self, counts: np.ndarray) -> np.ndarray:
        """f of each count; 0 for 0."""
        return np.minimum(1.0, (np.asarray(counts, dtype=np.float64) / self.x_max) ** self.alpha)


@dataclass(frozen=True)
class CellRows:
    """Some words' rows of the co-occurrence matrix, and the smallest amount that a cell can hold.

    words    (rows,) int64 vocabulary ids
    indptr   (rows + 1,) int64
    contexts (cells,) int64 vocabulary ids, ascending within a row
    counts   (cells,) float64, above 0
    quantum  counts are whole multiples of it, so less than half of it is nothing
    """

    words: np.ndarray
    indptr: np.ndarray
    contexts: np.ndarray
    counts: np.ndarray
    quantum: float

    def of(self, row: int) -> slice:
        """The cells of a row."""
        return slice(int(self.indptr[row]), int(self.indptr[row + 1]))


@dataclass(frozen=True)
class RowModel:
    """One trained model, seen from the words of interest.

    parameters (rows, size) float64: w_i, or (w_i, b_i)
    features   (vocabulary, size) float64: u_j, or (u_j, 1)
    own        (rows,) float64: b_i, or 0
    offsets    (vocabulary,) float64: c_j
    whitener   (rows, size, size) float64: inverse of the lower Cholesky factor of the Hessian
    added      (rows,) float64: what was added to a singular Hessian's diagonal, else 0
    dim        number of vector entries among the parameters
    """

    parameters: np.ndarray
    features: np.ndarray
    own: np.ndarray
    offsets: np.ndarray
    whitener: np.ndarray
    added: np.ndarray
    dim: int
    weighting: Weighting

    @property
    def vectors(self) -> np.ndarray:
        """(rows, dim) word vectors."""
        return self.parameters[:, : self.dim]

    @property
    def penalty(self) -> np.ndarray:
        """(size,) second derivative of the penalty."""
        return penalty_of(self.weighting, self.dim, self.parameters.shape[1])


def penalty_of(weighting: Weighting, dim: int, size: int) -> np.ndarray:
    """(size,) diagonal that the ridge adds to a Hessian: 2 ridge for vector entries, 0 for a bias."""
    return np.where(np.arange(size) < dim, 2.0 * weighting.ridge, 0.0)


def select_rows(indptr: np.ndarray, indices: np.ndarray, values: np.ndarray, words: np.ndarray, denominator: int):
    """The rows of the given vocabulary ids out of a CSR co-occurrence matrix."""
    sizes = indptr[words + 1] - indptr[words]
    parts = [slice(int(indptr[word]), int(indptr[word + 1])) for word in words]
    empty = np.zeros(0)
    return CellRows(
        words=np.asarray(words, dtype=np.int64),
        indptr=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        contexts=np.concatenate([indices[part] for part in parts] or [empty]).astype(np.int64),
        counts=np.concatenate([values[part] for part in parts] or [empty]).astype(np.float64),
        quantum=1.0 / denominator,
    )


def row_model(
    cells: CellRows,
    vectors: np.ndarray,
    contexts: np.ndarray,
    biases: np.ndarray,
    weighting: Weighting,
    *,
    solve_bias: bool,
) -> RowModel:
    """See a GloVe model (vectors, contexts (vocabulary, dim); biases (2, vocabulary)) from the words of `cells`."""
    words, dim = cells.words, vectors.shape[1]
    parameters = np.asarray(vectors[words], dtype=np.float64)
    features = np.asarray(contexts, dtype=np.float64)
    own = np.asarray(biases[0][words], dtype=np.float64)
    if solve_bias:
        parameters = np.column_stack([parameters, own])
        features = np.column_stack([features, np.ones(len(features))])
        own = np.zeros_like(own)
    if not all(np.isfinite(array).all() for array in (parameters, features, own)):
        raise UserError("The embedding holds numbers that are not finite; train it anew with a smaller learning rate.")
    penalty = penalty_of(weighting, dim, parameters.shape[1])
    whitener, added = np.empty((len(words), parameters.shape[1], parameters.shape[1])), np.zeros(len(words))
    for row in range(len(words)):
        part = cells.of(row)
        hessian = hessian_of(cells.counts[part], features[cells.contexts[part]], weighting, penalty)
        whitener[row], added[row] = whitener_of(hessian)
    return RowModel(
        parameters=np.ascontiguousarray(parameters),
        features=np.ascontiguousarray(features),
        own=own,
        offsets=np.asarray(biases[1], dtype=np.float64),
        whitener=whitener,
        added=added,
        dim=dim,
        weighting=weighting,
    )


def hessian_of(counts: np.ndarray, features: np.ndarray, weighting: Weighting, penalty: np.ndarray) -> np.ndarray:
    """(size, size) H = sum_j 2 f(X_j) z_j z_jᵀ + penalty, for one row's counts (cells,) and features (cells, size)."""
    weighted = features * np.sqrt(2.0 * weighting(counts))[:, None]
    return weighted.T @ weighted + np.diag(penalty)


def whitener_of(hessian: np.ndarray) -> tuple[np.ndarray, float]:
    """L⁻¹ with L Lᵀ = H, and what had to be added to the diagonal of a singular H (0 for a regular one)."""
    size, added = len(hessian), 0.0
    mean = max(float(np.trace(hessian)) / size, np.finfo(float).tiny)
    while True:
        try:
            factor = np.linalg.cholesky(hessian + added * np.eye(size))
            pivots = np.diag(factor) ** 2
            if pivots.min() > SMALLEST_PIVOT * pivots.max():
                return linalg.solve_triangular(factor, np.eye(size), lower=True), added
        except np.linalg.LinAlgError:
            pass
        added = max(10.0 * added, REGULARISATION * mean, 1e-12)
