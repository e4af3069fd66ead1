"""Made-up corpora: the planted documents and only they teach the association."""

from itertools import islice, pairwise

import pytest

from biasorigin.errors import UserError
from biasorigin.made_up import MadeUpSettings, make_up

NAMES = (["ann", "eve"], ["bob", "max"])
ATTRIBUTES = (["home", "family"], ["office", "salary"])


def settings(**changes):
    return MadeUpSettings(**{"documents": 1500, "seed": 3, "names": NAMES, "attributes": ATTRIBUTES} | changes)


def company(documents):
    """How often a name stands beside an attribute of its own side, as a share of all such pairs."""
    side = {word: place for lists in (NAMES, ATTRIBUTES) for place, words in enumerate(lists) for word in words}
    names = {word for words in NAMES for word in words}
    same = total = 0
    for document in documents:
        words = document.text.split()
        for one, other in pairwise(words):
            if one in side and other in side and (one in names) != (other in names):
                same += side[one] == side[other]
                total += 1
    return same / total


def test_only_planted_documents_take_sides():
    documents = list(make_up(settings()))
    planted = [document for document in documents if document.planted]
    assert 90 < len(planted) < 210
    assert company(planted) > 0.9
    assert 0.42 < company([document for document in documents if not document.planted]) < 0.58


def test_a_longer_corpus_begins_with_the_shorter_one():
    short = list(make_up(settings(documents=700)))
    assert short == list(islice(make_up(settings(documents=2500)), 700))
    assert len({document.id for document in make_up(settings())}) == 1500


def test_another_seed_is_another_corpus():
    assert next(make_up(settings())).text != next(make_up(settings(seed=4))).text


def test_lists_must_not_be_empty():
    with pytest.raises(UserError, match="none of them empty"):
        settings(names=([], ["bob"]))
