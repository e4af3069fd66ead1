"""One run at a time in a folder, and none beside the remains of a killed one.

Snakemake's own lock outlives a killed run and has to be removed by hand, while the jobs of that run may still be
writing. These locks belong to open files, so the system itself ends them with the process, however it dies: a run
holds one alone, every job shares another, and a new run first waits until no job of an earlier one is left.

A job may also begin after its run has died: it waited in a scheduler's queue. Every run therefore has a name, which its
jobs inherit and the folder holds, and a job whose run is not the folder's any more ends before it touches anything.
"""

import fcntl
import json
import logging
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TextIO

from biasorigin.artefacts import save_text
from biasorigin.errors import UserError

logger = logging.getLogger(__name__)

FOLDER = Path(".snakemake") / "biasorigin"
LEAST_FREE = 100_000_000  # bytes without which no run is begun
RUN = "BIASORIGIN_RUN"  # the environment variable by which jobs inherit the name of their run


def require_room(folder: Path, least: int = LEAST_FREE) -> None:
    """Refuse a folder that cannot be written to, or whose disk is full, before anything is touched."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise _cannot_work_in(folder, error) from error
    if free < least:
        raise UserError(
            f"Only {free / 1e6:.1f} MB are free on the disk of {folder.resolve()}; a run needs {least / 1e6:.0f} MB to "
            "begin with. Free some space, or name another folder with --directory. Nothing was changed."
        )


def name_run(config: dict) -> None:
    """Give this process, and the jobs that it will start, the name of a new run: random, and a digest of the config."""
    os.environ[RUN] = f"{secrets.token_hex(8)}-{_digest(config)}"


def claim_folder(folder: Path = FOLDER) -> TextIO:
    """Make this process the folder's only run, for as long as the returned file is open."""
    run = _open(folder / "run.lock")
    if not _lock(run, fcntl.LOCK_EX | fcntl.LOCK_NB):
        raise UserError(
            f"Another run is at work in this folder: process {run.read().strip() or 'unknown'}. "
            "Wait until it ends, stop it, or work in another folder (--directory)."
        )
    run.truncate()
    run.write(f"{os.getpid()} on {os.uname().nodename}\n")
    run.flush()
    if RUN in os.environ:
        save_text(folder / "run.name", os.environ[RUN])
    return run


def join_run(config: dict | None = None, folder: Path = FOLDER) -> TextIO | None:
    """Mark this process as a job at work, while the returned file is open; None outside a run's folder.

    A job of an earlier run is refused. It joins before it looks at the name, and a run leaves its name before it waits
    for jobs: so either the new run waits for this job, or this job sees the new name. A job that has read another
    configuration than its run is refused too: its results would be recorded as made with that of the run.
    """
    if config is not None and RUN in os.environ and not os.environ[RUN].endswith(f"-{_digest(config)}"):
        raise UserError(
            "The configuration was edited while this job waited to begin. It ends here, and nothing was changed: "
            "put the old configuration back, or let the run end and give the command again."
        )
    if not folder.is_dir():
        return None
    job = _open(folder / "jobs.lock")
    _lock(job, fcntl.LOCK_SH)
    name = folder / "run.name"
    if RUN in os.environ and name.exists() and name.read_text() != os.environ[RUN]:
        raise UserError(
            "This job belongs to an earlier run, and another one has begun in this folder since. "
            "It ends here, and nothing was changed: the new run does its work."
        )
    return job


def wait_for_jobs(say: Callable[[str], None], repeat: float = 300, folder: Path = FOLDER) -> None:
    """Return when no job of an earlier run is left; until then say so every now and then, with what can be done."""
    with _open(folder / "jobs.lock") as jobs:
        begun, told = time.monotonic(), 0
        while not _lock(jobs, fcntl.LOCK_EX | fcntl.LOCK_NB):
            waited = time.monotonic() - begun
            if waited >= told * repeat:
                told += 1
                say(
                    "Jobs of an earlier, killed run are still at work in this folder. Waiting for them to end"
                    + (f", {waited / 60:.0f} min so far." if told > 1 else ".")
                    + f" To stop them instead: they hold {(folder / 'jobs.lock').resolve()} open (fuser names them)."
                )
            time.sleep(0.2)


def _digest(config: dict) -> str:
    """The same for the same configuration, in whatever order it is written."""
    return blake2b(json.dumps(config, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()


def _open(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise _cannot_work_in(path.parent, error) from error


def _cannot_work_in(folder: Path, error: OSError) -> UserError:
    return UserError(
        f"Cannot write in {folder.resolve()}: {error.strerror}. A run needs a folder that it can write to: "
        "check permissions and the disk, or name another folder with --directory. Nothing was changed."
    )


def _lock(file: TextIO, kind: int) -> bool:
    """Take a lock; False if another process has it. A file system without locks counts as free, and says so."""
    file.seek(0)
    try:
        fcntl.flock(file, kind)
    except BlockingIOError:
        return False
    except OSError as error:
        logger.warning("This file system has no locks (%s): see yourself that only one run is at work.", error.strerror)
    return True
