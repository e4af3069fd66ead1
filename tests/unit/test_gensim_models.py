"""gensim's models come out the same in every process, row by row in the order of our vocabulary."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gensim.models.word2vec import MAX_WORDS_IN_BATCH

from biasorigin.errors import UserError
from biasorigin.gensim_models import Documents, FastTextSettings, GensimSettings, train_fasttext, train_skipgram

SCRIPTS = Path(__file__).resolve().parents[2] / "workflow" / "scripts"

TRAIN = """
import hashlib, sys
import numpy as np
from biasorigin.gensim_models import Documents, FastTextSettings, GensimSettings, train_fasttext, train_skipgram
random = np.random.default_rng(1)
words = tuple(f"word{row}" for row in range(60))
tokens = random.zipf(1.5, 6000).clip(1, 60).astype(np.int32) - 1
counts = np.bincount(tokens, minlength=60) + 1
documents = Documents(words, tokens, np.arange(0, 6001, 100))
skipgram = train_skipgram(documents, counts, GensimSettings(dim=10, epochs=2), seed=int(sys.argv[1]))
fasttext = train_fasttext(documents, counts, FastTextSettings(dim=10, epochs=2, buckets=500), seed=int(sys.argv[1]))
print(hashlib.sha256(skipgram.tobytes()).hexdigest(), hashlib.sha256(fasttext.tobytes()).hexdigest())
"""


def digests(seed, hash_seed):
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(SCRIPTS), "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", TRAIN, str(seed)], env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


def test_the_same_seed_gives_the_same_bytes_in_another_process_with_another_hash_seed():
    first = digests(seed=1, hash_seed="1")
    assert first == digests(seed=1, hash_seed="2")
    assert not set(first) & set(digests(seed=2, hash_seed="1"))


@pytest.fixture
def two_topics():
    """Documents about one of two topics: words 0 to 4 stand together, and words 5 to 9 do."""
    random = np.random.default_rng(2)
    topics = np.repeat(random.integers(0, 2, 800), 10)
    tokens = (random.integers(0, 5, 8000) + 5 * topics).astype(np.int32)
    # Names in an order that is neither gensim's nor the alphabet's.
    words = tuple(f"w{(7 * row) % 10}x" for row in range(10))
    return Documents(words, tokens, np.arange(0, 8001, 10)), np.bincount(tokens, minlength=10)


@pytest.mark.parametrize(
    ("train", "settings"),
    [
        (train_skipgram, GensimSettings(dim=8, epochs=5, sample=0, learning_rate=0.05)),
        (train_fasttext, FastTextSettings(dim=8, epochs=5, sample=0, learning_rate=0.05, buckets=2000)),
    ],
)
def test_words_that_stand_together_come_out_alike_in_our_row_order(two_topics, train, settings):
    documents, counts = two_topics
    vectors = train(documents, counts, settings, seed=3)
    assert vectors.shape == (10, 8)
    assert vectors.dtype == np.float32
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[:5, :5].mean() > cosines[:5, 5:].mean() + 0.2


def test_long_documents_are_read_to_the_end():
    length = 2 * MAX_WORDS_IN_BATCH + 5
    tokens = np.zeros(length + 3, dtype=np.int32)
    tokens[length - 1] = 1
    documents = Documents(("a", "b"), tokens, np.array([0, length, length, length + 3]))
    pieces = list(documents)
    assert [len(piece) for piece in pieces] == [MAX_WORDS_IN_BATCH, MAX_WORDS_IN_BATCH, 5, 3]
    assert pieces[2][-1] == "b"


def test_what_cannot_be_trained_is_refused(two_topics):
    with pytest.raises(UserError, match="at least 2"):
        train_skipgram(Documents(("a",), np.zeros(3, np.int32), np.array([0, 3])), np.array([3]), GensimSettings(), 1)
    with pytest.raises(UserError, match="shortest_part"):
        train_fasttext(*two_topics, FastTextSettings(shortest_part=5, longest_part=3), 1)
