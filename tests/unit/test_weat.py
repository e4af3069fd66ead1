"""WEAT: word policies, bad input, tables."""

import numpy as np
import polars as pl
import pytest

from biasorigin.association.generalised import generalised_weat
from biasorigin.association.multiple_testing import benjamini_hochberg
from biasorigin.association.permutation import permutation_test
from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.association.words import choose_words
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import Test, WordList

WORDS = ("john", "amy", "paul", "joan", "office", "home", "salary", "family", "career", "parents")


def embedding(words=WORDS, cased=False) -> Embedding:
    vectors = np.random.default_rng(0).normal(size=(len(words), 6)).astype(np.float32)
    counts = np.arange(len(words), 0, -1)
    return Embedding(tuple(words), vectors, counts, cased=cased)


def make_test(s=("John", "Paul"), t=("Amy", "Joan"), a=("office", "salary"), b=("home", "family")) -> Test:
    s, t, a, b = (WordList(name, name, tuple(words)) for name, words in zip("stab", (s, t, a, b), strict=True))
    return Test("H", "names", (s, t), (a, b))


def test_balance_cuts_the_least_frequent_of_the_larger_list():
    chosen = choose_words(embedding(), make_test(a=("career", "office", "unknown", "salary"), b=("home", "family")))
    assert chosen.lists[2].used == ("office", "salary")
    assert chosen.lists[2].missing == ("unknown",)
    assert chosen.lists[2].cut == ("career",)
    assert chosen.lists[3].used == ("home", "family")


def test_drop_keeps_unequal_lists():
    chosen = choose_words(embedding(), make_test(a=("career", "office", "salary")), "drop")
    assert [len(one.rows) for one in chosen.lists] == [2, 2, 3, 2]


def test_require_refuses_a_missing_word_and_unequal_lists():
    with pytest.raises(UserError, match=r"1 of 8 words are not in the vocabulary \(unknown\)"):
        choose_words(embedding(), make_test(a=("office", "unknown")), "require")
    with pytest.raises(UserError, match="2 and 1 words; the policy require needs equal numbers"):
        choose_words(embedding(), make_test(b=("home",)), "require")


def test_casing_is_the_embeddings_own():
    assert choose_words(embedding(), make_test()).lists[0].used == ("John", "Paul")
    with pytest.raises(UserError, match="0 of 2 words of 's' can be used"):
        choose_words(embedding(cased=True), make_test())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"s": ("Xerxes", "Yorick")}, r"0 of 2 words of 's' can be used \(not in the vocabulary: Xerxes, Yorick\)"),
        ({"s": ("John", "Amy")}, r"'s' and 't' share 1 words in this embedding \(amy\)"),
        ({"b": ("home", "salary")}, "'a' and 'b' share 1 words"),
        ({"a": ("office", "john")}, "'s' and 'a' share 1 words"),
        ({"s": ("John",), "t": ("Amy",)}, "1 of 1 words of 's' can be used .* at least 2 are needed"),
        ({"a": ()}, "0 of 0 words of 'a'"),
    ],
)
def test_bad_sets_are_refused_in_one_line(changes, message):
    with pytest.raises(UserError, match=message) as caught:
        choose_words(embedding(), make_test(**changes))
    assert "\n" not in str(caught.value)


def test_an_unknown_policy_is_refused():
    with pytest.raises(UserError, match="expected one of balance, drop, require"):
        choose_words(embedding(), make_test(), "ignore")


def test_zero_vectors_and_nan_are_refused():
    for value in (0, np.nan):
        broken = embedding()
        broken.vectors[0] = value
        with pytest.raises(UserError, match="zero or undefined vector"):
            score_tests(broken, [make_test()], WeatSettings(bootstrap=0))
    with pytest.raises(UserError, match="not finite"):
        permutation_test(np.array([1.0, np.nan]), np.array([1.0]), exact_words=4, draws=0, seed=0)


def test_a_test_that_cannot_be_made_keeps_its_row_and_the_reason():
    bad = make_test(s=("Xerxes", "Yorick"))
    bad = Test("X", "bad", bad.targets, bad.attributes)
    table, words = score_tests(embedding(), [bad, make_test()], WeatSettings(bootstrap=50))
    assert table["test"].to_list() == ["X", "H"]
    assert table["effect_size"].is_null().to_list() == [True, False]
    assert "0 of 2 words" in table["problem"][0]
    assert table["q"][1] == table["p_one_sided"][1]
    fates = words.filter(pl.col("test") == "X")["fate"].to_list()
    assert fates == ["missing"] * 2 + ["unused"] * 6
    assert words.filter((pl.col("test") == "H") & (pl.col("word") == "John"))["count"].item() == 10


def test_equal_associations_have_no_effect_size_but_a_p_of_one():
    vectors = np.tile([1.0, 2.0], (8, 1)).astype(np.float32)
    same = Embedding(WORDS[:8], vectors, cased=False)
    row = score_tests(same, [make_test()], WeatSettings(bootstrap=20))[0].row(0, named=True)
    assert row["effect_size"] is None
    assert row["problem"] == "All associations are equal, so the effect size is undefined."
    assert (row["p_one_sided"], row["p_two_sided"], row["greater"]) == (1, 1, 0)


def test_adding_a_test_changes_no_other():
    other = make_test(a=("career", "salary"))
    other = Test("G", "other", other.targets, other.attributes)
    alone = score_tests(embedding(), [make_test()], WeatSettings(exact_words=0, draws=500, bootstrap=100))[0]
    both = score_tests(embedding(), [other, make_test()], WeatSettings(exact_words=0, draws=500, bootstrap=100))[0]
    assert both.filter(pl.col("test") == "H").drop("q").equals(alone.drop("q"))


def test_benjamini_hochberg_by_hand():
    adjusted = benjamini_hochberg(np.array([0.04, 0.01, np.nan, 0.03, 0.5]))
    assert adjusted[[0, 1, 3, 4]] == pytest.approx([0.16 / 3, 0.04, 0.16 / 3, 0.5])
    assert np.isnan(adjusted[2])
    assert np.isnan(benjamini_hochberg(np.array([np.nan]))).all()


def test_the_generalised_weat_refuses_empty_and_unpaired_groups():
    one = np.eye(2)
    with pytest.raises(UserError, match="2 groups and 1 sets"):
        generalised_weat([one, one], [one], one, one)
    with pytest.raises(UserError, match="empty group"):
        generalised_weat([one[:0]], [one], one, one)
