"""The fast path against the textbook formula, for every document and every set."""

import dense_attribution as dense
import numpy as np
import pytest
from attribution_problem import VOCABULARY, WINDOW, make_problem

from biasorigin.attribution import document_cells, influence, kernels
from biasorigin.attribution.influence import differential_bias
from biasorigin.cooccurrence import integer_weights


@pytest.mark.parametrize("estimator", ["influence", "resolve", "resolve_bias"])
@pytest.mark.parametrize("seed", range(5))
def test_fast_path_equals_the_textbook(seed, estimator):
    problem = make_problem(seed)
    expected = problem.dense(problem.documents, estimator)
    assert np.abs(expected).max() > 0.05
    np.testing.assert_allclose(problem.fast(estimator), expected, atol=1e-9, rtol=0)


def test_formula_does_not_need_stationarity():
    problem = make_problem(11, stationary=False)
    expected = problem.dense(problem.documents, "influence")
    np.testing.assert_allclose(problem.fast("influence"), expected, atol=1e-9, rtol=0)


def test_documents_without_a_word_of_the_set_have_exactly_zero():
    problem = make_problem(3)
    fast = problem.fast()
    for position, sides in enumerate(problem.tests.bounds):
        words = set(problem.tests.rows[problem.tests.members[sides[0] : sides[4]]].tolist())
        for k, document in enumerate(problem.documents):
            if not words & set(document):
                assert fast[k, position] == 0.0


def test_cells_of_documents_are_those_of_a_count_by_hand():
    problem = make_problem(6)
    row_of = np.full(VOCABULARY, -1, np.int32)
    row_of[problem.cells.words] = np.arange(len(problem.cells.words))
    weights, denominator = integer_weights(WINDOW)
    first, last = 3, len(problem.documents)
    document_start, row, start, columns, sums = document_cells.pair_up(
        problem.tokens, problem.offsets, first, last, row_of, len(problem.cells.words), weights
    )
    for k in range(first, last):
        counted = np.zeros((len(problem.cells.words), VOCABULARY))
        for pair in range(document_start[k - first], document_start[k - first + 1]):
            cells = slice(start[pair], start[pair + 1])
            assert len(set(columns[cells].tolist())) == cells.stop - cells.start > 0
            counted[row[pair], columns[cells]] = sums[cells] / denominator
        expected = dense.document_matrix(problem.documents[k], VOCABULARY, WINDOW)[problem.cells.words]
        np.testing.assert_allclose(counted, expected, rtol=1e-14)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.9, 1 - 1e-6])
def test_a_lighter_hessian_is_solved_whether_little_or_nearly_all_of_it_is_lost(share):
    rng = np.random.default_rng(0)
    size = 40
    lost, right = rng.normal(size=(60, size)), rng.normal(size=size)
    lost *= np.sqrt(share / np.linalg.eigvalsh(lost.T @ lost).max())
    expected = np.linalg.solve(np.eye(size) - lost.T @ lost, right)
    solution = right.copy()
    kernels.solve_downdated(lost, len(lost), solution, *np.empty((4, size)))
    np.testing.assert_allclose(solution, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_threads_blocks_and_seeds_do_not_change_a_byte(monkeypatch):
    problem = make_problem(4)
    models = [problem.model(True)] * 2
    monkeypatch.setattr(influence, "BLOCK", 5)
    once = differential_bias(problem.cells, models, problem.tests, problem.corpus)
    again = differential_bias(problem.cells, models[:1], problem.tests, problem.corpus, threads=3)
    assert once[0].tobytes() == once[1].tobytes() == again[0].tobytes()
    parts = [problem.fast(shard=shard, shards=4) for shard in range(4)]
    assert np.concatenate(parts).tobytes() == once[0].tobytes()
