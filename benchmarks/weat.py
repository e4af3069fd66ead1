"""WEAT with permutations beside WEFE's: python benchmarks/weat.py PYTHON_WITH_WEFE [permutations] [embedding folder]

PYTHON_WITH_WEFE is the interpreter of an environment that has the peers of benchmarks/peers.txt; WEFE is never
imported here. Without a folder (vectors.npy, vocabulary.parquet, facts.json) the vectors are made up: 8 + 8 targets,
8 + 8 attributes, 300 dimensions. With the 347 Google News vectors, the test is B1 of Chaloner and Maldonado (2019).
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "workflow" / "scripts"))

import numba
import numpy as np

from biasorigin.association.permutation import permutation_test
from biasorigin.association.weat import WeatSettings, associations, effect_size, score_tests
from biasorigin.association.words import choose_words
from biasorigin.embedding import Embedding, load_embedding
from biasorigin.wordsets import Test, WordList, load_word_sets

PEER = """
import json, sys, time
from gensim.models import KeyedVectors
from wefe.metrics import WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel
asked = json.load(open(sys.argv[1]))
model = WordEmbeddingModel(KeyedVectors.load_word2vec_format(asked["vectors"], binary=False))
query = Query(asked["targets"], asked["attributes"])
start = time.perf_counter()
plain = WEAT().run_query(query, model, return_effect_size=True)
between = time.perf_counter()
tested = WEAT().run_query(query, model, calculate_p_value=True, p_value_iterations=asked["permutations"])
print(json.dumps({"effect_size": plain["effect_size"], "p": tested["p_value"],
                  "seconds": time.perf_counter() - between, "seconds_without_p": between - start}))
"""


def made_up() -> tuple[Embedding, Test]:
    """Random vectors with some association."""
    rng = np.random.default_rng(0)
    names = [[f"{side}{i}" for i in range(8)] for side in "stab"]
    vectors = rng.normal(size=(32, 300))
    vectors[:8] += 0.3 * vectors[16:24].mean(axis=0)
    s, t, a, b = (WordList(name[0][0], name[0][0], tuple(name)) for name in names)
    words = tuple(word for name in names for word in name)
    return Embedding(words, vectors.astype(np.float32), cased=True), Test("made up", "made up", (s, t), (a, b))


def seconds(function, repeats: int) -> float:
    """The shortest time of some calls, after one to compile."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main(peer: str, permutations: int = 10_000, folder: str | None = None) -> None:
    numba.set_num_threads(1)
    if folder:
        embedding = load_embedding(folder)
        test = load_word_sets(sorted((PROJECT / "config" / "word_sets").glob("*.yaml"))).tests["B1"]
    else:
        embedding, test = made_up()
    lists = choose_words(embedding, test).lists
    unit = [embedding.unit_rows(one.rows) for one in lists]
    g = associations(np.vstack(unit[:2]) @ np.vstack(unit[2:]).T, len(unit[2]))
    first, second = g[: len(unit[0])], g[len(unit[0]) :]
    exact = permutation_test(first, second, exact_words=36, draws=0, seed=1)
    drawn = permutation_test(first, second, exact_words=0, draws=permutations, seed=1)

    def once(exact_words: int) -> None:
        score_tests(embedding, [test], WeatSettings(exact_words=exact_words, draws=permutations, bootstrap=0))

    ours_drawn, ours_exact = seconds(lambda: once(0), 20), seconds(lambda: once(36), 20)
    big = np.random.default_rng(1).normal(size=64)
    many = seconds(lambda: permutation_test(big[:32], big[32:], exact_words=0, draws=100_000, seed=1), 5)
    print(f"{test.key}: {len(first)} + {len(second)} targets, {embedding.dim} dimensions")
    line(f"ours, {permutations:,} random splits", ours_drawn, drawn.p_one_sided)
    line(f"ours, all {exact.partitions:,} splits", ours_exact, exact.p_one_sided)
    line("ours, 100,000 random splits of 32 + 32 words", many)
    theirs = ask_peer(peer, embedding, lists, permutations)
    line(f"WEFE, {permutations:,} permutations", theirs["seconds"], theirs["p"])
    print(f"WEFE takes {theirs['seconds'] / ours_drawn:,.0f} times as long")
    corrected = theirs["effect_size"] * np.sqrt((len(g) - 1) / len(g))
    print(f"effect size: ours {effect_size(first, second):.6f}, WEFE {theirs['effect_size']:.6f} (ddof 0)")
    print(f"             WEFE's with ddof 1: {corrected:.6f}")
    gaps = drawn.p_one_sided - exact.p_one_sided, theirs["p"] - exact.p_one_sided
    print(f"p minus the exact one: ours {gaps[0]:+.5f}, WEFE {gaps[1]:+.5f} (it draws with replacement, so not splits)")


def line(what: str, time_taken: float, p: float | None = None) -> None:
    """One line of the comparison."""
    print(f"{what:50} {time_taken * 1000:14.2f} ms" + ("" if p is None else f"   p = {p:.5f}"), flush=True)


def ask_peer(peer: str, embedding: Embedding, lists, permutations: int) -> dict:
    """Run WEFE on the same vectors in its own interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        path, vectors = Path(folder) / "asked.json", Path(folder) / "vectors.txt"
        used = [word for one in lists for word in one.used]
        rows = np.concatenate([one.rows for one in lists])
        lines = [
            f"{word} {' '.join(map(repr, embedding.vectors[row].tolist()))}"
            for word, row in zip(used, rows, strict=True)
        ]
        vectors.write_text("\n".join([f"{len(used)} {embedding.dim}", *lines]) + "\n")
        asked = {"vectors": str(vectors), "permutations": permutations}
        asked |= {"targets": [list(one.used) for one in lists[:2]], "attributes": [list(one.used) for one in lists[2:]]}
        path.write_text(json.dumps(asked))
        done = subprocess.run([peer, "-c", PEER, str(path)], capture_output=True, text=True, check=True)
        return json.loads(done.stdout.strip().splitlines()[-1])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(arguments[0], *[int(one) for one in arguments[1:2]], *arguments[2:3])
