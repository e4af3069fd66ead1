"""A small random corpus and a GloVe model that is stationary on it, for the attribution tests."""

from dataclasses import dataclass

import dense_attribution as dense
import numpy as np

from biasorigin.attribution.bias_tests import BiasTests, lay_out
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.influence import differential_bias
from biasorigin.attribution.rows import CellRows, Weighting, row_model, select_rows
from biasorigin.cooccurrence import Cooccurrence, count_cooccurrence

X_MAX, ALPHA, WINDOW, DIM, VOCABULARY = 6.0, 0.75, 4, 4, 60
TESTS = {
    "one": ([0, 1, 2], [3, 4, 5], [6, 7], [8, 9]),
    "two": ([0, 1], [10, 11], [12], [13, 14]),
    "unequal": ([2, 3, 15], [16, 17], [6, 18, 19], [9]),
}


@dataclass
class Problem:
    """Everything that the fast path and its dense twin need."""

    documents: list[list[int]]
    tokens: np.ndarray
    offsets: np.ndarray
    X: np.ndarray
    cooccurrence: Cooccurrence
    cells: CellRows
    tests: BiasTests
    w: np.ndarray
    u: np.ndarray
    b: np.ndarray
    c: np.ndarray
    ridge: float

    def model(self, solve_bias: bool):
        weighting = Weighting(X_MAX, ALPHA, self.ridge)
        return row_model(self.cells, self.w, self.u, np.array([self.b, self.c]), weighting, solve_bias=solve_bias)

    @property
    def corpus(self):
        return Corpus(self.tokens, self.offsets, VOCABULARY, WINDOW)

    def fast(self, estimator="resolve_bias", **options):
        model = self.model(solve_bias=estimator == "resolve_bias")
        return differential_bias(self.cells, [model], self.tests, self.corpus, estimator, **options)[0]

    def dense(self, documents, estimator):
        return dense.differential_bias(
            documents, self.X, self.w, self.u, self.b, self.c, list(TESTS.values()), WINDOW, X_MAX, ALPHA,
            self.ridge, estimator,
        )  # fmt: skip


def make_problem(seed: int, ridge: float = 0.05, stationary: bool = True) -> Problem:
    """Random documents, among them the awkward ones: see the comments."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, 59)
    documents = [rng.choice(58, size=rng.integers(5, 30), p=share / share.sum()).tolist() for _ in range(40)]
    documents.append([20, 58, 21, 0, 22])  # word 58 occurs nowhere else: its cells drop to 0
    documents.append([25, 26, 27, 28])  # no word of a test
    documents.append([0, 0, 0, 1, 0, 3, 0])  # repeated words
    documents.append([0])  # no co-occurrence at all
    documents.append([])
    # Word 19 is seen in one document only, so its row vanishes with it.
    documents = [[word for word in document if word != 19] for document in documents]
    documents.append([30, 31, 19, 32, 33, 34, 0, 35, 36])
    offsets = np.concatenate([[0], np.cumsum([len(document) for document in documents])]).astype(np.int64)
    tokens = np.array([word for document in documents for word in document], dtype=np.int32)
    cooccurrence = count_cooccurrence(tokens, offsets, VOCABULARY, WINDOW)
    X = sum(dense.document_matrix(document, VOCABULARY, WINDOW) for document in documents)
    tests = lay_out({key: tuple(np.array(side) for side in sides) for key, sides in TESTS.items()})
    cells = select_rows(
        cooccurrence.indptr, cooccurrence.indices, cooccurrence.values, tests.rows, cooccurrence.denominator
    )
    w, u = rng.normal(size=(2, VOCABULARY, DIM))
    b, c = 0.3 * rng.normal(size=(2, VOCABULARY))
    if stationary:
        for i in tests.rows:
            row = dense.solve_row(i, X, u, c, X_MAX, ALPHA, ridge)
            w[i], b[i] = row[:-1], row[-1]
    return Problem(documents, tokens, offsets, X, cooccurrence, cells, tests, w, u, b, c, ridge)
