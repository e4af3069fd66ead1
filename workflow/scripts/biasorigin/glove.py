"""GloVe (Pennington et al. 2014) that gives the same bytes for any number of threads.

Minimises J = sum_ij f(X_ij) (w_i·u_j + b_i + c_j - log X_ij)² + ridge (sum_i |w_i|² + sum_j |u_j|²) with
f(x) = min(1, (x/x_max)^alpha): first some epochs of AdaGrad on the sum alone, as in the authors' code, then exact
solves of one side at a time, which bring every word's gradient to zero (see `finish`).
"""

import itertools
import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from biasorigin.cooccurrence import Cooccurrence
from biasorigin.errors import UserError, listing
from biasorigin.finish import FinishSettings, finish
from biasorigin.glove_blocks import Blocks, cut_into_blocks, deal, number_of_groups
from biasorigin.glove_kernels import update_block
from biasorigin.progress import duration

logger = logging.getLogger(__name__)

# The squared-gradient sum of a value that must not move; see `glove_kernels`.
NEVER = np.float32(1e38)


@dataclass(frozen=True)
class GloveSettings:
    """What is trained and how; the defaults are the published ones."""

    dim: int = 75
    epochs: int = 50
    learning_rate: float = 0.05
    x_max: float = 100.0
    alpha: float = 0.75
    accumulate: str = "steps"  # AdaGrad's sum of squares: of steps (as the authors' code) or of gradients
    finish: FinishSettings = field(default_factory=FinishSettings)

    @property
    def ridge(self) -> float:
        """The ridge of the objective that the result minimises: none if no sweeps are made."""
        return self.finish.ridge if self.finish.sweeps else 0.0


@dataclass(frozen=True)
class GloveModel:
    """Trained parameters.

    vectors, contexts (words, dim) float32: w and u; biases (2, words) float32: b of words, c of contexts;
    losses: (phase, step, loss), where the loss is the mean of f (w·u + b + c - log X)² over the cells
    """

    vectors: np.ndarray
    contexts: np.ndarray
    biases: np.ndarray
    losses: tuple[tuple[str, int, float], ...] = ()


def settings_from(values: Mapping) -> GloveSettings:
    """The settings in a mapping such as facts.json or an entry of the config; other keys are passed over."""
    own = {key: values[key] for key in GloveSettings.__dataclass_fields__ if key in values}
    if "finish" in own and not isinstance(own["finish"], FinishSettings):
        own["finish"] = FinishSettings(**own["finish"])
    return GloveSettings(**own)


def train(
    cooccurrence: Cooccurrence,
    settings: GloveSettings,
    seed: int,
    threads: int = 1,
    words: Sequence[str] | None = None,
) -> GloveModel:
    """Train GloVe; the same seed gives the same start and the same order whatever the cells are.

    `words` name the rows in an error; they are not needed otherwise.
    """
    if cooccurrence.cells == 0:
        raise UserError("There are no co-occurrences to train on. Use a larger corpus or a lower min_count.")
    model = start_model(cooccurrence.words, settings, seed)
    if settings.epochs:
        model = run_adagrad(model, cooccurrence, settings, seed, threads=threads, words=words)
    if settings.finish.sweeps:
        values, losses = finish(
            (model.vectors, model.contexts, model.biases), cooccurrence, settings, threads=threads, words=words
        )
        model = GloveModel(*values, losses=model.losses + losses)
        _check_finite(model.vectors, model.contexts, "the finishing solves", words)
    return model


def start_model(words: int, settings: GloveSettings, seed: int) -> GloveModel:
    """Random vectors, uniform in ±0.5/(dim + 1), and biases likewise."""
    dim = settings.dim
    start = np.random.default_rng([seed, 0]).random((2, words, dim + 1), dtype=np.float32)
    start = (start - np.float32(0.5)) / np.float32(dim + 1)
    return GloveModel(
        np.ascontiguousarray(start[0, :, :dim]), np.ascontiguousarray(start[1, :, :dim]), start[:, :, dim].copy()
    )


