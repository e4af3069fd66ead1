"""Kernels compile with a cache where there is a place for one, and without where there is none."""

import subprocess
import sys

import numba
import pytest

from biasorigin.compiled import compiled


def half(number):
    """Half a number."""
    return number / 2


def test_a_kernel_runs():
    assert compiled()(half)(3.0) == 1.5


def test_a_division_by_zero_is_infinite():
    assert compiled()(lambda number: 1 / number)(0.0) == float("inf")


def test_nowhere_to_keep_a_kernel(monkeypatch):
    njit = numba.njit

    def without_a_place(*, cache=False, **options):
        def decorate(function):
            if cache:
                raise RuntimeError("cannot cache function: no locator available")
            return njit(**options)(function)

        return decorate

    monkeypatch.setattr(numba, "njit", without_a_place)
    assert compiled()(half)(5.0) == 2.5


def test_other_mistakes_are_not_hidden():
    with pytest.raises(numba.core.errors.TypingError):
        compiled()(half)("text")


def test_a_process_that_dies_between_index_and_kernel_leaves_no_old_kernel(tmp_path):
    """The cache of an edited source, cut short: the kernel of the old source must not run in its place."""
    source = tmp_path / "kernel.py"
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": ":".join([str(tmp_path), *sys.path])}

    def result(then=""):
        code = f"from kernel import *\n{then}\nprint(kernel(1))"
        run = subprocess.run(
            [sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        return run.stdout.strip()

    def write(number):
        source.write_text(f"from biasorigin.compiled import *\n@compiled()\ndef kernel(x):\n    return x + {number}\n")

    write(1)
    assert result() == "2"
    write(22)
    dies = "import os\nIndexDataCacheFile._save_data = lambda *_: os._exit(1)"
    assert result(dies) == ""
    assert result() == "23"
