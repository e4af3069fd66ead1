"""The enumeration for the page: name groups with demographics, and every cell."""

import polars as pl

from biasorigin.explorer.blocks import Blocks
from biasorigin.explorer.values import plain, records

RACES = {"black": "Black", "hispanic": "Hispanic", "asian": "Asian", "white": "White", "other": "Other"}


def enumeration_entry(key: str, groups: pl.DataFrame, cells: pl.DataFrame, summary: dict, blocks: Blocks) -> dict:
    """One choice of the Enumeration view, from the tables that `tabulate_enumeration` writes."""
    shown = records(
        cells,
        category="category",
        examples="category_examples",
        group="group",
        words="words",
        score="score",
        p="p",
        significant="significant",
    )
    return {
        "key": key,
        "title": summary["title"],
        "summary": {name: plain(summary[name]) for name in ("rotations", "alpha", "significant")},
        "cells": cells.height,
        "groups": records(
            groups, label="label", examples="examples", names="names", female="female", birth_year="year",
            **{race: race for race in RACES},
        ),
        "races": [{"column": column, "title": title} for column, title in RACES.items()],
        "block": blocks.add_json(f"enumeration-{key}", shown),
    }  # fmt: skip
