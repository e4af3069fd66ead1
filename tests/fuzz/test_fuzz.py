"""Any bytes are read correctly or refused in one line; what once was neither stays a test.

These are few and always the same cases; `make fuzz` runs as many others as you have time for.
"""

import io
import lzma
import struct
import tarfile
import zlib
from random import Random

import fuzz_guard
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz_guard import ViolationError, run_case, warm_up
from fuzz_mutations import mutate
from fuzz_seeds import parquet, tarred, zipped
from fuzz_targets import TARGETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biasorigin.errors import UserError, printable
from biasorigin.readers import xml_elements

SLOW = {"config": 25}
EXAMPLES = 150
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def folder():
    with fuzz_guard.case_folder() as one:
        yield one


def inputs(name: str) -> st.SearchStrategy[bytes]:
    """Bytes out of nowhere, and valid inputs after some changes."""
    target = TARGETS[name]
    valid = target.seeds()

    def changed(start: bytes, seed: int) -> bytes:
        return mutate(start, Random(seed), valid, target.tokens)

    return st.binary(max_size=300) | st.builds(changed, st.sampled_from(valid), st.integers(0, 1 << 32))


@pytest.mark.parametrize("name", TARGETS)
def test_valid_inputs_are_read(name, folder):
    target = TARGETS[name]
    warm_up(target.check, target.seeds(), folder)
    refusals = [run_case(target.check, data, folder) for data in target.seeds()]
    assert None in refusals, refusals


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_are_read_correctly_or_refused_in_one_line(name, folder):
    target = TARGETS[name]
    warm_up(target.check, target.seeds(), folder)

    @settings(max_examples=SLOW.get(name, EXAMPLES), derandomize=True, database=None, suppress_health_check=CHECKS)
    @given(inputs(name))
    def check(data):
        run_case(target.check, data, folder)

    check()


LAUGHS = b"a: &a [x,x,x,x,x,x,x,x,x,x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (name, name, b",".join([b"*%c" % (name - 1)] * 10)) for name in b"bcdefgh"
)

# The length of the name in the archive's directory is 0, and its one letter is something else.
_entry = zipped({"a": b"x"}).index(b"PK\x01\x02")
NAMELESS = zipped({"a": b"x"})[: _entry + 28] + b"\x00\x00\x01\x00" + zipped({"a": b"x"})[_entry + 32 :]
_shape = b"{'descr': '<f8', 'fortran_order': True, 'shape': (33333333333333333333333333333333, 3), }\n"
WIDE = b"\x93NUMPY\x01\x00" + len(_shape).to_bytes(2, "little") + _shape
_truth = b"{'descr': '<f2', 'fortran_order': False, 'shape': (3, True), }\n"
TRUE_DIMENSION = b"\x93NUMPY\x01\x00" + len(_truth).to_bytes(2, "little") + _truth + bytes(6)
PUBLISHED = TARGETS["published"].seeds()[0]


def extended(records: bytes) -> bytes:
    """A tar archive whose extended header begins with these bytes; its checksum does not cover them."""
    whole = tarred({"\u00fc" * 60: b"x"}, tarfile.PAX_FORMAT)
    return whole[:512] + records + whole[512 + len(records) :]


