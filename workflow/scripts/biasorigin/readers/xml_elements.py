"""XML as a stream of elements: no entity is ever declared, expanded or fetched, and memory holds one element."""

import html
from collections.abc import Collection, Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from biasorigin.errors import UserError

CHUNK = 1 << 18
LARGEST_ELEMENT = 1 << 28  # characters in one document
SIZE_OF_TAG = 100  # characters that an element counts for by itself: it takes as much memory
DEEPEST = 200  # levels; real dumps have fewer than ten


def iterate_elements(stream: BinaryIO, name: str, wanted: Collection[str]) -> Iterator[tuple[int, Element]]:
    """Line and content of every element with a wanted tag, in order; all else is passed over.

    `stream` holds UTF-8, whatever the XML declaration says.
    """
    collector = _Collector(name, frozenset(wanted))
    ended = False
    given = 0
    while not ended:
        data = stream.read(CHUNK)
        ended = not data
        given += len(data)
        try:
            collector.parser.Parse(data, ended)
        except expat.ExpatError as problem:
            raise UserError(
                f"{name}:line {problem.lineno}: not well-formed XML ({expat.errors.messages[problem.code]}). "
                "The file is damaged or cut off; fetch it again."
            ) from None
        if given - collector.parser.CurrentByteIndex > LARGEST_ELEMENT:
            raise UserError(f"{name}: one tag of more than {LARGEST_ELEMENT:,} bytes; the file is not read.")
        yield from collector.take()


class _Collector:
    """Builds the wanted elements from the parser's events."""

    def __init__(self, name: str, wanted: frozenset[str]):
        self._name, self._wanted = name, wanted
        self._done: list[tuple[int, Element]] = []
        self._builder: TreeBuilder | None = None
        self._depth = self._size = self._line = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._skipped_entity

    def take(self) -> list[tuple[int, Element]]:
        """The elements finished since the last call."""
        done, self._done = self._done, []
        return done

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._builder is None:
            if tag not in self._wanted:
                return
            self._builder, self._line, self._size = TreeBuilder(), self.parser.CurrentLineNumber, 0
        self._depth += 1
        self._grow(SIZE_OF_TAG + sum(len(name) + len(value) for name, value in attributes.items()))
        if self._depth > DEEPEST:
            raise self._refused(f"elements nested more than {DEEPEST} deep")
        self._builder.start(tag, attributes)

    def _end(self, tag: str) -> None:
        if self._builder is None:
            return
        self._builder.end(tag)
        self._depth -= 1
        if self._depth == 0:
            self._done.append((self._line, self._builder.close()))
            self._builder = None

    def _data(self, text: str) -> None:
        if self._builder is None:
            return
        self._grow(len(text))
        self._builder.data(text)

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > LARGEST_ELEMENT:
            raise self._refused(f"one document of more than {LARGEST_ELEMENT:,} characters")

    def _skipped_entity(self, name: str, is_parameter: bool) -> None:
        """A reference to an entity of an outside DTD, which is never fetched: HTML's names are known all the same."""
        known = html.unescape(f"&{name};")
        if is_parameter or known == f"&{name};":
            raise self._refused(f"an unknown entity &{name};")
        self._data(known)

    def _refuse_entity(self, name: str, *_) -> None:
        raise self._refused(f"a declaration of entity {name!r}, which could expand without end or fetch a file")

    def _refused(self, what: str) -> UserError:
        return UserError(f"{self._name}:line {self.parser.CurrentLineNumber}: {what}; the file is not read.")
