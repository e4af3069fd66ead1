"""Names, cleaning, groups, words and what bad input does to them."""

import numpy as np
import polars as pl
import pytest

from biasorigin.embedding import Embedding
from biasorigin.enumeration.cleaning import choose_other_words, keep_clear_names, name_margins
from biasorigin.enumeration.demographics import describe_groups, display_order
from biasorigin.enumeration.groups import cluster, group_means, illustrative_members
from biasorigin.enumeration.names import first_names, listed_names, match_names, surnames
from biasorigin.enumeration.preparation import prepare
from biasorigin.enumeration.settings import Settings
from biasorigin.enumeration.words import frequent_words
from biasorigin.errors import UserError

BIRTHS = pl.DataFrame(
    {
        "year": [1937.0, 1938.0, 2017.0, 1938.0, 1990.0],
        "sex": ["F", "F", "M", "M", "F"],
        "name": ["Mary", "Mary", "Mary", "John", "Rare"],
        "n": [5000, 3000, 1000, 2000, 5],
    }
)
RACE = pl.DataFrame(
    {
        "name": ["MARY", "ANNA"],
        "white": [0.6, 1.0],
        "black": [0.2, 0],
        "hispanic": [0.1, 0],
        "asian": [0.1, 0],
        "other": [0.0, 0],
    }
)


def letters(number: int) -> str:
    """A number written in letters."""
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:05d}")


def made_up(names=300, words=900, dim=20, cased=True, seed=0) -> Embedding:
    """Names in four clusters on one side, words in six on the other; some names are used as words."""
    rng = np.random.default_rng(seed)
    side = np.zeros(dim)
    side[0] = 8.0
    name_vectors = side + 2 * rng.standard_normal((4, dim))[np.arange(names) % 4] + rng.standard_normal((names, dim))
    word_vectors = -side + 2 * rng.standard_normal((6, dim))[np.arange(words) % 6] + rng.standard_normal((words, dim))
    name_vectors[:10] -= 2 * side  # Nxaaaaa to Nxaaaaj lie with the words
    spelled = [f"Nx{letters(i)}" for i in range(names)]
    tokens = (spelled if cased else [name.lower() for name in spelled]) + [f"wx{letters(i)}" for i in range(words)]
    order = rng.permutation(names + words)
    return Embedding(
        tuple(tokens[i] for i in order), np.vstack([name_vectors, word_vectors])[order].astype(np.float32), cased=cased
    )


def name_list(names=300) -> pl.DataFrame:
    return listed_names([f"Nx{letters(i)}" for i in range(names)], "names.txt")


SMALL = Settings(
    groups=4, categories=6, words=600, rotations=10, others_among=1200, min_group=5, restarts=3, removed_share=0.1
)


def test_first_names_count_births_of_the_years_asked_for():
    names = first_names(BIRTHS, RACE, 1938, 2017, 1000)
    assert names["name"].to_list() == ["Mary", "John"]
    mary = names.row(0, named=True)
    assert mary["weight"] == 4000
    assert mary["female"] == pytest.approx(0.75)
    assert mary["year"] == pytest.approx((3000 * 1938 + 1000 * 2017) / 4000)
    assert (mary["white"], names["white"][1]) == (0.6, None)
    assert first_names(BIRTHS, None, 1938, 2017, 1000)["black"].null_count() == 2
    with pytest.raises(UserError, match="No first name"):
        first_names(BIRTHS, RACE, 1938, 2017, 10**6)
    with pytest.raises(UserError, match="earlier year first"):
        first_names(BIRTHS, RACE, 2017, 1938, 1)


def test_surnames_leave_out_the_remainder_line():
    census = pl.DataFrame({"name": ["SMITH", "YU", "ALL OTHER NAMES"], "count": [500, 200, 10**6]}).with_columns(
        *(pl.lit(share).alias(f"pct{race}") for race, share in (("white", 70.0), ("black", 10.0), ("api", 5.0))),
        *(pl.lit(share).alias(f"pct{race}") for race, share in (("aian", 1.0), ("2prace", 4.0), ("hispanic", 10.0))),
    )
    names = surnames(census, 300)
    assert names["name"].to_list() == ["Smith"]
    assert names.row(0, named=True)["other"] == pytest.approx(0.05)
    assert names["female"][0] is None
    with pytest.raises(UserError, match="No surname"):
        surnames(census, 10**9)


