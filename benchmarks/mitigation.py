"""Time and objective of the debiasing program beside general conic solvers, in one run.

    python benchmarks/mitigation.py --dims 50 100 --limit 300
    python benchmarks/mitigation.py --vectors results/embeddings/google_news/seed-0/vectors.npy --dims 50 100 300

Without --vectors the problem is made up (26,000 words, 350 seeds, one direction). With them, the vectors are cut to
their first principal components, and seeds and direction are drawn from them. CPU seconds are of one thread. A solver
that needs longer than --limit seconds is stopped and shown as such.
"""

import argparse
import multiprocessing
import queue
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "workflow" / "scripts"))

import numpy as np
import threadpoolctl

from biasorigin.mitigation.certificate import certify
from biasorigin.mitigation.problem import DebiasProblem, make_problem
from biasorigin.mitigation.sdp import solve_sdp

SEEDS = 350
WORDS = 26_000


def problem_of(dim: int, vectors: np.ndarray | None) -> DebiasProblem:
    """A debiasing problem of `dim` dimensions: background, seeds that lean along one direction, the direction."""
    random = np.random.default_rng(dim)
    if vectors is None:
        rows = random.normal(size=(WORDS, dim)) * np.geomspace(1, 0.1, dim)
        rows[:SEEDS] += random.normal(size=(SEEDS, 1)) * rows[-1] * 0.5
    else:
        whole = np.asarray(vectors, dtype=np.float64)
        _, axes = np.linalg.eigh(whole.T @ whole)
        rows = whole @ axes[:, ::-1][:, :dim]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    direction = rows[-1:] - rows[-2:-1]
    order = np.argsort(-np.abs(rows @ direction[0]))
    return make_problem(rows[order[SEEDS:]], rows[order[:SEEDS]], direction)


def conic(problem: DebiasProblem, weight: float, solver: str, answers) -> None:
    """Eq. (4) as it stands in the paper, in cvxpy; puts (CPU seconds, wall seconds, X)."""
    import cvxpy

    values, vectors = np.linalg.eigh(problem.gram)
    scaled = vectors * np.sqrt(values)
    # P enters by a factor of its Gram matrix: as many rows as dimensions, whatever the number of seeds
    seeds = np.linalg.qr(problem.seeds, mode="r")
    scale = 1 / values[-1]  # a scale that the solver likes
    with threadpoolctl.threadpool_limits(1):
        start, wall = time.process_time(), time.perf_counter()
        metric = cvxpy.Variable(problem.gram.shape, PSD=True)
        kept = cvxpy.sum_squares(scale * (scaled.T @ (metric - np.eye(len(values))) @ scaled))
        removed = cvxpy.sum_squares(scale * np.sqrt(weight) * (seeds @ metric @ problem.directions.T))
        cvxpy.Problem(cvxpy.Minimize(kept + removed)).solve(solver=solver)
        answers.put((time.process_time() - start, time.perf_counter() - wall, metric.value))


def run_conic(problem: DebiasProblem, weight: float, solver: str, limit: float):
    """What `conic` answers, or a text that says why there is no answer."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    worker = context.Process(target=conic, args=(problem, weight, solver, answers))
    worker.start()
    end = time.monotonic() + limit
    try:
        while time.monotonic() < end:
            try:
                return answers.get(timeout=1)
            except queue.Empty:
                if not worker.is_alive():
                    return f"ended with code {worker.exitcode}"
        return f"not within {limit:g} s"
    finally:
        worker.kill()
        worker.join()


def main() -> None:
    """Print a table: solver, dimensions, weight, seconds, ratio to ours, objective relative to ours, certificate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dims", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--vectors", help="a .npy array of vectors")
    parser.add_argument("--solvers", nargs="+", default=["SCS", "CLARABEL"])
    parser.add_argument("--multiple", type=float, default=1.0, help="of the natural weight")
    parser.add_argument("--limit", type=float, default=300, help="seconds of wall time for a solver")
    options = parser.parse_args()
    vectors = np.load(options.vectors, mmap_mode="r", allow_pickle=False) if options.vectors else None
    print("dim\tsolver\tcpu_s\twall_s\tcpu_ratio\tobjective_ratio\tgap")
    for dim in options.dims:
        problem = problem_of(dim, vectors)
        weight = options.multiple * problem.natural_weight()
        with threadpoolctl.threadpool_limits(1):
            start, wall = time.process_time(), time.perf_counter()
            solution = solve_sdp(problem, weight)
            ours, took = time.process_time() - start, time.perf_counter() - wall
        gap = certify(problem, weight, solution.metric).gap
        print(f"{dim}\tbiasorigin\t{ours:.3f}\t{took:.3f}\t1\t1\t{gap:.1e}", flush=True)
        for solver in options.solvers:
            found = run_conic(problem, weight, solver, options.limit)
            if isinstance(found, str):
                print(f"{dim}\t{solver}\t{found}", flush=True)
                continue
            cpu, seconds, metric = found
            objective = problem.objective(metric, weight) / solution.objective
            print(f"{dim}\t{solver}\t{cpu:.2f}\t{seconds:.2f}\t{cpu / ours:.0f}\t{objective:.6f}\t"
                  f"{certify(problem, weight, metric).gap:.1e}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
