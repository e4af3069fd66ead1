"""Progress that a person can follow in a terminal and read later in a log."""

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_LINES = 5.0


def track(items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:
    """Hand the items on, and log how many are done and how long the rest will take, every few seconds."""
    if total is None and hasattr(items, "__len__"):
        total = len(items)
    start = last = time.monotonic()
    done = 0
    for item in items:
        yield item
        done += 1
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES:
            last = now
            logger.info("%s: %s", description, _state(done, total, now - start))
    logger.info("%s: %s done in %s", description, f"{done:,}", duration(time.monotonic() - start))


def duration(seconds: float) -> str:
    """Seconds in words short enough for a progress line, e.g. `3 min 20 s`."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def _state(done: int, total: int | None, elapsed: float) -> str:
    if not total:
        return f"{done:,} so far"
    left = elapsed / done * (total - done)
    return f"{done:,} of {total:,} ({done / total:.0%}), {duration(left)} left"
