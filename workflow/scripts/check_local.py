"""Record the digests of a user's own files, and compare them with what the source states."""

from pathlib import Path

from biasorigin.artefacts import save_json
from biasorigin.errors import UserError
from biasorigin.sources import check_digest, sha256_of


def check_local(name: str, paths_to_files: list[str], sha256: str | None, path_to_digests: str) -> None:
    """Write the sha256 of every file; a stated digest must agree."""
    if sha256 is not None:
        if len(paths_to_files) != 1:
            raise UserError(
                f"Source {name} states one sha256 but its path matches {len(paths_to_files)} files. "
                "Name a single file, or leave sha256 out."
            )
        check_digest(name, Path(paths_to_files[0]), sha256)
    save_json(path_to_digests, {path: sha256_of(Path(path)) for path in sorted(paths_to_files)})


if __name__ == "__main__":
    from entry import run

    run(
        check_local,
        snakemake.log,
        name=snakemake.wildcards.source,
        paths_to_files=list(snakemake.input.files),
        sha256=snakemake.params.sha256,
        path_to_digests=snakemake.output.digests,
    )
