"""The study on a real Slurm gives the same bytes as on one machine, also when the node is lost and a job fails.

    make test-cluster CHECKS=slurm                        every stage
    make test-cluster CHECKS=slurm STAGES=attribution     what the stage needs, and no more

Needs root, and Debian's slurm-wlm and munge. All of it runs on loopback, in a temporary folder.
"""

import os
import re
import signal
import tempfile
import time
from pathlib import Path

import pytest
from slurm_machine import SlurmMachine, descendants, missing_programs, wait_until
from smoke_study import STAGES, artefacts, differences, finish, start

# A cluster without accounting, whose file system is at hand at once, is asked more often than a real one should be.
HERE = ["--slurm-status-command", "squeue", "--slurm-no-account", "--slurm-init-seconds-before-status-checks", "3"]
HERE += ["--latency-wait", "20"]


@pytest.fixture(scope="module")
def slurm():
    """A controller and a node, ended when the tests are."""
    missing = missing_programs()
    assert not missing, f"Not installed: {', '.join(missing)}. Install them: apt-get install slurm-wlm munge"
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        machine = SlurmMachine(Path(folder))
        try:
            machine.start()
            yield machine
        finally:
            machine.stop()


def start_on(slurm, folder):
    return start(folder, *HERE, profile="slurm", environment=slurm.environment)


def start_generic(slurm, folder):
    """Start the study with the executor that knows nothing of Slurm but three commands."""
    options = ["--latency-wait", "20", "--seconds-between-status-checks", "2"]
    return start(folder, *options, profile="generic", environment=slurm.environment)


def test_the_study_on_slurm_has_the_bytes_of_a_local_one(slurm, tmp_path, undisturbed):
    printed = finish(start_on(slurm, tmp_path), tmp_path)
    assert "has been submitted with SLURM jobid" in printed
    if {"all", "attribution"} & set(STAGES):
        assert "Group job ground_truth" in printed, "The tiny jobs were not grouped."
    check(tmp_path, undisturbed)


def test_nothing_is_lost_with_the_node_a_job_or_the_controller(slurm, tmp_path, undisturbed):
    """A job fails at first, the node dies with its jobs, the controller with all that it knows, at last Snakemake."""
    run = start_on(slurm, tmp_path)
    failed = fail_one_job(run, slurm)
    wait_until(lambda: is_tried_with_twice_the_memory(failed, slurm), "the job is tried again with more memory", 120)
    wait_until(lambda: made(tmp_path, "train_glove") or run.poll() is not None, "a model is being trained", 600)
    lost = slurm.kill_node()
    assert lost > 0, "No job was at work on the node: nothing was tested."
    wait_until(lambda: slurm.node_state() == "down", "Slurm has noticed", 120)
    slurm.start_node()
    await_jobs(slurm, run, tmp_path)
    slurm.lose_controller()
    forgotten = re.compile(r"Slurm has forgotten job \d+")
    wait_until(lambda: forgotten.search((tmp_path / "output.log").read_text()), "the loss is noticed", 200)
    await_jobs(slurm, run, tmp_path)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    assert slurm.call("squeue", "--noheader"), "The killed run left no job: nothing was tested."
    printed = finish(start_on(slurm, tmp_path), tmp_path)
    assert "that a killed run left in Slurm's queue" in printed
    assert "Error in rule" in printed, "No job failed: nothing was tested."
    assert "Trying to restart job" in printed
    check(tmp_path, undisturbed)


def test_a_job_left_in_the_queue_of_any_scheduler_does_nothing(slurm, tmp_path, undisturbed):
    """The generic executor cannot cancel what a killed run left waiting: such a job has to notice by itself."""
    slurm.close_node()
    killed = start_generic(slurm, tmp_path)
    wait_until(lambda: slurm.waiting_jobs() or killed.poll() is not None, "a job waits", 120)
    assert killed.poll() is None, (tmp_path / "output.log").read_text()[-3000:]
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    left = slurm.waiting_jobs()
    run = start_generic(slurm, tmp_path)
    wait_until(lambda: slurm.waiting_jobs() > left or run.poll() is not None, "a job of the new run waits too", 120)
    slurm.open_node()
    finish(run, tmp_path)
    for job in left:
        assert "belongs to an earlier run" in (tmp_path / ".snakemake" / f"job-{job}.log").read_text()
    check(tmp_path, undisturbed)


def await_jobs(slurm, run, folder):
    wait_until(lambda: slurm.running_jobs() > 0 or run.poll() is not None, "the jobs run again", 400)
    assert run.poll() is None, (folder / "output.log").read_text()[-3000:]


def check(folder, undisturbed):
    found = differences(artefacts(folder), undisturbed.digests)
    assert not any(found.values()), found


def made(folder, rule):
    """Whether a job of this rule has been started."""
    return any((folder / "results" / "logs").rglob(f"{rule}*.log"))


def fail_one_job(run, slurm):
    """Kill the script of the first job that has one, so that the job ends with an error; Slurm's number of the job."""
    end = time.monotonic() + 300
    while time.monotonic() < end and run.poll() is None:
        for step in slurm.steps():
            for pid in descendants(step):
                if is_script(pid):
                    words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                    job = next(int(word.split(b"=")[1]) for word in words if word.startswith(b"SLURM_JOB_ID="))
                    os.kill(pid, signal.SIGKILL)
                    return job
        time.sleep(0.05)
    raise AssertionError("No job's script was seen.")


def is_tried_with_twice_the_memory(failed, slurm):
    """Whether a later job does the work of the failed one, and claims more for it."""
    claims = slurm.claims()
    work, memory = claims[failed]
    twice = f"{2 * int(memory.removesuffix('M'))}M"
    return any(job > failed and claim == (work, twice) for job, claim in claims.items())


def is_script(pid):
    """Whether a process is the Python of a job's script."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return len(words) > 1 and b".snakemake/scripts/" in words[1]
