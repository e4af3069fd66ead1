"""The smoke study, run once in peace: what every other run must give to the byte."""

import pytest
from smoke_study import artefacts, finish, start


@pytest.fixture(scope="session")
def expected(tmp_path_factory):
    """Digests of all artefacts of an undisturbed run on this machine."""
    folder = tmp_path_factory.mktemp("undisturbed")
    finish(start(folder, "--cores", "2"), folder)
    return artefacts(folder)
