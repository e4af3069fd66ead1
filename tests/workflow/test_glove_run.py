"""GloVe through the workflow: shards leave no trace, and an edit reruns what depends on it."""

import json

import numpy as np
import polars as pl
import pytest
import yaml
from project_copy import copy_project

from biasorigin.artefacts import load_table

STUDY = {
    "study": {"corpora": ["made_up"], "embeddings": ["glove_made_up", "sharded"]},
    "embeddings": {
        "glove_made_up": {"epochs": 2, "finish": {"sweeps": 2}, "seeds": [1]},
        "sharded": {"like": "glove_made_up", "title": "GloVe, in shards", "shards": 2},
    },
}
TARGETS = ["results/embeddings/glove_made_up/stationarity_bands.tsv", "results/embeddings/sharded/seed-1/vectors.npy"]
ARGUMENTS = ["--configfile", "config/smoke.yaml", "study.yaml", "--"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy in which the same embedding was made twice, once in shards, with two threads."""
    copy = copy_project(tmp_path_factory.mktemp("glove"))
    (copy.folder / "study.yaml").write_text(yaml.safe_dump(STUDY))
    copy.snakemake("--set-threads", "train_glove=2", *ARGUMENTS, *TARGETS)
    return copy


def test_shards_leave_no_trace(finished):
    folder = finished.folder / "results" / "embeddings"
    files = [
        "cooccurrence/indptr.npy",
        "cooccurrence/indices.npy",
        "cooccurrence/values.npy",
        "cooccurrence/facts.json",
    ]
    files += [f"seed-1/{name}" for name in ("vectors.npy", "contexts.npy", "biases.npy", "loss.tsv", "facts.json")]
    for file in [*files, "seed-1/stationarity.parquet"]:
        assert (folder / "glove_made_up" / file).read_bytes() == (folder / "sharded" / file).read_bytes(), file
    assert not (folder / "sharded" / "shards").exists()


def test_the_artefacts_belong_together(finished):
    folder = finished.folder / "results" / "embeddings" / "glove_made_up"
    statistics = json.loads((finished.folder / "results" / "corpus" / "made_up" / "statistics.json").read_text())
    facts = json.loads((folder / "seed-1" / "facts.json").read_text())
    vocabulary = load_table(folder / "seed-1" / "vocabulary.parquet")
    assert facts["corpus_fingerprint"] == statistics["fingerprint"]
    assert (facts["kind"], facts["dim"], facts["words"], facts["seed"]) == ("glove", 12, len(vocabulary), 1)
    assert facts["ridge"] == facts["finish"]["ridge"]
    vectors, contexts, biases = (
        np.load(folder / "seed-1" / f"{name}.npy") for name in ("vectors", "contexts", "biases")
    )
    assert vectors.shape == contexts.shape == (len(vocabulary), 12)
    assert biases.shape == (2, len(vocabulary))
    assert (
        pl.read_csv(folder / "seed-1" / "loss.tsv", separator="\t")["phase"].to_list()
        == ["adagrad"] * 2 + ["finish"] * 2
    )
    steps = load_table(folder / "seed-1" / "stationarity.parquet")
    assert steps["word"].to_list() == vocabulary["word"].to_list()
    assert steps["relative_newton_step"].max() < 1e-3
    for figure in ("loss", "stationarity"):
        assert {path.suffix for path in folder.glob(f"{figure}.*")} == {".svg", ".pdf", ".png"}


def test_an_edit_reruns_what_depends_on_it(finished):
    assert finished.to_be_run(*ARGUMENTS, *TARGETS) == set()
    undo = finished.edit("study.yaml", "epochs: 2", "epochs: 3")
    assert finished.to_be_run(*ARGUMENTS, *TARGETS) == {"train_glove", "plot_convergence"}
    undo()
