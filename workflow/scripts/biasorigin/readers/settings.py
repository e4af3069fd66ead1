"""Settings of a reader: a mapping from the config becomes the format's dataclass, or a one-line error."""

import codecs
import difflib
import re
import types
import typing
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

from biasorigin.errors import UserError, listing


@dataclass(frozen=True)
class Settings:
    """Settings that every format has; `files` is a glob on the path inside a folder or archive (`*` crosses `/`)."""

    files: str = "*"
    encoding: str = "utf-8"


@dataclass(frozen=True, kw_only=True)
class ColumnSettings(Settings):
    """Settings of formats with named columns.

    id: `content` (BLAKE2b-64 of the text; a repeated text's copies are numbered), `row` (file name and row number;
    changes when rows are added before it) or `{column: NAME}`. metadata: column names, or new name: column.
    """

    text: str
    id: str | dict = "content"
    metadata: list | dict = ()

    def __post_init__(self):
        if not (self.id in ("content", "row") or (isinstance(self.id, dict) and list(self.id) == ["column"])):
            raise UserError(f"Reader setting id is {self.id!r}; expected content, row or {{column: NAME}}.")
        columns = [*self.metadata, *(self.metadata.values() if isinstance(self.metadata, dict) else ())]
        require_texts(columns, "metadata")

    @property
    def id_column(self) -> str | None:
        """The column that holds the id, if one does."""
        return str(self.id["column"]) if isinstance(self.id, dict) else None

    @property
    def metadata_columns(self) -> dict[str, str]:
        """Column of each metadata name."""
        columns = self.metadata if isinstance(self.metadata, dict) else {name: name for name in self.metadata}
        return {str(name): str(column) for name, column in columns.items()}


def parse_settings(settings_class: type, given: dict[str, Any], format: str) -> Any:
    """The settings as an object of the format's class; unknown, missing and mistyped ones are UserErrors."""
    known = {field.name: field for field in fields(settings_class)}
    for name in given:
        if name not in known:
            raise UserError(f"Reader {format!r} has no setting {name!r}; {nearest(str(name), list(known))}")
    missing = [n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING and n not in given]
    if missing:
        raise UserError(f"Reader {format!r} needs the setting {listing(missing)}.")
    hints = typing.get_type_hints(settings_class)
    for name, value in given.items():
        kinds = typing.get_args(hints[name]) if isinstance(hints[name], types.UnionType) else (hints[name],)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise UserError(f"Reader {format!r}: setting {name} is {value!r}; expected {expected}.")
    try:
        encoding = given.get("encoding", "utf-8")
        "".encode(encoding)
        codecs.getincrementaldecoder(encoding)
    except (LookupError, ValueError):
        raise UserError(f"Reader {format!r}: encoding {given['encoding']!r} is unknown to Python.") from None
    return settings_class(**given)


def require_texts(values: Iterable[Any], setting: str) -> None:
    """A UserError for the first value of a list that is no text."""
    for value in values:
        if not isinstance(value, str):
            raise UserError(f"Reader setting {setting} holds {value!r}; expected text. Put it in quotes.")


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of an error message: the known name most like the given one, or all of them."""
    close = difflib.get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.5)
    if close:
        return f"did you mean {next(k for k in known if k.lower() == close[0])!r}?"
    return f"known: {listing(list(known), 12)}."


def compile_pattern(pattern: str, setting: str) -> re.Pattern:
    """The regular expression, or a UserError that says what is wrong with it."""
    try:
        return re.compile(pattern)
    except re.error as problem:
        raise UserError(f"Reader setting {setting}: {pattern!r} is no regular expression ({problem}).") from None


def check_columns(wanted: Sequence[str], present: Sequence[str], place: str) -> None:
    """A UserError that names the first wanted column that is not there, and the nearest one that is."""
    for name in wanted:
        if name not in present:
            raise UserError(f"{place}: there is no column {name!r}; {nearest(name, list(present))}")
