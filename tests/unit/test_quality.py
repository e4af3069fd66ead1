"""Benchmarks are read as published, answered as by brute force, and their intervals are what they claim to be."""

import numba
import numpy as np
import polars as pl
import pytest
from gensim.models import KeyedVectors
from scipy.stats import rankdata, spearmanr

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.quality import Analogies, Settings, Similarity, load_benchmark, measure_quality, summarise_seeds
from biasorigin.quality import analogies as analogies_module
from biasorigin.quality.analogies import answer_analogies, bootstrap_accuracy
from biasorigin.quality.similarity import bootstrap_spearman, resampled_ranks, spearman


def unit_vectors(words, dim, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(words, dim))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def embedding_of(words, dim=8, seed=0, cased=False):
    return Embedding(tuple(words), unit_vectors(len(words), dim, seed).astype(np.float32), cased=cased)


def answered_by_brute_force(unit, questions):
    answers = []
    for a, b, c in questions:
        scores = unit @ (unit[b] - unit[a] + unit[c])
        scores[[a, b, c]] = -np.inf
        answers.append(int(np.argmax(scores)) if np.isfinite(scores).any() else -1)
    return np.array(answers)


@pytest.mark.parametrize("words", [4, 5, 50, 1500])
@pytest.mark.parametrize("tile", [1, 7, 1024])
def test_analogies_are_answered_as_by_brute_force(words, tile, monkeypatch):
    if words // tile > 300:
        tile = 33
    monkeypatch.setattr(analogies_module, "TILE", tile)
    unit = unit_vectors(words, 6, seed=words)
    questions = np.random.default_rng(1).integers(0, words, size=(80, 3))
    np.testing.assert_array_equal(answer_analogies(unit, questions), answered_by_brute_force(unit, questions))


def test_analogies_without_another_candidate_have_no_answer():
    assert answer_analogies(unit_vectors(3, 4), np.array([[0, 1, 2]])).tolist() == [-1]


def test_of_equally_near_answers_the_more_frequent_is_taken():
    unit = np.repeat(np.eye(3), 3, axis=0)  # rows 0 to 2 alike, 3 to 5 alike, 6 to 8 alike
    assert answer_analogies(unit, np.array([[0, 0, 0], [1, 1, 3]])).tolist() == [1, 4]


def test_answers_do_not_depend_on_the_number_of_threads():
    unit = unit_vectors(3000, 20)
    questions = np.random.default_rng(1).integers(0, 3000, size=(500, 3))
    before = numba.get_num_threads()
    answers = []
    for threads in {1, min(2, numba.config.NUMBA_NUM_THREADS)}:
        numba.set_num_threads(threads)
        answers.append(answer_analogies(unit, questions))
    numba.set_num_threads(before)
    np.testing.assert_array_equal(answers[0], answers[-1])


def test_spearman_equals_scipys_with_ties():
    random = np.random.default_rng(2)
    for size in (3, 10, 200):
        first, second = random.integers(0, 6, size), random.normal(size=size)
        assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)
    assert np.isnan(spearman(np.ones(5), np.arange(5)))
    assert np.isnan(spearman(np.array([1.0, 2.0]), np.array([1.0, 2.0])))


def test_ranks_by_counting_equal_ranks_of_the_resampled_values():
    random = np.random.default_rng(3)
    values = random.integers(0, 5, size=30).astype(float)
    draws = random.integers(0, 30, size=(20, 30))
    counts = np.stack([np.bincount(draw, minlength=30) for draw in draws])
    ranks = resampled_ranks(values, counts)
    for draw, row in zip(draws, ranks, strict=True):
        np.testing.assert_allclose(row[draw], rankdata(values[draw]))


def test_bootstrap_of_spearman_equals_resampling_one_by_one(monkeypatch):
    random = np.random.default_rng(4)
    first, second = random.normal(size=40), random.integers(0, 5, size=40).astype(float)
    draws = np.random.default_rng(9).integers(0, 40, size=(25, 40))
    expected = [spearmanr(first[draw], second[draw]).statistic for draw in draws]
    np.testing.assert_allclose(bootstrap_spearman(first, second, 25, np.random.default_rng(9)), expected, atol=1e-12)
    monkeypatch.setattr("biasorigin.quality.similarity.BLOCK", 100)
    np.testing.assert_allclose(bootstrap_spearman(first, second, 25, np.random.default_rng(9)), expected, atol=1e-12)


