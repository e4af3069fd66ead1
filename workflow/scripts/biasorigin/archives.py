"""Compressed files and archives, opened so that a damaged or hostile one gives an error and nothing else.

A member never lands outside the target (`../`, absolute names, links), is never read beyond the size
that its archive declares, and is never a pickle. Compression is told by magic bytes, not by the name.
"""

import bz2
import fnmatch
import gzip
import io
import lzma
import re
import shutil
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import pyarrow as pa

from biasorigin.errors import UserError, listing

MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
TAR_MAGIC, TAR_MAGIC_AT = b"ustar", 257
PICKLES = (".pkl", ".pickle", ".joblib", ".dill", ".pt", ".pth")
LARGEST_MEMBER = 1 << 36  # bytes; an honest but absurd size is refused as well
CHUNK = 1 << 20
DAMAGES = (
    *(EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, pa.ArrowException),
    MemoryError,  # an xz file states how much memory it takes to unpack
)
# What zipfile says of entries that are damaged, encrypted, of a later version, or named in no known encoding.
UNREADABLE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, ValueError, EOFError, struct.error)


class CheckedStream(io.RawIOBase):
    """A byte stream whose every reading problem becomes one line that names the file and the byte reached."""

    def __init__(
        self, source: BinaryIO, name: str, kind: str, declared: int | None = None, below: BinaryIO | None = None
    ):
        self._source, self._name, self._kind, self._declared = source, name, kind, declared
        self._below = below  # closed with the source, for decompressors that leave their own source open
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        try:
            data = self._source.read(len(buffer))
        except DAMAGES as problem:
            raise UserError(
                f"{self._name}: damaged or cut off: its {self._kind} data cannot be read beyond byte "
                f"{self._read:,} ({_first_line(problem)}). Fetch the file again."
            ) from None
        self._read += len(data)
        declared = self._declared
        if declared is not None and (self._read > declared or (not data and self._read < declared)):
            raise UserError(
                f"{self._name}: the member holds {'more' if self._read > declared else 'fewer'} bytes than "
                f"the {declared:,} that its archive declares. The archive is damaged or hostile; fetch it again."
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._source.close()
            if self._below is not None:
                self._below.close()
        super().close()


def open_file(path: Path) -> BinaryIO:
    """The file as plain bytes, whatever its compression."""
    try:
        return decompressed(path.open("rb"), path.name)
    except OSError as problem:
        raise UserError(f"{path}: cannot be opened ({problem.strerror}).") from None


def decompressed(stream: BinaryIO, name: str, declared: int | None = None) -> BinaryIO:
    """The stream's content, decompressed if it starts with the magic bytes of gzip, bz2, xz or zstd.

    `declared` is the size of the stream itself, before decompression, where an archive states one.
    """
    outer = io.BufferedReader(CheckedStream(stream, name, "file", declared), CHUNK)
    head = outer.peek(8)[:8]
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
    if kind is None:
        return outer
    inner = {
        "gzip": lambda: gzip.GzipFile(fileobj=outer, mode="rb"),
        "bz2": lambda: bz2.BZ2File(outer),
        "xz": lambda: lzma.LZMAFile(outer),  # noqa: SIM115 closed by CheckedStream
        # pyarrow rather than zstandard: the latter takes a cut-off frame for the end of the file
        "zstd": lambda: pa.CompressedInputStream(pa.PythonFile(outer, "r"), "zstd"),
    }[kind]()
    return io.BufferedReader(CheckedStream(inner, name, kind, below=outer), CHUNK)


def archive_kind(path: Path) -> str | None:
    """`zip`, `tar` (also compressed) or None, by content."""
    with open_file(path) as stream:
        head = stream.read(512)
    if head.startswith(ZIP_MAGIC):
        return "zip"
    return "tar" if head[TAR_MAGIC_AT:].startswith(TAR_MAGIC) else None


def read_member(path_to_zip: Path, member: str, limit: int = LARGEST_MEMBER) -> bytes:
    """The bytes of one member of a zip file or wheel."""
    with open_member(path_to_zip, member, limit) as stream:
        return stream.read()


@contextmanager
def open_member(path_to_zip: Path, member: str, limit: int = LARGEST_MEMBER) -> Iterator[BinaryIO]:
    """One member of a zip file or wheel as a stream of exactly the bytes that the archive declares."""
    with _zip_file(path_to_zip) as archive:
        infos = {info.filename: info for info in _checked_infos(archive, path_to_zip)}
        if member not in infos:
            raise UserError(f"{path_to_zip.name}: has no member {member}; it holds {listing(sorted(infos), 5)}.")
        with _open_info(archive, infos[member], path_to_zip, limit) as stream:
            yield stream


def iterate_members(
    path_to_archive: Path, patterns: Sequence[str], limit: int = LARGEST_MEMBER
) -> Iterator[tuple[str, BinaryIO]]:
    """Name and bytes of every member that matches a pattern (`*` also crosses `/`); zip by name, tar in its order.

    Each stream must be read before the next one is asked for.
    """
    kind = archive_kind(path_to_archive)
    if kind == "zip":
        with _zip_file(path_to_archive) as archive:
            infos = _checked_infos(archive, path_to_archive)
            for info in sorted(infos, key=lambda info: info.filename):
                if not info.is_dir() and matches(info.filename, patterns):
                    with _open_info(archive, info, path_to_archive, limit) as stream:
                        yield info.filename, stream
    elif kind == "tar":
        with open_file(path_to_archive) as stream:
            yield from iterate_tar(stream, path_to_archive.name, patterns, limit)
    else:
        raise UserError(f"{path_to_archive}: is neither a zip (wheel) nor a tar archive.")


def iterate_tar(
    stream: BinaryIO, name: str, patterns: Sequence[str], limit: int = LARGEST_MEMBER
) -> Iterator[tuple[str, BinaryIO]]:
    """Name and bytes of every matching member of an uncompressed tar stream, in one pass and constant memory."""
    try:
        archive = tarfile.open(fileobj=stream, mode="r|", tarinfo=_StrictTarInfo)  # noqa: SIM115 holds no file of its own
        while (info := archive.next()) is not None:
            archive.members = []  # tarfile would keep every header
            _check_name(info.name, name)
            member = str(PurePosixPath(info.name))  # ./a/b and a/b are one
            if info.isdir() or not matches(member, patterns):
                _check_size(member, info.size, name, LARGEST_MEMBER)  # to be passed over, byte by byte
                continue
            if not info.isreg():
                raise UserError(f"{name}: member {member} is a link or a device, not a file; it is not opened.")
            _check_kind_and_size(member, info.size, name, limit)
            content = CheckedStream(archive.extractfile(info), f"{name}:{member}", "tar", info.size)
            yield member, io.BufferedReader(content, CHUNK)
    except tarfile.TarError as problem:
        raise UserError(f"{name}: damaged or cut off tar archive ({_first_line(problem)}). Fetch it again.") from None


def extract_members(
    path_to_archive: Path, patterns: Sequence[str], target: Path, limit: int = LARGEST_MEMBER
) -> list[Path]:
    """Write every matching member below `target` and return the paths, sorted; all of them or, on an error, none."""
    target.mkdir(parents=True, exist_ok=True)
    staged: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(dir=target, prefix=".extracting-") as staging:
        for member, stream in iterate_members(path_to_archive, patterns, limit):
            name = str(PurePosixPath(member))  # a//b and a/b are one
            if name in staged:
                raise UserError(f"{path_to_archive.name}: holds member {name} twice.")
            staged[name] = Path(staging) / str(len(staged))
            _copy(stream, staged[name], target / name)
        if not staged:
            raise UserError(f"{path_to_archive.name}: no member matches {listing(list(patterns))}.")
        try:
            for name in staged:
                _make_place(name, set(staged), target, path_to_archive.name)
            for name, path in staged.items():
                path.replace(target / name)
        except OSError as problem:
            raise UserError(f"{path_to_archive.name}: member {name} cannot be written ({problem.strerror}).") from None
    return sorted(target / name for name in staged)


def _make_place(name: str, names: set[str], target: Path, archive: str) -> None:
    """Make the folders above a member, after a look that it lands inside the target and in nothing's place."""
    destination = target / name
    if not destination.resolve().is_relative_to(target.resolve()):
        raise UserError(f"{archive}: member {name} would land outside {target}.")
    if any(str(above) in names for above in PurePosixPath(name).parents):
        raise UserError(f"{archive}: member {name} would lie below another member, which is a file.")
    if destination.is_dir():
        raise UserError(f"{archive}: member {name} would replace the folder {destination}.")
    destination.parent.mkdir(parents=True, exist_ok=True)


def _copy(stream: BinaryIO, path: Path, destination: Path) -> None:
    try:
        with path.open("wb") as out:
            shutil.copyfileobj(stream, out, CHUNK)
    except OSError as problem:
        raise UserError(f"{destination}: cannot be written ({problem.strerror}).") from None


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a path matches one of the globs, in which `*` also crosses `/`."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


class _StrictTarInfo(tarfile.TarInfo):
    """tarfile takes a broken header behind the first member for the end of the archive; here it is an error."""

    @classmethod
    def fromtarfile(cls, archive):
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:
            raise
        except (tarfile.HeaderError, ValueError, OverflowError) as problem:  # the last two from extended headers
            raise tarfile.ReadError(str(problem)) from None


@contextmanager
def _zip_file(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except UNREADABLE as problem:
        raise UserError(f"{path.name}: not a readable zip archive ({_first_line(problem)}). Fetch it again.") from None
    with archive:
        yield archive


def _checked_infos(archive: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    """Every member's entry, after a look at all names: one that points outside condemns the whole archive."""
    for info in archive.infolist():
        _check_name(info.orig_filename, path.name)
        if not info.filename:
            raise UserError(f"{path.name}: holds a member without a name.")
    return archive.infolist()


@contextmanager
def _open_info(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path, limit: int) -> Iterator[BinaryIO]:
    _check_kind_and_size(info.filename, info.file_size, path.name, limit)
    if info.external_attr >> 28 == 0o12:  # the Unix file type: symbolic link
        raise UserError(f"{path.name}: member {info.filename} is a link, not a file; it is not opened.")
    try:
        raw = archive.open(info)
    except UNREADABLE as problem:
        raise UserError(f"{path.name}: member {info.filename} cannot be opened ({_first_line(problem)}).") from None
    with io.BufferedReader(CheckedStream(raw, f"{path.name}:{info.filename}", "zip", info.file_size), CHUNK) as stream:
        yield stream


def _check_name(name: str, archive: str) -> None:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\x00" in name or re.match("[A-Za-z]:", name):
        raise UserError(f"{archive}: member {name!r} points outside the archive; nothing is taken from it.")


def _check_kind_and_size(name: str, size: int, archive: str, limit: int) -> None:
    if not PurePosixPath(name).parts:
        raise UserError(f"{archive}: holds a member without a name.")
    if name.lower().endswith(PICKLES):
        raise UserError(f"{archive}: member {name} is a pickle, which can run code; it is not opened.")
    _check_size(name, size, archive, limit)


def _check_size(name: str, size: int, archive: str, limit: int) -> None:
    if size > limit:
        raise UserError(f"{archive}: member {name} declares {size:,} bytes, more than the {limit:,} allowed.")


def _first_line(problem: BaseException) -> str:
    return (str(problem) or type(problem).__name__).splitlines()[0]
