"""CSV and TSV: one document per record."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import LONGEST_LINE, Input, iterate_inputs
from biasorigin.readers.settings import ColumnSettings, check_columns

QUOTING = {"minimal": csv.QUOTE_MINIMAL, "none": csv.QUOTE_NONE}


@dataclass(frozen=True, kw_only=True)
class CsvSettings(ColumnSettings):
    """The first record names the columns; `skip_rows` records after it are no documents (Orange's types and roles).

    quoting: `minimal` ("a field, with commas" and "" for a quote) or `none` (a quote is a character like others).
    """

    delimiter: str = ","
    quoting: str = "minimal"
    skip_rows: int = 0

    def __post_init__(self):
        super().__post_init__()
        if self.quoting not in QUOTING:
            raise UserError(f"Reader setting quoting is {self.quoting!r}; expected minimal or none.")
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n':
            raise UserError(f"Reader setting delimiter is {self.delimiter!r}; expected one character.")
        if self.skip_rows < 0:
            raise UserError(f"Reader setting skip_rows is {self.skip_rows}; expected 0 or more.")


@dataclass(frozen=True, kw_only=True)
class TsvSettings(CsvSettings):
    """As CSV, separated by tabs."""

    delimiter: str = "\t"


def read(paths: list[Path], settings: CsvSettings, report: Report) -> Iterator[Record]:
    """One record per row; row numbers count from 1, without the header and skipped records."""
    # A limit of the whole interpreter, and 128 KiB by default: far too small for a book, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    for given in iterate_inputs(paths, settings, report):
        yield from _read_file(given, settings, report)


def _read_file(given: Input, settings: CsvSettings, report: Report) -> Iterator[Record]:
    rows = _rows(given, settings, report)
    columns = next(rows, None)
    if columns is None:
        raise UserError(f"{given.name}: is empty; expected a first record with the names of the columns.")
    metadata = settings.metadata_columns
    wanted = [settings.text, *metadata.values(), *([settings.id_column] if settings.id_column else [])]
    check_columns(wanted, columns, given.name)
    text_at = columns.index(settings.text)
    id_at = columns.index(settings.id_column) if settings.id_column else None
    metadata_at = {name: columns.index(column) for name, column in metadata.items()}
    for skipped in range(settings.skip_rows):
        if next(rows, None) is None:
            raise UserError(
                f"{given.name}: has {skipped:,} records below its header; expected at least the "
                f"{settings.skip_rows:,} of the reader's skip_rows. Lower it, or check the file."
            )
    for number, row in enumerate(rows, start=1):
        place = f"{given.name}:row {number}"
        if len(row) != len(columns):
            raise UserError(
                f"{place}: has {len(row)} fields, the header has {len(columns)}. Correct the row, or the reader's "
                "delimiter and quoting."
            )
        identifier = f"{given.relative}:{number}" if settings.id == "row" else None
        if id_at is not None:
            identifier = row[id_at]
        yield Record(identifier, row[text_at], {name: row[at] for name, at in metadata_at.items()}, place, given.name)


def _rows(given: Input, settings: CsvSettings, report: Report) -> Iterator[list[str]]:
    """The records that are not blank lines; broken quoting is an error with its line."""
    text = given.text(settings, report, newline="")
    parser = csv.reader(text, delimiter=settings.delimiter, quoting=QUOTING[settings.quoting], strict=True)
    try:
        yield from (row for row in parser if row)
    except csv.Error as problem:
        raise UserError(
            f"{given.name}:line {parser.line_num}: broken record ({problem}). Correct the quotes, or set the "
            "reader's quoting: none."
        ) from None
