"""Bring a GloVe model to where the gradient of every word row is zero, by solving one side at a time.

A sweep solves the context rows for fixed words and then the word rows for fixed contexts. All solves but the last are
done by two steps of well-preconditioned conjugate gradients, which the objective cannot tell from exact ones; sweeps
are sped up by extrapolation (Nesterov's, begun anew when the objective rises). The last solve, of all words, is exact,
so the gradient of w is zero for the contexts that are stored. Sweeps alone, from a random start, train a model
(`epochs: 0`).
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from biasorigin.cooccurrence import Cooccurrence
from biasorigin.errors import UserError, listing
from biasorigin.progress import duration
from biasorigin.row_solves import improve_side, solve_side, weigh_cells

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FinishSettings:
    """How the sweeps are made.

    sweeps  how many; 0 for none
    ridge   weight of |w|² and |u|² in the objective; biases are free
    steps   of conjugate gradients in each solve but the last; 0 for exact solves throughout
    """

    sweeps: int = 16
    ridge: float = 0.5
    steps: int = 2


def finish(
    parameters: tuple[np.ndarray, np.ndarray, np.ndarray],
    cooccurrence: Cooccurrence,
    settings,
    *,
    threads: int = 1,
    words: Sequence[str] | None = None,
    watch: Callable[[int, np.ndarray, np.ndarray], None] | None = None,
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], tuple[tuple[str, int, float], ...]]:
    """Sweep over (vectors, contexts, biases); returns the new ones and the loss met by each sweep.

    The co-occurrences must be symmetric, so that a row of X is also the column of that context. `settings` are
    GloveSettings; `words` name the rows in an error; `watch` is called with (sweep, words [w, b], contexts [u, c])
    after each sweep.
    """
    vectors, contexts, biases = parameters
    dim, how = vectors.shape[1], settings.finish
    cells = weigh_cells(cooccurrence, settings.x_max, settings.alpha)
    _check_finite(1, cells.masses, words)

    def solve(moving: np.ndarray, still: np.ndarray, *, exactly: bool) -> float:
        if exactly or not how.steps:
            losses, _ = solve_side(moving, still, cells, how.ridge, threads=threads)
        else:
            losses = improve_side(moving, still, cells, how.ridge, steps=how.steps, threads=threads)
        _check_finite(sweep, losses, words)
        return float(losses.sum())

    rows = np.column_stack([vectors, biases[0]])  # (words, dim + 1)
    others = np.column_stack([contexts, biases[1]])
    losses, began = [], time.monotonic()
    before, lowest, speed = None, np.inf, 0
    for sweep in range(1, how.sweeps + 1):
        solve(others, rows, exactly=False)
        squares = _squares(rows[:, :dim]) + _squares(others[:, :dim])
        solved = rows.copy()
        loss = solve(solved, others, exactly=sweep == how.sweeps)
        objective = loss + how.ridge * squares
        # Extrapolate along the last change, ever further; begin anew after a rise.
        speed = speed + 1 if objective <= lowest and before is not None else 0
        rows = solved
        if speed and sweep < how.sweeps:
            rows = solved + np.float32((speed + 1) / (speed + 4)) * (solved - before)
        before, lowest = solved, objective
        losses.append(("finish", sweep, loss / cooccurrence.cells))
        left = (time.monotonic() - began) / sweep * (how.sweeps - sweep)
        logger.info(
            "Sweep %d of %d: loss %.6f, objective %.6f, %s left",
            sweep, how.sweeps, losses[-1][2], objective / cooccurrence.cells, duration(left),
        )  # fmt: skip
        if watch:
            watch(sweep, solved, others)
    return (
        np.ascontiguousarray(rows[:, :dim]),
        np.ascontiguousarray(others[:, :dim]),
        np.stack([rows[:, dim], others[:, dim]]),
    ), tuple(losses)


def _squares(values: np.ndarray) -> float:
    return float(np.square(values, dtype=np.float64).sum())


def _check_finite(sweep: int, values: np.ndarray, words: Sequence[str] | None) -> None:
    broken = np.flatnonzero(~np.isfinite(values))
    if not len(broken):
        return
    names = [words[row] if words is not None else f"row {row}" for row in broken]
    raise UserError(
        f"GloVe: in sweep {sweep}, the errors of {len(broken):,} words are not finite ({listing(names)}). "
        "Raise finish.ridge, or count the co-occurrences anew."
    )
