"""Co-occurrence counts against a count by hand, on random corpora and at the edges."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biasorigin import cooccurrence as counting
from biasorigin.cooccurrence import (
    count_cooccurrence,
    integer_weights,
    load_cooccurrence,
    restricted_cooccurrence,
    without_documents,
)
from biasorigin.cooccurrence_runs import add_runs, count_shard, shard_documents, write_rows
from biasorigin.errors import UserError

WORDS = 7
documents_of_any_kind = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=12), min_size=1, max_size=6)


def pack(documents):
    """Documents as tokens and offsets."""
    tokens = np.array([token for document in documents for token in document], dtype=np.int32)
    return tokens, np.cumsum([0, *map(len, documents)]).astype(np.int64)


def count_by_hand(documents, words, window):
    """X as exact fractions: each pair of a document adds 1/d to both of its cells."""
    sums = [[Fraction(0)] * words for _ in range(words)]
    for document in documents:
        for first in range(len(document)):
            for second in range(first + 1, min(first + window, len(document) - 1) + 1):
                weight = Fraction(1, second - first)
                sums[document[first]][document[second]] += weight
                sums[document[second]][document[first]] += weight
    return np.array([[float(value) for value in row] for row in sums]).reshape(words, words)


def dense(sparse, words):
    """A sparse matrix spelled out, after a check that it is sorted and has no zeros."""
    matrix = np.zeros((sparse.words, words))
    for row in range(sparse.words):
        columns = sparse.indices[sparse.indptr[row] : sparse.indptr[row + 1]]
        assert np.all(np.diff(columns) > 0)
        matrix[row, columns] = sparse.values[sparse.indptr[row] : sparse.indptr[row + 1]]
    assert np.count_nonzero(matrix) == sparse.cells
    return matrix


@given(documents_of_any_kind, st.integers(1, 20))
@settings(max_examples=60)
def test_counts_equal_a_count_by_hand(documents, window):
    counted = count_cooccurrence(*pack(documents), WORDS, window)
    np.testing.assert_array_equal(dense(counted, WORDS), count_by_hand(documents, WORDS, window))


@pytest.mark.parametrize(
    ("documents", "words"),
    [([[]], 3), ([[], []], 0), ([[0]], 1), ([[0, 0]], 1), ([[0, 0, 0, 0]], 1), ([[2], [1], []], 3), ([[0, 1]], 2)],
)
def test_counts_at_the_edges(documents, words):
    counted = count_cooccurrence(*pack(documents), words, 8)
    np.testing.assert_array_equal(dense(counted, words), count_by_hand(documents, words, 8))


def test_a_word_beside_itself_adds_twice():
    assert count_cooccurrence(*pack([[0, 0]]), 1, 8).values.tolist() == [2.0]
    assert count_cooccurrence(*pack([[0, 1, 0]]), 2, 8).values.tolist() == [1.0, 2.0, 2.0]  # 2/2; 1 + 1; 1 + 1


def test_windows_do_not_cross_documents():
    assert count_cooccurrence(*pack([[0], [1]]), 2, 8).cells == 0


@pytest.mark.parametrize("window", [1, 2, 8, 20])
def test_weights_are_exact_up_to_twenty(window):
    weights, denominator = integer_weights(window)
    assert [Fraction(int(weight), denominator) for weight in weights[1:]] == [
        Fraction(1, distance) for distance in range(1, window + 1)
    ]


def test_longer_windows_are_rounded_but_close():
    documents = [[0, 1, 2, 3, 4, 5, 6] * 6]
    counted = dense(count_cooccurrence(*pack(documents), WORDS, 33), WORDS)
    np.testing.assert_allclose(counted, count_by_hand(documents, WORDS, 33), rtol=1e-7)


def test_a_window_of_zero_is_refused():
    with pytest.raises(UserError, match="window to 1 or more"):
        integer_weights(0)


def random_corpus(seed, documents=40, words=60, longest=50):
    """A skewed random corpus with some empty documents."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, longest, documents)
    return pack([np.minimum(rng.geometric(0.08, length) - 1, words - 1).tolist() for length in lengths])


