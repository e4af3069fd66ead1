"""Readers of tables, JSON Lines and Parquet: round trips, ids, settings, errors."""

import csv
import hashlib
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers_on_files import COMPRESSORS, CONTENTS, ROWS, WRITERS, csv_bytes, error, read

from biasorigin.errors import UserError
from biasorigin.readers import FORMATS, Report, open_reader


@pytest.mark.parametrize("compression", COMPRESSORS)
@pytest.mark.parametrize("format", CONTENTS)
def test_columns_round_trip_in_every_compression(tmp_path, format, compression):
    path = tmp_path / "corpus"
    path.write_bytes(COMPRESSORS[compression](CONTENTS[format]))
    report = Report()
    documents = read(format, path, report, text="body", id={"column": "key"}, metadata=["label"])
    assert [(d.id, d.text, d.metadata["label"]) for d in documents] == ROWS
    assert documents[1].place == f"corpus:{'line' if format == 'jsonl' else 'row'} 2"
    assert report.documents == 3
    assert report.as_dict()["encoding_errors"] == {}


@pytest.mark.parametrize("format", CONTENTS)
def test_metadata_can_be_renamed_or_left_out(tmp_path, format):
    path = tmp_path / "corpus"
    path.write_bytes(CONTENTS[format])
    assert read(format, path, text="body", metadata={"positive": "label"})[0].metadata == {"positive": "1"}
    assert read(format, path, text="body")[0].metadata == {}


@pytest.mark.parametrize("format", CONTENTS)
def test_content_ids_do_not_depend_on_order_and_copies_are_numbered(tmp_path, format):
    path, turned = tmp_path / "corpus", tmp_path / "turned"
    path.write_bytes(WRITERS[format]([*ROWS, ("a4", *ROWS[0][1:])]))
    turned.write_bytes(WRITERS[format](ROWS[::-1]))
    report = Report()
    first = {d.text: d.id for d in read(format, turned, text="body")}
    documents = read(format, path, report, text="body", id="content")
    assert [d.id for d in documents[:3]] == [first[d.text] for d in documents[:3]]
    assert documents[3].id == documents[0].id + "-2"
    assert report.repeated == 1


def test_content_id_is_blake2b_of_the_text(tmp_path):
    (tmp_path / "a.csv").write_bytes(CONTENTS["csv"])
    found = read("csv", tmp_path / "a.csv", text="body")[2].id
    assert found == hashlib.blake2b(ROWS[2][1].encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize("format", CONTENTS)
def test_row_ids(tmp_path, format):
    (tmp_path / "corpus").write_bytes(CONTENTS[format])
    documents = read(format, tmp_path / "corpus", text="body", id="row")
    assert [d.id for d in documents] == ["corpus:1", "corpus:2", "corpus:3"]


TEXT = st.text(st.characters(codec="utf-8"), max_size=40)


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(TEXT, max_size=8), delimiter=st.sampled_from(",;\t|"), compression=st.sampled_from(list(COMPRESSORS))
)
def test_any_text_survives_csv(tmp_path_factory, texts, delimiter, compression):
    # A field of \0 or a lone \r is legal in quotes, and so is a newline.
    path = tmp_path_factory.mktemp("csv") / "corpus.csv"
    content = csv_bytes([(t, "x") for t in texts], header=("text", "x"), delimiter=delimiter, quoting=csv.QUOTE_ALL)
    path.write_bytes(COMPRESSORS[compression](content))
    report = Report()
    documents = read("csv", path, report, text="text", id="row", delimiter=delimiter)
    assert [d.text for d in documents] == [t for t in texts if t.strip()]
    assert report.empty == sum(not t.strip() for t in texts)
    assert report.documents == len(documents)


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXT, max_size=8), ascii_only=st.booleans())
def test_any_text_survives_json_lines(tmp_path_factory, texts, ascii_only):
    path = tmp_path_factory.mktemp("jsonl") / "corpus.jsonl"
    path.write_text("".join(json.dumps({"t": t}, ensure_ascii=ascii_only) + "\n" for t in texts), "utf-8", newline="")
    report = Report()
    documents = read("jsonl", path, report, text="t", id="row")
    assert [d.text for d in documents] == [t for t in texts if t.strip()]
    assert report.empty == sum(not t.strip() for t in texts)


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300), format=st.sampled_from(sorted(FORMATS)))
def test_any_bytes_give_documents_or_one_line(tmp_path_factory, data, format):
    path = tmp_path_factory.mktemp("any") / "corpus.xml"
    path.write_bytes(data)
    needs_text = format in CONTENTS
    try:
        for document in read(format, path, **({"text": "body"} if needs_text else {})):
            document.text.encode()
    except UserError as problem:
        assert "\n" not in str(problem)


