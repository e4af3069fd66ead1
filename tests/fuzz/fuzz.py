"""Fuzz the readers for as long as you like; what breaks one is stored, made small.

    python tests/fuzz/fuzz.py --seconds 600 --targets csv zip --seed 1

Inputs are made from valid ones by changes that know archives, compression and trees of values. With `atheris`
installed (pip install atheris; it is no requirement of the project) the coverage of the library's Python code guides
the choice; without it, inputs that were read, or refused with a new message, are kept and changed further. Each
target runs in a process of its own, so that even a crash of the interpreter is a finding like others.
"""

import argparse
import faulthandler
import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
import traceback
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
KERNELS = ("binary", "decimals", "token_kernel", "tokens", "compiled", "analogies")  # numba compiles their bytecode
STUCK = 180  # seconds without a finished case before a process gives up
MOST_KEPT = 2000
MINIMISING_SECONDS = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="in all, shared by the targets (default 60)")
    parser.add_argument("--targets", nargs="*", default=[], help="names of targets (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the random changes (default 1)")
    parser.add_argument("--findings", type=Path, default=PROJECT / "results" / "fuzz", help="folder for what breaks")
    parser.add_argument("--plain", action="store_true", help="do without atheris even if it is there")
    given = parser.parse_args()
    _find_library()
    import fuzz_targets

    unknown = sorted({*given.targets} - set(fuzz_targets.TARGETS))
    if unknown:
        parser.error(f"unknown target {unknown[0]}; known: {', '.join(fuzz_targets.TARGETS)}")
    names = given.targets or list(fuzz_targets.TARGETS)
    guided = not given.plain and importlib.util.find_spec("atheris") is not None
    print(f"{'Guided by coverage' if guided else 'Not guided by coverage'}; seed {given.seed}.", flush=True)
    print(f"{'target':<20}{'cases':>10}{'read':>10}{'refused':>10}{'CPU s':>9}{'findings':>10}", flush=True)
    rows = [_run_target(name, given.seconds / len(names), given.seed, given.findings, guided) for name in names]
    total = {key: sum(row[key] for row in rows) for key in ("cases", "read", "seconds", "findings")}
    _print_row("all", total)
    if total["findings"]:
        print(f"What broke a target is in {given.findings}: *.bin the input, *.txt what happened.")
    return int(total["findings"] > 0)


def _run_target(name: str, seconds: float, seed: int, findings: Path, guided: bool) -> dict:
    """Run workers until the time is over; one that dies leaves its last input as a finding."""
    folder = findings / name
    folder.mkdir(parents=True, exist_ok=True)
    counts = {"cases": 0, "read": 0, "seconds": 0.0}
    start, attempt = time.monotonic(), 0
    while (left := seconds - (time.monotonic() - start)) > 0.5:
        (folder / "status.json").unlink(missing_ok=True)
        command = [sys.executable, str(HERE / "fuzz.py"), "--worker", name, "--seconds", str(left)]
        command += ["--seed", str(seed + 1000 * attempt), "--findings", str(folder), *([] if guided else ["--plain"])]
        # Kernels that check their bounds, kept apart from those of the workflow, which do not.
        environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(findings / "kernels")}
        if Path("/dev/shm").is_dir():  # files in memory: half of the time goes into writing them
            environment["TMPDIR"] = "/dev/shm"
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        status = json.loads(_text(folder / "status.json") or "{}")
        counts = {key: value + status.get(key, 0) for key, value in counts.items()}
        attempt += 1
        if not status.get("done"):
            _store(folder, (folder / "current.input").read_bytes(), f"exit {run.returncode}", run.stderr[-4000:])
        if not status:
            break
    for left_over in ("current.input", "status.json"):
        (folder / left_over).unlink(missing_ok=True)
    counts["findings"] = len(list(folder.glob("*.bin")))
    _print_row(name, counts)
    return counts


def _print_row(name: str, row: dict) -> None:
    refused = row["cases"] - row["read"] - row["findings"]
    numbers = f"{row['cases']:>10,}{row['read']:>10,}{max(refused, 0):>10,}{row['seconds']:>9.0f}{row['findings']:>10}"
    print(f"{name:<20}{numbers}", flush=True)


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _find_library() -> None:
    sys.path[:0] = [str(HERE), str(PROJECT / "workflow" / "scripts")]


