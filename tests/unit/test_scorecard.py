"""The scorecard: statuses, tolerances, and the published numbers themselves."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from biasorigin.association.samples import compare_with_sample, ladder_agreement, over_seeds
from biasorigin.discovery import (
    DiscoverySettings,
    attribute_rows,
    cluster_vocabulary,
    random_attributes,
    score_categories,
)
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.scorecard import COLUMNS, STATUSES, judge, load_published, make_scorecard, measured_table, summarise
from biasorigin.wordsets import WordList

PUBLISHED = sorted((Path(__file__).parents[2] / "data" / "published").glob("*.tsv"))


def row(**changes) -> dict:
    plain = dict.fromkeys(COLUMNS, "")
    plain |= {"value": "1.37", "measured_on": "Google News word2vec", "ours": "weat/google_news_weat/B1/effect_size"}
    return plain | {"tolerance": "0.005", "note": "why"} | changes


@pytest.mark.parametrize(
    ("changes", "value", "status"),
    [
        ({}, "1.3713", "reproduced"),
        ({}, "1.38", "differs"),
        ({"tolerance": "1%"}, "1.38", "reproduced"),
        ({}, None, "needs data"),
        ({"ours": ""}, "1.37", "needs data"),
        ({"measured_on": "New York Times"}, "1.37", "other data"),
        ({"ours": "weat/glove_6b/B1/effect_size"}, "1.37", "other data"),
        ({"note": "A setting of the paper."}, "1.37", "not a result"),
        ({"value": "taxi driver"}, "taxi_driver", "reproduced"),
        ({"value": "protégé"}, "protege", "reproduced"),
        ({"value": "taxi driver"}, "nurse", "differs"),
    ],
)
def test_statuses(changes, value, status):
    printed = row(**changes)
    verdict = judge(printed, {printed["ours"]: (value, None)} if value else {})
    assert verdict.status == status
    assert status in STATUSES


def test_a_share_is_compared_as_a_percentage_and_reasons_are_kept():
    verdict = judge(row(value="37", ours="x/google_news/y*100", tolerance="1"), {"x/google_news/y": ("0.375", "ours")})
    assert verdict.status == "reproduced"
    assert verdict.difference == pytest.approx(0.5)
    differs = judge(row(), {row()["ours"]: ("2", "17 words")})
    assert differs.reason == "why 17 words"


def test_the_scorecard_keeps_every_row_and_refuses_a_key_measured_twice():
    published = pl.DataFrame([row(), row(ours="")], schema=dict.fromkeys(COLUMNS, pl.String))
    measured = measured_table([(row()["ours"], 1.371272, None)])
    scorecard = make_scorecard(published, measured)
    assert scorecard["status"].to_list() == ["reproduced", "needs data"]
    assert summarise(scorecard)["total"].sum() == 2
    with pytest.raises(UserError, match="measured twice"):
        make_scorecard(published, pl.concat([measured, measured]))


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "x.tsv").write_text("paper\tvalue\na\t1\n")
    with pytest.raises(UserError, match="has the columns paper, value; expected paper, item"):
        load_published(str(tmp_path / "x.tsv"))


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_published_numbers_are_complete_and_name_a_key_or_a_reason(path):
    table = load_published(str(path))
    assert not table.select("item", "row", "column").is_duplicated().any()
    for column in ("paper", "item", "row", "column", "value", "quantity", "measured_on", "page_or_section"):
        assert (table[column] != "").all(), column
    silent = table.filter((pl.col("ours") == "") & (pl.col("note") == ""))
    assert silent.height == 0
    for key in table["ours"]:
        assert not key or len(key.split("/")) >= 3
    for tolerance in table["tolerance"]:
        assert not tolerance or float(tolerance.rstrip("%")) >= 0


def weat_rows(values: dict) -> pl.DataFrame:
    records = [
        {"embedding": name, "seed": seed, "test": "H", "title": "t", "effect_size": d, "greater": 0.01}
        for name, seeds in values.items()
        for seed, d in enumerate(seeds)
    ]
    extra = ["low", "high", "low_all_words", "high_all_words", "p_one_sided", "q"]
    counts = ["first_targets_used", "second_targets_used"]
    return pl.DataFrame(records).with_columns(
        *[pl.lit(0.02).alias(name) for name in extra],
        *[pl.lit(8).alias(name) for name in counts],
        problem=pl.lit(None, pl.String),
    )


def test_table_6_by_hand():
    compared = compare_with_sample(weat_rows({"full": [1.0, 1.2], "part": [0.9, 0.7]}), "full", "part").row(
        0, named=True
    )
    assert compared["delta_effect_size"] == pytest.approx(0.3)
    assert compared["effect_size_ratio"] == pytest.approx(0.3 / 0.8)
    assert compared["noise"] == pytest.approx(2 * np.sqrt(0.02 / 2 + 0.02 / 2))
    assert compared["beyond_noise"]
    summary = over_seeds(weat_rows({"full": [1.0, 1.2]})).row(0, named=True)
    assert (summary["effect_size"], summary["least"], summary["most"]) == pytest.approx((1.1, 1.0, 1.2))
    assert summary["target_words"] == 16


def test_the_smallest_fraction_that_agrees():
    values = {0.1: [0.0, 0.1], 0.25: [1.0, 1.1], 0.5: [0.2, 0.1], 1.0: [1.0, 1.1]}
    ladder = pl.DataFrame(
        [(f, s, "H", d) for f, seeds in values.items() for s, d in enumerate(seeds)],
        schema=["fraction", "seed", "test", "effect_size"],
        orient="row",
    )
    rungs, by_test = ladder_agreement(ladder)
    assert rungs["agrees"].to_list() == [False, True, False, True]
    assert by_test["smallest"].to_list() == [1.0]  # .25 agrees by luck: .5 does not
    rungs, by_test = ladder_agreement(ladder.filter(pl.col("fraction") != 0.5))
    assert by_test["smallest"].to_list() == [0.25]
    assert ladder_agreement(ladder.clear())[1].height == 0


def gendered_embedding() -> tuple[Embedding, tuple[WordList, WordList]]:
    rng = np.random.default_rng(0)
    male, female = [f"m{i}" for i in range(6)], [f"f{i}" for i in range(6)]
    topics = [f"{topic}{i}" for topic in "xyz" for i in range(9)]
    gender = np.array([1.0] * 6 + [-1.0] * 6 + list(np.tile(np.linspace(-1, 1, 9), 3)))
    centre = np.zeros((39, 6))
    for place in range(27):
        centre[12 + place, 1 + place // 9] = 5
    vectors = centre + rng.normal(0, 0.1, (39, 6))
    vectors[:, 0] = gender
    return Embedding((*male, *female, *topics), vectors.astype(np.float32), cased=True), (
        WordList("male", "m", tuple(male)),
        WordList("female", "f", tuple(female)),
    )


def test_discovery_labels_each_list_with_its_own_cluster():
    embedding, attributes = gendered_embedding()
    chosen = DiscoverySettings(clusters=3, listed=20, draws=200)
    rows = attribute_rows(embedding, attributes)
    clusters = cluster_vocabulary(embedding, np.concatenate(rows), chosen)
    categories, words = score_categories(embedding, clusters, rows, chosen)
    assert categories["listed"].to_list() == [4, 4, 4]  # half of nine words a side: no word is in both lists
    for cluster in range(3):
        own = words.filter(pl.col("cluster") == cluster)
        members = {embedding.words[row] for row in clusters.rows[clusters.labels == cluster]}
        assert set(own["word"]) <= members
        assert own["word"].is_unique().all()
        assert len({word[0] for word in own["word"]}) == 1
        assert (
            own.filter(pl.col("side") == "male")["association"].min()
            > own.filter(pl.col("side") == "female")["association"].max()
        )
    assert (categories["effect_size"] > 1).all()
    assert (categories["held_out_effect_size"] > 1).all()
    again = score_categories(embedding, cluster_vocabulary(embedding, np.concatenate(rows), chosen), rows, chosen)[0]
    assert again.equals(categories)


def test_discovery_refuses_too_few_words():
    embedding, attributes = gendered_embedding()
    chosen = DiscoverySettings(clusters=30)
    rows = attribute_rows(embedding, attributes)
    assert [len(one) for one in random_attributes(embedding, rows, chosen)] == [6, 6]
    with pytest.raises(UserError, match="30 clusters of 27 words"):
        cluster_vocabulary(embedding, np.concatenate(rows), chosen)
    with pytest.raises(UserError, match="found 0 of 'none'"):
        attribute_rows(embedding, (WordList("none", "n", ("q",)), attributes[1]))
