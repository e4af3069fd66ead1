"""Which words of a test an embedding knows, and which of them are used."""

from dataclasses import dataclass

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import Test, WordList

ROLES = ("first_targets", "second_targets", "first_attributes", "second_attributes")
POLICIES = ("balance", "drop", "require")


@dataclass(frozen=True)
class ChosenWords:
    """The rows of one list that are used, and what happened to the other words.

    rows     (words,) int64 rows of the embedding
    used     the words as the list spells them, in the order of `rows`
    missing  words that the embedding does not know
    cut      known words left out so that both lists of a pair have the same size
    """

    rows: np.ndarray
    used: tuple[str, ...]
    missing: tuple[str, ...]
    cut: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChosenTest:
    """The words of a test in an embedding, in the order of ROLES."""

    key: str
    lists: tuple[ChosenWords, ChosenWords, ChosenWords, ChosenWords]


def choose_words(embedding: Embedding, test: Test, policy: str = "balance", least: int = 2) -> ChosenTest:
    """Look up the words of a test under a policy for words that the embedding does not know.

    balance  cut both lists of a pair to the smaller number of known words, dropping the least frequent
             (Intersectional Bias in Word Embeddings, section 4.1)
    drop     use every known word; the lists of a pair may differ in size
    require  an unknown word, or lists of unequal size, is an error
    least    fewest words that each target list must keep; with one word on each side every effect size is the same
    """
    if policy not in POLICIES:
        raise UserError(f"Unknown policy {policy!r} for missing words; expected one of {', '.join(POLICIES)}.")
    found = [_find(embedding, one) for one in (*test.targets, *test.attributes)]
    if policy == "require":
        _require_all(test, found)
    if policy == "balance":
        found = [*_balance(*found[:2]), *_balance(*found[2:])]
    for chosen, one, needed in zip(found, (*test.targets, *test.attributes), (least, least, 1, 1), strict=True):
        if len(chosen.rows) < needed:
            raise UserError(
                f"WEAT set {test.key}: {len(chosen.rows)} of {len(one.words)} words of {one.name!r} can be used "
                f"(not in the vocabulary: {listing(list(chosen.missing)) or 'none'}), at least {needed} are needed. "
                "Lower the embedding's min_count, use a larger corpus, or edit the word list."
            )
    _refuse_overlap(embedding, test, found)
    return ChosenTest(test.key, tuple(found))


def _find(embedding: Embedding, words: WordList) -> ChosenWords:
    rows, found, missing = embedding.find(list(words.words))
    return ChosenWords(rows, tuple(found), tuple(missing))


def _balance(first: ChosenWords, second: ChosenWords) -> tuple[ChosenWords, ChosenWords]:
    size = min(len(first.rows), len(second.rows))
    return _most_frequent(first, size), _most_frequent(second, size)


def _most_frequent(chosen: ChosenWords, size: int) -> ChosenWords:
    if len(chosen.rows) == size:
        return chosen
    # An embedding's rows are in descending order of frequency, so a smaller row is a more frequent word.
    kept = np.sort(np.argsort(chosen.rows, kind="stable")[:size])
    cut = tuple(word for place, word in enumerate(chosen.used) if place not in set(kept.tolist()))
    return ChosenWords(chosen.rows[kept], tuple(chosen.used[place] for place in kept), chosen.missing, cut)


def _require_all(test: Test, found: list[ChosenWords]) -> None:
    missing = [word for chosen in found for word in chosen.missing]
    if missing:
        raise UserError(
            f"WEAT set {test.key}: {len(missing)} of {len(test.words)} words are not in the vocabulary "
            f"({listing(missing)}). Lower the embedding's min_count, or choose the policy balance or drop."
        )
    for first, second, what in ((*found[:2], "target"), (*found[2:], "attribute")):
        if len(first.rows) != len(second.rows):
            raise UserError(
                f"WEAT set {test.key}: the {what} lists have {len(first.rows)} and {len(second.rows)} words; the "
                "policy require needs equal numbers. Even the lists out, or choose the policy balance or drop."
            )


def _refuse_overlap(embedding: Embedding, test: Test, found: list[ChosenWords]) -> None:
    names = [one.name for one in (*test.targets, *test.attributes)]
    for i, first in enumerate(found):
        for j in range(i + 1, len(found)):
            common = np.intersect1d(first.rows, found[j].rows)
            if len(common):
                words = listing([embedding.words[row] for row in common])
                raise UserError(
                    f"WEAT set {test.key}: {names[i]!r} and {names[j]!r} share {len(common)} words in this embedding "
                    f"({words}); the lists of a test must not overlap. Remove each from one of the lists."
                )
