"""What attribution refuses, what it reports, and that shards and threads change nothing."""

import logging

import numpy as np
import polars as pl
import pytest

from biasorigin.artefacts import load_array, load_table, save_array, save_json, save_table
from biasorigin.attribution.document_sets import remove_documents
from biasorigin.attribution.influence import BLOCK, blocks
from biasorigin.attribution.rows import CellRows, Weighting, row_model
from biasorigin.attribution.study import check_attributable, choose_sets, focus, load_study, report_regularised
from biasorigin.cooccurrence import count_cooccurrence
from biasorigin.embedding import Embedding, save_embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import Test, WordList

WORDS = [f"w{k}" for k in range(40)]
GLOVE = {"kind": "glove", "corpus_fingerprint": "abc", "window": 5, "x_max": 10.0, "alpha": 0.75, "ridge": 0.1}


def write_study(folder, documents=30, seeds=(1, 2), facts=GLOVE):
    """A tiny corpus and random models, as the earlier stages write them."""
    rng = np.random.default_rng(0)
    texts = [rng.integers(40, size=rng.integers(3, 25)) for _ in range(documents)]
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    tokens = np.concatenate(texts).astype(np.int32)
    save_array(folder / "tokens.npy", tokens)
    save_array(folder / "offsets.npy", offsets)
    save_json(folder / "statistics.json", {"fingerprint": "abc"})
    X = count_cooccurrence(tokens, offsets, 40, 5)
    for name in ("indptr", "indices", "values"):
        save_array(folder / "cooccurrence" / f"{name}.npy", getattr(X, name))
    save_json(folder / "cooccurrence" / "facts.json", {"denominator": X.denominator})
    for seed in seeds:
        place = folder / f"seed-{seed}"
        vectors, contexts = rng.normal(size=(2, 40, 6)).astype(np.float32)
        save_embedding(place, Embedding(tuple(WORDS), vectors, np.arange(40, 0, -1), facts={**facts, "seed": seed}))
        save_array(place / "contexts.npy", contexts)
        save_array(place / "biases.npy", rng.normal(size=(2, 40)).astype(np.float32))
    return [folder / f"seed-{seed}" for seed in seeds]


def a_test(key="T", start=0):
    lists = [WordList(f"{key}{k}", "", tuple(WORDS[start + 3 * k : start + 3 * k + 3])) for k in range(4)]
    return Test(key, f"Test {key}", tuple(lists[:2]), tuple(lists[2:]))


def test_an_embedding_without_contexts_is_refused(tmp_path):
    folder = write_study(tmp_path, facts={**GLOVE, "kind": "skipgram"})[0]
    with pytest.raises(UserError, match=r"skipgram.*no context vectors.*kind glove"):
        check_attributable(folder, tmp_path / "statistics.json")
    folder = write_study(tmp_path / "b")[0]
    (folder / "contexts.npy").unlink()
    with pytest.raises(UserError, match="no context vectors"):
        check_attributable(folder, tmp_path / "statistics.json")


def test_another_corpus_is_refused(tmp_path):
    folder = write_study(tmp_path)[0]
    assert check_attributable(folder, tmp_path / "statistics.json")["kind"] == "glove"
    save_json(tmp_path / "statistics.json", {"fingerprint": "xyz"})
    with pytest.raises(UserError, match="fingerprint abc, but this corpus has xyz"):
        check_attributable(folder, tmp_path / "statistics.json")


def test_documents_of_another_corpus_are_noticed_even_with_the_right_fingerprint(tmp_path):
    from estimate_differential_bias import estimate_differential_bias

    folders = write_study(tmp_path)
    save_table(tmp_path / "sets.parquet", choose_sets(folders, [a_test()], 1.0, None))
    save_array(tmp_path / "tokens.npy", np.array(load_array(tmp_path / "tokens.npy"))[::-1])
    with pytest.raises(UserError, match="not the one that the embedding was trained on"):
        estimate_differential_bias(*_paths(tmp_path, folders), "influence", 0, 1, tmp_path / "effects.npy")


def test_a_singular_hessian_is_regularised_and_reported_by_word(caplog):
    contexts = np.array([0, 1])
    cells = CellRows(np.array([5]), np.array([0, 2]), contexts, np.array([1.0, 2.0]), 0.5)
    rng = np.random.default_rng(0)
    vectors, features = rng.normal(size=(2, 10, 4))
    model = row_model(cells, vectors, features, np.zeros((2, 10)), Weighting(ridge=0.0), solve_bias=False)
    assert model.added[0] > 0 and np.isfinite(model.whitener).all()
    with caplog.at_level(logging.WARNING):
        assert report_regularised([model], cells, WORDS) == ["w5"]
    assert "w5 (2 contexts)" in caplog.text
    regular = row_model(cells, vectors, features, np.zeros((2, 10)), Weighting(ridge=0.1), solve_bias=False)
    assert regular.added[0] == 0


