"""One door to every format."""

from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.vector_files.arrays import MAGIC, read_array
from biasorigin.vector_files.binary import read_binary
from biasorigin.vector_files.contents import Policies, VectorFile, checked
from biasorigin.vector_files.opening import LARGEST_DIM, LONGEST_HEADER, opened, parse_header
from biasorigin.vector_files.text import read_text

FORMATS = ("auto", "word2vec_text", "word2vec_binary", "glove_text", "fasttext_text", "npy")


def read_vectors(
    path: Path | str,
    file_format: str = "auto",
    *,
    path_to_index: Path | str | None = None,
    limit: int | None = None,
    policies: Policies = Policies(),  # noqa: B008  (frozen)
) -> VectorFile:
    """The words and vectors of a file, plain or gzipped; with a limit only the first words, the rest unread."""
    path = Path(path)
    if limit is not None and limit < 1:
        raise UserError(f"The vocabulary limit is {limit}; expected at least 1.")
    if file_format not in FORMATS:
        raise UserError(f"“{file_format}” is no format of vector files; expected one of {', '.join(FORMATS)}.")
    if file_format == "auto":
        file_format = guess_format(path)
    if file_format == "npy":
        if path_to_index is None:
            raise UserError(f"{path} is an array without words; name the file of its words with `index`.")
        words, vectors = read_array(path, Path(path_to_index), limit=limit)
    elif file_format == "word2vec_binary":
        words, vectors = read_binary(path, limit=limit)
    else:
        words, vectors = read_text(path, header=file_format != "glove_text", limit=limit)
    return checked(path, words, vectors, policies)


def guess_format(path: Path | str) -> str:
    """The format, from the first bytes: NumPy's magic, a header of two integers, and what follows it."""
    with opened(Path(path)) as file:
        line = file.readline(LONGEST_HEADER)
        if line.startswith(MAGIC):
            return "npy"
        header = parse_header(line)
        if header is None:
            return "glove_text"
        _, dim = header
        second = file.read(64 + 32 * min(dim, LARGEST_DIM)).partition(b"\n")[0]
    # A text line is a word and decimal numbers; float32 bytes are almost never all of these characters.
    numbers = second.split()[-min(dim, 3) :]
    is_text = len(numbers) > 0 and all(set(number) <= set(b"0123456789+-.eEnaif") for number in numbers)
    return "word2vec_text" if is_text else "word2vec_binary"
