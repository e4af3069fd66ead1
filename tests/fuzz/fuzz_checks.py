"""What must hold of an input that was read, for each kind of input.

A check raises UserError for an input that it refuses, and fails where an input is read and the result is wrong.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

import fuzz_seeds as seeds
import numpy as np
import polars as pl

from biasorigin import archives, artefacts, readers, scorecard, vector_files
from biasorigin.config import load_yaml, resolve
from biasorigin.enumeration.questionnaire import ITEM_SCHEMA, score_answers
from biasorigin.quality import load_benchmark
from biasorigin.tokens import TokenizerSettings, plain_text, tokenise
from biasorigin.wordsets import load_word_sets
from prepare_enumeration import read_list
from read_documents import read_documents
from score_questionnaire import read_answers

PROJECT = Path(__file__).resolve().parents[2]


def reader(format: str, name: str, settings: dict, data: bytes, folder: Path) -> None:
    """Documents have a text and an id of their own; reading again, and the stored table, give the same."""
    path = folder / name
    path.write_bytes(data)
    report = readers.Report()
    documents = list(readers.open_reader(format, [path], settings, report))
    assert report.documents == len(documents) == len({one.id for one in documents})
    for one in documents:
        assert one.id == one.id.strip() != ""
        assert one.text.strip()
        "".join((one.id, one.text, *one.metadata, *one.metadata.values())).encode()
    if documents:
        whole = {"format": format, "reader": settings, "salt": "", "fraction": 1.0}
        table = folder / "documents.parquet"
        read_documents("c", [str(path)], whole, str(table), str(folder / "reading.json"))
        stored = artefacts.load_table(table)
        assert stored["id"].to_list() == [one.id for one in documents]
        assert stored["text"].to_list() == [one.text for one in documents]
        for field in documents[0].metadata:
            assert stored[field].to_list() == [one.metadata[field] for one in documents]


def reader_settings(data: bytes, folder: Path) -> None:
    """Settings of a reader as somebody wrote them: `format: {...}` for any of the formats."""
    (folder / "mine.yaml").write_bytes(data)
    given = load_yaml(folder / "mine.yaml")
    for format, settings in given.items() if isinstance(given, dict) else ():
        if isinstance(settings, dict):
            reader(str(format), "c.csv", settings, seeds.csv()[0], folder)


def folder_reader(data: bytes, folder: Path) -> None:
    """A folder of files, one of them hostile, whose names are ids."""
    (folder / "corpus").mkdir()
    (folder / "corpus" / "known.txt").write_text("known")
    (folder / "corpus" / "given.txt").write_bytes(data)
    documents = list(readers.open_reader("folder", [folder / "corpus"], {}))
    assert "known" in [one.text for one in documents]


def vectors(file_format: str, data: bytes, folder: Path) -> None:
    """Words are distinct, vectors finite, and what is written again comes back."""
    path = folder / "vectors"
    path.write_bytes(data)
    drop = vector_files.Policies("drop", "drop", "drop")
    read = vector_files.read_vectors(path, file_format, policies=drop)
    _require_usable(read)
    if file_format == "glove_text" and not data.startswith(b"\x1f\x8b"):
        _equals_plain_twin(read, data)
    every = len(read.words) + sum(read.dropped.values())
    limited = vector_files.read_vectors(path, file_format, policies=drop, limit=every + 99)
    assert limited.words == read.words
    plain = [place for place, word in enumerate(read.words) if not re.search(r"[ \t\r\n]", word)]
    words, rows = tuple(read.words[place] for place in plain), read.vectors[plain]
    for write, again in (
        (vector_files.write_word2vec_text, "word2vec_text"),
        (vector_files.write_word2vec_binary, "word2vec_binary"),
    ):
        if words:
            write(folder / "again", words, rows)
            back = vector_files.read_vectors(folder / "again", again)
            assert back.words == words
            assert np.array_equal(back.vectors, rows)


def _require_usable(read: vector_files.VectorFile) -> None:
    assert read.vectors.shape[0] == len(read.words) == len(set(read.words)) > 0
    assert read.vectors.dtype == np.float32
    assert np.isfinite(read.vectors).all()
    assert read.vectors.any(axis=1).all()
    assert all(read.words)


def _equals_plain_twin(read: vector_files.VectorFile, data: bytes) -> None:
    lines = [line.rstrip(b" \t\r") for line in data.split(b"\n")]
    dim = read.vectors.shape[1]
    rows: dict[bytes, np.ndarray] = {}
    for line in filter(None, lines):
        word, *numbers = re.split(rb"[ \t]+(?=[^ \t]+(?:[ \t]+[^ \t]+){%d}$)" % (dim - 1), line, maxsplit=1)
        rows.setdefault(word, np.array([float(one) for one in re.split(rb"[ \t]+", numbers[0])], dtype=np.float32))
    for word, row in zip(read.words, read.vectors, strict=True):
        assert np.array_equal(rows[word.encode()], row), word


def array(data: bytes, folder: Path, index: bytes = b"a\nb\nc\n", ending: str = "txt") -> None:
    """An array beside a list of words, either of which may be the hostile one."""
    (folder / "array.npy").write_bytes(data)
    (folder / f"index.{ending}").write_bytes(index)
    for limit in (None, 2):
        path_to_index = folder / f"index.{ending}"
        drop = vector_files.Policies("drop", "drop", "drop")
        _require_usable(
            vector_files.read_vectors(
                folder / "array.npy", "npy", path_to_index=path_to_index, limit=limit, policies=drop
            )
        )


def index_of_array(ending: str, data: bytes, folder: Path) -> None:
    array(seeds.npy()[0], folder, data, ending)


def archive(data: bytes, folder: Path) -> None:
    """All members below the target and nothing elsewhere, or nothing at all."""
    path, target = folder / "archive", folder / "in" / "target"
    path.write_bytes(data)
    (folder / "outside").write_bytes(b"before")
    found = []
    try:
        found = archives.extract_members(path, ["*"], target, limit=1 << 22)
        assert found
    finally:
        assert sorted(one for one in target.rglob("*") if not one.is_dir()) == found
        assert not any(one.is_symlink() for one in folder.rglob("*"))
        assert (folder / "outside").read_bytes() == b"before"
        assert {one.name for one in folder.iterdir()} == {"archive", "outside", "in"}
        assert [one.name for one in (folder / "in").iterdir()] == ["target"]
    assert not list(archives.iterate_members(path, ["no such member"]))
    if archives.archive_kind(path) == "zip":
        for one in found[:3]:
            name = one.relative_to(target).as_posix()
            if name in {info for info, _ in archives.iterate_members(path, ["*"])}:
                assert archives.read_member(path, name, limit=1 << 22) == one.read_bytes()


def compressed(data: bytes, folder: Path) -> None:
    """Bytes, whatever the compression, in memory that does not grow with them."""
    (folder / "file").write_bytes(data)
    with archives.open_file(folder / "file") as stream:
        while stream.read(1 << 16):
            pass


@cache
def _schema() -> dict:
    return load_yaml(PROJECT / "workflow" / "schemas" / "config.schema.yaml")


@cache
def _default() -> dict:
    default = load_yaml(PROJECT / "config" / "config.yaml")
    return {**default, "sources": {**load_yaml(PROJECT / "data" / "sources.yaml"), **default["sources"]}}


def _merged(base: dict, changes: dict) -> dict:
    """As Snakemake puts a study's differences into the default configuration."""
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def config(data: bytes, folder: Path) -> None:
    """A study's differences to the default configuration, checked as the workflow checks them."""
    (folder / "mine.yaml").write_bytes(data)
    given = load_yaml(folder / "mine.yaml")
    if not isinstance(given, dict):
        return
    merged = _merged(_default(), given)
    checked = resolve(merged, _schema())
    assert resolve(checked, _schema()) == checked
    names = [*checked["corpora"], *checked["embeddings"], *checked["sources"]]
    assert all(re.fullmatch(r"[A-Za-z0-9_]+", name) for name in names)