def test_intervals_of_spearman_cover_the_truth():
    # Rank correlation of a bivariate normal with correlation r: 6/π asin(r/2).
    truth = 6 / np.pi * np.arcsin(0.6 / 2)
    random = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        first = random.normal(size=100)
        second = 0.6 * first + 0.8 * random.normal(size=100)
        low, high = np.quantile(bootstrap_spearman(first, second, 200, random), [0.025, 0.975])
        covered += low <= truth <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_bootstrap_of_accuracy_equals_counting_question_by_question():
    pairs = np.array([[i, j] for i in range(6) for j in range(6) if i != j])
    correct = np.random.default_rng(6).random(len(pairs)) < 0.4
    draws = np.random.default_rng(8).integers(0, 6, size=(30, 6))
    expected = []
    for draw in draws:
        drawn = [(one, other) for one in draw for other in draw if one != other]
        right = [bool(correct[(pairs == pair).all(axis=1)][0]) for pair in drawn]
        expected.append(np.mean(right) if right else np.nan)
    found = bootstrap_accuracy(correct, pairs, 30, np.random.default_rng(8))
    np.testing.assert_allclose(found, expected)


def test_intervals_of_accuracy_allow_for_hard_pairs():
    # Each pair is easy or hard for good, so questions of one pair stand and fall together.
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(100):
        easy = random.random(25) < 0.5
        pairs = np.array([[i, j] for i in range(25) for j in range(25) if i != j])
        correct = easy[pairs[:, 1]]
        low, high = np.nanquantile(bootstrap_accuracy(correct, pairs, 200, random), [0.025, 0.975])
        covered += low <= 0.5 <= high
    assert covered >= 85  # drawing questions instead would cover about 30 of 100


def test_benchmark_files_are_read_as_published(tmp_path):
    (tmp_path / "s").write_text("# comment\n#word1\tword2\tscore\ncar\t\tautomobile\t\t3.92\nrich person\tCD\t1\n\n")
    pairs = load_benchmark("rg", tmp_path / "s")
    assert (pairs.first, pairs.second, pairs.scores.tolist()) == (
        ("car", "rich person"),
        ("automobile", "CD"),
        [3.92, 1],
    )
    (tmp_path / "a").write_text(": family\nboy girl he she\n: gram1-adverb\nquick quickly bad badly\n")
    questions = load_benchmark("google_analogies", tmp_path / "a")
    assert questions.questions == (("boy", "girl", "he", "she"), ("quick", "quickly", "bad", "badly"))
    assert questions.sections == ("family", "gram1-adverb")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rg", "car automobile 3.92\n", "line 1: found “car automobile 3.92”; expected two words"),
        ("rg", "car\tautomobile\tmuch\n", "expected two words and a number"),
        ("rg", "# nothing\n", "no pair of words"),
        ("msr_analogies", ": all\na b c\n", "line 2.*expected four words"),
        ("msr_analogies", "", "no question"),
        ("unheard", "", "no benchmark"),
    ],
)
def test_bad_benchmark_files_give_one_clear_line(tmp_path, name, content, message):
    (tmp_path / "b").write_text(content)
    with pytest.raises(UserError, match=message):
        load_benchmark(name, tmp_path / "b")


def benchmarks():
    random = np.random.default_rng(0)
    words = [f"Word{row}" for row in range(40)]
    every = [(one, other) for one in words for other in words if one < other]
    first, second = zip(*(every[number] for number in random.permutation(len(every))[:60]), strict=True)
    pairs = Similarity("men", (*first, "Unheard"), (*second, "Word1"), random.normal(size=61))
    pairs_of_words = random.permutation(words).reshape(20, 2)
    questions = [(*pairs_of_words[i], *pairs_of_words[j]) for i in range(20) for j in range(20) if i != j]
    questions.append(("Word1", "Word2", "Word3", "Unheard"))
    sections = ["capital" if number % 3 else "gram1" for number in range(len(questions))]
    return [pairs, Analogies("google_analogies", tuple(questions), tuple(sections))]


