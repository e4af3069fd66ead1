"""What readers make of files: encodings, compression, folders, archives, lines."""

import gzip
import io
import tarfile
import zipfile

import pytest
from readers_on_files import COMPRESSORS, CONTENTS, error, read

from biasorigin.errors import UserError
from biasorigin.readers import Document, Report, open_reader

# Encodings


@pytest.mark.parametrize("format", ["csv", "jsonl", "lines", "folder"])
def test_invalid_utf8_is_replaced_and_counted_by_file(tmp_path, format):
    bad, good = tmp_path / "bad.txt", tmp_path / "good.txt"
    head = {"csv": b"body\n", "jsonl": b""}.get(format, b"")
    line = {"jsonl": b'{"body": "caf\xe9 \xff ok"}\n'}.get(format, b"caf\xe9 \xff ok\n")
    bad.write_bytes(head + line)
    good.write_bytes(head + line.replace(b"\xe9", "é".encode()).replace(b"\xff", "\ufffd".encode()))
    report = Report()
    options = {"text": "body"} if format in CONTENTS else {}
    documents = read(format, [bad, good], report, **options)
    assert documents[0].text.strip() == "caf\ufffd \ufffd ok"
    assert documents[1].text.strip() == "café \ufffd ok"
    assert report.encoding_errors == {"bad.txt": 2}


def test_character_cut_by_a_chunk_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr("biasorigin.readers.inputs.CHUNK", 1)
    (tmp_path / "a.txt").write_text("東京 ünï\nzwei\n", encoding="utf-8")
    report = Report()
    assert [d.text for d in read("lines", tmp_path / "a.txt", report)] == ["東京 ünï", "zwei"]
    assert report.encoding_errors == {}


def test_two_readers_at_once_count_their_own_errors(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xff one\ntwo\n")
    (tmp_path / "b.txt").write_bytes(b"\xff\xff one\ntwo\n")
    reports = Report(), Report()
    pairs = zip(
        open_reader("lines", [tmp_path / "a.txt"], {}, reports[0]),
        open_reader("lines", [tmp_path / "b.txt"], {}, reports[1]),
        strict=True,
    )
    assert len(list(pairs)) == 2
    assert [r.encoding_errors for r in reports] == [{"a.txt": 1}, {"b.txt": 2}]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_other_encodings(tmp_path, encoding):
    (tmp_path / "a.csv").write_bytes("body\ncafé\n".encode(encoding))
    assert read("csv", tmp_path / "a.csv", text="body", encoding=encoding)[0].text == "café"


def test_unknown_encoding_is_an_error(tmp_path):
    assert "encoding 'utf-9' is unknown" in error("lines", tmp_path / "a.txt", encoding="utf-9")


def test_lone_surrogate_in_json_is_replaced_and_counted(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"body": "a \\ud800 b", "label": "\\udfff"}\n')
    report = Report()
    document = read("jsonl", tmp_path / "a.jsonl", report, text="body", metadata=["label"])[0]
    assert (document.text, document.metadata) == ("a \ufffd b", {"label": "\ufffd"})
    assert report.encoding_errors == {"a.jsonl": 2}


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "lines", "folder"])
@pytest.mark.parametrize("compression", ["gzip", "bz2", "xz", "zstd"])
def test_cut_off_compressed_file(tmp_path, format, compression):
    path = tmp_path / "corpus.txt"
    path.write_bytes(COMPRESSORS[compression](CONTENTS.get(format, CONTENTS["csv"]))[:-5])
    options = {"text": "body"} if format in CONTENTS else {}
    assert "corpus.txt: damaged or cut off" in error(format, path, **options)


def test_missing_file_and_empty_folder(tmp_path):
    assert "cannot be opened" in error("lines", tmp_path / "none.txt")
    assert "holds no file that matches '*.csv'" in error("lines", tmp_path, files="*.csv")


# Folders, archives, lines


def test_folder_of_text_files(tmp_path):
    for name, text in {
        "b/2001-Bush.txt": "two",
        "a/1999-Clinton.txt": "one\r\nline",
        "a/notes.md": "no",
        ".x.txt": "no",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    report = Report()
    documents = read("folder", tmp_path, report, name_pattern=r"(?P<year>\d{4})-(?P<president>\w+)\.txt")
    assert documents == [
        Document("a/1999-Clinton.txt", "one\nline", {"year": "1999", "president": "Clinton"}, "a/1999-Clinton.txt"),
        Document("b/2001-Bush.txt", "two", {"year": "2001", "president": "Bush"}, "b/2001-Bush.txt"),
    ]
    assert report.files == 2
    assert [d.id for d in read("folder", tmp_path, name_pattern=r"(?P<id>\d{4})")] == ["1999", "2001"]
    assert "a/1999-Clinton.txt: the path does not match" in error("folder", tmp_path, name_pattern="(?P<x>[0-9]{5})")
    assert "is given twice: at a/1999-Clinton.txt and at a/1999-Clinton.txt" in error("folder", [tmp_path, tmp_path])


def test_folder_inside_an_archive(tmp_path):
    members = {"pkg/data/1.txt": "one", "pkg/data/2.txt": "two", "pkg/code.py": "no"}
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    for path in (tmp_path / "a.whl", tmp_path / "a.tar.xz"):
        documents = read("folder", path, files="pkg/data/*.txt")
        assert [(d.id, d.text) for d in documents] == [("pkg/data/1.txt", "one"), ("pkg/data/2.txt", "two")]
        assert documents[0].place == f"{path.name}:pkg/data/1.txt"


@pytest.mark.parametrize("format", CONTENTS)
def test_compressed_member_of_an_archive(tmp_path, format):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("data/part.gz", gzip.compress(CONTENTS[format]))
    documents = read(format, tmp_path / "a.zip", text="body", id={"column": "key"}, files="data/*")
    assert [d.id for d in documents] == ["a1", "a2", "a3"]


def test_archive_that_points_outside_is_not_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../evil.txt", "x")
    assert "points outside" in error("folder", tmp_path / "a.zip")


def test_lines(tmp_path):
    (tmp_path / "a.txt").write_bytes("one\r\n\ntwo\u2028still two\r2\nlast".encode())
    report = Report()
    documents = read("lines", tmp_path / "a.txt", report, id="row")
    assert [(d.id, d.text) for d in documents] == [
        ("a.txt:1", "one"),
        ("a.txt:3", "two\u2028still two\r2"),
        ("a.txt:4", "last"),
    ]
    assert report.empty == 1


def test_reader_streams(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"t": "first"}\n' * 3 + "broken\n")
    documents = open_reader("jsonl", [tmp_path / "a.jsonl"], {"text": "t", "id": "row"})
    assert [next(documents).text for _ in range(3)] == ["first"] * 3
    with pytest.raises(UserError, match="line 4"):
        next(documents)