def run_adagrad(
    model: GloveModel,
    cooccurrence: Cooccurrence,
    settings: GloveSettings,
    seed: int,
    *,
    threads: int = 1,
    words: Sequence[str] | None = None,
) -> GloveModel:
    """Train for the epochs of the settings, starting at the model."""
    dim, count = settings.dim, cooccurrence.words
    lanes = -(-(dim + 2) // 16) * 16
    rng = np.random.default_rng([seed, 1])
    groups = number_of_groups(count, 8 * lanes)
    rows, contexts = deal(count, groups, rng), deal(count, groups, rng)
    blocks = cut_into_blocks(cooccurrence, rows, contexts, settings.x_max, settings.alpha, threads=threads)
    # The authors' code sums squared steps, (rate g)², from 1 on: as if the rate were 1 and the sum began at 1/rate².
    by_steps = settings.accumulate == "steps"
    rate = np.float32(1 if by_steps else settings.learning_rate)
    start = np.float32(1 / settings.learning_rate**2 if by_steps else 1)
    lines = _lines(model.vectors, model.biases[0], rows, lanes, start, bias_first=True)
    context_lines = _lines(model.contexts, model.biases[1], contexts, lanes, start, bias_first=False)
    losses = []
    began = time.monotonic()
    for epoch in range(1, settings.epochs + 1):
        loss = _run_epoch(lines, context_lines, blocks, rate, rng, threads)
        losses.append(("adagrad", epoch, loss / cooccurrence.cells))
        left = (time.monotonic() - began) / epoch * (settings.epochs - epoch)
        logger.info("Epoch %d of %d: loss %.6f, %s left", epoch, settings.epochs, losses[-1][2], duration(left))
        _check_finite(lines[rows.place], context_lines[contexts.place], f"epoch {epoch}", words)
    word_lines, context_lines = lines[rows.place], context_lines[contexts.place]
    return GloveModel(
        np.ascontiguousarray(word_lines[:, :dim]),
        np.ascontiguousarray(context_lines[:, :dim]),
        np.stack([word_lines[:, dim], context_lines[:, dim + 1]]),
        losses=model.losses + tuple(losses),
    )


def _lines(vectors, biases, grouping, lanes, start, *, bias_first: bool) -> np.ndarray:
    """Lay parameters out as `glove_kernels` wants them: (lines, 2 * lanes)."""
    dim = vectors.shape[1]
    bias, one = (dim, dim + 1) if bias_first else (dim + 1, dim)
    lines = np.zeros((grouping.groups * grouping.lines, 2 * lanes), np.float32)
    lines[:, lanes:] = start
    lines[grouping.place, :dim] = vectors
    lines[grouping.place, bias] = biases
    lines[:, one] = 1
    lines[:, lanes + one] = NEVER
    return lines


def _run_epoch(words, contexts, blocks: Blocks, rate, rng: np.random.Generator, threads: int) -> float:
    """One pass over all cells in a new order; returns the sum of the cells' losses."""
    groups, lines = blocks.rows.groups, blocks.rows.lines
    members = [len(member) for member in blocks.rows.members()]
    orders = [rng.permutation(size) for size in members]
    rows = [np.arange(size, dtype=np.int32) + np.int32(group * lines) for group, size in enumerate(members)]
    losses = np.zeros((groups, groups))
    sixteens = (0,) * (words.shape[1] // 32)

    def work(blocks_left):
        for row_group, column_group in blocks_left:
            losses[row_group, column_group] = update_block(
                words, contexts, blocks.cells[row_group][column_group], rows[row_group], orders[row_group],
                blocks.columns, blocks.targets, blocks.importances, rate, sixteens,
            )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        for shift in rng.permutation(groups):
            # The threads share one iterator: whoever is free takes the next block of this shift.
            left = iter([(group, int(group + shift) % groups) for group in range(groups)])
            for _ in pool.map(work, itertools.repeat(left, threads)):
                pass
    return float(losses.sum())


def _check_finite(vectors, contexts, when: str, words: Sequence[str] | None) -> None:
    for name, values in (("vector", vectors), ("context vector", contexts)):
        finite = np.isfinite(values).all(axis=1)
        if not finite.all():
            broken = np.flatnonzero(~finite)
            names = [words[row] if words is not None else f"row {row}" for row in broken[:9]]
            raise UserError(
                f"GloVe: after {when}, {len(broken):,} words have a {name} that is not finite "
                f"({listing(names)}). Lower learning_rate, or raise finish.ridge."
            )
