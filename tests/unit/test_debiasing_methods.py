"""Seed words, the three methods on a small made-up embedding, the choice of λ, and the command for files."""

import logging

import numpy as np
import polars as pl
import pytest
import yaml

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.mitigation.methods import WeightRule, bias_subspace, debias_by_components, debias_by_sdp, debias_hard
from biasorigin.mitigation.plan import debias, directions_named, joined_embedding, words_named
from biasorigin.mitigation.seeds import SeedChoice, SeedWords, choose_seeds, most_associated, split_words
from biasorigin.mitigation.subspace import equalise, hard_debias, join_subspaces, pair_subspace, remove_components
from biasorigin.mitigation.vectors import apply_transform, found_pairs, found_rows, unit_and_lengths
from biasorigin.mitigation.weight import cross_validate, projections, smallest_sufficient
from biasorigin.vector_files.reading import read_vectors
from biasorigin.vector_files.writing import write_word2vec_binary
from biasorigin.wordsets import Direction, WordList, WordSets
from debias_file import debias_file, parse_arguments

DIM = 8
HE_SHE = Direction("he_she", "He - she", ("he",), ("she",))
PAIRS = Direction(
    "pairs", "Pairs", ("he", "man"), ("she", "woman"), (("he", "she"), ("man", "woman"), ("king", "queen"))
)
NEUTRAL = tuple(f"job{letter}" for letter in "abcdefghijklmnopqrst")


def made_up_embedding(seed: int = 0, cased: bool = False) -> Embedding:
    """Neutral words that lean to either side of the first axis, three gendered pairs, and a background."""
    random = np.random.default_rng(seed)
    others = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(80)]
    words = ["he", "she", "man", "woman", "king", "queen", *NEUTRAL, *others]
    vectors = random.normal(size=(len(words), DIM))
    for row in range(0, 6, 2):
        vectors[row + 1] = vectors[row]
        vectors[row, 0], vectors[row + 1, 0] = 3.0, -3.0
    vectors[6:26, 0] += np.tile([2.0, -2.0], 10)
    return Embedding(tuple(words), vectors.astype(np.float32), cased=cased)


def all_seeds(embedding: Embedding, share: float = 1.0):
    return choose_seeds(embedding, unit_and_lengths(embedding.vectors)[0], SeedChoice(NEUTRAL, training_share=share))


def spread(vectors: np.ndarray, embedding: Embedding, rows: np.ndarray) -> float:
    unit, _ = unit_and_lengths(vectors)
    direction = unit[embedding.index["he"]] - unit[embedding.index["she"]]
    return float((unit[rows] @ direction).var() / max(direction @ direction, 1e-300))


def test_sdp_takes_the_direction_out_of_words_that_it_has_not_seen():
    embedding = made_up_embedding()
    seeds = all_seeds(embedding, 0.8)
    assert (len(seeds.training), len(seeds.held_out)) == (16, 4)
    result = debias_by_sdp(embedding, (HE_SHE,), seeds, WeightRule(None, (0.01, 0.1, 1.0), 4))
    before, after = (spread(vectors, embedding, seeds.held_out) for vectors in (embedding.vectors, result.vectors))
    assert after < 0.5 * before
    assert result.facts["lambda_multiple"] in (0.01, 0.1, 1.0)
    assert result.facts["certificate"]["gap"] < 1e-6
    assert result.facts["background_words"] == len(embedding.words) - 20 - 2
    assert result.choice.columns == ["multiple", "mean", "standard_error"]


def test_sdp_keeps_lengths_apart_from_directions():
    embedding = made_up_embedding()
    longer = Embedding(
        embedding.words, embedding.vectors * np.linspace(1, 5, len(embedding.words))[:, None].astype("f4")
    )
    rule = WeightRule(10.0)
    one = debias_by_sdp(embedding, (HE_SHE,), all_seeds(embedding), rule).vectors
    other = debias_by_sdp(longer, (HE_SHE,), all_seeds(longer), rule).vectors
    np.testing.assert_allclose(unit_and_lengths(one)[0], unit_and_lengths(other)[0], atol=1e-5)