def word_sets(data: bytes, folder: Path) -> None:
    """Lists of words, tests of four lists, directions with two ends."""
    (folder / "mine.yaml").write_bytes(data)
    found = load_word_sets([folder / "mine.yaml"])
    for one in found.lists.values():
        assert isinstance(one.name, str)
        assert isinstance(one.title, str)
        assert all(isinstance(word, str) for word in one.words)
    for test in found.tests.values():
        assert len(test.targets) == len(test.attributes) == 2
        assert isinstance(test.title, str)
    for direction in found.directions.values():
        assert isinstance(direction.key, str)
        assert all(isinstance(word, str) and word for word in (*direction.first, *direction.second))
        assert direction.first
        assert direction.second


def benchmark(name: str, data: bytes, folder: Path) -> None:
    """Pairs with a finite score, or questions of four words."""
    (folder / "benchmark").write_bytes(data)
    found = load_benchmark(name, folder / "benchmark")
    if name == "ws353":
        assert len(found.first) == len(found.second) == len(found.scores) > 0
        assert np.isfinite(found.scores).all()
    else:
        assert len(found.questions) == len(found.sections) > 0
        assert {len(question) for question in found.questions} == {4}


def published(data: bytes, folder: Path) -> None:
    """Printed numbers, each with a verdict."""
    (folder / "paper.tsv").write_bytes(data)
    table = scorecard.load_published(str(folder / "paper.tsv"))
    measured = scorecard.measured_table([("weat/google_news/C1", 1.5, None), ("weat/google_news/C2", "nan", "a note")])
    card = scorecard.make_scorecard(table, measured)
    assert card.height == table.height
    assert set(card["status"]) <= set(scorecard.STATUSES)
    assert scorecard.summarise(card)["total"].sum() == card.height
    artefacts.save_table(folder / "card.tsv", card)
    assert artefacts.load_table(folder / "card.tsv").height == card.height


