"""Concentration, overlap, ground truth statistics, kinds of documents, removal."""

import numpy as np
import polars as pl
import pytest

from biasorigin.attribution import concentration, overlap
from biasorigin.attribution import ground_truth as truth
from biasorigin.attribution.baselines import count_words, ppmi_effect_sizes
from biasorigin.attribution.bias_tests import lay_out
from biasorigin.attribution.cards import card_page, snippet, word_effects
from biasorigin.attribution.document_kinds import (
    check_sentiment,
    classify_biasing,
    compare_categories,
    compare_numbers,
    matched_sample,
)
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.removal import choose_documents, curve_sizes, set_by_set
from biasorigin.attribution.retraining import share_of_work
from biasorigin.attribution.rows import CellRows
from biasorigin.attribution.text_features import find_topics, sentiment, tfidf
from biasorigin.errors import UserError


def test_share_below_a_quantile_by_hand():
    effects = np.array([[4.0], [3.0], [2.0], [1.0], [0.0], [0.0], [0.0], [-1.0], [-2.0], [-5.0]])
    shares = concentration.share_below_quantiles(effects, (0.1, 0.7, 1.0))[:, 0]
    # The 0.7 quantile of ten values lies between 1 and 2; below 1 stands everything but the top document.
    np.testing.assert_allclose(shares, [0.0, 0.1, 0.6])
    assert concentration.documents_for_share(effects, 0.5)[0] == 2
    np.testing.assert_allclose(concentration.concentration_curve(effects, np.array([0, 1, 4]))[:, 0], [0, 0.4, 1])


def test_quantiles_are_those_of_the_paper():
    assert len(concentration.QUANTILES) == 28
    assert concentration.QUANTILES[:2] == (0.1, 0.2) and concentration.QUANTILES[-1] == 1.0
    assert {0.9, 0.91, 0.99, 0.991}.issubset(concentration.QUANTILES)


def test_a_set_that_no_document_raises_has_no_share():
    assert np.isnan(concentration.share_below_quantiles(np.array([[-1.0], [0.0]]), (0.5,))).all()
    assert concentration.documents_for_share(np.array([[-1.0], [0.0]]))[0] == 0


def test_table_7_describes_what_documents_above_the_quantile_hold():
    shares = np.array([[0.1, 0.3], [0.5, 0.7]])
    table = concentration.describe_shares(shares, (0.9, 0.99), (0.9, 0.99))
    assert table["mean"].to_list() == pytest.approx([0.8, 0.4])
    assert table["min"].to_list() == pytest.approx([0.7, 0.3]) and table["sets"].to_list() == [2, 2]


def test_summary_holds_the_band_over_seeds():
    rng = np.random.default_rng(0)
    by_seed = rng.normal(size=(3, 500, 2))
    table = concentration.summarise(by_seed.mean(axis=0), by_seed, ("S", "T"))
    assert (table["half_least"] <= table["half_most"]).all()
    assert table["seed_correlation"].abs().max() < 0.2  # independent noise


def test_top_correlation_is_one_with_itself_and_phi_with_others():
    rng = np.random.default_rng(1)
    effects = rng.normal(size=(1000, 2))
    effects[:, 1] += effects[:, 0]
    table = overlap.top_correlation(effects, ("S", "T"), 0.9)
    top = overlap.top_documents(effects, 0.9)
    assert table["S"][0] == pytest.approx(1)
    assert table["T"][0] == pytest.approx(np.corrcoef(top[:, 0], top[:, 1])[0, 1])
    assert table["set"].to_list() == ["S", "T", "composite"]


def test_coverage_is_perfect_for_copies_and_chance_for_strangers():
    rng = np.random.default_rng(2)
    one = rng.exponential(size=2000)
    copies = overlap.coverage(np.column_stack([one, one]), ("S", "T"), 0.1)
    assert copies["efficiency"].to_list() == pytest.approx([1, 1])
    strangers = overlap.coverage(rng.exponential(size=(2000, 2)), ("S", "T"), 0.1)
    assert strangers["covered"].to_numpy() == pytest.approx(0.1, abs=0.03)
    steps = overlap.forward_coverage(np.column_stack([one, one, rng.exponential(size=2000)]), ("S", "T", "U"), 0.1)
    assert steps["set"][0] == "S" and steps["step"].to_list() == [1, 2, 3]  # one of the copies serves two sets
    assert steps["mean_covered"][0] > 2 * 0.1


