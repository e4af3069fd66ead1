"""The rotational test: against a plain twin, against full d x d rotations, and under a true null."""

import numpy as np
import pytest
from enumeration_problem import haar, make_problem
from scipy import stats

from biasorigin.enumeration.rotations import (
    BATCH,
    NullCounts,
    batches_of_shard,
    best_of_cells,
    count_exceedances,
    p_values,
    random_frames,
)
from biasorigin.enumeration.scores import select_words
from biasorigin.enumeration.tables import significant_cells
from biasorigin.errors import UserError


def direct_selection(groups, vectors, categories, number, t):
    """Voronoi sets and scores as the paper writes them, cell by cell."""
    scores = np.full((len(groups), number), -np.inf)
    for j in range(number):
        own = vectors[categories == j]
        nearest = (own @ groups.T).argmax(axis=1)
        for i in range(len(groups)):
            closest = own[nearest == i]
            if len(closest) >= t:
                value = (closest - own.mean(axis=0)) @ groups[i]
                best = closest[np.argsort(-value)[:t]]
                scores[i, j] = groups[i] @ (best.mean(axis=0) - vectors.mean(axis=0))
    return scores


@pytest.mark.parametrize("t", [1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_selection_is_the_papers(seed, t):
    problem = make_problem(np.random.default_rng(seed), words=60)
    found = select_words(problem.groups, problem.vectors, problem.categories, 5, t)
    expected = direct_selection(problem.groups, problem.vectors, problem.categories, 5, t)
    np.testing.assert_allclose(found.scores, expected, atol=1e-12)
    assert found.voronoi.sum() == 60
    assert (found.voronoi < t).any() == found.void.any()
    for i, j in zip(*np.nonzero(~found.void), strict=True):
        assert (problem.categories[found.words[i, j]] == j).all()
        assert len(set(found.words[i, j].tolist())) == t


@pytest.mark.parametrize(("words", "t"), [(0, 2), (1, 1), (1, 2), (40, 1), (40, 3), (200, 5)])
def test_kernel_equals_its_plain_twin(words, t):
    products = np.random.default_rng(words + t).standard_normal((words, 7, 4)).astype(np.float32)
    expected = np.full((7, 4), -np.inf)
    for r in range(7):
        for g in range(4):
            closest = [products[w, r, g] for w in range(words) if products[w, r].argmax() == g]
            if len(closest) >= t:
                expected[r, g] = np.mean(np.sort(closest)[::-1][:t], dtype=np.float64)
    np.testing.assert_allclose(best_of_cells(products, t), expected, rtol=1e-6)


def test_kernel_gives_a_tie_to_the_first_group():
    products = np.zeros((2, 1, 3), dtype=np.float32)
    assert best_of_cells(products, 2).tolist() == [[0.0, -np.inf, -np.inf]]


def test_frames_are_orthonormal_uniform_and_keyed_by_index():
    frames = random_frames(range(4000), 5, 3, seed=7)
    np.testing.assert_allclose(
        np.einsum("rdk,rdl->rkl", frames, frames), np.broadcast_to(np.eye(3), (4000, 3, 3)), atol=1e-12
    )
    # A coordinate of a uniform unit vector in R^5: its square is Beta(1/2, 2), its sign is fair.
    assert stats.kstest(frames[:, 0, 0] ** 2, stats.beta(0.5, 2).cdf).pvalue > 0.001
    assert abs((frames[:, 1, 2] > 0).mean() - 0.5) < 0.04
    np.testing.assert_array_equal(random_frames(range(10, 12), 5, 3, seed=7), frames[10:12])
    assert not np.allclose(random_frames(range(2), 5, 3, seed=8), frames[:2])


def test_frames_give_the_p_values_of_full_rotations():
    """p-values over n-frames and over d x d Haar matrices agree within Monte Carlo error."""
    rng = np.random.default_rng(3)
    problem = make_problem(rng, dim=8, groups=3, categories=2, words=60, planted=1.5)
    observed = select_words(problem.groups, problem.vectors, problem.categories, 2, 3).scores
    rotations = 2000
    counts = count_exceedances(
        problem.groups, problem.vectors, problem.categories, observed, words_per_cell=3, rotations=rotations, seed=1
    )
    reached = np.zeros_like(observed)
    for _ in range(rotations):
        turned = direct_selection(problem.groups @ haar(rng, 8), problem.vectors, problem.categories, 2, 3)
        reached += turned >= observed
    direct = (reached + 1) / (rotations + 1)
    error = np.sqrt((direct * (1 - direct) + 1 / rotations) * 2 / rotations)
    assert (np.abs(p_values(counts) - direct) < 4 * error).all()
    assert direct.min() < 0.05 < direct.max()


def test_more_groups_than_dimensions():
    problem = make_problem(np.random.default_rng(1), dim=3, groups=6, categories=2, words=200)
    observed = select_words(problem.groups, problem.vectors, problem.categories, 2, 1).scores
    counts = count_exceedances(
        problem.groups, problem.vectors, problem.categories, observed, words_per_cell=1, rotations=200, seed=1
    )
    assert counts.rotations == 200
    assert ((p_values(counts) > 0) & (p_values(counts) <= 1)).all()


def test_shards_and_threads_change_nothing():
    problem = make_problem(np.random.default_rng(2))
    observed = select_words(problem.groups, problem.vectors, problem.categories, 5, 3).scores
    rotations = 3 * BATCH + 5

    def run(**how):
        return count_exceedances(
            problem.groups,
            problem.vectors,
            problem.categories,
            observed,
            words_per_cell=3,
            rotations=rotations,
            seed=4,
            **how,
        )

    whole = run()
    for shards, threads in ((1, 2), (2, 1), (3, 2)):
        total = sum((run(shard=s, shards=shards, threads=threads) for s in range(1, shards)), start=run(shards=shards))
        assert total.rotations == rotations
        np.testing.assert_array_equal(total.exceedances, whole.exceedances)
        np.testing.assert_array_equal(total.histogram, whole.histogram)
    assert sorted(r for s in range(3) for b in batches_of_shard(100, s, 3) for r in range(*b)) == list(range(100))
    with pytest.raises(UserError, match="Shard 3 of 3"):
        batches_of_shard(100, 3, 3)


def test_void_cells_have_p_one_and_are_in_no_histogram():
    groups = np.array([[1.0, 0.0], [-1.0, 0.0]])
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [-1.0, 0.0]])
    observed = select_words(groups, vectors, np.zeros(3, int), 2, 2)
    assert observed.void.tolist() == [[False, True], [True, True]]  # one word for group 1; category 1 is empty
    counts = count_exceedances(
        groups, vectors, np.zeros(3, int), observed.scores, words_per_cell=2, rotations=50, seed=1
    )
    assert (p_values(counts)[observed.void] == 1).all()
    assert counts.histogram[:, 1].sum() == 0
    assert not significant_cells(counts, 0.05)[2][observed.void].any()


