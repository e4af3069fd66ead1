"""Why a document counts: its effect on one WEAT set, shared out among the pairs of words that carry it.

Between the vectors before (w) and after (w̃) the effect size is integrated along the straight line,

    B(w) − B(w̃) = − sum_i ∫₀¹ ∇_i B(w + t (w̃ − w)) dt · (w̃_i − w_i),

and a word's move is a sum over its cells, w̃_i − w_i = − sum_j H̃_i⁻¹ (change of the gradient through cell ij).
So each pair (word of the set, context) has a number of its own, and the numbers add up to the effect
(Aumann-Shapley shares; also known as integrated gradients).
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from biasorigin.attribution.bias_tests import BiasTests, effect_size_gradient, effect_sizes
from biasorigin.attribution.document_sets import Corpus, removed_cells, rest_of
from biasorigin.attribution.rows import CellRows, RowModel

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(24)


def explain_removal(
    cells: CellRows,
    models: Sequence[RowModel],
    tests: BiasTests,
    corpus: Corpus,
    documents: np.ndarray,
    test: int,
    estimator: str = "resolve_bias",
) -> pl.DataFrame:
    """The pairs that carry the effect of removing the documents on one test: word, context (vocabulary ids),
    amount (co-occurrence removed) and contribution (mean over models), largest first.

    A positive contribution raises the bias. The contributions sum to the effect that `remove_documents` gives.
    """
    rest = rest_of(cells, removed_cells(cells, corpus, documents))
    touched = np.flatnonzero(rest != cells.counts)
    row = np.repeat(np.arange(len(cells.words)), np.diff(cells.indptr))[touched]
    touched = touched[np.isin(row, tests.words_of(test))]
    row = np.repeat(np.arange(len(cells.words)), np.diff(cells.indptr))[touched]
    shares = np.mean([_shares(model, cells, rest, touched, row, tests, test, estimator) for model in models], axis=0)
    table = pl.DataFrame(
        {
            "word": cells.words[row],
            "context": cells.contexts[touched],
            "amount": cells.counts[touched] - rest[touched],
            "contribution": shares,
        }
    )
    return table.sort(pl.col("contribution").abs(), "word", "context", descending=[True, False, False])


def _shares(model, cells, rest, touched, row, tests, test, estimator) -> np.ndarray:
    moves = cell_moves(model, cells, rest, touched, row, estimator)  # (touched, dim)
    before = np.array(model.vectors)
    step = np.zeros_like(before)
    np.add.at(step, row, moves)
    after = before + step
    if estimator != "influence":
        after[[word for word in np.unique(row) if not rest[cells.of(word)].any()]] = 0.0  # exactly, not nearly
    total = effect_sizes(before, tests)[test] - effect_sizes(after, tests)[test]
    slope = np.zeros_like(before)
    for node, weight in zip(NODES, NODE_WEIGHTS, strict=True):
        slope += 0.5 * weight * effect_size_gradient(before + 0.5 * (node + 1.0) * step, tests, test)
    shares = -np.sum(slope[row] * moves, axis=1)
    return shares + _spread(total - shares.sum(), shares, cells, rest, touched, row)


def cell_moves(model, cells, rest, touched, row, estimator) -> np.ndarray:
    """(touched, dim) each touched cell's part of its word's move."""
    features = model.features[cells.contexts[touched]]
    predicted = np.sum(features * model.parameters[row], axis=1) + model.own[row]
    predicted = predicted + model.offsets[cells.contexts[touched]]
    old, new = cells.counts[touched], rest[touched]
    f_old, f_new = model.weighting(old), model.weighting(new)
    change = 2.0 * (f_new * (predicted - np.log(np.where(new > 0, new, 1.0))) - f_old * (predicted - np.log(old)))
    moves = np.empty((len(touched), model.dim))
    for word in np.unique(row):
        mine = np.flatnonzero(row == word)
        if estimator != "influence" and not rest[cells.of(word)].any():
            # The word is gone; each cell took its share of it.
            moves[mine] = -np.outer(old[mine] / old[mine].sum(), model.vectors[word])
            continue
        white = features[mine] @ model.whitener[word].T  # (cells, size)
        solved = white * change[mine][:, None]
        if estimator != "influence":
            lost = np.sqrt(np.maximum(0.0, 2.0 * (f_old[mine] - f_new[mine])))[:, None] * white
            solved = np.linalg.solve(np.eye(white.shape[1]) - lost.T @ lost, solved.T).T
        moves[mine] = -(solved @ model.whitener[word])[:, : model.dim]
    return moves


def _spread(missing: float, shares: np.ndarray, cells, rest, touched, row) -> np.ndarray:
    """What the integral misses: the jump of a word that loses its direction, else rounding; in proportion."""
    gone = np.array([not rest[cells.of(word)].any() for word in row], dtype=bool)
    weight = np.where(gone, cells.counts[touched], 0.0) if gone.any() else np.abs(shares)
    if weight.sum() == 0:
        return np.zeros_like(shares)
    return missing * weight / weight.sum()
