"""Requirements are pinned by hash, installed by hash, and an audit that could not look is no clean one."""

import re
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tests"))

from check_audit import verdict  # noqa: E402

CLEAN = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "not found"}
BAD = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}


def requirements() -> list[str]:
    """The entries of the lock, each with its continuation lines."""
    text = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
    return [one for one in re.split(r"\n(?=\S)", text.strip()) if not one.startswith("#")]


def test_every_requirement_has_one_version_and_hashes():
    assert len(requirements()) > 50
    for one in requirements():
        assert re.match(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+( ;[^\n]*)? \\\n", one), one[:80]
        hashes = one.split("\\\n")[1:]
        assert hashes, one[:80]
        assert all(re.fullmatch(r"\s*--hash=sha256:[0-9a-f]{64}\s*", line) for line in hashes), one[:80]


@pytest.mark.parametrize("file", ["Makefile", "envs/Containerfile", "envs/biasorigin.yaml"])
def test_hashes_are_required_wherever_the_lock_is_installed(file):
    path = PROJECT / file
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if "pip install" in line and ".lock" in line
    ]
    assert all("--require-hashes" in line for line in lines)
    assert lines or file != "Makefile"


@pytest.mark.parametrize(
    ("dependencies", "code", "said"),
    [
        ([CLEAN], 0, "1 of 1 requirements were looked up, 0 are vulnerable"),
        ([CLEAN, BAD], 1, "c 2: X-1, corrected in 3."),
        ([CLEAN, SKIPPED], 2, "NOT AUDITED: 1 requirements"),
        ([SKIPPED, BAD], 1, "NOT AUDITED"),
        ([], 2, "NOT AUDITED"),
    ],
)
def test_an_audit_that_could_not_look_is_not_clean(dependencies, code, said):
    ended, lines = verdict(dependencies)
    assert ended == code
    assert said in "\n".join(lines)
