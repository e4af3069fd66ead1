"""GloVe in plain NumPy: one cell at a time and one dense solve a row, to check the compiled kernels against."""

import numpy as np


def importance(values, x_max, alpha):
    """f(x) = min(1, (x / x_max) ** alpha)."""
    return np.minimum(1.0, (values / x_max) ** alpha)


def adagrad_step(w, b, u, c, sums, log_x, weight, rate):
    """One cell's update in float64: new (w, b, u, c), changed sums of squares (w, b, u, c), and the loss before."""
    difference = w @ u + b + c - log_x
    gradient = weight * difference
    new = (
        w - rate * gradient * u / np.sqrt(sums[0]),
        b - rate * gradient / np.sqrt(sums[1]),
        u - rate * gradient * w / np.sqrt(sums[2]),
        c - rate * gradient / np.sqrt(sums[3]),
    )
    squares = (gradient**2 * u**2, gradient**2, gradient**2 * w**2, gradient**2)
    return new, tuple(old + square for old, square in zip(sums, squares, strict=True)), gradient * difference


def loss(model, x, x_max, alpha):
    """sum_ij f (w·u + b + c - log X)² over the cells of a dense X."""
    rows, columns = np.nonzero(x)
    values = x[rows, columns]
    w, u = model.vectors.astype(float), model.contexts.astype(float)
    fitted = np.einsum("ck,ck->c", w[rows], u[columns]) + model.biases[0][rows] + model.biases[1][columns]
    return float(np.sum(importance(values, x_max, alpha) * (fitted - np.log(values)) ** 2))


def gradient_and_hessian(model, x, row, x_max, alpha, ridge):
    """Gradient and Hessian of the objective with respect to w of one row (METHODS: 2 f (...) u and 2 f u uᵀ)."""
    columns = np.flatnonzero(x[row])
    weights = importance(x[row, columns], x_max, alpha)
    u = model.contexts[columns].astype(float)
    w = model.vectors[row].astype(float)
    rest = u @ w + model.biases[0][row] + model.biases[1][columns] - np.log(x[row, columns])
    gradient = 2 * (weights * rest) @ u + 2 * ridge * w
    return gradient, 2 * (u * weights[:, None]).T @ u + 2 * ridge * np.eye(len(w))


def solve_side(contexts, context_biases, x, x_max, alpha, ridge):
    """The best (vectors, biases) for fixed contexts; rows without cells come out as not-a-number."""
    vectors = np.full((len(x), contexts.shape[1]), np.nan)
    biases = np.full(len(x), np.nan)
    penalty = np.diag([ridge] * contexts.shape[1] + [0.0])
    for row in np.flatnonzero(x.any(axis=1)):
        columns = np.flatnonzero(x[row])
        weights = importance(x[row, columns], x_max, alpha)
        u = np.column_stack([contexts[columns].astype(float), np.ones(len(columns))])
        target = np.log(x[row, columns]) - context_biases[columns]
        solved = np.linalg.solve((u * weights[:, None]).T @ u + penalty, (u * weights[:, None]).T @ target)
        vectors[row], biases[row] = solved[:-1], solved[-1]
    return vectors, biases
