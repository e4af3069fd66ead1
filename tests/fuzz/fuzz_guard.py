"""One case of fuzzing under guard: what a reader may do with bytes from anywhere, and what it may not.

Allowed are a result that satisfies its target's check, and a UserError of one printable line. Anything else is a
finding: another exception, a hang, memory out of proportion, a write outside the case's folder, a process, a
connection, an unpickled object.
"""

import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from biasorigin.errors import UserError

MOST_CPU_SECONDS = 30  # of processor time, so that a machine that pauses does not matter
MOST_MEMORY = 1 << 29  # bytes of address space beyond what the process had; inputs are far smaller
LONGEST_MESSAGE = 2000
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"os.mkdir": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2, "os.remove": 1, "os.rmdir": 1, "os.chmod": 1}
FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "pickle.find_class")


class ViolationError(Exception):
    """Something that input must never be able to bring about."""


class _Watch:
    """Sees what the interpreter does on behalf of a case; an audit hook cannot be taken away, only be idle."""

    folder: str | None = None
    thread: int = 0
    seen: str | None = None

    def __call__(self, event: str, arguments: tuple) -> None:
        if self.folder is None or threading.get_ident() != self.thread:
            return
        if event == "open":
            path, _, flags = arguments
            outside = isinstance(flags, int) and flags & WRITING and self._outside(path)
        elif event in CHANGES:
            by_descriptor = isinstance(arguments[-1], int) and arguments[-1] >= 0 and event != "os.chmod"
            outside = not by_descriptor and any(self._outside(path) for path in arguments[: CHANGES[event]])
        else:
            outside = event in FORBIDDEN
        if outside and not _compiling():
            self.seen = self.seen or f"{event} {arguments!r}"[:300]

    def _outside(self, path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor that is open already
        above, name = os.path.split(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100
        full = f"{os.path.realpath(above)}{os.sep}{name}{os.sep}"
        return not full.startswith(self.folder)


def _compiling() -> bool:
    """numba keeps compiled kernels in files of its own, whenever it meets a type for the first time."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("numba."):
            return True
        frame = frame.f_back
    return False


_watch = _Watch()
sys.addaudithook(_watch)


def run_case(check: Callable[[bytes, Path], None], data: bytes, folder: Path) -> str | None:
    """Give the bytes to a target in an emptied folder: None if they were read, else the message that refuses them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with _limits(), _watched(folder):
        try:
            check(data, folder)
            return None
        except UserError as error:
            _require_one_line(str(error))
            return str(error)


def warm_up(check: Callable[[bytes, Path], None], inputs: list[bytes], folder: Path) -> None:
    """Read valid inputs without guard: thread pools and compiled kernels take their memory once."""
    for data in inputs:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with suppress(UserError):
            check(data, folder)


@contextmanager
def case_folder() -> Iterator[Path]:
    """A folder for cases, away from everything else."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        yield Path(folder).resolve() / "case"


def _require_one_line(message: str) -> None:
    if not message.strip() or len(message) > LONGEST_MESSAGE:
        raise ViolationError(f"a message of {len(message)} characters: {message[:100]!r}")
    if len(message.splitlines()) != 1 or not message.isprintable():
        raise ViolationError(f"a message that is not one printable line: {message!r}"[:500])


@contextmanager
def _watched(folder: Path) -> Iterator[None]:
    _watch.thread, _watch.seen, _watch.folder = threading.get_ident(), None, f"{folder}{os.sep}"
    try:
        yield
    finally:
        _watch.folder = None
    if _watch.seen:
        raise ViolationError(f"the input brought about {_watch.seen}")


@contextmanager
def _limits() -> Iterator[None]:
    """Bound memory and processor time, as far as the system lets us, and lift the bounds again."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    statm = Path("/proc/self/statm")
    timed = threading.current_thread() is threading.main_thread()
    if statm.exists():
        size = int(statm.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MOST_MEMORY, before[1]))
    if timed:
        earlier = signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, MOST_CPU_SECONDS)
    try:
        yield
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, earlier)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _too_long(*_) -> None:
    raise ViolationError(f"still at work after {MOST_CPU_SECONDS} seconds of processor time")
