"""Differential bias of every document for every WEAT set, in one pass over the documents.

Only words of the sets that occur in a document move, and a move depends only on the cells that the document
touches. So per block of documents: (1) the blocks' cells, grouped by word; (2) per word, one matrix product that
brings all touched contexts into the coordinates in which the word's Hessian is the identity, then a small solve
per document; (3) per document, the effect sizes of the sets that hold a moved word.
Reference: Brunet et al. 2019, eq. 12; Intersectional eq. 3 to 5.
"""

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from biasorigin.attribution import kernels
from biasorigin.attribution.bias_tests import BiasTests, effect_sizes, unit_rows
from biasorigin.attribution.rows import CellRows, RowModel
from biasorigin.errors import UserError

# Documents per block. Fixed, because products of differently shaped matrices may differ in the last bit:
# shards are whole blocks, so the numbers do not depend on how many shards there are.
BLOCK = 2048
# Documents per task when effects are evaluated.
CHUNK = 64

KINDS = {"influence": kernels.INFLUENCE, "resolve": kernels.RESOLVE, "resolve_bias": kernels.RESOLVE}


class DocumentCells(Protocol):
    """Each document's co-occurrences with the words of interest, sorted by word and context.

    indptr (documents + 1,) into rows (position among the words of interest), columns (context) and values.
    """

    indptr: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Pairs:
    """A block's (document, word) pairs.

    document_start (documents + 1,) where a document's pairs start
    row            (pairs,) word of each pair
    start          (pairs + 1,) where a pair's cells start
    by_row         for each word its pairs, ascending
    """

    document_start: np.ndarray
    row: np.ndarray
    start: np.ndarray
    by_row: tuple[np.ndarray, ...]


def pair_up(cells: DocumentCells, rows: int) -> Pairs:
    """Group a block's cells by document and word."""
    document = np.repeat(np.arange(len(cells.indptr) - 1), np.diff(cells.indptr))
    key = document * np.int64(rows) + cells.rows
    start = np.flatnonzero(np.diff(key, prepend=-1)) if len(key) else np.zeros(0, dtype=np.int64)
    row = np.asarray(cells.rows, dtype=np.int64)[start]
    order = np.argsort(row, kind="stable")
    bounds = np.searchsorted(row[order], np.arange(rows + 1))
    return Pairs(
        document_start=np.searchsorted(document[start], np.arange(len(cells.indptr))),
        row=row,
        start=np.append(start, len(key)).astype(np.int64),
        by_row=tuple(order[first:last] for first, last in itertools.pairwise(bounds)),
    )


def differential_bias(
    documents: DocumentCells,
    cells: CellRows,
    models: Sequence[RowModel],
    tests: BiasTests,
    estimator: str = "resolve_bias",
    threads: int = 1,
) -> np.ndarray:
    """(models, documents, tests) effect size before minus after the removal of each single document.

    Positive means that removing the document lowers the bias. A document without a word of a test has exactly 0.
    """
    pairs = pair_up(documents, len(cells.words))
    columns, amounts = np.asarray(documents.columns, np.int64), np.asarray(documents.values, np.float64)
    result = np.zeros((len(models), len(documents.indptr) - 1, len(tests.keys)))
    if not len(pairs.row):
        return result
    found = np.empty((len(columns), 5))
    moved = [np.empty((len(pairs.row), model.parameters.shape[1])) for model in models]

    def move(row: int) -> None:
        of_row, part = pairs.by_row[row], cells.of(row)
        contexts, counts = cells.contexts[part], cells.counts[part]
        weighting = models[0].weighting
        whole = kernels.locate_cells(
            of_row, pairs.start, columns, amounts, contexts, counts, cells.quantum,
            weighting.x_max, weighting.alpha, found,
        )  # fmt: skip
        if not whole:
            raise UserError(
                "A document holds co-occurrences that the embedding's matrix does not: the corpus is not the one "
                "that the embedding was trained on. Train the embedding on this corpus first."
            )
        places, number = kernels.number_places(of_row, pairs.start, found, len(contexts))
        for model, out in zip(models, moved, strict=True):
            features = model.features[contexts[places]]  # (places, size)
            predicted = features @ model.parameters[row] + model.own[row] + model.offsets[contexts[places]]
            white = features @ model.whitener[row].T
            kernels.move_word(
                KINDS[estimator], of_row, pairs.start, amounts, found, number, predicted, white,
                model.whitener[row], model.parameters[row], counts.sum(), cells.quantum, out,
            )  # fmt: skip

    # The rarest words last: long tasks first keep all threads busy to the end.
    busy = sorted((row for row in range(len(pairs.by_row)) if len(pairs.by_row[row])), key=_work(pairs), reverse=True)
    chunks = list(range(0, result.shape[1], CHUNK))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        list(pool.map(move, busy))
        for model, after, out in zip(models, moved, result, strict=True):
            unit, before = unit_rows(model.vectors), effect_sizes(model.vectors, tests)

            def measure(first: int, unit=unit, before=before, after=after, out=out) -> None:
                last = min(first + CHUNK, len(out))
                kernels.effects_of_documents(
                    first, last, pairs.document_start, pairs.row, after, unit, tests.members, tests.bounds, before, out
                )

            list(pool.map(measure, chunks))
    return result


def _work(pairs: Pairs):
    return lambda row: len(pairs.by_row[row])


def blocks(documents: int, shard: int = 0, shards: int = 1) -> Iterator[tuple[int, int]]:
    """First and last document of each block in a shard; the blocks are the same whatever the number of shards."""
    starts = range(0, documents, BLOCK)
    share = range(shard * len(starts) // shards, (shard + 1) * len(starts) // shards)
    return ((starts[block], min(starts[block] + BLOCK, documents)) for block in share)
