"""Differential bias by the book: dense matrices, one document at a time, nothing shared with the fast path."""

import numpy as np


def document_matrix(tokens, vocabulary, window):
    """X of one document: both orders of every pair of tokens at distance d add 1/d."""
    matrix = np.zeros((vocabulary, vocabulary))
    for i, first in enumerate(tokens):
        for j in range(i + 1, min(i + window + 1, len(tokens))):
            matrix[first, tokens[j]] += 1 / (j - i)
            matrix[tokens[j], first] += 1 / (j - i)
    return matrix


def weight(counts, x_max, alpha):
    return np.minimum(1, (counts / x_max) ** alpha)


def gradient(i, X, w, u, b, c, x_max, alpha, ridge):
    total = 2 * ridge * w[i]
    for j in np.flatnonzero(X[i] > 1e-9):
        error = w[i] @ u[j] + b[i] + c[j] - np.log(X[i, j])
        total = total + 2 * weight(X[i, j], x_max, alpha) * error * u[j]
    return total


def hessian(i, X, u, x_max, alpha, ridge):
    total = 2 * ridge * np.eye(u.shape[1])
    for j in np.flatnonzero(X[i] > 1e-9):
        total += 2 * weight(X[i, j], x_max, alpha) * np.outer(u[j], u[j])
    return total


def solve_row(i, X, u, c, x_max, alpha, ridge, bias=None):
    """The exact minimiser (w_i, b_i) of row i, or w_i alone for a given bias."""
    seen = np.flatnonzero(X[i] > 1e-9)
    root = np.sqrt(weight(X[i, seen], x_max, alpha))
    design = u[seen] if bias is not None else np.column_stack([u[seen], np.ones(len(seen))])
    target = np.log(X[i, seen]) - c[seen] - (bias if bias is not None else 0)
    penalty = np.sqrt(ridge) * np.eye(u.shape[1], design.shape[1])
    rows, right = np.vstack([design * root[:, None], penalty]), np.concatenate([target * root, np.zeros(u.shape[1])])
    return np.linalg.lstsq(rows, right, rcond=None)[0]


def cosine(a, b):
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / lengths if lengths > 0 else 0.0


def weat(w, test):
    S, T, A, B = test
    g = {c: np.mean([cosine(w[c], w[a]) for a in A]) - np.mean([cosine(w[c], w[b]) for b in B]) for c in (*S, *T)}
    values = [g[c] for c in (*S, *T)]
    return (np.mean([g[s] for s in S]) - np.mean([g[t] for t in T])) / np.std(values, ddof=1)


def differential_bias(documents, X, w, u, b, c, tests, window, x_max, alpha, ridge, estimator):
    """(documents, tests): B(w) − B(w̃) where w̃ is the embedding without the document."""
    result = np.zeros((len(documents), len(tests)))
    words = sorted({word for test in tests for side in test for word in side})
    before = [weat(w, test) for test in tests]
    for k, tokens in enumerate(documents):
        rest = np.maximum(0, X - document_matrix(tokens, len(X), window))
        moved = w.copy()
        for i in words:
            if i not in tokens or not np.any(np.abs(rest[i] - X[i]) > 1e-9):
                continue
            if estimator == "influence":
                change = gradient(i, rest, w, u, b, c, x_max, alpha, ridge) - gradient(
                    i, X, w, u, b, c, x_max, alpha, ridge
                )
                moved[i] = w[i] - np.linalg.solve(hessian(i, X, u, x_max, alpha, ridge), change)
            elif not np.any(rest[i] > 1e-9):
                moved[i] = 0
            elif estimator == "resolve":
                moved[i] = solve_row(i, rest, u, c, x_max, alpha, ridge, bias=b[i])
            else:
                moved[i] = solve_row(i, rest, u, c, x_max, alpha, ridge)[:-1]
        result[k] = [old - weat(moved, test) for old, test in zip(before, tests, strict=True)]
    return result
