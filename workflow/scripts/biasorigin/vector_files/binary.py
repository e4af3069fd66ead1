"""word2vec's binary format: a header line, then for each word its bytes, a space and little-endian float32s."""

from pathlib import Path

import numpy as np

from biasorigin.compiled import compiled
from biasorigin.errors import UserError
from biasorigin.vector_files.opening import is_gzipped, opened, read_header

BLOCK = 1 << 24  # bytes read at a time
LONGEST_WORD = 10_000  # bytes; longer means that this is no such file
NEWLINE, SPACE = 10, 32
TOO_LONG = -1


def read_binary(path: Path, *, limit: int | None, block: int = BLOCK) -> tuple[list[bytes], np.ndarray]:
    """(words as bytes, (words, dim) float32) of the first `limit` words; what follows them is not read."""
    with opened(path) as file:
        stated, dim = read_header(file, path)
        wanted = stated if limit is None else min(limit, stated)
        _require_size(path, wanted, dim)
        words: list[bytes] = []
        parts: list[np.ndarray] = []
        rest = b""
        while len(words) < wanted:
            piece = file.read(block)
            if not piece:
                raise UserError(
                    f"{path} is truncated: its header states {stated:,} words of dimension {dim}, but it ends "
                    f"in word {len(words) + 1:,}. Fetch it again."
                )
            buffer = rest + piece
            block_words, vectors, used = _parse(buffer, dim, wanted - len(words), path, len(words))
            words += block_words
            parts.append(vectors)
            rest = buffer[used:]
        if wanted == stated and (rest.strip() or file.read(block).strip()):
            raise UserError(
                f"{path} goes on after the {stated:,} words of dimension {dim} that its header states. "
                "The header is wrong or the file is of another format; fetch it again."
            )
    return words, parts[0] if len(parts) == 1 else np.concatenate(parts)


def _require_size(path: Path, words: int, dim: int) -> None:
    """Refuse a plain file that cannot hold what its header states, before any memory is asked for."""
    size = path.stat().st_size
    if not is_gzipped(path) and size < words * (4 * dim + 2):
        raise UserError(
            f"{path} is truncated: {words:,} words of dimension {dim} need at least {words * (4 * dim + 2):,} bytes, "
            f"but it has {size:,}. Fetch it again."
        )


def _parse(buffer: bytes, dim: int, left: int, path: Path, before: int) -> tuple[list[bytes], np.ndarray, int]:
    """Words, vectors and the number of bytes used up, for at most `left` whole words."""
    rows = min(left, len(buffer) // (4 * dim + 2) + 1)
    vectors = np.empty((rows, dim), dtype="<f4")
    starts, ends = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    bytes_ = np.frombuffer(buffer, dtype=np.uint8)
    found, used = _split_words(bytes_, vectors.view(np.uint8), starts, ends)
    if used == TOO_LONG:
        raise UserError(
            f"{path}: word {before + found + 1:,} is longer than {LONGEST_WORD:,} bytes; expected a space after it. "
            "The file is damaged or not binary (text files are `format: word2vec_text`)."
        )
    words = [buffer[start:end] for start, end in zip(starts[:found].tolist(), ends[:found].tolist(), strict=True)]
    return words, vectors[:found].astype(np.float32, copy=False), used


@compiled()
def _split_words(buffer, vectors, starts, ends):
    """Copy the vectors of all whole words; returns (words, bytes used), the latter -1 for an endless word.

    buffer  (bytes,) uint8; vectors  (rows, 4·dim) uint8, filled; starts, ends  (rows,) positions of the words
    """
    rows, width = vectors.shape
    position = 0
    for row in range(rows):
        start = position
        # The original tool ends each vector with a line end, others do not.
        while start < len(buffer) and buffer[start] == NEWLINE:
            start += 1
        end = start
        while end < len(buffer) and buffer[end] != SPACE:
            end += 1
            if end - start > LONGEST_WORD:
                return row, TOO_LONG
        if end + 1 + width > len(buffer):
            return row, position
        for byte in range(width):
            vectors[row, byte] = buffer[end + 1 + byte]
        starts[row], ends[row] = start, end
        position = end + 1 + width
    return rows, position
