"""Split the documents of a corpus into tokens and number the distinct words."""

import logging
from collections.abc import Iterator

import numpy as np
import polars as pl

from biasorigin.artefacts import count_rows, growing_array, iterate_table, save_array, save_table
from biasorigin.errors import UserError
from biasorigin.progress import track
from biasorigin.tokens import TokenizerSettings, tokenise_all

logger = logging.getLogger(__name__)

DOCUMENTS = 2_000  # documents in a batch, unless a row group is smaller


def tokenise_documents(
    name: str,
    path_to_documents: str,
    tokenizer: dict,
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_types: str,
    threads: int,
) -> None:
    """Write tokens as int32 numbers of types, int64 offsets of documents, and the types in order of appearance."""
    documents = count_rows(path_to_documents)
    lengths: list[np.ndarray] = []
    types: dict[str, int] = {}
    batches = track(
        _texts(path_to_documents), f"Tokenising {name}, batches of {DOCUMENTS:,}", -(-documents // DOCUMENTS)
    )
    with growing_array(path_to_tokens, np.int32) as writer:
        for tokens, of_batch in tokenise_all(batches, TokenizerSettings(**tokenizer), types, threads):
            writer.append(tokens)
            lengths.append(of_batch)
        if not writer.length:
            raise UserError(
                f"Corpus {name}: {documents:,} documents hold no token at all. "
                f"Check corpora.{name}.reader.text and corpora.{name}.tokenizer."
            )
        logger.info("%s: %s tokens of %s types", name, f"{writer.length:,}", f"{len(types):,}")
    save_array(path_to_offsets, np.concatenate([[0], *lengths]).cumsum(dtype=np.int64))
    save_table(path_to_types, pl.DataFrame({"word": list(types)}))


def _texts(path_to_documents: str) -> Iterator[pl.Series]:
    for group in iterate_table(path_to_documents, ["text"]):
        for batch in group.iter_slices(DOCUMENTS):
            yield batch["text"]


if __name__ == "__main__":
    from entry import run

    run(
        tokenise_documents,
        snakemake.log,
        threads=snakemake.threads,
        name=snakemake.wildcards.corpus,
        path_to_documents=snakemake.input.documents,
        tokenizer=snakemake.params.tokenizer,
        path_to_tokens=snakemake.output.tokens,
        path_to_offsets=snakemake.output.offsets,
        path_to_types=snakemake.output.types,
    )
