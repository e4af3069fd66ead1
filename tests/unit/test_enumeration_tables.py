"""Tables, indirect bias and figures of an enumeration."""

import numpy as np
import polars as pl
import pytest

from biasorigin.enumeration.indirect import cell_means, indirect_bias, indirect_bias_by_chance
from biasorigin.enumeration.names import listed_names
from biasorigin.enumeration.plots import name_map, names_to_show, plot_name_groups, plot_null, plot_tests
from biasorigin.enumeration.rotations import BINS, NullCounts, histogram_edges
from biasorigin.enumeration.scores import NO_WORD, Selection, select_words
from biasorigin.enumeration.tables import (
    category_order,
    category_table,
    cell_table,
    group_table,
    histogram_quantile,
    significant_cells,
    weat_table,
)
from biasorigin.figures import save_figure

VECTORS = np.eye(6)[np.arange(12) % 6]
WORDS = [f"w{i}" for i in range(12)]
SELECTION = Selection(
    words=np.array([[[0, 1], [6, 7]], [[2, 3], [NO_WORD, NO_WORD]]]),
    scores=np.array([[0.4, 0.1], [0.2, -np.inf]]),
    voronoi=np.array([[3, 5], [3, 1]]),
)
HISTOGRAM = np.zeros((2, 2, BINS), dtype=np.int64)
HISTOGRAM[:, 0, 30] = 99
HISTOGRAM[0, 1, 40] = 99
COUNTS = NullCounts(99, np.array([[0, 50], [1, 99]]), HISTOGRAM)
FRAME = pl.DataFrame({"word": WORDS, "row": range(12), "category": [0] * 6 + [1] * 6})


def cells():
    p, _, significant = significant_cells(COUNTS, 0.05)
    categories = category_table(FRAME, VECTORS, category_order(SELECTION.scores, p, significant))
    edges = histogram_edges(SELECTION.scores)
    return cell_table(["F1", "F2"], categories, WORDS, selection=SELECTION, counts=COUNTS, edges=edges, alpha=0.05)


def group_names():
    names = listed_names(list("abcdef"), "x").with_columns(
        pl.Series("group", [0, 0, 0, 1, 1, 1]), pl.Series("row", range(6)), pl.Series("female", [1.0, 1, 1, 0, 0, None])
    )
    return names.with_columns(
        pl.Series(race, [share] * 6)
        for race, share in zip(("white", "black", "hispanic", "asian", "other"), (0.6, 0.1, 0.1, 0.1, 0.1), strict=True)
    ).with_columns(pl.Series("year", np.linspace(1950, 2000, 6)))


def test_every_cell_is_tabulated_with_what_chance_gives():
    table = cells()
    assert table.height == 4
    assert table["significant"].to_list() == [True, True, False, False]
    first, void = table.row(0, named=True), table.row(3, named=True)
    assert (first["group"], first["words"], first["p"]) == ("F1", "w0, w1", 0.01)
    assert first["p_adjusted"] == pytest.approx(0.04)
    edges = histogram_edges(SELECTION.scores)
    assert first["null_95"] == pytest.approx((edges[30] + edges[31]) / 2)
    assert (void["words"], void["score"], void["p"], void["null_95"]) == ("", None, 1.0, None)


def test_tests_are_ordered_by_their_significant_scores():
    scores = np.array([[0.1, 0.5, 0.9, 0.2], [0.3, 0.1, 0.1, 0.2]])
    significant = np.array([[True, True, False, False], [True, False, False, False]])
    p = np.array([[0.01, 0.01, 0.3, 0.2], [0.01, 0.2, 0.9, 0.9]])
    assert category_order(scores, p, significant).tolist() == [1, 0, 3, 2]
    table = weat_table(cells(), ["F1", "F2"], 12)
    assert table.rows() == [("C1", table["examples"][0], "w0, w1", "w2, w3")]
    none = cells().with_columns(pl.lit(False).alias("significant"))
    assert weat_table(none, ["F1", "F2"], 12).height == 0


