"""Compiled inner loops of differential bias: where a document's cells lie, how far a word moves, what that does.

Each kernel has a plain twin in tests/oracle/dense_attribution.py. Nothing here depends on the number of threads:
a word's move and a document's effect are each computed by one thread from start to end.
"""

import numpy as np

from biasorigin.attribution.bias_tests import standardised_difference
from biasorigin.compiled import compiled

INFLUENCE, RESOLVE = 0, 1
# A pivot of the changed Hessian below this share of the full one is taken for this share.
PIVOT_FLOOR = 1e-12


@compiled()
def locate_cells(pairs, pair_start, columns, amounts, contexts, counts, quantum, x_max, alpha, found):
    """Find the cells of one word's documents in the word's full row, and weigh them before and after.

    pairs      the (document, word) pairs of this word; pair p holds cells pair_start[p] to pair_start[p + 1]
    columns, amounts   (cells,) context and co-occurrence of each cell in its document
    contexts, counts   the word's full row
    found      (cells, 5) out: place among the row's cells, f(X), f(X̃), log X, log X̃ (0 where X̃ is empty)
    Returns False when a cell is not in the full row, or holds more than it.
    """
    for pair in pairs:
        for cell in range(pair_start[pair], pair_start[pair + 1]):
            place = np.searchsorted(contexts, columns[cell])
            if place >= contexts.size or contexts[place] != columns[cell]:
                return False
            full = counts[place]
            rest = full - amounts[cell]
            if rest < -0.5 * quantum:
                return False
            found[cell, 0] = place
            found[cell, 1] = min(1.0, (full / x_max) ** alpha)
            found[cell, 3] = np.log(full)
            if rest < 0.5 * quantum:
                found[cell, 2] = 0.0
                found[cell, 4] = 0.0
            else:
                found[cell, 2] = min(1.0, (rest / x_max) ** alpha)
                found[cell, 4] = np.log(rest)
    return True


@compiled()
def number_places(pairs, pair_start, found, size):
    """The distinct places that the pairs touch in a row of `size` cells, and the number given to each place."""
    number = np.full(size, -1, dtype=np.int64)
    places = np.empty(size, dtype=np.int64)
    used = 0
    for pair in pairs:
        for cell in range(pair_start[pair], pair_start[pair + 1]):
            place = int(found[cell, 0])
            if number[place] < 0:
                number[place] = used
                places[used] = place
                used += 1
    return places[:used], number


@compiled()
def move_word(
    kind, pairs, pair_start, amounts, found, number, predicted, white, whitener, parameters, total, quantum, out
):
    """How one word's parameters move when each of its documents is removed: out[pair] = parameters after.

    predicted (places,)       v·z + o + c of each distinct touched cell
    white     (places, size)  L⁻¹ z of each distinct touched cell
    whitener  (size, size)    L⁻¹, with H = L Lᵀ
    total     sum of the word's whole row: a document that holds all of it leaves a word without a direction

    INFLUENCE: v − H⁻¹ (grad(X̃) − grad(X)).  RESOLVE: the same with the Hessian of X̃, which solves the row exactly.
    """
    for pair in pairs:
        first, last = pair_start[pair], pair_start[pair + 1]
        change = np.zeros(parameters.size)  # L⁻¹ (grad(X̃) − grad(X))
        removed = 0.0
        for cell in range(first, last):
            at = number[int(found[cell, 0])]
            removed += amounts[cell]
            before = found[cell, 1] * (predicted[at] - found[cell, 3])
            after = found[cell, 2] * (predicted[at] - found[cell, 4])
            for k in range(change.size):
                change[k] += 2.0 * (after - before) * white[at, k]
        if kind == RESOLVE:
            if total - removed < 0.5 * quantum:
                out[pair, :] = 0.0
                continue
            change = solve_downdated(first, last, found, number, white, change)
        step = np.dot(whitener.T, change)
        for k in range(change.size):
            out[pair, k] = parameters[k] - step[k]