def test_the_table_agrees_with_gensim(tmp_path):
    embedding = embedding_of([f"Word{row}" for row in range(40)], dim=5, cased=True)
    theirs = KeyedVectors(vector_size=5)
    theirs.add_vectors(list(embedding.words), embedding.vectors)
    pairs, questions = benchmarks()
    lines = [f"{a}\t{b}\t{score}" for a, b, score in zip(pairs.first, pairs.second, pairs.scores, strict=True)]
    (tmp_path / "pairs").write_text("\n".join(lines))
    order = np.argsort(questions.sections, kind="stable")
    text = [": capital", *(" ".join(questions.questions[n]) for n in order if questions.sections[n] == "capital")]
    text += [": gram1", *(" ".join(questions.questions[n]) for n in order if questions.sections[n] == "gram1")]
    (tmp_path / "questions").write_text("\n".join(text))
    table = measure_quality(embedding, [pairs, questions], Settings(replicates=50))
    _, expected, missing = theirs.evaluate_word_pairs(tmp_path / "pairs", case_insensitive=False)
    men = table.row(by_predicate=pl.col("benchmark") == "men", named=True)
    assert men["value"] == pytest.approx(expected.statistic, abs=1e-6)
    assert (men["items"], men["covered"]) == (61, 60)
    assert missing == pytest.approx(100 / 61)
    accuracy, sections = theirs.evaluate_word_analogies(tmp_path / "questions", case_insensitive=False)
    found = dict(table.filter(pl.col("benchmark") == "google_analogies").select("section", "value").iter_rows())
    assert found["all"] == pytest.approx(accuracy)
    for section in sections[:2]:
        right, wrong = len(section["correct"]), len(section["incorrect"])
        assert found[section["section"]] == pytest.approx(right / (right + wrong))
    assert found["semantic"] == found["capital"]
    assert found["syntactic"] == found["gram1"]


def test_a_case_folded_embedding_is_asked_in_lower_case():
    embedding = embedding_of([f"word{row}" for row in range(40)], cased=False)
    table = measure_quality(embedding, benchmarks(), Settings(replicates=50))
    assert table["covered"].to_list()[:2] == [60, 380]
    cased = measure_quality(embedding_of(embedding.words, cased=True), benchmarks(), Settings(replicates=50))
    assert cased["covered"].sum() == 0
    assert cased["value"].null_count() == len(cased)


def test_candidates_limit_questions_and_answers():
    embedding = embedding_of([f"word{row}" for row in range(40)])
    _, questions = benchmarks()
    table = measure_quality(embedding, [questions], Settings(candidates=20, replicates=50))
    numbers = np.array([[int(word[4:]) if word[4:].isdigit() else 99 for word in q] for q in questions.questions])
    assert table["covered"][0] == (numbers < 20).all(axis=1).sum()
    assert table["candidates"].unique().to_list() == [20]


def test_the_same_seed_gives_the_same_table_and_a_benchmark_does_not_disturb_another():
    embedding = embedding_of([f"word{row}" for row in range(40)])
    both = measure_quality(embedding, benchmarks(), Settings(replicates=50))
    assert both.equals(measure_quality(embedding, benchmarks(), Settings(replicates=50)))
    alone = measure_quality(embedding, benchmarks()[1:], Settings(replicates=50))
    assert both.filter(pl.col("benchmark") == "google_analogies").equals(alone)
    assert (both["low"] <= both["value"]).all()
    assert (both["value"] <= both["high"]).all()


def test_seeds_are_summarised():
    table = pl.DataFrame(
        {
            "embedding": ["e", "e", "f"],
            "seed": [1, 2, 0],
            "benchmark": "men",
            "section": "all",
            "measure": "spearman",
            "value": [0.2, 0.4, None],
            "items": 10,
            "covered": 9,
            "candidates": None,
        }
    )
    summary = summarise_seeds(table).rows(named=True)
    assert (summary[0]["seeds"], summary[0]["mean"]) == (2, pytest.approx(0.3))
    assert summary[0]["sd"] == pytest.approx(np.std([0.2, 0.4], ddof=1))
    assert summary[1]["mean"] is None


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_the_figure_has_a_panel_for_each_benchmark_whatever_their_number(count):
    from biasorigin.quality.benchmarks import BENCHMARKS
    from biasorigin.quality.plots import plot_quality

    keys = [
        *[(name, "all") for name in BENCHMARKS],
        ("google_analogies", "semantic"),
        ("google_analogies", "syntactic"),
    ]
    rows = [
        {"embedding": "e", "seed": seed, "benchmark": name, "section": section, "measure": "m", "value": value}
        | {"low": None if value is None else -1.0, "high": 0.5, "items": 10, "covered": 1, "candidates": None}
        for name, section in (keys if count == 9 else keys[:count])
        for seed, value in ((1, 0.2), (2, None), (3, -0.9))
    ]
    figure = plot_quality(pl.DataFrame(rows), {"e": "An embedding", "f": "Another"}, little_covered=0.2)
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.get_visible()]
    assert len(titles) == count
    assert titles[0] == "RG (n = 10)"
