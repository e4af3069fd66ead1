"""Compiled inner loops of differential bias: how far a document's cells move a word, and what that does to a bias.

tests/oracle/dense_attribution.py holds the plain twin of them all. A block of documents is the work of one thread
from start to end, so nothing here depends on the number of threads.
"""

import numpy as np

from biasorigin.attribution.bias_tests import standardised_difference
from biasorigin.compiled import compiled

# Sums may be taken in another order, which lets a dot product use vector instructions.
SUMS = {"fastmath": {"reassoc", "contract", "nsz"}}
# A pivot of the changed Hessian below this share of the full one is taken for this share.
PIVOT_FLOOR = 1e-12
# Conjugate gradients stop at a residual of this share of the right side; after MOST_STEPS Cholesky takes over.
PRECISION = 1e-12
MOST_STEPS = 16


@compiled(**SUMS)
def move_by_influence(
    order, row_start, touched, touched_start, begin, place, after, ratio, left, contexts, powers, residuals, features,
    parameters, inverses, unit,
):  # fmt: skip
    """unit[pair] = direction of the pair's word without the pair's document, by v − H⁻¹ (grad(X̃) − grad(X)).

    residuals (row cells,)       v·z + o + c − log X
    inverses (rows, size, size)  H⁻¹ of each word
    """
    size = features.shape[1]
    changes = np.empty((np.diff(row_start).max(), size))  # grad(X̃) − grad(X)
    steps = np.empty(changes.shape)
    for row in range(row_start.size - 1):
        first, pairs = row_start[row], row_start[row + 1] - row_start[row]
        for k in range(pairs):
            for i in range(size):
                changes[k, i] = 0.0
            for cell in range(begin[first + k], begin[first + k + 1]):
                at = touched[touched_start[row] + place[cell]]
                gone = after[cell] - min(1.0, powers[at])
                slope = 2.0 * (gone * residuals[at] - after[cell] * ratio[cell])
                context = contexts[at]
                for i in range(size):
                    changes[k, i] += slope * features[context, i]
        if pairs:
            np.dot(changes[:pairs], inverses[row], steps[:pairs])
            scale_to_unit(order[first : first + pairs], parameters[row], steps, unit)


@compiled(**SUMS)
def move_by_resolving(
    order, row_start, touched, touched_start, begin, place, after, ratio, left, contexts, powers, residuals, features,
    parameters, whiteners, unit,
):  # fmt: skip
    """As `move_by_influence` with the Hessian of X̃, which solves the row exactly; a word of which nothing is left has
    no direction. whiteners (rows, size, size) are L⁻¹, with L Lᵀ the word's Hessian H."""
    size = features.shape[1]
    most = np.diff(touched_start).max()
    raw, base, before, error = np.empty((most, size)), np.empty((most, size)), np.empty(most), np.empty(most)
    changes = np.empty((np.diff(row_start).max(), size))
    steps = np.empty(changes.shape)
    lost = np.empty((np.diff(begin).max(), size))
    solution, residual, search, image = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    for row in range(row_start.size - 1):
        first, pairs = row_start[row], row_start[row + 1] - row_start[row]
        if not pairs:
            continue
        cells = touched[touched_start[row] : touched_start[row + 1]]
        for k in range(cells.size):
            before[k], error[k] = min(1.0, powers[cells[k]]), residuals[cells[k]]
            context = contexts[cells[k]]
            for i in range(size):
                raw[k, i] = features[context, i]
        np.dot(raw[: cells.size], whiteners[row].T, base[: cells.size])
        for k in range(pairs):
            for i in range(size):
                changes[k, i] = 0.0
            used = 0
            for cell in range(begin[first + k], begin[first + k + 1]):
                at = place[cell]
                gone = before[at] - after[cell]
                slope, scale = 2.0 * (-gone * error[at] - after[cell] * ratio[cell]), np.sqrt(max(0.0, 2.0 * gone))
                for i in range(size):
                    changes[k, i] += slope * base[at, i]
                    lost[used, i] = scale * base[at, i]
                used += scale > 0
            if left[first + k]:
                solve_downdated(lost, used, changes[k], solution, residual, search, image)
        np.dot(changes[:pairs], whiteners[row], steps[:pairs])
        for k in range(pairs):
            if not left[first + k]:
                steps[k] = parameters[row]
        scale_to_unit(order[first : first + pairs], parameters[row], steps, unit)


