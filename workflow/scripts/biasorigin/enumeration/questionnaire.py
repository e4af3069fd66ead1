"""Asking people: do they share the associations, and do they find them offensive? (UBE section 4.1)

The questionnaire has two parts. *Qualification*: some names of every group, to be matched to the groups; only workers
who get more than half right are counted. *Matching*: for each test, its significant word sets, to be matched to the
test's significant groups. A third form, *rating*, is made of the associations that people agreed with.
Answers come as a frame (worker, item, answer); ratings are whole numbers from 1 to 7.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from biasorigin.errors import UserError, listing

ITEM_SCHEMA = {
    "item": pl.String,
    "part": pl.String,
    "test": pl.String,
    "prompt": pl.String,
    "choices": pl.String,
    "key": pl.String,
}
BETWEEN_CHOICES = " | "
QUALIFIED_ABOVE = 0.5
# ASSUME the paper's "fraction rated as offensive" means a mean rating above the middle of the 1 to 7 scale.
OFFENSIVE_ABOVE = 4.0


def make_questionnaire(
    names: pl.DataFrame, cells: pl.DataFrame, tests: int, names_per_group: int, rng: np.random.Generator
) -> pl.DataFrame:
    """The items of both parts, in the order in which they are asked, with the right answers in `key`.

    names  label (of the group) and name, kept names only
    cells  the table of cells, categories in table order
    Choices are group labels; the order of names, word sets and choices is shuffled.
    """
    labels = names["label"].unique(maintain_order=True).to_list()
    items = []
    for label in labels:
        own = names.filter(pl.col("label") == label)["name"].to_list()
        chosen = rng.choice(len(own), size=min(names_per_group, len(own)), replace=False)
        items += [(own[place], label) for place in chosen]
    rows = [
        _item(f"q{place + 1}", "qualification", "", prompt, labels, key)
        for place, (prompt, key) in enumerate(_shuffled(items, rng))
    ]
    found = cells.filter("significant")
    for test in found["category"].unique(maintain_order=True)[:tests].to_list():
        own = found.filter(pl.col("category") == test)
        choices = _shuffled(own["group"].to_list(), rng)
        pairs = _shuffled(list(own.select("words", "group").iter_rows()), rng)
        rows += [
            _item(f"{test.lower()}-{place + 1}", "matching", test, words, choices, group)
            for place, (words, group) in enumerate(pairs)
        ]
    return pl.DataFrame(rows, schema=ITEM_SCHEMA)


@dataclass(frozen=True)
class Agreement:
    """What people answered.

    items     the matching items with votes, plurality, plurality_votes and agrees (plurality is the key)
    workers   worker, qualification (share right), qualified
    accuracy  share of the associations that the plurality agrees with, or None without an answered one
    """

    items: pl.DataFrame
    workers: pl.DataFrame
    accuracy: float | None


def score_answers(items: pl.DataFrame, answers: pl.DataFrame) -> Agreement:
    """Accuracy in the sense of UBE table 3, from the answers of qualified workers.

    A tie for the most votes agrees with nothing. Items that nobody qualified answered are left out of the accuracy,
    and so are tests with a single significant group, where there is nothing to choose.
    """
    _check(items, answers, "answer")
    keyed = answers.join(items.select("item", "part", "key"), on="item")
    workers = (
        keyed.filter(pl.col("part") == "qualification")
        .group_by("worker")
        .agg((pl.col("answer") == pl.col("key")).sum().alias("right"))
        .with_columns((pl.col("right") / (items["part"] == "qualification").sum()).alias("qualification"))
        .select("worker", "qualification", (pl.col("qualification") > QUALIFIED_ABOVE).alias("qualified"))
        .sort("worker")
    )
    votes = (
        keyed.filter(pl.col("part") == "matching")
        .join(workers.filter("qualified"), on="worker", how="semi")
        .group_by("item", "answer")
        .len("votes")
    )
    rows = [_plurality(item, votes.filter(pl.col("item") == item)) for item in _matching(items)["item"]]
    schema = {"item": pl.String, "votes": pl.Int64, "plurality": pl.String, "plurality_votes": pl.Int64}
    scored = _matching(items).join(pl.DataFrame(rows, schema=schema), on="item", maintain_order="left")
    scored = scored.with_columns((pl.col("plurality") == pl.col("key")).fill_null(False).alias("agrees"))
    asked = scored.filter((pl.col("votes") > 0) & pl.col("choices").str.contains(BETWEEN_CHOICES, literal=True))
    return Agreement(scored, workers, asked["agrees"].mean() if asked.height else None)


@dataclass(frozen=True)
class Offensiveness:
    """How people rated the associations that they agreed with.

    items            item, ratings, mean_rating, offensive
    share_of_rated   share of the rated associations with a mean rating above OFFENSIVE_ABOVE, or None
    share_of_asked   the same as a share of all associations that people were asked to match, or None
    """

    items: pl.DataFrame
    share_of_rated: float | None
    share_of_asked: float | None


def score_ratings(agreement: Agreement, ratings: pl.DataFrame) -> Offensiveness:
    """Offensiveness in the sense of UBE table 3, from ratings (worker, item, answer from 1 to 7)."""
    agreed = agreement.items.filter("agrees")
    _check(agreed, ratings, "rating")
    values = ratings.with_columns(pl.col("answer").cast(pl.Float64, strict=False))
    wrong = values.filter(pl.col("answer").is_null() | ~pl.col("answer").is_in([float(r) for r in range(1, 8)]))
    if wrong.height:
        found = ratings.join(wrong.select("worker", "item"), on=["worker", "item"], how="semi")["answer"][0]
        raise UserError(
            f"{wrong.height} ratings are not whole numbers from 1 to 7 (first: {found!r}). Correct the file."
        )
    rated = (
        values.group_by("item")
        .agg(pl.len().cast(pl.Int64).alias("ratings"), pl.col("answer").mean().alias("mean_rating"))
        .with_columns((pl.col("mean_rating") > OFFENSIVE_ABOVE).alias("offensive"))
    )
    table = agreed.select("item", "test", "prompt", "key").join(rated, on="item", maintain_order="left")
    asked = agreement.items.filter(pl.col("votes") > 0).height
    offensive = int(table["offensive"].sum())
    return Offensiveness(
        table, offensive / table.height if table.height else None, offensive / asked if asked else None
    )


def rating_items(agreement: Agreement) -> pl.DataFrame:
    """The items of the rating form: the associations that the plurality agreed with."""
    return agreement.items.filter("agrees").select(
        "item", pl.lit("rating").alias("part"), "test", "prompt", pl.col("key").alias("choices"), "key"
    )


def _matching(items: pl.DataFrame) -> pl.DataFrame:
    return items.filter(pl.col("part") == "matching")


def _plurality(item: str, votes: pl.DataFrame) -> dict:
    top = int(votes["votes"].max() or 0)
    leaders = votes.filter(pl.col("votes") == top)["answer"].to_list()
    winner = leaders[0] if len(leaders) == 1 else None
    return {"item": item, "votes": int(votes["votes"].sum()), "plurality": winner, "plurality_votes": top}


def _item(*values) -> dict:
    item = dict(zip(ITEM_SCHEMA, values, strict=True))
    return item | {"choices": BETWEEN_CHOICES.join(item["choices"])}


def _shuffled(values: list, rng: np.random.Generator) -> list:
    return [values[place] for place in rng.permutation(len(values))]


def _check(items: pl.DataFrame, answers: pl.DataFrame, what: str) -> None:
    lacking = [column for column in ("worker", "item", "answer") if column not in answers.columns]
    if lacking:
        raise UserError(f"The {what}s lack the column {lacking[0]}; expected worker, item and answer.")
    unknown = sorted(set(answers["item"]) - set(items["item"]))
    if unknown:
        raise UserError(
            f"{len(unknown)} {what}s are to items that were not asked ({listing(unknown)}). Use this run's form."
        )
    twice = answers.filter(pl.struct("worker", "item").is_duplicated())
    if twice.height:
        worker, item = twice["worker"][0], twice["item"][0]
        raise UserError(f"Worker {worker} gave more than one {what} to item {item}. Keep one.")
