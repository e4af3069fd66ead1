"""Copies of earlier results that killed jobs left behind neither stop a run nor come back as results."""

import pytest

pytestmark = pytest.mark.xdist_group("workflow")

# The first job leaves what a job leaves that is lost with its node; the second then has a folder of its own to keep.
RULES = """
include: "Snakefile"

rule lost_job:
    output: "results/lost"
    shell: "mkdir -p .snakemake/backups/results/folder/old; touch {output}"

rule next_job:
    input: "results/lost"
    output: update(directory("results/folder"))
    shell: "touch {output}/new"

rule failing_job:
    output: update("results/never_made")
    shell: "exit 1"
"""


@pytest.fixture
def rules(corpus_run):
    """The workflow with three more rules; gone after the test."""
    path = corpus_run.folder / "more.smk"
    path.write_text(RULES)
    yield ("--snakefile", "more.smk", "--configfile", "config/smoke.yaml", "--")
    path.unlink()


def test_a_folder_is_kept_again_after_a_lost_job(corpus_run, rules):
    folder = corpus_run.folder / "results" / "folder"
    folder.mkdir(parents=True)
    corpus_run.snakemake("--forcerun", "next_job", *rules, "results/folder")
    assert (folder / "new").exists()


def test_a_result_that_never_was_does_not_come_back(corpus_run, rules):
    old = corpus_run.folder / ".snakemake" / "backups" / "results" / "never_made"
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("of another configuration")
    run = corpus_run.snakemake(*rules, "results/never_made", check=False)
    assert run.returncode != 0
    assert not (corpus_run.folder / "results" / "never_made").exists()
