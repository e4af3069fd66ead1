"""JSON Lines: one object per line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import Input, iterate_inputs
from biasorigin.readers.settings import ColumnSettings, check_columns


@dataclass(frozen=True, kw_only=True)
class JsonlSettings(ColumnSettings):
    """Columns are the keys of each object; a metadata key may be missing, the text's and the id's may not."""


def read(paths: list[Path], settings: JsonlSettings, report: Report) -> Iterator[Record]:
    """One record per line that is not blank."""
    for given in iterate_inputs(paths, settings, report):
        for number, line in given.lines(settings, report):
            if line and not line.isspace():
                yield _record(_parse(line, f"{given.name}:line {number}"), settings, given, number)


def _record(value: dict[str, Any], settings: JsonlSettings, given: Input, number: int) -> Record:
    place = f"{given.name}:line {number}"
    check_columns([settings.text, *([settings.id_column] if settings.id_column else [])], list(value), place)
    text = value[settings.text]
    if text is not None and not isinstance(text, str):
        raise UserError(f"{place}: {settings.text!r} holds {type(text).__name__}, expected a string.")
    identifier = f"{given.relative}:{number}" if settings.id == "row" else None
    if settings.id_column:
        identifier = value[settings.id_column]
        if isinstance(identifier, bool) or not isinstance(identifier, str | int | None):
            raise UserError(f"{place}: id {json.dumps(identifier)[:40]} is no string or whole number.")
        identifier = "" if identifier is None else str(identifier)
    metadata = {name: as_text(value.get(column)) for name, column in settings.metadata_columns.items()}
    return Record(identifier, text or "", metadata, place, given.name)


def _parse(line: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except RecursionError:
        raise UserError(f"{place}: JSON nested too deeply.") from None
    except ValueError as problem:
        raise UserError(f"{place}: not valid JSON ({problem}).") from None
    if not isinstance(value, dict):
        raise UserError(f"{place}: holds {type(value).__name__}, expected an object {{...}}.")
    return value


def as_text(value: Any) -> str:
    """A metadata value as a string: nothing for null, JSON for what is not a string."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
