"""From an embedding and lists of names to groups, categories and scored cells: UBE steps 1 to 3."""

import logging
from dataclasses import dataclass

import numpy as np
import polars as pl

from biasorigin.embedding import Embedding
from biasorigin.enumeration.cleaning import choose_other_words, keep_clear_names, name_margins
from biasorigin.enumeration.demographics import describe_groups, display_order
from biasorigin.enumeration.groups import Clustering, cluster, group_means
from biasorigin.enumeration.names import MatchedNames
from biasorigin.enumeration.scores import Selection, centred, select_words
from biasorigin.enumeration.settings import Settings
from biasorigin.enumeration.words import frequent_words
from biasorigin.errors import UserError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Preparation:
    """Everything that is known before the rotations.

    names      names frame with row, margin, kept and group (null where not kept), in the embedding's order
    words      word, row, category; in the embedding's order
    means      (groups, dim) mean unit vector of each group
    selection  the words and scores of every cell; rows into `words`
    facts      counts for the record
    """

    names: pl.DataFrame
    words: pl.DataFrame
    means: np.ndarray
    selection: Selection
    facts: dict


def prepare(
    embedding: Embedding,
    listed: MatchedNames,
    other_lists: list[MatchedNames],
    *,
    lower_case_words: set[str] | None,
    settings: Settings,
    threads: int = 1,
) -> Preparation:
    """Clean and group the names, sort the words into categories and select the words of every cell.

    listed            the names to enumerate with
    other_lists       further names that are to be kept out of the words (used where the embedding folds case)
    lower_case_words  if given, only these words are looked at: a folded embedding does not show which were lower-case
    """
    every_list = [listed, *(other_lists if not embedding.cased else [])]
    listed_rows = np.unique(np.concatenate([matched.names["row"].to_numpy() for matched in every_list]))
    names = clean(embedding, listed, listed_rows, settings)
    kept = names.filter("kept")
    _check_enough(embedding, listed, kept, settings)

    clear = [clean(embedding, other, listed_rows, settings).filter("kept")["row"] for other in every_list[1:]]
    excluded = np.unique(np.concatenate([listed.names["row"].to_numpy(), *(rows.to_numpy() for rows in clear)]))
    if lower_case_words is not None:
        unlisted = [row for row, word in enumerate(embedding.words) if word not in lower_case_words]
        excluded = np.union1d(excluded, np.array(unlisted, dtype=np.int64))
    rows = frequent_words(embedding, settings.words, settings.word_pattern, excluded)

    name_vectors = embedding.unit_rows(kept["row"].to_numpy())
    word_vectors = embedding.unit_rows(rows)
    name_groups = cluster(name_vectors, settings.groups, settings.restarts, settings.seed, threads)
    categories = cluster(word_vectors, settings.categories, settings.restarts, settings.seed + 1, threads)
    groups = _in_display_order(kept, name_groups)
    means = group_means(name_vectors, groups, settings.groups)
    selection = select_words(
        centred(means), word_vectors, categories.labels, settings.categories, settings.words_per_cell
    )
    words = pl.DataFrame({"word": [embedding.words[row] for row in rows], "row": rows, "category": categories.labels})
    grouped = kept.select("row").with_columns(pl.Series("group", groups, dtype=pl.Int64))
    facts = _facts(
        embedding,
        listed=listed,
        names=names,
        words=words,
        name_groups=name_groups,
        categories=categories,
        selection=selection,
    )
    return Preparation(names.join(grouped, on="row", how="left").sort("row"), words, means, selection, facts)


def clean(embedding: Embedding, matched: MatchedNames, listed_rows: np.ndarray, settings: Settings) -> pl.DataFrame:
    """The names with `margin` and `kept`; the words they are told from are on none of the lists."""
    names = matched.names
    if settings.names_among is not None:
        names = names.filter(pl.col("row") < settings.names_among)
    if not names.height:
        raise UserError(
            f"None of the {matched.names.height + matched.missing.height:,} names is in the embedding's vocabulary"
            f"{_among(settings)} (cased: {embedding.cased}). Use another list of names or another embedding."
        )
    rows = names["row"].to_numpy()
    rng = np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=(0,)))
    others = choose_other_words(embedding, listed_rows, len(rows), settings.others_among, rng)
    margins = name_margins(embedding.unit_rows(rows), embedding.unit_rows(others), settings.seed)
    kept = keep_clear_names(margins, settings.removed_share)
    return names.with_columns(pl.Series("margin", margins), pl.Series("kept", kept))


def _check_enough(embedding: Embedding, listed: MatchedNames, kept: pl.DataFrame, settings: Settings) -> None:
    if kept.height < settings.groups:
        raise UserError(
            f"{kept.height} names are left after cleaning ({listed.names.height:,} of "
            f"{listed.names.height + listed.missing.height:,} are in the vocabulary{_among(settings)}), which is fewer "
            f"than {settings.groups} groups. Lower groups or removed_share, or use a longer list of names."
        )
    needed = settings.groups * settings.min_group
    if kept.height < needed:
        capitals = sum(word[:1].isupper() for word in embedding.words)
        hint = f" The embedding is cased and has only {capitals:,} capitalised words." if embedding.cased else ""
        raise UserError(
            f"This embedding does not support an enumeration: {kept.height:,} names are left after cleaning "
            f"({listed.names.height:,} of {listed.names.height + listed.missing.height:,} are in the vocabulary"
            f"{_among(settings)}), and {settings.groups} groups of {settings.min_group} need {needed:,}.{hint} "
            "Use another embedding or list of names, or lower groups or min_group."
        )


def _among(settings: Settings) -> str:
    return f", among its {settings.names_among:,} most frequent words" if settings.names_among else ""


def _in_display_order(kept: pl.DataFrame, clustering: Clustering) -> np.ndarray:
    described = describe_groups(kept.with_columns(pl.Series("group", clustering.labels)))
    order = display_order(described)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[clustering.labels]


def _facts(
    embedding: Embedding,
    *,
    listed: MatchedNames,
    names: pl.DataFrame,
    words: pl.DataFrame,
    name_groups: Clustering,
    categories: Clustering,
    selection: Selection,
) -> dict:
    return {
        "cased": embedding.cased,
        "dim": embedding.dim,
        "vocabulary": len(embedding.words),
        "names_listed": listed.names.height + listed.missing.height + listed.merged,
        "names_missing": listed.missing.height,
        "names_merged_by_folding": listed.merged,
        "names_too_rare": listed.names.height - names.height,
        "names_cleaned_away": int((~names["kept"]).sum()),
        "names_used": int(names["kept"].sum()),
        "words_used": words.height,
        "rarest_word_rank": int(words["row"].max()) + 1,
        "group_stability": _mean_or_none(name_groups.agreement),
        "category_stability": _mean_or_none(categories.agreement),
        "cells": int(selection.scores.size),
        "void_cells": int(selection.void.sum()),
    }


def _mean_or_none(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
