"""Write the conda environment and the container recipe from the pins in requirements.lock: python envs/generate.py

Both are made from the same pins as the virtual environment; a test says whether they have drifted from the lock.
"""

import re
from pathlib import Path

ENVS = Path(__file__).resolve().parent
HEADER = "# Made by envs/generate.py from requirements.lock: edit pyproject.toml, then `make lock`.\n"


def pins() -> list[str]:
    """The pinned requirements with their markers and hashes, each in one line."""
    text = (ENVS.parent / "requirements.lock").read_text()
    return re.sub(r" *\\\n *", " ", text).splitlines()


def conda_environment() -> str:
    """For `snakemake --software-deployment-method conda`, which hands the pins to pip, and pip checks the hashes."""
    listed = "".join(f'      - "{pin}"\n' for pin in pins())
    head = "name: biasorigin\nchannels:\n  - conda-forge\n  - nodefaults\n"
    return f"{HEADER}{head}dependencies:\n  - python=3.11\n  - pip\n  - pip:\n{listed}"


def container_recipe() -> str:
    """For Docker, Podman or Apptainer; the hashes are checked while it is built."""
    return (
        f"{HEADER}FROM python:3.11-slim\n"
        "COPY requirements.lock /tmp/requirements.lock\n"
        "RUN python -m pip install --no-cache-dir --require-hashes -r /tmp/requirements.lock\n"
        "WORKDIR /study\n"
    )


FILES = {"biasorigin.yaml": conda_environment, "Containerfile": container_recipe}

if __name__ == "__main__":
    for name, make in FILES.items():
        (ENVS / name).write_text(make())
