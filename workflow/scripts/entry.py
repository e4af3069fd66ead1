"""What every script does around its one function: log, limit threads, turn bad input into one line.

BLAS and OpenMP get one thread each, because their results may depend on how many they have; numba kernels get
all of the rule's threads, because ours give the same bytes for any number.
"""

import inspect
import logging
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.one_run import join_run


def run(function: Callable, log: Iterable[str] = (), *, threads: int = 1, **arguments) -> None:
    """Call the function with the arguments; exit with 1 and one line on bad input."""
    if "threads" in inspect.signature(function).parameters:
        arguments["threads"] = threads
    try:
        at_work = join_run()  # noqa: F841 - held until the process ends
        _start_logging([Path(path) for path in log])
        _limit_threads(threads)
        function(**arguments)
        logging.getLogger("biasorigin").info("Took %.2f s of processor time and %.0f MB at most.", *_cost())
    except UserError as error:
        logging.getLogger("biasorigin").error("Error: %s", error)
        sys.exit(1)
    except OSError as error:
        if error.errno is None or not error.strerror:
            raise
        place = f" {error.filename}" if error.filename else ""
        logging.getLogger("biasorigin").error(
            "Error: the system refused%s: %s. Check the disk and its permissions, and run again.", place, error.strerror
        )
        sys.exit(1)


def _cost() -> tuple[float, float]:
    """Processor seconds and peak memory (MB) of this process and those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    unit = 1 if sys.platform == "darwin" else 1024
    return sum(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used) * unit / 1e6


def _start_logging(paths: list[Path]) -> None:
    logging.raiseExceptions = False  # a full disk, on which no log can be written either, is reported once, below
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(path, mode="w", encoding="utf-8"))
    logging.basicConfig(
        level=logging.WARNING, handlers=handlers, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", force=True
    )
    for name in ("biasorigin", "__main__"):
        logging.getLogger(name).setLevel(logging.INFO)


def _limit_threads(threads: int) -> None:
    if "numba" in sys.modules:
        import numba

        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    if "numpy" in sys.modules:
        import threadpoolctl

        threadpoolctl.threadpool_limits(1)
