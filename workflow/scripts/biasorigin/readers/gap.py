"""The GAP coreference corpus: development, test and validation TSV files, the text of each example."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biasorigin.readers import table
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.settings import Settings


@dataclass(frozen=True)
class GapSettings(Settings):
    """Only what every format has; the columns are the corpus's own."""

    files: str = "*.tsv"


def read(paths: list[Path], settings: GapSettings, report: Report) -> Iterator[Record]:
    """One record per example, in the order of the paths given."""
    # ASSUME a quote is a character like others: the first rows of the validation file write quotations as `` and ''
    # and quote no field; a file that did quote would show doubled quotes in its texts.
    columns = table.TsvSettings(
        files=settings.files,
        encoding=settings.encoding,
        text="Text",
        id={"column": "ID"},
        metadata={"pronoun": "Pronoun", "url": "URL"},
        quoting="none",
    )
    return table.read(paths, columns, report)
