"""A full or read-only disk costs one clear line, and nothing that was made before.

    make test-cluster CHECKS=disk

Needs root, because a small file system is mounted for it.
"""

import os
import re
import subprocess
import time

import pytest
from smoke_study import artefacts, differences, finish, start

TARGET = "results/embeddings/glove_made_up/stationarity_bands.tsv"


@pytest.fixture
def disk(tmp_path):
    """A file system of 120 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def run_again(folder, *options, **others):
    return start(folder, "--cores", "2", *options, targets=[TARGET], **others)


def refused(folder):
    """What is printed by a run that must end with an error."""
    run = run_again(folder, "--forcerun", "train_glove", output=folder.parent / "output.log")
    assert run.wait(300) != 0
    return (folder.parent / "output.log").read_text()


def fill(folder, leave):
    """Fill the disk up to so many bytes."""
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_bsize
    (folder / "ballast").write_bytes(bytes(free - leave))


def test_a_full_and_a_read_only_disk(disk):
    finish(run_again(disk), disk)
    before = artefacts(disk)

    # Full from the beginning: refused before anything is touched.
    fill(disk, 1_000_000)
    printed = refused(disk)
    assert re.search(r"Only \d\.\d MB are free on the disk of .*Free some space", printed)
    assert "Traceback" not in printed
    assert not any(differences(artefacts(disk), before).values())

    # Full in the middle: the job says so, and what it would have replaced is still there.
    (disk / "ballast").unlink()
    log = disk / "results" / "logs" / "embeddings" / "glove_made_up" / "train_glove_seed_1.log"
    log.unlink()
    run = run_again(disk, "--forcerun", "train_glove", output=disk.parent / "middle.log")
    while run.poll() is None and not log.exists():
        time.sleep(0.02)
    fill(disk, 0)
    assert run.wait(300) != 0
    printed = (disk.parent / "middle.log").read_text()
    assert re.search(
        r"Could not write results/\S+: No space left on device\. Nothing was changed there; free some", printed
    )
    found = differences(artefacts(disk), before)
    assert not found["missing"], found
    assert not found["other bytes"], found

    # Read-only: refused.
    (disk / "ballast").unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    printed = refused(disk)
    assert re.search(r"Cannot write in .*: Read-only file system\. A run needs a folder", printed)
    assert "Traceback" not in printed

    # With room again, the same command brings it to an end, and the bytes are the same.
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    finish(run_again(disk), disk)
    assert not any(differences(artefacts(disk), before).values())
