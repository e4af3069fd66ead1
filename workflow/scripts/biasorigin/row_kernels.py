"""Compiled Newton steps of single rows of the GloVe objective, with the other side held fixed.

A row's problem is quadratic, so one Newton step from anywhere solves it; the gradient is taken in float64, so
the accuracy of the solution does not suffer from a second derivative that was added up in float32.
"""

import numpy as np

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
        matrix[:] = grams[number]
        for k in range(size):
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