def test_sdp_with_two_directions_removes_both():
    embedding = made_up_embedding()
    other = Direction("other", "Other", ("wordaa",), ("wordab",))
    result = debias_by_sdp(embedding, (HE_SHE, other), all_seeds(embedding), WeightRule(1e4))
    unit, _ = unit_and_lengths(result.vectors)
    for first, second in (("he", "she"), ("wordaa", "wordab")):
        direction = unit[embedding.index[first]] - unit[embedding.index[second]]
        jobs = unit[[embedding.index[word] for word in NEUTRAL]]
        assert np.abs(jobs @ direction / np.linalg.norm(direction)).max() < 0.1


def test_neutral_words_lose_the_subspace_and_pairs_differ_in_nothing_else():
    embedding = made_up_embedding()
    unit, lengths = unit_and_lengths(embedding.vectors)
    result = debias_hard(embedding, (PAIRS,), ("queen",), PAIRS)
    moved, moved_lengths = unit_and_lengths(result.vectors)
    basis = bias_subspace(embedding, unit, (PAIRS,), 1)
    np.testing.assert_allclose(moved[6:] @ basis.T, 0, atol=1e-6)
    np.testing.assert_allclose(moved_lengths, lengths, rtol=1e-5)
    for first, second in ((0, 1), (2, 3), (4, 5)):
        np.testing.assert_allclose(moved[6:] @ moved[first], moved[6:] @ moved[second], atol=1e-6)
        difference = moved[first] - moved[second]
        np.testing.assert_allclose(np.abs(difference @ basis[0]), np.linalg.norm(difference), rtol=1e-5)
    assert result.facts == {"components": 1, "kept_words": 6, "equalised_pairs": 3}


def test_removing_components_leaves_nothing_in_the_subspace():
    embedding = made_up_embedding()
    result = debias_by_components(embedding, (PAIRS,), 1)
    unit, _ = unit_and_lengths(embedding.vectors)
    np.testing.assert_allclose(result.vectors @ bias_subspace(embedding, unit, (PAIRS,), 1).T, 0, atol=1e-5)


def test_pair_subspace_points_to_the_first_words():
    random = np.random.default_rng(1)
    axis = np.eye(DIM)[0]
    middle = random.normal(size=(5, DIM)) * 0.1
    basis = pair_subspace(middle + axis, middle - axis, 1)
    np.testing.assert_allclose(basis[0], axis, atol=1e-8)
    with pytest.raises(UserError, match="2 components"):
        pair_subspace((middle + axis)[:1], (middle - axis)[:1], 2)


def test_joined_subspaces_are_orthonormal_and_hold_each_part():
    parts = [np.eye(4)[:1], np.array([[0.6, 0.8, 0, 0]])]
    joined = join_subspaces(parts)
    np.testing.assert_allclose(joined @ joined.T, np.eye(2), atol=1e-12)
    for part in parts:
        np.testing.assert_allclose(remove_components(part, joined), 0, atol=1e-12)


def test_equalising_leaves_a_pair_without_difference_alone():
    unit = np.array([[0.0, 1.0], [0.0, 1.0]])
    np.testing.assert_array_equal(equalise(unit, [(0, 1)], np.array([[1.0, 0.0]])), unit)


def test_a_word_inside_the_subspace_becomes_zero_not_nan():
    moved = hard_debias(np.eye(2), np.array([[1.0, 0.0]]), np.zeros(0, int), [])
    np.testing.assert_array_equal(moved, [[0, 0], [0, 1]])


def test_seeds_are_filled_up_with_associated_words_of_both_sides():
    embedding = made_up_embedding()
    unit, _ = unit_and_lengths(embedding.vectors)
    choice = SeedChoice(NEUTRAL[:4], exclude=("man", "woman", "king", "queen"), along=(HE_SHE,), total=12)
    seeds = choose_seeds(embedding, unit, choice)
    words = {embedding.words[row] for row in seeds.training}
    assert len(words) == 12
    assert set(NEUTRAL[:4]) < words
    assert not words & {"he", "she", "man", "woman", "king", "queen"}
    added = unit[[embedding.index[word] for word in words - set(NEUTRAL[:4])], 0]
    assert (added > 0).sum() == (added < 0).sum() == 4


