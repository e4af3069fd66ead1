"""Writing word2vec's formats, which gensim, WEFE and spaCy read."""

from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.errors import UserError, listing

ROWS = 1 << 14  # written at a time


def write_word2vec_text(path: Path | str, words: tuple[str, ...], vectors: np.ndarray) -> None:
    """Write a header, then a word and its numbers a line: each the shortest decimal that gives the float32 back."""
    _require_writable(words)
    columns = [str(column) for column in range(vectors.shape[1])]
    with Path(path).open("wb") as file:
        file.write(_header(vectors))
        for start in range(0, len(words), ROWS):
            block = pl.from_numpy(np.asarray(vectors[start : start + ROWS], dtype=np.float32), schema=columns)
            block.insert_column(0, pl.Series("word", words[start : start + ROWS], dtype=pl.String))
            block.write_csv(file, include_header=False, separator=" ", quote_style="never")


def write_word2vec_binary(path: Path | str, words: tuple[str, ...], vectors: np.ndarray) -> None:
    """Write a header, then for each word its UTF-8 bytes, a space and its little-endian float32s."""
    _require_writable(words)
    with Path(path).open("wb") as file:
        file.write(_header(vectors))
        for start in range(0, len(words), ROWS):
            block = np.asarray(vectors[start : start + ROWS], dtype="<f4")
            pieces = (
                word.encode() + b" " + row.tobytes()
                for word, row in zip(words[start : start + ROWS], block, strict=True)
            )
            file.write(b"".join(pieces))


def _header(vectors: np.ndarray) -> bytes:
    return f"{vectors.shape[0]} {vectors.shape[1]}\n".encode()


def _require_writable(words: tuple[str, ...]) -> None:
    """A space or a line end would be taken for the end of the word."""
    bad = [repr(word) for word in words if not word or any(mark in word for mark in " \t\n\r")]
    if bad:
        raise UserError(
            f"{len(bad):,} words are empty or hold a space or a line end ({listing(bad)}), which word2vec's formats "
            "cannot hold. Join such words with _ in the embedding first."
        )
