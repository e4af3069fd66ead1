"""NumPy arrays with a separate list of words: one row for each word, in the same order."""

from dataclasses import dataclass
from io import BytesIO
from os import SEEK_CUR
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.lib import format as npy

from biasorigin.artefacts import HEADER_DAMAGES
from biasorigin.errors import UserError
from biasorigin.parquet_files import DAMAGES, is_text, open_parquet, read_parquet
from biasorigin.vector_files.opening import opened, read_exactly, require_dimension

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000  # bytes; NumPy trusts no longer one either
LONGEST_WORD = 10_000


def read_array(path: Path, path_to_index: Path, *, limit: int | None) -> tuple[list[bytes], np.ndarray]:
    """(words as bytes, (words, dim) float32) of the first `limit` rows; the rows after them are not read.

    The index is a .parquet file (its column `word`, or its only column of text) or a text file of one word a line.
    """
    words, complete = _read_index(path_to_index, limit)
    with opened(path) as file:
        layout = _read_layout(file, path)
        if layout.rows != len(words) if complete else layout.rows < len(words):
            raise UserError(
                f"{path} has {layout.rows:,} rows, but {path_to_index} has {len(words):,} words; expected as many. "
                "Check that the two files belong together."
            )
        vectors = _read_rows(file, len(words), layout, path)
    with np.errstate(over="ignore"):
        return words, vectors.astype(np.float32, order="C")


@dataclass(frozen=True)
class Layout:
    """How an array lies in its file."""

    rows: int
    dim: int
    kind: np.dtype
    by_columns: bool


def _read_layout(file: BinaryIO, path: Path) -> Layout:
    try:
        version = npy.read_magic(file)
        width, read = (2, npy.read_array_header_1_0) if version == (1, 0) else (4, npy.read_array_header_2_0)
        stated = read_exactly(file, width, path)
        length = int.from_bytes(stated, "little")
        if length > LONGEST_HEADER:
            raise ValueError(f"its header is said to have {length:,} bytes")
        shape, by_columns, kind = read(BytesIO(stated + read_exactly(file, length, path)))
    except HEADER_DAMAGES as error:
        raise UserError(f"{path} is not a NumPy .npy file: {error}.") from error
    if kind.kind != "f" or kind.hasobject:
        raise UserError(f"{path} holds {kind}; expected floating-point numbers.")
    if len(shape) != 2 or min(shape) < 1 or bool in map(type, shape):
        raise UserError(f"{path} has the shape {shape}; expected (words, dimension).")
    require_dimension(shape[1], path)
    return Layout(shape[0], shape[1], kind, by_columns)


def _read_rows(file: BinaryIO, rows: int, layout: Layout, path: Path) -> np.ndarray:
    """(rows, dim) numbers of the first rows; of an array stored column by column, the top of each column."""
    if not layout.by_columns:
        return _read_numbers(file, rows * layout.dim, layout.kind, path).reshape(rows, layout.dim)
    columns = []
    for _ in range(layout.dim):
        columns.append(_read_numbers(file, rows, layout.kind, path))
        file.seek((layout.rows - rows) * layout.kind.itemsize, SEEK_CUR)
    return np.stack(columns, axis=1)


def _read_numbers(file: BinaryIO, count: int, kind: np.dtype, path: Path) -> np.ndarray:
    return np.frombuffer(read_exactly(file, count * kind.itemsize, path), dtype=kind)


def _read_index(path: Path, limit: int | None) -> tuple[list[bytes], bool]:
    """The first `limit` words, and whether these are all."""
    if path.suffix == ".parquet":
        words = _read_parquet_words(path, limit)
    else:
        with opened(path) as file:
            words = []
            while (limit is None or len(words) <= limit) and (line := file.readline(LONGEST_WORD + 1)):
                if len(line) > LONGEST_WORD:
                    raise UserError(
                        f"{path}: word {len(words) + 1:,} is longer than {LONGEST_WORD:,} bytes; expected one a line."
                    )
                words.append(line.rstrip(b"\r\n"))
    complete = limit is None or len(words) <= limit
    return (words if complete else words[:limit]), complete


def _read_parquet_words(path: Path, limit: int | None) -> list[bytes]:
    try:
        with open_parquet(path) as file:
            schema = file.schema_arrow
        texts = [field.name for field in schema if is_text(field.type)]
        column = "word" if "word" in texts else texts[0] if len(texts) == 1 else None
        if column is None:
            raise UserError(
                f"{path} has the columns {', '.join(schema.names)}; expected a column of text named `word`."
            )
        series = read_parquet(path, [column])[column]
    except DAMAGES as error:
        raise UserError(f"{path} cannot be read as parquet: {str(error).splitlines()[0]}. Fetch it again.") from error
    return [(word or "").encode() for word in series.head(len(series) if limit is None else limit + 1)]
