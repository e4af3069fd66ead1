"""glove-python-binary as a trainer: it runs in an old interpreter of its own and hands its vectors back as an array.

The package keeps one set of vectors where GloVe has two, so there are no context vectors: measures of association
work on its result, attribution to documents does not.
"""

import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from biasorigin.artefacts import save_array, save_json
from biasorigin.errors import UserError

logger = logging.getLogger(__name__)

VERSIONS = ("3.6", "3.7", "3.8")  # for which glove-python-binary has wheels
PACKAGE = "glove-python-binary==0.2.0"
WHAT_TO_DO = (
    "Install Python 3.8 and name it in `interpreter`, or make the environment of envs/glove-python.yaml and name its "
    "python there, or use `kind: glove`, which needs no other interpreter."
)


@dataclass(frozen=True)
class GlovePythonSettings:
    """The package's settings; `alpha` and `x_max` are those of GloVe's weights, `max_loss` clips a pair's gradient."""

    dim: int = 75
    window: int = 8
    epochs: int = 50
    learning_rate: float = 0.05
    alpha: float = 0.75
    x_max: float = 100.0
    max_loss: float = 10.0


def find_interpreter(name: str) -> tuple[Path, str]:
    """(path, version such as `3.8`) of a working interpreter: a command, a path, or a version that pyenv has."""
    tried = []
    for candidate in _candidates(name):
        version = _version_of(candidate)
        if version in VERSIONS:
            return candidate, version
        tried.append(f"{candidate} " + (f"is Python {version}" if version else "does not run"))
    found = "; ".join(tried) or "there is none of that name"
    raise UserError(
        f"glove-python-binary needs Python {', '.join(VERSIONS[:-1])} or {VERSIONS[-1]}, but for the interpreter "
        f"“{name}” this was found: {found}. {WHAT_TO_DO}"
    )


def has_package(interpreter: Path) -> bool:
    """Whether the interpreter can import the package as it is."""
    return _run([interpreter, "-c", "import glove, numpy; glove.Glove, glove.Corpus"]).returncode == 0


def make_environment(interpreter: Path, folder: Path) -> Path:
    """A virtual environment in `folder` with the package from the user's index; returns its interpreter."""
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "bin" / "python"
    for doing, command in (
        ("make a virtual environment", [interpreter, "-m", "venv", folder]),
        # Wheels only: building a source package would run its code and need a compiler.
        (f"install {PACKAGE}", [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", PACKAGE]),
    ):
        logger.info("%s: %s", interpreter, doing)
        ran = _run(command)
        if ran.returncode:
            raise UserError(f"Could not {doing} with {interpreter}: {_last_line(ran)}. {WHAT_TO_DO}")
    if not has_package(python):
        raise UserError(f"{PACKAGE} was installed with {interpreter}, but cannot be imported. {WHAT_TO_DO}")
    return python


def train_glove_python(
    interpreter: Path,
    runner: Path,
    words: int,
    tokens: np.ndarray,
    offsets: np.ndarray,
    settings: GlovePythonSettings,
    seed: int,
) -> np.ndarray:
    """(words, dim) float32 vectors, trained by `runner` in the given interpreter on the corpus' token rows."""
    with tempfile.TemporaryDirectory(prefix="glove-python-") as name:
        folder = Path(name)
        save_array(folder / "tokens.npy", tokens)
        save_array(folder / "offsets.npy", offsets)
        save_json(folder / "settings.json", {**asdict(settings), "words": words, "seed": seed})
        ran = _run([interpreter, runner, folder])
        for line in ran.stdout.splitlines():
            logger.info("%s", line)
        if ran.returncode:
            raise UserError(f"glove-python-binary failed in {interpreter}: {_last_line(ran)}. {WHAT_TO_DO}")
        return _taken_back(folder / "vectors.npy", (words, settings.dim))


def _taken_back(path: Path, shape: tuple[int, int]) -> np.ndarray:
    """The vectors, if they are what was asked for."""
    try:
        vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise UserError(f"glove-python-binary left no vectors: {error}. {WHAT_TO_DO}") from error
    if vectors.shape != shape or vectors.dtype != np.float32:
        raise UserError(f"glove-python-binary gave {vectors.dtype} {vectors.shape}; expected float32 {shape}.")
    if not np.isfinite(vectors).all():
        raise UserError("glove-python-binary gave vectors with NaN or infinity. Lower learning_rate or max_loss.")
    return vectors


def _candidates(name: str) -> Iterator[Path]:
    path = shutil.which(Path(name).expanduser())
    if path:
        yield Path(path)
    # pyenv's commands on the search path refuse to run unless the version is chosen, but its folders are there.
    version = re.fullmatch(r"python(3\.\d+)", name)
    if version:
        root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
        yield from sorted(root.glob(f"versions/{version[1]}.*/bin/python"))


def _version_of(interpreter: Path) -> str | None:
    ran = _run([interpreter, "-c", "import json, sys; print(json.dumps(sys.version_info[:2]))"])
    try:
        major, minor = json.loads(ran.stdout)
    except ValueError:
        return None
    return f"{major}.{minor}"


def _run(command: list) -> subprocess.CompletedProcess:
    """Run a command without this process' Python settings."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    environment = {**kept, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    command = [str(part) for part in command]
    try:
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        return subprocess.CompletedProcess(command, 1, stdout="", stderr=str(error))


def _last_line(ran: subprocess.CompletedProcess) -> str:
    lines = [line for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"exit code {ran.returncode}"
