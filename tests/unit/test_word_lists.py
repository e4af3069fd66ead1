"""The word lists of the papers: every file follows the schema, counts agree with the papers, references resolve."""

import copy
import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
SCHEMA = yaml.safe_load((PROJECT / "workflow/schemas/word_sets.schema.yaml").read_text(encoding="utf-8"))
FILES = {path.name: path for path in sorted((PROJECT / "config/word_sets").glob("*.yaml"))}
CONTENT = {name: yaml.safe_load(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def entries(section: str) -> list[tuple[str, str, dict]]:
    """All (file, name, entry) of one section over all files, repetitions included."""
    return [
        (file, name, entry) for file, content in CONTENT.items() for name, entry in content.get(section, {}).items()
    ]


LISTS = {name: entry for _, name, entry in entries("lists")}
TESTS = {key: entry for _, key, entry in entries("tests")}
DIRECTIONS = {key: entry for _, key, entry in entries("directions")}


def words(name: str) -> list[str]:
    return LISTS[name]["words"]


def sides_as_words(direction: dict) -> tuple[list[str], list[str]]:
    if "pairs" in direction:
        return [first for first, _ in direction["pairs"]], [second for _, second in direction["pairs"]]
    if "first_list" in direction:
        return words(direction["first_list"]), words(direction["second_list"])
    return direction["first"], direction["second"]


def test_the_schema_is_a_valid_and_strict_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    loose = []

    def look(node, path):
        if isinstance(node, dict):
            if node.get("type") == "object" and "additionalProperties" not in node:
                loose.append(path)
            for key, value in node.items():
                look(value, f"{path}/{key}")
        elif isinstance(node, list):
            for number, value in enumerate(node):
                look(value, f"{path}/{number}")

    look(SCHEMA, "")
    assert loose == []


@pytest.mark.parametrize("file", FILES)
def test_every_file_follows_the_schema(file):
    problems = [f"{'/'.join(map(str, error.path))}: {error.message}" for error in VALIDATOR.iter_errors(CONTENT[file])]
    assert problems == []


@pytest.mark.parametrize("file", FILES)
def test_every_file_says_at_its_head_that_words_are_data(file):
    head = [line for line in FILES[file].read_text(encoding="utf-8").splitlines()[:5] if line.startswith("#")]
    assert any("Words are data" in line for line in head)


@pytest.mark.parametrize("file", FILES)
def test_no_key_is_written_twice_in_a_file(file):
    # safe_load keeps the last of two equal keys without a word, so the tree of nodes is searched instead.
    repeated = []

    def look(node):
        if isinstance(node, yaml.MappingNode):
            keys = Counter(key.value for key, _ in node.value)
            repeated.extend(key for key, count in keys.items() if count > 1)
            for _, value in node.value:
                look(value)
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                look(value)

    look(yaml.compose(FILES[file].read_text(encoding="utf-8"), Loader=yaml.SafeLoader))
    assert repeated == []


@pytest.mark.parametrize("section", ["lists", "tests", "directions", "pairs"])
def test_names_are_unique_over_all_files(section):
    counts = Counter(name for _, name, _ in entries(section))
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_list_that_a_test_or_direction_names_exists_in_the_same_file():
    dangling = []
    for file, key, test in entries("tests"):
        named = (*test["targets"], *test["attributes"])
        dangling += [(key, name) for name in named if name not in CONTENT[file]["lists"]]
    for file, key, direction in entries("directions"):
        named = [direction[side] for side in ("first_list", "second_list") if side in direction]
        dangling += [(key, name) for name in named if name not in CONTENT[file]["lists"]]
    assert dangling == []


def test_counts_are_the_stated_ones_or_a_note_explains():
    printed = [*entries("lists"), *entries("pairs")]
    wrong = {
        name: (len(entry["words"]), entry["stated_count"])
        for _, name, entry in printed
        if "stated_count" in entry and len(entry["words"]) != entry["stated_count"] and "note" not in entry
    }
    assert wrong == {}


def test_the_only_lists_that_differ_from_their_stated_count_are_the_known_ones():
    differing = {
        name: (len(entry["words"]), entry["stated_count"])
        for _, name, entry in [*entries("lists"), *entries("pairs")]
        if len(entry["words"]) != entry.get("stated_count", len(entry["words"]))
    }
    assert differing == {
        "adjectives_neutral": (105, 106),
        "published_occupations_straight_gay_first": (3, 10),
        "published_adjectives_white_hispanic_last_names_second": (9, 10),
        "published_occupations_football_softball_second": (4, 5),
    }


def test_no_word_is_twice_in_a_list_and_none_is_garbled():
    for name, entry in LISTS.items():
        assert len(set(entry["words"])) == len(entry["words"]), name
        odd = [
            word
            for word in entry["words"]
            if not re.fullmatch(r"[A-Za-zé]+(?:[ -][A-Za-zé]+)*(?: ?[a-z]?\*{5})?", word)
        ]
        assert odd == [], name


def test_the_papers_counts():
    assert len(words("occupations")) == 319
    assert len(words("gender_specific_words")) == 218
    adjectives = {kind: words(f"adjectives_{kind}") for kind in ("positive", "neutral", "negative")}
    assert [len(adjectives[kind]) for kind in adjectives] == [212, 105, 272]
    assert len(set().union(*adjectives.values())) == 589  # 590 are stated; soft is printed twice


def test_the_tests_have_the_papers_keys():
    intersectional = ["A", "B", "C", "D", "E", "F", "FF", "H", "I", "J", "K", "L", "M", "N"]
    assert list(CONTENT["weat_intersectional.yaml"]["tests"]) == intersectional
    assert list(CONTENT["weat_domains.yaml"]["tests"]) == [f"B{number}" for number in range(1, 6)]
    assert list(CONTENT["weat_caliskan.yaml"]["tests"]) == [f"C{number}" for number in range(1, 11)]


# Table 1 of Caliskan et al. 2017: targets and attributes a side.
CALISKAN = [(25, 25), (25, 25), (32, 25), (16, 25), (16, 8), (8, 8), (8, 8), (8, 8), (6, 7), (8, 8)]


@pytest.mark.parametrize(("number", "sizes"), list(enumerate(CALISKAN, start=1)))
def test_caliskans_tests_have_the_stated_sizes(number, sizes):
    test = TESTS[f"C{number}"]
    assert [len(words(name)) for name in (*test["targets"], *test["attributes"])] == [sizes[0]] * 2 + [sizes[1]] * 2


# Tests that the intersectional paper took over from Caliskan et al.: the two files must not drift apart.
REPRINTS = {"F": "C3", "FF": "C5", "H": "C6", "L": "C10", "M": "C9", "N": "C2"}


@pytest.mark.parametrize(("key", "original"), list(REPRINTS.items()))
def test_reprinted_tests_agree_with_caliskans(key, original):
    for role in ("targets", "attributes"):
        assert [words(name) for name in TESTS[key][role]] == [words(name) for name in TESTS[original][role]]


@pytest.mark.parametrize("key", TESTS)
def test_the_two_lists_of_a_pair_have_one_size_and_share_no_word(key):
    for role in ("targets", "attributes"):
        first, second = (words(name) for name in TESTS[key][role])
        assert len(first) == len(second)
        assert not set(first) & set(second)


def test_lists_of_both_genders_are_the_union_of_the_two():
    for group in ("white", "black", "hispanic", "mexican", "arab"):
        parts = words(f"{group}_male_first_names") + words(f"{group}_female_first_names")
        assert sorted(words(f"{group}_first_names")) == sorted(parts)


def test_the_two_sides_of_a_direction_share_no_word():
    for key, direction in DIRECTIONS.items():
        first, second = sides_as_words(direction)
        assert not set(first) & set(second), key


def test_published_extremes_name_a_direction_and_come_from_the_lists_they_rank():
    ranked = {
        "occupations": set(words("occupations")),
        "adjectives": {word for kind in ("positive", "neutral", "negative") for word in words(f"adjectives_{kind}")},
    }
    checked = 0
    for name, entry in LISTS.items():
        match = re.fullmatch(r"published_(occupations|adjectives)_(\w+)_(first|second)", name)
        if match and match[2] in DIRECTIONS:
            if match[2] != "football_softball":
                assert set(entry["words"]) <= ranked[match[1]], name
            checked += 1
    assert checked == 2 * (20 + 6 + 1)


def with_change(change) -> dict:
    """A small valid file, changed by the function given."""
    content = {
        "source": "A paper",
        "lists": {
            "cats": {"title": "Cats", "page": 1, "stated_count": 2, "words": ["tabby", "tom"]},
            "dogs": {"title": "Dogs", "page": 1, "words": ["hound", "pug"]},
        },
        "tests": {"X": {"title": "T", "page": 2, "targets": ["cats", "dogs"], "attributes": ["dogs", "cats"]}},
        "directions": {"he_she": {"title": "He - she", "page": 3, "first": ["he"], "second": ["she"]}},
    }
    changed = copy.deepcopy(content)
    change(changed)
    return changed


def test_the_example_of_the_next_test_is_valid_before_it_is_broken():
    VALIDATOR.validate(with_change(lambda content: None))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda c: c.pop("source"), id="no source"),
        pytest.param(lambda c: c.update(sources="A paper"), id="misspelled key"),
        pytest.param(lambda c: c["lists"]["cats"].update(wrods=["tom"]), id="misspelled key in a list"),
        pytest.param(lambda c: c["lists"]["cats"].pop("words"), id="no words"),
        pytest.param(lambda c: c["lists"]["cats"].pop("page"), id="no page"),
        pytest.param(lambda c: c["lists"]["cats"].update(words=[]), id="empty list"),
        pytest.param(lambda c: c["lists"]["cats"].update(words=["tom", "tom"]), id="word twice"),
        pytest.param(lambda c: c["lists"]["cats"].update(words=yaml.safe_load("[tom, no]")), id="unquoted no"),
        pytest.param(lambda c: c["lists"]["cats"].update(words=yaml.safe_load("[tom, null]")), id="unquoted null"),
        pytest.param(lambda c: c["lists"]["cats"].update(words=["tom "]), id="blank after a word"),
        pytest.param(lambda c: c["lists"]["cats"].update(words="tom, tabby"), id="words as one string"),
        pytest.param(lambda c: c["lists"]["cats"].update(stated_count="two"), id="count as text"),
        pytest.param(lambda c: c["lists"].update({"Big Cats": c["lists"]["cats"]}), id="name with blanks"),
        pytest.param(lambda c: c["tests"]["X"].update(targets=["cats"]), id="one target"),
        pytest.param(lambda c: c["tests"]["X"].update(targets=["cats", "cats"]), id="targets alike"),
        pytest.param(lambda c: c["tests"]["X"].pop("attributes"), id="no attributes"),
        pytest.param(lambda c: c["directions"]["he_she"].pop("second"), id="direction with one side"),
        pytest.param(lambda c: c["directions"]["he_she"].update(pairs=[["he", "she"]]), id="direction of two kinds"),
        pytest.param(
            lambda c: c["directions"].update(x={"title": "X", "page": 1, "pairs": [["he", "she", "it"]]}),
            id="pair of three",
        ),
        pytest.param(lambda c: [c.pop(section) for section in ("lists", "tests", "directions")], id="nothing in it"),
    ],
)
def test_a_wrong_file_fails_the_schema(change):
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(with_change(change))
