"""A copy of the project that can be edited and run."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LIBRARY = PROJECT / "workflow" / "scripts" / "biasorigin"
PARTS = ("Snakefile", "config", "data", "envs", "profiles", "report", "workflow")


@dataclass(frozen=True)
class Copy:
    """A copy of the project and a way to run it."""

    folder: Path

    def snakemake(self, *arguments, cores=2, check=True, environment=None):
        """Run Snakemake in the copy; its output, errors included, as text."""
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        run = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if check and run.returncode:
            raise AssertionError(f"{' '.join(command)} failed:\n{run.stdout[-6000:]}")
        return run

    def to_be_run(self, *arguments):
        """The names of the rules that would run now."""
        text = self.snakemake("--dry-run", *arguments).stdout
        if "Nothing to be done" in text:
            return set()
        table = re.search(r"^job +count\n-.*?\n(.*?)^total ", text, re.M | re.S)
        return {line.split()[0] for line in table[1].splitlines()}

    def edit(self, path, old, new):
        """Replace text in a file of the copy; returns a function that undoes it."""
        path = self.folder / path
        before, times = path.read_text(), path.stat()
        assert old in before, f"{path} has no {old!r}"
        path.write_text(before.replace(old, new, 1))

        def undo():
            path.write_text(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # a script that is newer than its results reruns

        return undo


def copy_project(folder):
    """Copy what the workflow is made of, without results; compiled code is shared, so that it is made only once."""
    for part in PARTS:
        source = PROJECT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / part)
    for package in {module.parent for module in LIBRARY.rglob("*.py")}:
        compiled = package / "__pycache__"
        compiled.mkdir(exist_ok=True)
        (folder / compiled.relative_to(PROJECT)).symlink_to(compiled)
    return Copy(folder)
