"""Compiled loops that find, for each document and word of interest in it, the cells that go with the document.

A pair is a document and a word of interest in it. A block of documents is the work of one thread from start to end.
"""

import numpy as np

from biasorigin.compiled import compiled


@compiled()
def pair_up(tokens, offsets, first, last, row_of, rows, weights):
    """Count the co-occurrences of documents first to last, each on its own, with the words that have a row.

    row_of  (vocabulary,): the row of a word, or -1
    weights (window + 1,): whole-number weight of a distance
    Returns, with a pair for every document and word of interest in it that has a neighbour,
    document_start (documents + 1,), row (pairs,), start (pairs + 1,), columns and sums (cells,).
    """
    window = weights.size - 1
    hits = 0
    for position in range(offsets[first], offsets[last]):
        hits += row_of[tokens[position]] >= 0
    document_start = np.zeros(last - first + 1, np.int64)
    pair_row, start = np.empty(hits, np.int64), np.zeros(hits + 1, np.int64)
    columns, sums = np.empty(hits * 2 * window, np.int32), np.empty(hits * 2 * window, np.int64)
    latest = np.full(rows, -1, np.int64)  # last hit of each row in the document; earlier ones are chained to it
    earlier, place, seen = np.empty(hits, np.int64), np.empty(hits, np.int64), np.empty(rows, np.int64)
    line = np.zeros(row_of.size, np.int64)
    pairs = cells = 0
    for document in range(first, last):
        begin, end = offsets[document], offsets[document + 1]
        hit = used = 0
        for position in range(begin, end):
            row = row_of[tokens[position]]
            if row >= 0:
                if latest[row] < 0:
                    seen[used] = row
                    used += 1
                earlier[hit], place[hit], latest[row] = latest[row], position, hit
                hit += 1
        for row in seen[:used]:
            hit, latest[row], head = latest[row], -1, cells
            while hit >= 0:
                position = place[hit]
                for other in range(max(begin, position - window), min(end, position + window + 1)):
                    if other != position:
                        column = tokens[other]
                        columns[cells] = column  # kept only if the cell was empty
                        cells += line[column] == 0
                        line[column] += weights[abs(position - other)]
                hit = earlier[hit]
            for cell in range(head, cells):
                sums[cell] = line[columns[cell]]
                line[columns[cell]] = 0
            if cells > head:
                pair_row[pairs] = row
                pairs += 1
                start[pairs] = cells
        document_start[document - first + 1] = pairs
    return document_start, pair_row[:pairs], start[: pairs + 1], columns[:cells], sums[:cells]


@compiled()
def sort_by_row(pair_row, rows):
    """The pairs in order of their rows, and where each row's pairs start."""
    row_start = np.zeros(rows + 1, np.int64)
    for row in pair_row:
        row_start[row + 1] += 1
    row_start = np.cumsum(row_start)
    free, order = row_start.copy(), np.empty(pair_row.size, np.int64)
    for pair in range(pair_row.size):
        order[free[pair_row[pair]]] = pair
        free[pair_row[pair]] += 1
    return order, row_start


@compiled()
def weigh_cells(order, row_start, start, columns, sums, indptr, contexts, full, totals, powers, alpha, words):
    """Find each cell of a document in its word's row, and what is left of it; the pairs in order of their rows.

    contexts, full (row cells,) the rows of the words of interest, in whole numbers as `sums`; totals (rows,) their
    sums; powers (row cells,) (X / x_max)^alpha
    Returns touched, the row cells that any document touches, row after row; touched_start (rows + 1,);
    begin (pairs + 1,) where a pair's cells begin; place (cells,) of each among its row's touched ones; after (cells,)
    f(X̃); ratio (cells,) log(X̃ / X), 0 where X̃ is empty; left (pairs,) whether anything of the row is left;
    and False if a cell is not in its row or holds more than that.
    """
    rows = row_start.size - 1
    touched, touched_start = np.empty(min(contexts.size, columns.size), np.int64), np.zeros(rows + 1, np.int64)
    begin, left = np.zeros(order.size + 1, np.int64), np.empty(order.size, np.bool_)
    place, after, ratio = np.empty(columns.size, np.int32), np.empty(columns.size), np.empty(columns.size)
    where, number = np.full(words, -1, np.int64), np.full(contexts.size, -1, np.int32)
    used = cells = 0
    for row in range(rows):
        for cell in range(indptr[row], indptr[row + 1] if row_start[row] < row_start[row + 1] else 0):
            where[contexts[cell]] = cell
        for k in range(row_start[row], row_start[row + 1]):
            remains = totals[row]
            for cell in range(start[order[k]], start[order[k] + 1]):
                found = where[columns[cell]]
                # A place before this row's is of an earlier row, or of none.
                if found < indptr[row] or full[found] < sums[cell]:
                    return touched, touched_start, begin, place, after, ratio, left, False
                if number[found] < 0:
                    number[found], touched[used] = used - touched_start[row], found
                    used += 1
                remains -= sums[cell]
                rest = full[found] - sums[cell]
                place[cells], after[cells], ratio[cells] = number[found], 0.0, 0.0
                if rest > 0:
                    ratio[cells] = np.log(rest / full[found])
                    after[cells] = min(1.0, powers[found] * np.exp(alpha * ratio[cells]))
                cells += 1
            begin[k + 1], left[k] = cells, remains > 0
        touched_start[row + 1] = used
    return touched, touched_start, begin, place, after, ratio, left, True
