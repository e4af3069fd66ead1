"""WEAT against closed forms, brute force and the papers' numbers."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasorigin.association.generalised import generalised_weat, weat_statistic
from biasorigin.association.permutation import count_splits, draw_splits, permutation_test, thresholds
from biasorigin.association.weat import WeatSettings, associations, effect_size, score_tests
from biasorigin.embedding import Embedding
from biasorigin.wordsets import Test, WordList

QUICK = WeatSettings(bootstrap=200, draws=2_000)


def make_test(sizes=(4, 4, 3, 3), key="T") -> Test:
    names = ("s", "t", "a", "b")
    lists = [
        WordList(name, name, tuple(f"{name}{i}" for i in range(size))) for name, size in zip(names, sizes, strict=True)
    ]
    return Test(key, key, (lists[0], lists[1]), (lists[2], lists[3]))


def make_embedding(test: Test, rng: np.random.Generator, dim: int = 5) -> Embedding:
    return Embedding(test.words, rng.normal(size=(len(test.words), dim)).astype(np.float32), cased=True)


def test_a_case_worked_out_by_hand():
    # Targets lie along the two attributes: g is 1, 1, -1, -1; their standard deviation with ddof 1 is sqrt(4/3).
    vectors = np.array([[2, 0], [1, 0], [0, 3], [0, 1], [1, 0], [0, 1]], np.float32)
    test = make_test((2, 2, 1, 1))
    table, _ = score_tests(Embedding(test.words, vectors, cased=True), [test], QUICK)
    row = table.row(0, named=True)
    assert row["effect_size"] == pytest.approx(2 / sqrt(4 / 3))
    assert row["statistic"] == pytest.approx(4)
    assert (row["greater"], row["p_one_sided"], row["p_two_sided"]) == (0, 1 / 6, 2 / 6)
    assert (row["method"], row["partitions"]) == ("exact", 6)


def brute_force(values: np.ndarray, size: int) -> tuple[int, int, int]:
    total, observed = int(values.sum()), int(values[:size].sum())
    sums = [int(values[list(chosen)].sum()) for chosen in combinations(range(len(values)), size)]
    far = abs(len(values) * observed - size * total)
    return (
        sum(one > observed for one in sums),
        sum(one >= observed for one in sums),
        sum(abs(len(values) * one - size * total) >= far for one in sums),
    )


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6), st.sampled_from([3, 50, 10**6]))
@settings(max_examples=60, deadline=None)
def test_counting_splits_agrees_with_brute_force(seed, first, second, spread):
    # Multiples of 1000 keep honest differences well above the tolerance for ties, and small spreads give many ties.
    values = 1000 * np.random.default_rng(seed).integers(-spread, spread, first + second)
    assert count_splits(values, first) == brute_force(values, first)


def test_drawn_splits_converge_on_the_exact_count_for_unequal_sets():
    values = np.random.default_rng(3).integers(-(10**9), 10**9, 15)
    for size in (4, 11):
        exact = np.array(count_splits(values, size)) / comb(15, size)
        drawn = np.array(draw_splits(values, size, 200_000, seed=5)) / 200_000
        assert np.all(np.abs(drawn - exact) < 5 * np.sqrt(exact * (1 - exact) / 200_000) + 1e-9)


def plain_draws(values: np.ndarray, size: int, draws: int, seed: int) -> tuple[int, int, int]:
    """The compiled kernel once more, in plain Python."""
    mask = 2**64 - 1

    def bits(state):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return state, z ^ (z >> 31)

    greater_from, least_from, above, below = thresholds(values, size)
    counts = [0, 0, 0]
    drawn = min(size, len(values) - size)
    for block in range(-(-draws // 1024)):
        _, state = bits((seed + block * 0xD1342543DE82EF95) & mask)
        shuffled = [int(value) for value in values]
        for _ in range(min(1024, draws - block * 1024)):
            for place in range(drawn):
                state, z = bits(state)
                other = place + (((z >> 32) * (len(values) - place)) >> 32)
                shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
            chosen = sum(shuffled[:drawn]) if drawn == size else sum(shuffled[drawn:])
            counts[0] += chosen >= greater_from
            counts[1] += chosen >= least_from
            counts[2] += chosen >= above or chosen <= below
    return tuple(counts)


@pytest.mark.parametrize(("size", "words", "draws"), [(3, 8, 1500), (7, 9, 1024), (1, 2, 10), (5, 5, 3)])
def test_the_compiled_draws_equal_their_plain_twin(size, words, draws):
    values = np.random.default_rng(words).integers(-(10**9), 10**9, words)
    assert draw_splits(values, size, draws, seed=99) == plain_draws(values, size, draws, 99)


def test_the_draws_do_not_depend_on_the_number_of_threads():
    import numba

    values = np.random.default_rng(1).integers(-(10**9), 10**9, 64)
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        one = draw_splits(values, 32, 20_000, seed=7)
        numba.set_num_threads(min(2, numba.config.NUMBA_NUM_THREADS))
        assert draw_splits(values, 32, 20_000, seed=7) == one
    finally:
        numba.set_num_threads(before)


def test_thirty_six_words_are_still_counted_exactly():
    rng = np.random.default_rng(2)
    first, second = rng.normal(0.3, 1, 18), rng.normal(0, 1, 18)
    exact = permutation_test(first, second, exact_words=36, draws=0, seed=0)
    drawn = permutation_test(first, second, exact_words=0, draws=100_000, seed=0)
    assert (exact.method, exact.partitions) == ("exact", comb(36, 18))
    assert abs(drawn.p_one_sided - exact.p_one_sided) < 5 * drawn.standard_error
    assert abs(drawn.p_two_sided - exact.p_two_sided) < 5 * drawn.standard_error * 2


@given(st.integers(0, 2**32 - 1), st.floats(1e-3, 1e3))
@settings(max_examples=20, deadline=None)
def test_scaling_and_rotating_the_embedding_change_nothing(seed, scale):
    rng = np.random.default_rng(seed)
    test = make_test()
    embedding = make_embedding(test, rng)
    rotation, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    lengths = scale * rng.uniform(0.5, 2, (len(test.words), 1))
    turned = Embedding(test.words, embedding.vectors.astype(np.float64) @ rotation * lengths, cased=True)
    before, after = (score_tests(one, [test], QUICK)[0].row(0, named=True) for one in (embedding, turned))
    for column in ("effect_size", "statistic", "low", "high"):
        assert after[column] == pytest.approx(before[column], abs=1e-9)
    assert after["p_one_sided"] == before["p_one_sided"]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_swapping_targets_or_attributes_turns_the_sign(seed):
    test = make_test((4, 3, 2, 3))
    embedding = make_embedding(test, np.random.default_rng(seed))
    plain = WeatSettings(missing="drop", bootstrap=0)
    targets = Test("T", "T", test.targets[::-1], test.attributes)
    attributes = Test("T", "T", test.targets, test.attributes[::-1])
    row, swapped, turned = (
        score_tests(embedding, [one], plain)[0].row(0, named=True) for one in (test, targets, attributes)
    )
    assert swapped["effect_size"] == pytest.approx(-row["effect_size"])
    assert turned["effect_size"] == pytest.approx(-row["effect_size"])
    assert swapped["statistic"] == pytest.approx(-row["statistic"])
    assert swapped["p_two_sided"] == turned["p_two_sided"] == row["p_two_sided"]
    assert swapped["greater"] == pytest.approx(1 - row["p_one_sided"])


def test_where_other_tools_differ_and_why():
    """The defects that are known from other tools, each on a case where it shows."""
    rng = np.random.default_rng(0)
    g = rng.normal(size=12)
    first, second = g[:5], g[5:]
    # ddof 0 makes d larger by sqrt(n / (n - 1)).
    theirs = (first.mean() - second.mean()) / g.std(ddof=0)
    assert theirs == pytest.approx(effect_size(first, second) * sqrt(12 / 11))
    # Slices that assume equal sets compare splits of the wrong sizes: not the same number of splits, nor the same p.
    observed = first.sum() - second.sum()
    wrong = np.mean([2 * g[list(c)].sum() - g.sum() > observed for c in combinations(range(12), 6)])
    assert wrong != pytest.approx(permutation_test(first, second, exact_words=12, draws=0, seed=0).greater)
    # Dividing by the matrix norm instead of the row norms lets long vectors weigh more.
    vectors = rng.normal(size=(4, 3)) * np.array([[1], [10], [1], [10]])
    by_rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    by_matrix = vectors / np.linalg.norm(vectors)
    assert not np.allclose(associations(by_rows @ by_rows[:2].T, 1), associations(by_matrix @ by_matrix[:2].T, 1))


def unit(rng: np.random.Generator, count: int, dim: int = 4) -> np.ndarray:
    vectors = rng.normal(size=(count, dim))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_lemma_1_two_equal_groups_are_a_weat(seed, size, first, second):
    rng = np.random.default_rng(seed)
    x1, x2, a1, a2 = unit(rng, size), unit(rng, size), unit(rng, first), unit(rng, second)
    names, words = np.vstack([x1, x2, unit(rng, 3)]), np.vstack([a1, a2, unit(rng, 3)])
    g = generalised_weat([x1, x2], [a1, a2], names, words)
    assert weat_statistic(x1, a1, x2, a2) == pytest.approx(2 * size * g, abs=1e-12)


@given(SEEDS, st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_lemma_2_one_group_is_a_weat_against_the_rest(seed, x, x_rest, a, a_rest):
    rng = np.random.default_rng(seed)
    names, words = unit(rng, x + x_rest), unit(rng, a + a_rest)
    g = generalised_weat([names[:x]], [words[:a]], names, words)
    against_all = generalised_weat([names[:x], names], [words[:a], words], names, words)
    against_rest = generalised_weat([names[:x], names[x:]], [words[:a], words[a:]], names, words)
    shares = x_rest / (x + x_rest) * a_rest / (a + a_rest)
    assert g == pytest.approx(2 * against_all, abs=1e-12)
    assert g == pytest.approx(2 * shares * against_rest, abs=1e-12)


@given(SEEDS, st.lists(st.integers(1, 4), min_size=2, max_size=5))
def test_lemma_3_many_groups_decompose_into_single_ones(seed, sizes):
    rng = np.random.default_rng(seed)
    groups, sets = [unit(rng, size) for size in sizes], [unit(rng, size) for size in sizes[::-1]]
    names, words = np.vstack([*groups, unit(rng, 2)]), np.vstack([*sets, unit(rng, 2)])
    single = np.array([[generalised_weat([x], [a], names, words) for a in sets] for x in groups])
    expected = np.trace(single) - single.sum() / len(sizes)
    assert generalised_weat(groups, sets, names, words) == pytest.approx(expected, abs=1e-12)