def test_which_words_are_held_out_depends_on_their_letters_only():
    one, _ = split_words(list("abcdefghij"), 0.5, "salt")
    other, _ = split_words(list("jihgfedcba"), 0.5, "salt")
    assert one == other
    assert split_words(list("abcdefghij"), 0.5, "pepper")[0] != one
    with pytest.raises(UserError, match="above 0"):
        split_words(["a"], 0.0, "")


def test_most_associated_words_are_lower_case_words_only():
    words = ("Anna", "good", "x1", "bad", "a_b", "mid")
    embedding = Embedding(words, np.zeros((6, 2), np.float32), cased=True)
    first, second = most_associated(embedding, np.array([9.0, 3.0, 8.0, -3.0, 2.0, 0.0]), set(), 4)
    assert [words[row] for row in first] == ["good", "a_b"]
    assert [words[row] for row in second] == ["bad", "mid"]
    with pytest.raises(UserError, match="5 words"):
        most_associated(embedding, np.zeros(6), set(), 5)


def test_missing_words_are_logged_and_all_missing_is_an_error(caplog):
    embedding = made_up_embedding()
    with caplog.at_level(logging.WARNING):
        _, found = found_rows(embedding, ("joba", "nowhere"), "Seed words")
    assert found == ["joba"]
    assert "1 of 2 words are not in the vocabulary (nowhere)" in caplog.text
    with pytest.raises(UserError, match="none of the 2 words"):
        found_rows(embedding, ("nowhere", "either"), "Seed words")
    with pytest.raises(UserError, match="none of its 1 pairs"):
        found_pairs(embedding, Direction("d", "", (), (), (("he", "nowhere"),)))
    unit, _ = unit_and_lengths(embedding.vectors)
    with pytest.raises(UserError, match="No seed words are left"):
        choose_seeds(embedding, unit, SeedChoice(("joba",), exclude=("joba",)))


def test_pairs_that_case_folding_makes_equal_count_once():
    embedding = made_up_embedding()
    direction = Direction("d", "", (), (), (("he", "she"), ("He", "She")))
    assert found_pairs(embedding, direction) == [(0, 1)]


def test_nan_in_an_embedding_is_refused():
    embedding = made_up_embedding()
    embedding.vectors[7, 2] = np.nan
    with pytest.raises(UserError, match="1 of 106 vectors hold NaN"):
        debias_by_sdp(embedding, (HE_SHE,), SeedWords(np.arange(6, 26), np.zeros(0, np.int64)), WeightRule(1.0))


def test_zero_vectors_stay_zero_and_are_counted(caplog):
    embedding = made_up_embedding()
    embedding.vectors[-1] = 0
    with caplog.at_level(logging.WARNING):
        result = debias_by_sdp(embedding, (HE_SHE,), all_seeds(embedding), WeightRule(1.0))
    np.testing.assert_array_equal(result.vectors[-1], 0)
    assert "1 zero vectors" in caplog.text


def test_a_direction_without_length_is_refused():
    embedding = made_up_embedding()
    with pytest.raises(UserError, match="no direction"):
        debias_by_sdp(embedding, (Direction("d", "", ("he",), ("he",)),), all_seeds(embedding), WeightRule(1.0))


def test_blocks_do_not_change_the_transform():
    random = np.random.default_rng(2)
    vectors, transform = random.normal(size=(9000, 3)), random.normal(size=(3, 3))
    np.testing.assert_allclose(apply_transform(vectors, transform), vectors @ transform, rtol=1e-5, atol=1e-6)


def test_the_rule_takes_the_smallest_weight_within_one_standard_error():
    scores = pl.DataFrame(
        {"multiple": [1.0, 1.0, 2.0, 2.0, 3.0, 3.0], "fold": [0, 1] * 3, "variance": [9.0, 9.2, 1.1, 1.3, 0.9, 1.3]}
    )
    chosen, summary = smallest_sufficient(scores)
    assert chosen == 2.0  # 1.2 is within .2 of the lowest mean, 1.1
    assert summary["mean"].to_list() == pytest.approx([9.1, 1.2, 1.1])


