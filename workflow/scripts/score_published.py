"""Set the papers' printed numbers beside ours."""

import logging
from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.figures import save_figure
from biasorigin.scorecard import STATUSES, load_published, make_scorecard, summarise
from biasorigin.scorecard_plots import status_figure, values_figure

logger = logging.getLogger(__name__)


def score_published(
    paths_to_published: list[str],
    paths_to_measured: list[str],
    path_to_scorecard: str,
    path_to_scorecard_tsv: str,
    path_to_summary: str,
    path_to_status: str,
    path_to_values: str,
) -> None:
    """Write a row for each printed number, counts by table and status, and two figures."""
    published = pl.concat([load_published(path) for path in paths_to_published])
    measured = pl.concat([load_table(path).select("key", "value", "note") for path in paths_to_measured])
    scorecard = make_scorecard(published, measured)
    summary = summarise(scorecard)
    for status in STATUSES:
        logger.info("%s: %d of %d printed numbers", status, summary[status].sum(), scorecard.height)
    save_table(path_to_scorecard, scorecard)
    save_table(path_to_scorecard_tsv, scorecard)
    save_table(path_to_summary, summary)
    for figure, path in ((status_figure(summary), path_to_status), (values_figure(scorecard), path_to_values)):
        save_figure(figure, path, Path(path).with_suffix(".pdf"), Path(path).with_suffix(".png"))


if __name__ == "__main__":
    from entry import run

    run(
        score_published,
        snakemake.log,
        paths_to_published=snakemake.input.published,
        paths_to_measured=snakemake.input.measured,
        path_to_scorecard=snakemake.output.scorecard,
        path_to_scorecard_tsv=snakemake.output.scorecard_tsv,
        path_to_summary=snakemake.output.summary,
        path_to_status=snakemake.output.status,
        path_to_values=snakemake.output.values,
    )
