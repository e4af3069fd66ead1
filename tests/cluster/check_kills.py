"""The study is killed at many random moments and resumed each time: nothing is lost, nothing is wrong.

    make test-kills

KILLS and SEED are environment variables. Every second kill hits only Snakemake itself, so that its jobs live on and are
still writing when the next run begins; the others hit all processes at once.
"""

import os
import random
import signal
import time

from smoke_study import artefacts, differences, finish, start

KILLS = int(os.environ.get("KILLS", "30"))
SEED = int(os.environ.get("SEED", "1"))
LOCKED = "Directory cannot be locked"
WAITED = "Jobs of an earlier, killed run are still at work"


def test_a_killed_study_goes_on_where_it_was(tmp_path, expected):
    moments = random.Random(SEED)
    for kill in range(KILLS):
        run = start(tmp_path, "--cores", "2")
        begun = await_jobs(run, tmp_path)
        time.sleep(moments.uniform(0, 4))
        assert run.poll() is None, f"The study was complete after {kill} of {KILLS} kills: wait less between them."
        if kill % 2:
            os.kill(run.pid, signal.SIGKILL)
        else:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        print(f"kill {kill + 1}: {begun}, {len(artefacts(tmp_path))} files")
    printed = finish(start(tmp_path, "--cores", "2"), tmp_path)
    assert LOCKED not in printed
    assert WAITED in printed, "No kill left a job at work: the test does not test what it should."
    found = artefacts(tmp_path)
    assert found.keys() >= expected.keys()
    leftovers = sorted(found.keys() - expected.keys())
    assert not leftovers, f"The kills left files behind: {leftovers}"
    assert not any(differences(found, expected).values()), differences(found, expected)


def await_jobs(run, folder, seconds=120):
    """Wait until this run has started a job, and say which was the last."""
    log, end = folder / "output.log", time.monotonic() + seconds
    before = log.stat().st_size
    while time.monotonic() < end and run.poll() is None:
        with log.open("rb") as file:
            file.seek(before)
            lines = [line for line in file.read().decode(errors="replace").splitlines() if line.startswith("Job ")]
        if lines:
            return lines[-1]
        time.sleep(0.05)
    raise AssertionError(f"The run started no job in {seconds} s:\n{log.read_text()[-3000:]}")
