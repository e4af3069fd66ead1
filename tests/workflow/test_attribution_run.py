"""The attribution stage on the made-up corpus, from documents to cleaned corpus, and what an edit of it reruns."""

import numpy as np
import polars as pl
import pytest

from biasorigin.artefacts import load_table

STUDY = ("--configfile", "config/smoke.yaml", "--", "attribution")


@pytest.fixture(scope="module")
def attribution_run(corpus_run):
    """The smoke study's attribution stage, run once, on top of its corpus stage."""
    corpus_run.snakemake(*STUDY)
    return corpus_run


def test_every_table_is_whole_and_an_edit_reruns_what_depends_on_it(attribution_run):
    folder = attribution_run.folder / "results" / "attribution" / "glove_made_up"
    effects = np.load(folder / "effects.npy")
    table = load_table(folder / "differential_bias.parquet")
    assert len(table) == effects.shape[1] * effects.shape[2] and np.isfinite(effects).all()
    assert table["mean"].to_numpy() == pytest.approx(effects.mean(axis=0).ravel())

    pairs = load_table(folder / "explanations.parquet").group_by("set", "document").agg(pl.col("contribution").sum())
    top = load_table(folder / "top_documents.parquet").join(pairs, on=["set", "document"])
    assert top["contribution"].to_numpy() == pytest.approx(top["effect"].to_numpy(), abs=1e-9)

    truth = load_table(folder / "ground_truth.parquet")
    assert truth["retrained"].is_finite().all() and {"influence", "resolve_bias", "continued"} <= set(truth.columns)
    removed = pl.read_csv(folder / "cleaned" / "removed.tsv", separator="\t")
    cleaned = load_table(folder / "cleaned" / "documents.parquet")
    assert len(removed) + len(cleaned) == effects.shape[1]
    assert not set(removed["document"]) & set(cleaned["id"])
    removal = load_table(folder / "removal.parquet").filter(pl.col("instrument") == "weat")
    assert removal["estimated"].is_finite().all() and removal["aimed_at"].any()
    repair = load_table(folder / "corpus_repair.parquet")
    for method in repair.filter(pl.col("method") != "none")["method"].unique():
        assert (folder / "cleaned" / "models" / method / "seed-1" / "vectors.npy").exists()

    assert attribution_run.to_be_run(*STUDY) == set()
    undo = attribution_run.edit("config/config.yaml", "explained: 10", "explained: 9")
    assert attribution_run.to_be_run(*STUDY) == {"explain_documents", "draw_differential_bias", "attribution"}
    undo()
    undo = attribution_run.edit("config/smoke.yaml", "control: true", "control: false")
    assert attribution_run.to_be_run(*STUDY) == {
        "choose_removal", "retrain_cleaned_corpus", "compare_removal", "attribution",
    }  # fmt: skip
    undo()
