"""How GloVe should be trained: AdaGrad epochs, sweeps of solves, ridge; what each does to quality, time and spread.

    python benchmarks/finish.py            after `snakemake --cores all embeddings`; --help lists the options

Every setting is trained with several seeds on the same co-occurrences, and the table says for each: processor seconds
a training; loss; MEN and WS353 (Spearman); how alike the seeds are (correlation of cosines over random pairs of
words, and the standard deviation of WEAT effect sizes over seeds, mean over all tests that can be made); how far
words and contexts still are from the minimum of their own problem (median relative Newton step).
"""

import argparse
import itertools
import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workflow" / "scripts"))

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.cooccurrence import Cooccurrence, count_cooccurrence
from biasorigin.embedding import Embedding
from biasorigin.figures import CYCLE, new_figure, save_figure
from biasorigin.finish import FinishSettings
from biasorigin.glove import GloveModel, GloveSettings, train
from biasorigin.quality.benchmarks import load_benchmark
from biasorigin.quality.measure import Settings, measure_quality
from biasorigin.stationarity import context_steps, newton_steps
from biasorigin.wordsets import load_word_sets

PROJECT = Path(__file__).resolve().parent.parent
# (family, epochs, sweeps, ridge, steps)
SETTINGS = [
    *(("AdaGrad alone", epochs, 0, 0.5, 2) for epochs in (10, 25, 50, 100)),
    *(("sweeps alone", 0, sweeps, 0.5, 2) for sweeps in (2, 4, 8, 12, 20, 40)),
    *(("sweeps alone, exact solves", 0, sweeps, 0.5, 0) for sweeps in (4, 12)),
    *(("AdaGrad, then 8 sweeps", epochs, 8, 0.5, 2) for epochs in (5, 10, 25)),
    *(("12 sweeps, other ridge", 0, 12, ridge, 2) for ridge in (0.1, 0.2, 0.3, 0.75, 1.0, 2.0)),
    *(("20 sweeps, other ridge", 0, 20, ridge, 2) for ridge in (0.3, 0.75, 1.0)),
]


class Measures:
    """What is measured on the trainings of one setting."""

    def __init__(self, results: Path, corpus: str, window: int):
        folder = results / "corpus" / corpus
        vocabulary = load_table(folder / "vocabulary.parquet")
        self.words = tuple(vocabulary["word"].to_list())
        self.counts = vocabulary["count"].to_numpy()
        self.cells = count_cooccurrence(
            load_array(folder / "tokens.npy"), load_array(folder / "offsets.npy"), len(self.words), window, threads=2
        )
        benchmarks = results / "sources" / "benchmarks"
        self.benchmarks = [load_benchmark(name, benchmarks / f"{name}.tsv") for name in ("men", "ws353")]
        sets = load_word_sets(sorted((PROJECT / "config" / "word_sets").glob("*.yaml")))
        self.tests = list(sets.tests.values())
        self.pairs = np.random.default_rng(0).integers(0, min(5_000, len(self.words)), (2, 20_000))

    def of(self, model: GloveModel) -> tuple[dict[str, float], np.ndarray, dict[str, float]]:
        """(quality, cosines of the pairs, WEAT effect sizes) of a model."""
        embedding = Embedding(self.words, model.vectors, self.counts)
        table = measure_quality(embedding, self.benchmarks, Settings(replicates=10))
        quality = dict(zip(table["benchmark"], table["value"], strict=True))
        first, second = (embedding.unit_rows(rows) for rows in self.pairs)
        tests, _ = score_tests(embedding, self.tests, WeatSettings(exact_words=0, draws=10, bootstrap=0))
        effects = dict(zip(tests["test"], tests["effect_size"], strict=True))
        return quality, (first * second).sum(axis=1), effects


