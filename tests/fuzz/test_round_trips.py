"""What is written comes back: for every format that has a writer, for any content that it can hold."""

import fuzz_guard
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from fuzz_seeds import tarred, zipped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from biasorigin import artefacts, scorecard, vector_files
from biasorigin.archives import extract_members
from biasorigin.readers import open_reader
from biasorigin.wordsets import load_word_sets

few = settings(
    max_examples=100, derandomize=True, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
FULL = TEXT.filter(str.strip)
LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=40)
WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r"), min_size=1, max_size=12)
NAME = st.from_regex(r"[a-z0-9_]{1,8}(/[a-z0-9_]{1,8}){0,2}\.txt", fullmatch=True)
FLOAT = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.fixture
def folder():
    with fuzz_guard.case_folder() as one:
        one.mkdir()
        yield one


@few
@given(st.lists(st.tuples(FULL, TEXT), min_size=1, max_size=8))
def test_parquet(folder, rows):
    texts, titles = (list(column) for column in zip(*rows, strict=True))
    pq.write_table(pa.table({"text": texts, "title": titles}), folder / "c.parquet")
    found = list(open_reader("parquet", [folder / "c.parquet"], {"text": "text", "metadata": ["title"]}))
    assert [(one.text, one.metadata["title"]) for one in found] == rows


@few
@given(st.lists(LINE, min_size=1, max_size=8))
def test_lines(folder, lines):
    # A byte-order mark at the beginning is no text.
    lines[0] = lines[0].lstrip("\ufeff")
    (folder / "c.txt").write_bytes("\n".join(lines).encode())
    found = [one.text for one in open_reader("lines", [folder / "c.txt"], {})]
    assert found == [line for line in lines if line.strip()]


@few
@given(st.dictionaries(NAME, st.binary(max_size=200), min_size=1, max_size=5), st.sampled_from([zipped, tarred]))
def test_archives(folder, members, pack):
    names = list(members)
    if any(one != other and other.startswith(f"{one}/") for one in names for other in names):
        return  # a name cannot be a file and a folder
    (folder / "archive").write_bytes(pack(members))
    target = folder / f"out-{len(list(folder.iterdir()))}"
    paths = extract_members(folder / "archive", ["*"], target)
    assert {path.relative_to(target).as_posix(): path.read_bytes() for path in paths} == members


@st.composite
def embeddings(draw):
    words = draw(st.lists(WORD, min_size=1, max_size=6, unique=True))
    vectors = draw(arrays(np.float32, (len(words), draw(st.integers(1, 5))), elements=FLOAT))
    vectors[~vectors.any(axis=1), 0] = 1  # a vector of zeros has no direction
    return tuple(words), vectors


@few
@given(embeddings(), st.sampled_from(["word2vec_text", "word2vec_binary"]))
def test_vectors(folder, made, file_format):
    words, vectors = made
    write = {"word2vec_text": vector_files.write_word2vec_text, "word2vec_binary": vector_files.write_word2vec_binary}
    write[file_format](folder / "v", words, vectors)
    read = vector_files.read_vectors(folder / "v", file_format)
    assert read.words == words
    np.testing.assert_array_equal(read.vectors, vectors)


@few
@given(embeddings(), st.booleans(), st.sampled_from([np.float32, np.float64]))
def test_arrays(folder, made, by_columns, kind):
    words, vectors = made
    np.save(folder / "v.npy", np.asarray(vectors, dtype=kind, order="F" if by_columns else "C"), allow_pickle=False)
    pl.DataFrame({"word": words}).write_parquet(folder / "w.parquet")
    read = vector_files.read_vectors(folder / "v.npy", path_to_index=folder / "w.parquet")
    assert read.words == words
    np.testing.assert_array_equal(read.vectors, vectors)


@few
@given(
    st.dictionaries(
        st.from_regex("[a-z0-9_]+", fullmatch=True), st.lists(FULL, min_size=1, max_size=4), min_size=2, max_size=4
    )
)
def test_word_sets(folder, lists):
    names = list(lists)
    content = {
        "lists": {name: {"title": name, "words": words} for name, words in lists.items()},
        "tests": {"T": {"targets": names[:2], "attributes": names[:2]}},
    }
    (folder / "w.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    found = load_word_sets([folder / "w.yaml"])
    assert {name: list(one.words) for name, one in found.lists.items()} == lists
    assert [one.name for one in found.tests["T"].targets] == names[:2]


@few
@given(st.lists(st.tuples(*[TEXT] * len(scorecard.COLUMNS)), min_size=1, max_size=4))
def test_published_numbers(folder, rows):
    """A tab, a line end or a quote in a cell breaks no row."""
    table = pl.DataFrame(rows, schema=dict.fromkeys(scorecard.COLUMNS, pl.String), orient="row")
    artefacts.save_table(folder / "p.tsv", table)
    assert scorecard.load_published(str(folder / "p.tsv")).equals(table)


@few
@given(st.recursive(st.none() | st.booleans() | st.integers() | TEXT, lambda inner: st.lists(inner, max_size=3)))
def test_json(folder, value):
    artefacts.save_json(folder / "v.json", value)
    assert artefacts.load_json(folder / "v.json") == value
