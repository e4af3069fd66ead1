"""Directions, extremes and shares: tables and bad input."""

import numpy as np
import polars as pl
import pytest

from biasorigin.association.analogies import generate_analogies
from biasorigin.association.direction_tables import (
    DirectionSettings,
    direct_bias_table,
    directions_of,
    extremes_table,
    indirect_bias_table,
    shares_table,
)
from biasorigin.association.directions import direct_bias, make_direction
from biasorigin.association.ladder import sample_corpus
from biasorigin.association.projections import agreement, project_words
from biasorigin.association.secondary_bias import count_beside, secondary_bias
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import Direction, WordList, WordSets

WORDS = ("he", "she", "nurse", "captain", "cab_driver", "kind", "rude", "calm", "protege", "zero")


def embedding() -> Embedding:
    vectors = np.random.default_rng(1).normal(size=(len(WORDS), 4)).astype(np.float32)
    return Embedding(WORDS, vectors, cased=False)


def word_sets() -> WordSets:
    lists = {
        "jobs": ("nurse", "captain", "cab driver", "protégé", "unknown"),
        "good": ("kind", "calm"),
        "bad": ("rude",),
    }
    directions = {
        "he_she": Direction("he_she", "He - she", ("he",), ("she",)),
        "empty": Direction("empty", "Empty", ("he",), ("nobody",)),
        "axis": Direction("axis", "Axis", ("captain",), ("nurse",)),
    }
    return WordSets({name: WordList(name, name, words) for name, words in lists.items()}, {}, directions)


SETTINGS = DirectionSettings(
    neutral={"jobs": ["jobs"], "adjectives": ["good", "bad"]},
    chance_draws=10,
    nearest_share=0.5,
    indirect={"direction": "he_she", "axis": "axis"},
)


@pytest.mark.parametrize(
    ("direction", "message"),
    [
        (Direction("d", "d", ("he",), ("nobody",)), "the second group is empty, .* vocabulary \\(nobody\\)"),
        (Direction("d", "d", (), ("he",)), "the first group is empty"),
        (Direction("d", "d", ("he",), ("He",)), "the same vector"),
        (Direction("d", "d", ("he",), ("x",), (("he", "x"),)), "no pair has both its words"),
    ],
)
def test_directions_that_cannot_be_made(direction, message):
    with pytest.raises(UserError, match=message) as caught:
        make_direction(embedding(), direction)
    assert "\n" not in str(caught.value)


def test_an_unknown_method_and_direct_bias_of_nothing_are_refused():
    with pytest.raises(UserError, match="expected one of sum, principal"):
        make_direction(embedding(), Direction("d", "d", ("he",), ("she",)), "median")
    with pytest.raises(UserError, match="DirectBias of no words"):
        direct_bias(np.zeros(0))


def test_a_zero_vector_is_refused_in_a_direction_and_ranked_nowhere():
    zero = embedding()
    zero.vectors[0] = 0
    with pytest.raises(UserError, match="zero or undefined vector"):
        make_direction(zero, Direction("d", "d", ("he",), ("she",)))


def test_tables_name_what_was_missing():
    made, problems = directions_of(embedding(), word_sets(), SETTINGS)
    assert [one.key for one in made] == ["he_she", "axis"]
    table = direct_bias_table(embedding(), made, problems, word_sets(), SETTINGS)
    jobs = table.filter((pl.col("direction") == "he_she") & (pl.col("list") == "jobs")).row(0, named=True)
    assert (jobs["words"], jobs["words_missing"]) == (4, 1)  # cab_driver and protege were found
    assert jobs["low"] <= jobs["direct_bias"] <= jobs["high"]
    assert table.filter(pl.col("direction") == "empty")["problem"][0].startswith("Direction 'empty'")
    assert set(table["list"].drop_nulls()) == {"jobs", "adjectives", "good", "bad"}


