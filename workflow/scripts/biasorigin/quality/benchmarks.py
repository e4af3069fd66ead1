"""The published benchmarks: pairs of words with people's ratings, and analogy questions."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biasorigin.errors import UserError

ALL, SEMANTIC, SYNTACTIC = "all", "semantic", "syntactic"


@dataclass(frozen=True)
class Similarity:
    """Pairs of words and how alike or related people found them.

    first, second  a word each; scores  (pairs,) float64, larger is more alike
    """

    name: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    scores: np.ndarray


@dataclass(frozen=True)
class Analogies:
    """Questions *a is to b as c is to d*.

    questions  (a, b, c, d) each; sections  the section of each question
    """

    name: str
    questions: tuple[tuple[str, str, str, str], ...]
    sections: tuple[str, ...]


@dataclass(frozen=True)
class Published:
    """What is known of a benchmark before it is read."""

    title: str
    measure: str
    reference: str


BENCHMARKS = {
    "rg": Published("RG", "spearman", "Rubenstein and Goodenough 1965"),
    "ws353": Published("WS353", "spearman", "Finkelstein et al. 2002"),
    "rw": Published("RW", "spearman", "Luong et al. 2013"),
    "men": Published("MEN", "spearman", "Bruni et al. 2014"),
    "simlex": Published("SimLex-999", "spearman", "Hill et al. 2015"),
    "mturk": Published("MTurk-771", "spearman", "Halawi et al. 2012"),
    "google_analogies": Published("Google analogies", "accuracy", "Mikolov et al. 2013"),
    "msr_analogies": Published("MSR analogies", "accuracy", "Mikolov, Yih and Zweig 2013"),
}


def load_benchmark(name: str, path: Path | str) -> Similarity | Analogies:
    """Read one of `BENCHMARKS` from its file."""
    if name not in BENCHMARKS:
        raise UserError(f"“{name}” is no benchmark; expected one of {', '.join(BENCHMARKS)}.")
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Could not read the benchmark {name} from {path}: {error}. Fetch it again.") from error
    read = _read_similarity if BENCHMARKS[name].measure == "spearman" else _read_analogies
    return read(name, lines, path)


def _read_similarity(name: str, lines: list[str], path: Path | str) -> Similarity:
    """Lines of two words and a number, separated by tabs (RG has several in a row); # begins a comment."""
    first, second, scores = [], [], []
    for number, line in enumerate(lines, start=1):
        parts = [part for part in line.split("\t") if part]
        if not parts or line.startswith("#"):
            continue
        try:
            one, other, score = parts
            if not math.isfinite(float(score)):
                raise ValueError(score)
            scores.append(float(score))
        except ValueError as error:
            raise _bad_line(name, path, number, line, "two words and a number, separated by tabs") from error
        first.append(one)
        second.append(other)
    if not scores:
        raise UserError(f"The benchmark {name} in {path} has no pair of words. Fetch it again.")
    return Similarity(name, tuple(first), tuple(second), np.array(scores))


def _read_analogies(name: str, lines: list[str], path: Path | str) -> Analogies:
    """Lines of four words, after lines `: section`."""
    section = ALL
    questions, sections = [], []
    for number, line in enumerate(lines, start=1):
        if line.startswith(":"):
            section = line[1:].strip()
        elif line.strip():
            words = tuple(line.split())
            if len(words) != 4:
                raise _bad_line(name, path, number, line, "four words")
            questions.append(words)
            sections.append(section)
    if not questions:
        raise UserError(f"The benchmark {name} in {path} has no question. Fetch it again.")
    return Analogies(name, tuple(questions), tuple(sections))


def _bad_line(name: str, path: Path | str, number: int, line: str, expected: str) -> UserError:
    return UserError(f"The benchmark {name}, {path}, line {number}: found “{line[:60]}”; expected {expected}.")


def groups_of(benchmark: Analogies) -> dict[str, np.ndarray]:
    """(questions,) bool for each group that is reported: all, Google's two halves, and every section."""
    sections = np.array(benchmark.sections)
    groups = {ALL: np.ones(len(sections), dtype=bool)}
    names = list(dict.fromkeys(benchmark.sections))
    if any(name.startswith("gram") for name in names):
        syntactic = np.char.startswith(sections, "gram")
        groups |= {SEMANTIC: ~syntactic, SYNTACTIC: syntactic}
    if len(names) > 1:
        groups |= {name: sections == name for name in names}
    return groups
