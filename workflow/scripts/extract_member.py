"""Take one file out of a downloaded archive."""

from pathlib import Path

from biasorigin.sources import extract


def extract_member(name: str, path_to_archive: str, member: str, path_to_file: str) -> None:
    """Put a member of a zip file or wheel in place."""
    extract(name, Path(path_to_archive), member, Path(path_to_file))


if __name__ == "__main__":
    from entry import run

    run(
        extract_member,
        snakemake.log,
        name=snakemake.wildcards.source,
        path_to_archive=snakemake.input.archive,
        member=snakemake.params.member,
        path_to_file=snakemake.output.file,
    )
