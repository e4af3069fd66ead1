"""Looking words up as an embedding spells them, and keeping an embedding."""

import numpy as np
import pytest

from biasorigin.embedding import Embedding, load_embedding, save_embedding
from biasorigin.errors import UserError

WORDS = ("may", "cab_driver", "fiance", "ex-wife", "zero")


def make(cased=False, words=WORDS):
    vectors = np.arange(1, len(words) * 2 + 1, dtype=np.float32).reshape(len(words), 2)
    vectors[-1] = 0
    return Embedding(words, vectors, np.arange(len(words), 0, -1), cased)


def test_words_are_found_as_the_embedding_spells_them():
    rows, found, missing = make().find(["May", "cab driver", "fiancé", "ex_wife", "nobody"])
    assert rows.tolist() == [0, 1, 2, 3]
    assert found == ["May", "cab driver", "fiancé", "ex_wife"]
    assert missing == ["nobody"]


def test_a_cased_embedding_keeps_names_and_words_apart():
    assert make(cased=True).find(["May"])[2] == ["May"]


def test_a_row_is_returned_once():
    rows, found, missing = make().find(["may", "May", "MAY"])
    assert (rows.tolist(), found, missing) == ([0], ["may"], [])


def test_a_zero_vector_has_no_direction():
    embedding = make()
    np.testing.assert_allclose(np.linalg.norm(embedding.unit_rows(np.arange(4)), axis=1), 1)
    with pytest.raises(UserError, match="zero"):
        _ = embedding.unit


def test_an_embedding_comes_back_as_it_was(tmp_path):
    for counts in (np.array([5, 4, 3, 2, 1]), None):
        before = Embedding(WORDS, np.ones((5, 2), np.float32), counts, True, {"kind": "test"})
        save_embedding(tmp_path, before)
        after = load_embedding(tmp_path)
        assert after.words == before.words
        np.testing.assert_array_equal(after.vectors, before.vectors)
        assert (after.counts is None) == (counts is None)
        assert after.cased
        assert after.facts["kind"] == "test"


def test_words_and_vectors_must_agree():
    with pytest.raises(UserError, match="one vector for each word"):
        Embedding(("a", "b"), np.zeros((3, 2)))
