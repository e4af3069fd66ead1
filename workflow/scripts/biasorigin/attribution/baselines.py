"""Cheap rivals of the estimate: how often the words occur, and what the co-occurrence counts alone say."""

import numpy as np

from biasorigin.attribution.bias_tests import BiasTests, standardised_difference
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.rows import CellRows


def count_words(corpus: Corpus, tests: BiasTests) -> np.ndarray:
    """(documents, tests) how often words of each test occur in each document."""
    result = np.zeros((corpus.documents, len(tests.keys)), dtype=np.int64)
    document = np.repeat(np.arange(corpus.documents), np.diff(corpus.offsets))
    for test in range(len(tests.keys)):
        wanted = np.zeros(corpus.words, dtype=bool)
        wanted[tests.rows[tests.words_of(test)]] = True
        result[:, test] = np.bincount(document[wanted[corpus.tokens]], minlength=corpus.documents)
    return result


def ppmi_effect_sizes(cells: CellRows, counts: np.ndarray, total: float, tests: BiasTests) -> np.ndarray:
    """(tests,) WEAT with positive pointwise mutual information in place of cosines.

    `counts` (cells,) are the co-occurrences, of the full or a reduced corpus, of the rows in `cells`; `total` is
    the sum of the whole matrix. Only pairs of a target and an attribute count, so most of a text is not looked at.
    """
    words = len(cells.words)
    row = np.repeat(np.arange(words), np.diff(cells.indptr))
    sums = np.bincount(row, weights=counts, minlength=words)
    matrix = np.zeros((words, words))
    column = np.searchsorted(cells.words, cells.contexts)
    column[column == words] = 0
    inside = cells.words[column] == cells.contexts
    matrix[row[inside], column[inside]] = counts[inside]
    expected = np.outer(sums, sums)
    ratio = np.divide(matrix * total, expected, out=np.ones_like(matrix), where=(expected > 0) & (matrix > 0))
    ppmi = np.maximum(0.0, np.log(ratio))
    result = np.zeros(len(tests.keys))
    for test, (s0, s1, s2, s3, s4) in enumerate(tests.bounds):
        targets, first, second = tests.members[s0:s2], tests.members[s2:s3], tests.members[s3:s4]
        association = ppmi[np.ix_(targets, first)].mean(axis=1) - ppmi[np.ix_(targets, second)].mean(axis=1)
        result[test] = standardised_difference(association, int(s1 - s0))
    return result