def discoveries(problem, seed, rotations=499, alpha=0.05):
    number = int(problem.categories.max()) + 1
    observed = select_words(problem.groups, problem.vectors, problem.categories, number, 3).scores
    counts = count_exceedances(
        problem.groups, problem.vectors, problem.categories, observed, words_per_cell=3, rotations=rotations, seed=seed
    )
    return significant_cells(counts, alpha)


def test_calibrated_where_the_null_is_true():
    """Words turned at random: every discovery is false, so the share of runs with any is the false discovery rate."""
    runs = 200
    any_discovery, first_p = 0, []
    for run in range(runs):
        # 12 cells and 499 rotations: a single cell with the smallest p-value, .002, is a discovery.
        problem = make_problem(np.random.default_rng(run), groups=3, categories=4, words=160)
        p, _, significant = discoveries(problem, seed=run)
        any_discovery += significant.any()
        first_p.append(p[0, 0])
    alpha = 0.05
    assert any_discovery / runs <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / runs)
    # Uniform or conservative: P(p <= x) must not exceed x.
    assert stats.kstest(first_p, stats.uniform.cdf, alternative="greater").pvalue > 0.001
    assert np.mean(first_p) == pytest.approx(0.5, abs=0.07)


def test_planted_associations_are_found_and_little_else():
    found, false, planted_cells = 0, 0, 0
    for run in range(20):
        problem = make_problem(np.random.default_rng(run), dim=30, planted=1.0)
        _, _, significant = discoveries(problem, seed=run)
        planted = np.zeros_like(significant)
        planted[np.arange(5) % 4, np.arange(5)] = True
        found += (significant & planted).sum()
        false += (significant & ~planted).sum()
        planted_cells += planted.sum()
    assert found / planted_cells > 0.8
    assert false / max(1, found + false) < 0.15


def test_counts_add_up():
    one = NullCounts(2, np.ones((1, 1), int), np.ones((1, 1, 3), int))
    assert (one + one).rotations == 4
    assert p_values(one + one).tolist() == [[3 / 5]]
