"""Plain text: one document per line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import iterate_inputs
from biasorigin.readers.settings import Settings


@dataclass(frozen=True)
class LinesSettings(Settings):
    """id: `content` (BLAKE2b-64 of the line; copies are numbered) or `row` (file name and line number)."""

    id: str = "content"

    def __post_init__(self):
        if self.id not in ("content", "row"):
            raise UserError(f"Reader setting id is {self.id!r}; expected content or row.")


def read(paths: list[Path], settings: LinesSettings, report: Report) -> Iterator[Record]:
    """One record per line; only \\n and \\r\\n end a line."""
    for given in iterate_inputs(paths, settings, report):
        for number, line in given.lines(settings, report):
            identifier = f"{given.relative}:{number}" if settings.id == "row" else None
            yield Record(identifier, line, {}, f"{given.name}:line {number}", given.name)
