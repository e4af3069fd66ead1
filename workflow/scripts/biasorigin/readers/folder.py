"""A folder (or archive) of text files: one document per file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import CHUNK, LONGEST_LINE, Input, iterate_inputs
from biasorigin.readers.settings import Settings, compile_pattern


@dataclass(frozen=True)
class FolderSettings(Settings):
    """`name_pattern`: a regular expression searched in each relative path; its named groups are metadata.

    A group named `id` is the document's id; otherwise the id is the relative path.
    """

    files: str = "*.txt"
    name_pattern: str = ""

    def __post_init__(self):
        compile_pattern(self.name_pattern, "name_pattern")


def read(paths: list[Path], settings: FolderSettings, report: Report) -> Iterator[Record]:
    """One record per file, in order of path."""
    pattern = compile_pattern(settings.name_pattern, "name_pattern")
    for given in iterate_inputs(paths, settings, report):
        found = pattern.search(given.relative)
        if found is None:
            raise UserError(f"{given.name}: the path does not match the reader's name_pattern {pattern.pattern!r}.")
        metadata = {name: value or "" for name, value in found.groupdict().items()}
        identifier = metadata.pop("id", given.relative)
        yield Record(identifier, _whole(given, settings, report), metadata, given.name, given.name)


def _whole(given: Input, settings: FolderSettings, report: Report) -> str:
    """The text of a file, read in pieces: a read of the largest size would ask for all of that memory at once."""
    text = given.text(settings, report, newline=None)
    pieces, size = [], 0
    while piece := text.read(CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > LONGEST_LINE:
            raise UserError(f"{given.name}: longer than {LONGEST_LINE:,} characters; is it one document?")
    return "".join(pieces)
