"""Jobs in Slurm's queue: what a killed run left there, and what Slurm says nothing about for a while."""

import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from biasorigin.errors import UserError

PREFIX = "biasorigin"  # of every job's name: slurm-jobname-prefix in profiles/slurm
FORGOTTEN_AFTER = 3  # checks, which lie a minute or so apart


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


def asked_again(check: Callable, known: Callable[[], set[str] | None]) -> Callable:
    """An executor's check of its active jobs that forgets no job, and does not wait for one that Slurm has forgotten.

    `check(executor, jobs)` yields the jobs that are still at work, and counts Slurm's answers in the executor's
    `_status_query_calls`. Without an answer it yields none, and all of them would be forgotten. A job of which Slurm
    says nothing it yields for ever; here it has failed, and is tried again, when it is not in `known()` either, a few
    checks in a row. (A controller that is killed loses what it had not saved.)
    """
    absent: Counter[str] = Counter()

    async def check_active_jobs(self, active_jobs):
        answers = self._status_query_calls
        left = [job async for job in check(self, active_jobs)]
        answered = self._status_query_calls > answers
        queue = known() if answered and left else None
        for job in left if answered else active_jobs:
            name = job.external_jobid
            if queue is not None:
                absent[name] = 0 if name in queue else absent[name] + 1
            if absent[name] < FORGOTTEN_AFTER:
                yield job
            else:
                self.report_job_error(job, msg=f"Slurm has forgotten job {name}, as a lost controller does. ")

    return check_active_jobs


def known_jobs() -> set[str] | None:
    """Ids of this user's jobs that Slurm still knows, also of those that ended lately; None without an answer."""
    try:
        return set(_call("squeue", "--me", "--states=all", "--noheader", "--format=%i %A").split())
    except UserError:
        return None


def _call(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        reason = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1:]
        raise UserError(
            f"{command[0]} failed: {' '.join(reason)}. The Slurm profile needs a machine on which {command[0]} works; "
            "without Slurm, run plainly: snakemake --cores all."
        ) from error
