"""Jobs in Slurm's queue: what a killed run left there, and what Slurm says nothing about for a while."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from biasorigin.errors import UserError

PREFIX = "biasorigin"  # of every job's name: slurm-jobname-prefix in profiles/slurm


def cancel_remains(folder: Path, say: Callable[[str], None], wait: float = 300) -> int:
    """Cancel this user's jobs of earlier runs in the folder and wait until they are gone; how many there were.

    They would go on, and do the new run's work a second time.
    """
    left = first = jobs_of(folder)
    if first:
        say(f"Cancelling {len(first)} jobs that a killed run left in Slurm's queue: {' '.join(first)}.")
        _call("scancel", *first)
    end = time.monotonic() + wait
    while left:
        if time.monotonic() > end:
            raise UserError(
                f"Slurm still has jobs of an earlier run after {wait:.0f} seconds: {' '.join(left)}. "
                "See `squeue --me`; when they are gone, run again."
            )
        time.sleep(1)
        left = jobs_of(folder)
    return len(first)


def jobs_of(folder: Path) -> list[str]:
    """Ids of this user's jobs, waiting or running, that belong to this project and folder."""
    lines = _call("squeue", "--me", "--noheader", "--format=%i|%j|%Z").splitlines()
    rows = [line.split("|", 2) for line in lines if line.count("|") >= 2]
    return [job for job, name, place in rows if name.startswith(PREFIX) and Path(place) == folder]


def asked_again(check: Callable) -> Callable:
    """An executor's check of its active jobs that gives up no job while Slurm does not answer.

    `check(executor, jobs)` yields the jobs that are still at work, and counts Slurm's answers in the executor's
    `_status_query_calls`. Without an answer it yields none, and all of them would be forgotten.
    """

    async def check_active_jobs(self, active_jobs):
        answers = self._status_query_calls
        left = [job async for job in check(self, active_jobs)]
        for job in left if self._status_query_calls > answers else active_jobs:
            yield job

    return check_active_jobs


def _call(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        reason = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1:]
        raise UserError(
            f"{command[0]} failed: {' '.join(reason)}. The Slurm profile needs a machine on which {command[0]} works; "
            "without Slurm, run plainly: snakemake --cores all."
        ) from error
