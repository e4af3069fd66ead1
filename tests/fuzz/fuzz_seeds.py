"""Small valid inputs for every target, made by writers: ours where there is one, else those of the standard library."""

import bz2
import csv as csv_writer
import gzip
import io
import json
import lzma
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
import zstandard

from biasorigin.vector_files import write_word2vec_binary, write_word2vec_text

PROJECT = Path(__file__).resolve().parents[2]
ROWS = [
    ("a1", "Ann went home, as ever.", "First"),
    ("b-2", 'She said "no"\nand left', "<b>Second</b>"),
    ("../c", "Żółć \u2028 'n' &amp; 12", ""),
]
WORDS = ("he", "she", "naïve", "new_york")
VECTORS = np.array([[0.5, -1.25e-3, 3.0], [1e-7, 2.0, 0.1], [-0.3, 0.0, 1e4], [1.0, 1.0, -1.0]], dtype=np.float32)
INSIDE = {"a.txt": b"first", "sub/b.txt": b"second " * 30, "c.xml": b"<a/>"}


def _packings(data: bytes) -> list[bytes]:
    """The input as it is, compressed, and in archives."""
    return [data, gzip.compress(data), bz2.compress(data), zstandard.compress(data), zipped({"c.xml": data})]


def _table(delimiter: str) -> bytes:
    text = io.StringIO()
    csv_writer.writer(text, delimiter=delimiter).writerows([("id", "text", "title"), *ROWS])
    return text.getvalue().encode()


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(members: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def csv() -> list[bytes]:
    return [*_packings(_table(",")), b"id,text,title\n1,some words,t\n2,others,\n"]


def tsv() -> list[bytes]:
    return _packings(_table("\t"))


def jsonl() -> list[bytes]:
    objects = [{"id": id, "text": text, "title": title} for id, text, title in ROWS]
    plain = "\n".join(json.dumps(one) for one in [*objects, {"id": 7, "text": "x", "title": [1, {"a": None}]}])
    return _packings(plain.encode())


def json_values() -> list[bytes]:
    return [json.dumps({"a": [1, 2.5, None, True], "b": {"c": "ü"}}, indent=2).encode()]


def parquet() -> list[bytes]:
    ids, texts, titles = (list(column) for column in zip(*ROWS, strict=True))
    kinds = {
        "id": [ids, pa.array([1, 2, 3]), pa.array([b"a", b"b", None]), pa.array([1.5, float("nan"), 2])],
        "text": [texts, pa.array(texts, pa.large_string()), pa.array(texts).dictionary_encode(), pa.array([1, 2, 3])],
        "title": [titles, pa.array([[1], [], None]), pa.array([0, 10**9, None], pa.timestamp("s")), [{"x": 1}] * 3],
    }
    tables = [{"id": id, "text": texts, "title": titles} for id in kinds["id"]]
    tables += [{"id": ids, "text": text, "title": titles} for text in kinds["text"]]
    tables += [{"id": ids, "text": texts, "title": title} for title in kinds["title"]]
    made = []
    for number, table in enumerate(tables):
        out = io.BytesIO()
        pq.write_table(pa.table(table), out, compression=("none", "zstd", "snappy")[number % 3])
        made.append(out.getvalue())
    return [*made, gzip.compress(made[0])]


def lines() -> list[bytes]:
    return [*_packings("one line\nŻółć\n\nthe third\r\n".encode()), "Ann\nBob\n# no name\nZoë".encode("utf-16")]


def wikipedia() -> list[bytes]:
    markup = (
        "'''Ada''' {{box|a={{b}}}} was a [[link|text]].&lt;ref&gt;x&lt;/ref&gt; [[File:a.jpg|[[b]]]] [[fr:A]]\n"
        "{|\n|x\n|}\n== H =="
    )
    pages = "".join(
        f"<page><title>{title}</title><ns>{ns}</ns><id>{number}</id>"
        f"<revision><id>9</id><text>{text}</text></revision></page>\n"
        for number, (title, ns, text) in enumerate(
            [("Ada", 0, markup), ("B", 0, "#REDIRECT [[Ada]]"), ("Talk:B", 1, "x"), ("C", 0, "C is {{Disambig}}")], 1
        )
    )
    site = '<siteinfo><namespaces><namespace key="6">Datei</namespace></namespaces></siteinfo>'
    return _packings(f"<mediawiki>{site}{pages}</mediawiki>".encode())


def nyt() -> list[bytes]:
    article = (
        '<nitf><head><meta content="A Desk" name="dsk"/><docdata><doc-id id-string="7"/></docdata>'
        '<pubdata date.publication="19870102T000000"/></head><body><body.head><hedline><hl1>Head</hl1></hedline>'
        '</body.head><body.content><block class="full_text"><p>LEAD: x</p><p>Caf&eacute; <b>one</b></p></block>'
        "</body.content></body></nitf>"
    )
    head = '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE nitf SYSTEM "nitf.dtd">'
    plain = (head + article).encode()
    return [*_packings(plain), gzip.compress(tarred({"01/1.xml": plain, "01/index.txt": b"x"}))]


def gap() -> list[bytes]:
    columns = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    rows = "".join(f'test-{i}\tAnn saw "Bea".\tshe\t9\tAnn\t0\tTRUE\tBea\t4\tFALSE\twiki/{i}\n' for i in (1, 2))
    return _packings((columns + rows).encode())


def _written(write) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "v", WORDS, VECTORS)
        return (Path(folder) / "v").read_bytes()


