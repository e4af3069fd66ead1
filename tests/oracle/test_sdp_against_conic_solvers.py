"""The debiasing program against a general conic solver, on problems small enough for one."""

import cvxpy
import numpy as np
import pytest
import threadpoolctl

from biasorigin.mitigation.certificate import certify
from biasorigin.mitigation.problem import DebiasProblem, make_problem
from biasorigin.mitigation.sdp import solve_sdp


@pytest.fixture(autouse=True)
def one_thread():
    """As in a rule: BLAS with one thread, which on a busy machine is also far faster."""
    with threadpoolctl.threadpool_limits(1):
        yield


def conic_solution(problem: DebiasProblem, weight: float, solver: str) -> np.ndarray:
    """X of eq. (4), stated as it stands in the paper, with the background's singular vectors."""
    values, vectors = np.linalg.eigh(problem.gram)
    scaled = vectors * np.sqrt(values)  # VΣ
    metric = cvxpy.Variable(problem.gram.shape, PSD=True)
    kept = cvxpy.sum_squares(scaled.T @ (metric - np.eye(len(problem.gram))) @ scaled)
    removed = cvxpy.sum_squares(problem.seeds @ metric @ problem.directions.T)
    precise = {"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iters": 200_000} if solver == "SCS" else {}
    cvxpy.Problem(cvxpy.Minimize(kept + weight * removed)).solve(solver=solver, **precise)
    return metric.value


def random_problem(seed: int, directions: int, dim: int = 8) -> DebiasProblem:
    random = np.random.default_rng(seed)
    stretch = np.diag(np.geomspace(1, 0.2, dim))
    bias = random.normal(size=(directions, dim)) @ stretch
    seeds = random.normal(size=(12, dim)) @ stretch + random.normal(size=(12, directions)) @ bias
    return make_problem(random.normal(size=(40, dim)) @ stretch, seeds, bias)


@pytest.mark.parametrize("solver", ["SCS", "CLARABEL"])
@pytest.mark.parametrize(
    ("seed", "directions", "strength"), [(0, 1, 0.01), (1, 1, 1.0), (2, 1, 100.0), (3, 2, 1.0), (4, 3, 10.0)]
)
def test_objective_and_solution_agree_with_conic_solver(solver, seed, directions, strength):
    problem = random_problem(seed, directions)
    weight = strength * problem.natural_weight()
    solution = solve_sdp(problem, weight, tolerance=1e-11)
    reference = conic_solution(problem, weight, solver)
    assert solution.objective == pytest.approx(problem.objective(reference, weight), rel=1e-4)
    assert solution.objective <= problem.objective(reference, weight) * (1 + 1e-6)
    np.testing.assert_allclose(solution.metric, reference, atol=2e-3)
    assert certify(problem, weight, solution.metric).holds(1e-4)


def test_the_cone_binds_in_some_of_these_problems():
    lowest = []
    for seed, directions, strength in [(2, 1, 100.0), (4, 3, 10.0)]:
        problem = random_problem(seed, directions)
        solution = solve_sdp(problem, strength * problem.natural_weight())
        lowest.append(np.linalg.eigvalsh(solution.metric)[0])
    assert min(lowest) < 1e-9


def test_certificate_refuses_what_is_not_optimal():
    problem = random_problem(2, 1)
    weight = problem.natural_weight()
    metric = solve_sdp(problem, weight).metric
    assert not certify(problem, weight, np.eye(len(metric))).holds(1e-4)
    assert not certify(problem, weight, metric + 0.05 * np.eye(len(metric))).holds(1e-4)
    assert not certify(problem, 2 * weight, metric).holds(1e-4)


def test_certificate_holds_at_300_dimensions():
    random = np.random.default_rng(5)
    background = random.normal(size=(2000, 300)) * np.geomspace(1, 0.1, 300)
    direction = random.normal(size=(2, 300))
    seeds = random.normal(size=(350, 300)) + 2 * random.normal(size=(350, 2)) @ direction
    problem = make_problem(background, seeds, direction)
    weight = problem.natural_weight()
    solution = solve_sdp(problem, weight)
    certificate = certify(problem, weight, solution.metric)
    assert certificate.holds(1e-4), certificate
    assert certificate.gap < 1e-8
