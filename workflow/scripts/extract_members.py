"""Take files out of a downloaded archive."""

from pathlib import Path

from biasorigin.sources import extract


def extract_members(name: str, path_to_archive: str, members: list[str], paths_to_files: list[str]) -> None:
    """Put members of a zip file or wheel in place."""
    for member, path in zip(members, paths_to_files, strict=True):
        extract(name, Path(path_to_archive), member, Path(path))


if __name__ == "__main__":
    from entry import run

    run(
        extract_members,
        snakemake.log,
        name=snakemake.params.name,
        path_to_archive=snakemake.input.archive,
        members=snakemake.params.members,
        paths_to_files=list(snakemake.output.files),
    )