@pytest.mark.parametrize("longest", [6, 400])
def test_short_and_long_rows_of_a_large_vocabulary(longest):
    """Few columns are put in order in another way than many are."""
    words = 300_000
    rng = np.random.default_rng(3)
    documents = [rng.integers(0, words, rng.integers(1, longest)).tolist() for _ in range(20)]
    documents = [[document[0] if k % 3 else token for k, token in enumerate(document)] for document in documents]
    counted = count_cooccurrence(*pack(documents), words, 8)
    expected = {}
    for document in documents:
        for first, word in enumerate(document):
            for second in range(max(0, first - 8), min(len(document), first + 9)):
                if second != first:
                    cell = (word, document[second])
                    expected[cell] = expected.get(cell, 0) + Fraction(1, abs(second - first))
    rows = np.repeat(np.arange(words), np.diff(counted.indptr))
    cells = list(zip(rows.tolist(), counted.indices.tolist(), strict=True))
    assert cells == sorted(expected)
    assert counted.values.tolist() == [float(expected[cell]) for cell in cells]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_and_tasks_do_not_change_a_byte(monkeypatch, threads):
    tokens, offsets = random_corpus(1)
    expected = count_cooccurrence(tokens, offsets, 60)
    monkeypatch.setattr(counting, "CELLS_PER_TASK", 200)
    counted = count_cooccurrence(tokens, offsets, 60, threads=threads)
    for name in ("indptr", "indices", "values"):
        assert getattr(counted, name).tobytes() == getattr(expected, name).tobytes()


@pytest.mark.parametrize(("shards", "tokens_per_run"), [(1, 10**9), (1, 100), (2, 10**9), (3, 50), (60, 10)])
def test_shards_and_runs_do_not_change_a_byte(tmp_path, shards, tokens_per_run):
    tokens, offsets = random_corpus(2)
    expected = count_cooccurrence(tokens, offsets, 60)
    folders = [tmp_path / str(shard) for shard in range(shards)]
    seen = []
    for shard, folder in enumerate(folders):
        documents = shard_documents(offsets, shard, shards)
        seen.extend(documents.tolist())
        count_shard(tokens, offsets, documents, 60, 8, folder, tokens_per_run=tokens_per_run, threads=2)
        assert sorted(path.name for path in folder.iterdir()) == ["indices.npy", "indptr.npy", "sums.npy"]
    assert seen == list(range(len(offsets) - 1))
    cells = write_rows(tmp_path / "whole", add_runs(folders, 60, threads=2), expected.denominator)
    (tmp_path / "whole" / "facts.json").write_text(f'{{"denominator": {expected.denominator}}}')
    loaded = load_cooccurrence(tmp_path / "whole")
    assert cells == expected.cells
    for name in ("indptr", "indices", "values"):
        assert getattr(loaded, name).tobytes() == getattr(expected, name).tobytes()
        assert isinstance(getattr(loaded, name), np.memmap)


def test_arrays_that_do_not_belong_together_are_refused(tmp_path):
    tokens, offsets = random_corpus(2)
    count_shard(tokens, offsets, np.arange(len(offsets) - 1), 60, 8, tmp_path)
    np.save(tmp_path / "values.npy", np.ones(3))
    with pytest.raises(UserError, match="do not belong together"):
        load_cooccurrence(tmp_path)


@given(documents_of_any_kind, st.data())
@settings(max_examples=40)
def test_some_rows_of_some_documents(documents, data):
    tokens, offsets = pack(documents)
    some = data.draw(st.lists(st.integers(0, len(documents) - 1), unique=True))
    rows = data.draw(st.lists(st.integers(0, WORDS - 1), unique=True))
    counted = restricted_cooccurrence(tokens, offsets, np.array(some, int), np.array(rows, int), 8, WORDS)
    expected = count_by_hand([documents[number] for number in some], WORDS, 8)[rows]
    np.testing.assert_array_equal(dense(counted, WORDS), expected)


def test_rows_must_be_distinct():
    with pytest.raises(ValueError, match="distinct"):
        restricted_cooccurrence(*pack([[0, 1]]), np.array([0]), np.array([1, 1]), 8, 2)


@given(documents_of_any_kind, st.data())
@settings(max_examples=40)
def test_removing_documents_is_counting_the_others(documents, data):
    tokens, offsets = pack(documents)
    removed = data.draw(st.sets(st.integers(0, len(documents) - 1)))
    kept = np.array([number for number in range(len(documents)) if number not in removed], int)
    whole = count_cooccurrence(tokens, offsets, WORDS)
    less = without_documents(whole, tokens, offsets, np.array(sorted(removed), int))
    expected = count_cooccurrence(tokens, offsets, WORDS, documents=kept)
    for name in ("indptr", "indices", "values"):
        np.testing.assert_array_equal(getattr(less, name), getattr(expected, name))


def test_removing_what_was_never_there_is_refused():
    whole = count_cooccurrence(*pack([[0, 1]]), 3)
    with pytest.raises(UserError, match="same corpus"):
        without_documents(whole, *pack([[1, 2]]), np.array([0]))


def test_sums_that_could_overflow_are_refused(monkeypatch):
    monkeypatch.setattr(counting, "FIXED_POINT", 2**62)
    with pytest.raises(UserError, match="overflow"):
        count_cooccurrence(*pack([[0, 1]]), 2, 30)