def test_choosing_needs_enough_seed_words():
    with pytest.raises(UserError, match="at least 10 seed words; 3"):
        cross_validate(np.eye(2), np.ones((3, 2)), np.ones((1, 2)), [1.0], 5)


def test_projections_after_the_identity_are_the_projections():
    vectors = np.random.default_rng(3).normal(size=(4, 3))
    np.testing.assert_allclose(projections(vectors, np.array([[0.0, 2.0, 0.0]]), np.eye(3))[:, 0], vectors[:, 1])


def test_names_that_no_file_defines_are_refused_with_the_nearest():
    sets = WordSets({"jobs": WordList("jobs", "Jobs", NEUTRAL)}, {}, {"he_she": HE_SHE})
    assert words_named(sets, ["jobs"]) == NEUTRAL
    with pytest.raises(UserError, match="Did you mean he_she"):
        directions_named(sets, ["she_he", "he_shee"][1:])
    with pytest.raises(UserError, match="not known"):
        debias(made_up_embedding(), sets, {"kind": "magic", "directions": ["he_she"]}, {})


def test_words_of_another_file_of_the_same_space_are_joined():
    first, second = made_up_embedding(), Embedding(("he", "Anna"), np.ones((2, DIM), np.float32))
    joined = joined_embedding(first, second)
    assert joined.words == (*first.words, "Anna")
    np.testing.assert_array_equal(joined.vectors[0], first.vectors[0])
    with pytest.raises(UserError, match="2 dimensions"):
        joined_embedding(first, Embedding(("a",), np.ones((1, 2), np.float32)))


@pytest.fixture
def vector_file(tmp_path):
    embedding = made_up_embedding()
    write_word2vec_binary(tmp_path / "in.bin", embedding.words, embedding.vectors)
    lists = {"source": "me", "lists": {"my_jobs": {"title": "Jobs", "page": 1, "words": list(NEUTRAL)}}}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(lists))
    return tmp_path


def arguments(folder, *more):
    given = ["--vectors", str(folder / "in.bin"), "--lists", str(folder / "mine.yaml"), "--seeds", "my_jobs"]
    return parse_arguments([*given, *more])


@pytest.mark.parametrize("ending", ["bin", "txt"])
@pytest.mark.parametrize("method", ["sdp", "hard", "components"])
def test_a_file_is_debiased_into_a_file_with_the_same_words(vector_file, method, ending):
    output = vector_file / f"out.{ending}"
    debias_file(
        **arguments(vector_file, "--method", method, "--output", str(output), "--facts", str(vector_file / "f.json"))
    )
    before, after = read_vectors(vector_file / "in.bin"), read_vectors(output)
    embedding = Embedding(before.words, before.vectors)
    assert after.words == before.words
    jobs = np.array([embedding.index[word] for word in NEUTRAL])
    assert spread(after.vectors, embedding, jobs) < 0.3 * spread(before.vectors, embedding, jobs)
    assert (vector_file / "f.json").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--output", "out.npz"], "should end in .bin"),
        (["--output", "OUT.bin", "--lambda", "-1"], "0 or more"),
        (["--output", "OUT.bin", "--seeds", "adjectives"], "is in no word-set file"),
        (["--output", "OUT.bin", "--directions", "white_black_first_names"], "none of the"),
    ],
)
def test_bad_arguments_give_one_line_and_write_nothing(vector_file, more, message):
    more = [str(vector_file / "out.bin") if one == "OUT.bin" else one for one in more]
    with pytest.raises(UserError, match=message) as error:
        debias_file(**arguments(vector_file, *more))
    assert "\n" not in str(error.value)
    assert not (vector_file / "out.bin").exists()


def test_the_original_is_never_overwritten(vector_file):
    with pytest.raises(UserError, match="another name"):
        debias_file(**arguments(vector_file, "--output", str(vector_file / "in.bin")))


def test_a_lambda_that_is_no_number_is_refused(vector_file):
    with pytest.raises(SystemExit, match="expected a number"):
        arguments(vector_file, "--output", "x.bin", "--lambda", "much")
