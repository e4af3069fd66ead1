"""The files of a corpus, one after the other, out of folders and archives, as bytes or as text."""

import codecs
import io
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from biasorigin.archives import archive_kind, decompressed, iterate_members, matches, open_file
from biasorigin.errors import UserError
from biasorigin.readers.documents import Report
from biasorigin.readers.settings import Settings

LONGEST_LINE = 1 << 28  # characters; a longer one is a sign of a wrong format, and memory must stay bounded
CHUNK = 1 << 18


@dataclass(frozen=True)
class Input:
    """One file: its name for messages, its path inside the folder or archive, and its decompressed bytes."""

    name: str
    relative: str
    stream: BinaryIO

    def utf8(self, settings: Settings, report: Report) -> BinaryIO:
        """The file as clean UTF-8; undecodable bytes become U+FFFD and are counted in the report."""
        return io.BufferedReader(_RepairedUtf8(self.stream, self.name, settings.encoding, report), CHUNK)

    def text(self, settings: Settings, report: Report, newline: str | None = "\n") -> TextIO:
        """The file as text, decoded in the same way."""
        return io.TextIOWrapper(self.utf8(settings, report), encoding="utf-8", newline=newline)

    def lines(self, settings: Settings, report: Report) -> Iterator[tuple[int, str]]:
        """Line number, from 1, and line without its end; only \\n and \\r\\n end a line."""
        text = self.text(settings, report)
        number = 0
        while line := text.readline(LONGEST_LINE + 2):
            number += 1
            line = line.removesuffix("\n").removesuffix("\r")
            if len(line) > LONGEST_LINE:
                raise UserError(
                    f"{self.name}:line {number}: longer than {LONGEST_LINE:,} characters; is the format right?"
                )
            yield number, line


def iterate_inputs(paths: list[Path], settings: Settings, report: Report) -> Iterator[Input]:
    """Every file below the paths that matches `settings.files`, folders in order of path.

    A path that names a plain file is always read. Each input must be read before the next one is asked for.
    """
    for path in paths:
        found = 0
        for given in _expand(path, settings.files):
            found += 1
            report.files += 1
            yield given
        if not found:
            raise UserError(f"{path}: holds no file that matches {settings.files!r} (reader setting files).")


def _expand(path: Path, pattern: str) -> Iterator[Input]:
    if path.is_dir():
        for relative in _walk(path):
            if matches(relative, [pattern]):
                yield from _open(path / relative, relative, "*")  # the glob has chosen the archive as a whole
    else:
        yield from _open(path, path.name, pattern)


def _open(path: Path, relative: str, pattern: str) -> Iterator[Input]:
    """The file, or the members of an archive that match."""
    if archive_kind(path) is not None:
        for member, stream in iterate_members(path, [pattern]):
            name = f"{relative}:{member}"
            yield Input(name, member, decompressed(stream, name))
    else:
        with open_file(path) as stream:
            yield Input(relative, relative, stream)


def _walk(folder: Path) -> list[str]:
    """Relative paths of all files below a folder that are not hidden, sorted."""
    found = []
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [(Path(root) / name).relative_to(folder).as_posix() for name in files if not name.startswith(".")]
    return sorted(found)


_replaced = threading.local()


def _count_and_replace(error: UnicodeError) -> tuple[str, int]:
    _replaced.count = getattr(_replaced, "count", 0) + 1
    return codecs.replace_errors(error)


codecs.register_error("biasorigin-count", _count_and_replace)


class _RepairedUtf8(io.RawIOBase):
    """Bytes in some encoding as clean UTF-8, with a count of what had to be replaced."""

    def __init__(self, source: BinaryIO, name: str, encoding: str, report: Report):
        self._source, self._name, self._report, self._encoding = source, name, report, encoding
        # A byte-order mark is no text.
        encoding = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
        self._decoder = codecs.getincrementaldecoder(encoding)("biasorigin-count")
        self._rest = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while not self._rest and not self._ended:
            data = self._source.read(CHUNK)
            self._ended = not data
            _replaced.count = 0
            try:
                text = self._decoder.decode(data, final=self._ended)
            except UnicodeError as problem:
                raise UserError(
                    f"{self._name}: cannot be read as {self._encoding} ({problem}). Correct the reader's encoding."
                ) from None
            self._report.add_encoding_errors(self._name, _replaced.count)
            self._rest = text.encode("utf-8", "replace")
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
