"""Asking people: items, form, accuracy and offensiveness."""

import re

import numpy as np
import polars as pl
import pytest

from biasorigin.enumeration.form import form_html
from biasorigin.enumeration.questionnaire import make_questionnaire, rating_items, score_answers, score_ratings
from biasorigin.errors import UserError

NAMES = pl.DataFrame({"label": ["F1"] * 4 + ["F2"] * 3 + ["F3"] * 2, "name": list("abcdefghi")})
CELLS = pl.DataFrame(
    {
        "category": ["C1", "C1", "C1", "C2", "C2", "C3"],
        "group": ["F1", "F2", "F3", "F1", "F3", "F2"],
        "words": ["aunt, wife, bride", "ball, bat, goal", "x, y, z", "tea, jam, pie", "p, q, <b>", "u, v, w"],
        "significant": [True, True, False, True, True, True],
    }
)


def items():
    return make_questionnaire(NAMES, CELLS, 2, 3, np.random.default_rng(0))


def answers(workers, wrong=()):
    """Every worker answers every item by the key, except the (worker, item) pairs with an answer of their own."""
    own = dict(wrong)
    rows = [
        (worker, item, own.get((worker, item), key))
        for worker in workers
        for item, key in items().select("item", "key").iter_rows()
    ]
    return pl.DataFrame(rows, schema=["worker", "item", "answer"], orient="row")


def test_items_ask_names_of_every_group_and_significant_words_of_the_first_tests():
    made = items()
    qualification = made.filter(pl.col("part") == "qualification")
    assert qualification["key"].value_counts().sort("key").rows() == [("F1", 3), ("F2", 3), ("F3", 2)]
    for name, key in qualification.select("prompt", "key").iter_rows():
        assert NAMES.filter(pl.col("name") == name)["label"][0] == key
    matching = made.filter(pl.col("part") == "matching")
    assert set(matching["prompt"]) == {"aunt, wife, bride", "ball, bat, goal", "tea, jam, pie", "p, q, <b>"}
    assert all(
        set(choices.split(" | ")) == {"F1", "F2"} for choices in matching.filter(pl.col("test") == "C1")["choices"]
    )
    assert made["item"].n_unique() == made.height
    assert made.equals(items())


def test_accuracy_is_the_share_of_associations_with_the_right_plurality():
    key = dict(items().select("prompt", "item").iter_rows())
    wife, tea = key["aunt, wife, bride"], key["tea, jam, pie"]
    given = answers(["ann", "bob", "cat"], {("ann", wife): "F2", ("bob", wife): "F2", ("ann", tea): "F3"}.items())
    scored = score_answers(items(), given)
    assert scored.accuracy == pytest.approx(3 / 4)
    row = scored.items.filter(pl.col("item") == wife).row(0, named=True)
    assert (row["votes"], row["plurality"], row["plurality_votes"], row["agrees"]) == (3, "F2", 2, False)


def test_a_tie_agrees_with_nothing():
    item = items().filter(pl.col("part") == "matching").row(0, named=True)
    other = next(choice for choice in item["choices"].split(" | ") if choice != item["key"])
    scored = score_answers(items(), answers(["ann", "bob"], {("ann", item["item"]): other}.items()))
    assert scored.accuracy == pytest.approx(3 / 4)
    assert scored.items.filter(pl.col("item") == item["item"])["plurality"][0] is None


def test_only_workers_above_half_are_counted():
    names = items().filter(pl.col("part") == "qualification")
    wrong = {("bob", item): "none" for item in names["item"][:4]}  # 4 of 8 right is not more than half
    scored = score_answers(items(), answers(["ann", "bob"], wrong.items()))
    assert scored.workers.rows() == [("ann", 1.0, True), ("bob", 0.5, False)]
    assert scored.items["votes"].to_list() == [1] * 4
    nobody = score_answers(items(), answers(["bob"], wrong.items()))
    assert nobody.accuracy is None


def test_offensiveness_is_the_share_with_a_mean_rating_above_the_middle():
    agreement = score_answers(items(), answers(["ann", "bob"]))
    rated = rating_items(agreement)
    assert rated.height == 4
    values = dict(zip(rated["item"], [(7, 6), (4, 4), (1, 2), (5, 4)], strict=True))
    ratings = pl.DataFrame(
        [(worker, item, str(values[item][place])) for item in values for place, worker in enumerate("ab")],
        schema=["worker", "item", "answer"],
        orient="row",
    )
    scored = score_ratings(agreement, ratings)
    assert scored.items["mean_rating"].to_list() == [6.5, 4.0, 1.5, 4.5]
    assert scored.share_of_rated == pytest.approx(0.5)
    assert scored.share_of_asked == pytest.approx(0.5)
    with pytest.raises(UserError, match="1 ratings are not whole numbers from 1 to 7"):
        score_ratings(
            agreement,
            ratings.with_columns(
                pl.when(pl.col("item") == rated["item"][0]).then(pl.lit("8")).otherwise("answer").alias("answer")
            ).unique("item"),
        )


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"worker": ["a"], "item": ["q1"]}), "lack the column answer"),
        (pl.DataFrame({"worker": ["a"], "item": ["q99"], "answer": ["F1"]}), "not asked"),
        (pl.DataFrame({"worker": ["a", "a"], "item": ["q1", "q1"], "answer": ["F1", "F2"]}), "more than one answer"),
    ],
)
def test_bad_answers_say_why(frame, message):
    with pytest.raises(UserError, match=message):
        score_answers(items(), frame)


def test_form_is_self_contained_warns_first_and_hides_the_key():
    page = form_html("Names & words", items(), {"F1": "Amy, <i>Ann</i>", "F2": "Bob", "F3": "Cy"})
    assert not re.search(r"<(link|img|iframe)|src\s*=|href=|https?://|@import|url\(", page)
    assert page.index("Content warning") < page.index('<form id="questions" hidden>')
    assert "Amy, &lt;i&gt;Ann&lt;/i&gt;" in page
    assert "p, q, &lt;b&gt;" in page
    assert "Names &amp; words" in page
    # Each item has one radio button per choice and nothing that marks the right one.
    assert page.count('type="radio"') == sum(len(c.split(" | ")) for c in items()["choices"])
    assert "checked" not in page
    ratings = form_html("Ratings", rating_items(score_answers(items(), answers(["ann"]))), {"F1": "Amy"})
    assert ratings.count('type="radio"') == 4 * 7
