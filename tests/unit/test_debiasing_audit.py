"""The audit: hidden-bias tests on vectors whose answer is known, tables and figures."""

import numpy as np
import polars as pl
import pytest

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.figures import save_figure
from biasorigin.mitigation.audit import SCHEMA, AuditSettings, audit, choose_audit_words, no_audit, projections_of
from biasorigin.mitigation.evaluation import direct_bias, variance_with_interval
from biasorigin.mitigation.gonen_goldberg import classifier_accuracy, cluster_accuracy, neighbour_correlation
from biasorigin.mitigation.plots import plot_bias_and_quality, plot_effects, plot_projections, plot_remaining
from biasorigin.mitigation.seeds import SeedWords
from biasorigin.mitigation.summary import (
    LABELS,
    enumeration_rows,
    mean_effect,
    mean_quality,
    over_seeds,
    quality_table,
    scorecard_rows,
)
from biasorigin.wordsets import Direction

HE_SHE = Direction("he_she", "He - she", ("he",), ("she",))


def unit_rows(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def two_sides(separated: bool, words: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit vectors of words of two sides, which lie apart or not."""
    random = np.random.default_rng(1)
    vectors = random.normal(size=(words, 10))
    vectors[:, 1] += np.where(np.arange(words) < words // 2, 4.0, -4.0) if separated else 0.0
    return unit_rows(vectors), np.arange(words // 2), np.arange(words // 2, words)


def test_clusters_and_classifier_find_sides_that_lie_apart():
    unit, first, second = two_sides(separated=True)
    assert cluster_accuracy(unit, first, second, 0).value > 0.98
    told = classifier_accuracy(unit, first, second, 60, np.random.default_rng(2))
    assert told.value > 0.98
    assert told.n == 140
    assert told.low < told.value <= told.high


def test_clusters_and_classifier_find_nothing_where_there_is_nothing():
    unit, first, second = two_sides(separated=False)
    assert cluster_accuracy(unit, first, second, 0).value < 0.6
    assert classifier_accuracy(unit, first, second, 60, np.random.default_rng(2)).value < 0.65


def test_cluster_accuracy_does_not_depend_on_which_side_comes_first():
    unit, first, second = two_sides(separated=True)
    assert cluster_accuracy(unit, first, second, 0).value == cluster_accuracy(unit, second, first, 0).value


def test_neighbours_by_hand():
    angles = np.array([0.0, 0.1, 0.2, 3.0, 3.1, 3.2])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    before = np.array([1.0, 0.5, -0.5, -1.0, -0.8, 0.3])
    _, shares = neighbour_correlation(unit, np.arange(6), before, np.zeros(0, np.int64), 2)
    np.testing.assert_allclose(shares, [0.5, 0.5, 1.0, 0.5, 0.5, 0.0])
    _, shares = neighbour_correlation(unit, np.arange(4), before, np.array([5]), 1)
    np.testing.assert_allclose(shares, [1, 1, 1, 0])


def test_neighbours_that_all_agree_give_no_correlation():
    unit = unit_rows(np.random.default_rng(3).normal(size=(10, 3)))
    estimate, _ = neighbour_correlation(unit, np.arange(10), np.arange(1.0, 11.0), np.zeros(0, np.int64), 2)
    assert (estimate.value, estimate.low, estimate.high) == (0.0, -1.0, 1.0)


def test_too_few_words_are_errors():
    unit = np.eye(5)
    none = np.zeros(0, np.int64)
    with pytest.raises(UserError, match="4 words or more"):
        neighbour_correlation(unit, np.arange(3), np.zeros(5), none, 1)
    with pytest.raises(UserError, match="neighbours among 5"):
        neighbour_correlation(unit, np.arange(4), np.zeros(5), none, 5)
    with pytest.raises(UserError, match="classifier_training"):
        classifier_accuracy(unit, np.arange(2), np.arange(2, 4), 8, np.random.default_rng(0))
    with pytest.raises(UserError, match="two or more biased words"):
        cluster_accuracy(unit, none, none, 0)
    with pytest.raises(UserError, match="two or more words; 1"):
        variance_with_interval(np.ones(1), np.random.default_rng(0))
    with pytest.raises(UserError, match="neutral words"):
        direct_bias(unit, none, unit[0], np.random.default_rng(0))


def test_direct_bias_and_variance_by_hand():
    unit = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]])
    bias = direct_bias(unit, np.arange(3), np.array([1.0, 0.0]), np.random.default_rng(0))
    assert bias.value == pytest.approx(1.6 / 3)
    strict = direct_bias(unit, np.arange(3), np.array([1.0, 0.0]), np.random.default_rng(0), strictness=2.0)
    assert strict.value == pytest.approx(1.36 / 3)
    assert bias.low <= bias.value <= bias.high
    assert variance_with_interval(np.array([1.0, 3.0]), np.random.default_rng(0)).value == 1.0


def small_study() -> tuple[Embedding, SeedWords, AuditSettings]:
    random = np.random.default_rng(4)
    words = ["he", "she", *(f"w{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(120))]
    vectors = random.normal(size=(122, 6)).astype(np.float32)
    vectors[0, 0], vectors[1, 0] = 4, -4
    seeds = SeedWords(np.arange(2, 20), np.arange(20, 30))
    settings = AuditSettings(
        HE_SHE, (HE_SHE,), background_words=40, vocabulary=110, cluster_words=20, classifier_words=40,
        classifier_training=10, neighbours=5,
    )  # fmt: skip
    return Embedding(tuple(words), vectors), seeds, settings


def test_an_audit_has_a_row_for_every_instrument_and_the_base_projects_as_before():
    base, seeds, settings = small_study()
    words = choose_audit_words(base, seeds, list(base.words[2:30]), ["he"], settings)
    assert max(map(np.max, (*words.clustered, *words.classified))) < 110
    seen = projections_of(base, base, words, settings)
    np.testing.assert_allclose(seen["before"], seen["after"], atol=1e-6)
    table = audit(base, words, seen, settings)
    assert dict(table.schema) == SCHEMA
    assert table["problem"].null_count() == table.height
    assert table["instrument"].to_list() == ["variance"] * 3 + ["direct_bias", "cluster", "classifier", "neighbours"]
    assert audit(base, words, seen, settings).equals(table)


def test_instruments_without_words_keep_their_rows_with_the_reason():
    base, seeds, settings = small_study()
    small = Embedding(base.words[:30], base.vectors[:30])
    words = choose_audit_words(small, seeds, ["nowhere"], ["he"], settings)
    table = audit(small, words, projections_of(small, small, words, settings), settings)
    problems = dict(table.select("instrument", "problem").rows())
    assert "neutral words" in problems["direct_bias"]
    assert "4 words or more" in problems["neighbours"]
    assert "classifier" in problems["classifier"]
    empty = no_audit(settings, "no words")
    assert empty.select("instrument", "key").equals(table.select("instrument", "key"))
    assert set(empty["problem"]) == {"no words"}


def made_up_audit() -> pl.DataFrame:
    """Two embeddings, three versions, two seeds."""
    rows = []
    for name, versions in {"one": ["none", "sdp", "documents_30"], "two": ["none", "sdp"]}.items():
        for place, method in enumerate(versions):
            for seed in (1, 2):
                label = (
                    name,
                    name + method,
                    method,
                    {"none": "Before", "sdp": "SDP"}.get(method, "30 documents removed"),
                    seed,
                )
                better = 1 - 0.2 * place + 0.01 * seed
                for key in ("H", "B1"):
                    value = None if (name, method, key) == ("one", "sdp", "B1") else better
                    rows.append(
                        (
                            *label,
                            "weat",
                            key,
                            value,
                            None if value is None else value - 0.1,
                            None if value is None else value + 0.1,
                            16,
                            None,
                        )
                    )
                rows.append((*label, "quality", "rg", 0.7, 0.6, 0.8, 60, None))
                rows.append((*label, "variance", "stereotype", 0.02 / (1 + place), 0.01, 0.03, 88, None))
                rows += [
                    (*label, kind, "he_she", better / 2, 0.1, 0.9, 100, None)
                    for kind in ("direct_bias", "neighbours", "cluster", "classifier")
                ]
    return pl.DataFrame(rows, schema={**LABELS, **SCHEMA}, orient="row")


def test_means_over_seeds_and_over_tests_that_every_version_made():
    summary = over_seeds(made_up_audit())
    effect = mean_effect(summary, ["H", "B1"])
    one = effect.filter(pl.col("embedding") == "one")
    assert one["n"].to_list() == [1, 1, 1]  # B1 could not be made after SDP
    assert one["value"].to_list() == pytest.approx([1.015, 0.815, 0.615])
    assert effect.filter(pl.col("embedding") == "two")["n"].to_list() == [2, 2]
    assert summary.filter(pl.col("instrument") == "quality")["seeds"].to_list() == [2] * 5
    assert mean_quality(summary)["value"].to_list() == pytest.approx([0.7] * 5)


def test_table_2_and_the_scorecard():
    summary = over_seeds(made_up_audit())
    table = quality_table(summary)
    assert table.columns == ["embedding", "method", "title", "RG", "RG covered"]
    rows = {key: (value, note) for key, value, note in scorecard_rows(summary, "sdp")}
    assert rows["projection_variance/one/stereotype/before"][0] == pytest.approx(0.02)
    assert rows["projection_variance/one/stereotype/after"][0] == pytest.approx(0.01)
    assert rows["quality_after/two/RG"] == (pytest.approx(0.7), "60 items covered")


def test_enumerations_become_rows():
    label = {"embedding": "one", "version": "one", "method": "none", "title": "Before", "seed": 0}
    rows = enumeration_rows([{**label, "summary": {"significant": 12, "cells": 768}}])
    assert rows.select("instrument", "key", "value", "n").rows() == [("ube", "significant", 12.0, 768)]
    assert enumeration_rows([]).schema == made_up_audit().schema


def test_figures_are_drawn_for_any_subset_of_the_numbers(tmp_path):
    titles = {"one": "One", "two": "Two"}
    for number, audits in enumerate((made_up_audit(), made_up_audit().filter(pl.col("instrument") == "weat"))):
        summary = over_seeds(audits)
        save_figure(plot_remaining(summary, ["H"], titles, "he_she"), tmp_path / f"a{number}.svg")
        save_figure(plot_effects(summary, ["H"], titles), tmp_path / f"b{number}.svg")
        save_figure(plot_bias_and_quality(audits, ["H"], titles), tmp_path / f"c{number}.svg")
    base, seeds, settings = small_study()
    words = choose_audit_words(base, seeds, list(base.words[2:30]), ["he"], settings)
    seen = projections_of(base, base, words, settings)
    drawn = pl.concat([seen.select(pl.lit(one).alias("method"), pl.lit(one).alias("title"), pl.all()) for one in "abc"])
    save_figure(plot_projections(drawn, "A title"), tmp_path / "d.svg")
    assert len(list(tmp_path.glob("*.svg"))) == 7
