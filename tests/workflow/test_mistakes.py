"""A wrong study is refused before anything runs, and a failed one keeps the earlier artefacts."""

import json

import pytest

DOCUMENTS = "".join(json.dumps({"id": str(n), "text": "the cat saw the dog"}) + "\n" for n in range(5))


def study(tmp_path, documents=DOCUMENTS, **corpus):
    """The arguments for a study of the user's own corpus, as a file of differences."""
    path = tmp_path / "mine.jsonl"
    if documents is not None:
        path.write_text(documents)
    settings = {"like": "made_up", "source": "mine", "reader": {"text": "text", "id": {"column": "id"}}, **corpus}
    config = {
        "study": {"corpora": ["mine"], "embeddings": []},
        "sources": {"mine": {"kind": "local", "path": str(path), "licence": "x", "citation": "x"}},
        "corpora": {"mine": settings},
    }
    file = tmp_path / "study.yaml"
    file.write_text(json.dumps(config))
    return ("--configfile", "config/smoke.yaml", str(file), "--directory", str(tmp_path), "--")


@pytest.mark.parametrize(
    ("documents", "corpus", "expected"),
    [
        (None, {}, "there is no file"),
        (DOCUMENTS, {"min_cuont": 3}, "corpora.mine.min_cuont is not a known key. Did you mean min_count?"),
        (DOCUMENTS, {"fraction": 1.5}, "corpora.mine.fraction is 1.5; expected at most 1"),
    ],
)
def test_a_wrong_study_is_refused_before_anything_runs(corpus_run, tmp_path, documents, corpus, expected):
    run = corpus_run.snakemake(*study(tmp_path, documents, **corpus), "corpus", check=False)
    assert run.returncode != 0
    assert expected in run.stdout
    assert "Traceback" not in run.stdout
    assert not (tmp_path / "results").exists()


def test_a_failed_run_is_one_line_and_keeps_the_earlier_artefacts(corpus_run, tmp_path):
    target = "results/corpus/mine/statistics.json"
    corpus_run.snakemake(*study(tmp_path), target)
    folder = tmp_path / "results" / "corpus" / "mine"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    run = corpus_run.snakemake(*study(tmp_path, min_count=99), target, check=False)
    assert run.returncode != 0
    assert "No word occurs at least 99 times" in run.stdout
    assert "Traceback" not in run.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
