"""Counting, cutting and encoding, against a plain count."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasorigin import vocabulary
from biasorigin.errors import UserError
from biasorigin.vocabulary import build_vocabulary, documents_within, encode, fingerprint

corpora = st.lists(st.lists(st.sampled_from("abcdef"), max_size=8), min_size=1, max_size=10)


def raw(documents):
    types = list(dict.fromkeys(word for document in documents for word in document))
    tokens = np.array([types.index(word) for document in documents for word in document], dtype=np.int32)
    return types, tokens, np.concatenate([[0], np.cumsum([len(document) for document in documents])]).astype(np.int64)


@given(corpora, st.integers(1, 3), st.integers(0, 3), st.integers(1, 7))
def test_vocabulary_and_tokens_equal_a_plain_count(documents, min_count, shortest, piece):
    types, tokens, offsets = raw(documents)
    kept = documents_within(np.diff(offsets), shortest, 6)
    counts = Counter(word for document, stays in zip(documents, kept, strict=True) if stays for word in document)
    expected = sorted((w for w in counts if counts[w] >= min_count), key=lambda word: (-counts[word], word))
    if not expected:
        with pytest.raises(UserError, match="Lower min_count"):
            build_vocabulary(types, tokens, offsets, kept, min_count)
        return
    found = build_vocabulary(types, tokens, offsets, kept, min_count)
    assert found.table["word"].to_list() == expected
    assert found.table["count"].to_list() == [counts[word] for word in expected]
    holders = [sum(word in document for document, s in zip(documents, kept, strict=True) if s) for word in expected]
    assert found.table["documents"].to_list() == holders
    vocabulary.PIECE, whole = piece, vocabulary.PIECE
    try:
        pieces = list(encode(tokens, offsets, kept, found.numbers))
    finally:
        vocabulary.PIECE = whole
    words = [expected[number] for tokens, _ in pieces for number in tokens]
    stays = [[w for w in d if w in expected] for d, k in zip(documents, kept, strict=True) if k]
    assert words == [word for document in stays for word in document]
    assert [int(one) for _, lengths in pieces for one in lengths] == [len(document) for document in stays]


def test_the_limits_of_length_are_included():
    np.testing.assert_array_equal(documents_within(np.array([1, 2, 3, 4]), 2, 3), [False, True, True, False])
    np.testing.assert_array_equal(documents_within(np.array([1, 2, 3, 4]), 2, None), [False, True, True, True])


def test_the_fingerprint_sees_tokens_documents_and_words():
    tokens, offsets, words = np.array([0, 1, 1], np.int32), np.array([0, 1, 3]), ["a", "b"]
    one = fingerprint(tokens, offsets, words)
    assert one == fingerprint(tokens.copy(), offsets.copy(), list(words))
    assert one != fingerprint(np.array([0, 1, 0], np.int32), offsets, words)
    assert one != fingerprint(tokens, np.array([0, 2, 3]), words)
    assert one != fingerprint(tokens, offsets, ["a", "c"])
