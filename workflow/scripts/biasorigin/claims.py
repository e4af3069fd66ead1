"""What a job asks of the machine that is to run it, by the size of its input and by how often it was tried."""

from collections.abc import Callable
from pathlib import Path


def need(base: float, per_mb: float = 0.0, *names: str) -> Callable[..., int]:
    """A job's claim on memory (MB) or time (minutes): it grows with the named inputs, and with each new attempt."""
    return lambda wildcards, input, attempt: int(base + per_mb * megabytes(input, names)) * attempt


def cores(base: int, mb_each: float, *names: str, most: int = 16) -> Callable[..., int]:
    """A job's claim on threads: one more for each so many MB of the named inputs, up to `most`."""
    return lambda wildcards, input: min(most, base + int(megabytes(input, names) / mb_each))


def megabytes(inputs: object, names: tuple[str, ...]) -> float:
    """The size of the named inputs, each a file or several; those that have not been made yet count nothing."""
    given = [getattr(inputs, name) for name in names]
    files = [Path(file) for one in given for file in ([one] if isinstance(one, str) else one)]
    return sum(file.stat().st_size for file in files if file.exists()) / 1e6
