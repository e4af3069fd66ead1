"""Get one outside file and check its digest."""

import os
from pathlib import Path

from biasorigin.sources import fetch


def fetch_source(name: str, source: dict, path_to_file: str) -> None:
    """Put the file of a source in place, from the folder in BIASORIGIN_MIRROR if it is there."""
    mirror = os.environ.get("BIASORIGIN_MIRROR")
    fetch(name, source, Path(path_to_file), Path(mirror) if mirror else None)


if __name__ == "__main__":
    from entry import run

    run(
        fetch_source,
        snakemake.log,
        name=snakemake.params.name,
        source=snakemake.params.source,
        path_to_file=snakemake.output.file,
    )
