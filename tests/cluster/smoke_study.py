"""The smoke study, run in a folder of its own, and everything that it left there."""

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
STAGES = (os.environ.get("STAGES") or "all").split()  # how much of the study the tests run
# What tells of a run rather than of the study: how long it took, what it printed, and its own configuration's paths.
ABOUT_THE_RUN = ("logs", "benchmarks")


def start(folder: Path, *options: str, targets=STAGES, profile="default", environment=None, output=None):
    """Start the study in the folder, in a session of its own; what it prints goes to `output` or output.log there."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", str(PROJECT / "profiles" / profile)]
    command += ["--configfile", "config/smoke.yaml", "--directory", str(folder), *options, "--", *targets]
    with (output or folder / "output.log").open("ab") as file:
        return subprocess.Popen(
            command, cwd=PROJECT, env=environment, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
        )


def finish(run: subprocess.Popen, folder: Path) -> str:
    """Wait for the end, which must be a good one, and return all that was printed."""
    try:
        code = run.wait(1200)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        code = "no end after 20 minutes"
    printed = (folder / "output.log").read_text(errors="replace")
    assert code == 0, f"The run ended with {code}:\n{printed[-6000:]}"
    return printed


def artefacts(folder: Path) -> dict[str, str]:
    """A digest of every file of the results, logs and times aside."""
    results = folder / "results"
    files = [path for path in sorted(results.rglob("*")) if path.is_file()]
    names = {path: path.relative_to(results) for path in files}
    return {
        str(name): hashlib.sha256(path.read_bytes()).hexdigest()
        for path, name in names.items()
        if name.parts[0] not in ABOUT_THE_RUN
    }


def differences(found: dict[str, str], expected: dict[str, str]) -> dict[str, list[str]]:
    """Which artefacts are missing, too many, or have other bytes."""
    return {
        "missing": sorted(expected.keys() - found.keys()),
        "too many": sorted(found.keys() - expected.keys()),
        "other bytes": sorted(name for name in found.keys() & expected.keys() if found[name] != expected[name]),
    }
