"""Bytes of a file, gzipped or not, with the system's and gzip's complaints turned into one line."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from biasorigin.errors import UserError

GZIP_MAGIC = b"\x1f\x8b"
LARGEST_DIM = 1 << 16  # memory is taken by the dimension before the numbers are seen
PIECE = 1 << 24  # bytes read at a time
LONGEST_HEADER = 200  # bytes: two integers and a line end need far fewer


def is_gzipped(path: Path) -> bool:
    """Whether the file's first bytes are gzip's, whatever its name says."""
    with path.open("rb") as file:
        return file.read(2) == GZIP_MAGIC


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The unpacked bytes of a file; an absent, cut or damaged file is a `UserError`."""
    try:
        if path.stat().st_size == 0:
            raise UserError(f"{path} is empty; expected word vectors. Fetch the file again.")
        if is_gzipped(path):
            with gzip.open(path, "rb") as file:
                yield file
        else:
            with path.open("rb") as file:
                yield file
    except EOFError as error:
        raise UserError(f"{path} ends in the middle of its gzip stream: it is truncated. Fetch it again.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is damaged gzip ({error}). Fetch it again.") from error
    except FileNotFoundError as error:
        raise UserError(f"{path} does not exist. Check the path of the vector file in the configuration.") from error


def read_header(file: BinaryIO, path: Path) -> tuple[int, int]:
    """(words, dim) from the first line of a word2vec or fastText file."""
    line = file.readline(LONGEST_HEADER)
    header = parse_header(line)
    if header is None:
        shown = line[:40].decode("utf-8", errors="replace").strip()
        raise UserError(
            f"{path} begins with “{shown}”; expected a header of two positive integers, words and dimension. "
            "Files without a header are `format: glove_text`."
        )
    require_dimension(header[1], path)
    return header


def require_dimension(dim: int, path: Path) -> None:
    """Refuse a dimension that no word vectors have."""
    if dim > LARGEST_DIM:
        raise UserError(f"{path} states the dimension {dim:,}; expected at most {LARGEST_DIM:,}. Fetch it again.")


def read_exactly(file: BinaryIO, size: int, path: Path) -> bytes:
    """The next `size` bytes, in pieces: memory is taken as bytes come, however many a header promises."""
    pieces = []
    while size > 0:
        piece = file.read(min(size, PIECE))
        if not piece:
            raise UserError(f"{path} is truncated: it ends before what its header states. Fetch it again.")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def parse_header(line: bytes) -> tuple[int, int] | None:
    """(words, dim) if the line is a header of two positive integers, else None."""
    parts = line.split()
    if len(parts) != 2 or not line.endswith(b"\n") or not all(part.isdigit() for part in parts):
        return None
    words, dim = int(parts[0]), int(parts[1])
    return (words, dim) if words > 0 and dim > 0 else None