class Worker:
    """Runs the cases of one target, counts them and stores findings."""

    def __init__(self, name: str, seconds: float, seed: int, findings: Path) -> None:
        import fuzz_guard
        import fuzz_mutations
        import fuzz_targets

        self.guard, self.mutate, self.target = fuzz_guard, fuzz_mutations.mutate, fuzz_targets.TARGETS[name]
        self.findings, self.seconds, self.random = findings, seconds, Random(f"{name} {seed}")
        self.start = self.written = time.monotonic()
        self.cases = self.read = 0
        self.kept = self.target.seeds()  # inputs that did something new
        self.good = list(self.kept)  # inputs that were read
        self.seen: set[str] = set()
        self.found: set[str] = set()
        self.last = ""  # what the last finding was
        self.current = findings / "current.input"

    def loop(self) -> None:
        """Change inputs at random; those that did something new are changed further."""
        with self.guard.case_folder() as folder:
            self.begin(folder)
            while time.monotonic() - self.start < self.seconds:
                chosen = self.random.choice(self.good if self.random.random() < 0.7 else self.kept)
                data = self.changed(chosen, self.random)
                kind = self.case(data, folder)
                if kind not in self.seen and len(self.kept) < MOST_KEPT:
                    self.kept.append(data)
                if kind == "read" and self.random.random() < 0.02 and len(self.good) < MOST_KEPT:
                    self.good.append(data)
                self.seen.add(kind)
        self.write_status(done=True)

    def guided_loop(self) -> None:
        """As `loop`, with libFuzzer choosing what to change further, by coverage."""
        import atheris

        corpus = self.findings / "corpus"
        corpus.mkdir(exist_ok=True)
        for number, data in enumerate(self.kept):
            (corpus / f"seed-{number}").write_bytes(data)
        with self.guard.case_folder() as folder:
            self.begin(folder)

            def one(data: bytes) -> None:
                self.case(data, folder)
                if time.monotonic() - self.start > self.seconds:
                    self.write_status(done=True)
                    os._exit(0)

            def change(data: bytes, largest: int, seed: int) -> bytes:
                random = Random(seed)
                return (atheris.Mutate(data, largest) if random.random() < 0.2 else self.changed(data, random))[
                    :largest
                ]

            options = ["-max_len=65536", "-len_control=0", "-timeout=3600", "-rss_limit_mb=0", "-detect_leaks=0"]
            options += [f"-seed={self.random.randrange(1, 1 << 31)}", f"-artifact_prefix={self.findings}/"]
            atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=change)
            atheris.Fuzz()

    def begin(self, folder: Path) -> None:
        """Run earlier findings first, which may have been corrected, and valid inputs; the time counts from here."""
        self.guard.warm_up(self.target.check, self.kept, folder)
        for stored in self.findings.glob("*.bin"):
            self.current.write_bytes(stored.read_bytes())
            if not self.outcome(stored.read_bytes(), folder).startswith("finding"):
                stored.unlink()
                stored.with_suffix(".txt").unlink(missing_ok=True)
        self.start = time.monotonic()
        for seed in self.kept:
            self.case(seed, folder)

    def changed(self, data: bytes, random: Random) -> bytes:
        return self.mutate(data, random, self.kept[:200], self.target.tokens)

    def case(self, data: bytes, folder: Path) -> str:
        """Run one case, count it, store a finding that is new; what it did."""
        self.current.write_bytes(data)
        self.cases += 1
        if self.cases == 1 or time.monotonic() - self.written > 1:
            self.write_status()
        kind = self.outcome(data, folder)
        self.read += kind == "read"
        if kind.startswith("finding") and kind not in self.found:
            self.found.add(kind)
            _store(self.findings, self.smaller(data, kind, folder), kind, self.last)
        return kind

    def outcome(self, data: bytes, folder: Path) -> str:
        """`read`, the form of the message with which the input was refused, or the place of a finding."""
        try:
            refusal = self.guard.run_case(self.target.check, data, folder)
            return "read" if refusal is None else re.sub(r"\d+|'[^']*'|“[^”]*”", "#", f"refused {refusal}")[:80]
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            self.last = traceback.format_exc()
            frames = traceback.extract_tb(error.__traceback__)
            place = next((one for one in reversed(frames) if "scripts" in one.filename), frames[-1])
            return f"finding {type(error).__name__} {Path(place.filename).name}:{place.lineno}"

    def smaller(self, data: bytes, kind: str, folder: Path) -> bytes:
        """A shorter input with the same finding: pieces are left out as long as that is possible."""
        end = time.monotonic() + MINIMISING_SECONDS
        size = max(1, len(data) // 2)
        last = self.last
        while size and time.monotonic() < end:
            at, found = 0, False
            while at < len(data) and time.monotonic() < end:
                shorter = data[:at] + data[at + size :]
                if self.outcome(shorter, folder) == kind:
                    data, found, last = shorter, True, self.last
                else:
                    at += size
            size = size if found and size == 1 else size // 2
        self.last = last
        return data

    def write_status(self, done: bool = False) -> None:
        self.written = time.monotonic()
        status = {"cases": self.cases, "read": self.read, "seconds": time.process_time(), "done": done}
        part = self.findings / "status.part"
        part.write_text(json.dumps(status))
        part.replace(self.findings / "status.json")
        faulthandler.dump_traceback_later(STUCK, exit=True)


def _store(folder: Path, data: bytes, kind: str, text: str) -> None:
    name = hashlib.sha256(kind.encode()).hexdigest()[:12]
    (folder / f"{name}.bin").write_bytes(data)
    (folder / f"{name}.txt").write_text(f"{kind}\n{data[:2000]!r}\n\n{text}", encoding="utf-8", errors="replace")


def _work() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    _find_library()
    (given.findings / "current.input").write_bytes(b"")
    if given.plain:
        Worker(given.worker, given.seconds, given.seed, given.findings).loop()
        return
    import atheris

    exclude = [f"biasorigin.{name}" for name in KERNELS] + [f"biasorigin.vector_files.{name}" for name in KERNELS]
    exclude += ["biasorigin.quality.analogies"]
    with atheris.instrument_imports(include=["biasorigin", "tarfile", "zipfile", "yaml"], exclude=exclude):
        import fuzz_targets  # noqa: F401
    Worker(given.worker, given.seconds, given.seed, given.findings).guided_loop()


if __name__ == "__main__":
    if "--worker" in sys.argv:
        _work()
    else:
        sys.exit(main())
