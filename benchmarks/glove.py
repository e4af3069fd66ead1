"""GloVe: updates per second, scaling, what limits them, and the same work done by others.

    python benchmarks/glove.py [--quick] [--peers PYTHON]         or BIASORIGIN_PEERS=PYTHON in the environment

Trains on made-up Zipf-distributed co-occurrences, so that any size can be had. Beside ours: a plain C program in the
reference program's style (benchmarks/reference_glove.c, ours; compiled with gcc here and now), mittens, and gensim's
skip-gram (per token, as a yardstick of another kind). --peers is the interpreter of an environment that has the
packages of benchmarks/peers.txt. Rates are per second of processor time and core, which a busy machine disturbs less
than the clock on the wall (also given); the load is printed. Writes results/benchmarks_peers/glove*.tsv and glove.svg.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workflow" / "scripts"))

import numpy as np
import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.compiled import compiled
from biasorigin.cooccurrence import Cooccurrence
from biasorigin.figures import CYCLE, new_figure, save_figure
from biasorigin.finish import FinishSettings, finish
from biasorigin.glove import GloveSettings, run_adagrad, start_model
from biasorigin.glove_kernels import update_block

PROJECT = Path(__file__).resolve().parent.parent
RESULTS = PROJECT / "results" / "benchmarks_peers"
# ASSUME: cells a token fall with the size of a corpus as they do among film reviews: 2.57 at 1.1 million tokens, 2.07
# at 5.9 million, hence, by the same power law, 1.1 at 976 million.
CELLS_PER_TOKEN = 1.1
NEW_YORK_TIMES = {"tokens": 976e6, "words": 213_687, "dim": 200, "epochs": 150}


@compiled()
def _next(state):
    """The next number in [0, 1) of a linear congruential generator with an explicit state of one entry."""
    state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return np.float64(state[0] >> np.uint64(11)) / 2.0**53


@compiled()
def _fill(sizes, limit, words, state, indices, values):
    """Rows of distinct columns drawn by a Zipf law, with values as independent words would have them."""
    marked = np.zeros(words, np.int64)
    size = 0
    for row in range(words):
        drawn = 0
        while drawn < sizes[row]:
            column = int(np.exp(_next(state) * limit)) - 1
            if column >= words or marked[column] == row + 1:
                column = int(_next(state) * words)
            if marked[column] != row + 1:
                marked[column] = row + 1
                indices[size + drawn] = column
                drawn += 1
        indices[size : size + drawn].sort()
        for cell in range(size, size + drawn):
            expected = 50.0 * words / ((row + 1.0) * (indices[cell] + 1.0))
            values[cell] = max(0.125, expected * np.exp(2 * _next(state) - 1))
        size += drawn


def make_cells(words: int, cells: int, seed: int = 1) -> Cooccurrence:
    """Made-up co-occurrences with about this many cells: frequent words have long rows."""
    shape = 1 / (np.arange(words) + 10.0) ** 0.8
    low, high = 0.0, 1e12
    for _ in range(60):  # the scale at which the rows, cut at the vocabulary, add up to the cells asked for
        scale = np.sqrt(max(low, 1.0) * high)
        low, high = (low, scale) if np.minimum(shape * scale, words * 0.9).sum() > cells else (scale, high)
    sizes = np.maximum(np.minimum(shape * high, words * 0.9), 1).astype(np.int64)
    indices, values = np.empty(sizes.sum(), np.int32), np.empty(sizes.sum())
    _fill(sizes, np.log(words + 1), words, np.array([seed], np.uint64), indices, values)
    return Cooccurrence(np.concatenate([[0], sizes.cumsum()]), indices, values, 1)


def time_epochs(cells: Cooccurrence, dim: int, threads: int, epochs: int = 3) -> tuple[float, float, list[float]]:
    """(processor seconds a thread, wall seconds) of an epoch without the set-up, and the reference program's costs."""
    settings = GloveSettings(dim, epochs=1, finish=FinishSettings(0))
    start = start_model(cells.words, settings, 1)
    times, losses = [], []
    for count in (1, 1 + epochs):
        began = np.array([time.process_time(), time.perf_counter()])
        model = run_adagrad(start, cells, replace(settings, epochs=count), 1, threads=threads)
        times.append(np.array([time.process_time(), time.perf_counter()]) - began)
        losses = [loss / 2 for _, _, loss in model.losses]
    processor, wall = (times[1] - times[0]) / epochs
    return processor / threads, wall, losses


