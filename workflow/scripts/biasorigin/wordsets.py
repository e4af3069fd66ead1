"""Word lists, association tests and directions, read from YAML files with their sources."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biasorigin.errors import UserError, listing
from biasorigin.yaml_files import load_yaml

NAME = re.compile("[A-Za-z0-9_]+")  # a name becomes a column, a key of the explorer's blocks and part of an address


@dataclass(frozen=True)
class WordList:
    """A named list of distinct words and where it was printed."""

    name: str
    title: str
    words: tuple[str, ...]
    source: str = ""
    page: int | str | None = None


@dataclass(frozen=True)
class Test:
    """A WEAT: are the first targets closer to the first attributes than the second targets are?"""

    __test__ = False  # not a test of the project's own, whatever pytest thinks

    key: str
    title: str
    targets: tuple[WordList, WordList]
    attributes: tuple[WordList, WordList]
    source: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Every word of the test, each once, targets first."""
        lists = (*self.targets, *self.attributes)
        return tuple(dict.fromkeys(word for one in lists for word in one.words))


@dataclass(frozen=True)
class Direction:
    """A direction from the second words to the first: sum of first minus sum of second, or pairs of words."""

    key: str
    title: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    source: str = ""


@dataclass(frozen=True)
class WordSets:
    """All lists, tests and directions of some files."""

    lists: dict[str, WordList]
    tests: dict[str, Test]
    directions: dict[str, Direction]


def load_word_sets(paths: list[Path | str]) -> WordSets:
    """Read word-set files; a name may be defined only once over all of them."""
    files = [(Path(path), _read(Path(path))) for path in paths]
    lists: dict[str, WordList] = {}
    for path, content in files:
        for name, entry in _entries(content, "lists", path):
            _must_be_new(name, lists, "word list", path)
            words = _words(entry.get("words"), f"{path.name}: list {name}")
            lists[name] = WordList(name, str(entry.get("title", name)), words, _source(content), entry.get("page"))
    tests: dict[str, Test] = {}
    directions: dict[str, Direction] = {}
    for path, content in files:
        for key, entry in _entries(content, "tests", path):
            _must_be_new(key, tests, "association test", path)
            targets, attributes = (
                _two_lists(entry.get(role), lists, f"{path.name}: test {key}: {role}")
                for role in ("targets", "attributes")
            )
            tests[key] = Test(key, str(entry.get("title", key)), targets, attributes, _source(content))
        for key, entry in _entries(content, "directions", path):
            _must_be_new(key, directions, "direction", path)
            directions[key] = _direction(key, entry, lists, path, _source(content))
    return WordSets(lists, tests, directions)


def _direction(key: str, entry: dict, lists: dict[str, WordList], path: Path, source: str) -> Direction:
    place = f"{path.name}: direction {key}"
    pairs = _pairs(entry["pairs"], place) if "pairs" in entry else ()
    sides = []
    for side, of_pair in (("first", 0), ("second", 1)):
        if f"{side}_list" in entry:
            sides.append(_list(entry[f"{side}_list"], lists, place).words)
        elif side in entry or not pairs:
            sides.append(_words(entry.get(side), f"{place}: {side}"))
        else:
            sides.append(tuple(pair[of_pair] for pair in pairs))
    return Direction(key, str(entry.get("title", key)), sides[0], sides[1], pairs, source)


def _read(path: Path) -> dict:
    content = load_yaml(path)
    if not isinstance(content, dict):
        raise UserError(f"{path} holds no word sets: expected the keys source, lists, tests or directions.")
    return content


def _source(content: dict) -> str:
    return str(content.get("source", ""))


def _entries(content: dict, section: str, path: Path) -> Iterator[tuple[str, dict]]:
    """Name and settings of everything in a section of a file."""
    found = content.get(section) or {}
    if not isinstance(found, dict):
        raise UserError(f"{path}: {section} is {found!r:.60}; expected names, each with its settings.")
    for name, entry in found.items():
        if not NAME.fullmatch(str(name)):
            raise UserError(f"{path}: {section} has the name {name!r:.60}; expected letters, digits and underscores.")
        if not isinstance(entry, dict):
            raise UserError(f"{path}: {section}: {name} is {entry!r:.60}; expected settings such as title.")
        yield str(name), entry


def _words(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise UserError(f"{place} has {value!r:.60} for words; expected a list of at least one word.")
    return tuple(_word(word, place) for word in value)


def _word(value: object, place: str) -> str:
    """YAML takes an unquoted no for false and an unquoted 2001-01-01 for a date; neither is the word that was meant."""
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise UserError(
            f"{place} has {value!r:.60} among its words; expected a word. Put it in quotes, or take it out."
        )
    return str(value)


def _pairs(value: object, place: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value) or not value:
        raise UserError(f"{place} has {value!r:.60} for pairs; expected a list of pairs of words.")
    return tuple((_word(first, place), _word(second, place)) for first, second in value)


def _two_lists(value: object, lists: dict[str, WordList], place: str) -> tuple[WordList, WordList]:
    if not isinstance(value, list) or len(value) != 2:
        raise UserError(f"{place} is {value!r:.60}; expected the names of two word lists.")
    return _list(value[0], lists, place), _list(value[1], lists, place)


def _must_be_new(name: str, known: dict, what: str, path: Path) -> None:
    if name in known:
        raise UserError(f"{path} defines the {what} {name!r} a second time. Rename one of the two.")


def _list(name: object, lists: dict[str, WordList], place: str) -> WordList:
    if str(name) not in lists:
        raise UserError(
            f"{place} refers to the word list {name!r:.60}, which no file defines. Known: {listing(sorted(lists))}."
        )
    return lists[str(name)]