def test_groups_have_labels_examples_and_demographics():
    table = group_table(group_names(), np.eye(6), "F")
    assert table["label"].to_list() == ["F1", "F2"]
    assert table["names"].to_list() == [3, 3]
    assert table["female"].to_list() == [1.0, 0.0]
    assert set(table["examples"][0].split(", ")) == {"a", "b", "c"}
    assert table["race_known"].to_list() == [1.0, 1.0]


def test_quantiles_of_histograms():
    histogram = np.zeros((2, 4), dtype=int)
    histogram[0] = [5, 4, 1, 0]
    edges = np.arange(5.0)
    np.testing.assert_array_equal(histogram_quantile(histogram, edges, 0.5), [0.5, np.nan])
    assert histogram_quantile(histogram, edges, 0.95)[0] == 2.5


def test_indirect_bias_counts_fourtuples_as_written():
    rng = np.random.default_rng(0)
    means, looked_at = rng.standard_normal((4, 5, 3)), rng.random((4, 5)) < 0.7
    fourtuples = biased = 0
    for i in range(4):
        for k in range(i + 1, 4):
            for j in range(5):
                for m in range(j + 1, 5):
                    if looked_at[[i, i, k, k], [j, m, j, m]].all():
                        fourtuples += 1
                        biased += (means[i, j] - means[k, j]) @ (means[i, m] - means[k, m]) > 0
    found = indirect_bias(means, looked_at)
    assert (found.fourtuples, found.biased) == (fourtuples, biased)
    assert found.share == biased / fourtuples
    assert indirect_bias(means, np.zeros_like(looked_at)).share is None


def test_indirect_bias_is_high_by_selection_alone():
    """Words chosen along a random direction fulfil eq. (1) far more often than half the time."""
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((600, 20))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    groups = rng.standard_normal((3, 20))
    groups -= groups.mean(axis=0)
    categories = np.arange(600) % 4
    everything = np.ones((3, 4), dtype=bool)
    chance = indirect_bias_by_chance(groups, vectors, categories, everything, words_per_cell=3, rotations=10, seed=1)
    assert chance.fourtuples == 10 * 3 * 6
    assert chance.share > 0.9
    chosen = select_words(groups, vectors, categories, 4, 3)
    np.testing.assert_allclose(cell_means(chosen.words, vectors)[0, 0], vectors[chosen.words[0, 0]].mean(axis=0))


def test_figures_are_drawn_with_and_without_demographics(tmp_path):
    names = pl.concat([group_names().with_columns(pl.col("name") + str(i), pl.col("row") + 6 * i) for i in range(5)])
    assert names_to_show(names, 10)["group"].value_counts().sort("group")["count"].to_list() == [5, 5]
    plane = name_map(np.random.default_rng(0).standard_normal((30, 8)), seed=1)
    assert plane.shape == (30, 2)
    groups = group_table(names, np.random.default_rng(0).standard_normal((30, 8)), "F")
    bare = names.with_columns(pl.lit(None, pl.Float64).alias(c) for c in ("female", "year", "white"))
    save_figure(plot_name_groups(plane, names, groups), tmp_path / "names.png")
    save_figure(plot_name_groups(plane, bare, groups), tmp_path / "bare.png")
    table = cells()
    save_figure(plot_tests(weat_table(table, ["F1", "F2"], 12), groups, table), tmp_path / "tests.png")
    none = table.with_columns(pl.lit(False).alias("significant"))
    save_figure(plot_tests(weat_table(none, ["F1", "F2"], 12), groups, none), tmp_path / "none.png")
    save_figure(plot_null(table, HISTOGRAM, histogram_edges(SELECTION.scores)), tmp_path / "null.png")
    assert all(path.stat().st_size > 5000 for path in tmp_path.iterdir())
