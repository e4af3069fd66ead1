"""Directions, extremes, analogies, samples and discovery against plain twins and closed forms."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasorigin.association.analogies import generate_analogies
from biasorigin.association.directions import chance_directions, direct_bias, indirect_bias, make_direction
from biasorigin.association.extremes import hypergeometric_p, wilson_interval
from biasorigin.association.ladder import sample_corpus
from biasorigin.association.secondary_bias import count_beside
from biasorigin.embedding import Embedding
from biasorigin.wordsets import Direction

SEEDS = st.integers(0, 2**32 - 1)


def unit(rng: np.random.Generator, count: int, dim: int) -> np.ndarray:
    vectors = rng.normal(size=(count, dim))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def plain_analogies(words, vectors, direction, most_distance, count):
    """All pairs at once, best first, each word once per side."""
    pairs = []
    for a, left in enumerate(words):
        for b, right in enumerate(words):
            distance = np.linalg.norm(vectors[a] - vectors[b])
            if a != b and 1e-3 < distance <= most_distance:
                score = (vectors[a] - vectors[b]) @ direction / distance
                if score > 0:
                    pairs.append((score, left, right))
    pairs.sort(key=lambda pair: -pair[0])
    taken, lefts, rights = [], set(), set()
    for score, left, right in pairs:
        if left not in lefts and right not in rights and len(taken) < count:
            taken.append((left, right, score))
            lefts.add(left)
            rights.add(right)
    return taken


@given(SEEDS, st.integers(2, 40), st.sampled_from([0.6, 1.0, 1.4]))
@settings(max_examples=25, deadline=None)
def test_blocked_analogies_equal_the_plain_ones(seed, words, most_distance):
    rng = np.random.default_rng(seed)
    vectors, direction = unit(rng, words, 3), unit(rng, 1, 3)[0]
    names = [f"w{i}" for i in range(words)]
    ours = generate_analogies(names, vectors, direction, most_distance=most_distance, count=30)
    plain = plain_analogies(names, vectors, direction, most_distance, 30)
    assert ours.height == len(plain)
    assert ours["score"].to_list() == pytest.approx([score for *_, score in plain], abs=2e-3)
    assert ours["left"].is_unique().all()
    assert ours["right"].is_unique().all()
    if len(plain) and min(np.diff([score for *_, score in plain]), default=-1) < -1e-3:
        assert ours.select("left", "right").row(0) == plain[0][:2]


def test_more_rivals_than_are_remembered_still_gives_every_left_word_its_partner():
    # Thirty left words that all like the same right words best: partners must be worked out anew.
    rng = np.random.default_rng(4)
    left = np.column_stack([np.full(30, 0.3), rng.normal(1, 0.01, 30), rng.normal(0, 0.01, 30)])
    right = np.column_stack([np.full(30, -0.3), rng.normal(1, 0.01, 30), rng.normal(0, 0.01, 30)])
    vectors = np.vstack([left, right])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = [f"w{i}" for i in range(60)]
    direction = np.array([1.0, 0, 0])
    ours = generate_analogies(names, vectors, direction, most_distance=1.0, count=60)
    plain = plain_analogies(names, vectors, direction, 1.0, 60)
    assert ours.height == len(plain)
    assert ours["score"].sum() == pytest.approx(sum(score for *_, score in plain), rel=1e-3)


def test_direct_bias_and_directions_by_hand():
    words = ("he", "she", "x", "y")
    embedding = Embedding(words, np.array([[2, 0], [0, 5], [3, 0], [1, 1]], np.float32), cased=True)
    direction = make_direction(embedding, Direction("d", "d", ("he",), ("she",)))
    assert direction.vector == pytest.approx(np.array([1, -1]) / np.sqrt(2))
    cosines = embedding.unit_rows(np.array([2, 3])) @ direction.vector
    assert cosines == pytest.approx([1 / np.sqrt(2), 0])
    assert direct_bias(cosines) == pytest.approx(0.5 / np.sqrt(2))
    assert direct_bias(cosines, 2) == pytest.approx(0.25)


@given(SEEDS)
@settings(max_examples=20)
def test_the_principal_component_is_the_direction_of_bolukbasi(seed):
    rng = np.random.default_rng(seed)
    vectors = unit(rng, 8, 5)
    names = tuple("abcdefgh")
    pairs = tuple(zip(names[:4], names[4:], strict=True))
    embedding = Embedding(names, vectors, cased=True)
    ours = make_direction(embedding, Direction("d", "d", names[:4], names[4:], pairs))
    # Their own recipe: each pair minus its mean, then the first component of the centred rows.
    centred = [vector - (vectors[i] + vectors[i + 4]) / 2 for i in range(4) for vector in (vectors[i], vectors[i + 4])]
    _, scales, components = np.linalg.svd(np.array(centred) - np.mean(centred, axis=0))
    assert abs(ours.vector @ components[0]) == pytest.approx(1, abs=1e-6)
    assert ours.explained == pytest.approx(scales[0] ** 2 / np.sum(scales**2))


def test_one_pair_gives_the_same_direction_either_way():
    embedding = Embedding(("he", "she"), unit(np.random.default_rng(0), 2, 4), cased=True)
    by_sum = make_direction(embedding, Direction("d", "d", ("he",), ("she",)))
    by_pair = make_direction(embedding, Direction("d", "d", ("he",), ("she",), (("he", "she"),)))
    assert by_pair.vector == pytest.approx(by_sum.vector)


def test_indirect_bias_at_its_corners():
    direction = np.array([1.0, 0, 0])
    flat = np.array([0, 0.6, 0.8])
    other = np.array([0, 1.0, 0])
    assert indirect_bias(flat, other, direction) == pytest.approx(0)  # neither leans
    leaning = np.array([0.6, 0.8, 0])
    assert indirect_bias(leaning, leaning, direction) == pytest.approx(0)  # a word and itself
    along = np.array([0.8, 0.6, 0])
    across = np.array([0.8, 0, 0.6])
    assert indirect_bias(along, across, direction) == pytest.approx(1)  # alike through the direction alone
    assert np.isnan(indirect_bias(direction, flat, direction))


def test_random_directions_have_the_expected_level():
    # Mean |cos| of a fixed vector with a random direction in many dimensions is sqrt(2 / (pi dim)).
    rng = np.random.default_rng(0)
    vocabulary = unit(rng, 2000, 100)
    vectors = chance_directions(vocabulary, (3, 3), 400, rng)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(400))
    assert np.abs(unit(rng, 50, 100) @ vectors.T).mean() == pytest.approx(np.sqrt(2 / (np.pi * 100)), rel=0.02)


def test_intervals_and_chances_against_known_values():
    assert wilson_interval(0, 0, 0.95) == (None, None)
    assert wilson_interval(5, 10, 0.95) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    # Two special words out of four, two drawn: both special in 1 of 6 draws, none in another.
    assert hypergeometric_p(2, 2, 2, 4) == pytest.approx(2 / 6)
    assert hypergeometric_p(1, 2, 2, 4) == pytest.approx(1)


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_counting_beside_equals_the_plain_count(seed):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(0, 8, 60).astype(np.int32)
    offsets = np.array([0, 7, 7, 31, 60])
    word_of, group_of = np.array([0, 1, -1, -1, -1, -1, 0, -1]), np.array([-1, -1, 0, 1, 1, -1, -1, -1])
    plain = np.zeros((2, 2), np.int64)
    for start, stop in pairwise(offsets):
        for i in range(start, stop):
            for j in range(start, stop):
                if i != j and abs(i - j) <= 3 and word_of[tokens[i]] >= 0 and group_of[tokens[j]] >= 0:
                    plain[word_of[tokens[i]], group_of[tokens[j]]] += 1
    assert (count_beside(tokens, offsets, word_of, group_of, 3) == plain).all()


def test_a_rung_is_the_corpus_that_a_smaller_sample_would_have_given():
    tokens = np.array([0, 1, 2, 0, 3, 0, 2, 2, 1, 3], np.int32)
    offsets = np.array([0, 3, 5, 9, 10])
    rung = sample_corpus(tokens, offsets, np.array([True, False, True, False]), 4, 2)
    # Documents 0 (0 1 2) and 2 (0 2 2 1): word 2 thrice, 0 and 1 twice, 3 never.
    assert rung.words.tolist() == [2, 0, 1]
    assert rung.counts.tolist() == [3, 2, 2]
    assert rung.tokens.tolist() == [1, 2, 0, 1, 0, 0, 2]
    assert rung.offsets.tolist() == [0, 3, 7]


def test_shapes_of_the_analogy_table():
    table = generate_analogies(["a", "b"], np.eye(2), np.array([1.0, 0]), most_distance=1.0, count=5)
    assert table.height == 0
    assert table.schema["score"] == pl.Float64
