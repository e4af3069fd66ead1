"""Reading and writing artefacts: always whole, never pickled, the same bytes for the same content.

A file is written under a temporary name beside its target and renamed when complete, so that a partial
file is never taken for a whole one and an earlier good file survives a failed write.
"""

import glob
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
import polars as pl

from biasorigin.errors import UserError
from biasorigin.parquet_files import DAMAGES as PARQUET_DAMAGES
from biasorigin.parquet_files import open_parquet, read_parquet, to_frame, write_parquet

# The header of an array is a Python literal, and NumPy passes on what Python has to say about one that is damaged.
HEADER_DAMAGES = (ValueError, TypeError, KeyError, SyntaxError, MemoryError, RecursionError, TokenError)
ARRAY_DAMAGES = (OSError, EOFError, OverflowError, *HEADER_DAMAGES)


@contextmanager
def write_atomically(path: Path | str) -> Iterator[Path]:
    """Give a temporary path beside `path`; move it into place if the block succeeds, else remove it."""
    path = Path(path)
    try:
        _clear_beside(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=f".part{path.suffix}", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _cannot_write(path, error) from error
    temporary = Path(name)
    try:
        yield temporary
        _flush(temporary)
        # mkstemp makes files private; an artefact is as readable as any other file of the user's.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def scratch_beside(path: Path | str) -> Iterator[Path]:
    """A folder beside `path`, on the same disk, for as long as the block runs."""
    path = Path(path)
    try:
        _clear_beside(path)
        folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def replace_folder(path: Path | str) -> Iterator[Path]:
    """Give an empty folder beside `path`; it takes the place of `path` and all in it if the block succeeds."""
    path = Path(path)
    with scratch_beside(path) as folder:
        yield folder
        try:
            folder.chmod(0o777 & ~_umask())
            if path.exists():
                shutil.rmtree(path)
            folder.replace(path)
        except OSError as error:
            raise _cannot_write(path, error) from error


def save_array(path: Path | str, array: np.ndarray) -> None:
    """Write an array as .npy, without pickle."""
    with write_atomically(path) as temporary, temporary.open("wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)


def load_array(path: Path | str) -> np.ndarray:
    """The array of an .npy file, memory-mapped and read-only."""
    try:
        if Path(path).stat().st_size == 0:
            raise ValueError("the file is empty")
        with Path(path).open("rb") as file:
            np.lib.format.read_magic(file)  # NumPy would open archives of arrays as well
        try:
            return np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            # An array without elements cannot be memory-mapped.
            if "mmap" not in str(error) and "empty" not in str(error):
                raise
            return np.load(path, allow_pickle=False)
    except ARRAY_DAMAGES as error:
        raise _cannot_read(path, "a NumPy array", error) from error


@contextmanager
def mapped_array(path: Path | str, shape: tuple[int, ...], dtype: type) -> Iterator[np.ndarray]:
    """An .npy file of zeros to be filled in any order, on the disk instead of in memory; in place when done."""
    with write_atomically(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=dtype, shape=shape)
        if hasattr(os, "posix_fallocate"):
            # A full disk is an error here, and a crash of the process when it is met by writing into memory.
            with temporary.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, temporary.stat().st_size)
        yield array
        array.flush()


class ArrayWriter:
    """Writes a one-dimensional .npy file piece by piece, so that the array never has to be in memory."""

    def __init__(self, file: BinaryIO, dtype: type) -> None:
        self.file, self.dtype, self.length = file, np.dtype(dtype), 0
        self._write_header()

    def append(self, piece: np.ndarray) -> None:
        """Add the elements of a one-dimensional array."""
        self.file.write(np.ascontiguousarray(piece, dtype=self.dtype).tobytes())
        self.length += len(piece)

    def finish(self) -> None:
        """State the length in the header, for which NumPy leaves room."""
        self.file.seek(0)
        self._write_header()
        self.file.flush()

    def _write_header(self) -> None:
        header = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self.file, header)


