"""The conda environment and the container recipe have the pins of the lock."""

import importlib.util
import re
from pathlib import Path

import pytest
import yaml

ENVS = Path(__file__).resolve().parents[2] / "envs"
spec = importlib.util.spec_from_file_location("generate", ENVS / "generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


@pytest.mark.parametrize("name", generate.FILES)
def test_nothing_has_drifted_from_the_lock(name):
    assert (ENVS / name).read_text() == generate.FILES[name](), "run `make lock` or `python envs/generate.py`"


def test_the_conda_environment_lists_every_pin_with_all_its_hashes():
    environment = yaml.safe_load((ENVS / "biasorigin.yaml").read_text())
    listed = next(one["pip"] for one in environment["dependencies"] if isinstance(one, dict))
    lock = (ENVS.parent / "requirements.lock").read_text()
    assert len(listed) == len(re.findall(r"^[a-z0-9._-]+==", lock, re.M))
    assert all(re.fullmatch(r"[a-z0-9._-]+==\S+( ; [^-]+?)?( --hash=sha256:[0-9a-f]{64})+", one) for one in listed)
    assert sum(one.count("--hash=") for one in listed) == lock.count("--hash=")
    assert any(one.startswith("snakemake==") for one in listed)


def test_the_lock_has_hashes_and_no_addresses():
    lock = (ENVS.parent / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock
    assert "--index-url" not in lock
