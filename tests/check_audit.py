"""Look every pinned requirement up among the known vulnerabilities, with pip-audit.

python tests/check_audit.py

Ends with 0 if each was looked up and none is known to be vulnerable, with 1 if one is, and with 2 if any could not be
looked up: pip-audit by itself calls a list clean of which it could look up nothing.
"""

import json
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LOCK = PROJECT / "requirements.lock"
SERVICES = ("pypi", "osv")  # pip-audit's names of its sources, asked one after the other


def verdict(dependencies: list[dict]) -> tuple[int, list[str]]:
    """How the audit ends, and what is said, from pip-audit's list of dependencies."""
    vulnerable = [one for one in dependencies if one.get("vulns")]
    skipped = [one["name"] for one in dependencies if "skip_reason" in one]
    lines = [
        f"{one['name']} {one['version']}: {found['id']}, corrected in {', '.join(found['fix_versions']) or 'none'}."
        for one in vulnerable
        for found in one["vulns"]
    ]
    checked = len(dependencies) - len(skipped)
    lines.append(f"{checked} of {len(dependencies)} requirements were looked up, {len(vulnerable)} are vulnerable.")
    if skipped or not dependencies:
        lines.append(f"NOT AUDITED: {len(skipped)} requirements could not be looked up. Run this where the service is.")
    return (1 if vulnerable else 2 if skipped or not dependencies else 0), lines


def audit(service: str) -> list[dict]:
    """pip-audit's list of dependencies; empty if it could not run."""
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv), "tool", "run", "--quiet", "pip-audit", "--requirement", str(LOCK), "--require-hashes"]
    command += ["--disable-pip", "--format", "json", "--progress-spinner", "off", "--vulnerability-service", service]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(run.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (run.stderr.strip() or "no reason given").splitlines()[-1]
        print(f"The service {service} cannot be asked: {reason[:300]}")
        return []


if __name__ == "__main__":
    for name in SERVICES:
        code, said = verdict(audit(name))
        print(f"By the service {name}:", *said, sep="\n  ")
        if code != 2:
            break
    sys.exit(code)
