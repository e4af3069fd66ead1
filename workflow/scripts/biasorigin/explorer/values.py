"""Frames as plain values that JSON can hold."""

import math

import polars as pl


def plain(value: object) -> object:
    """The value without NaN and infinity, which become null; numbers to six significant digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value


def records(table: pl.DataFrame, **columns: str) -> list[dict]:
    """The rows of a table as dictionaries: name in the page = column of the table; absent columns are null."""
    present = {name: column for name, column in columns.items() if column in table.columns}
    chosen = table.select(**{name: pl.col(column) for name, column in present.items()})
    absent = dict.fromkeys(set(columns) - set(present))
    return [{name: plain((row | absent)[name]) for name in columns} for row in chosen.iter_rows(named=True)]


def missing(what: str, command: str) -> dict:
    """A view whose stage is not part of the study: what is missing, and which command makes it."""
    return {"missing": {"what": what, "command": command}}
