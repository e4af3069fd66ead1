"""Time the vector files and the quality benchmarks, beside gensim's: python benchmarks/quality.py [words] [dim]

Vectors are made up; the questions are as many as Google's, among the 30,000 most frequent words.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workflow" / "scripts"))

import numpy as np
import threadpoolctl
from gensim.models import KeyedVectors

from biasorigin.embedding import Embedding
from biasorigin.quality import Analogies, Settings, measure_quality
from biasorigin.vector_files import read_vectors, write_word2vec_binary, write_word2vec_text

QUESTIONS = 19_544
QUESTIONS_FOR_GENSIM = 200  # it takes seconds for a hundred


def timed(what, function, *arguments, **options):
    """Call, print the seconds, and hand the result on."""
    start = time.perf_counter()
    result = function(*arguments, **options)
    print(f"{what:60} {time.perf_counter() - start:8.2f} s", flush=True)
    return result


def questions_of(words, count):
    """Questions of pairs of the most frequent words, as in Google's file each pair in many of them."""
    random = np.random.default_rng(1)
    pairs = random.permutation(min(len(words), 30_000))[:900].reshape(-1, 2)
    chosen = random.integers(0, len(pairs), size=(count, 2))
    return tuple(tuple(words[row] for row in (*pairs[one], *pairs[other])) for one, other in chosen)


def main(count=400_000, dim=50):
    threadpoolctl.threadpool_limits(1)
    random = np.random.default_rng(0)
    words = tuple(f"word{row}" for row in range(count))
    vectors = random.normal(size=(count, dim)).astype(np.float32)
    print(f"{count:,} words, {dim} dimensions")
    with tempfile.TemporaryDirectory() as folder:
        text, binary = Path(folder) / "text", Path(folder) / "binary"
        timed("write word2vec text", write_word2vec_text, text, words, vectors)
        timed("write word2vec binary", write_word2vec_binary, binary, words, vectors)
        read_vectors(text, limit=10)  # compile
        read_vectors(binary, limit=10)
        timed("read word2vec text", read_vectors, text)
        timed("read word2vec text, 10,000 words", read_vectors, text, limit=10_000)
        timed("read word2vec binary", read_vectors, binary)
        theirs = timed("gensim: read word2vec binary", KeyedVectors.load_word2vec_format, binary, binary=True)
        timed("gensim: read word2vec text", KeyedVectors.load_word2vec_format, text, binary=False)
        embedding = Embedding(words, vectors)
        asked = questions_of(words, QUESTIONS)
        few = Analogies("google_analogies", asked[:10], ("all",) * 10)
        measure_quality(embedding, [few], Settings(replicates=10))  # compile
        whole = Analogies("google_analogies", asked, ("all",) * QUESTIONS)
        for candidates in (30_000, None):
            among = f"{candidates:,}" if candidates else "all"
            settings = Settings(candidates=candidates)
            timed(f"{QUESTIONS:,} analogies among {among} words", measure_quality, embedding, [whole], settings)
        path = Path(folder) / "questions"
        path.write_text("\n".join([": all", *(" ".join(question) for question in asked[:QUESTIONS_FOR_GENSIM])]))
        timed(
            f"gensim: {QUESTIONS_FOR_GENSIM} analogies among all words",
            theirs.evaluate_word_analogies,
            path,
            restrict_vocab=count,
            case_insensitive=False,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
