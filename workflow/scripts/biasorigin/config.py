"""Checking a configuration: strict, and with errors that name the key and the nearest valid one."""

import difflib
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonschema

from biasorigin.errors import UserError, listing
from biasorigin.yaml_files import load_yaml, require_tree

__all__ = ["check", "load_yaml", "names_in", "resolve"]

INHERITING = ("corpora", "embeddings")
MOST_HEIRS = 50


def resolve(config: dict, schema: dict) -> dict:
    """The checked configuration with every `like:` replaced by what it inherits and every reference known."""
    require_tree(config, "config")
    config = deepcopy(config)
    for section in INHERITING:
        entries = config.get(section)
        if isinstance(entries, dict):
            config[section] = {name: _inherit(name, entries, section) for name in entries}
    check(config, schema)
    _check_references(config)
    return config


def check(value: Any, schema: dict, what: str = "config") -> None:
    """Raise a one-line error for the first thing in which the value departs from the schema."""
    validator = _Validator(schema)
    # A key that is not known comes before one that is missing: the second is often the first, misspelled.
    order = {"additionalProperties": 0, "required": 2}
    errors = sorted(
        validator.iter_errors(value),
        key=lambda error: (order.get(error.validator, 1), _dotted(error.absolute_path), error.message),
    )
    if errors:
        raise UserError(f"{what}: {_explain(errors[0])}")


def _matches(validator: Any, pattern: str, value: Any, schema: dict) -> Iterator[jsonschema.ValidationError]:
    """The keyword `pattern`: its last $ is the end of the text, where Python's lets a line end follow."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


_Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": _matches})


def names_in(value: str | list[str]) -> list[str]:
    """A name, or a list of names, as a list."""
    return [value] if isinstance(value, str) else list(value)


def _inherit(name: str, entries: dict, section: str, heirs: tuple[str, ...] = ()) -> dict:
    entry = entries[name]
    if not isinstance(entry, dict) or not isinstance(entry.get("like"), str):
        return entry  # what is wrong with it, the schema says
    parent = entry["like"]
    if parent in (*heirs, name):
        raise UserError(f"config: {section}.{name} is like {parent}, which is like {name}. Break the circle.")
    if parent not in entries:
        raise UserError(
            f"config: {section}.{name}.like is {parent!r}, which {section} does not define.{_near(parent, entries)}"
        )
    if len(heirs) > MOST_HEIRS:
        raise UserError(f"config: {section}.{name} is like another, over more than {MOST_HEIRS} steps. Shorten them.")
    own = {key: value for key, value in entry.items() if key != "like"}
    inherited = _inherit(parent, entries, section, (*heirs, name))
    if not isinstance(inherited, dict):
        raise UserError(f"config: {section}.{parent} is {_short(inherited)}; expected settings.")
    return _merge(inherited, own)


def _merge(base: dict, changes: dict) -> dict:
    merged = deepcopy(base)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value) if both else deepcopy(value)
    return merged


def _check_references(config: dict) -> None:
    for name, corpus in config["corpora"].items():
        for source in names_in(corpus["source"]):
            _must_know(source, config["sources"], f"corpora.{name}.source", "data/sources.yaml or sources")
    for name, embedding in config["embeddings"].items():
        for key, section in (("corpus", "corpora"), ("source", "sources"), ("base", "embeddings")):
            if key in embedding:
                _must_know(embedding[key], config[section], f"embeddings.{name}.{key}", section)
    for section in INHERITING:
        for name in config["study"][section]:
            _must_know(name, config[section], f"study.{section}", section)
    for name in config["study"]["embeddings"]:
        corpus = config["embeddings"][name].get("corpus")
        if corpus and corpus not in config["study"]["corpora"]:
            raise UserError(
                f"config: study.embeddings has {name}, which is trained on the corpus {corpus}, "
                f"but study.corpora has not. Add {corpus} to study.corpora."
            )


def _must_know(name: str, known: dict, path: str, place: str) -> None:
    if name not in known:
        raise UserError(f"config: {path} is {name!r}, which {place} does not define.{_near(name, known)}")


def _explain(error: jsonschema.ValidationError) -> str:
    path = _dotted(error.absolute_path)
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = sorted(set(map(str, error.instance)) - set(known))
        place = f"{path}.{unknown[0]}" if path else unknown[0]
        return f"{place} is not a known key.{_near(unknown[0], known)} Known here: {listing(sorted(known), 30)}."
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{path or 'the file'} lacks the key {missing}. {_described(error.schema, missing)}".rstrip()
    found = f"{path} is {_short(error.instance)}"
    expected = {
        "enum": lambda: f"one of {listing([str(value) for value in error.validator_value], 30)}",
        "const": lambda: repr(error.validator_value),
        "type": lambda: f"of type {error.validator_value}",
        "minimum": lambda: f"at least {error.validator_value}",
        "maximum": lambda: f"at most {error.validator_value}",
        "exclusiveMinimum": lambda: f"more than {error.validator_value}",
        "exclusiveMaximum": lambda: f"less than {error.validator_value}",
        "pattern": lambda: f"text that matches {error.validator_value}",
        "minItems": lambda: f"a list of at least {error.validator_value} entries",
        "minProperties": lambda: f"at least {error.validator_value} entries",
        "uniqueItems": lambda: "a list without repetition",
    }.get(error.validator, lambda: error.message.splitlines()[0][:200])()
    near = _near(str(error.instance), error.validator_value) if error.validator == "enum" else ""
    meaning = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return f"{found}; expected {expected}.{near}" + (f" ({meaning})" if meaning else "")


def _described(schema: dict, key: str) -> str:
    return schema.get("properties", {}).get(key, {}).get("description", "")


def _dotted(path: Any) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _near(name: str, known: Any) -> str:
    matches = difflib.get_close_matches(str(name), [str(one) for one in known], n=1)
    return f" Did you mean {matches[0]}?" if matches else ""
