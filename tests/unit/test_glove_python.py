"""glove-python-binary's vectors come back in our order; without its interpreter there is one clear line.

The hand-over is tested with a stand-in of the package in this interpreter and, where BIASORIGIN_GLOVE_PYTHON names
an interpreter that has the package itself, with that one too.
"""

import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from biasorigin.errors import UserError
from biasorigin.glove_python import GlovePythonSettings, find_interpreter, has_package, train_glove_python

RUNNER = Path(__file__).resolve().parents[2] / "workflow" / "scripts" / "run_glove_python.py"

# Same classes and arguments as the package's; trains nothing, but uses everything it is given.
STAND_IN = """
import numpy as np


class Corpus:
    def __init__(self, dictionary):
        self.dictionary = dictionary

    def fit(self, corpus, window):
        size = len(self.dictionary)
        self.matrix = np.zeros((size, size))
        for document in corpus:
            assert isinstance(document, list)
            rows = [self.dictionary[word] for word in document]
            for place, row in enumerate(rows):
                for other in rows[max(0, place - window):place]:
                    self.matrix[min(row, other), max(row, other)] += 1


class Glove:
    def __init__(self, no_components, learning_rate, alpha, max_count, max_loss, random_state):
        self.dim, self.random_state = no_components, random_state

    def fit(self, matrix, epochs, no_threads, verbose):
        assert no_threads == 1
        full = matrix + matrix.T
        noise = np.random.RandomState(self.random_state).rand(len(full), self.dim) * 1e-3
        values, vectors = np.linalg.eigh(full)
        self.word_vectors = vectors[:, -self.dim:] * values[-self.dim:] + noise
        print("Epoch 0")
"""


def interpreter_with_stand_in(folder):
    (folder / "glove").mkdir()
    (folder / "glove" / "__init__.py").write_text(STAND_IN)
    return script(folder / "python", f'PYTHONPATH="{folder}" exec "{sys.executable}" "$@"')


def script(path, line):
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture(params=["stand-in", *filter(None, [os.environ.get("BIASORIGIN_GLOVE_PYTHON")])])
def interpreter(request, tmp_path):
    return interpreter_with_stand_in(tmp_path) if request.param == "stand-in" else Path(request.param)


@pytest.fixture
def corpus():
    """Documents about one of two topics: words 0 to 4 stand together, and words 5 to 9 do."""
    random = np.random.default_rng(2)
    topics = np.repeat(random.integers(0, 2, 800), 10)
    return (random.integers(0, 5, 8000) + 5 * topics).astype(np.int32), np.arange(0, 8001, 10)


def test_vectors_come_back_in_our_order_and_the_same_for_the_same_seed(interpreter, corpus):
    assert has_package(interpreter)
    settings = GlovePythonSettings(dim=3, window=4, epochs=40)
    vectors = train_glove_python(interpreter, RUNNER, 10, *corpus, settings, seed=1)
    assert vectors.shape == (10, 3)
    assert vectors.dtype == np.float32
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[:5, :5].mean() > cosines[:5, 5:].mean() + 0.2
    np.testing.assert_array_equal(vectors, train_glove_python(interpreter, RUNNER, 10, *corpus, settings, seed=1))
    assert not np.array_equal(vectors, train_glove_python(interpreter, RUNNER, 10, *corpus, settings, seed=2))


def test_a_failure_in_the_other_interpreter_is_one_line(tmp_path, corpus):
    with pytest.raises(UserError, match=r"failed in .*No module named 'glove'") as raised:
        train_glove_python(Path(sys.executable), RUNNER, 10, *corpus, GlovePythonSettings(), seed=1)
    assert "\n" not in str(raised.value)
    silent = script(tmp_path / "python", "exit 0")
    with pytest.raises(UserError, match="left no vectors"):
        train_glove_python(silent, RUNNER, 10, *corpus, GlovePythonSettings(), seed=1)


def test_vectors_that_are_not_what_was_asked_for_are_refused(tmp_path, corpus):
    other = script(
        tmp_path / "python",
        f'exec "{sys.executable}" -c \'import numpy, sys; numpy.save(sys.argv[1] + "/vectors.npy", '
        'numpy.full((10, 75), numpy.nan, "f4")[: int(sys.argv[2])])\' "$2" "$ROWS"',
    )
    for rows, message in (("9", r"expected float32 \(10, 75\)"), ("10", "NaN or infinity")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ROWS", rows)
            with pytest.raises(UserError, match=message):
                train_glove_python(other, RUNNER, 10, *corpus, GlovePythonSettings(), seed=1)


def test_without_an_old_interpreter_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"there is none of that name.*envs/glove-python.yaml") as raised:
        find_interpreter("python3.8")
    assert "\n" not in str(raised.value)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    with pytest.raises(UserError, match=f"is Python {version}"):
        find_interpreter(sys.executable)
    script(tmp_path / "python3.8", "exit 127")
    with pytest.raises(UserError, match="does not run"):
        find_interpreter("python3.8")


def test_an_interpreter_that_pyenv_keeps_is_found_behind_a_command_that_refuses(tmp_path, monkeypatch):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    script(tmp_path / "python3.8", "exit 127")
    kept = tmp_path / "versions" / "3.8.99" / "bin" / "python"
    kept.parent.mkdir(parents=True)
    script(kept, 'echo "[3, 8]"')
    assert find_interpreter("python3.8") == (kept, "3.8")