def word2vec_text() -> list[bytes]:
    plain = _written(write_word2vec_text)
    return [plain, gzip.compress(plain), b"1 1\nword 0.25"]


def glove() -> list[bytes]:
    plain = _written(write_word2vec_text).split(b"\n", 1)[1]
    return [
        plain,
        gzip.compress(plain),
        b"w 1 2 3\n. . . 1.5 2 3e-4\nat name@domain.com 0.1 -2 3\n",
        b"w 0.1234567890123456789\n",
    ]


def word2vec_binary() -> list[bytes]:
    plain = _written(write_word2vec_binary)
    return [plain, gzip.compress(plain)]


def vectors_auto() -> list[bytes]:
    return [*word2vec_text(), *glove(), *word2vec_binary()]


def npy() -> list[bytes]:
    made = []
    for array in (VECTORS[:3], np.asfortranarray(VECTORS[:3], dtype=np.float64), VECTORS[:3].astype(">f2")):
        out = io.BytesIO()
        np.save(out, array, allow_pickle=False)
        made.append(out.getvalue())
    return [*made, gzip.compress(made[0])]


def index() -> list[bytes]:
    return [b"a\nb\nc\n", b"a\r\nb\r\nc", gzip.compress(b"a\nb\nc\n")]


def parquet_index() -> list[bytes]:
    rows = {"word": ["a", "b", "c"], "count": [3, 2, 1]}
    return _frames(rows, {"w": ["a", None, "c"]}, {"word": pl.Series(["a", "b", "c"], dtype=pl.Categorical)})


def _frames(*frames: dict) -> list[bytes]:
    made = []
    for frame in frames:
        out = io.BytesIO()
        pl.DataFrame(frame).write_parquet(out)
        made.append(out.getvalue())
    return made


def births() -> list[bytes]:
    rows = {"year": [1950, 1990], "sex": ["F", "M"], "name": ["Ann", "Bob"], "n": [5, 7]}
    return _frames(rows, {**rows, "n": ["5", "x"]}, {**rows, "year": [None, 1990.5]}, {"name": ["Ann"]})


def census() -> list[bytes]:
    shares = ("pctwhite", "pctblack", "pctapi", "pctaian", "pct2prace", "pcthispanic")
    rows = {"name": ["SMITH", "LEE"], "count": [9, 4], **{key: [20.0, 10.0] for key in shares}}
    return _frames(rows, {**rows, "pctapi": ["(S)", "1"]}, {**rows, "count": [None, 2.5]})


