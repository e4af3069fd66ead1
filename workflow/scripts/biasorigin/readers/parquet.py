"""Parquet: one document per row."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from biasorigin.errors import UserError
from biasorigin.parquet_files import DAMAGES, is_text, open_parquet
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import Input, iterate_inputs
from biasorigin.readers.jsonl import as_text
from biasorigin.readers.settings import ColumnSettings, check_columns

BATCH = 1024  # rows held at a time
IN_MEMORY = 1 << 26  # bytes of a compressed or archived file before it is spilled to disk


@dataclass(frozen=True, kw_only=True)
class ParquetSettings(ColumnSettings):
    """Only the columns named are read."""


def read(paths: list[Path], settings: ParquetSettings, report: Report) -> Iterator[Record]:
    """One record per row, some rows at a time."""
    for given in iterate_inputs(paths, settings, report):
        # Parquet is read from its end, which a stream does not have.
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as seekable:
            shutil.copyfileobj(given.stream, seekable, 1 << 20)
            try:
                yield from _read_file(open_parquet(seekable), given, settings)
            except DAMAGES as problem:
                reason = (str(problem) or type(problem).__name__).splitlines()[0]
                raise UserError(f"{given.name}: not readable as Parquet ({reason}). Write or fetch it again.") from None


def _read_file(file: pq.ParquetFile, given: Input, settings: ParquetSettings) -> Iterator[Record]:
    metadata = settings.metadata_columns
    wanted = [settings.text, *metadata.values(), *([settings.id_column] if settings.id_column else [])]
    check_columns(wanted, file.schema_arrow.names, given.name)
    kind = file.schema_arrow.field(settings.text).type
    if not is_text(kind):
        raise UserError(f"{given.name}: column {settings.text!r} holds {kind}, expected strings.")
    number = 0
    for batch in file.iter_batches(BATCH, columns=sorted(set(wanted)), use_threads=False):
        check_columns(wanted, batch.schema.names, given.name)  # a damaged file need not hold what its schema says
        for row in batch.to_pylist():
            number += 1
            identifier = f"{given.relative}:{number}" if settings.id == "row" else None
            if settings.id_column:
                identifier = as_text(row[settings.id_column])
            yield Record(
                identifier,
                row[settings.text] or "",
                {name: as_text(row[column]) for name, column in metadata.items()},
                f"{given.name}:row {number}",
                given.name,
            )
