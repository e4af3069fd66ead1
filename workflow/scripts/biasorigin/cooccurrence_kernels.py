"""Compiled loops that count and add up co-occurrences, in whole numbers.

Weights are integers (multiples of one fixed fraction), so that the sum of any cell is exact and does not
depend on the order, the shards or the threads in which it was added up. A kernel works on a range of rows with
one dense line of `words` cells, which it fills and empties for each row in turn.
"""

import numpy as np
from llvmlite import ir
from numba import int64, uint64
from numba.extending import intrinsic

from biasorigin.compiled import compiled

MOST_TO_SORT = 128  # columns of a row, by insertion; more are marked and read off


@compiled()
def count_hits(tokens, offsets, documents, row_of, rows):
    """How many tokens of the documents belong to each row; row_of[word] is its row, or -1."""
    hits = np.zeros(rows, np.int64)
    for document in documents:
        for position in range(offsets[document], offsets[document + 1]):
            row = row_of[tokens[position]]
            if row >= 0:
                hits[row] += 1
    return hits


@compiled()
def count_rows(tokens, offsets, documents, row_of, rows, weights, capacity):
    """Co-occurrences of the rows in the documents.

    row_of  (words,): the row of a word, or -1
    weights (window + 1,): integer weight of a distance; entry 0 is not used
    Returns ends (rows,): where each row ends in columns and sums; columns, sums.
    """
    words, window = row_of.size, weights.size - 1
    line = np.zeros(words, np.int64)
    touched = np.empty(words + 1, np.int32)
    bits = np.zeros(words // 64 + 1, np.uint64)
    columns = np.empty(capacity, np.int32)
    sums = np.empty(capacity, np.int64)
    ends = np.empty(rows, np.int64)
    starts = np.empty(rows + 1, np.int64)
    size = np.int64(0)
    place, home = _sort_hits(tokens, offsets, documents, row_of, starts)
    for row in range(rows):
        count = np.int64(0)
        for hit in range(starts[row], starts[row + 1]):
            position = place[hit]
            first, last = offsets[home[hit]], offsets[home[hit] + 1]
            for other in range(max(first, position - window), position):
                column = tokens[other]
                touched[count] = column  # kept only if the cell was empty: cheaper than a branch
                count += line[column] == 0
                line[column] += weights[position - other]
            for other in range(position + 1, min(last, position + window + 1)):
                column = tokens[other]
                touched[count] = column
                count += line[column] == 0
                line[column] += weights[other - position]
        size = _empty_line(line, touched, count, columns, sums, size, bits)
        ends[row] = size
    return ends, columns[:size].copy(), sums[:size].copy()


@compiled()
def _sort_hits(tokens, offsets, documents, row_of, starts):
    """The positions of each row's tokens, row after row, and their documents."""
    starts[:] = 0
    for document in documents:
        for position in range(offsets[document], offsets[document + 1]):
            row = row_of[tokens[position]]
            if row >= 0:
                starts[row + 1] += 1
    for row in range(1, starts.size):
        starts[row] += starts[row - 1]
    free = starts.copy()
    place = np.empty(starts[-1], np.int64)
    home = np.empty(starts[-1], np.int32)
    for document in documents:
        for position in range(offsets[document], offsets[document + 1]):
            row = row_of[tokens[position]]
            if row >= 0:
                hit = free[row]
                free[row] += 1
                place[hit] = position
                home[hit] = document
    return place, home


@compiled()
def _empty_line(line, touched, count, columns, sums, size, bits):
    """Move the touched cells of the line to the output in order of column; returns the new size.

    Few columns are sorted; many are marked in `bits` (words / 64 + 1,), all zero before and after, and read off.
    """
    if count < min(line.size // 2048, MOST_TO_SORT):
        for place in range(count):
            column = touched[place]
            free = size + place
            while free > size and columns[free - 1] > column:
                columns[free] = columns[free - 1]
                free -= 1
            columns[free] = column
        for cell in range(size, size + count):
            sums[cell] = line[columns[cell]]
            line[columns[cell]] = 0
        return size + count
    one = np.uint64(1)
    for place in range(count):
        bits[touched[place] >> 6] |= one << np.uint64(touched[place] & 63)
    for part in range(bits.size):
        left = bits[part]
        bits[part] = 0
        while left != 0:
            column = (part << 6) + _lowest_bit(left)
            left &= left - one
            columns[size] = column
            sums[size] = line[column]
            line[column] = 0
            size += 1
    return size


@intrinsic
def _lowest_bit(typing_context, number):
    """The place of the lowest bit that is set in a number other than 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return int64(uint64), generate


@compiled()
def add_rows(starts, ends, columns, sums, words):
    """Add up the same rows of several runs.

    starts, ends (runs, rows): where each row of each run lies in columns and sums
    Returns where each row ends in the new columns and sums, and these.
    """
    runs, rows = starts.shape
    line = np.zeros(words, np.int64)
    touched = np.empty(words + 1, np.int32)
    bits = np.zeros(words // 64 + 1, np.uint64)
    new_columns = np.empty(columns.size, np.int32)
    new_sums = np.empty(columns.size, np.int64)
    new_ends = np.empty(rows, np.int64)
    size = np.int64(0)
    for row in range(rows):
        count = np.int64(0)
        for run in range(runs):
            for cell in range(starts[run, row], ends[run, row]):
                column = columns[cell]
                if line[column] == 0:
                    touched[count] = column
                    count += 1
                line[column] += sums[cell]
        size = _empty_line(line, touched, count, new_columns, new_sums, size, bits)
        new_ends[row] = size
    return new_ends, new_columns[:size].copy(), new_sums[:size].copy()


@compiled()
def subtract_rows(indptr, indices, sums, less_indptr, less_indices, less_sums):
    """The first matrix minus the second, whose cells must all be in the first and no larger; emptied cells go.

    Returns indptr, indices, sums and the number of cells that the first lacks or that would become negative.
    """
    rows = indptr.size - 1
    new_indptr = np.zeros(rows + 1, np.int64)
    new_indices = np.empty(indices.size, np.int32)
    new_sums = np.empty(indices.size, np.int64)
    size, wrong = np.int64(0), np.int64(0)
    for row in range(rows):
        less, less_end = less_indptr[row], less_indptr[row + 1]
        for cell in range(indptr[row], indptr[row + 1]):
            value = sums[cell]
            while less < less_end and less_indices[less] < indices[cell]:
                wrong += 1
                less += 1
            if less < less_end and less_indices[less] == indices[cell]:
                value -= less_sums[less]
                less += 1
            if value > 0:
                new_indices[size] = indices[cell]
                new_sums[size] = value
                size += 1
            elif value < 0:
                wrong += 1
        wrong += less_end - less
        new_indptr[row + 1] = size
    return new_indptr, new_indices[:size].copy(), new_sums[:size].copy(), wrong