@compiled()
def solve_downdated(first, last, found, number, white, right):
    """Solve (I − VᵀV) y = right, where V holds sqrt(2 (f(X) − f(X̃))) L⁻¹ z for each touched cell.

    I − VᵀV is the changed Hessian in the coordinates that make the old one the identity. With fewer cells than
    parameters the inverse is I + Vᵀ (I − V Vᵀ)⁻¹ V (Woodbury), a smaller system.
    """
    size, touched = right.size, last - first
    lost = np.empty((touched, size))
    for cell in range(touched):
        at = number[int(found[first + cell, 0])]
        scale = np.sqrt(max(0.0, 2.0 * (found[first + cell, 1] - found[first + cell, 2])))
        for k in range(size):
            lost[cell, k] = scale * white[at, k]
    if touched >= size:
        matrix = -np.dot(lost.T, lost)
        for k in range(size):
            matrix[k, k] += 1.0
        return solve_positive(matrix, right)
    matrix = -np.dot(lost, lost.T)
    for k in range(touched):
        matrix[k, k] += 1.0
    return right + np.dot(lost.T, solve_positive(matrix, np.dot(lost, right)))


@compiled()
def solve_positive(matrix, right):
    """Solve a symmetric positive definite system by Cholesky, in place of `matrix`."""
    size = right.size
    for j in range(size):
        for k in range(j):
            factor = matrix[j, k]
            for i in range(j, size):
                matrix[i, j] -= matrix[i, k] * factor
        pivot = np.sqrt(max(matrix[j, j], PIVOT_FLOOR))
        for i in range(j, size):
            matrix[i, j] /= pivot
        matrix[j, j] = pivot
    solution = right.copy()
    for i in range(size):
        for k in range(i):
            solution[i] -= matrix[i, k] * solution[k]
        solution[i] /= matrix[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            solution[i] -= matrix[k, i] * solution[k]
        solution[i] /= matrix[i, i]
    return solution


@compiled()
def effects_of_documents(first, last, pair_of, pair_row, moved, unit, members, bounds, before, out):
    """out[document, test] = effect size before minus after, for documents first to last; 0 where no word moved.

    pair_of  (documents + 1,) where each document's pairs start; pair_row (pairs,) the word that moved
    moved    (pairs, size) parameters after; unit (words, dim) unit vectors before; before (tests,) effect sizes
    """
    words, dim = unit.shape
    pair_of_word = np.full(words, -1, dtype=np.int64)
    axis = np.empty(dim)
    for document in range(first, last):
        start, stop = pair_of[document], pair_of[document + 1]
        if start == stop:
            continue
        fresh = np.empty((stop - start, dim))  # unit vectors after
        for pair in range(start, stop):
            pair_of_word[pair_row[pair]] = pair - start
            length = 0.0
            for k in range(dim):
                length += moved[pair, k] ** 2
            length = np.sqrt(length)
            for k in range(dim):
                fresh[pair - start, k] = moved[pair, k] / length if length > 0 else 0.0
        for test in range(bounds.shape[0]):
            b0, b2, b3, b4 = bounds[test, 0], bounds[test, 2], bounds[test, 3], bounds[test, 4]
            touched = False
            for slot in range(b0, b4):
                touched = touched or pair_of_word[members[slot]] >= 0
            if not touched:
                continue
            axis[:] = 0.0
            for slot in range(b2, b4):
                scale = 1.0 / (b3 - b2) if slot < b3 else -1.0 / (b4 - b3)
                word = members[slot]
                source = unit[word] if pair_of_word[word] < 0 else fresh[pair_of_word[word]]
                for k in range(dim):
                    axis[k] += scale * source[k]
            association = np.empty(b2 - b0)
            for slot in range(b0, b2):
                word = members[slot]
                source = unit[word] if pair_of_word[word] < 0 else fresh[pair_of_word[word]]
                association[slot - b0] = np.dot(source, axis)
            out[document, test] = before[test] - standardised_difference(association, bounds[test, 1] - b0)
        for pair in range(start, stop):
            pair_of_word[pair_row[pair]] = -1
