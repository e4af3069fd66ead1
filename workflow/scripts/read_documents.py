"""Read a corpus, keep the documents of the hash sample, and store them with their metadata."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from biasorigin.artefacts import save_json, write_atomically
from biasorigin.errors import UserError
from biasorigin.parquet_files import write_parquet
from biasorigin.progress import track
from biasorigin.readers import Document, Report, open_reader
from biasorigin.sampling import in_sample

CHARACTERS = 16_000_000  # text in memory at a time, and in a row group of the artefact

logger = logging.getLogger(__name__)


def read_documents(
    name: str,
    paths_to_source: list[str],
    settings: dict,
    path_to_documents: str,
    path_to_reading: str,
) -> None:
    """Write id, text and metadata of every sampled document, in the order of the files, and what reading met."""
    report = Report()
    stream = open_reader(settings["format"], [Path(path) for path in paths_to_source], settings["reader"], report)
    sampled = (
        document
        for document in track(stream, f"Reading {name}")
        if in_sample(settings["salt"], document.id, settings["fraction"])
    )
    with write_atomically(path_to_documents) as temporary:
        kept = write_parquet(temporary, _tables(sampled))
        facts = report.as_dict()
        if not kept:
            raise UserError(
                f"Corpus {name}: none of {facts['documents']:,} documents is in the sample of fraction "
                f"{settings['fraction']}. Raise corpora.{name}.fraction, or check its source and reader."
            )
    save_json(path_to_reading, {**facts, "fraction": settings["fraction"], "sampled": kept})
    logger.info("%s: %s of %s documents are in the sample", name, f"{kept:,}", f"{facts['documents']:,}")


def _tables(documents: Iterator[Document]) -> Iterator[pa.Table]:
    """The documents in tables of bounded size."""
    fields: list[str] | None = None
    for group in _groups(documents):
        if fields is None:
            # ASSUME every document has the fields of the first: a reader gives all of them the same.
            fields = list(group[0].metadata)
        columns = {"id": [one.id for one in group], "text": [one.text for one in group]}
        columns |= {field: [one.metadata.get(field) for one in group] for field in fields}
        yield pa.table({column: pa.array(values, pa.large_string()) for column, values in columns.items()})


def _groups(documents: Iterator[Document]) -> Iterator[list[Document]]:
    group: list[Document] = []
    characters = 0
    for document in documents:
        group.append(document)
        characters += len(document.text)
        if characters >= CHARACTERS:
            yield group
            group, characters = [], 0
    if group:
        yield group


if __name__ == "__main__":
    from entry import run

    run(
        read_documents,
        snakemake.log,
        name=snakemake.wildcards.corpus,
        paths_to_source=list(snakemake.params.paths),
        settings=snakemake.params.settings,
        path_to_documents=snakemake.output.documents,
        path_to_reading=snakemake.output.reading,
    )