def measure(measures: Measures, cells: Cooccurrence, settings: GloveSettings, seeds: range, threads: int) -> dict:
    """One row of the table."""
    seconds, found, models = [], [], []
    for seed in seeds:
        start = time.process_time()
        models.append(train(cells, settings, seed, threads=threads))
        seconds.append(time.process_time() - start)
        found.append(measures.of(models[-1]))
    agreement = [np.corrcoef(one, other)[0, 1] for (_, one, _), (_, other, _) in itertools.combinations(found, 2)]
    effects = [[effects[key] for _, _, effects in found] for key in found[0][2]]
    effects = np.array([row for row in effects if all(value is not None for value in row)])
    with_ridge = GloveSettings(settings.dim, finish=FinishSettings(1, settings.finish.ridge))
    return {
        "cpu_seconds": float(np.mean(seconds)),
        "loss": models[0].losses[-1][2],
        **{f"{name}_mean": float(np.mean([quality[name] for quality, _, _ in found])) for name in ("men", "ws353")},
        **{f"{name}_sd": float(np.std([q[name] for q, _, _ in found], ddof=1)) for name in ("men", "ws353")},
        "agreement_of_seeds": float(np.mean(agreement)),
        "weat_sd_over_seeds": float(np.mean(np.std(effects, axis=1, ddof=1))),
        "weat_tests": len(effects),
        "word_step": float(np.median(newton_steps(models[0], cells, with_ridge, threads=threads))),
        "context_step": float(np.median(context_steps(models[0], cells, with_ridge, threads=threads))),
    }


def draw(table: pl.DataFrame, corpus: str):
    """Quality and spread against processor time, a line a family."""
    figure, axes = new_figure(1, 2, height=3.4)
    for number, (family, rows) in enumerate(table.sort("cpu_seconds").group_by("family", maintain_order=True)):
        style = {"color": CYCLE[number % len(CYCLE)], "marker": "osD^vP"[number % 6], "markersize": 4}
        axes[0].plot(rows["cpu_seconds"], rows["men_mean"], label=family[0], **style)
        axes[1].plot(rows["cpu_seconds"], rows["weat_sd_over_seeds"], **style)
    for axis, label in zip(
        axes, ("MEN, Spearman (mean of seeds)", "sd of WEAT over seeds (mean of tests)"), strict=True
    ):
        axis.set_xscale("log")
        axis.set_xlabel("processor seconds a training")
        axis.set_ylabel(label)
    figure.suptitle(f"{corpus}: {table['seeds'][0]} seeds, dimension {table['dim'][0]}", x=0.01, ha="left", fontsize=10)
    figure.legend(loc="outside lower center", ncols=2, fontsize=7)
    return figure


def main() -> None:
    """Train, measure, print and write the table and the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=PROJECT / "results", help="where the study's results are")
    parser.add_argument("--corpus", default="reviews_20")
    parser.add_argument("--dim", type=int, default=75)
    parser.add_argument("--seeds", type=int, default=3, help="how many")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--families", nargs="*", help="only these families of settings")
    given = parser.parse_args()
    logging.getLogger("biasorigin.association").setLevel(logging.ERROR)  # which tests cannot be made is known
    measures = Measures(given.results, given.corpus, window=8)
    rows = []
    for family, epochs, sweeps, ridge, steps in SETTINGS:
        if given.families and family not in given.families:
            continue
        settings = GloveSettings(given.dim, epochs, finish=FinishSettings(sweeps, ridge, steps))
        labels = {"family": family, "epochs": epochs, "sweeps": sweeps, "ridge": ridge, "steps": steps}
        row = measure(measures, measures.cells, settings, range(1, given.seeds + 1), given.threads)
        rows.append({**labels, "dim": given.dim, "seeds": given.seeds, **row})
        print(*(f"{value:.4g}" if isinstance(value, float) else value for value in rows[-1].values()), flush=True)
    table = pl.DataFrame(rows)
    folder = given.results / "benchmarks_peers"
    save_table(folder / f"finish_{given.corpus}.tsv", table)
    save_figure(draw(table, given.corpus), *(folder / f"finish_{given.corpus}.{ending}" for ending in ("svg", "png")))


if __name__ == "__main__":
    main()