# Every one of these was a traceback, a wrong result or memory out of proportion before it was corrected.
FOUND = {
    "UTF-16 without a mark": ("lines_utf16", b"rd", "cannot be read as utf-16"),
    "control characters in a message": ("csv", b"\x1b[2J\x00,\x85\n", "no column 'text'"),
    "a message as long as the input": ("tsv", b"column" * 3000, "no column 'text'"),
    "zip of a version to come": (
        "zip",
        zipped({"a": b"x"}).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"),
        "zip file version",
    ),
    "a member's name that is no UTF-8": (
        "zip",
        zipped({"\u00fc": b"x"}).replace("\u00fc".encode(), b"\xff\xff"),
        "zip archive",
    ),
    "a member without a name": ("zip", NAMELESS, "without a name"),
    "a member below another": ("zip", zipped({"a": b"x", "a/b": b"y"}), "below another member"),
    "one member under two names": ("zip", zipped({"a/b": b"x", "a//b": b"y"}), "twice"),
    "an answer without a worker": ("answers", b"worker,item,answer\n\n", "items that were not asked"),
    "metadata that are no names": ("reader_settings", b"csv: {text: text, metadata: [{s: 1}]}", "expected text"),
    "a decoder that there is not": ("reader_settings", b'lines: {encoding: "a\\0"}', "unknown to Python"),
    "aliases that stand for millions of values": ("config", LAUGHS, "more than 1,000,000 values"),
    "an alias of itself": ("config", b"a: &a [*a]", "nested more than 50 deep"),
    "like a list": ("config", b"corpora: {mine: {like: [reviews]}}", "like is not a known key"),
    "like something without settings": ("config", b"corpora: {a: 5, b: {like: a}}", "expected settings"),
    "a name with a line end": ("config", b'corpora: {"mine\\n": {like: reviews}}', "expected text that matches"),
    "a day that is none": ("config", b"a: 2001-99-99", "Could not read"),
    "YAML that is nested without end": ("word_sets", b"[" * 3000, "Could not read"),
    "a dimension that no memory holds": ("word2vec_text", b"1 99999999\nh 1\n", "dimension 99,999,999"),
    "lines of a dimension that does not fit them": ("word2vec_text", b"9 60000\n" + b"h\n" * 9, "expected 60000"),
    "two numbers that a vertical tab joins": ("glove_text", b"v 1 2\nw 1\x0b5 2\n", "no number"),
    "a tolerance that is no number": ("published", PUBLISHED.replace(b"0.01", b"1e%"), "tolerance"),
    "a list of births without its columns": ("births", parquet()[0], "no list of births"),
    "a list of a hundred thousand names, all twice": (
        "names",
        b"".join(b"%d\n" % n for n in range(10**5)) * 2,
        "twice",
    ),
    "a last line of a vertical tab": ("glove_text", b"w 2\n\x0b", "has 0 numbers; expected 1"),
    "a header of a million bytes": ("npy", b"\x93NUMPY\x02\x00\xff\xff\xff\x7f{", "2,147,483,647 bytes"),
    "a header that Python cannot parse": ("npy", b"\x93NUMPY\x01\x00\x04\x00(((\n", "not a NumPy"),
    "a list of words without words": ("word_sets", b"lists: {e: {a: 1}}", "expected a list of at least one word"),
    "a list that is nothing": ("word_sets", b"lists: {e: }", "expected settings"),
    "a test without targets": ("word_sets", b"tests: {e: {a: 1}}", "expected the names of two word lists"),
    "a direction without ends": ("word_sets", b"directions: {d: {x: 1}}", "expected a list of at least one word"),
    "a word that YAML takes for false": ("word_sets", b"lists: {e: {words: [yes, no]}}", "Put it in quotes"),
    "a rating that is no number": ("similarity", b"a\tb\tnan\n", "two words and a number"),
    "a table of no columns": ("published", b"", "Could not read the published numbers"),
    "an array of ours of more rows than there are numbers": ("stored_array", WIDE, "as a NumPy array"),
    "an array whose dimension is true": ("npy", TRUE_DIMENSION, "expected (words, dimension)"),
    "a word of white space that is none to us": ("glove_text", b"5 1 *\n \x0b * \x0b\n", "no number"),
    "a word of a carriage return": ("word2vec_text", b"4 3\n - -\t9\n \r - - 0\n", "no number"),
    "rows to skip without end": ("reader_settings", b"csv: {text: text, skip_rows: %d}" % 10**30, "skip_rows"),
    "a tar header of a length that no memory has": ("tar", extended(b"9" * 30 + b" path=a\n"), "tar archive"),
    "a tar header in bytes that are no text": ("tar", extended(b"16 hdrcharset=\xa7\n"), "tar archive"),
    "an archive in the place of an array": ("stored_array", zipped({"a.npy": b"x"}), "as a NumPy array"),
    "an array of ours whose header is cut": ("stored_array", b"\x93NUMPY\x01\x00\x04\x00(((\n", "as a NumPy array"),
}


