"""The fast path against the textbook formula, for every document and every set."""

import numpy as np
import pytest
from attribution_problem import make_problem

from biasorigin.attribution.influence import differential_bias


@pytest.mark.parametrize("estimator", ["influence", "resolve", "resolve_bias"])
@pytest.mark.parametrize("seed", range(5))
def test_fast_path_equals_the_textbook(seed, estimator):
    problem = make_problem(seed)
    model = problem.model(solve_bias=estimator == "resolve_bias")
    fast = differential_bias(problem.by_document(), problem.cells, [model], problem.tests, estimator)[0]
    expected = problem.dense(problem.documents, estimator)
    assert np.abs(expected).max() > 0.05
    np.testing.assert_allclose(fast, expected, atol=1e-9, rtol=0)


def test_formula_does_not_need_stationarity():
    problem = make_problem(11, stationary=False)
    fast = differential_bias(problem.by_document(), problem.cells, [problem.model(False)], problem.tests, "influence")
    np.testing.assert_allclose(fast[0], problem.dense(problem.documents, "influence"), atol=1e-9, rtol=0)


def test_documents_without_a_word_of_the_set_have_exactly_zero():
    problem = make_problem(3)
    fast = differential_bias(problem.by_document(), problem.cells, [problem.model(True)], problem.tests)[0]
    for position, sides in enumerate(problem.tests.bounds):
        words = set(problem.tests.rows[problem.tests.members[sides[0] : sides[4]]].tolist())
        for k, document in enumerate(problem.documents):
            if not words & set(document):
                assert fast[k, position] == 0.0


def test_threads_and_seeds_do_not_change_a_byte():
    problem = make_problem(4)
    models = [problem.model(True), make_problem(5).model(True)]
    models[1] = models[0]
    once = differential_bias(problem.by_document(), problem.cells, models, problem.tests, threads=1)
    again = differential_bias(problem.by_document(), problem.cells, models[:1], problem.tests, threads=2)
    assert once[0].tobytes() == once[1].tobytes() == again[0].tobytes()