def test_a_list_skips_comments_and_refuses_duplicates():
    assert listed_names(["# mine", "Ann", "", " Bob "], "x")["name"].to_list() == ["Ann", "Bob"]
    with pytest.raises(UserError, match=r"names.txt: 1 names are listed twice \(Ann\)"):
        listed_names(["Ann", "Bob", "Ann"], "names.txt")
    with pytest.raises(UserError, match="holds no names"):
        listed_names(["# nothing"], "names.txt")


def test_match_honours_case_and_merges_what_folds_together():
    names = pl.concat([listed_names(["Deandre", "DeAndre", "Zoe"], "x")]).with_columns(
        pl.Series("female", [0.0, 0.3, 1.0]), pl.Series("weight", [1.0, 2.0, 5.0])
    )
    folded = match_names(Embedding(("deandre", "of"), np.ones((2, 2), np.float32)), names)
    assert folded.merged == 1
    assert folded.names.select("name", "weight", "row").row(0) == ("Deandre", 3.0, 0)
    assert folded.names["female"][0] == pytest.approx(0.2)
    assert folded.missing["name"].to_list() == ["Zoe"]
    cased = match_names(Embedding(("deandre", "Zoe"), np.ones((2, 2), np.float32), cased=True), names)
    assert cased.names["name"].to_list() == ["Zoe"]
    with pytest.raises(UserError, match="listed twice"):
        match_names(Embedding(("zoe",), np.ones((1, 2), np.float32)), pl.concat([names, names]))


def test_cleaning_removes_the_names_that_look_like_words():
    embedding = made_up()
    prepared = prepare(embedding, match_names(embedding, name_list()), [], lower_case_words=None, settings=SMALL)
    removed = prepared.names.filter(~pl.col("kept")).sort("margin")
    assert removed.height == 30
    assert {f"Nx{letters(i)}" for i in range(10)} <= set(removed["name"])
    assert removed["margin"].max() <= prepared.names.filter("kept")["margin"].min()
    assert removed["group"].null_count() == 30


def test_cleaning_pool_leaves_out_names():
    embedding = made_up(names=50, words=60)
    rows = match_names(embedding, name_list(50)).names["row"].to_numpy()
    rng = np.random.default_rng(1)
    others = choose_other_words(embedding, rows, 40, 110, rng)
    assert len(set(others.tolist())) == 40
    assert not set(others.tolist()) & set(rows.tolist())
    assert len(choose_other_words(embedding, rows, 500, 110, rng)) == 60
    with pytest.raises(UserError, match="on the list of names"):
        choose_other_words(embedding, np.arange(110), 10, 110, rng)


def test_share_removed_is_exact_and_ties_keep_the_earlier():
    assert keep_clear_names(np.array([3.0, 1, 2, 5, 4]), 0.2).tolist() == [True, False, True, True, True]
    assert keep_clear_names(np.zeros(5), 0.4).tolist() == [True, True, True, False, False]
    assert keep_clear_names(np.arange(10.0), 0.3).sum() == 7
    assert keep_clear_names(np.arange(10.0), 0.0).all()
    for wrong in (1.0, -0.1):
        with pytest.raises(UserError, match="share of names"):
            keep_clear_names(np.zeros(5), wrong)


def test_margins_are_positive_on_the_side_of_names():
    rng = np.random.default_rng(0)
    names, others = rng.standard_normal((50, 5)) + 3, rng.standard_normal((50, 5)) - 3
    assert (name_margins(names, others, 1) > 0).all()


def test_clusters_are_found_largest_first_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], [20, 50, 30])
    vectors = np.eye(3)[truth] + 0.05 * rng.standard_normal((100, 3))
    one = cluster(vectors, 3, restarts=4, seed=1)
    np.testing.assert_array_equal(one.labels, np.array([2, 0, 1])[truth])
    np.testing.assert_array_equal(cluster(vectors, 3, 4, 1, threads=2).labels, one.labels)
    assert one.sizes.tolist() == [50, 30, 20]
    assert len(one.agreement) == 3
    assert one.agreement.max() == pytest.approx(1.0)
    np.testing.assert_allclose(group_means(vectors, one.labels, 3)[0], vectors[20:70].mean(axis=0))
    with pytest.raises(UserError, match="only 100 vectors"):
        cluster(vectors, 101, 1, 1)


def test_illustrative_members_stand_for_the_group_together():
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.8, -0.6], [0.0, 1.0], [0.6, -0.8]])
    chosen = illustrative_members(vectors, 3).tolist()
    assert chosen[0] == 0  # the most central
    assert len(set(chosen)) == 3
    assert len(illustrative_members(vectors, 9)) == 5


