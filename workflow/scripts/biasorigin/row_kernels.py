"""Compiled solves of single rows of the GloVe objective, with the other side held fixed.

A row's problem is quadratic. `newton_rows` solves it: one Newton step from anywhere, with the gradient in float64,
so that the accuracy of the solution does not suffer from a second derivative that was added up in float32.
`improve_rows` goes most of the way at a fraction of the cost, by a few steps of conjugate gradients.
"""

import numpy as np
from numba import float32

from biasorigin.compiled import compiled

FAST = {"reassoc", "contract", "arcp", "nsz"}
SMALLEST_PIVOT = 1e-12  # relative to the diagonal: directions that no cell and no ridge determine are left alone


@compiled(fastmath=FAST, boundscheck=False)
def row_gradient(row, fixed, offsets, columns, targets, importances, ridge, gradient):
    """Half the gradient of a row's objective; returns the row's weighted squared error, without the ridge.

    row (size,) float64; fixed (words, size) float32: [u, 1] or u; offsets (words,) what is added to every inner
    product; columns, targets, importances (cells,). The last entry is a bias, not penalised, if fixed has 1 there;
    the ridge is given per entry (size,).
    """
    size = row.size
    for k in range(size):
        gradient[k] = ridge[k] * row[k]
    loss = 0.0
    for cell in range(columns.size):
        u = fixed[columns[cell]]
        inner = np.float64(offsets[columns[cell]]) - targets[cell]
        for k in range(size):
            inner += row[k] * u[k]
        weighted = importances[cell] * inner
        loss += weighted * inner
        for k in range(size):
            gradient[k] += weighted * u[k]
    return loss


@compiled(fastmath=FAST, boundscheck=False)
def factorise(matrix):
    """Cholesky factor of a symmetric matrix, in place in its lower triangle (the diagonal holds inverses)."""
    size = matrix.shape[0]
    for j in range(size):
        line = matrix[j]
        pivot = line[j]
        for k in range(j):
            pivot -= line[k] * line[k]
        # An undetermined direction gets an infinite pivot: no step is taken along it.
        inverse = 1 / np.sqrt(pivot) if pivot > SMALLEST_PIVOT * line[j] else 0.0
        for i in range(j + 1, size):
            other = matrix[i]
            value = other[j]
            for k in range(j):
                value -= other[k] * line[k]
            other[j] = value * inverse
        line[j] = inverse


@compiled(fastmath=FAST, boundscheck=False)
def solve_factorised(factor, right):
    """Solve with the factor of `factorise`; the right-hand side is replaced by the solution."""
    size = right.size
    for i in range(size):
        value = right[i]
        for k in range(i):
            value -= factor[i, k] * right[k]
        right[i] = value * factor[i, i]
    for i in range(size - 1, -1, -1):
        right[i] *= factor[i, i]
        for k in range(i):
            right[k] -= factor[i, k] * right[i]


@compiled(boundscheck=False)
def newton_rows(
    first, solution, fixed, offsets, indptr, columns, targets, importances, grams, ridge, steps, losses, sizes
):
    """Newton steps for the rows first, first + 1, ... of `solution` (words, size) float32, in place.

    grams (rows, size, size) float32: sum_j f u_j u_jᵀ of each row; steps: how many steps to take (a second one
    removes what rounding left); with 0 steps only `sizes`, the length of the step that would be taken relative to
    the row's own length (last entry left out if it is a bias, that is, if its ridge is 0), is found.
    """
    size = solution.shape[1]
    matrix = np.empty((size, size))
    gradient = np.empty(size)
    row = np.empty(size)
    for number in range(grams.shape[0]):
        place = first + number
        start, end = indptr[place], indptr[place + 1]
        if start == end:  # a word without co-occurrences stays where it is
            losses[place] = 0.0
            sizes[place] = 0.0
            continue
        for k in range(size):
            for other in range(size):
                matrix[k, other] = grams[number, k, other]
            matrix[k, k] += ridge[k]
            row[k] = solution[place, k]
        factorise(matrix)
        for step in range(max(steps, 1)):
            loss = row_gradient(
                row, fixed, offsets, columns[start:end], targets[start:end], importances[start:end], ridge, gradient
            )
            solve_factorised(matrix, gradient)
            if step == 0:
                losses[place] = loss
                moved, length = 0.0, 0.0
                for k in range(size):
                    if ridge[k] > 0 or k < size - 1:
                        moved += gradient[k] * gradient[k]
                        length += row[k] * row[k]
                sizes[place] = np.sqrt(moved / length) if length > 0 else np.inf
            if steps > 0:
                for k in range(size):
                    row[k] -= gradient[k]
        if steps > 0:
            for k in range(size):
                solution[place, k] = row[k]


