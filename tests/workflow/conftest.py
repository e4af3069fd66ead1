"""Copies of the project in which a study has run, to be edited and run again."""

import pytest
from project_copy import copy_project


@pytest.fixture(scope="session")
def corpus_run(tmp_path_factory):
    """The smoke study's corpus stage, run once."""
    copy = copy_project(tmp_path_factory.mktemp("project"))
    copy.snakemake("--configfile", "config/smoke.yaml", "--", "corpus")
    return copy
