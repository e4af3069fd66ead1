"""Properties of the debiasing program and its answers to bad input."""

import numpy as np
import pytest
import threadpoolctl
from hypothesis import given, settings
from hypothesis import strategies as st

from biasorigin.errors import UserError
from biasorigin.mitigation.certificate import certify
from biasorigin.mitigation.problem import gram_of, make_problem, whiten
from biasorigin.mitigation.sdp import evaluate_dual, solve_sdp, symmetric_root

DIM = 6


@pytest.fixture(autouse=True)
def one_thread():
    """As in a rule: BLAS with one thread, which on a busy machine is also far faster."""
    with threadpoolctl.threadpool_limits(1):
        yield


def random_vectors(seed: int, dim: int = DIM, directions: int = 1):
    random = np.random.default_rng(seed)
    bias = random.normal(size=(directions, dim))
    seeds = random.normal(size=(9, dim)) + random.normal(size=(9, directions)) @ bias
    return random.normal(size=(30, dim)), seeds, bias


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.floats(-3, 2))
def test_every_solution_is_feasible_and_certified(seed, directions, power):
    problem = make_problem(*random_vectors(seed, directions=directions))
    weight = 10**power * problem.natural_weight()
    solution = solve_sdp(problem, weight)
    np.testing.assert_allclose(solution.transform @ solution.transform.T, solution.metric, atol=1e-8)
    assert certify(problem, weight, solution.metric).holds(1e-4)


def test_more_weight_leaves_less_bias_and_more_distortion():
    problem = make_problem(*random_vectors(1))
    metrics = [solve_sdp(problem, w * problem.natural_weight(), tolerance=1e-12).metric for w in (0, 0.01, 0.1, 1, 10)]
    bias = [problem.stereotype(metric) for metric in metrics]
    distortion = [problem.distortion(metric) for metric in metrics]
    assert np.all(np.diff(bias) < 0)
    assert np.all(np.diff(distortion) > 0)


@pytest.mark.parametrize("empty", ["seeds", "directions", "weight"])
def test_without_anything_to_remove_the_map_is_the_identity(empty):
    background, seeds, directions = random_vectors(2)
    seeds = seeds[:0] if empty == "seeds" else seeds
    directions = directions[:0] if empty == "directions" else directions
    problem = make_problem(background, seeds, directions)
    solution = solve_sdp(problem, 0.0 if empty == "weight" else 5.0)
    np.testing.assert_array_equal(solution.transform, np.eye(DIM))
    assert certify(problem, 0.0 if empty == "weight" else 5.0, solution.metric).holds(1e-12)


def test_rotating_the_embedding_rotates_the_solution():
    background, seeds, directions = random_vectors(3)
    rotation = np.linalg.qr(np.random.default_rng(4).normal(size=(DIM, DIM)))[0]
    problem = make_problem(background, seeds, directions)
    rotated = make_problem(background @ rotation, seeds @ rotation, directions @ rotation)
    weight = problem.natural_weight()
    one = solve_sdp(problem, weight, tolerance=1e-13).transform
    other = solve_sdp(rotated, weight, tolerance=1e-13).transform
    np.testing.assert_allclose(rotation.T @ one @ rotation, other, atol=1e-5)


def test_scaling_the_embedding_changes_nothing_at_the_same_multiple():
    problem, larger = (make_problem(*(scale * part for part in random_vectors(5))) for scale in (1.0, 7.0))
    one = solve_sdp(problem, 0.3 * problem.natural_weight(), tolerance=1e-13).metric
    other = solve_sdp(larger, 0.3 * larger.natural_weight(), tolerance=1e-13).metric
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_directions_that_repeat_or_depend_count_once_more_in_weight_only():
    background, seeds, directions = random_vectors(6)
    problem = make_problem(background, seeds, directions)
    doubled = make_problem(background, seeds, np.concatenate([directions, directions]))
    weight = problem.natural_weight()
    one = solve_sdp(problem, 2 * weight, tolerance=1e-13).metric
    np.testing.assert_allclose(one, solve_sdp(doubled, weight, tolerance=1e-13).metric, atol=1e-5)