def test_words_are_lower_case_frequent_and_not_names():
    embedding = Embedding(
        ("the", "The", "ann", "p.m.", "12", "cab-driver", "don't", "x", "ok"), np.ones((9, 2), np.float32)
    )
    rows = frequent_words(embedding, 2, Settings().word_pattern, np.array([2]))
    assert [embedding.words[row] for row in rows] == ["the", "cab-driver"]
    with pytest.raises(UserError, match=r"only 4 \(9 words, 1 excluded as names\)"):
        frequent_words(embedding, 5, Settings().word_pattern, np.array([2]))
    with pytest.raises(UserError, match="not a regular expression"):
        frequent_words(embedding, 2, "(", np.array([2]))


def test_folded_embedding_keeps_names_of_every_list_out_of_the_words():
    embedding = made_up(cased=False)
    names = name_list()
    first, second = names.head(250), names.tail(50)
    lists = match_names(embedding, first), [match_names(embedding, second)]
    prepared = prepare(embedding, *lists, lower_case_words=None, settings=SMALL)
    # What is left of the second list among the words are the names that its own cleaning took for words.
    left = prepared.words.filter(pl.col("word").str.starts_with("nx"))["word"]
    assert len(left) <= 5
    assert set(left) <= {name.lower() for name in second["name"]}
    allowed = {word for word in embedding.words if word.startswith("wx")} - {"wxaaaab"}
    limited = prepare(embedding, *lists, lower_case_words=allowed, settings=SMALL)
    assert set(limited.words["word"]) <= allowed


def test_preparation_is_the_same_on_one_and_two_threads():
    embedding = made_up()
    one, two = (
        prepare(
            embedding, match_names(embedding, name_list()), [], lower_case_words=None, settings=SMALL, threads=threads
        )
        for threads in (1, 2)
    )
    assert one.names.equals(two.names)
    assert one.words.equals(two.words)
    np.testing.assert_array_equal(one.selection.scores, two.selection.scores)
    assert one.facts == two.facts
    assert one.facts["names_used"] + one.facts["names_cleaned_away"] == 300


def test_groups_are_shown_most_female_first_then_least_white_then_largest():
    frame = listed_names(["A", "B", "C"], "x").with_columns(pl.Series("group", [0, 0, 1]))
    assert display_order(describe_groups(frame)).tolist() == [0, 1]
    race = frame.with_columns(pl.Series("white", [0.9, 0.8, 0.1]))
    assert display_order(describe_groups(race)).tolist() == [1, 0]
    sex = race.with_columns(pl.Series("female", [1.0, None, 0.0]), pl.Series("weight", [3.0, 1.0, 1.0]))
    described = describe_groups(sex)
    assert display_order(described).tolist() == [0, 1]
    assert described["female"].to_list() == [1.0, 0.0]  # the unknown one is left out, not counted as 0
    assert described["white"][0] == pytest.approx((3 * 0.9 + 0.8) / 4)
    assert described["white_by_name"][0] == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"groups": 280}, "fewer than 280 groups"),
        ({"groups": 40, "min_group": 10}, "does not support an enumeration"),
        ({"words": 901}, "only 900"),
        ({"removed_share": 0.999}, "fewer than 4 groups"),
    ],
)
def test_impossible_requests_say_why(changes, message):
    embedding = made_up()
    settings = Settings(**{**SMALL.__dict__, **changes})
    with pytest.raises(UserError, match=message):
        prepare(embedding, match_names(embedding, name_list()), [], lower_case_words=None, settings=settings)


def test_names_outside_the_vocabulary_say_why():
    embedding = made_up()
    absent = match_names(embedding, listed_names(["Qq", "Zz"], "x"))
    with pytest.raises(UserError, match="None of the 2 names is in the embedding's vocabulary"):
        prepare(embedding, absent, [], lower_case_words=None, settings=SMALL)


def test_a_cased_embedding_without_names_is_refused_with_the_reason():
    embedding = made_up(names=38)
    matched = match_names(embedding, name_list(38))
    with pytest.raises(UserError, match="cased and has only 38 capitalised words"):
        prepare(embedding, matched, [], lower_case_words=None, settings=Settings(**{**SMALL.__dict__, "min_group": 20}))


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5])
def test_alpha_out_of_range(alpha):
    with pytest.raises(UserError, match="false discovery rate lies between 0 and 1"):
        Settings(alpha=alpha)


@pytest.mark.parametrize(
    "wrong", [{"groups": 1}, {"rotations": 0}, {"removed_share": 1.0}, {"words": 5}, {"words_per_cell": 0}]
)
def test_settings_out_of_range(wrong):
    with pytest.raises(UserError, match="enumeration"):
        Settings.of({**wrong, "names": "not a setting"})