def test_sets_are_chosen_by_significance_or_by_name(tmp_path, caplog):
    folders = write_study(tmp_path)
    unknown = Test("U", "", (WordList("x", "", ("no", "such")), a_test().targets[1]), a_test().attributes)
    table = choose_sets(folders, [a_test("T"), a_test("S", 12), unknown], 1e-9, ["S"])
    assert table["set"].to_list() == ["T", "S"]  # U cannot be made, and the log says so
    assert "WEAT set U is left out" in caplog.text
    assert table["reported"].to_list() == [False, True]
    assert choose_sets(folders, [a_test("T"), a_test("S", 12)], 1e-9, None)["reported"].sum() == 1
    with pytest.raises(UserError, match=r"attribution\.sets names Z"):
        choose_sets(folders, [a_test()], 0.05, ["Z"])


def _paths(folder, folders):
    return folder / "tokens.npy", folder / "offsets.npy", folder / "cooccurrence", folders, folder / "sets.parquet"


def test_any_number_of_shards_and_threads_gives_the_same_bytes(tmp_path):
    from estimate_differential_bias import estimate_differential_bias

    folders = write_study(tmp_path, documents=2 * BLOCK + 500)
    save_table(tmp_path / "sets.parquet", choose_sets(folders, [a_test("T"), a_test("S", 12)], 1.0, None))
    whole = []
    for shards, threads in ((1, 1), (1, 2), (2, 1), (3, 2), (5, 1)):
        paths = [tmp_path / f"{shards}-{threads}-{shard}.npy" for shard in range(shards)]
        for shard, path in enumerate(paths):
            estimate_differential_bias(*_paths(tmp_path, folders), "resolve_bias", shard, shards, path, threads=threads)
        whole.append(np.concatenate([load_array(path) for path in paths], axis=1))
    assert whole[0].shape == (2, 2 * BLOCK + 500, 2) and np.abs(whole[0]).max() > 0
    assert all(one.tobytes() == whole[0].tobytes() for one in whole)


def test_blocks_do_not_depend_on_the_shards():
    for documents in (0, 1, BLOCK, 5 * BLOCK + 3):
        whole = list(blocks(documents))
        assert [block for shard in range(3) for block in blocks(documents, shard, 3)] == whole
        assert sum(last - first for first, last in whole) == documents


def test_gathered_table_has_mean_and_spread_over_seeds(tmp_path):
    from gather_differential_bias import gather_differential_bias

    effects = np.random.default_rng(1).normal(size=(3, 5, 2))
    save_array(tmp_path / "0.npy", effects[:, :2])
    save_array(tmp_path / "1.npy", effects[:, 2:])
    pl.DataFrame({"id": list("abcde")}).write_parquet(tmp_path / "documents.parquet")
    save_table(tmp_path / "sets.parquet", pl.DataFrame({"set": ["S", "T"]}))
    gather_differential_bias(
        [tmp_path / "0.npy", tmp_path / "1.npy"], tmp_path / "documents.parquet", tmp_path / "sets.parquet",
        [1, 2, 3], tmp_path / "effects.npy", tmp_path / "table.parquet",
    )  # fmt: skip
    table = load_table(tmp_path / "table.parquet")
    assert table.columns == ["document", "set", "mean", "sd", "seed_1", "seed_2", "seed_3"]
    row = table.filter((pl.col("document") == "d") & (pl.col("set") == "T")).to_dicts()[0]
    assert row["mean"] == pytest.approx(effects[:, 3, 1].mean())
    assert row["sd"] == pytest.approx(effects[:, 3, 1].std(ddof=1))


def describe(folder, most):
    """Run the script on the study in the folder; the table of kinds, the topics of all documents, the classifier."""
    from describe_documents import describe_documents

    settings = {"topics": 2, "top": 0.1, "matched": 2, "biasing": 0.2, "folds": 2, "most": most, "seed": 1}
    inputs = ["tokens.npy", "offsets.npy", "documents.parquet", "seed-1", "sets.parquet", "effects.npy"]
    outputs = ["kinds.parquet", "topics.tsv", "of_documents.parquet", "sentiment.json", "classifier.tsv", "words.tsv"]
    describe_documents(*[folder / name for name in inputs], settings, *[folder / name for name in outputs])
    return [load_table(folder / name) for name in ("kinds.parquet", "of_documents.parquet", "classifier.tsv")]