@contextmanager
def growing_array(path: Path | str, dtype: type) -> Iterator[ArrayWriter]:
    """An .npy file to which pieces can be appended; in place when the block succeeds."""
    with write_atomically(path) as temporary, temporary.open("wb") as file:
        writer = ArrayWriter(file, dtype)
        yield writer
        writer.finish()


def save_table(path: Path | str, table: pl.DataFrame) -> None:
    """Write a frame as .parquet (for machines) or .tsv (for people), by the path's ending."""
    ending = Path(path).suffix
    with write_atomically(path) as temporary:
        if ending == ".parquet":
            write_parquet(temporary, [table.to_arrow()])
        elif ending == ".tsv":
            table.write_csv(temporary, separator="\t", float_precision=None)
        else:
            raise ValueError(f"A table is saved as .parquet or .tsv, not as {path}.")


def load_table(path: Path | str, columns: list[str] | None = None) -> pl.DataFrame:
    """The frame of a .parquet or .tsv file, or some of its columns."""
    try:
        if Path(path).suffix == ".tsv":
            return pl.read_csv(path, separator="\t", infer_schema_length=None, columns=columns)
        return read_parquet(path, columns)
    except PARQUET_DAMAGES as error:
        raise _cannot_read(path, "a table", error) from error


def count_rows(path: Path | str) -> int:
    """How many rows a .parquet file says that it has."""
    try:
        with open_parquet(path) as file:
            return file.metadata.num_rows
    except PARQUET_DAMAGES as error:
        raise _cannot_read(path, "a table", error) from error


def iterate_table(path: Path | str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
    """The row groups of a .parquet file one after the other, for tables that may not fit into memory."""
    try:
        with open_parquet(path) as file:
            for group in range(file.num_row_groups):
                yield to_frame(file.read_row_group(group, columns, use_threads=False))
    except PARQUET_DAMAGES as error:
        raise _cannot_read(path, "a table", error) from error


def load_rows(path: Path | str, rows: np.ndarray, columns: list[str] | None = None) -> pl.DataFrame:
    """Some rows of a .parquet file, in ascending order, without the others ever being in memory together."""
    pieces, first = [], 0
    for group in iterate_table(path, columns):
        begin, end = np.searchsorted(rows, [first, first + len(group)])
        pieces.append(group[rows[begin:end] - first])
        first += len(group)
    return pl.concat(pieces)


def column_names(path: Path | str) -> list[str]:
    """The names of the columns of a .parquet file."""
    try:
        with open_parquet(path) as file:
            return file.schema_arrow.names
    except PARQUET_DAMAGES as error:
        raise _cannot_read(path, "a table", error) from error


def save_json(path: Path | str, value: Any) -> None:
    """Write plain values as indented JSON with the keys in the order given; NaN and infinity are refused."""
    save_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def load_json(path: Path | str) -> Any:
    """The value of a JSON file."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _cannot_read(path, "JSON", error) from error


def save_text(path: Path | str, text: str) -> None:
    """Write text as UTF-8."""
    with write_atomically(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _clear_beside(path: Path) -> None:
    """Make the folder of `path`, and remove what a killed job left there of it.

    Nobody else writes this file: Snakemake gives a file to one job at a time.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for stale in path.parent.glob(f".{glob.escape(path.name)}.*.part*"):
        if stale.is_dir() and not stale.is_symlink():
            shutil.rmtree(stale)
        else:
            stale.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(path: Path, error: OSError) -> UserError:
    return UserError(
        f"Could not write {path}: {error.strerror or error}. Nothing was changed there; "
        "free some space or make the folder writable, and run the same command again."
    )


def _cannot_read(path: Path | str, expected: str, error: BaseException) -> UserError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return UserError(f"Could not read {path} as {expected}: {reason}. Delete the file and run again to make it anew.")
