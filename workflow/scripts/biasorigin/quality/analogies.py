"""Analogy questions by 3CosAdd, all of them against all candidates in tiles, with a bootstrap over word pairs."""

import numba
import numpy as np

from biasorigin.compiled import compiled

TILE = 1024  # candidates at a time: their similarities to all given words stay in cache
NO_ANSWER = -1
BLOCK = 1 << 21  # resampled questions held at a time


def answer_analogies(unit: np.ndarray, questions: np.ndarray) -> np.ndarray:
    """The row nearest to b − a + c for each question, other than a, b and c (3CosAdd, Levy and Goldberg 2014).

    unit       (candidates, dim) vectors of length 1
    questions  (questions, 3) rows of a, b and c
    returns    (questions,) int64 rows, -1 if there is no other candidate; of equals, the first

    cos(x, b − a + c) orders x as x·b − x·a + x·c does, so that each given word meets each candidate once,
    however many questions it is in.
    """
    unit = np.ascontiguousarray(unit, dtype=np.float32)
    given, places = np.unique(questions, return_inverse=True)
    places = places.reshape(questions.shape)
    best = np.full(len(questions), -np.inf, dtype=np.float32)
    answers = np.full(len(questions), NO_ANSWER, dtype=np.int64)
    for start in range(0, len(unit), TILE):
        similarities = unit[given] @ unit[start : start + TILE].T  # (given, tile)
        _improve(similarities, places, questions, start, best, answers)
    return answers


@compiled(parallel=True)
def _improve(similarities, places, questions, start, best, answers):
    """Put in the candidates of one tile that beat the best so far.

    similarities  (given, tile) float32; places  (questions, 3) rows of it; start  the tile's first candidate
    best, answers  (questions,) best score and its row so far, updated
    """
    size = similarities.shape[1]
    for question in numba.prange(len(questions)):
        a = similarities[places[question, 0]]
        b = similarities[places[question, 1]]
        c = similarities[places[question, 2]]
        # Nearly every tile ends here. A count of what is better compiles to vector instructions, a maximum does not.
        better = np.int32(0)
        for column in range(size):
            better += np.int32(b[column] - a[column] + c[column] > best[question])
        if better == 0:
            continue
        for column in range(size):
            row = start + column
            is_given = row in (questions[question, 0], questions[question, 1], questions[question, 2])
            score = b[column] - a[column] + c[column]
            if score > best[question] and not is_given:
                best[question] = score
                answers[question] = row


def bootstrap_accuracy(
    correct: np.ndarray, pairs: np.ndarray, replicates: int, random: np.random.Generator
) -> np.ndarray:
    """(replicates,) accuracies over word pairs drawn with replacement; NaN where a sample has no question.

    correct  (questions,) bool; pairs  (questions, 2): which pair is a:b and which c:d

    The questions are all combinations of few pairs, so they are not independent; drawing questions would make the
    interval far too narrow. A question counts as often as its two pairs were drawn, multiplied (Owen 2007).
    """
    names, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(pairs.shape)
    count = len(names)
    results = np.empty(replicates)
    step = max(1, BLOCK // max(len(correct), 1))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        draws = random.integers(0, count, size=(size, count)) + np.arange(size)[:, None] * count
        drawn = np.bincount(draws.ravel(), minlength=size * count).reshape(size, count)
        weights = (drawn[:, places[:, 0]] * drawn[:, places[:, 1]]).astype(np.float64)
        with np.errstate(invalid="ignore"):
            results[start : start + size] = (weights @ correct) / weights.sum(axis=1)
    return results
