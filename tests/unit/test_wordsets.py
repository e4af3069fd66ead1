"""Reading word sets, and what is said when they are wrong."""

import pytest

from biasorigin.errors import UserError
from biasorigin.wordsets import load_word_sets

GOOD = """
source: Somebody 2020
lists:
  one: {title: One, page: 3, words: [a, b]}
  two: {title: Two, words: [c, "no"]}
tests:
  T: {title: A test, targets: [one, two], attributes: [two, one]}
directions:
  d: {title: By words, first: [he], second: [she]}
  e: {title: By lists, first_list: one, second_list: two}
  p: {title: By pairs, pairs: [[he, she], [man, woman]]}
"""


def load(tmp_path, *texts):
    paths = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text)
        paths.append(path)
    return load_word_sets(paths)


def test_lists_tests_and_directions_are_read(tmp_path):
    sets = load(tmp_path, GOOD)
    assert sets.lists["two"].words == ("c", "no")
    assert sets.tests["T"].words == ("a", "b", "c", "no")
    assert sets.tests["T"].targets[0].source == "Somebody 2020"
    assert (sets.directions["d"].first, sets.directions["d"].second) == (("he",), ("she",))
    assert sets.directions["e"].first == ("a", "b")
    assert sets.directions["p"].first == ("he", "man")
    assert sets.directions["p"].pairs == (("he", "she"), ("man", "woman"))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((GOOD, "source: x\nlists: {one: {title: x, words: [z]}}"), "'one' a second time"),
        (("source: x\ntests: {T: {title: t, targets: [no_list, b], attributes: [c, d]}}",), "'no_list'"),
        (("[1, 2",), "Could not read"),
        (("just text",), "holds no word sets"),
    ],
)
def test_mistakes_are_one_line(tmp_path, texts, expected):
    with pytest.raises(UserError, match=expected) as caught:
        load(tmp_path, *texts)
    assert "\n" not in str(caught.value)
