"""Corpus readers: every format gives the same stream of documents, one at a time.

`open_reader("csv", [path], {"text": "review", "id": "content"})` reads files, folders and archives; files may
be gzip, bz2, xz or zstd. Each format is one small module with a settings dataclass and a function `read`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biasorigin.errors import UserError
from biasorigin.readers import folder, gap, jsonl, lines, nyt, parquet, table, wikipedia
from biasorigin.readers.documents import Document, Report
from biasorigin.readers.identity import identify
from biasorigin.readers.settings import nearest, parse_settings

__all__ = ["FORMATS", "Document", "Report", "open_reader"]

FORMATS = {
    "csv": (table.CsvSettings, table.read),
    "tsv": (table.TsvSettings, table.read),
    "jsonl": (jsonl.JsonlSettings, jsonl.read),
    "parquet": (parquet.ParquetSettings, parquet.read),
    "folder": (folder.FolderSettings, folder.read),
    "lines": (lines.LinesSettings, lines.read),
    "wikipedia": (wikipedia.WikipediaSettings, wikipedia.read),
    "nyt": (nyt.NytSettings, nyt.read),
    "gap": (gap.GapSettings, gap.read),
}


def open_reader(
    format: str, paths: list[Path], settings: dict[str, Any], report: Report | None = None
) -> Iterator[Document]:
    """Stream the documents of a corpus in the order of its files.

    format: a key of FORMATS; paths: files, folders, zip (wheel) or tar archives; settings: the fields of the
    format's settings dataclass; report: filled while reading. Empty documents are dropped and counted. Settings are
    checked at once, before the first document is asked for. A duplicate or missing id, a damaged file or a
    malformed record is a UserError that names file and place.
    """
    if format not in FORMATS:
        raise UserError(f"Corpus format {format!r} is unknown; {nearest(format, list(FORMATS))}")
    settings_class, read = FORMATS[format]
    parsed = parse_settings(settings_class, settings, format)
    if not paths:
        raise UserError(f"Corpus format {format!r}: no path to read was given.")
    report = Report() if report is None else report
    return identify(read([Path(path) for path in paths], parsed, report), report)