@pytest.mark.parametrize("case", FOUND)
def test_what_was_found_stays_corrected(case, folder):
    name, data, expected = FOUND[case]
    warm_up(TARGETS[name].check, TARGETS[name].seeds(), folder)
    refusal = run_case(TARGETS[name].check, data, folder)
    assert refusal is not None
    assert expected in refusal


def test_a_parquet_file_with_a_date_that_python_does_not_have(folder):
    out = io.BytesIO()
    pq.write_table(pa.table({"id": ["a"], "text": ["b"], "title": pa.array([1 << 61], pa.timestamp("ms"))}), out)
    assert "not readable as Parquet" in run_case(TARGETS["parquet"].check, out.getvalue(), folder)


def test_a_parquet_file_without_a_column_of_its_schema(folder):
    """The schema names a group `id` of no columns, which is not among what is read."""
    out = io.BytesIO()
    pq.write_table(pa.table({"text": ["b"], "title": ["c"], "id": [{"a": "x"}]}), out, store_schema=False)
    whole = out.getvalue()
    for old, new in ((b"schema\x15\x06", b"schema\x15\x08"), (b"\x02id\x15\x02", b"\x02id\x15\x00")):
        assert whole.count(old) == 1
        whole = whole.replace(old, new)
    assert "no column 'id'" in run_case(TARGETS["parquet"].check, whole, folder)


def test_an_xz_file_that_asks_for_a_gigabyte_to_be_unpacked(folder):
    packed = bytearray(lzma.compress(b"text"))
    header = slice(12, 12 + 4 * (packed[12] + 1))
    block = packed[header]
    block[block.index(b"\x21\x01") + 2] = 37  # 1.5 GB
    block[-4:] = struct.pack("<I", zlib.crc32(bytes(block[:-4])))
    packed[header] = block
    assert "MemoryError" in run_case(TARGETS["compressed"].check, bytes(packed), folder)


@pytest.mark.parametrize(
    "page", [b"<page a='" + b"x" * 400_000, b"<page>" + b"<a/>" * 5_000, b"<page b='" + b"y" * 300_000 + b"'/>"]
)
def test_xml_whose_memory_is_not_in_its_text(monkeypatch, folder, page):
    monkeypatch.setattr(xml_elements, "LARGEST_ELEMENT", 1 << 18)
    assert "more than 262,144" in run_case(TARGETS["wikipedia"].check, b"<mediawiki>" + page + b" " * 300_000, folder)


class TestGuard:
    """The guard itself sees what it is there for."""

    def test_other_exceptions_pass(self, folder):
        with pytest.raises(ZeroDivisionError):
            run_case(lambda data, folder: 1 / 0, b"", folder)

    @pytest.mark.parametrize("message", ["two\nlines", "\x1b[2J", "", "x" * 9000])
    def test_a_bad_message_is_a_finding(self, folder, message):
        def refuse(data, folder):
            error = UserError("")
            error.args = (message,)
            raise error

        with pytest.raises(ViolationError):
            run_case(refuse, b"", folder)

    def test_a_write_elsewhere_is_a_finding(self, folder, tmp_path):
        with pytest.raises(ViolationError, match="open"):
            run_case(lambda data, folder: (tmp_path / "x").write_bytes(data), b"", folder)
        with pytest.raises(ViolationError, match="mkdir"):
            run_case(lambda data, folder: (folder / ".." / "x").mkdir(), b"", folder)

    def test_a_pickle_is_a_finding(self, folder):
        import pickle

        content = pickle.dumps(Random)
        with pytest.raises(ViolationError, match="pickle"):
            run_case(lambda data, folder: pickle.loads(content), b"", folder)  # noqa: S301

    def test_memory_out_of_proportion_is_a_finding(self, folder):
        with pytest.raises(MemoryError):
            run_case(lambda data, folder: bytearray(1 << 31), b"", folder)

    def test_a_hang_is_a_finding(self, folder, monkeypatch):
        monkeypatch.setattr(fuzz_guard, "MOST_CPU_SECONDS", 0.05)

        def hang(data, folder):
            while True:
                pass

        with pytest.raises(ViolationError, match="still at work"):
            run_case(hang, b"", folder)


@given(st.text())
def test_a_message_is_one_printable_line(text):
    assert printable(text).isprintable()
    assert str(UserError(text)) == printable(text)
