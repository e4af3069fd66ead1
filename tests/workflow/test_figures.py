"""Every figure that the default study makes can go into a paper: SVG, PDF and PNG of each."""

from pathlib import PurePath

from project_copy import copy_project


def test_every_figure_is_made_as_svg_pdf_and_png(tmp_path):
    listing = copy_project(tmp_path).snakemake("--summary").stdout
    made = {PurePath(line.split("\t")[0]) for line in listing.splitlines() if line.startswith("results/")}
    figures = {path for path in made if path.suffix == ".svg"}
    assert figures, f"the study makes no figure:\n{listing[:2000]}"
    lacking = [
        str(path) for path in sorted(figures) for ending in (".pdf", ".png") if path.with_suffix(ending) not in made
    ]
    assert lacking == []