def test_regression_on_single_axes():
    rng = np.random.default_rng(3)
    axes = rng.normal(size=(500, 2))
    effects = np.column_stack([axes, 2 * axes[:, 0] + 0.01 * rng.normal(size=500)])
    found = overlap.regress_on_axes(effects, ("G", "R", "X"), "X", ["G", "R"])
    assert found["r2"] > 0.99
    assert found["axes"][0]["r2_lost_without"] > 0.9 and found["axes"][1]["r2_lost_without"] < 0.01


def test_plan_holds_the_extremes_random_documents_and_subsets():
    effects = np.arange(50.0)[:, None] * np.array([1.0, -1.0])
    settings = truth.PlanSettings(sizes=(3,), random=(5,), subsets=2, fraction=0.2, together=False)
    plan = truth.plan_removals(effects, ("S", "T"), ["S", "T"], settings)
    documents = dict(zip(plan["removal"], plan["documents"].to_list(), strict=True))
    assert documents["S-raising-3"] == [47, 48, 49] and documents["T-raising-3"] == [0, 1, 2]
    assert documents["S-lowering-3"] == documents["T-raising-3"]
    assert len(documents["random-5"]) == 5 and len(documents["subset-1"]) == 10
    together = truth.plan_removals(effects, ("S", "T"), ["S", "T"], truth.PlanSettings(sizes=(3,), random=()))
    assert together["documents"].to_list() == [[0, 1, 2, 47, 48, 49]] * 2
    with pytest.raises(UserError, match="cannot be removed from 50"):
        truth.plan_removals(effects, ("S", "T"), ["S"], truth.PlanSettings(sizes=(51,)))


def test_jobs_share_the_retrainings_without_overlap():
    plan = pl.DataFrame({"removal": ["a", "b", "c"]})
    shares = [share_of_work(plan, [1, 2], job, 4) for job in range(4)]
    every = [(removal["removal"], seed) for share in shares for removal, seed in share]
    assert sorted(every) == [(name, seed) for name in "abc" for seed in (1, 2)]


def test_agreement_of_perfect_and_scaled_estimates():
    retrained = np.linspace(-1, 2, 30)
    clusters = np.repeat([f"r{k}" for k in range(10)], 3)
    same = truth.agreement(retrained, retrained, clusters, resamples=50)
    assert same["r2"] == pytest.approx(1) and same["r2_line"] == pytest.approx(1) and same["sign"] == 1
    half = truth.agreement(retrained / 2, retrained, clusters, resamples=50)
    assert half["slope"] == pytest.approx(2) and half["r2"] == pytest.approx(1) and half["r2_line"] < 0.8
    assert half["slope_low"] <= 2 + 1e-9 and half["slope_high"] >= 2 - 1e-9


def test_pairing_removes_the_noise_that_seeds_share():
    rng = np.random.default_rng(4)
    rows = []
    for removal in range(20):
        for seed in range(3):
            level = 0.5 * rng.normal()
            rows.append(("raising", f"r{removal}", "S", seed, level, level - 0.3 + 0.01 * rng.normal()))
    table = pl.DataFrame(rows, schema=["kind", "removal", "set", "seed", "before", "after"], orient="row")
    noise = truth.seed_noise(table).to_dicts()[0]
    assert noise["paired_sd"] < 0.02 and noise["unpaired_sd"] > 0.3


def test_data_modelling_score_ranks_subsets():
    rows = [("subset", f"s{k}", "S", seed, k + 0.1 * seed, 2.0 * k) for k in range(8) for seed in (1, 2)]
    table = pl.DataFrame(rows, schema=["kind", "removal", "set", "seed", "retrained", "mine"], orient="row")
    assert truth.data_modelling_score(table, "mine")["score"].to_list() == pytest.approx([1.0])


