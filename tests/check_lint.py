"""Run `snakemake --lint` and pass over what is explained here; anything else is an error.

python tests/check_lint.py
"""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

EXPLAINED = {
    "Mixed rules and functions in same snakefile.": (
        "A function that gathers the files of one stage stands beside the rules of that stage, where its reader is; "
        "what several stages use is in common.smk."
    ),
}


def findings() -> list[str]:
    """What the linter says and nothing here explains, one line each."""
    command = [sys.executable, "-m", "snakemake", "--lint"]
    run = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines, place, understood = [], "", "Congratulations" in run.stdout
    for line in run.stdout.splitlines():
        if line.startswith("Lints for "):
            place = line.removeprefix("Lints for ").rstrip(":")
        elif line.startswith("    * "):
            understood = True
            title = line.removeprefix("    * ").rstrip(":")
            if title not in EXPLAINED:
                lines.append(f"{place}: {title}")
    return lines if understood else [run.stdout.strip()]


if __name__ == "__main__":
    found = findings()
    print("\n".join(found) if found else f"The workflow is clean; {len(EXPLAINED)} kind of finding is explained.")
    sys.exit(bool(found))
