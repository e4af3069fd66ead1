"""Differential bias: documents times sets per second, against a direct port of the published procedure; and memory.

    python benchmarks/attribution.py            after `snakemake --cores all attribution`; --help lists the options

The port does, for each document and WEAT set, what the authors' program does: count the document's co-occurrences
with the set's words, form each word's gradient before and after over its whole row, multiply by the inverse Hessian
(computed once, as theirs is), and measure WEAT. Both work on the same embedding in the same run; the port is timed
on a random sample of documents. Seconds are of processor time, because machines are busy; the ratio is what counts.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workflow" / "scripts"))

import polars as pl
import threadpoolctl

from biasorigin.artefacts import load_json, load_table, save_table
from biasorigin.attribution.bias_tests import BiasTests, effect_sizes
from biasorigin.attribution.influence import blocks, differential_bias
from biasorigin.attribution.study import Study, load_study
from biasorigin.cooccurrence import cooccurrence_by_document

PUBLISHED = {"NYT, 0.2 sample": 283_744, "NYT": 1_412_846}


def all_documents(study: Study, estimator: str, threads: int, repeat: int = 1) -> np.ndarray:
    """The fast path over the whole corpus, `repeat` times over."""
    corpus, parts = study.corpus, []
    for _ in range(repeat):
        for first, last in blocks(corpus.documents):
            cells = cooccurrence_by_document(
                corpus.tokens, corpus.offsets, np.arange(first, last), study.tests.rows, corpus.window,
                words=corpus.words, threads=threads,
            )  # fmt: skip
            found = differential_bias(cells, study.cells, study.models, study.tests, estimator, threads)
            parts.append(found if repeat == 1 else found.sum(axis=1, keepdims=True))
    return np.concatenate(parts, axis=1)


class Port:
    """The published procedure, one document and one set at a time, in NumPy."""

    def __init__(self, study: Study):
        self.study, self.model = study, study.models[0]
        self.inverse = np.einsum("wij,wik->wjk", self.model.whitener, self.model.whitener)
        self.of_row = [study.cells.of(row) for row in range(len(study.cells.words))]

    def effect(self, document: int, test: int) -> float:
        """B(w) − B(w̃) of one document for one set."""
        tokens = self._tokens(document)
        words = self.study.tests.words_of(test)
        vectors = self.model.parameters.copy()
        for row in words:
            word = self.study.cells.words[row]
            if word in tokens:
                vectors[row] = self._moved(row, word, tokens)
        one = BiasTests(("x",), self.study.tests.rows, self.study.tests.members, self.study.tests.bounds[[test]])
        return float(effect_sizes(self.model.vectors, one)[0] - effect_sizes(vectors[:, : self.model.dim], one)[0])

    def _tokens(self, document: int) -> np.ndarray:
        offsets = self.study.corpus.offsets
        return np.asarray(self.study.corpus.tokens[offsets[document] : offsets[document + 1]])

    def _moved(self, row: int, word: int, tokens: np.ndarray) -> np.ndarray:
        part, model = self.of_row[row], self.model
        contexts, full = self.study.cells.contexts[part], self.study.cells.counts[part]
        near = np.zeros(self.study.corpus.words)
        for place in np.flatnonzero(tokens == word):
            for distance in range(1, self.study.corpus.window + 1):
                for other in (place - distance, place + distance):
                    if 0 <= other < len(tokens):
                        near[tokens[other]] += 1 / distance
        rest = np.maximum(0.0, full - near[contexts])
        rest[rest < 0.5 * self.study.cells.quantum] = 0.0
        gradients = [self._gradient(row, contexts, counts) for counts in (rest, full)]
        return model.parameters[row] - self.inverse[row] @ (gradients[0] - gradients[1])

    def _gradient(self, row: int, contexts: np.ndarray, counts: np.ndarray) -> np.ndarray:
        model, seen = self.model, counts > 0
        features = model.features[contexts[seen]]
        error = features @ model.parameters[row] + model.own[row] + model.offsets[contexts[seen]] - np.log(counts[seen])
        return features.T @ (2 * model.weighting(counts[seen]) * error)


def main() -> None:
    """Time both, check that they agree, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--embedding", default="glove_reviews")
    parser.add_argument("--sets", type=int, default=14, help="number of WEAT sets")
    parser.add_argument("--sample", type=int, default=60, help="documents that the port is timed on")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks_peers/attribution.tsv"))
    given = parser.parse_args()
    threadpoolctl.threadpool_limits(1)
    folder = given.results / "embeddings" / given.embedding
    seed = sorted(folder.glob("seed-*"))[0]
    corpus = given.results / "corpus" / load_json(seed / "facts.json")["corpus"]
    sets = load_table(given.results / "attribution" / given.embedding / "sets.parquet").head(given.sets)
    paths = (corpus / "tokens.npy", corpus / "offsets.npy", folder / "cooccurrence", [seed], sets)
    rows = []
    study = load_study(*paths, "influence")
    all_documents(study, "influence", given.threads)  # compiles
    fast = {}
    for estimator in ("influence", "resolve_bias"):
        study = load_study(*paths, estimator)
        start = time.process_time()
        fast[estimator] = all_documents(study, estimator, given.threads)[0]
        seconds = time.process_time() - start
        rows.append((f"ours, {estimator}", study.corpus.documents, len(sets), seconds, _peak()))
    study = load_study(*paths, "influence")
    port = Port(study)
    sample = np.random.default_rng(1).choice(study.corpus.documents, given.sample, replace=False)
    start = time.process_time()
    slow = np.array([[port.effect(k, test) for test in range(len(sets))] for k in sample])
    seconds = time.process_time() - start
    rows.append(("published procedure, NumPy", given.sample, len(sets), seconds, _peak()))
    difference = np.abs(slow - fast["influence"][sample]).max()
    all_documents(study, "influence", given.threads, repeat=10)
    rows.append(("ours, influence, ten times the documents", 10 * study.corpus.documents, len(sets), None, _peak()))

    table = pl.DataFrame(rows, schema=["method", "documents", "sets", "seconds", "peak_mb"], orient="row")
    table = table.with_columns(per_second=pl.col("documents") * pl.col("sets") / pl.col("seconds"))
    reference = table.filter(pl.col("method").str.starts_with("published"))["per_second"][0]
    table = table.with_columns(times_faster=pl.col("per_second") / reference)
    for name, documents in PUBLISHED.items():
        table = table.with_columns(
            (documents * pl.col("sets") / pl.col("per_second") / 3600).alias(f"hours for {name}")
        )
    save_table(given.output, table)
    with pl.Config(tbl_cols=20, tbl_width_chars=200):
        print(table)
    print(f"Largest difference between the two on {given.sample} documents x {len(sets)} sets: {difference:.2e}")


def _peak() -> int:
    """Peak memory of the process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
