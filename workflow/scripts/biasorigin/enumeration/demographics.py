"""Who bears the names of each group (UBE table 2): computed afterwards, never used to find the groups.

Every share and mean comes twice. Weighted: each name counts by its births (or bearers), so the figure describes the
people. Unweighted (`_by_name`): each name counts once, as it does in the group's vector. Names whose value is unknown
are left out of that column's mean and counted in `race_known`.
"""

import numpy as np
import polars as pl

from biasorigin.enumeration.names import RACES

DESCRIBED = ("female", "year", *RACES)


def describe_groups(names: pl.DataFrame) -> pl.DataFrame:
    """One row per group: number of names, weighted and unweighted demographics.

    names  names frame with `group` (int); returns group, names, weight, the columns of DESCRIBED,
    the same with `_by_name`, and race_known, the share of names whose race shares are known.
    """
    weighted = [_mean(column, pl.col("weight")).alias(column) for column in DESCRIBED]
    by_name = [pl.col(column).mean().alias(f"{column}_by_name") for column in DESCRIBED]
    return (
        names.group_by("group")
        .agg(
            pl.len().cast(pl.Int64).alias("names"),
            pl.col("weight").sum(),
            *weighted,
            *by_name,
            pl.col("white").is_not_null().mean().alias("race_known"),
        )
        .sort("group")
    )


def display_order(described: pl.DataFrame) -> np.ndarray:
    """The groups in the order in which they are shown: most female first, as in the paper; for names without a sex
    the least white first; with nothing known the largest first. Ties go to the larger group.
    """
    if described["female"].null_count() < described.height:
        key, descending = "female", True
    elif described["white"].null_count() < described.height:
        key, descending = "white", False
    else:
        key, descending = "names", True
    order = described.sort([key, "names", "group"], descending=[descending, True, False], nulls_last=True)
    return order["group"].to_numpy()


def _mean(column: str, weight: pl.Expr) -> pl.Expr:
    known = pl.col(column).is_not_null()
    return pl.when(known.any()).then((pl.col(column) * weight).filter(known).sum() / weight.filter(known).sum())
