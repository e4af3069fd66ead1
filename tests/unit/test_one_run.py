"""A folder belongs to one run at a time, and a killed run's jobs are waited for."""

import asyncio
import fcntl
import inspect
import os
import signal
import stat
import subprocess
import sys
from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_slurm import Executor

from biasorigin.errors import UserError
from biasorigin.one_run import RUN, claim_folder, join_run, name_run, wait_for_jobs
from biasorigin.slurm_queue import asked_again, cancel_remains, jobs_of, known_jobs


def other_process(folder, call):
    """Another process that makes a call of `one_run` and stays alive; it has said `ready`."""
    lines = ["from pathlib import Path", "from biasorigin.one_run import *"]
    lines += [f"held = {call}".replace("FOLDER", f"Path({str(folder)!r})"), "print('ready', flush=True)", "input()"]
    process = subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def end(process, how=signal.SIGKILL):
    process.send_signal(how)
    process.wait()


def test_a_second_run_is_refused_until_the_first_is_dead(tmp_path):
    first = other_process(tmp_path, "claim_folder(FOLDER)")
    with pytest.raises(UserError, match=f"Another run is at work in this folder: process {first.pid} on "):
        claim_folder(tmp_path)
    end(first)
    with claim_folder(tmp_path):
        pass


def test_a_killed_runs_jobs_are_waited_for(tmp_path):
    job = other_process(tmp_path, "join_run(folder=FOLDER)")
    said = []

    def say(text):
        said.append(text)
        if len(said) == 2:
            end(job)

    with claim_folder(tmp_path):
        wait_for_jobs(say, 0.5, tmp_path)
    assert said[0].startswith(
        "Jobs of an earlier, killed run are still at work in this folder. Waiting for them to end. "
    )
    assert "to end, 0 min so far. To stop them instead: they hold" in said[1]


def test_jobs_work_side_by_side_and_outside_a_run(tmp_path):
    assert join_run(folder=tmp_path / "nowhere") is None
    with join_run(folder=tmp_path), join_run(folder=tmp_path) as second:
        assert second is not None


def test_a_job_that_begins_after_its_run_has_died_ends_at_once(tmp_path, monkeypatch):
    monkeypatch.delenv(RUN, raising=False)
    name_run({})
    earlier = os.environ[RUN]
    with claim_folder(tmp_path), join_run(folder=tmp_path) as job:
        assert job is not None
    name_run({})
    with claim_folder(tmp_path):
        later = os.environ[RUN]
        assert later != earlier
        monkeypatch.setenv(RUN, earlier)
        with pytest.raises(UserError, match="This job belongs to an earlier run"):
            join_run(folder=tmp_path)
        wait_for_jobs(pytest.fail, 1, tmp_path)  # the refused job is not waited for
        monkeypatch.setenv(RUN, later)
        with join_run(folder=tmp_path) as job:
            assert job is not None


def test_a_job_that_has_read_another_configuration_ends_at_once(tmp_path, monkeypatch):
    monkeypatch.delenv(RUN, raising=False)
    name_run({"a": 1, "b": [2]})
    with claim_folder(tmp_path):
        with join_run({"b": [2], "a": 1}, tmp_path) as job:
            assert job is not None
        with pytest.raises(UserError, match="The configuration was edited while this job waited"):
            join_run({"a": 1, "b": [3]}, tmp_path)


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch, caplog):
    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with claim_folder(tmp_path):
        assert "This file system has no locks (Operation not supported)" in caplog.text


def test_only_this_folders_jobs_are_cancelled(tmp_path, monkeypatch):
    """With programs of our own in Slurm's place: a queue of three jobs in a file, from which scancel takes some."""
    queue = tmp_path / "queue"
    queue.write_text(
        f"7|biasorigin_1|{tmp_path}\n8|biasorigin_2|{tmp_path}/other\n9|another|{tmp_path}\n10|biasorigin_1|{tmp_path}\n"
    )
    programs = {
        "squeue": f"cat {queue}",
        "scancel": f'for job in "$@"; do sed -i "/^$job|/d" {queue}; done',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert jobs_of(tmp_path) == ["7", "10"]
    said = []
    assert cancel_remains(tmp_path, said.append, 10) == 2
    assert said == ["Cancelling 2 jobs that a killed run left in Slurm's queue: 7 10."]
    assert [line.split("|")[0] for line in queue.read_text().splitlines()] == ["8", "9"]


def test_a_machine_without_slurm_is_told_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"squeue failed: .*No such file.* run plainly: snakemake --cores all"):
        jobs_of(tmp_path)
    assert known_jobs() is None


class FakeExecutor:
    """Has three jobs; a check without an answer yields none of them, one with an answer those that have not ended."""

    def __init__(self, *, answers, ended=()):
        self._status_query_calls, self.answers, self.ended, self.failed = 7, answers, ended, []
        self.left = [SimpleNamespace(external_jobid=name) for name in ("1", "2", "3_1")]
        self.check_again = asked_again(FakeExecutor.check, lambda: self.known)

    async def check(self, active_jobs):
        self._status_query_calls += self.answers
        for job in active_jobs if self.answers else []:
            if job.external_jobid not in self.ended:
                yield job

    def report_job_error(self, job, msg):
        assert f"forgotten job {job.external_jobid}" in msg
        self.failed.append(job.external_jobid)

    def checked(self, known):
        """The jobs that are left after one check of `known()` and the executor's."""
        self.known = known

        async def ask():
            return [job async for job in self.check_again(self, self.left)]

        self.left = asyncio.run(ask())
        return [job.external_jobid for job in self.left]


@pytest.mark.parametrize(("answers", "left"), [(0, ["1", "2", "3_1"]), (1, ["2"]), (5, ["2"])])
def test_only_an_answer_of_slurm_takes_a_job_off_the_list(answers, left):
    assert FakeExecutor(answers=answers, ended=("1", "3_1")).checked({"2"}) == left


def test_a_job_that_slurm_has_forgotten_is_tried_again_and_no_other():
    executor = FakeExecutor(answers=1)
    everything = ["1", "2", "3_1"]
    assert executor.checked({"1", "3_1"}) == everything  # 2 is missing for the first time,
    assert executor.checked({"1", "3_1"}) == everything  # for the second,
    assert executor.checked(None) == everything  # without an answer nobody knows,
    executor.answers = 0
    assert executor.checked(set()) == everything
    executor.answers = 1
    assert executor.checked(set(everything)) == everything  # and now it is there again.
    for _ in range(2):
        assert executor.checked({"1", "2"}) == everything
        assert executor.failed == []
    assert executor.checked({"1", "2"}) == ["1", "2"]
    assert executor.failed == ["3_1"]


def test_the_executor_for_slurm_still_has_what_is_put_right_of_it():
    source = inspect.getsource(Executor.check_active_jobs)
    assert "self._status_query_calls += 1" in source
    assert "self.report_job_error(j, msg=msg" in source