def test_fewer_words_than_dimensions_are_solved_within_their_span():
    random = np.random.default_rng(7)
    inside = np.linalg.qr(random.normal(size=(DIM, 3)))[0].T  # (3, dim)
    background, seeds, directions = (part[:, :3] @ inside for part in random_vectors(7))
    problem = make_problem(background, seeds, directions)
    solution = solve_sdp(problem, problem.natural_weight())
    outside = np.eye(DIM) - inside.T @ inside
    np.testing.assert_allclose(solution.metric @ outside, outside, atol=1e-9)
    assert certify(problem, problem.natural_weight(), solution.metric).holds(1e-4)
    small = make_problem(*(part @ inside.T for part in (background, seeds, directions)))
    reference = solve_sdp(small, problem.natural_weight()).objective
    assert solution.objective == pytest.approx(reference, rel=1e-6)


def test_a_background_that_does_not_span_the_seeds_is_refused():
    background, seeds, directions = random_vectors(8)
    background[:, -1] = 0.0
    with pytest.raises(UserError, match="span 5 of 6 dimensions"):
        solve_sdp(make_problem(background, seeds, directions), 1.0)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_no_weight_is_refused(weight):
    with pytest.raises(UserError, match="0 or more"):
        solve_sdp(make_problem(*random_vectors(9)), weight)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_numbers_that_are_not_finite_are_refused(place):
    parts = list(random_vectors(10))
    parts[place][0, 1] = np.nan
    with pytest.raises(UserError, match="NaN"):
        make_problem(*parts)


def test_vectors_of_another_embedding_are_refused():
    background, seeds, directions = random_vectors(11)
    with pytest.raises(UserError, match="rows of 6 numbers"):
        make_problem(background, seeds[:, :4], directions)


def test_a_background_of_zeros_is_refused():
    background, seeds, directions = random_vectors(12)
    with pytest.raises(UserError, match="background"):
        whiten(make_problem(0 * background, seeds, directions))


def test_running_out_of_steps_is_an_error_that_says_how_far_it_came():
    problem = make_problem(*random_vectors(13))
    with pytest.raises(UserError, match="duality gap of"):
        solve_sdp(problem, 100 * problem.natural_weight(), max_steps=0)


def test_the_gradient_of_the_objective_is_its_slope():
    problem = make_problem(*random_vectors(14, directions=2))
    random = np.random.default_rng(15)
    point, step = (one + one.T for one in random.normal(size=(2, DIM, DIM)))
    slope = np.sum(problem.gradient(point, 0.7) * step)
    difference = problem.objective(point + 1e-5 * step, 0.7) - problem.objective(point - 1e-5 * step, 0.7)
    assert slope == pytest.approx(difference / 2e-5, rel=1e-6)


def test_the_dual_is_a_lower_bound_everywhere_and_its_gradient_is_its_slope():
    problem = make_problem(*random_vectors(16))
    white, weight = whiten(problem), problem.natural_weight()
    best = solve_sdp(problem, weight).objective
    random = np.random.default_rng(17)
    for _ in range(20):
        multipliers, step = random.normal(size=(2, white.seeds.shape[1], 1)) * 10
        values = []
        for shift in (-1e-5, 0.0, 1e-5):
            point = evaluate_dual(white, weight, multipliers + shift * step)
            values.append(point.primal * (1 - point.gap))
        assert values[1] <= best * (1 + 1e-9)
        slope = np.sum(evaluate_dual(white, weight, multipliers).gradient * step)
        assert slope == pytest.approx((values[2] - values[0]) / 2e-5, rel=1e-3, abs=1e-4)


def test_gram_in_blocks_is_the_gram():
    vectors = np.random.default_rng(18).normal(size=(20_000, 4)).astype(np.float32)
    np.testing.assert_allclose(gram_of(vectors), vectors.astype(float).T @ vectors.astype(float), rtol=1e-12)


def test_the_root_is_symmetric_and_drops_rounding_below_zero():
    metric = np.diag([4.0, 1.0, -1e-17])
    np.testing.assert_allclose(symmetric_root(metric), np.diag([2.0, 1.0, 0.0]))
