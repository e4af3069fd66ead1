"""Tokens a second and peak memory of the corpus stage as the corpus grows: python benchmarks/corpus.py [corpus]

The real documents of a corpus (default: reviews, after `snakemake --cores all corpus`) are written once, three and ten
times over, each copy with its own ids, and each size goes through reading, tokenising and encoding in a process of its
own, whose peak memory is read from the system. A plain Python tokenizer (`re` and `Counter`) on the same text is the
yardstick. Seconds are of processor time and the ratio is what counts, because machines differ and are busy.
Writes results/benchmarks_peers/corpus.tsv.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "workflow" / "scripts"))

import polars as pl

from biasorigin.artefacts import load_json, load_table, save_table

TIMES = (1, 3, 10)
TOKENIZER = {"lowercase": True, "apostrophes": "keep", "punctuation": "drop", "digits": "keep"}


def main(corpus: str) -> None:
    """Measure every size and print a table."""
    path = PROJECT / "results" / "corpus" / corpus / "texts.parquet"
    if not path.exists():
        sys.exit(f"{path} is not there. Make it first: snakemake --cores all corpus")
    texts = load_table(path)["text"]
    plain = plain_speed(texts.to_list()[:5_000])
    rows = []
    for times in TIMES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            with (folder / "copies.jsonl").open("w") as file:
                for copy in range(times):
                    for number, text in enumerate(texts):
                        file.write(json.dumps({"id": f"{copy}-{number}", "text": text}) + "\n")
            for step in ("read", "tokenise", "encode"):
                command = [sys.executable, __file__, "--step", step, str(folder)]
                seconds, megabytes = map(
                    float, subprocess.run(command, check=True, stdout=-1, text=True).stdout.split()
                )
                rows.append({"times": times, "step": step, "seconds": seconds, "peak_mb": megabytes})
            tokens = load_json(folder / "statistics.json")["tokens"]
            for row in rows[-3:]:
                row |= {"tokens": tokens, "tokens_per_second": tokens / row["seconds"]}
                row["ratio_to_plain_python"] = row["tokens_per_second"] / plain
    table = pl.DataFrame(rows)
    save_table(PROJECT / "results" / "benchmarks_peers" / "corpus.tsv", table)
    with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=1):
        print(table)


def plain_speed(texts: list[str]) -> float:
    """Tokens a second of a plain Python loop with a compiled regular expression, one thread."""
    pattern = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
    start = time.process_time()
    counts = Counter(word for text in texts for word in pattern.findall(re.sub("<[^>]*>", " ", text).lower()))
    return counts.total() / (time.process_time() - start)


def measure(step: str, folder: Path) -> None:
    """Run one step of the corpus stage and print its seconds and the process' peak memory in megabytes."""
    from build_vocabulary import build_vocabulary
    from read_documents import read_documents
    from tokenise_documents import tokenise_documents

    raw = {name: str(folder / f"raw_{name}") for name in ("tokens.npy", "offsets.npy", "types.parquet")}
    start = time.process_time()
    if step == "read":
        reader = {"text": "text", "id": {"column": "id"}}
        settings = {"format": "jsonl", "reader": reader, "fraction": 1.0, "salt": ""}
        read_documents("copies", [str(folder / "copies.jsonl")], settings, folder / "texts.parquet", folder / "r.json")
    elif step == "tokenise":
        tokenise_documents("copies", folder / "texts.parquet", TOKENIZER, *raw.values(), threads=2)
    else:
        paths = [folder / name for name in ("documents.parquet", "tokens.npy", "offsets.npy", "vocabulary.parquet")]
        limits = {"min": 1, "max": None}
        build_vocabulary(
            "copies", folder / "texts.parquet", *raw.values(), limits, 15, *paths, folder / "statistics.json"
        )
    print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        measure(sys.argv[2], Path(sys.argv[3]))
    else:
        main(sys.argv[1] if len(sys.argv) > 1 else "reviews")
