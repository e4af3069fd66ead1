# What every rules file uses: the checked configuration, slices of it, the code of a script, constraints.

import glob
import os
import sys
from contextlib import contextmanager

# Spinning OpenMP threads cost more than they bring on few cores; every job inherits this.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

SCRIPTS = PROJECT / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

import yaml
from snakemake.exceptions import WorkflowError
from snakemake.io import flag

from biasorigin.artefacts import save_text
from biasorigin.claims import cores, need
from biasorigin.config import load_yaml, names_in, resolve
from biasorigin.errors import UserError
from biasorigin.imports import files_of, purpose_of
from biasorigin.one_run import RUN, claim_folder, join_run, name_run, require_room, wait_for_jobs
from biasorigin.slurm_queue import cancel_remains


@contextmanager
def one_line_errors():
    """Let Snakemake end with the one line of a user's mistake, and without a traceback."""
    try:
        yield
    except UserError as error:
        raise WorkflowError(str(error)) from None


@one_line_errors()
def checked_config():
    """The configuration with the sources of data/sources.yaml, inheritance resolved and everything checked."""
    given = {**config, "sources": {**load_yaml(PROJECT / "data" / "sources.yaml"), **(config.get("sources") or {})}}
    return resolve(given, load_yaml(PROJECT / "workflow" / "schemas" / "config.schema.yaml"))


config.update(checked_config())


@one_line_errors()
def enter_folder():
    """A run needs room to work in. A job's own Snakemake counts as a job at work from here on, as its script will."""
    if not workflow.is_main_process:
        return join_run(config)
    name_run(config)
    return require_room(Path.cwd())


AT_WORK = enter_folder()


envvars:
    RUN,


CORPORA = config["study"]["corpora"]
EMBEDDINGS = config["study"]["embeddings"]


wildcard_constraints:
    source="[A-Za-z0-9_]+",
    corpus="[A-Za-z0-9_]+",
    embedding="[A-Za-z0-9_]+",
    seed="[0-9]+",
    shard="[0-9]+",


def seen_from_here(path):
    """A path of the project as the working folder sees it: relative where it lies below, so that it can be moved."""
    path = Path(path)
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def code_of(script):
    """The script and every library module that it imports: an edit of any of them reruns the rule."""
    return [seen_from_here(path) for path in files_of(SCRIPTS / script)]


def settings_of(section, name):
    """A function of the wildcards that gives the settings of one named entry, e.g. of the corpus in `{corpus}`."""
    return lambda wildcards: config[section][getattr(wildcards, name)]


def setting_of(section, name, *keys):
    """Like `settings_of`, but only the given keys, so that a change of another one reruns nothing."""
    return lambda wildcards: {key: config[section][getattr(wildcards, name)].get(key) for key in keys}


def seeds_of(embedding):
    """The seeds of an embedding; a debiased one has those of its base, one that is not trained here the single seed 0."""
    settings = config["embeddings"][embedding]
    return seeds_of(settings["base"]) if "base" in settings else settings.get("seeds", [0])


WORD_SET_FILES = [seen_from_here(path) for path in sorted((PROJECT / "config" / "word_sets").glob("*.yaml"))] + [
    str(path) for path in config["word_sets"]["files"]
]


def prepare_rules():
    """What holds for every rule is said once, here.

    A rule keeps its earlier results until the new ones are complete; it says what it does in the words of its script's
    first line, instead of listing its files; it runs in the project's environment where one is asked for
    (--software-deployment-method conda).
    """
    for one in workflow.rules:
        for file in one.output:
            file._file = flag(file._file, "update")
        if one.script:
            text = purpose_of(SCRIPTS / Path(one.script).name).replace("{", "{{").replace("}", "}}")
            one.message = one.message or (f"{text} [{{wildcards}}]" if one.wildcard_names else text)
            one.conda_env = one.conda_env or str(PROJECT / "envs" / "biasorigin.yaml")


@one_line_errors()
def start_run():
    """Let only one run work in a folder, and none beside jobs that a killed run left behind."""
    global AT_WORK
    AT_WORK = claim_folder()
    if workflow.executor_plugin.name == "slurm":
        remember_slurm_jobs()
        cancel_remains(Path.cwd(), print)
    wait_for_jobs(print)


def write_run_config():
    """Leave the whole configuration of this run beside its results."""
    text = yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True)
    save_text("results/run_config.yaml", f"# The whole configuration of the last run, as merged and checked.\n{text}")


def closing_words():
    """What a person wants to know when the run is over: the study's summary, where it has been made."""
    summary = Path("results/report/summary.txt")
    if summary.exists():
        return f"\n{summary.read_text()}"
    return "\nThe tables and figures are in results/, one folder a stage; results/README.md says what is what."