def test_matched_documents_have_the_same_lengths_and_are_used_once():
    rng = np.random.default_rng(5)
    lengths = rng.integers(10, 500, size=2000)
    chosen = np.argsort(-lengths)[100:150]
    others = matched_sample(lengths, chosen, 3, seed=1)
    assert len(np.unique(others)) == len(others) == 150 and not set(others) & set(chosen)
    assert lengths[others].mean() == pytest.approx(lengths[chosen].mean(), rel=0.02)
    assert len(matched_sample(lengths[:60], np.arange(50), 3, seed=1)) == 10  # no more than there are


def test_differences_have_the_right_sign():
    values = np.concatenate([np.ones(20), np.zeros(80)])
    found = compare_numbers(values, np.arange(20), np.arange(20, 100))
    assert found["effect"] == pytest.approx(1) and found["p"] < 1e-6
    rows = compare_categories(["a"] * 20 + ["b"] * 80, np.arange(20), np.arange(20, 100))
    assert rows[0] == {"feature": "a", "top": 1.0, "matched": 0.0, "effect": pytest.approx(1), "p": pytest.approx(0)}


def small_corpus():
    rng = np.random.default_rng(6)
    texts = [rng.integers(0, 30, size=20) if k % 2 else rng.integers(30, 60, size=20) for k in range(200)]
    offsets = 20 * np.arange(201)
    return Corpus(np.concatenate(texts).astype(np.int32), offsets, 60, 5)


def test_topics_and_classifier_find_what_was_planted():
    corpus = small_corpus()
    features = tfidf(corpus, columns=60, most_common=0.6, least=2)
    topics = find_topics(features, 2, seed=1)
    share = topics.shares(features)[:, 0]
    assert abs(share[1::2].mean() - share[::2].mean()) > 0.8
    effect = np.where(np.arange(200) % 2 == 1, 1.0, -1.0) * (1 + np.arange(200) / 1000)
    result, words = classify_biasing(
        features, np.full(200, 20), effect, [f"w{k}" for k in range(60)], share=0.5, folds=2, seed=1
    )
    assert result["precision"] > 0.95 and result["recall"] > 0.95 and result["chance"] == 0.5
    assert all(int(word[1:]) < 30 for word in words["word"][:10])


def test_a_part_of_a_corpus_and_its_blocks_hold_the_same_documents_and_features():
    corpus = small_corpus()
    features = tfidf(corpus, columns=60, most_common=0.6, least=2)
    chosen = np.array([3, 7, 150])
    part = corpus.part(chosen)
    assert part.documents == 3
    np.testing.assert_array_equal(part.tokens[20:40], corpus.tokens[140:160])
    np.testing.assert_allclose(features.of(part).matrix.toarray(), features.matrix[chosen].toarray())
    blocks = list(corpus.blocks(64))
    assert [block.documents for block in blocks] == [64, 64, 64, 8]
    rows = np.concatenate([features.of(block).matrix.toarray() for block in blocks])
    np.testing.assert_allclose(rows, features.matrix.toarray())
    assert corpus.part(np.array([], dtype=np.int64)).documents == 0


def test_sentiment_follows_its_poles():
    vocabulary = ["good", "bad", "fine", "foul"]
    vectors = np.array([[1.0, 0.1], [-1.0, 0.1], [0.9, 0.3], [-0.9, 0.3]])
    corpus = Corpus(np.array([2, 2, 0, 3, 3, 1], dtype=np.int32), np.array([0, 3, 6, 6]), 4, 5)
    score = sentiment(corpus, vectors, vocabulary)
    assert score[0] > 0 > score[1] and score[2] == 0
    assert check_sentiment(score, ["1", "0", None])["auc"] == 1.0
    assert sentiment(corpus, vectors, ["a", "b", "c", "d"]) is None