@compiled(**SUMS)
def scale_to_unit(pairs, parameters, steps, unit):
    """unit[pair] = parameters − step of each pair, without the bias, scaled to length 1; 0 stays 0."""
    for k in range(pairs.size):
        total = 0.0
        for i in range(unit.shape[1]):
            steps[k, i] = parameters[i] - steps[k, i]
            total += steps[k, i] * steps[k, i]
        scale = 1.0 / np.sqrt(total) if total > 0 else 0.0
        for i in range(unit.shape[1]):
            unit[pairs[k], i] = scale * steps[k, i]


@compiled(**SUMS)
def solve_downdated(lost, used, right, solution, residual, search, image):
    """Solve (I − VᵀV) y = right in place; V = lost holds sqrt(2 (f(X) − f(X̃))) L⁻¹ z of each cell.

    I − VᵀV is the changed Hessian in the coordinates that make the old one the identity. A document seldom holds
    much of a word, so it is close to the identity, and conjugate gradients need a few steps; else Cholesky.
    """
    size, norm = right.size, 0.0
    for i in range(size):
        solution[i], residual[i], search[i] = 0.0, right[i], right[i]
        norm += right[i] * right[i]
    goal, steps = PRECISION * PRECISION * norm, 0
    while norm > goal and steps < MOST_STEPS:
        steps += 1
        for i in range(size):
            image[i] = search[i]
        for cell in range(used):
            total = 0.0
            for i in range(size):
                total += lost[cell, i] * search[i]
            for i in range(size):
                image[i] -= total * lost[cell, i]
        length, last, norm = norm / dot(search, image), norm, 0.0
        for i in range(size):
            solution[i] += length * search[i]
            residual[i] -= length * image[i]
            norm += residual[i] * residual[i]
        for i in range(size):
            search[i] = residual[i] + norm / last * search[i]
    if norm > goal:
        matrix = -np.dot(lost[:used].T, lost[:used])
        for i in range(size):
            matrix[i, i] += 1.0
        solve_positive(matrix, right)
    else:
        right[:] = solution


@compiled()
def solve_positive(matrix, right):
    """Solve a symmetric positive definite system by Cholesky, in place."""
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
    for i in range(size):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]


@compiled(**SUMS)
def add(total, scale, vector):
    """total += scale * vector."""
    for k in range(total.size):
        total[k] += scale * vector[k]


@compiled(**SUMS)
def dot(one, other):
    """The dot product of two vectors; for short ones faster than BLAS."""
    total = 0.0
    for k in range(one.size):
        total += one[k] * other[k]
    return total


@compiled()
def move_axis(members, bounds, pair_of, fresh, unit, shift):
    """Whether an attribute of a test moved; if so, shift (dim,) is how far the mean of A minus the mean of B moves."""
    shifted = False
    for slot in range(bounds[2], bounds[4]):
        word = members[slot]
        if pair_of[word] >= 0:
            if not shifted:
                shift[:] = 0.0
            shifted = True
            scale = 1.0 / (bounds[3] - bounds[2]) if slot < bounds[3] else -1.0 / (bounds[4] - bounds[3])
            add(shift, scale, fresh[pair_of[word]])
            add(shift, -scale, unit[word])
    return shifted


@compiled()
def effects_of_documents(document_start, pair_row, fresh, unit, members, bounds, uses, axes, associations, before, out):
    """out[document, test] = effect size before minus after; 0 where no word of the test moved.

    fresh (pairs, dim) unit vectors after, unit (words, dim) before; uses (words, tests) whether a test uses a word
    axes (tests, dim) mean of A minus mean of B before; associations (slots,) of the targets with them; before (tests,)
    """
    pair_of, touched = np.full(unit.shape[0], -1, np.int64), np.zeros(bounds.shape[0], np.bool_)
    shift, association = np.empty(unit.shape[1]), np.empty(members.size)
    for document in range(document_start.size - 1):
        first, last = document_start[document], document_start[document + 1]
        for pair in range(first, last):
            pair_of[pair_row[pair]] = pair
            for test in range(touched.size):
                touched[test] |= uses[pair_row[pair], test]
        for test in range(touched.size):
            if not touched[test]:
                continue
            touched[test] = False
            b0, b1, b2 = bounds[test, :3]
            shifted = move_axis(members, bounds[test], pair_of, fresh, unit, shift)
            for slot in range(b0, b2):
                word = members[slot]
                value = associations[slot]
                if pair_of[word] >= 0:
                    value = dot(fresh[pair_of[word]], axes[test])
                    if shifted:
                        value += dot(fresh[pair_of[word]], shift)
                elif shifted:
                    value += dot(unit[word], shift)
                association[slot] = value
            out[document, test] = before[test] - standardised_difference(association[b0:b2], b1 - b0)
        for pair in range(first, last):
            pair_of[pair_row[pair]] = -1
