"""Embeddings that are not our GloVe: imported, trained, measured and exported through the workflow."""

import json
import sys

import numpy as np
import polars as pl
import pytest
import yaml
from project_copy import copy_project

from biasorigin.artefacts import load_table
from biasorigin.vector_files import read_vectors

EXPORTS = [f"results/embeddings/skipgram/seed-2/word2vec.{ending}" for ending in ("txt", "bin")]
WORDS = ["the", "film", "May", "may", "good", "bad"]

STUDY = {
    "study": {"corpora": ["made_up"], "embeddings": ["small", "skipgram"]},
    "sources": {
        "small": {"kind": "local", "path": "small.txt", "licence": "none", "citation": "none"},
        "benchmarks": {"kind": "local", "path": "benchmarks", "licence": "none", "citation": "none"},
    },
    "embeddings": {
        "small": {"kind": "pretrained", "title": "Small", "source": "small", "zero_vectors": "drop"},
        "skipgram": {"like": "skipgram_reviews", "corpus": "made_up", "dim": 5, "epochs": 1, "seeds": [1, 2]},
        "old": {"like": "glove_python_reviews", "corpus": "made_up", "interpreter": "no-such-python"},
    },
    "quality": {"benchmarks": ["rg"], "replicates": 20},
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy in which the stage has run, with a made-up vector file and benchmark of the user's."""
    copy = copy_project(tmp_path_factory.mktemp("embeddings"))
    rows = [f"{word} {row} 1.5 -2" for row, word in enumerate(WORDS)]
    (copy.folder / "small.txt").write_text("\n".join([*rows, "nothing 0 0 0"]) + "\n")
    (copy.folder / "benchmarks").mkdir()
    (copy.folder / "benchmarks" / "rg.tsv").write_text("good\tbad\t1\nthe\tfilm\t2\nMay\tmay\t3\nthe\tunheard\t4\n")
    for name in ("ws353.tsv", "rw.tsv", "msr_analogies.txt"):  # named by other stages, not read here
        (copy.folder / "benchmarks" / name).write_text("unused\n")
    (copy.folder / "study.yaml").write_text(yaml.safe_dump(STUDY))
    copy.snakemake("--configfile", "config/smoke.yaml", "study.yaml", "--", "embeddings", *EXPORTS)
    return copy


def test_pretrained_vectors_are_taken_over_and_every_loss_is_counted(finished):
    folder = finished.folder / "results" / "embeddings" / "small" / "seed-0"
    facts = json.loads((folder / "facts.json").read_text())
    assert facts["dropped"] == {"invalid_words": 0, "duplicate_words": 0, "zero_vectors": 1}
    assert (facts["cased"], facts["contexts"], facts["words"], facts["dim"]) == (True, False, 6, 3)
    assert load_table(folder / "vocabulary.parquet")["word"].to_list() == WORDS
    np.testing.assert_array_equal(np.load(folder / "vectors.npy")[:, 0], np.arange(6))


def test_trained_vectors_and_their_export_agree(finished):
    folder = finished.folder / "results" / "embeddings" / "skipgram" / "seed-2"
    statistics = json.loads((finished.folder / "results" / "corpus" / "made_up" / "statistics.json").read_text())
    facts = json.loads((folder / "facts.json").read_text())
    assert (facts["corpus_fingerprint"], facts["seed"]) == (statistics["fingerprint"], 2)
    for export in EXPORTS:
        read = read_vectors(finished.folder / export)
        assert read.words == tuple(load_table(folder / "vocabulary.parquet")["word"])
        np.testing.assert_array_equal(read.vectors, np.load(folder / "vectors.npy"))


def test_quality_has_a_row_for_every_embedding_and_seed(finished):
    folder = finished.folder / "results" / "embeddings"
    table = load_table(folder / "quality.parquet")
    assert table.select("embedding", "seed").rows() == [("small", 0), ("skipgram", 1), ("skipgram", 2)]
    assert table.filter(pl.col("embedding") == "small").select("items", "covered").rows() == [(4, 3)]
    assert (folder / "quality.svg").stat().st_size > 0
    assert pl.read_csv(folder / "quality_summary.tsv", separator="\t")["seeds"].to_list() == [1, 2]


def test_a_second_run_does_nothing_and_a_new_file_reruns_only_what_it_feeds(finished):
    arguments = ["--configfile", "config/smoke.yaml", "study.yaml", "--", "embeddings"]
    assert finished.to_be_run(*arguments) == set()
    undo = finished.edit("study.yaml", "replicates: 20", "replicates: 30")
    assert finished.to_be_run(*arguments) == {"measure_quality", "plot_quality", "embeddings"}
    undo()


def test_without_an_old_interpreter_glove_python_says_what_to_do(finished):
    target = "results/embeddings/old/seed-1/vectors.npy"
    ran = finished.snakemake("--configfile", "config/smoke.yaml", "study.yaml", "--", target, check=False)
    assert ran.returncode
    assert "glove-python-binary needs Python 3.6, 3.7 or 3.8" in ran.stdout
    assert "envs/glove-python.yaml" in ran.stdout
    assert sys.version.split()[0] not in ran.stdout.split("Error: glove")[1].splitlines()[0]
