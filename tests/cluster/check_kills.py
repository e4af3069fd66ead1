"""The study is killed at many random moments and resumed each time: nothing is lost, nothing is wrong.

    make test-cluster CHECKS=kills KILLS=100

Every second kill hits only Snakemake itself, so that its jobs live on and are still writing when the next run begins;
the others hit all processes at once. A study that comes to its end is checked and begun anew.
"""

import os
import random
import re
import shutil
import signal
import time

from smoke_study import artefacts, differences, finish, start

KILLS = int(os.environ.get("KILLS") or 30)
SEED = int(os.environ.get("SEED") or 1)
WAITED = "Jobs of an earlier, killed run are still at work"


def test_a_killed_study_goes_on_where_it_was(tmp_path, undisturbed):
    moments, kills = random.Random(SEED), 0
    while kills < KILLS:
        run = start(tmp_path, "--cores", "2")
        running = await_job(run, tmp_path)
        time.sleep(moments.uniform(0, 3 * undisturbed.seconds / KILLS))
        if run.poll() is None:
            kills += 1
            os.kill(run.pid, signal.SIGKILL) if kills % 2 else os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            print(
                f"kill {kills}: {running}; {len(artefacts(tmp_path))} of {len(undisturbed.digests)} files", flush=True
            )
        else:
            check(run, tmp_path, undisturbed)
            shutil.rmtree(tmp_path / "results")
            print("The study was complete, and is begun anew.", flush=True)
    printed = check(start(tmp_path, "--cores", "2"), tmp_path, undisturbed)
    print(f"{printed.count(WAITED)} runs had to wait for jobs of a killed one.")


def check(run, folder, undisturbed):
    """The run ends well, without any lock to be removed, and every byte is that of an undisturbed study."""
    printed = finish(run, folder)
    assert "cannot be locked" not in printed
    found = differences(artefacts(folder), undisturbed.digests)
    assert not any(found.values()), found
    return printed


def await_job(run, folder, seconds=300):
    """Wait until this run has begun a job, and say what the job does; the run may also have nothing to do."""
    log, end = folder / "output.log", time.monotonic() + seconds
    before = log.stat().st_size
    while time.monotonic() < end:
        with log.open("rb") as file:
            file.seek(before)
            begun = re.findall(r"^Job \d+: (.*)", file.read().decode(errors="replace"), re.M)
        if begun or run.poll() is not None:
            return begun[-1] if begun else "no job"
        time.sleep(0.05)
    raise AssertionError(f"The run began no job in {seconds} s:\n{log.read_text()[-3000:]}")