def in_cache_rate(dim: int) -> float:
    """Updates per second of one thread when every line is in the first-level cache: what arithmetic alone allows."""
    lanes = -(-(dim + 2) // 16) * 16
    rng = np.random.default_rng(0)
    lines = rng.random((8, 2 * lanes), dtype=np.float32) / dim
    lines[:, lanes:] = 400
    contexts = lines.copy()
    columns = rng.integers(0, 8, 80_000).astype(np.int32)
    targets, importances = rng.random((2, 80_000), dtype=np.float32)
    rows, order = np.arange(8, dtype=np.int32), np.arange(8)
    best = np.inf
    for _ in range(6):
        began = time.process_time()
        update_block(
            lines, contexts, np.arange(9) * 10_000, rows, order, columns, targets, importances * 0.01,
            np.float32(1), (0,) * (lanes // 16),
        )  # fmt: skip
        best = min(best, time.process_time() - began)
    return 80_000 / best


def bandwidth() -> float:
    """Bytes per second that one thread copies in main memory (read and write counted)."""
    source = np.ones(2**26, np.float32)
    target = np.empty_like(source)
    best = np.inf
    for _ in range(5):
        began = time.process_time()
        np.copyto(target, source)
        best = min(best, time.process_time() - began)
    return 2 * source.nbytes / best


def time_reference(cells: Cooccurrence, dim: int, threads: int, epochs: int) -> tuple[float, list[float]]:
    """Processor seconds a thread of an epoch of the C program, and its costs."""
    with tempfile.TemporaryDirectory() as folder:
        program, file = Path(folder) / "reference", Path(folder) / "cells"
        source = str(PROJECT / "benchmarks" / "reference_glove.c")
        options = ["-O3", "-march=native", "-funroll-loops"]
        subprocess.run(["gcc", *options, "-o", str(program), source, "-lm", "-pthread"], check=True)
        record = np.dtype([("row", "i4"), ("column", "i4"), ("value", "f8")])
        records = np.empty(cells.cells, record)
        records["row"] = np.repeat(np.arange(cells.words), np.diff(cells.indptr))
        records["column"], records["value"] = cells.indices, cells.values
        np.random.default_rng(1).shuffle(records)
        records.tofile(file)
        arguments = [str(file), str(cells.words), str(dim), str(epochs), str(threads), "0.05", "100", "0.75"]
        lines = subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True).stdout.split()
    numbers = np.array(lines, float).reshape(-1, 2)
    return float(np.median(numbers[:, 0])) / threads, numbers[:, 1].tolist()


MITTENS = """
import sys, time, numpy as np
from mittens import GloVe
x = np.load(sys.argv[1]); dim, epochs = int(sys.argv[2]), int(sys.argv[3])
def run(n):
    model = GloVe(n=dim, max_iter=n, learning_rate=0.05, display_progress=10**9)
    start = time.process_time()
    model.fit(x)
    return time.process_time() - start, model
run(1)
some, model = run(1 + epochs)
seen = x > 0
fitted = model.W @ model.C.T + model.bw.reshape(-1, 1) + model.bc.reshape(1, -1)
cost = 0.5 * np.minimum(1, (x[seen] / 100) ** 0.75) * (fitted[seen] - np.log(x[seen])) ** 2
print((some - run(1)[0]) / epochs, cost.mean())
"""


def time_mittens(python: str, words: int, cells: Cooccurrence, dim: int) -> tuple[float | None, ...]:
    """(processor seconds of an epoch, cost after four) of mittens, which works on dense matrices; None if it fails."""
    dense = np.zeros((words, words))
    dense[np.repeat(np.arange(words), np.diff(cells.indptr)), cells.indices] = cells.values
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "x.npy", dense)
        command = [python, "-c", MITTENS, str(Path(folder) / "x.npy"), str(dim), "3"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print("mittens did not run:", done.stderr.strip().splitlines()[-1])
        return None, None
    return tuple(map(float, done.stdout.split()[-2:]))


def time_skip_gram(tokens: int, words: int, dim: int) -> float:
    """Seconds that gensim's skip-gram (one worker, as reproducibility asks) takes for one epoch over made-up text."""
    from gensim.models import Word2Vec

    rng = np.random.default_rng(1)
    text = np.minimum(np.exp(rng.random(tokens) * np.log(words)).astype(int), words - 1).astype(str)
    sentences = [text[k : k + 1000].tolist() for k in range(0, tokens, 1000)]
    model = Word2Vec(vector_size=dim, window=8, min_count=1, workers=1, sg=1, seed=1)
    model.build_vocab(sentences)
    began = time.process_time()
    model.train(sentences, total_examples=len(sentences), epochs=1)
    return time.process_time() - began


def speeds(cells: Cooccurrence) -> pl.DataFrame:
    """Ours and the C program at dimensions 50, 100 and 200, with one thread and two."""
    rows, copied = [], bandwidth()
    for dim in (50, 100, 200):
        limit = in_cache_rate(dim)
        lanes = -(-(dim + 2) // 16) * 16
        for threads in (1, 2):
            ours, wall, losses = time_epochs(cells, dim, threads)
            theirs, costs = time_reference(cells, dim, threads, 4 if threads == 2 else 1)
            rate = cells.cells / ours  # per second, with all threads
            rows.append(
                {
                    "dim": dim,
                    "threads": threads,
                    "words": cells.words,
                    "cells": cells.cells,
                    "updates_per_second": rate,
                    "updates_per_wall_second": cells.cells / wall,
                    "reference_updates_per_second": cells.cells / theirs,
                    "ratio": theirs / ours,
                    "share_of_arithmetic_limit": rate / (threads * limit),
                    # Were every line to come from main memory: two lines read and written, and the cell.
                    "bytes_if_uncached": 2 * 2 * 2 * lanes * 4 + 12,
                    "memory_copy_bytes_per_second": copied,
                    "times_bandwidth_if_uncached": rate * (16 * lanes * 2 + 12) / copied,
                    "cost_epoch_4": losses[3],
                    "reference_cost_epoch_4": costs[3] if threads == 2 else None,
                }
            )
            print(
                f"dim {dim}, {threads} thread(s): {rate / 1e6:.1f} million updates per second of processor time "
                f"({rows[-1]['share_of_arithmetic_limit']:.0%} of what arithmetic in cache allows), "
                f"C {cells.cells / theirs / 1e6:.2f}, ratio {theirs / ours:.1f}; "
                f"cost after {len(costs)} epoch(s) {losses[len(costs) - 1]:.6f}, C {costs[-1]:.6f}",
                flush=True,
            )
    return pl.DataFrame(rows)


def scaling(sizes: list[tuple[int, int]], threads: int) -> pl.DataFrame:
    """Dimension 100 at more and more words and cells."""
    rows = []
    for words, count in sizes:
        cells = make_cells(words, count)
        seconds, wall, _ = time_epochs(cells, 100, threads, epochs=1)
        rates = {"updates_per_second": cells.cells / seconds, "updates_per_wall_second": cells.cells / wall}
        rows.append({"words": words, "cells": cells.cells, "threads": threads, "seconds": seconds, **rates})
        print(f"{words:,} words, {cells.cells:,} cells: {rows[-1]['updates_per_second'] / 1e6:.1f} million updates/s")
    return pl.DataFrame(rows)


def time_sweep(cells: Cooccurrence, dim: int, threads: int) -> float:
    """Processor seconds of one sweep of conjugate-gradient solves."""
    settings = GloveSettings(dim, 0, finish=FinishSettings(sweeps=1))
    start = start_model(cells.words, settings, 1)
    times = []
    for sweeps in (1, 3):
        began = time.process_time()
        finish(
            (start.vectors, start.contexts, start.biases), cells,
            replace(settings, finish=FinishSettings(sweeps=sweeps)), threads=threads,
        )  # fmt: skip
        times.append(time.process_time() - began)
    return (times[1] - times[0]) / 2


def draw(table: pl.DataFrame, scales: pl.DataFrame):
    """Updates per second by dimension, and by size."""
    figure, axes = new_figure(1, 2, height=3.2)
    for number, threads in enumerate((1, 2)):
        part = table.filter(pl.col("threads") == threads)
        axes[0].plot(part["dim"], part["updates_per_second"] / 1e6, "o-", color=CYCLE[number], label=f"ours, {threads}")
        label = f"C in the reference program's style, {threads}"
        axes[0].plot(part["dim"], part["reference_updates_per_second"] / 1e6, "s--", color=CYCLE[number], label=label)
    axes[0].set_yscale("log")
    axes[0].set_xlabel("dimension")
    axes[0].set_ylabel("million updates per second")
    axes[0].set_title(f"{table['cells'][0] / 1e6:.0f} million cells")
    axes[0].set_xticks(part["dim"])
    figure.legend(title="program, threads", loc="outside lower center", ncols=4, fontsize=7, title_fontsize=7)
    axes[1].plot(scales["cells"] / 1e6, scales["updates_per_second"] / 1e6, "o-", color=CYCLE[1])
    for words, count, rate in scales.select("words", "cells", "updates_per_second").iter_rows():
        axes[1].annotate(f"{words:,}\nwords", (count / 1e6, rate / 1e6), fontsize=6, xytext=(0, 5),
                         textcoords="offset points", ha="center")  # fmt: skip
    axes[1].set_xscale("log")
    axes[1].set_ylim(0, 1.3 * scales["updates_per_second"].max() / 1e6)
    axes[1].margins(x=0.15)
    axes[1].set_xlabel("million cells")
    axes[1].set_ylabel("million updates per second")
    axes[1].set_title(f"ours, dimension 100, {scales['threads'][0]} threads")
    return figure


def estimate(scales: pl.DataFrame) -> None:
    """Print what the largest size measured says of the New York Times corpus."""
    rate = scales["updates_per_second"][-1] / scales["threads"][-1] * 100 / NEW_YORK_TIMES["dim"]
    cells = NEW_YORK_TIMES["tokens"] * CELLS_PER_TOKEN
    hours = cells * NEW_YORK_TIMES["epochs"] / rate / 3600
    print(
        f"New York Times (976 million tokens, 213,687 words, some {cells / 1e6:.0f} million cells if there are "
        f"{CELLS_PER_TOKEN} a token), dimension 200: {cells / rate / 60:.0f} core-minutes an epoch, "
        f"{hours:.0f} core-hours for 150."
    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument(
        "--peers",
        default=os.environ.get("BIASORIGIN_PEERS"),
        help="interpreter that has the packages of benchmarks/peers.txt",
    )
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    cells = make_cells(5_000, 1_000_000) if given.quick else make_cells(15_000, 10_000_000)
    time_epochs(cells, 16, 1, epochs=1)  # compile
    table = speeds(cells)
    save_table(RESULTS / "glove.tsv", table)
    sizes = [(20_000, 3_000_000), (40_000, 10_000_000), (100_000, 30_000_000), (200_000, 100_000_000)]
    scales = scaling(sizes[:2] if given.quick else sizes, given.threads)
    save_table(RESULTS / "glove_scaling.tsv", scales)
    save_figure(draw(table, scales), RESULTS / "glove.svg", RESULTS / "glove.png")
    small = make_cells(2_000, 1_000_000)
    seconds, _, costs = time_epochs(small, 100, 1)
    rows = [
        ("ours, AdaGrad epoch, 2,000 words, dense", seconds, costs[3]),
        ("ours, sweep of solves, cells as in glove.tsv", time_sweep(cells, 100, given.threads), None),
        ("gensim skip-gram, 1 worker, 1 million tokens", time_skip_gram(10**6, 20_000, 100), None),
    ]
    if given.peers:
        rows.append(("mittens, epoch, 2,000 words, dense", *time_mittens(given.peers, 2_000, small, 100)))
    for row in rows:
        print(*row)
    schema = {"program": pl.String, "processor_seconds": pl.Float64, "cost_epoch_4": pl.Float64}
    save_table(RESULTS / "glove_peers.tsv", pl.DataFrame(rows, schema=schema, orient="row"))
    estimate(scales)


if __name__ == "__main__":
    main()