@compiled(fastmath=FAST, boundscheck=False)
def _multiply(direction, fixed, columns, importances, ridge, image, sixteens):
    """image = (sum_j f u_j u_jᵀ + ridge) direction; returns direction · image."""
    lanes = 16 * len(sixteens)
    for k in range(lanes):
        image[k] = ridge[k] * direction[k]
    for cell in range(columns.size):
        u = fixed[columns[cell]]
        inner = float32(0)
        for k in range(lanes):
            inner += direction[k] * u[k]
        weighted = importances[cell] * inner
        for k in range(lanes):
            image[k] += weighted * u[k]
    curvature = float32(0)
    for k in range(lanes):
        curvature += direction[k] * image[k]
    return curvature


@compiled(fastmath=FAST, boundscheck=False)
def _start(row, fixed, offsets, columns, targets, importances, ridge, residual, sixteens):
    """residual = minus half the gradient; returns the row's weighted squared error and the sum of its weights."""
    lanes = 16 * len(sixteens)
    loss, mass = 0.0, float32(0)
    for k in range(lanes):
        residual[k] = -ridge[k] * row[k]
    for cell in range(columns.size):
        u = fixed[columns[cell]]
        inner = float32(0)
        for k in range(lanes):
            inner += row[k] * u[k]
        difference = inner + offsets[columns[cell]] - targets[cell]
        weighted = importances[cell] * difference
        loss += np.float64(weighted) * np.float64(difference)
        mass += importances[cell]
        for k in range(lanes):
            residual[k] -= weighted * u[k]
    return loss, mass


@compiled(fastmath=FAST, boundscheck=False)
def improve_rows(
    first, last, solution, fixed, offsets, indptr, columns, targets, importances, spectrum, ridge,
    steps, losses, sixteens,
):  # fmt: skip
    """Steps of conjugate gradients for the rows first to last of `solution` (words, lanes) float32, in place.

    Preconditioned by the diagonal of f(X)'s sum over the row times `spectrum`, plus the ridge (lanes,): exact for a
    row that sees every context in proportion to its share, in coordinates in which those are uncorrelated.
    losses (words,): each row's weighted squared error before the steps; sixteens: see `glove_kernels`.
    """
    lanes = 16 * len(sixteens)
    residual = np.empty(lanes, np.float32)
    direction = np.empty(lanes, np.float32)
    image = np.empty(lanes, np.float32)
    scale = np.empty(lanes, np.float32)
    for place in range(first, last):
        row, some = solution[place], columns[indptr[place] : indptr[place + 1]]
        weights = importances[indptr[place] : indptr[place + 1]]
        goals = targets[indptr[place] : indptr[place + 1]]
        losses[place], mass = _start(row, fixed, offsets, some, goals, weights, ridge, residual, sixteens)
        size = float32(0)
        for k in range(lanes):
            scale[k] = float32(1) / (mass * spectrum[k] + ridge[k])
            direction[k] = scale[k] * residual[k]
            size += direction[k] * residual[k]
        for _ in range(steps):
            if size <= float32(1e-30) or some.size == 0:
                break
            length = size / _multiply(direction, fixed, some, weights, ridge, image, sixteens)
            new_size = float32(0)
            for k in range(lanes):
                row[k] += length * direction[k]
                residual[k] -= length * image[k]
                new_size += scale[k] * residual[k] * residual[k]
            for k in range(lanes):
                direction[k] = scale[k] * residual[k] + new_size / size * direction[k]
            size = new_size


@compiled(boundscheck=False)
def row_sums(indptr, values):
    """The sum of each row's values: (rows,) float64."""
    sums = np.zeros(indptr.size - 1)
    for row in range(sums.size):
        for cell in range(indptr[row], indptr[row + 1]):
            sums[row] += values[cell]
    return sums
