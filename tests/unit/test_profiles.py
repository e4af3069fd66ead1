"""The profiles for clusters say the same, but for the commands of the scheduler."""

from pathlib import Path

import yaml

PROFILES = Path(__file__).resolve().parents[2] / "profiles"


def settings(name, own):
    """A profile without its comments and without the keys that begin as given."""
    profile = yaml.safe_load((PROFILES / name / "config.yaml").read_text())
    return {key: value for key, value in profile.items() if not key.startswith(("executor", own))}


def test_the_generic_profile_has_not_drifted_from_that_for_slurm():
    assert settings("generic", "cluster-generic-") == settings("slurm", "slurm-")


def test_every_profile_lets_a_killed_run_go_on():
    for name in ("default", "slurm", "generic"):
        profile = settings(name, "executor")
        assert profile["nolock"] is True, name
        assert profile["rerun-incomplete"] is True, name
