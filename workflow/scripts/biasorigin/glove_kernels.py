"""The compiled loops of the GloVe trainer.

A word's parameters lie in one line of 2 * lanes float32: first the values, then the AdaGrad sum of squared
gradients of each. The values are [w, b, 1, 0 ...] for a word and [u, 1, c, 0 ...] for a context, so that one
inner product gives w·u + b + c, and one loop updates vectors and biases. The lanes that hold 1 start with a huge
sum of squares, which makes their steps vanish; the lanes that hold 0 have zero gradients.
"""

import numpy as np
from llvmlite import ir
from numba import float32, int32
from numba.extending import intrinsic

from biasorigin.compiled import compiled

# Freedoms that let a loop be vectorised. Not-a-number and infinity keep their meaning: we look for them.
FAST = {"reassoc", "contract", "arcp", "nsz"}
HALF, THREE_HALVES, MAGIC, ONE_BIT = float32(0.5), float32(1.5), int32(0x5F3759DF), int32(1)


@intrinsic
def _bits_of(typing_context, number):
    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(32))

    return int32(float32), generate


@intrinsic
def _number_of(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.FloatType())

    return float32(int32), generate


@compiled(fastmath=FAST, inline="always")
def inverse_root(number):
    """1/sqrt(x) of a positive float32 to a relative error of 5e-6: a first guess from the bits, two Newton steps.

    Four times as fast as a square root and a division, and the same on every processor.
    """
    guess = _number_of(int32(MAGIC - (_bits_of(number) >> ONE_BIT)))
    half = HALF * number
    guess = guess * (THREE_HALVES - half * guess * guess)
    return guess * (THREE_HALVES - half * guess * guess)


@compiled(fastmath=FAST, boundscheck=False)
def update_block(words, contexts, cells, rows, order, columns, targets, importances, rate, sixteens):
    """One AdaGrad step for each cell of a block, row after row in the given order; the loss before the steps.

    words, contexts (words, 2 * lanes)   lines of parameters, changed in place
    cells           (rows + 1,)          row r of the block is cells[r]:cells[r + 1]
    rows            (rows,)              line of each row in `words`
    order           (rows,)              the order in which to take the rows
    columns, targets, importances (cells,)  line in `contexts`, log X_ij and f(X_ij)
    sixteens        tuple of lanes / 16 entries: its length is known when the loop is compiled
    """
    lanes = 16 * len(sixteens)
    loss = 0.0
    for row in order:
        w = words[rows[row]]
        for cell in range(cells[row], cells[row + 1]):
            u = contexts[columns[cell]]
            inner = float32(0)
            for k in range(lanes):
                inner += w[k] * u[k]
            difference = inner - targets[cell]
            gradient = importances[cell] * difference
            loss += np.float64(gradient) * np.float64(difference)
            step = rate * gradient
            square = gradient * gradient
            for k in range(lanes):
                w_k, u_k = w[k], u[k]
                w_sum, u_sum = w[lanes + k], u[lanes + k]
                w[k] = w_k - step * u_k * inverse_root(w_sum)
                u[k] = u_k - step * w_k * inverse_root(u_sum)
                w[lanes + k] = w_sum + square * u_k * u_k
                u[lanes + k] = u_sum + square * w_k * w_k
    return loss


@compiled()
def count_block_cells(indptr, indices, group_words, place, groups, lines):
    """How many cells each row of a row group has in each column group: (column groups, rows of the group)."""
    counts = np.zeros((groups, group_words.size), np.int64)
    for row in range(group_words.size):
        word = group_words[row]
        for cell in range(indptr[word], indptr[word + 1]):
            counts[place[indices[cell]] // lines, row] += 1
    return counts


@compiled()
def fill_block_cells(
    indptr, indices, values, group_words, place, lines, starts, x_max, alpha, columns, targets, weights
):
    """Put the cells of a row group into their blocks; `starts` (column groups, rows) is used up."""
    for row in range(group_words.size):
        word = group_words[row]
        for cell in range(indptr[word], indptr[word + 1]):
            line = place[indices[cell]]
            slot = starts[line // lines, row]
            starts[line // lines, row] += 1
            value = values[cell]
            columns[slot] = line
            targets[slot] = np.log(value)
            weights[slot] = 1.0 if value >= x_max else (value / x_max) ** alpha
