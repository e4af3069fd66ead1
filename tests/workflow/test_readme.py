"""What the README tells people to type works, and what it says exists does."""

import re
import subprocess

import pytest
from project_copy import PROJECT, copy_project

README = (PROJECT / "README.md").read_text()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project with the user's corpus of the README's example."""
    made = copy_project(tmp_path_factory.mktemp("readme"))
    (made.folder / "articles.csv").write_text("article_id,body,date,section\n1,hello world,2020,news\n")
    return made


def test_every_make_target_it_names_exists():
    targets = set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", README, re.M))
    assert {"test", "help", "smoke", "report"} <= targets
    for target in targets:
        run = subprocess.run(["make", "--dry-run", target], cwd=PROJECT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr


def test_every_stage_it_names_can_be_asked_for(copy):
    targets = re.findall(r"`snakemake --cores all ([a-z]+)`", README)
    assert len(targets) == 10
    assert copy.to_be_run(*targets)


def test_the_example_of_a_users_own_corpus_is_a_study(copy):
    (text,) = re.findall(r"```yaml\n(# mine\.yaml\n.*?)```", README, re.S)
    (copy.folder / "mine.yaml").write_text(text.replace("/data/articles.csv", "articles.csv"))
    rules = copy.to_be_run("--configfile", "mine.yaml")
    assert {"check_local", "read_documents", "train_glove", "score_weat", "estimate_differential_bias"} <= rules


def test_every_file_it_names_is_there():
    for path in re.findall(r"`((?:config|data|docs|workflow|benchmarks|tests|envs)/[^`*{}]*)`", README):
        assert (PROJECT / path).exists(), path
