"""Lists of names with what is known about their bearers.

A names frame has one row per distinct name and the columns of `SCHEMA`: `weight` is the number of births or of
bearers; `female` and the race columns are shares from 0 to 1; `year` is the mean year of birth. What is unknown is
null. Only `name` is used to find biases; the rest describes the groups afterwards.
"""

import logging
from collections import Counter
from dataclasses import dataclass

import polars as pl

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError, listing

RACES = ("white", "black", "hispanic", "asian", "other")
SCHEMA = {
    "name": pl.String,
    "weight": pl.Float64,
    "female": pl.Float64,
    "year": pl.Float64,
    **dict.fromkeys(RACES, pl.Float64),
}
# The Census files close with a line for everybody else; it is not a name.
CENSUS_REMAINDER = "ALL OTHER NAMES"

logger = logging.getLogger(__name__)


def first_names(
    births: pl.DataFrame, race: pl.DataFrame | None, first_year: int, last_year: int, min_births: int
) -> pl.DataFrame:
    """First names given at least `min_births` times in the years asked for (UBE section 4).

    births  year, sex (F or M), name, n: the Social Security Administration's counts
    race    name in capitals and a share for each of `RACES`, or None
    """
    if first_year > last_year:
        raise UserError(f"The years of birth run from {first_year} to {last_year}. Put the earlier year first.")
    names = (
        births.filter(pl.col("year").is_between(first_year, last_year))
        .with_columns(pl.col("n").cast(pl.Int64), pl.col("year").cast(pl.Float64))
        .group_by("name")
        .agg(
            pl.col("n").sum().cast(pl.Float64).alias("weight"),
            (pl.col("n").filter(pl.col("sex") == "F").sum() / pl.col("n").sum()).alias("female"),
            ((pl.col("n") * pl.col("year")).sum() / pl.col("n").sum()).alias("year"),
        )
        .filter(pl.col("weight") >= min_births)
    )
    if not names.height:
        raise UserError(
            f"No first name was given {min_births:,} times or more from {first_year} to {last_year}. "
            "Lower min_count or widen the years."
        )
    if race is not None:
        names = names.with_columns(pl.col("name").str.to_uppercase().alias("key")).join(
            race.rename({"name": "key"}), on="key", how="left"
        )
    return _complete(names)


def surnames(census: pl.DataFrame, min_bearers: int) -> pl.DataFrame:
    """Surnames with at least `min_bearers` bearers in the Census, with their race shares.

    census  name in capitals, count, pctwhite, pctblack, pctapi, pctaian, pct2prace, pcthispanic (percent).
    """
    names = census.filter((pl.col("count") >= min_bearers) & (pl.col("name") != CENSUS_REMAINDER)).select(
        pl.col("name").str.to_titlecase(),
        pl.col("count").cast(pl.Float64).alias("weight"),
        (pl.col("pctwhite") / 100).alias("white"),
        (pl.col("pctblack") / 100).alias("black"),
        (pl.col("pcthispanic") / 100).alias("hispanic"),
        (pl.col("pctapi") / 100).alias("asian"),
        ((pl.col("pctaian") + pl.col("pct2prace")) / 100).alias("other"),
    )
    if not names.height:
        raise UserError(f"No surname has {min_bearers:,} bearers or more. Lower min_count.")
    return _complete(names)


def listed_names(lines: list[str], title: str) -> pl.DataFrame:
    """Names from a user's own list, one per line; demographics unknown. A name listed twice is an error."""
    names = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise UserError(
            f"{title}: {len(repeated)} names are listed twice ({listing(repeated)}). Keep one line of each."
        )
    if not names:
        raise UserError(f"{title} holds no names. Write one name per line.")
    return _complete(pl.DataFrame({"name": names, "weight": 1.0}))


@dataclass(frozen=True)
class MatchedNames:
    """The names that an embedding knows.

    names    names frame with `row`, the row in the embedding; distinct rows, in the embedding's order
    missing  names frame of those it does not know
    merged   how many names fell together with another because the embedding folds case
    """

    names: pl.DataFrame
    missing: pl.DataFrame
    merged: int


def match_names(embedding: Embedding, names: pl.DataFrame) -> MatchedNames:
    """Look the names up as the embedding spells them; names that fold into one word are merged by weight."""
    if names["name"].n_unique() < names.height:
        repeated = names.filter(pl.col("name").is_duplicated())["name"].unique().sort().to_list()
        raise UserError(f"{len(repeated)} names are listed twice ({listing(repeated)}). Keep one of each.")
    placed = names.with_columns(
        pl.Series("row", [embedding.row(name) for name in names["name"].to_list()], dtype=pl.Int64)
    )
    missing = placed.filter(pl.col("row").is_null()).drop("row")
    found = placed.drop_nulls("row").sort(["weight", "name"], descending=[True, False])
    shares = [_weighted_mean(column).alias(column) for column in SCHEMA if column not in ("name", "weight")]
    merged = (
        found.group_by("row", maintain_order=True)
        .agg(pl.col("name").first(), *shares, pl.col("weight").sum())
        .select(*SCHEMA, "row")
        .sort("row")
    )
    logger.info("%s of %s names are in the embedding", f"{merged.height:,}", f"{names.height:,}")
    return MatchedNames(merged, missing, found.height - merged.height)


def _weighted_mean(column: str) -> pl.Expr:
    known = pl.col(column).is_not_null()
    weight = pl.col("weight").filter(known)
    mean = (pl.col(column).filter(known) * weight).sum() / weight.sum()
    return pl.when(known.any()).then(mean)


def _complete(names: pl.DataFrame) -> pl.DataFrame:
    """The frame with all columns of the schema, most frequent name first."""
    absent = [pl.lit(None, dtype=kind).alias(column) for column, kind in SCHEMA.items() if column not in names.columns]
    return (
        names.with_columns(absent)
        .select(pl.col(column).cast(kind) for column, kind in SCHEMA.items())
        .sort(["weight", "name"], descending=[True, False])
    )
