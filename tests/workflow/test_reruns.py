"""An edit reruns what depends on it and nothing else."""

import pytest

STUDY = ("--configfile", "config/smoke.yaml", "--", "corpus")
FROM_VOCABULARY = {"build_vocabulary", "describe_corpora", "corpus"}
FROM_TOKENS = FROM_VOCABULARY | {"tokenise_documents"}
FROM_DOCUMENTS = FROM_TOKENS | {"read_documents"}


def test_a_second_run_has_nothing_to_do(corpus_run):
    assert "Nothing to be done" in corpus_run.snakemake(*STUDY).stdout


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("config/smoke.yaml", "min_count: 3", "min_count: 4", FROM_VOCABULARY),
        ("config/smoke.yaml", "length: {min: 1", "length: {min: 2", FROM_VOCABULARY),
        ("config/smoke.yaml", "digits: keep", "digits: drop", FROM_TOKENS),
        ("config/smoke.yaml", "fraction: 1.0", "fraction: 0.9", FROM_DOCUMENTS),
        ("config/smoke.yaml", "title: Made-up documents\n", "title: Invented\n", {"describe_corpora", "corpus"}),
        ("config/smoke.yaml", "# The whole workflow", "# Another comment: the whole workflow", set()),
        ("config/smoke.yaml", "dim: 12", "dim: 13", set()),
        ("config/config.yaml", "min_count: 15", "min_count: 16", set()),
        ("data/sources.yaml", "licence: none needed", "licence: none at all", set()),
        ("workflow/scripts/biasorigin/tokens.py", '"""From text', '"""A new line, from text', FROM_TOKENS),
        ("workflow/scripts/biasorigin/readers/jsonl.py", '"""', '"""New: ', FROM_DOCUMENTS),
        ("workflow/scripts/biasorigin/vocabulary.py", '"""From types', '"""New: from types', FROM_VOCABULARY),
        ("workflow/scripts/describe_corpora.py", '"""Describe', '"""New: describe', {"describe_corpora", "corpus"}),
        ("workflow/scripts/biasorigin/glove.py", '"""', '"""New: ', set()),
    ],
)
def test_an_edit_reruns_what_depends_on_it(corpus_run, path, old, new, expected):
    undo = corpus_run.edit(path, old, new)
    try:
        assert corpus_run.to_be_run(*STUDY) == expected
    finally:
        undo()


def test_the_whole_configuration_lies_beside_the_results(corpus_run):
    text = (corpus_run.folder / "results" / "run_config.yaml").read_text()
    assert "made_up_half" in text
    assert "min_count: 3" in text


def test_results_do_not_depend_on_threads_or_folder(corpus_run, tmp_path):
    corpus_run.snakemake("--directory", str(tmp_path), *STUDY, cores=1)
    first, second = (folder / "results" / "corpus" for folder in (corpus_run.folder, tmp_path))
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file())
    assert len(files) > 15
    different = [str(path) for path in files if (first / path).read_bytes() != (second / path).read_bytes()]
    assert different == []
