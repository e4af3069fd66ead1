"""The smoke study, run once in peace: what every other run must give to the byte."""

import time
from dataclasses import dataclass

import pytest
from smoke_study import artefacts, finish, start


@dataclass(frozen=True)
class Undisturbed:
    """Digests of all artefacts of an undisturbed run on this machine, and how long it took."""

    digests: dict[str, str]
    seconds: float


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    begun = time.monotonic()
    finish(start(folder, "--cores", "2"), folder)
    return Undisturbed(artefacts(folder), time.monotonic() - begun)
