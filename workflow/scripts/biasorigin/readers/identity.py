"""Ids: every document has one, and no two have the same."""

import hashlib
from collections.abc import Iterator

from biasorigin.errors import UserError
from biasorigin.readers.documents import Document, Record, Report


def identify(records: Iterator[Record], report: Report) -> Iterator[Document]:
    """Documents out of records: ids given or made and checked, empty texts dropped and counted.

    Memory grows by one 64-bit digest and one place per document, not by its text.
    """
    places: dict[int, str] = {}  # digest of the id: where it was seen
    copies: dict[int, int] = {}  # digest of the text: how often it was seen
    for record in records:
        text, encoded = _encodable(record.text, record, report)
        empty = not text.strip()
        if record.id is None:
            if empty:
                report.empty += 1
                continue
            identifier = _content_id(encoded, copies, report)
        else:
            identifier = _encodable(record.id, record, report)[0].strip()
            if not identifier:
                raise UserError(
                    f"{record.place}: the document has no id. Give it one, or set the reader's id: content."
                )
        digest = int.from_bytes(hashlib.blake2b(identifier.encode(), digest_size=8).digest())
        if digest in places:
            raise UserError(
                f"Document id {identifier!r} is given twice: at {places[digest]} and at {record.place}. "
                "Remove one, or choose another id column."
            )
        places[digest] = record.place
        if empty:
            report.empty += 1
            continue
        report.documents += 1
        metadata = {name: _encodable(value, record, report)[0] for name, value in record.metadata.items()}
        yield Document(identifier, text, metadata, record.place)


def _content_id(encoded: bytes, copies: dict[int, int], report: Report) -> str:
    """BLAKE2b-64 of the text in hexadecimal; the second document with the same text gets `-2`, and so on.

    So an id does not depend on the document's position; only copies of one text are told apart by their order.
    """
    digest = hashlib.blake2b(encoded, digest_size=8)
    key = int.from_bytes(digest.digest())
    copies[key] = copies.get(key, 0) + 1
    if copies[key] == 1:
        return digest.hexdigest()
    report.repeated += 1
    return f"{digest.hexdigest()}-{copies[key]}"


def _encodable(text: str, record: Record, report: Report) -> tuple[str, bytes]:
    """The text and its UTF-8, after a replacement of lone surrogates, which JSON and character references can hold."""
    try:
        return text, text.encode("utf-8")
    except UnicodeEncodeError:
        clean = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
        changed = sum(a != b for a, b in zip(text, clean, strict=True))
        report.add_encoding_errors(record.file, changed)
        return clean, clean.encode("utf-8")
