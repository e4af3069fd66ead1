"""Skip-gram and fastText through gensim, as reproducible as gensim allows.

gensim's workers update shared weights without locks, so only one worker gives the same vectors twice. With one
worker, a seed and a fixed hash function the result does not depend on the process, nor on PYTHONHASHSEED.
Nothing of gensim's is saved: its own format is a pickle.
"""

import logging
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from gensim.models import FastText, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from gensim.models.word2vec import MAX_WORDS_IN_BATCH

from biasorigin.errors import UserError, listing
from biasorigin.progress import duration

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class GensimSettings:
    """What both models need; the names in brackets are gensim's.

    dim, window, epochs; negative  noise words a pair; sample  frequent words above this share are thinned out;
    learning_rate, min_learning_rate  (alpha, min_alpha), falling linearly.
    """

    dim: int = 100
    window: int = 5
    epochs: int = 5
    negative: int = 5
    sample: float = 1e-3
    learning_rate: float = 0.025
    min_learning_rate: float = 1e-4


@dataclass(frozen=True)
class FastTextSettings(GensimSettings):
    """Skip-gram on words and their parts; names in brackets are gensim's.

    shortest_part, longest_part  letters in a part (min_n, max_n); buckets  rows that parts share by a hash (bucket)
    """

    shortest_part: int = 3
    longest_part: int = 6
    buckets: int = 2_000_000


@dataclass(frozen=True)
class Documents:
    """Documents of a corpus as lists of words, any number of times.

    words  the vocabulary; tokens  (tokens,) rows of it; offsets  (documents + 1,) where each document starts
    """

    words: tuple[str, ...]
    tokens: np.ndarray
    offsets: np.ndarray

    def __iter__(self) -> Iterator[list[str]]:
        names = np.array(self.words, dtype=object)
        for start, end in self.pieces():
            yield names[self.tokens[start:end]].tolist()

    def pieces(self) -> Iterator[tuple[int, int]]:
        """(start, end) of every document; long ones in pieces, because gensim drops what follows the 10,000th word."""
        for start, end in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            for piece in range(start, end, MAX_WORDS_IN_BATCH):
                yield piece, min(piece + MAX_WORDS_IN_BATCH, end)


def train_skipgram(documents: Documents, counts: np.ndarray, settings: GensimSettings, seed: int) -> np.ndarray:
    """(words, dim) float32 skip-gram vectors with negative sampling (Mikolov et al. 2013)."""
    return _train(Word2Vec, documents, counts, settings, seed)


def train_fasttext(documents: Documents, counts: np.ndarray, settings: FastTextSettings, seed: int) -> np.ndarray:
    """(words, dim) float32 fastText vectors (Bojanowski et al. 2017): each the mean of the word's and its parts'."""
    if settings.shortest_part > settings.longest_part:
        raise UserError(
            f"fastText: shortest_part is {settings.shortest_part} and longest_part {settings.longest_part}; "
            "expected shortest_part to be at most longest_part."
        )
    parts = {"min_n": settings.shortest_part, "max_n": settings.longest_part, "bucket": settings.buckets}
    return _train(FastText, documents, counts, settings, seed, **parts)


def stable_hash(text: str) -> int:
    """A hash that is the same in every process, unlike Python's own."""
    return zlib.crc32(text.encode())


def _train(model_class, documents: Documents, counts: np.ndarray, settings: GensimSettings, seed: int, **options):
    if len(documents.words) < 2:
        raise UserError(f"The corpus has {len(documents.words)} words; skip-gram needs at least 2. Lower min_count.")
    model = model_class(
        vector_size=settings.dim,
        window=settings.window,
        epochs=settings.epochs,
        negative=settings.negative,
        sample=settings.sample,
        alpha=settings.learning_rate,
        min_alpha=settings.min_learning_rate,
        sg=1,
        min_count=1,  # the vocabulary is cut already
        workers=1,
        seed=seed,
        hashfxn=stable_hash,
        **options,
    )
    pieces = sum(1 for _ in documents.pieces())
    longer = pieces - int((np.diff(documents.offsets) > 0).sum())
    if longer:
        logger.info("%s cuts inside long documents: gensim reads at most %s words.", longer, MAX_WORDS_IN_BATCH)
    frequencies = dict(zip(documents.words, counts.tolist(), strict=True))
    model.build_vocab_from_freq(frequencies, corpus_count=pieces)
    model.train(
        documents,
        total_examples=pieces,
        epochs=settings.epochs,
        start_alpha=settings.learning_rate,
        end_alpha=settings.min_learning_rate,
        callbacks=[_Progress(settings.epochs)],
    )
    rows = [model.wv.key_to_index[word] for word in documents.words]
    vectors = np.asarray(model.wv.vectors[rows], dtype=np.float32)
    _require_usable(vectors, documents.words)
    return vectors


def _require_usable(vectors: np.ndarray, words: tuple[str, ...]) -> None:
    bad = [words[row] for row in np.flatnonzero(~np.isfinite(vectors).all(axis=1))]
    if bad:
        raise UserError(
            f"Training diverged: {len(bad):,} words have NaN or infinity in their vectors ({listing(bad)}). "
            "Lower learning_rate."
        )


class _Progress(CallbackAny2Vec):
    """A line in the log for each epoch."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.done = 0
        self.start = time.monotonic()

    def on_epoch_end(self, model) -> None:
        self.done += 1
        left = (time.monotonic() - self.start) / self.done * (self.epochs - self.done)
        logger.info("Epoch %s of %s, %s left", self.done, self.epochs, duration(left))