def names(data: bytes, folder: Path) -> None:
    """A list of names, one a line."""
    (folder / "names.txt").write_bytes(data)
    found = read_list("listed", [str(folder / "names.txt")])
    assert found.height == found["name"].n_unique() > 0


def counted_names(kind: str, data: bytes, folder: Path) -> None:
    """Names with how often they were given or borne."""
    (folder / "names.parquet").write_bytes(data)
    found = read_list(kind, [str(folder / "names.parquet")], years=[1900, 2020])
    assert found.height > 0
    assert found["name"].n_unique() == found.height or kind == "census"


def answers(data: bytes, folder: Path) -> None:
    """What people answered to the questionnaire."""
    (folder / "answers.csv").write_bytes(data)
    rows = [("q1", "qualification", "", "Ann", "a | b", "a"), ("m1", "matching", "T", "x, y", "a | b", "b")]
    found = score_answers(pl.DataFrame(rows, schema=ITEM_SCHEMA, orient="row"), read_answers(folder / "answers.csv"))
    assert found.items.height == 1
    assert found.accuracy is None or 0 <= found.accuracy <= 1


def tokenizer(data: bytes, folder: Path) -> None:
    """The words of any text are those of a plain twin; the first byte chooses the settings."""
    bits = data[0] if data else 0
    settings = TokenizerSettings(
        lowercase=bool(bits & 1),
        apostrophes="split" if bits & 2 else "keep",
        punctuation="keep" if bits & 4 else "drop",
        digits="drop" if bits & 8 else "keep",
    )
    texts = data[1:].decode("utf-8", "replace").split("\x00")
    found = tokenise(pl.Series(texts, dtype=pl.String), settings)
    assert len(found.lengths) == len(texts)
    assert len(set(found.words)) == len(found.words)
    ends = np.cumsum(found.lengths)
    cleaned = plain_text(pl.Series(texts, dtype=pl.String), settings)
    for text, length, end in zip(cleaned, found.lengths, ends, strict=True):
        words = [found.words[number] for number in found.tokens[end - length : end]]
        assert words == _plain_words(text, settings), text


def _plain_words(text: str, settings: TokenizerSettings) -> list[str]:
    kinds = [_kind(letter) for letter in text]
    words, place = [], 0
    while place < len(text):
        begin = place
        place += 1
        if kinds[begin] in "LN":
            while place < len(text):
                joined = settings.apostrophes == "keep" and text[place] == "'" and place + 1 < len(text)
                if kinds[place + joined] not in "LN":
                    break
                place += 1 + joined
            if "L" in kinds[begin:place] or settings.digits == "keep":
                words.append(text[begin:place])
        elif kinds[begin] == "O" and settings.punctuation == "keep":
            words.append(text[begin])
    return words


def _kind(letter: str) -> str:
    category = unicodedata.category(letter)[0]
    return "S" if letter.isspace() or category == "Z" else {"L": "L", "M": "L", "N": "N"}.get(category, "O")


def stored(name: str, load: Callable, data: bytes, folder: Path) -> None:
    """An artefact of ours that something else has overwritten."""
    (folder / name).write_bytes(data)
    value = load(folder / name)
    if isinstance(value, np.ndarray):
        value.sum() if value.dtype.kind in "iuf" else None
