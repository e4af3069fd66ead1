"""Vector files of every format are read exactly, only as far as asked, and refused with one clear line when bad."""

import gzip

import numpy as np
import polars as pl
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from biasorigin.errors import UserError
from biasorigin.vector_files import Policies, read_vectors, write_word2vec_binary, write_word2vec_text
from biasorigin.vector_files.binary import read_binary
from biasorigin.vector_files.decimals import parse_numbers
from biasorigin.vector_files.reading import guess_format
from biasorigin.vector_files.text import read_text

WORDS = ("the", "naïve", "“", "New_York", "日本", "1995", "e-mail", '"', ",", "Ĳ")


@pytest.fixture
def vectors():
    values = np.random.default_rng(5).normal(size=(len(WORDS), 7)).astype(np.float32)
    values[3, 2:5] = [1e-30, -3.2e38, 0.0]
    return values


def text_of(vectors, header=True, end="\n", trailing=""):
    lines = [" ".join([word, *map(str, row)]) + trailing for word, row in zip(WORDS, vectors, strict=True)]
    lines = [f"{len(vectors)} {vectors.shape[1]}", *lines] if header else lines
    return (end.join(lines) + end).encode()


def binary_of(vectors, end=b""):
    rows = [word.encode() + b" " + row.tobytes() + end for word, row in zip(WORDS, vectors, strict=True)]
    return f"{len(vectors)} {vectors.shape[1]}\n".encode() + b"".join(rows)


def npy_of(vectors, path):
    np.save(path, vectors, allow_pickle=False)
    return path.read_bytes()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("file_format", "content"),
    [
        ("word2vec_text", text_of),
        ("word2vec_text", lambda v: text_of(v, end="\r\n")),
        ("word2vec_text", lambda v: text_of(v)[:-1]),
        ("fasttext_text", lambda v: text_of(v, trailing=" ")),
        ("glove_text", lambda v: text_of(v, header=False)),
        ("word2vec_binary", binary_of),
        ("word2vec_binary", lambda v: binary_of(v, end=b"\n")),
    ],
)
def test_each_format_gives_the_same_words_and_bits(tmp_path, vectors, file_format, content, packed):
    path = tmp_path / "vectors"
    path.write_bytes(gzip.compress(content(vectors)) if packed else content(vectors))
    expected = {"fasttext_text": "word2vec_text"}.get(file_format, file_format)
    assert guess_format(path) == expected
    for asked in (file_format, "auto"):
        read = read_vectors(path, asked)
        assert read.words == WORDS
        np.testing.assert_array_equal(read.vectors.view(np.int32), vectors.view(np.int32))
        assert sum(read.dropped.values()) == 0


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("limit", [None, 4, 10, 50])
def test_array_and_index(tmp_path, vectors, order, packed, limit):
    content = npy_of(np.asarray(vectors, dtype=np.float64, order=order), tmp_path / "plain.npy")
    path = tmp_path / "vectors.npy"
    path.write_bytes(gzip.compress(content) if packed else content)
    pl.DataFrame({"index": WORDS}).write_parquet(tmp_path / "words.parquet")
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    for index in ("words.parquet", "words.txt"):
        read = read_vectors(path, path_to_index=tmp_path / index, limit=limit)
        assert read.words == WORDS[:limit]
        np.testing.assert_array_equal(read.vectors, vectors[:limit])


