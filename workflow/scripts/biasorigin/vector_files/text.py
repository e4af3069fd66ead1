"""Text files of one word a line: word2vec and fastText with a header line, GloVe without."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biasorigin.errors import UserError
from biasorigin.vector_files.decimals import parse_lines
from biasorigin.vector_files.opening import opened, parse_header, read_header

GAPS = re.compile(rb"[ \t]+")  # as the kernel sees them: not all that Python takes for white space
BLOCK = 1 << 24  # bytes read at a time, and the longest line allowed


def read_text(path: Path, *, header: bool, limit: int | None, block: int = BLOCK) -> tuple[list[bytes], np.ndarray]:
    """(words as bytes, (words, dim) float32) of the first `limit` lines; what follows them is not read."""
    with opened(path) as file:
        stated, dim = read_header(file, path) if header else (None, None)
        limited = limit is not None and (stated is None or limit <= stated)
        # One line more than the header states is asked for, to notice that it is there.
        most = limit if limited else None if stated is None else stated + 1
        words: list[bytes] = []
        parts: list[np.ndarray] = []
        for text in _whole_lines(file, path, block):
            if dim is None:
                dim = _dimension(text, path)
            left = None if most is None else most - len(words)
            block_words, vectors = _parse(text, dim, left, path, len(words))
            words += block_words
            parts.append(vectors)
            if most is not None and len(words) >= most:
                break
    if not words:
        raise UserError(f"{path} holds no line with a word and its numbers. Check that it is the file you mean.")
    if stated is not None and not limited and len(words) != stated:
        problem = (
            f"is truncated: its header states {stated:,} words, but {len(words):,} lines follow"
            if len(words) < stated
            else f"has more lines than the {stated:,} words that its header states"
        )
        raise UserError(f"{path} {problem}. Fetch it again.")
    return words, parts[0] if len(parts) == 1 else np.concatenate(parts)


def _whole_lines(file: BinaryIO, path: Path, block: int) -> Iterator[bytes]:
    """Pieces of the file that end with a line end; one is added to the last if it lacks it."""
    rest = b""
    while piece := file.read(block):
        text = rest + piece
        cut = text.rfind(b"\n") + 1
        if cut == 0 and len(text) > BLOCK:
            raise UserError(
                f"{path} has no line end within {BLOCK >> 20} MB; expected one word a line. "
                "Binary files are `format: word2vec_binary`."
            )
        rest = text[cut:]
        if cut:
            yield text[:cut]
    if rest.strip(b" \t\r\n"):
        yield rest + b"\n"


def _dimension(text: bytes, path: Path) -> int:
    """The dimension of a file without a header, from its first line."""
    line = text[: text.index(b"\n") + 1]
    if parse_header(line):
        raise UserError(
            f"{path} begins with the header “{line.decode().strip()}”; a GloVe file has none. "
            "Set `format: word2vec_text` or `fasttext_text`."
        )
    dim = len(line.split()) - 1
    if dim < 1:
        shown = line[:40].decode("utf-8", errors="replace").strip()
        raise UserError(f"{path} begins with the line “{shown}”; expected a word and its numbers.")
    return dim


def _parse(text: bytes, dim: int, left: int | None, path: Path, before: int) -> tuple[list[bytes], np.ndarray]:
    """Words and vectors of at most `left` lines; `before` lines came earlier."""
    lines = text.count(b"\n")
    lines = lines if left is None else min(lines, left)
    # A header may state any dimension: no more whole lines than this fit, and one that is not whole is an error.
    lines = min(lines, len(text) // (2 * dim + 1) + 1)
    vectors = np.empty((lines, dim), dtype=np.float32)
    layout = np.empty((lines, 4), dtype=np.int64)
    rows = parse_lines(np.frombuffer(text, dtype=np.uint8), vectors, layout)
    vectors, layout = vectors[:rows], layout[:rows]
    words = [text[start:end] for start, end in layout[:, :2].tolist()]
    for row in np.flatnonzero(layout[:, 3] < dim)[:1]:
        raise _wrong_dimension(path, before + row, words[row], str(layout[row, 3]), dim)
    for row, word in enumerate(words):
        # ASSUME a word may hold spaces (GloVe 840B has such), but does not end with a number set off by one.
        if (b" " in word or b"\t" in word) and _is_number(GAPS.split(word)[-1]):
            raise _wrong_dimension(path, before + row, GAPS.split(word)[0], f"more than {dim}", dim)
    for row in np.flatnonzero(np.isnan(vectors).any(axis=1)):
        _parse_slowly(vectors[row], GAPS.split(text[layout[row, 1] : layout[row, 2]])[1:], words[row], path)
    return words, vectors


def _parse_slowly(values: np.ndarray, tokens: list[bytes], word: bytes, path: Path) -> None:
    """Fill the gaps that the kernel left, correctly rounded; what is no number is an error."""
    for column in np.flatnonzero(np.isnan(values)):
        token = tokens[column]
        if not _is_number(token):
            raise UserError(
                f"{path}: the word “{_shown(word)}” has “{_shown(token)}” as number {column + 1}, "
                "which is no number. Check the file's format, or fetch it again."
            )
        with np.errstate(over="ignore"):
            values[column] = np.float32(float(token))


def _is_number(token: bytes) -> bool:
    if b"_" in token:
        return False
    try:
        float(token)
    except ValueError:
        return False
    return True


def _wrong_dimension(path: Path, row: int, word: bytes, found: str, dim: int) -> UserError:
    return UserError(
        f"{path}: word {row + 1:,} (“{_shown(word)}”) has {found} numbers; expected {dim}. The file is truncated, "
        "damaged or of another format (binary files are `format: word2vec_binary`)."
    )


def _shown(token: bytes) -> str:
    return token[:40].decode("utf-8", errors="replace")
