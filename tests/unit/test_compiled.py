"""Kernels compile with a cache where there is a place for one, and without where there is none."""

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
