"""From names of lists and directions to a debiased embedding."""

import difflib
from dataclasses import replace

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.mitigation.methods import Debiased, WeightRule, debias_by_components, debias_by_sdp, debias_hard
from biasorigin.mitigation.seeds import SeedChoice, choose_seeds
from biasorigin.mitigation.vectors import unit_and_lengths
from biasorigin.wordsets import Direction, Test, WordSets

KINDS = ("sdp", "hard", "components")


def directions_named(sets: WordSets, keys: list[str]) -> tuple[Direction, ...]:
    """The directions of these keys."""
    return tuple(_known(sets.directions, key, "direction") for key in keys)


def words_named(sets: WordSets, names: list[str]) -> tuple[str, ...]:
    """All words of these lists, each once."""
    return tuple(dict.fromkeys(word for name in names for word in _known(sets.lists, name, "word list").words))


def tests_named(sets: WordSets, keys: list[str]) -> list[Test]:
    """The association tests of these keys."""
    return [_known(sets.tests, key, "association test") for key in keys]


def seed_choice(sets: WordSets, settings: dict) -> SeedChoice:
    """The seed words that the settings describe: lists, exclude, along, total, training_share, salt."""
    return SeedChoice(
        words=words_named(sets, settings["lists"]),
        exclude=words_named(sets, settings["exclude"]),
        along=directions_named(sets, settings["along"]),
        total=settings["total"],
        training_share=settings["training_share"],
        salt=settings["salt"],
    )


def debias(embedding: Embedding, sets: WordSets, method: dict, seeds: dict) -> Debiased:
    """Debias by the method's settings (kind, directions and what the kind needs); seeds as in `seed_choice`."""
    directions = directions_named(sets, method["directions"])
    kind = method["kind"]
    if kind == "sdp":
        unit, _ = unit_and_lengths(embedding.vectors)
        chosen = choose_seeds(embedding, unit, seed_choice(sets, seeds))
        weight = None if method["lambda"] == "choose" else float(method["lambda"])
        rule = WeightRule(weight, tuple(method["multiples"]), method["folds"])
        return debias_by_sdp(embedding, directions, chosen, rule, method["gap"])
    if kind == "hard":
        equalise = directions_named(sets, method["equalise"])
        pairs = tuple(pair for one in equalise for pair in one.pairs)
        joined = Direction("equalise", "Pairs to equalise", (), (), pairs) if pairs else None
        return debias_hard(embedding, directions, words_named(sets, method["keep"]), joined, method["components"])
    if kind == "components":
        return debias_by_components(embedding, directions, method["components"])
    raise UserError(f"The debiasing method {kind!r} is not known; expected one of {', '.join(KINDS)}.")


def joined_embedding(first: Embedding, second: Embedding) -> Embedding:
    """The words of the first embedding and those of the second that the first lacks, all of one vector space."""
    if first.dim != second.dim:
        raise UserError(
            f"An embedding of {second.dim} dimensions cannot be debiased by one of {first.dim}: "
            "fitted_on must name vectors of the same space."
        )
    extra = [row for row, word in enumerate(second.words) if word not in first.index]
    words = (*first.words, *(second.words[row] for row in extra))
    vectors = np.concatenate([first.vectors, second.vectors[np.array(extra, dtype=np.int64)]])
    return replace(first, words=words, vectors=vectors, counts=None)


def _known(entries: dict, name: str, what: str):
    if name not in entries:
        near = difflib.get_close_matches(name, list(entries), n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UserError(f"The {what} {name!r} is in no word-set file.{hint}")
    return entries[name]