@pytest.mark.parametrize("block", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("limit", [None, 1, 9, 10, 11])
def test_the_size_of_the_blocks_read_changes_nothing(tmp_path, vectors, block, limit):
    text, binary = tmp_path / "text", tmp_path / "binary"
    text.write_bytes(text_of(vectors))
    binary.write_bytes(binary_of(vectors, end=b"\n"))
    for words, values in (
        read_text(text, header=True, limit=limit, block=block),
        read_binary(binary, limit=limit, block=block),
    ):
        assert [word.decode() for word in words] == list(WORDS[:limit])
        np.testing.assert_array_equal(values, vectors[:limit])


def test_what_follows_the_limit_is_not_read(tmp_path, vectors):
    for file_format, content in (
        ("word2vec_text", text_of(vectors).splitlines(keepends=True)),
        ("glove_text", text_of(vectors, header=False).splitlines(keepends=True)),
    ):
        path = tmp_path / file_format
        path.write_bytes(b"".join(content[:4]) + b"rubbish\n" * 10)
        assert read_vectors(path, file_format, limit=3).words == WORDS[:3]
    packed = gzip.compress(text_of(np.repeat(vectors, 2000, axis=1)))
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(UserError, match="truncated"):
        read_vectors(tmp_path / "cut.gz")
    words, _ = read_text(tmp_path / "cut.gz", header=True, limit=1, block=1 << 12)
    assert words == [b"the"]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.floats(width=32, allow_nan=False, allow_infinity=False).map(lambda x: str(np.float32(x))),
            st.floats(allow_nan=False, min_value=-1e37, max_value=1e37).map(repr),
            st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000).map(str),
            st.integers(-(10**20), 10**20).map(str),
            st.sampled_from(["1.", ".5", "-.5e-3", "+2", "1E5", "0.000000000000000000000001", "-0.0", "16777217"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_numbers_are_rounded_as_python_rounds_them_or_left_to_python(tokens):
    text = (" " + "  ".join(tokens)).encode()
    values = np.empty(len(tokens), dtype=np.float32)
    parse_numbers(np.frombuffer(text, dtype=np.uint8), 0, len(text), values)
    with np.errstate(over="ignore"):
        expected = np.array([np.float32(float(token)) for token in tokens])
    known = ~np.isnan(values)
    np.testing.assert_array_equal(values[known], expected[known])


def test_numbers_that_need_care_are_read_exactly(tmp_path):
    halfway = "1.00000005960464477539062500000000000000000000001"  # just above the middle of two float32s
    tokens = ["1e-45", halfway, "3.4028234e38", "0." + "1" * 40, "123456789012345678901234567890"]
    (tmp_path / "v").write_text("odd " + " ".join(tokens) + "\n", encoding="utf-8")
    read = read_vectors(tmp_path / "v", "glove_text")
    np.testing.assert_array_equal(read.vectors[0], np.array(tokens, dtype=np.float32))


def test_words_with_spaces_are_kept(tmp_path):
    (tmp_path / "v").write_text("the 1 2\n. . . 3 4\nat name@domain.com 5 6\n", encoding="utf-8")
    assert read_vectors(tmp_path / "v", "glove_text").words == ("the", ". . .", "at name@domain.com")


BAD_TEXT = {
    "empty file": ("glove_text", b"", "is empty"),
    "blank lines only": ("glove_text", b"\n\n\n", "expected a word and its numbers"),
    "one word": ("glove_text", b"the\n", "expected a word and its numbers"),
    "header in GloVe": ("glove_text", b"2 2\na 1 2\nb 3 4\n", "a GloVe file has none"),
    "no header": ("word2vec_text", b"a 1 2\nb 3 4\n", "expected a header"),
    "header of zero": ("word2vec_text", b"0 2\n", "expected a header"),
    "negative header": ("word2vec_text", b"-2 2\na 1 2\n", "expected a header"),
    "fewer lines": ("word2vec_text", b"3 2\na 1 2\nb 3 4\n", "truncated: its header states 3 words, but 2"),
    "more lines": ("word2vec_text", b"1 2\na 1 2\nb 3 4\n", "more lines than the 1"),
    "short line": ("word2vec_text", b"2 2\na 1 2\nb 3\n", r"word 2 \(“b”\) has 1 numbers; expected 2"),
    "long line": ("word2vec_text", b"2 2\na 1 2\nb 3 4 5\n", r"word 2 \(“b”\) has more than 2 numbers; expected 2"),
    "cut line": ("glove_text", b"a 1 2 3\nb 3 4", r"word 2 \(“b”\) has 2 numbers; expected 3"),
    "no number": ("word2vec_text", b"1 2\na 1 2,5\n", "“2,5” as number 2"),
    "underscore": ("word2vec_text", b"1 2\na 1 2_5\n", "no number"),
    "NaN": ("glove_text", b"a 1 2\nb nan 2\n", "NaN, infinity.*row 2: b"),
    "infinity": ("glove_text", b"a 1 2\nb 1 -inf\n", "NaN, infinity.*row 2: b"),
    "beyond float32": ("glove_text", b"a 1 2\nb 1 1e39\n", "beyond float32"),
    "zero": ("glove_text", b"a 1 2\nb 0 0.0\n", "a vector of zeros.*row 2: b.*zero_vectors: drop"),
    "duplicate": ("glove_text", b"a 1 2\nb 1 2\na 3 4\n", "an earlier row has already.*row 3: a"),
    "not UTF-8": ("glove_text", b"a 1 2\n\xff\xfe 1 2\n", r"not UTF-8.*row 2: b'\\xff\\xfe'"),
    "truncated binary": ("word2vec_binary", b"2 2\na " + b"\x01" * 8 + b"b " + b"\x01" * 7, "truncated"),
    "binary beyond its header": ("word2vec_binary", b"1 2\na " + b"\x01" * 20, "goes on after"),
    "binary without spaces": ("word2vec_binary", b"1 2\n" + b"\x01" * 30000, "longer than 10,000 bytes"),
    "truncated array": ("npy", b"\x93NUM", "not a NumPy"),
    "unknown format": ("pickle", b"a 1 2\n", "no format of vector files"),
}


@pytest.mark.parametrize("case", BAD_TEXT)
def test_bad_files_give_one_clear_line(tmp_path, case):
    file_format, content, message = BAD_TEXT[case]
    path = tmp_path / "bad"
    path.write_bytes(content)
    (tmp_path / "index.txt").write_text("a\n", encoding="utf-8")
    with pytest.raises(UserError, match=message) as raised:
        read_vectors(path, file_format, path_to_index=tmp_path / "index.txt")
    assert "\n" not in str(raised.value)


def test_gzipped_truncated_binary_and_damaged_gzip(tmp_path, vectors):
    (tmp_path / "short.gz").write_bytes(gzip.compress(binary_of(vectors)[:-5]))
    with pytest.raises(UserError, match="ends in word 10"):
        read_vectors(tmp_path / "short.gz", "word2vec_binary")
    packed = bytearray(gzip.compress(text_of(vectors)))
    packed[-8] ^= 1
    (tmp_path / "damaged.gz").write_bytes(packed)
    with pytest.raises(UserError, match="damaged gzip"):
        read_vectors(tmp_path / "damaged.gz", "word2vec_text")
    with pytest.raises(UserError, match="does not exist"):
        read_vectors(tmp_path / "absent", "word2vec_text")


def test_arrays_that_do_not_fit(tmp_path, vectors):
    (tmp_path / "words.txt").write_text("\n".join(WORDS[:-1]) + "\n", encoding="utf-8")
    np.save(tmp_path / "v.npy", vectors)
    with pytest.raises(UserError, match=r"10 rows, but .* 9 words"):
        read_vectors(tmp_path / "v.npy", path_to_index=tmp_path / "words.txt")
    with pytest.raises(UserError, match="name the file of its words"):
        read_vectors(tmp_path / "v.npy")
    (tmp_path / "cut.npy").write_bytes((tmp_path / "v.npy").read_bytes()[:-100])
    (tmp_path / "all.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="truncated"):
        read_vectors(tmp_path / "cut.npy", path_to_index=tmp_path / "all.txt")
    assert len(read_vectors(tmp_path / "cut.npy", path_to_index=tmp_path / "all.txt", limit=6).words) == 6
    for name, array, message in (
        ("objects", np.array([[{}]]), "holds object"),
        ("integers", np.ones((9, 2), dtype=int), "floating-point"),
        ("flat", np.ones(9), "shape"),
    ):
        np.save(tmp_path / f"{name}.npy", array)
        with pytest.raises(UserError, match=message):
            read_vectors(tmp_path / f"{name}.npy", path_to_index=tmp_path / "words.txt")


def test_rows_can_be_dropped_and_are_counted(tmp_path):
    path = tmp_path / "v"
    path.write_bytes(b"a 1 2\nb 0 0\na 3 4\n\xff 1 2\nc 5 6\n")
    drop = Policies(zero_vectors="drop", duplicate_words="drop", invalid_words="drop")
    read = read_vectors(path, "glove_text", policies=drop)
    assert read.words == ("a", "c")
    np.testing.assert_array_equal(read.vectors, [[1, 2], [5, 6]])
    assert read.dropped == {"invalid_words": 1, "duplicate_words": 1, "zero_vectors": 1}
    path.write_bytes(b"a 0 0\n")
    with pytest.raises(UserError, match="no usable vector"):
        read_vectors(path, "glove_text", policies=drop)
    with pytest.raises(UserError, match="expected one of error, drop"):
        Policies(zero_vectors="ignore")


@pytest.mark.parametrize(("write", "binary"), [(write_word2vec_text, False), (write_word2vec_binary, True)])
def test_exports_come_back_bit_for_bit_here_and_in_gensim(tmp_path, vectors, write, binary):
    path = tmp_path / "export"
    write(path, WORDS, vectors)
    read = read_vectors(path)
    assert read.words == WORDS
    np.testing.assert_array_equal(read.vectors.view(np.int32), vectors.view(np.int32))
    theirs = KeyedVectors.load_word2vec_format(path, binary=binary)
    assert tuple(theirs.index_to_key) == WORDS
    np.testing.assert_array_equal(theirs.vectors, vectors)


@pytest.mark.parametrize("binary", [False, True])
def test_gensims_files_are_read(tmp_path, vectors, binary):
    theirs = KeyedVectors(vector_size=7)
    theirs.add_vectors(list(WORDS), vectors)
    path = tmp_path / "gensim"
    theirs.save_word2vec_format(path, binary=binary)
    read = read_vectors(path)
    assert read.words == tuple(theirs.index_to_key)
    np.testing.assert_array_equal(read.vectors, theirs.vectors)


@pytest.mark.parametrize("write", [write_word2vec_text, write_word2vec_binary])
@pytest.mark.parametrize("word", ["two words", "line\nend", ""])
def test_words_that_the_format_cannot_hold_are_refused(tmp_path, write, word):
    with pytest.raises(UserError, match="1 words are empty or hold"):
        write(tmp_path / "export", ("fine", word), np.ones((2, 3), dtype=np.float32))
