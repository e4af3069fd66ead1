"""Cheap features of documents: TF-IDF of their words, topics, sentiment."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.decomposition import NMF

from biasorigin.attribution.bias_tests import unit_rows
from biasorigin.attribution.document_sets import Corpus
from biasorigin.errors import UserError

# Turney and Littman 2003, "Measuring praise and criticism", section 3.1: their fourteen paradigm words.
POSITIVE = ("good", "nice", "excellent", "positive", "fortunate", "correct", "superior")
NEGATIVE = ("bad", "nasty", "poor", "negative", "unfortunate", "wrong", "inferior")


@dataclass(frozen=True)
class Features:
    """TF-IDF of the documents: matrix (documents, columns) CSR with unit rows; column k is vocabulary word words[k].

    rarity  (columns,) inverse document frequency of each word
    """

    matrix: sparse.csr_matrix
    words: np.ndarray
    rarity: np.ndarray

    def of(self, corpus: Corpus) -> "Features":
        """The same features of other documents: same words, same rarity."""
        return Features(_weighted(_counts(corpus), self.words, self.rarity), self.words, self.rarity)


def tfidf(corpus: Corpus, *, columns: int = 4000, most_common: float = 0.3, least: int = 20) -> Features:
    """TF-IDF with logarithmic term frequency over the most frequent words that are not in too many documents.

    most_common  words in a larger share of the documents (function words) are left out
    least        words in fewer documents are left out
    """
    counts = _counts(corpus)
    frequency = np.bincount(counts.indices, minlength=corpus.words)
    # Rows of the vocabulary are in descending order of frequency.
    words = np.flatnonzero((frequency <= most_common * corpus.documents) & (frequency >= least))[:columns]
    if not len(words):
        raise UserError(
            f"No word occurs in at least {least} and at most {most_common:.0%} of the {corpus.documents:,} documents, "
            "so their topics cannot be described. Use a larger corpus."
        )
    rarity = np.log(corpus.documents / frequency[words])
    return Features(_weighted(counts, words, rarity), words, rarity)


def _counts(corpus: Corpus) -> sparse.csr_matrix:
    """(documents, words) how often each word occurs in each document."""
    document = np.repeat(np.arange(corpus.documents), np.diff(corpus.offsets))
    shape = (corpus.documents, corpus.words)
    counts = sparse.csr_matrix((np.ones(len(document)), (document, corpus.tokens)), shape=shape)
    counts.sum_duplicates()
    return counts


def _weighted(counts: sparse.csr_matrix, words: np.ndarray, rarity: np.ndarray) -> sparse.csr_matrix:
    """The columns of some words, weighted by their rarity, with unit rows."""
    matrix = counts[:, words].tocsr()
    matrix.data = 1.0 + np.log(matrix.data)
    matrix = matrix @ sparse.diags(rarity)
    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    return sparse.csr_matrix(sparse.diags(scale) @ matrix)


@dataclass(frozen=True)
class Topics:
    """Topics that were found in some documents, and their top words (vocabulary numbers)."""

    model: NMF
    words: tuple[tuple[int, ...], ...]

    def shares(self, features: Features) -> np.ndarray:
        """(documents, topics) that sum to 1 in each document; 0 for an empty one."""
        weights = self.model.transform(features.matrix)
        total = weights.sum(axis=1, keepdims=True)
        return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def find_topics(features: Features, topics: int, *, seed: int, sample: int = 8000, top: int = 8) -> Topics:
    """Non-negative matrix factorisation of TF-IDF, fitted on an evenly spaced sample of the documents."""
    documents = features.matrix.shape[0]
    chosen = np.unique(np.linspace(0, documents - 1, min(sample, documents)).astype(np.int64))
    topics = min(topics, len(chosen), len(features.words))
    model = NMF(topics, init="nndsvda", random_state=seed, max_iter=300, tol=1e-3)
    model.fit(features.matrix[chosen])
    order = np.argsort(-model.components_, axis=1, kind="stable")[:, :top]
    return Topics(model, tuple(tuple(int(features.words[k]) for k in row) for row in order))


def sentiment(corpus: Corpus, vectors: np.ndarray, vocabulary: list[str]) -> np.ndarray | None:
    """(documents,) how positive a text is: the mean, over its words, of a word's place between good and bad.

    A word's place is its cosine with the mean of seven positive words minus that with seven negative ones, less the
    average place of a word in the corpus; words that say little (places near 0) count little by themselves. Needs
    no lexicon beyond the fourteen words, so it works for any corpus; its quality is checked where there are labels.
    None if no positive or no negative word is known.
    """
    index = {word: row for row, word in enumerate(vocabulary)}
    unit = unit_rows(np.asarray(vectors, dtype=np.float64))
    poles = [[index[word] for word in side if word in index] for side in (POSITIVE, NEGATIVE)]
    if not all(poles):
        return None
    place = unit @ (unit[poles[0]].mean(axis=0) - unit[poles[1]].mean(axis=0))  # (words,)
    document = np.repeat(np.arange(corpus.documents), np.diff(corpus.offsets))
    place = place - place[corpus.tokens].mean()
    total = np.bincount(document, weights=place[corpus.tokens], minlength=corpus.documents)
    size = np.diff(corpus.offsets)
    return np.divide(total, size, out=np.zeros(corpus.documents), where=size > 0)
