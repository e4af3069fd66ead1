"""What a reader gives (documents) and tells (the report)."""

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple


class Document(NamedTuple):
    """One document of a corpus; `place` says where it was found, for error messages ("reviews.csv:row 17")."""

    id: str
    text: str
    metadata: dict[str, str]
    place: str


class Record(NamedTuple):
    """A document as a format's module found it: an id of None asks for one made from the content.

    `file` is the file that an encoding problem in the record is reported under.
    """

    id: str | None
    text: str
    metadata: dict[str, str]
    place: str
    file: str


@dataclass
class Report:
    """What was read and what was not: counts of documents, and of replaced characters by file."""

    files: int = 0
    documents: int = 0
    empty: int = 0  # dropped: no text but white space
    repeated: int = 0  # kept: same text as an earlier document, so its content id is numbered
    redirects: int = 0  # dropped, Wikipedia
    disambiguations: int = 0  # dropped, Wikipedia
    other_namespaces: int = 0  # dropped, Wikipedia: talk, user, template pages and the like
    unparsable: int = 0  # dropped, Wikipedia: markup too long, broken or deeply nested for the parser
    lead_paragraphs: int = 0  # dropped paragraphs, NYT
    encoding_errors: dict[str, int] = field(default_factory=dict)  # file: characters replaced by U+FFFD

    def add_encoding_errors(self, file: str, count: int) -> None:
        """Add to a file's count; files without a problem are not listed."""
        if count:
            self.encoding_errors[file] = self.encoding_errors.get(file, 0) + count

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain values, files in order of name."""
        return asdict(self) | {"encoding_errors": dict(sorted(self.encoding_errors.items()))}