def zips() -> list[bytes]:
    return [zipped(INSIDE), zipped(INSIDE, zipfile.ZIP_STORED), zipped({"a.txt": bytes(1 << 20)}, zipfile.ZIP_LZMA)]


def tars() -> list[bytes]:
    long = {"d" * 50 + "/" + "e" * 60: b"x", **INSIDE}
    forms = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
    return [*(tarred(long, form) for form in forms), gzip.compress(tarred(INSIDE)), lzma.compress(tarred(INSIDE))]


def compressed() -> list[bytes]:
    plain = b"some text \n" * 50
    packed = [gzip.compress(plain), bz2.compress(plain), lzma.compress(plain), zstandard.compress(plain)]
    return [plain, *packed, gzip.compress(plain) * 2, gzip.compress(gzip.compress(plain))]


def configs() -> list[bytes]:
    """Differences to the default study, and the default study section by section."""
    files = [file for file in sorted((PROJECT / "config").glob("*.yaml")) if file.name != "config.yaml"]
    sections = yaml.safe_load((PROJECT / "config" / "config.yaml").read_text(encoding="utf-8"))
    parts = [yaml.safe_dump({name: content}, sort_keys=False).encode() for name, content in sections.items()]
    return [file.read_bytes() for file in files] + parts + [b"corpora: {mine: {like: reviews, title: x}}\n"]


def word_sets() -> list[bytes]:
    small = (
        "source: Somebody 2020\nlists:\n  one: {title: One, page: 3, words: [a, b]}\n  two: {title: T, words: [c, d]}\n"
        "tests:\n  T1: {title: A test, page: 1, targets: [one, two], attributes: [two, one]}\n"
        "directions:\n  d: {title: By words, page: 2, first: [he], second: [she]}\n"
        "  e: {title: By lists, page: 2, first_list: one, second_list: two}\n"
        "  p: {title: By pairs, page: 2, pairs: [[he, she], [man, woman]]}\n"
    )
    return [small.encode()]


def reader_settings() -> list[bytes]:
    columns = {"text": "text", "id": {"column": "id"}, "metadata": ["title"], "encoding": "utf-8", "files": "*.csv"}
    given = {
        "csv": {**columns, "delimiter": ",", "quoting": "minimal", "skip_rows": 0},
        "folder": {"files": "*", "name_pattern": "(?P<id>.*)[.](?P<kind>csv)", "encoding": "latin-1"},
        "lines": {"id": "row", "encoding": "utf-16-le"},
    }
    return [yaml.safe_dump({name: settings}).encode() for name, settings in given.items()]


def similarity() -> list[bytes]:
    return [b"# a comment\ncar\tauto\t8.94\ntiger\t\tcat\t7.35\n"]


def analogies() -> list[bytes]:
    return [b": capitals\nAthens Greece Baghdad Iraq\n: gram1\nbig bigger small smaller\n"]


def published() -> list[bytes]:
    head = "paper\titem\trow\tcolumn\tvalue\tquantity\tmeasured_on\tpage_or_section\tours\ttolerance\tnote\n"
    rows = [
        ("p", "Table 1", "C1", "d", "1.5", "effect", "Google News word2vec", "3", "weat/google_news/C1", "0.01", ""),
        ("p", "Table 1", "C2", "d", "he", "word", "Google News word2vec", "3", "weat/google_news/C2*100", "1%", "n"),
        ("p", "Table 2", "C3", "d", "2", "x", "other", "4", "", "", "A setting of theirs"),
    ]
    return [(head + "".join("\t".join(row) + "\n" for row in rows)).encode()]


def answers() -> list[bytes]:
    return [b'worker,item,answer\n"w1","q1","a"\n"w1","m1","b"\n"w2","q1","b"\n']


def texts() -> list[bytes]:
    plain = "It's <br /> the dog’s &amp; 1980s life\x00Żółć 世界 don't\x00'n' roll! e\u0301 \U0001f600".encode()
    return [bytes([bits]) + plain for bits in (0, 1, 6, 15)]
