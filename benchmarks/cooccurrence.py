"""Co-occurrence: pairs of tokens per second and peak memory at one, three and ten times the film reviews' size.

    python benchmarks/cooccurrence.py [--quick]

Counts made-up Zipf-distributed text (documents of 180 tokens, window 8) from disk to disk, each size in a process of
its own, whose peak memory is taken. Beside it: the same pairs counted by a plain Python dictionary, and by
scikit-learn's style of sparse products (one shifted diagonal a distance, SciPy), on the smallest size.
Writes results/benchmarks_peers/cooccurrence.tsv and cooccurrence.svg.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "workflow" / "scripts"))

import numpy as np
import polars as pl
import scipy.sparse
from matplotlib.ticker import NullLocator

from biasorigin.artefacts import load_array, save_array, save_table
from biasorigin.cooccurrence_runs import TOKENS_PER_RUN, count_shard
from biasorigin.figures import CYCLE, new_figure, save_figure

RESULTS = Path(__file__).resolve().parent.parent / "results" / "benchmarks_peers"
WORDS, WINDOW, LENGTH = 20_000, 8, 180
# Pairs in a document of n tokens, both directions: 2 * sum_d (n - d).
PAIRS_PER_DOCUMENT = 2 * sum(LENGTH - distance for distance in range(1, WINDOW + 1))


def make_text(folder: Path, tokens: int) -> None:
    """Tokens drawn by a Zipf law, in documents of the same length."""
    rng = np.random.default_rng(1)
    save_array(folder / "tokens.npy", (np.exp(rng.random(tokens) * np.log(WORDS + 1)) - 1).astype(np.int32))
    save_array(folder / "offsets.npy", np.arange(0, tokens + 1, LENGTH, dtype=np.int64))


def count(folder: Path, threads: int, tokens_per_run: int) -> None:
    """What the process of one size does: count, and print processor seconds, wall seconds and peak megabytes."""
    tokens, offsets = load_array(folder / "tokens.npy"), load_array(folder / "offsets.npy")
    count_shard(tokens, np.asarray(offsets[:3]), np.arange(2), WORDS, WINDOW, folder / "warm")  # compile
    began = time.process_time(), time.perf_counter()
    documents = np.arange(len(offsets) - 1)
    count_shard(
        tokens, offsets, documents, WORDS, WINDOW, folder / "counted", tokens_per_run=tokens_per_run, threads=threads
    )
    print(time.process_time() - began[0], time.perf_counter() - began[1], peak_memory())


def peak_memory() -> float:
    """Megabytes that this process held at most (Linux; `ru_maxrss` would count the parent's as well)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def by_dictionary(tokens: np.ndarray, offsets: np.ndarray) -> float:
    """Processor seconds of the plainest count there is."""
    began = time.process_time()
    sums: Counter = Counter()
    for first, last in itertools.pairwise(offsets):
        document = tokens[first:last].tolist()
        for place, word in enumerate(document):
            for distance, other in enumerate(document[place + 1 : place + 1 + WINDOW], 1):
                sums[word, other] += 1 / distance
                sums[other, word] += 1 / distance
    return time.process_time() - began


def by_sparse_products(tokens: np.ndarray, offsets: np.ndarray) -> float:
    """Processor seconds of one sparse matrix a distance, added up by SciPy."""
    began = time.process_time()
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    total = scipy.sparse.csr_matrix((WORDS, WORDS))
    for distance in range(1, WINDOW + 1):
        same = document[distance:] == document[:-distance]
        pairs = (tokens[:-distance][same], tokens[distance:][same])
        total = total + scipy.sparse.csr_matrix((np.full(same.sum(), 1 / distance), pairs), (WORDS, WORDS))
    total = total + total.T
    return time.process_time() - began


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--count", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--tokens-per-run", type=int, default=TOKENS_PER_RUN)
    given = parser.parse_args()
    if given.count:
        count(given.count, given.threads, given.tokens_per_run)
        return
    unit = LENGTH * (3_300 if given.quick else 33_000)
    rows = []
    for times in (1, 3, 10):
        with tempfile.TemporaryDirectory() as name:
            make_text(Path(name), times * unit)
            for run in (TOKENS_PER_RUN, unit // 2):
                options = ["--count", name, "--threads", str(given.threads), "--tokens-per-run", str(run)]
                command = [sys.executable, __file__, *options]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                processor, wall, peak = map(float, output.split())
                pairs = times * unit // LENGTH * PAIRS_PER_DOCUMENT
                program = "ours" if run == TOKENS_PER_RUN else f"ours, runs of {run / 1e6:.1f} million tokens"
                rows.append((program, times * unit, pairs, pairs / processor, pairs / wall, peak))
                print(
                    f"{program}: {times * unit:,} tokens: {pairs / processor / 1e6:.0f} million pairs per second of "
                    f"processor time, {pairs / wall / 1e6:.0f} on the wall, peak {peak:.0f} MB",
                    flush=True,
                )
            if times == 1:
                tokens, offsets = (np.array(load_array(Path(name) / f"{part}.npy")) for part in ("tokens", "offsets"))
                some = offsets[: len(offsets) // 10]
                for program, function in (("dictionary", by_dictionary), ("sparse products", by_sparse_products)):
                    seconds = function(tokens[: some[-1]], some)
                    pairs = (len(some) - 1) * PAIRS_PER_DOCUMENT
                    rows.append((program, int(some[-1]), pairs, pairs / seconds, None, None))
                    print(f"{program}: {pairs / seconds / 1e6:.1f} million pairs per second of processor time")
    columns = ["program", "tokens", "pairs", "pairs_per_processor_second", "pairs_per_wall_second", "peak_mb"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    save_table(RESULTS / "cooccurrence.tsv", table)
    save_figure(draw(table), RESULTS / "cooccurrence.svg", RESULTS / "cooccurrence.png")


def draw(table: pl.DataFrame):
    """Speed and memory against size."""
    figure, axes = new_figure(1, 2, height=3.0)
    for number, (program, rows) in enumerate(table.group_by("program", maintain_order=True)):
        style = {"color": CYCLE[number % len(CYCLE)], "marker": "osD^vP"[number % 6], "markersize": 4}
        axes[0].plot(rows["tokens"] / 1e6, rows["pairs_per_processor_second"] / 1e6, label=program[0], **style)
        if rows["peak_mb"].null_count() == 0:
            axes[1].plot(rows["tokens"] / 1e6, rows["peak_mb"], **style)
    axes[0].set_ylim(0, None)
    axes[0].set_ylabel("million pairs per processor second")
    axes[1].set_ylim(0, None)
    axes[1].set_ylabel("peak memory, MB")
    for axis in axes:
        axis.set_xscale("log")
        axis.set_xlabel("million tokens")
        ticks = (table["tokens"] / 1e6).unique().round(1).to_numpy()
        axis.set_xticks(ticks[ticks >= 0.9 * axis.dataLim.x0])
        axis.xaxis.set_major_formatter("{x:g}")
        axis.xaxis.set_minor_locator(NullLocator())
    figure.legend(loc="outside lower center", ncols=2, fontsize=7)
    return figure


if __name__ == "__main__":
    main()
