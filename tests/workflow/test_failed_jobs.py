"""A job that failed, or whose run was killed, leaves the earlier results, and is known as one that has to run again."""

import os
import signal
import subprocess
import sys
import time

import pytest

# A rule that writes what the environment says, fails if that is `fail`, and waits for a file if that is `wait`.
RULES = """
include: "Snakefile"

rule written:
    output: "results/{name}/file", directory("results/{name}/folder")
    params: os.environ.get("WORD")
    shell:
        "touch results/begun; test {params} != fail; while test {params} = wait -a ! -e results/go; do sleep .1; done;"
        "echo {params} > {output[0]}; mkdir -p {output[1]}; echo {params} > {output[1]}/file"

prepare_rules()
"""
# A scheduler of our own: it begins the job at once, in a session of its own, and prints a number for it.
SUBMIT = "setsid sh -c 'sh \"$0\" >/dev/null 2>&1 & echo $!'"


@pytest.fixture
def study(corpus_run):
    """The arguments of a workflow with one more rule; the folder is as before after the test."""
    (corpus_run.folder / "more.smk").write_text(RULES)
    yield ["--snakefile", "more.smk", "--configfile", "config/smoke.yaml"]
    for name in ("more.smk", "results/begun", "results/go"):
        (corpus_run.folder / name).unlink(missing_ok=True)


def run(corpus_run, study, name, word, **options):
    """Make the two outputs of this name with this word; what was printed."""
    arguments = (*study, "--", f"results/{name}/file")
    return corpus_run.snakemake(*arguments, environment={"WORD": word}, **options).stdout


def written(corpus_run, name):
    folder = corpus_run.folder / "results" / name
    return [(folder / name).read_text().strip() for name in ("file", "folder/file")]


def test_a_failed_job_keeps_the_earlier_results_and_runs_again(corpus_run, study):
    run(corpus_run, study, "failed", "first")
    for _ in range(2):  # the second time it must not be taken for done
        assert "Error in rule written" in run(corpus_run, study, "failed", "fail", check=False)
        assert written(corpus_run, "failed") == ["first", "first"]
    run(corpus_run, study, "failed", "first")
    run(corpus_run, study, "failed", "second")
    assert written(corpus_run, "failed") == ["second", "second"]
    assert "Nothing to be done" in run(corpus_run, study, "failed", "second")


def test_a_result_that_was_ready_after_its_run_was_killed_follows_a_later_edit(corpus_run, study):
    command = [sys.executable, "-m", "snakemake", *study, "--executor", "cluster-generic", "--jobs", "2"]
    command += ["--cluster-generic-submit-cmd", SUBMIT, "--", "results/orphan/file"]
    killed = subprocess.Popen(
        command,
        cwd=corpus_run.folder,
        env={**os.environ, "WORD": "wait"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    await_file(corpus_run.folder / "results" / "begun")
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    (corpus_run.folder / "results" / "go").touch()
    run(corpus_run, study, "orphan", "edited")  # waits for the job that is still at work
    assert written(corpus_run, "orphan") == ["edited", "edited"]


def await_file(path, seconds=120):
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path} was not made in {seconds} s"
        time.sleep(0.1)
