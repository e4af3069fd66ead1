"""What removing several documents at once does: their co-occurrences are summed, then each word is solved once.

The effect of a set is not the sum of its documents' effects: the second document that is removed meets a changed
Hessian, changed counts and a changed spread of associations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from biasorigin.attribution.bias_tests import BiasTests, effect_sizes
from biasorigin.attribution.rows import CellRows, RowModel
from biasorigin.cooccurrence import Cooccurrence, restricted_cooccurrence
from biasorigin.errors import UserError


@dataclass(frozen=True)
class Corpus:
    """A tokenised corpus and the window with which its co-occurrences were counted."""

    tokens: np.ndarray
    offsets: np.ndarray
    words: int
    window: int

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self.offsets) - 1

    def part(self, documents: np.ndarray) -> "Corpus":
        """A corpus of some of the documents, in the given order, copied into memory."""
        pieces = [self.tokens[self.offsets[one] : self.offsets[one + 1]] for one in documents]
        offsets = np.concatenate([[0], np.diff(self.offsets)[documents]]).cumsum(dtype=np.int64)
        return Corpus(np.concatenate([self.tokens[:0], *pieces]), offsets, self.words, self.window)

    def blocks(self, size: int) -> Iterator["Corpus"]:
        """The corpus in pieces of so many documents, without copying."""
        for first in range(0, self.documents, size):
            offsets = self.offsets[first : first + size + 1]
            yield Corpus(self.tokens[offsets[0] : offsets[-1]], offsets - offsets[0], self.words, self.window)


@dataclass(frozen=True)
class Removal:
    """Effect sizes (models, tests) before and after, and the words (positions) that lost all co-occurrences."""

    before: np.ndarray
    after: np.ndarray
    emptied: np.ndarray

    @property
    def effect(self) -> np.ndarray:
        """(models, tests) before minus after: positive means that the removal lowers the bias."""
        return self.before - self.after


def removed_cells(cells: CellRows, corpus: Corpus, documents: np.ndarray) -> Cooccurrence:
    """The documents' co-occurrences with the words of `cells`, summed."""
    documents = np.unique(np.asarray(documents, dtype=np.int64))
    return restricted_cooccurrence(
        corpus.tokens, corpus.offsets, documents, cells.words, corpus.window, words=corpus.words
    )


def rest_of(cells: CellRows, removed: Cooccurrence) -> np.ndarray:
    """(cells,) counts that are left of each cell; exact multiples of the quantum, 0 where nothing is left."""
    rest = cells.counts.copy()
    for row in range(len(cells.words)):
        part = cells.of(row)
        less = slice(int(removed.indptr[row]), int(removed.indptr[row + 1]))
        places = np.searchsorted(cells.contexts[part], removed.indices[less])
        in_range = places < part.stop - part.start
        if not (in_range.all() and np.array_equal(cells.contexts[part][places], removed.indices[less])):
            raise UserError(
                "The documents hold co-occurrences that the embedding's matrix does not: the corpus is not the one "
                "that the embedding was trained on. Train the embedding on this corpus first."
            )
        rest[part.start + places] -= removed.values[less]
    rest[rest < 0.5 * cells.quantum] = 0.0
    return rest


def remove_documents(
    cells: CellRows,
    models: Sequence[RowModel],
    tests: BiasTests,
    corpus: Corpus,
    documents: np.ndarray,
    estimator: str = "resolve_bias",
) -> Removal:
    """Estimate all tests' effect sizes without the documents, removed together."""
    rest = rest_of(cells, removed_cells(cells, corpus, documents))
    after = [effect_sizes(moved(model, cells, rest, estimator)[:, : model.dim], tests) for model in models]
    left = np.add.reduceat(np.append(rest, 0.0), cells.indptr[:-1]) * (np.diff(cells.indptr) > 0)
    return Removal(
        before=np.array([effect_sizes(model.vectors, tests) for model in models]),
        after=np.array(after),
        emptied=np.flatnonzero((left <= 0) & (np.diff(cells.indptr) > 0)),
    )


def moved(model: RowModel, cells: CellRows, rest: np.ndarray, estimator: str) -> np.ndarray:
    """(rows, size) parameters when the cells' counts become `rest` (cells,); see `kernels`."""
    parameters = model.parameters.copy()
    for row in range(len(cells.words)):
        part = cells.of(row)
        touched = np.flatnonzero(rest[part] != cells.counts[part])
        if not len(touched):
            continue
        if estimator != "influence" and not rest[part].any():
            parameters[row] = 0.0
            continue
        contexts = cells.contexts[part][touched]
        features = model.features[contexts]  # (touched, size)
        old, new = cells.counts[part][touched], rest[part][touched]
        change = gradient_change(model, row, contexts, features, old, new)
        white = model.whitener[row] @ change
        if estimator != "influence":
            lost = np.sqrt(np.maximum(0.0, 2.0 * (model.weighting(old) - model.weighting(new))))
            lost = lost[:, None] * (features @ model.whitener[row].T)  # (touched, size)
            white = np.linalg.solve(np.eye(len(white)) - lost.T @ lost, white)
        parameters[row] -= model.whitener[row].T @ white
    return parameters


def gradient_change(
    model: RowModel, row: int, contexts: np.ndarray, features: np.ndarray, old: np.ndarray, new: np.ndarray
) -> np.ndarray:
    """(size,) grad(X̃) − grad(X) of one row, of which the given cells (contexts, features) go from old to new."""
    predicted = features @ model.parameters[row] + model.own[row] + model.offsets[contexts]
    after = model.weighting(new) * (predicted - np.log(np.where(new > 0, new, 1.0)))
    before = model.weighting(old) * (predicted - np.log(old))
    return features.T @ (2.0 * (after - before))


def removal_curve(
    cells: CellRows,
    models: Sequence[RowModel],
    tests: BiasTests,
    corpus: Corpus,
    order: np.ndarray,
    sizes: Sequence[int],
    estimator: str = "resolve_bias",
) -> np.ndarray:
    """(sizes, models, tests) estimated effect sizes when the first n documents of `order` are removed, for each n."""
    curve = []
    for size in sizes:
        if size > len(order):
            raise UserError(f"{size:,} documents cannot be removed from a list of {len(order):,}. Ask for fewer.")
        curve.append(remove_documents(cells, models, tests, corpus, order[:size], estimator).after)
    return np.array(curve)
