"""The results of the last run are whole, finite and consistent: make check.

The environment variable BIASORIGIN_RESULTS names another folder than results/.
"""

import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from biasorigin.artefacts import load_table

PROJECT = Path(__file__).resolve().parents[2]
RESULTS = Path(os.environ.get("BIASORIGIN_RESULTS", PROJECT / "results"))
OWN = [
    path for path in sorted(RESULTS.rglob("*")) if path.is_file() and "sources" not in path.relative_to(RESULTS).parts
]


def ending(*endings):
    return [path for path in OWN if path.suffix in endings]


def named(path):
    return str(path.relative_to(RESULTS))


def test_there_are_results():
    assert (RESULTS / "corpus" / "table_1.tsv").exists(), f"nothing has been run in {RESULTS}: type `make` first"


def test_no_unfinished_file_is_left():
    assert [named(path) for path in OWN if ".part" in path.name] == []


@pytest.mark.parametrize("path", ending(".npy"), ids=named)
def test_arrays_are_finite(path):
    """Finite, but for the scores of an enumeration, in which −∞ marks a cell without words."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.dtype.kind == "f":
        empty = np.isneginf(array) if path.match("enumeration/*/scores.npy") else np.zeros(array.shape, bool)
        assert np.isfinite(array[~empty]).all()


@pytest.mark.parametrize("path", ending(".parquet"), ids=named)
def test_tables_hold_no_number_that_is_none(path):
    """A value that cannot be had is null; NaN and infinity are mistakes."""
    table = load_table(path)
    floats = table.select(pl.col(pl.Float32, pl.Float64))
    bad = [column for column in floats.columns if not floats[column].drop_nulls().is_finite().all()]
    assert bad == []


@pytest.mark.parametrize("path", ending(".svg"), ids=named)
def test_every_figure_is_there_for_screen_paper_and_print(path):
    for other in (path, path.with_suffix(".pdf"), path.with_suffix(".png")):
        assert other.stat().st_size > 500


@pytest.mark.parametrize("path", sorted(RESULTS.glob("corpus/*/statistics.json")), ids=named)
def test_a_corpus_adds_up(path):
    facts, folder = json.loads(path.read_text()), path.parent
    tokens, offsets = np.load(folder / "tokens.npy", mmap_mode="r"), np.load(folder / "offsets.npy")
    words = load_table(folder / "vocabulary.parquet")
    documents = load_table(folder / "documents.parquet", columns=["id", "kept"])
    assert documents["id"].is_unique().all()
    assert (len(documents), len(words), len(tokens)) == (
        facts["documents"],
        facts["vocabulary"],
        facts["tokens_in_vocabulary"],
    )
    np.testing.assert_array_equal(np.diff(offsets), documents["kept"].to_numpy())
    np.testing.assert_array_equal(np.bincount(tokens, minlength=len(words)), words["count"].to_numpy())
    assert words["count"].is_sorted(descending=True)
    assert words["count"].min() >= facts["min_count"]


@pytest.mark.parametrize("path", sorted(RESULTS.glob("embeddings/*/seed-*/facts.json")), ids=named)
def test_an_embedding_is_complete(path):
    facts, folder = json.loads(path.read_text()), path.parent
    assert np.load(folder / "vectors.npy", mmap_mode="r").shape == (facts["words"], facts["dim"])
    assert len(load_table(folder / "vocabulary.parquet")) == facts["words"]
    if facts["kind"] == "glove":
        corpus = json.loads((RESULTS / "corpus" / facts["corpus"] / "statistics.json").read_text())
        assert facts["corpus_fingerprint"] == corpus["fingerprint"]
        assert np.load(folder / "contexts.npy", mmap_mode="r").shape == (facts["words"], facts["dim"])
