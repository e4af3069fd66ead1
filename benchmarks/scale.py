"""Time, memory and disk of each step from corpus to attribution by size: python benchmarks/scale.py [documents ...]

Made-up corpora of 10,000 to 10,000,000 documents (Zipf words, topics, names, planted bias) go through the workflow,
one job at a time; each job's log ends with its processor seconds and peak memory, and the sizes of its outputs are read
from the disk. Every document holds names, so that attribution, which skips documents without them, has the most work
that it can have. Writes results/benchmarks_peers/scale.{tsv,svg,png} and scale_exponents.tsv. SCALE_FOLDER names a
folder to work in (and to resume in); else a temporary one.
"""

import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "workflow" / "scripts"))

import polars as pl
import yaml

from biasorigin.artefacts import save_table
from biasorigin.figures import CYCLE, GREY, new_figure, save_figure

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
OUT = PROJECT / "results" / "benchmarks_peers"
DIM = 50
# The measures in the order of the panels: column, title, least value shown.
PANELS = (
    ("seconds", "Processor seconds", 0.5),
    ("peak_mb", "Peak memory, MB", 50),
    ("disk_mb", "Written to disk, MB", 0.1),
)


def main(sizes: list[int]) -> None:
    """Run every size, print the tables and draw the figure."""
    kept = os.environ.get("SCALE_FOLDER")
    with tempfile.TemporaryDirectory() as temporary:
        measure(1_000, Path(temporary) / "warm")  # compiles the kernels
        table = pl.concat([measure(size, Path(kept or temporary) / str(size)) for size in sizes])
    first = table.filter(pl.col("documents") == sizes[0]).select("step", pl.col("order").alias("place"))
    table = table.join(first, on="step").sort("place", "documents").drop("order", "place")
    growth = exponents(table)
    save_table(OUT / "scale.tsv", table)
    save_table(OUT / "scale_exponents.tsv", growth)
    draw(table, growth)
    with pl.Config(tbl_rows=-1, tbl_cols=-1, float_precision=2, tbl_width_chars=140):
        print(table, growth)


def study(size: int) -> dict:
    """The differences from the smoke study: one large corpus, one embedding, no retraining."""
    return {
        "study": {"corpora": ["scaled"], "embeddings": ["glove_scaled"]},
        "sources": {
            "scaled": {
                **{"kind": "made_up", "documents": size, "seed": 1, "test": "H", "words": 20_000, "topics": 20},
                **{"length": 60, "planted": 0.01, "licence": "none needed", "citation": "none"},
            }
        },
        "corpora": {"scaled": {"like": "made_up", "title": "Made-up", "source": "scaled", "min_count": 15}},
        "embeddings": {
            "glove_scaled": {"like": "glove_made_up", "title": "Scaled", "corpus": "scaled", "dim": DIM, "seeds": [1]}
        },
        "attribution": {
            "embeddings": ["glove_scaled"],
            "documents": {"topics": 20},
            "ground_truth": {"embeddings": []},
            "removal": {"embeddings": []},
        },
    }


def measure(size: int, folder: Path) -> pl.DataFrame:
    """Run the study of this size and gather what each rule took: step, order, documents, seconds, peak_mb, disk_mb."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.yaml").write_text(yaml.safe_dump(study(size)))
    command = [sys.executable, "-m", "snakemake", "--directory", str(folder), "--configfile", "config/smoke.yaml"]
    command += [str(folder / "study.yaml")]
    if subprocess.run([*command, "--cores", "1", "--notemp", "--", "attribution"], cwd=PROJECT, check=False).returncode:
        sys.exit(f"The study of {size:,} documents failed; see above.")
    summary = subprocess.run(
        [*command, "--summary", "--", "attribution"], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    rows = [line.split("\t") for line in summary.stdout.splitlines() if line.startswith("results/")]
    outputs = pl.DataFrame([{"step": row[2], "path": row[0]} for row in rows])
    disk = outputs.with_columns(
        pl.col("path").map_elements(lambda path: (folder / path).stat().st_size / 1e6, pl.Float64).alias("disk_mb")
    )
    disk = disk.group_by("step", maintain_order=True).agg(pl.col("disk_mb").sum())
    times = pl.DataFrame(
        [taken(path, disk["step"].to_list()) for path in sorted((folder / "results" / "logs").rglob("*.log"))]
    )
    times = times.group_by("step").agg(pl.col("seconds").sum(), pl.col("peak_mb").max(), pl.col("began").min())
    joined = times.join(disk, on="step").sort("began").drop("began").with_row_index("order")
    return joined.with_columns(pl.lit(size).alias("documents"))


def taken(path: Path, steps: list[str]) -> dict:
    """What a job took, by the last line of its log."""
    seconds, megabytes = re.search(r"Took (\S+) s of processor time and (\S+) MB at most", path.read_text()).groups()
    step = next((step for step in steps if path.stem.startswith(step)), "make_up_corpus")
    return {"step": step, "seconds": float(seconds), "peak_mb": float(megabytes), "began": path.stat().st_mtime}


def exponents(table: pl.DataFrame) -> pl.DataFrame:
    """How each measure grows with the documents: the slope of logarithms, over all sizes and over the last two."""
    rows = []
    for (step,), part in table.group_by("step", maintain_order=True):
        row = {"step": step}
        for measure, _, _ in PANELS:
            points = [(math.log(n), math.log(max(y, 1e-6))) for n, y in part.select("documents", measure).iter_rows()]
            row[measure] = slope(points)
            row[f"{measure}_last"] = slope(points[-2:])
        rows.append(row)
    return pl.DataFrame(rows)


def slope(points: list[tuple[float, float]]) -> float:
    """Least-squares slope."""
    if len(points) < 2:
        return math.nan
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def draw(table: pl.DataFrame, growth: pl.DataFrame) -> None:
    """A panel for each measure; the costliest steps in a colour of their own, with the exponent of the last step."""
    largest = table.filter(pl.col("documents") == table["documents"].max(), pl.col("step") != "make_up_corpus")
    costly = {measure: largest.sort(measure, descending=True)["step"].head(4).to_list() for measure, _, _ in PANELS}
    shown = dict.fromkeys(step for steps in costly.values() for step in steps)
    colours = dict(zip(shown, CYCLE, strict=False))
    figure, axes = new_figure(1, 3, width=9.5, height=4.6)
    for axis, (measure, title, least) in zip(axes, PANELS, strict=True):
        for (step,), part in table.group_by("step", maintain_order=True):
            colour = colours.get(step, GREY)
            line = (
                {"linewidth": 1.6, "zorder": 3} if step in colours else {"linewidth": 0.8, "alpha": 0.35, "zorder": 1}
            )
            axis.plot(part["documents"], part[measure].clip(least), "o-", markersize=3, color=colour, **line)
        axis.set(xscale="log", yscale="log", xlabel="Documents", title=title)
        slopes = dict(growth.select("step", f"{measure}_last").iter_rows())
        for step in largest.filter(pl.col("step").is_in(list(colours))).sort(measure, descending=True)["step"]:
            axis.plot(
                [], [], "o-", markersize=3, color=colours[step], label=f"{step.replace('_', ' ')} ({slopes[step]:.2f})"
            )
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=7)
    save_figure(figure, OUT / "scale.svg", OUT / "scale.png")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or list(SIZES))
