"""Word lists, association tests and directions, read from YAML files with their sources."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from biasorigin.errors import UserError, listing


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
        for name, entry in (content.get("lists") or {}).items():
            _must_be_new(name, lists, "word list", path)
            words = tuple(str(word) for word in entry["words"])
            lists[name] = WordList(name, entry.get("title", name), words, content.get("source", ""), entry.get("page"))
    tests: dict[str, Test] = {}
    directions: dict[str, Direction] = {}
    for path, content in files:
        source = content.get("source", "")
        for key, entry in (content.get("tests") or {}).items():
            _must_be_new(key, tests, "association test", path)
            targets, attributes = (
                tuple(_list(name, lists, f"{path.name}: test {key}") for name in entry[role])
                for role in ("targets", "attributes")
            )
            tests[str(key)] = Test(str(key), entry.get("title", str(key)), targets, attributes, source)
        for key, entry in (content.get("directions") or {}).items():
            _must_be_new(key, directions, "direction", path)
            directions[key] = _direction(key, entry, lists, path, source)
    return WordSets(lists, tests, directions)


def _direction(key: str, entry: dict, lists: dict[str, WordList], path: Path, source: str) -> Direction:
    pairs = tuple((str(first), str(second)) for first, second in entry.get("pairs", []))
    sides = []
    for side, of_pair in (("first", 0), ("second", 1)):
        if f"{side}_list" in entry:
            sides.append(_list(entry[f"{side}_list"], lists, f"{path.name}: direction {key}").words)
        elif side in entry:
            sides.append(tuple(str(word) for word in entry[side]))
        else:
            sides.append(tuple(pair[of_pair] for pair in pairs))
    return Direction(key, entry.get("title", key), sides[0], sides[1], pairs, source)


def _read(path: Path) -> dict:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"Could not read the word sets in {path}: {reason}. Correct the file.") from error
    if not isinstance(content, dict):
        raise UserError(f"{path} holds no word sets: expected the keys source, lists, tests or directions.")
    return content


def _must_be_new(name: str, known: dict, what: str, path: Path) -> None:
    if name in known:
        raise UserError(f"{path} defines the {what} {name!r} a second time. Rename one of the two.")


def _list(name: str, lists: dict[str, WordList], place: str) -> WordList:
    if name not in lists:
        raise UserError(
            f"{place} refers to the word list {name!r}, which no file defines. Known: {listing(sorted(lists))}."
        )
    return lists[name]
