"""Made-up corpora of any size in which the origin of the bias is known.

A document is drawn from a topic: words by Zipf's law, in an order of the topic's own, with names and attribute words
mixed in at random. In a planted document the names keep company with one side of the attributes: the first names
with the first attributes, the second with the second. Every other document treats all names alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from biasorigin.errors import UserError

CHUNK = 1_000  # documents drawn from one random stream: part of the definition of a corpus


@dataclass(frozen=True)
class MadeUpSettings:
    """What a made-up corpus is like.

    documents  how many; a longer corpus begins with the documents of a shorter one
    seed       another seed gives another corpus
    words      size of the common vocabulary
    topics     number of topics
    length     mean number of words in a document
    planted    share of the documents that teach the association
    names      the two lists of names
    attributes the two lists of attribute words
    """

    documents: int
    seed: int
    names: tuple[list[str], list[str]]
    attributes: tuple[list[str], list[str]]
    words: int = 2_000
    topics: int = 8
    length: int = 60
    planted: float = 0.1

    def __post_init__(self) -> None:
        if not all(self.names) or not all(self.attributes):
            raise UserError("A made-up corpus needs two lists of names and two of attribute words, none of them empty.")


@dataclass(frozen=True)
class MadeUpDocument:
    """A document, its topic, and whether the association was planted in it."""

    id: str
    text: str
    topic: str
    planted: bool


def make_up(settings: MadeUpSettings) -> Iterator[MadeUpDocument]:
    """Draw the documents, in chunks, each from a random stream of its own."""
    orders = _orders_of_topics(settings)
    for first in range(0, settings.documents, CHUNK):
        rng = np.random.default_rng([settings.seed, 1 + first // CHUNK])
        # Whole chunks are drawn and cut, so that a document does not depend on how many follow it.
        for place, document in enumerate(_chunk(rng, orders, settings)):
            if first + place >= settings.documents:
                return
            topic, planted, text = document
            yield MadeUpDocument(f"made-up-{first + place:09d}", text, f"topic {topic}", planted)


def _orders_of_topics(settings: MadeUpSettings) -> np.ndarray:
    """(topics, words): which word has which rank in a topic. The most frequent words are common to all."""
    rng = np.random.default_rng([settings.seed, 0])
    common = settings.words // 20
    rest = np.arange(common, settings.words)
    return np.array([np.concatenate([np.arange(common), rng.permutation(rest)]) for _ in range(settings.topics)])


def _chunk(rng: np.random.Generator, orders: np.ndarray, settings: MadeUpSettings) -> Iterator[tuple[int, bool, str]]:
    common_words = np.array([_spell(number) for number in range(settings.words)])
    share = 1 / (np.arange(settings.words) + 2.7)
    cumulative = np.cumsum(share / share.sum())
    lengths = 8 + rng.poisson(max(settings.length - 8, 1), CHUNK)
    topics = rng.integers(settings.topics, size=CHUNK)
    planted = rng.random(CHUNK) < settings.planted
    ranks = np.searchsorted(cumulative, rng.random(int(lengths.sum())))
    ends = np.cumsum(lengths)
    for place in range(CHUNK):
        drawn = ranks[ends[place] - lengths[place] : ends[place]]
        words = common_words[orders[topics[place]][np.minimum(drawn, settings.words - 1)]].tolist()
        yield int(topics[place]), bool(planted[place]), " ".join(_with_names(rng, words, planted[place], settings))


def _with_names(rng: np.random.Generator, words: list[str], planted: bool, settings: MadeUpSettings) -> list[str]:
    """Put groups of a name and an attribute word side by side into the text."""
    for _ in range(4 if planted else 2):
        side = int(rng.integers(2))
        company = side if planted else int(rng.integers(2))
        name = settings.names[side][int(rng.integers(len(settings.names[side])))]
        attribute = settings.attributes[company][int(rng.integers(len(settings.attributes[company])))]
        place = int(rng.integers(len(words) + 1))
        words[place:place] = [name, attribute] if rng.integers(2) else [attribute, name]
    return words


def _spell(number: int) -> str:
    """A pronounceable word for a number: ba, be, bi, ..., baba, babe."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    word = ""
    number += len(syllables)  # at least two syllables, so that none is an English word such as `me`
    while number:
        number, part = divmod(number, len(syllables))
        word = syllables[part] + word
    return word
