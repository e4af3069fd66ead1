"""Small files in every format and compression, and how a test reads them."""

import bz2
import csv
import gzip
import io
import json
import lzma

import polars as pl
import pytest
import zstandard

from biasorigin.errors import UserError
from biasorigin.readers import open_reader

COMPRESSORS = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.compress,
}
ROWS = [
    ("a1", "She was a doctor.", "1"),
    ("a2", 'He said "no", twice.\nThen left.', "0"),
    ("a3", "Été à Zürich — 東京", "1"),
]


def read(format, paths, report=None, **options):
    return list(open_reader(format, paths if isinstance(paths, list) else [paths], options, report))


def error(format, paths, **options):
    with pytest.raises(UserError) as problem:
        read(format, paths, **options)
    message = str(problem.value)
    assert "\n" not in message
    return message


def csv_bytes(rows, header=("key", "body", "label"), **dialect):
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows([header, *rows])
    return out.getvalue().encode()


def jsonl_bytes(rows):
    return "".join(json.dumps({"key": k, "body": b, "label": m}) + "\n" for k, b, m in rows).encode()


def parquet_bytes(rows):
    out = io.BytesIO()
    pl.DataFrame(rows, schema=["key", "body", "label"], orient="row").write_parquet(out)
    return out.getvalue()


WRITERS = {
    "csv": csv_bytes,
    "tsv": lambda rows: csv_bytes(rows, delimiter="\t"),
    "jsonl": jsonl_bytes,
    "parquet": parquet_bytes,
}
CONTENTS = {format: write(ROWS) for format, write in WRITERS.items()}
