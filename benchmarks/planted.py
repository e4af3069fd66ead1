"""Do planted documents rank on top? Precision at k of the estimate, and of leaving out each and training again.

    python benchmarks/planted.py                about eight minutes of processor time; --help lists the options

Made-up corpora of 600 documents, of which 20 or 60 teach an association (tests/oracle/planted_problem.py). Every single
document is left out and the model trained again with the same seed. By chance, precision is the share of planted
documents.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "workflow" / "scripts"), str(ROOT / "tests" / "oracle")]

import polars as pl
import threadpoolctl
from planted_problem import make_planted_problem
from scipy.stats import spearmanr

from biasorigin.artefacts import save_table
from biasorigin.progress import track


def precision(effects: np.ndarray, planted: np.ndarray, k: int) -> float:
    """The share of planted documents among the k with the largest effects."""
    return float(planted[np.argsort(-effects, kind="stable")[:k]].mean())


def compare(documents: int, planted: int, corpus_seed: int) -> dict:
    """Estimated effects of every document of one corpus beside those by training again."""
    problem = make_planted_problem(documents, planted, corpus_seed, seeds=(1,))
    estimated = problem.estimated()
    retrained = np.array([problem.retrained([k]) for k in track(range(documents), "Documents left out")])
    row = {"documents": documents, "planted": planted, "bias": problem.bias(), "chance": planted / documents}
    for k in (planted // 2, planted):
        name = "half" if k < planted else "all"
        row[f"estimated_{name}"] = precision(estimated, problem.planted, k)
        row[f"left_out_{name}"] = precision(retrained, problem.planted, k)
    row["planted_that_raise"] = float((retrained[problem.planted] > 0).mean())
    row["r2"] = float(np.corrcoef(estimated, retrained)[0, 1] ** 2)
    row["rank"] = float(spearmanr(estimated, retrained)[0])
    row["slope"] = float(np.polyfit(estimated, retrained, 1)[0])
    return row


def main() -> None:
    """Compare on a corpus whose bias is far from its maximum and on one whose bias is near it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--output", type=Path, default=Path("results/benchmarks_peers/planted.tsv"))
    given = parser.parse_args()
    threadpoolctl.threadpool_limits(1)
    table = pl.DataFrame([compare(given.documents, planted, seed) for planted, seed in ((20, 2), (60, 1))])
    save_table(given.output, table)
    with pl.Config(tbl_cols=20, tbl_width_chars=200):
        print(table)


if __name__ == "__main__":
    main()
