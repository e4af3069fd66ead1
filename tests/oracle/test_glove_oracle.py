"""The compiled GloVe kernels against plain NumPy."""

import numpy as np
import plain_glove as plain
import pytest

from biasorigin.cooccurrence import Cooccurrence, count_cooccurrence
from biasorigin.finish import FinishSettings, finish
from biasorigin.glove import GloveSettings, run_adagrad, start_model, train
from biasorigin.glove_blocks import cut_into_blocks, deal
from biasorigin.glove_kernels import inverse_root, update_block
from biasorigin.row_solves import improve_side, solve_side, weigh_cells
from biasorigin.stationarity import context_steps, newton_steps


def made_up(words=40, tokens=1_500, seed=0):
    """Co-occurrences of a skewed random text, sparse and dense."""
    rng = np.random.default_rng(seed)
    text = np.minimum(rng.geometric(0.1, tokens) - 1, words - 1).astype(np.int32)
    counted = count_cooccurrence(text, np.array([0, tokens // 3, tokens]), words)
    matrix = np.zeros((words, words))
    rows = np.repeat(np.arange(words), np.diff(counted.indptr))
    matrix[rows, counted.indices] = counted.values
    return counted, matrix


@pytest.mark.parametrize("exponent", range(-20, 38, 3))
def test_inverse_root(exponent):
    numbers = (10.0**exponent * np.linspace(1, 10, 23)).astype(np.float32)
    found = np.array([inverse_root(number) for number in numbers])
    np.testing.assert_allclose(found, 1 / np.sqrt(numbers.astype(float)), rtol=6e-6)


@pytest.mark.parametrize(("dim", "accumulate"), [(1, "steps"), (14, "steps"), (15, "gradients"), (40, "gradients")])
def test_one_cell_is_updated_as_in_plain_numpy(dim, accumulate):
    cells = Cooccurrence(np.array([0, 0, 1]), np.array([0], np.int32), np.array([7.5]), 2)
    settings = GloveSettings(dim, epochs=1, learning_rate=0.3, x_max=10, accumulate=accumulate)
    start = start_model(2, settings, seed=5)
    for _ in range(2):  # the second time from where the first has come, with new sums of squares
        trained = run_adagrad(start, cells, settings, seed=5)
        w, u = start.vectors[1].astype(float), start.contexts[0].astype(float)
        b, c = float(start.biases[0, 1]), float(start.biases[1, 0])
        rate, first = (1, 1 / 0.3**2) if accumulate == "steps" else (0.3, 1)
        (w, b, u, c), _, loss = plain.adagrad_step(w, b, u, c, (first,) * 4, np.log(7.5), 0.75**0.75, rate)
        np.testing.assert_allclose(trained.vectors[1], w, rtol=3e-5, atol=1e-7)
        np.testing.assert_allclose(trained.contexts[0], u, rtol=3e-5, atol=1e-7)
        np.testing.assert_allclose([trained.biases[0, 1], trained.biases[1, 0]], [b, c], rtol=3e-5)
        assert trained.losses[-1] == ("adagrad", 1, pytest.approx(loss, rel=1e-5))
        np.testing.assert_array_equal(trained.vectors[0], start.vectors[0])
        start = trained


def test_a_block_is_trained_row_by_row_as_in_plain_numpy():
    counted, _ = made_up(words=9, tokens=300)
    rng = np.random.default_rng(1)
    dim, lanes, count = 5, 16, counted.words
    one_group = deal(count, 1, rng)
    blocks = cut_into_blocks(counted, one_group, one_group, 100.0, 0.75)
    words = np.zeros((count, 2 * lanes), np.float32)
    contexts = np.zeros_like(words)
    for lines, bias, one in ((words, dim, dim + 1), (contexts, dim + 1, dim)):
        lines[:, : dim + 2] = rng.normal(scale=0.3, size=(count, dim + 2))
        lines[:, one], lines[:, lanes:], lines[:, lanes + one] = 1, 2.5, 1e38
        assert bias != one
    w, u = words[:, :dim].astype(float), contexts[:, :dim].astype(float)
    b, c = words[:, dim].astype(float), contexts[:, dim + 1].astype(float)
    sums = [np.full((count, dim), 2.5), np.full(count, 2.5), np.full((count, dim), 2.5), np.full(count, 2.5)]
    order = rng.permutation(count)
    total = 0.0
    for row in order:
        for cell in range(blocks.cells[0][0][row], blocks.cells[0][0][row + 1]):
            column = blocks.columns[cell]
            one_cell = (sums[0][row], sums[1][row], sums[2][column], sums[3][column])
            (w[row], b[row], u[column], c[column]), new, loss = plain.adagrad_step(
                w[row], b[row], u[column], c[column], one_cell, blocks.targets[cell], blocks.importances[cell], 0.05
            )
            sums[0][row], sums[1][row], sums[2][column], sums[3][column] = new
            total += loss
    found = update_block(
        words, contexts, blocks.cells[0][0], np.arange(count, dtype=np.int32), order,
        blocks.columns, blocks.targets, blocks.importances, np.float32(0.05), (0,),
    )  # fmt: skip
    np.testing.assert_allclose(found, total, rtol=1e-5)
    np.testing.assert_allclose(words[:, :dim], w, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(contexts[:, :dim], u, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(words[:, dim], b, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(contexts[:, dim + 1], c, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(words[:, lanes : lanes + dim], sums[0], rtol=1e-4)
    assert np.all(words[:, dim + 1] == 1)
    assert np.all(contexts[:, dim] == 1)


def test_blocks_hold_every_cell_once():
    counted, matrix = made_up(words=37)
    rng = np.random.default_rng(3)
    rows, contexts = deal(37, 8, rng), deal(37, 8, rng)
    blocks = cut_into_blocks(counted, rows, contexts, 100.0, 0.75, threads=2)
    seen = np.zeros_like(matrix)
    word_at = {int(place): word for word, place in enumerate(contexts.place)}
    for group, members in enumerate(rows.members()):
        for column_group in range(contexts.groups):
            cells = blocks.cells[group][column_group]
            for row, word in enumerate(members):
                for cell in range(cells[row], cells[row + 1]):
                    assert blocks.columns[cell] // contexts.lines == column_group
                    seen[word, word_at[int(blocks.columns[cell])]] += np.exp(blocks.targets[cell])
    np.testing.assert_allclose(seen, matrix, rtol=1e-5)


@pytest.mark.parametrize("ridge", [0.05, 1.0])
def test_a_sweep_solves_contexts_and_then_words(ridge):
    counted, matrix = made_up()
    settings = GloveSettings(dim=6, epochs=0, finish=FinishSettings(sweeps=1, ridge=ridge, steps=0))
    start = start_model(counted.words, settings, seed=1)
    (vectors, contexts, biases), losses = finish((start.vectors, start.contexts, start.biases), counted, settings)
    u, c = plain.solve_side(start.vectors, start.biases[0].astype(float), matrix, 100, 0.75, ridge)
    w, b = plain.solve_side(contexts, biases[1].astype(float), matrix, 100, 0.75, ridge)
    np.testing.assert_allclose(contexts, u, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(biases[1], c, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(vectors, w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(biases[0], b, rtol=1e-5, atol=1e-6)
    assert [step[:2] for step in losses] == [("finish", 1)]


def objective(side, other, matrix, ridge):
    """The part of the objective that a side [vectors, biases] has a say in."""
    rows, columns = np.nonzero(matrix)
    values = matrix[rows, columns]
    fitted = np.einsum("ck,ck->c", side[rows, :-1], other[columns, :-1]) + side[rows, -1] + other[columns, -1]
    return np.sum(plain.importance(values, 100, 0.75) * (fitted - np.log(values)) ** 2) + ridge * np.sum(
        side[:, :-1] ** 2
    )


@pytest.mark.parametrize("ridge", [0.05, 1.0])
def test_conjugate_gradients_reach_the_exact_solution(ridge):
    counted, matrix = made_up()
    rng = np.random.default_rng(0)
    side, other = rng.normal(scale=0.5, size=(2, counted.words, 7)).astype(np.float32)
    cells = weigh_cells(counted, 100, 0.75)
    exact = side.copy()
    solve_side(exact, other, cells, ridge)
    reached = {}
    for steps in (1, 2, 20):
        reached[steps] = side.copy()
        improve_side(reached[steps], other, cells, ridge, steps=steps)
    np.testing.assert_allclose(reached[20], exact, rtol=2e-3, atol=2e-4)
    least = objective(exact.astype(float), other, matrix, ridge)
    way = objective(side.astype(float), other, matrix, ridge) - least
    left = [(objective(reached[steps].astype(float), other, matrix, ridge) - least) / way for steps in (1, 2, 20)]
    assert 1 > left[0] > left[1] > left[2] > -1e-6
    assert left[1] < 0.05


def test_conjugate_gradients_state_the_loss_they_met():
    counted, matrix = made_up()
    side, other = np.random.default_rng(0).normal(scale=0.5, size=(2, counted.words, 7)).astype(np.float32)
    expected = objective(side.astype(float), other, matrix, 0.0)
    assert improve_side(side, other, weigh_cells(counted, 100, 0.75), 0.3).sum() == pytest.approx(expected, rel=1e-4)


def test_newton_steps_are_those_of_the_dense_problem():
    counted, matrix = made_up()
    settings = GloveSettings(dim=6, epochs=8, finish=FinishSettings(sweeps=0))
    model = train(counted, settings, seed=1)
    ridged = GloveSettings(dim=6, finish=FinishSettings(sweeps=1, ridge=0.7))
    found = newton_steps(model, counted, ridged)
    for row in range(counted.words):
        if not matrix[row].any():
            assert found[row] == 0
            continue
        gradient, hessian = plain.gradient_and_hessian(model, matrix, row, 100, 0.75, 0.7)
        expected = np.linalg.norm(np.linalg.solve(hessian, gradient)) / np.linalg.norm(model.vectors[row])
        assert found[row] == pytest.approx(expected, rel=1e-4)


def test_finished_words_have_no_gradient_left():
    counted, matrix = made_up()
    settings = GloveSettings(dim=6, epochs=3, finish=FinishSettings(sweeps=3, ridge=0.3))
    model = train(counted, settings, seed=2)
    assert newton_steps(model, counted, settings).max() < 1e-5  # asked for: 1e-3
    assert context_steps(model, counted, settings).max() > 1e-3  # contexts were solved before the words moved
    for row in np.flatnonzero(matrix.any(axis=1))[:10]:
        gradient, hessian = plain.gradient_and_hessian(model, matrix, row, 100, 0.75, 0.3)
        assert np.linalg.norm(np.linalg.solve(hessian, gradient)) < 1e-5 * np.linalg.norm(model.vectors[row])


def test_the_stated_loss_is_the_loss():
    counted, matrix = made_up()
    settings = GloveSettings(dim=6, epochs=2, finish=FinishSettings(sweeps=12, ridge=0.5))
    model = train(counted, settings, seed=2)
    # Stated just before the last solve, which changes little by then.
    assert model.losses[-1][2] == pytest.approx(plain.loss(model, matrix, 100, 0.75) / counted.cells, rel=0.01)