def test_extremes_cover_each_word_once_and_count_the_whole_vocabulary():
    made, _ = directions_of(embedding(), word_sets(), SETTINGS)
    ranked = extremes_table(embedding(), made, word_sets(), SETTINGS)
    of_jobs = ranked.filter((pl.col("direction") == "he_she") & (pl.col("group") == "jobs"))
    assert sorted(of_jobs["word"]) == ["cab driver", "captain", "nurse", "protégé"]
    assert (of_jobs["cosine"] > 0).all()
    cosines = embedding().unit @ made[0].vector
    row = of_jobs.row(0, named=True)
    sign = 1 if row["side"] == "first" else -1
    place = WORDS.index({"cab driver": "cab_driver", "protégé": "protege"}.get(row["word"], row["word"]))
    assert row["vocabulary_rank"] == 1 + np.sum(sign * cosines > sign * cosines[place] + 1e-6)


def test_shares_add_up_and_have_a_reference():
    made, _ = directions_of(embedding(), word_sets(), SETTINGS)
    ranked = extremes_table(embedding(), made, word_sets(), SETTINGS)
    shares = shares_table(embedding(), ranked, word_sets(), SETTINGS)
    assert set(shares["group"]) == {"adjectives"}
    for _, rows in shares.filter(pl.col("total") > 0).group_by("direction", "side"):
        assert rows["share"].sum() == pytest.approx(1)
        assert rows["reference_share"].to_list() == pytest.approx([2 / 3, 1 / 3])
        assert rows["p_two_sided"].is_between(0, 1).all()


def test_indirect_bias_of_both_poles():
    made, _ = directions_of(embedding(), word_sets(), SETTINGS)
    ranked = extremes_table(embedding(), made, word_sets(), SETTINGS)
    table = indirect_bias_table(embedding(), word_sets(), ranked.filter(pl.col("group") == "jobs"), SETTINGS)
    assert set(table["word"]) <= {"captain", "nurse"}
    assert table.height > 0


def test_unknown_names_in_the_settings_are_refused():
    with pytest.raises(UserError, match=r"association\.directions\.names has nowhere"):
        directions_of(embedding(), word_sets(), DirectionSettings(neutral={"jobs": ["jobs"]}, names=["nowhere"]))
    with pytest.raises(UserError, match="names the word lists none_such"):
        direct_bias_table(embedding(), [], {}, word_sets(), DirectionSettings(neutral={"x": ["none_such"]}))


def test_projections_agree_with_themselves_and_need_a_few_words():
    projected = project_words(embedding(), word_sets().directions["he_she"], ["nurse", "captain", "kind", "rude"])
    along = projected["projection"].to_numpy()
    assert agreement(along, 2 * along + 1).pearson == pytest.approx(1)
    with pytest.raises(UserError, match="Only 3 words are in both embeddings"):
        agreement(along[:3], along[:3])


def test_secondary_bias_by_hand():
    table = secondary_bias(["nurse", "captain", "ghost"], ["man", "woman"], np.array([[1, 3], [4, 0], [0, 0]]))
    assert table["share"].to_list() == [0.25, 0.75, 1.0, 0.0, None, None]
    assert table["flagged"].to_list() == [False, True, True, False, None, None]
    assert table["base_share"][0] == pytest.approx(5 / 8)
    with pytest.raises(UserError, match="at least one known word"):
        count_beside(np.zeros(3, np.int32), np.array([0, 3]), np.array([-1]), np.array([0]), 2)


def test_bad_samples_and_distances_are_refused():
    tokens, offsets = np.zeros(2, np.int32), np.array([0, 1, 2])
    with pytest.raises(UserError, match="holds no document"):
        sample_corpus(tokens, offsets, np.zeros(2, bool), 1, 1)
    with pytest.raises(UserError, match="No word occurs 5 times"):
        sample_corpus(tokens, offsets, np.ones(2, bool), 1, 5)
    with pytest.raises(UserError, match="must be positive"):
        generate_analogies(["a"], np.eye(1), np.ones(1), most_distance=0)
