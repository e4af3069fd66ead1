"""Differential bias of every document for every WEAT set, in one pass over the documents.

Only words of the sets that occur in a document move, and a move depends only on the cells that the document
touches. So per block of documents: (1) the documents' cells, in pairs of a document and a word; (2) word by word,
a matrix product that brings all touched contexts into the coordinates in which the word's Hessian is the identity,
then a small solve per pair; (3) per document, the effect sizes of the sets that hold a moved word.
Reference: Brunet et al. 2019, eq. 12; Intersectional eq. 3 to 5.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from biasorigin.attribution import document_cells, kernels
from biasorigin.attribution.bias_tests import BiasTests, effect_sizes, unit_rows
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.rows import CellRows, RowModel
from biasorigin.cooccurrence import in_order, integer_weights
from biasorigin.errors import UserError
from biasorigin.progress import track

# Documents per block. Fixed, because products of differently shaped matrices may differ in the last bit:
# shards are whole blocks, so the numbers do not depend on how many shards there are.
BLOCK = 8192


def differential_bias(
    cells: CellRows,
    models: Sequence[RowModel],
    tests: BiasTests,
    corpus: Corpus,
    estimator: str = "resolve_bias",
    *,
    shard: int = 0,
    shards: int = 1,
    threads: int = 1,
) -> np.ndarray:
    """(models, documents, tests) effect size before minus after the removal of each single document of a shard.

    Positive means that removing the document lowers the bias. A document without a word of a test has exactly 0.
    """
    weighting = models[0].weighting
    full = np.rint(cells.counts / cells.quantum).astype(np.int64)
    totals = np.array([full[cells.of(row)].sum() for row in range(len(cells.words))])
    counted = Counted(full, totals, np.exp(weighting.alpha * np.log(cells.counts / weighting.x_max)))
    prepared = [prepare(cells, model, tests, estimator) for model in models]

    def effects(block: tuple[int, int]) -> np.ndarray:
        return _effects_of_block(cells, counted, prepared, tests, corpus, block, estimator)

    tasks = list(blocks(corpus.documents, shard, shards))
    parts = list(track(in_order(effects, tasks, threads), "Blocks of documents", len(tasks)))
    return np.concatenate([np.zeros((len(models), 0, len(tests.keys))), *parts], axis=1)


def blocks(documents: int, shard: int = 0, shards: int = 1) -> Iterator[tuple[int, int]]:
    """First and last document of each block in a shard; the blocks are the same whatever the number of shards."""
    starts = range(0, documents, BLOCK)
    share = range(shard * len(starts) // shards, (shard + 1) * len(starts) // shards)
    return ((starts[block], min(starts[block] + BLOCK, documents)) for block in share)


@dataclass(frozen=True)
class Counted:
    """The rows of the words of interest, in whole multiples of the quantum.

    full (cells,), totals (rows,)   co-occurrences and their sums
    powers (cells,)                 (X / x_max)^alpha, of which f is the part below 1
    """

    full: np.ndarray
    totals: np.ndarray
    powers: np.ndarray


@dataclass(frozen=True)
class Prepared:
    """A model, and its bias before anything is removed.

    residuals (cells,)            v·z + o + c − log X
    solver (rows, size, size)     inverse Hessians for the influence formula, else the model's whiteners
    unit (words, dim), uses (words, tests), axes (tests, dim), associations (slots,), before (tests,)
                                  see `kernels.effects_of_documents`
    """

    model: RowModel
    residuals: np.ndarray
    solver: np.ndarray
    unit: np.ndarray
    uses: np.ndarray
    axes: np.ndarray
    associations: np.ndarray
    before: np.ndarray


def prepare(cells: CellRows, model: RowModel, tests: BiasTests, estimator: str) -> Prepared:
    """Everything about a model that no single document changes."""
    unit, residuals = unit_rows(model.vectors), np.empty(len(cells.counts))
    for row in range(len(cells.words)):
        part = cells.of(row)
        contexts = cells.contexts[part]
        predicted = model.features[contexts] @ model.parameters[row] + model.own[row] + model.offsets[contexts]
        residuals[part] = predicted - np.log(cells.counts[part])
    whitener = model.whitener
    solver = np.matmul(whitener.transpose(0, 2, 1), whitener) if estimator == "influence" else whitener
    axes, associations = np.empty((len(tests.keys), unit.shape[1])), np.zeros(len(tests.members))
    uses = np.zeros((len(unit), len(tests.keys)), dtype=bool)
    for test, (s0, _, s2, s3, s4) in enumerate(tests.bounds):
        axes[test] = unit[tests.members[s2:s3]].mean(axis=0) - unit[tests.members[s3:s4]].mean(axis=0)
        associations[s0:s2] = unit[tests.members[s0:s2]] @ axes[test]
        uses[tests.members[s0:s4], test] = True
    before = effect_sizes(model.vectors, tests)
    return Prepared(model, residuals, solver, unit, uses, axes, associations, before)


def _effects_of_block(
    cells: CellRows, counted: Counted, prepared: Sequence[Prepared], tests: BiasTests, corpus: Corpus,
    block: tuple[int, int], estimator: str,
) -> np.ndarray:  # fmt: skip
    rows, weighting = len(cells.words), prepared[0].model.weighting
    row_of = np.full(corpus.words, -1, np.int32)
    row_of[cells.words] = np.arange(rows)
    document_start, pair_row, start, columns, sums = document_cells.pair_up(
        np.asarray(corpus.tokens), corpus.offsets, *block, row_of, rows, integer_weights(corpus.window)[0]
    )
    result = np.zeros((len(prepared), block[1] - block[0], len(tests.keys)))
    if not len(pair_row):
        return result
    order, row_start = document_cells.sort_by_row(pair_row, rows)
    *weighed, whole = document_cells.weigh_cells(
        order, row_start, start, columns, sums, cells.indptr, cells.contexts, counted.full, counted.totals,
        counted.powers, weighting.alpha, corpus.words,
    )  # fmt: skip
    if not whole:
        raise UserError(
            "A document holds co-occurrences that the embedding's matrix does not: the corpus is not the one "
            "that the embedding was trained on. Train the embedding on this corpus first."
        )
    move = kernels.move_by_influence if estimator == "influence" else kernels.move_by_resolving
    for one, out in zip(prepared, result, strict=True):
        model, fresh = one.model, np.empty((len(pair_row), one.model.dim))
        move(
            order, row_start, *weighed, cells.contexts, counted.powers, one.residuals, model.features,
            model.parameters, one.solver, fresh,
        )  # fmt: skip
        kernels.effects_of_documents(
            document_start, pair_row, fresh, one.unit, tests.members, tests.bounds, one.uses, one.axes,
            one.associations, one.before, out,
        )  # fmt: skip
    return result