@pytest.mark.parametrize(
    ("column", "shown"), [("title", "<bdi>A &amp; B</bdi> (<bdi>d7</bdi>)"), ("x", "<bdi>d7</bdi>:")]
)
def test_a_card_shows_the_title_if_there_is_one(column, shown):
    documents = {0: {"id": "d7", "text": "He runs the office", column: "A & B"}}
    top = pl.DataFrame({"set": "S", "rank": 1, "document": "d7", "index": 0, "effect": 0.25, "sd": 0.01, "words": 4})
    pairs = pl.DataFrame({"set": "S", "rank": 1, "word": "he", "context": "office", "contribution": 0.25})
    sets = pl.DataFrame({"set": ["S", "T"], "title": ["Men", "Women"]})
    page = card_page(top, pairs, documents, sets, {"S": np.array([0.25]), "T": np.array([0.0])})
    assert f"1. {shown}" in page and "+0.2500 ± 0.0100, 4 words" in page
    assert "<mark class='raises' title='+0.1250'>office</mark>" in page
    assert "<dt>S</dt>" in page and "<dt>T</dt>" not in page  # sets on which it has no effect are left out


def test_removal_reaches_every_goal_with_fewer_documents_than_set_by_set():
    rng = np.random.default_rng(7)
    effects = 0.0001 * rng.random(size=(3000, 3))
    effects[:300] += 0.015  # documents that carry all three
    for one in range(3):  # and others that carry one more strongly but work against the rest
        effects[300 + 300 * one : 600 + 300 * one] += np.where(np.arange(3) == one, 0.02, -0.008)
    before = np.array([1.0, 1.2, 0.8])

    def estimate(documents):
        return before - effects[documents].sum(axis=0)

    goal = {"reduction": 0.5, "most": 2000}
    choice, plain = choose_documents(effects, before, estimate, **goal), set_by_set(effects, before, estimate, **goal)
    assert choice.reached and plain.reached
    assert np.all(choice.after <= 0.5 * before + 1e-12)
    assert len(choice.documents) < len(plain.documents)
    assert not choose_documents(effects, before, estimate, reduction=0.5, most=5).reached
    with pytest.raises(UserError, match="share above 0"):
        choose_documents(effects, before, estimate, reduction=1.5, most=5)


def test_curve_sizes_end_where_asked():
    assert curve_sizes(1000) == [0, 1, 3, 10, 30, 100, 300, 1000]
    assert curve_sizes(45) == [0, 1, 3, 10, 30, 45]


def test_ppmi_baseline_sees_only_pairs_of_target_and_attribute():
    tests = lay_out({"S": tuple(np.array(side) for side in ([0, 1], [2, 3], [4], [5]))})
    contexts = np.array([4, 4, 5, 5, 0, 1, 2, 3])
    cells = CellRows(tests.rows, np.array([0, 1, 2, 3, 4, 6, 8]), contexts, np.array([9, 8, 9, 7, 9, 8, 9, 7.0]), 1.0)
    full = ppmi_effect_sizes(cells, cells.counts, float(cells.counts.sum()), tests)
    assert full[0] > 1
    less = np.where(np.arange(8) == 0, 0.0, cells.counts)
    assert ppmi_effect_sizes(cells, less, float(cells.counts.sum()), tests)[0] < full[0]


def test_words_are_counted_by_document_and_set():
    tests = lay_out({"S": tuple(np.array(side) for side in ([0, 1], [2, 3], [4], [5]))})
    corpus = Corpus(np.array([0, 0, 9, 5, 9, 9], dtype=np.int32), np.array([0, 4, 4, 6]), 10, 5)
    assert count_words(corpus, tests).tolist() == [[3], [0], [0]]


def test_a_snippet_marks_what_carries_the_effect():
    pairs = pl.DataFrame({"word": ["amy", "amy"], "context": ["family", "office"], "contribution": [0.4, -0.1]})
    carried = word_effects(pairs)
    assert carried == pytest.approx({"amy": 0.15, "family": 0.2, "office": -0.05})
    text = "office " * 200 + "<br />" + "x " * 30 + "Amy & family, at the office." + " y" * 200
    shown = snippet(text, carried, {"amy"})
    assert "<mark class='raises' title='+0.2000'>family,</mark>" in shown and "&amp;" in shown
    assert "<mark class='lowers'" in shown and shown.startswith("… ") and shown.endswith(" …")
    assert shown.count("<mark") == 3  # office only where it is near
    assert snippet("", {}, set()) == ""
