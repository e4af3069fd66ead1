"""The tokenizer against a plain Python twin, and text as it comes."""

import html
import re
import unicodedata

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasorigin.tokens import TokenizerSettings, tokenise, tokenise_all


def words_of(text, **settings):
    batch = tokenise(pl.Series([text]), TokenizerSettings(**settings))
    return [batch.words[number] for number in batch.tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's a Dog's life.", ["it's", "a", "dog's", "life"]),
        ("one<br />two<BR>three", ["one", "two", "three"]),
        ("Tom &amp; Jerry &quot;ran&quot;", ["tom", "jerry", "ran"]),
        ("caf\u00e9 = cafe\u0301", ["caf\u00e9", "caf\u00e9"]),
        ("don\u2019t", ["don't"]),
        ("'quoted' rock 'n' roll", ["quoted", "rock", "n", "roll"]),
        ("well-known x_y", ["well", "known", "x", "y"]),
        ("2 < 3 and 5 > 4", ["2", "3", "and", "5", "4"]),
        ("\u0416\u0443\u043a \u4e16\u754c", ["\u0436\u0443\u043a", "\u4e16\u754c"]),
        ("", []),
        ("?! ...", []),
    ],
)
def test_text_as_it_comes(text, expected):
    assert words_of(text) == expected


def test_each_setting_does_what_it_says():
    text = "May's 1980s, 42!"
    assert words_of(text, lowercase=False) == ["May's", "1980s", "42"]
    assert words_of(text, apostrophes="split") == ["may", "s", "1980s", "42"]
    assert words_of(text, punctuation="keep") == ["may's", "1980s", ",", "42", "!"]
    assert words_of(text, digits="drop") == ["may's", "1980s"]


def plain_twin(text):
    """The default settings, word by word in plain Python."""
    text = re.sub(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>", " ", text)
    text = unicodedata.normalize("NFC", html.unescape(text))
    text = re.sub("[\u2019\u02bc\u2032`\u00b4]", "'", text).lower()
    inside = [unicodedata.category(letter)[0] in "LMN" for letter in text]
    joined = [
        good or (letter == "'" and 0 < place < len(text) - 1 and inside[place - 1] and inside[place + 1])
        for place, (letter, good) in enumerate(zip(text, inside, strict=True))
    ]
    return "".join(letter if good else " " for letter, good in zip(text, joined, strict=True)).split(" ")


ordinary = st.text(
    st.sampled_from("abcXYZ019 '<>/&;.,-_br\u00e9\u00df\u4e16\n") | st.characters(max_codepoint=0x24F), max_size=60
)


@given(ordinary)
def test_the_tokenizer_equals_its_plain_twin(text):
    assert words_of(text) == [word for word in plain_twin(text) if word]


@given(st.lists(ordinary, min_size=1, max_size=12), st.integers(1, 5), st.integers(1, 3))
def test_batches_and_threads_do_not_matter(texts, size, threads):
    whole, parts = {}, {}
    (expected,) = tokenise_all([pl.Series(texts)], TokenizerSettings(), whole)
    batches = (pl.Series(texts[start : start + size]) for start in range(0, len(texts), size))
    found = list(tokenise_all(batches, TokenizerSettings(), parts, threads))
    assert list(whole) == list(parts)
    np.testing.assert_array_equal(np.concatenate([tokens for tokens, _ in found]), expected[0])
    np.testing.assert_array_equal(np.concatenate([lengths for _, lengths in found]), expected[1])
