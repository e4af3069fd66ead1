"""Removing several documents at once, and the pairs that carry an effect."""

import dense_attribution as dense
import numpy as np
import pytest
from attribution_problem import ALPHA, TESTS, VOCABULARY, WINDOW, X_MAX, make_problem

from biasorigin.attribution.bias_tests import effect_size_gradient, effect_sizes
from biasorigin.attribution.document_sets import remove_documents
from biasorigin.attribution.explain import explain_removal

ESTIMATORS = ["influence", "resolve", "resolve_bias"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_set_of_documents_equals_the_textbook_on_their_sum(estimator):
    problem = make_problem(7)
    chosen = [0, 3, 5, 8, 40, 42, len(problem.documents) - 1]
    model = problem.model(estimator == "resolve_bias")
    fast = remove_documents(problem.cells, [model], problem.tests, problem.corpus, chosen, estimator)
    # A separator keeps the documents' windows apart; it stands for the sum of their matrices.
    rest = problem.X - sum(dense.document_matrix(problem.documents[k], VOCABULARY, WINDOW) for k in chosen)
    w = problem.w.copy()
    for i in problem.tests.rows:
        arguments = (problem.u, problem.b, problem.c, X_MAX, ALPHA, problem.ridge)
        if estimator == "influence":
            change = dense.gradient(i, rest, problem.w, *arguments) - dense.gradient(
                i, problem.X, problem.w, *arguments
            )
            w[i] = w[i] - np.linalg.solve(dense.hessian(i, problem.X, problem.u, X_MAX, ALPHA, problem.ridge), change)
        elif not np.any(rest[i] > 1e-9):
            w[i] = 0
        else:
            bias = problem.b[i] if estimator == "resolve" else None
            w[i] = dense.solve_row(i, rest, problem.u, problem.c, X_MAX, ALPHA, problem.ridge, bias)[: w.shape[1]]
    expected = [dense.weat(w, test) for test in TESTS.values()]
    np.testing.assert_allclose(fast.after[0], expected, atol=1e-9)
    assert fast.emptied.tolist() == [int(np.searchsorted(problem.tests.rows, 19))]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_set_of_one_is_the_document_itself(estimator):
    problem = make_problem(8)
    model = problem.model(estimator == "resolve_bias")
    single = problem.fast(estimator)
    for k in range(len(problem.documents)):
        together = remove_documents(problem.cells, [model], problem.tests, problem.corpus, [k], estimator)
        np.testing.assert_allclose(together.effect[0], single[k], atol=1e-10)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_pair_contributions_sum_to_the_effect(estimator):
    problem = make_problem(9)
    models = [problem.model(estimator == "resolve_bias")]
    last = len(problem.documents) - 1  # holds all of word 19's co-occurrences
    for documents in ([0], [42], [last], [1, 2, 3, 40, last], [41]):
        removal = remove_documents(problem.cells, models, problem.tests, problem.corpus, documents, estimator)
        for test in range(len(TESTS)):
            table = explain_removal(problem.cells, models, problem.tests, problem.corpus, documents, test, estimator)
            assert table["contribution"].sum() == pytest.approx(removal.effect[0, test], abs=1e-9)
            assert (table["amount"] > 0).all()


def test_gradient_of_the_effect_size_is_its_slope():
    rng = np.random.default_rng(0)
    problem = make_problem(1)
    vectors = rng.normal(size=(len(problem.tests.rows), 4))
    for test in range(len(TESTS)):
        slope = effect_size_gradient(vectors, problem.tests, test)
        step = 1e-6 * rng.normal(size=vectors.shape)
        up, down = (effect_sizes(vectors + sign * step, problem.tests)[test] for sign in (1, -1))
        assert np.sum(slope * step) == pytest.approx((up - down) / 2, rel=1e-5)
