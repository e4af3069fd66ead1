"""Parquet files, written with checksums and read with pyarrow.

Polars computes, but does not read: a damaged file can make it end the whole process. A page that is not as it was
written is refused, and so is text that is no UTF-8, which Polars would take for granted.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

# ValueError to TypeError come from values that Python cannot hold: bytes that are no text, dates after the year 9999.
DAMAGES = (
    *(pa.ArrowException, OSError, ValueError, OverflowError, TypeError),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)


def open_parquet(source: Path | str | BinaryIO) -> pq.ParquetFile:
    """A Parquet file to be read piece by piece; one of DAMAGES if it cannot be."""
    return pq.ParquetFile(source, page_checksum_verification=True)


def read_parquet(path: Path | str, columns: list[str] | None = None) -> pl.DataFrame:
    """The frame of a Parquet file, or some of its columns; one of DAMAGES if it cannot be read."""
    with open_parquet(path) as file:
        return to_frame(file.read(columns, use_threads=False))


def to_frame(table: pa.Table) -> pl.DataFrame:
    """The rows that were read as a frame; one of DAMAGES if they are not what their types say."""
    table.validate(full=True)
    table.schema.to_string()  # fails for names that are no UTF-8
    return pl.from_arrow(table.replace_schema_metadata(None))  # notes of any content, for which Polars has no use


def is_text(kind: pa.DataType) -> bool:
    """Is a column of this type text, in any of the ways in which Arrow stores it?"""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def write_parquet(path: Path | str, pieces: Iterable[pa.Table]) -> int:
    """Write tables of the same columns below one another, and return how many rows there were.

    The same rows in the same pieces give the same bytes.
    """
    rows, writer = 0, None
    try:
        for piece in pieces:
            writer = writer or pq.ParquetWriter(
                path, piece.schema, compression="zstd", write_statistics=False, write_page_checksum=True
            )
            writer.write_table(piece)
            rows += piece.num_rows
    finally:
        if writer is not None:
            writer.close()
    return rows