def test_of_a_large_corpus_a_sample_is_described_and_every_document_gets_its_topic(tmp_path):
    write_study(tmp_path, documents=400)
    documents = pl.DataFrame({"id": [f"d{k}" for k in range(400)], "text": "", "year": ["old", "new"] * 200})
    save_table(tmp_path / "documents.parquet", documents)
    save_table(tmp_path / "sets.parquet", pl.DataFrame({"set": ["S"], "reported": [True]}))
    # Even documents, the old ones, raise the bias.
    effects = np.where(np.arange(400) % 2 == 0, 1.0, -1.0) * np.random.default_rng(2).uniform(1, 2, 400)
    save_array(tmp_path / "effects.npy", effects.reshape(1, 400, 1))
    whole, topics_of_whole, _ = describe(tmp_path, most=400)
    sample, topics, classifier = describe(tmp_path, most=200)
    assert len(topics) == len(topics_of_whole) == 400
    assert topics["topic"].n_unique() == 2
    assert set(whole["n_top"]) == {40} and set(sample["n_top"]) == {20}
    assert set(classifier["documents"]) == {200}
    for table in (whole, sample):
        old = table.filter((pl.col("set") == "S") & (pl.col("feature") == "old")).to_dicts()[0]
        assert old["top"] == 1.0
        assert 0.2 < old["matched"] < 0.7


def test_a_study_is_read_whole(tmp_path):
    folders = write_study(tmp_path)
    sets = choose_sets(folders, [a_test()], 1.0, None)
    study = load_study(*_paths(tmp_path, folders)[:4], sets, "resolve_bias")
    assert study.seeds == (1, 2) and study.corpus.documents == 30
    assert study.models[0].parameters.shape == (12, 7)  # vector and bias


def test_one_set_alone_gives_the_same_numbers(tmp_path):
    folders = write_study(tmp_path)
    sets = choose_sets(folders, [a_test("T"), a_test("S", 7)], 1.0, None)
    study = load_study(*_paths(tmp_path, folders)[:4], sets, "resolve_bias")
    documents = np.array([0, 3, 4])
    whole = remove_documents(*study.parts, documents)
    for place, key in enumerate(study.tests.keys):
        part = remove_documents(*focus(study, [key]).parts, documents)
        np.testing.assert_allclose(part.effect[:, 0], whole.effect[:, place], atol=1e-12)
    both = remove_documents(*focus(study, ["S", "T"]).parts, documents)
    np.testing.assert_allclose(both.effect, whole.effect[:, ::-1], atol=1e-12)


def test_a_removal_is_estimated_and_retrained_with_the_same_seeds(tmp_path):
    from compare_removal import compare_removal

    estimates = {"removal": "documents_5", "removed": 5, "seed": [1, 2], "set": "S", "aimed_at": True}
    estimates |= {"before": [1.0, 3.0], "after": [0.5, 2.0], "reached": True, "removed_set_by_set": 7}
    save_table(tmp_path / "estimates.parquet", pl.DataFrame(estimates))
    rows = [
        ("none", 2, "weat", "S", 3.0), ("none", 2, "quality", "men", 0.4),
        ("documents_5", 2, "weat", "S", 1.8), ("documents_5", 2, "quality", "men", 0.3),
    ]  # fmt: skip
    retrained = pl.DataFrame(rows, schema=["removal", "seed", "instrument", "key", "value"], orient="row")
    retrained = retrained.with_columns(low=pl.lit(None), high=pl.lit(None), n=pl.lit(16))
    save_table(tmp_path / "retrained.parquet", retrained)
    paths = [tmp_path / name for name in ("removal.parquet", "removal.tsv", "repair.parquet")]
    compare_removal(tmp_path / "estimates.parquet", tmp_path / "retrained.parquet", "mine", *paths)
    bias, quality = load_table(paths[0]).to_dicts()
    assert (bias["seeds"], bias["before"], bias["retrained"], bias["estimated"]) == (1, 3.0, 1.8, 2.0)
    assert (quality["removed"], quality["before"], quality["retrained"], quality["estimated"]) == (5, 0.4, 0.3, None)
    assert load_table(paths[2])["method"].to_list() == ["none", "none", "documents_5", "documents_5"]