def test_orange_table_has_two_rows_that_are_no_documents(tmp_path):
    path = tmp_path / "news.tab"
    path.write_text("Category\tText\nd\tstring\nclass\t\n\nsci.space\tthe moon\nrec.autos\ta car\n")
    documents = read("tsv", path, text="Text", metadata={"label": "Category"}, skip_rows=2)
    assert [(d.text, d.metadata["label"]) for d in documents] == [("the moon", "sci.space"), ("a car", "rec.autos")]
    assert documents[0].place == "news.tab:row 1"


def test_huge_field(tmp_path):
    text = "word " * 1_000_000
    (tmp_path / "a.csv").write_bytes(csv_bytes([("1", text, "x")]))
    assert read("csv", tmp_path / "a.csv", text="body")[0].text == text


def test_field_beyond_the_limit_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("biasorigin.readers.inputs.LONGEST_LINE", 100)
    (tmp_path / "a.txt").write_text("x" * 100 + "\n" + "y" * 101 + "\n")
    assert "a.txt:line 2: longer than 100 characters" in error("lines", tmp_path / "a.txt")


def test_old_line_ends_and_byte_order_mark(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbfbody,label\r\none,1\r\ntwo,2\r\n")
    (tmp_path / "b.csv").write_bytes(b"body,label\rthree,1\rfour,2\r")
    documents = read("csv", [tmp_path / "a.csv", tmp_path / "b.csv"], text="body")
    assert [d.text for d in documents] == ["one", "two", "three", "four"]


def test_quotes_can_be_characters(tmp_path):
    (tmp_path / "a.tsv").write_text('body\tn\n"open and never closed\t1\n')
    assert read("tsv", tmp_path / "a.tsv", text="body", quoting="none")[0].text == '"open and never closed'


# Ids and empty documents


@pytest.mark.parametrize("format", CONTENTS)
def test_duplicate_id_names_both_places(tmp_path, format):
    (tmp_path / "one").write_bytes(WRITERS[format](ROWS))
    (tmp_path / "two").write_bytes(WRITERS[format]([("b1", "x", ""), ("a2", "y", "")]))
    message = error(format, [tmp_path / "one", tmp_path / "two"], text="body", id={"column": "key"})
    unit = "line" if format == "jsonl" else "row"
    assert f"'a2' is given twice: at one:{unit} 2 and at two:{unit} 2" in message


@pytest.mark.parametrize("format", CONTENTS)
def test_missing_id_is_an_error_with_its_place(tmp_path, format):
    (tmp_path / "one").write_bytes(WRITERS[format]([ROWS[0], ("", "text", "")]))
    assert " 2: the document has no id" in error(format, tmp_path / "one", text="body", id={"column": "key"})


def test_null_id_in_json_is_missing_and_a_number_is_fine(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 7, "t": "x"}\n{"id": null, "t": "y"}\n')
    assert "a.jsonl:line 2: the document has no id" in error(
        "jsonl", tmp_path / "a.jsonl", text="t", id={"column": "id"}
    )
    (tmp_path / "b.jsonl").write_text('{"id": 7, "t": "x"}\n')
    assert read("jsonl", tmp_path / "b.jsonl", text="t", id={"column": "id"})[0].id == "7"
    (tmp_path / "c.jsonl").write_text('{"id": [7], "t": "x"}\n')
    assert "id [7] is no string" in error("jsonl", tmp_path / "c.jsonl", text="t", id={"column": "id"})


@pytest.mark.parametrize("format", CONTENTS)
def test_empty_documents_are_dropped_and_counted(tmp_path, format):
    (tmp_path / "one").write_bytes(WRITERS[format]([("1", "", ""), ("2", "word", ""), ("3", " \n\u2003", "")]))
    for identifier in ("content", "row", {"column": "key"}):
        report = Report()
        assert [d.text for d in read(format, tmp_path / "one", report, text="body", id=identifier)] == ["word"]
        assert (report.documents, report.empty) == (1, 2)


# Errors


@pytest.mark.parametrize("format", CONTENTS)
@pytest.mark.parametrize("options", [{"text": "bodi"}, {"text": "label", "id": {"column": "bodi"}}])
def test_missing_column_names_the_nearest(tmp_path, format, options):
    (tmp_path / "one").write_bytes(CONTENTS[format])
    assert "there is no column 'bodi'; did you mean 'body'?" in error(format, tmp_path / "one", **options)


def test_unknown_format_and_settings_name_the_nearest(tmp_path):
    assert "did you mean 'parquet'?" in error("parket", tmp_path)
    assert "has no setting 'txet'; did you mean 'text'?" in error("csv", tmp_path, txet="a")
    assert "needs the setting text" in error("csv", tmp_path)
    assert "setting text is 3; expected str" in error("csv", tmp_path, text=3)
    assert "setting skip_rows is True; expected int" in error("csv", tmp_path, text="a", skip_rows=True)
    assert "expected content, row or {column: NAME}" in error("csv", tmp_path, text="a", id="key")
    assert "expected content or row" in error("lines", tmp_path, id="key")
    assert "quoting is 'all'" in error("csv", tmp_path, text="a", quoting="all")
    assert "delimiter is ',,'" in error("csv", tmp_path, text="a", delimiter=",,")
    assert "skip_rows is -1" in error("csv", tmp_path, text="a", skip_rows=-1)
    assert "is no regular expression" in error("folder", tmp_path, name_pattern="(")
    assert "no path" in error("lines", [])


def test_settings_are_checked_before_the_first_document_is_asked_for(tmp_path):
    with pytest.raises(UserError):
        open_reader("csv", [tmp_path], {"txet": "a"})


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'body,label\n"a"b,1\n', "a.csv:line 2: broken record"),
        (b'body,label\nfine,1\n"never closed,1\nx,2\n', "broken record (unexpected end of data)"),
        (b"body,label\nfine,1\nonly\n", "a.csv:row 2: has 1 fields, the header has 2"),
        (b"", "a.csv: is empty"),
    ],
)
def test_broken_csv(tmp_path, content, expected):
    (tmp_path / "a.csv").write_bytes(content)
    assert expected in error("csv", tmp_path / "a.csv", text="body")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"body": "x"', "not valid JSON"),
        ("[1, 2]", "holds list, expected an object"),
        ('{"body": 3}', "'body' holds int, expected a string"),
        ('{"other": "x"}', "there is no column 'body'"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_broken_json_line(tmp_path, line, expected):
    (tmp_path / "a.jsonl").write_text('{"body": "fine"}\n\n' + line + "\n")
    message = error("jsonl", tmp_path / "a.jsonl", text="body")
    assert message.startswith("a.jsonl:line 3: ")
    assert expected in message


def test_broken_parquet(tmp_path):
    (tmp_path / "a.parquet").write_bytes(CONTENTS["parquet"][:-20])
    assert "a.parquet: not readable as Parquet" in error("parquet", tmp_path / "a.parquet", text="body")
    pl.DataFrame({"body": [1, 2]}).write_parquet(tmp_path / "b.parquet")
    assert "column 'body' holds int64, expected strings" in error("parquet", tmp_path / "b.parquet", text="body")
