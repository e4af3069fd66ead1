"""Add up the shards of a co-occurrence count."""

import logging
from pathlib import Path

from biasorigin.artefacts import load_array, save_json
from biasorigin.cooccurrence import integer_weights
from biasorigin.cooccurrence_runs import add_runs, write_rows

logger = logging.getLogger(__name__)


def merge_cooccurrence(paths_to_indptr: list[str], window: int, path_to_facts: str, threads: int = 1) -> None:
    """Write indptr.npy, indices.npy, values.npy (float64) and facts.json into one folder."""
    folder = Path(path_to_facts).parent
    _, denominator = integer_weights(window)
    shards = [Path(path).parent for path in paths_to_indptr]
    words = len(load_array(paths_to_indptr[0])) - 1
    cells = write_rows(folder, add_runs(shards, words, threads=threads), denominator)
    logger.info("%s pairs of %s words occur within %d words of each other.", f"{cells:,}", f"{words:,}", window)
    save_json(path_to_facts, {"window": window, "words": words, "cells": cells, "denominator": denominator})


if __name__ == "__main__":
    from entry import run

    run(
        merge_cooccurrence,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_indptr=snakemake.input.indptr,
        window=snakemake.params.window,
        path_to_facts=snakemake.output.facts,
    )
