"""YAML files of plain values, in which an alias can neither make a circle nor stand for millions of values."""

from pathlib import Path
from typing import Any

import yaml

from biasorigin.errors import UserError

MOST_VALUES = 1_000_000  # what a file stands for, every alias written out; ours have some ten thousand
DEEPEST = 50
# Whatever the safe loader's own conversions of dates, numbers and truth values raise.
DAMAGES = (OSError, ValueError, KeyError, AttributeError, TypeError, OverflowError, RecursionError, yaml.YAMLError)


def load_yaml(path: Path | str) -> Any:
    """The content of a YAML file of plain values."""
    try:
        value = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except DAMAGES as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        raise UserError(f"Could not read {path}: {reason}. Correct the file.") from error
    require_tree(value, str(path))
    return value


def require_tree(value: Any, what: str) -> None:
    """Refuse values that are nested too deeply (or in a circle), or stand for too many others."""
    level, seen = [value], 0
    for _ in range(DEEPEST):
        seen += len(level)
        if seen > MOST_VALUES:
            raise UserError(f"{what}: holds more than {MOST_VALUES:,} values; expected far fewer. Look at its aliases.")
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in ([*one, *one.values()] if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise UserError(f"{what}: values are nested more than {DEEPEST} deep; expected fewer. Look at its aliases.")
