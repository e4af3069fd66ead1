"""Choose the vocabulary and the documents of a corpus, and write the corpus in the vocabulary's numbers."""

import logging
from collections.abc import Iterator

import numpy as np
import polars as pl
import pyarrow as pa

from biasorigin.artefacts import (
    growing_array,
    iterate_table,
    load_array,
    load_table,
    save_array,
    save_json,
    save_table,
    write_atomically,
)
from biasorigin.errors import UserError
from biasorigin.parquet_files import write_parquet
from biasorigin.vocabulary import build_vocabulary as build
from biasorigin.vocabulary import documents_within, encode, fingerprint

logger = logging.getLogger(__name__)


def build_vocabulary(
    name: str,
    path_to_texts: str,
    path_to_raw_tokens: str,
    path_to_raw_offsets: str,
    path_to_types: str,
    length: dict,
    min_count: int,
    path_to_documents: str,
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_vocabulary: str,
    path_to_facts: str,
) -> None:
    """Write documents within the length limits, their tokens in vocabulary numbers, and the vocabulary.

    documents.parquet  id, text, metadata, words (tokens), kept (tokens in the vocabulary); a row a document
    vocabulary.parquet word, count, documents (that hold it); row = number; most frequent first, ties by the word
    """
    tokens, offsets = load_array(path_to_raw_tokens), np.array(load_array(path_to_raw_offsets))
    types = load_table(path_to_types)["word"].to_list()
    words = np.diff(offsets)
    kept = documents_within(words, length["min"], length["max"])
    if not kept.any():
        raise UserError(
            f"Corpus {name}: none of {len(words):,} documents has between {length['min']} and {length['max']} tokens "
            f"(shortest {words.min():,}, longest {words.max():,}). Widen corpora.{name}.length."
        )
    vocabulary = build(types, tokens, offsets, kept, min_count)
    lengths = []
    with growing_array(path_to_tokens, np.int32) as writer:
        for piece, of_piece in encode(tokens, offsets, kept, vocabulary.numbers):
            writer.append(piece)
            lengths.append(of_piece)
    in_vocabulary = np.concatenate(lengths)
    new_offsets = np.concatenate([[0], in_vocabulary]).cumsum(dtype=np.int64)
    save_array(path_to_offsets, new_offsets)
    save_table(path_to_vocabulary, vocabulary.table)
    with write_atomically(path_to_documents) as temporary:
        write_parquet(temporary, _documents(path_to_texts, kept, words, in_vocabulary))
    facts = {
        "documents_read": len(words),
        "documents": int(kept.sum()),
        "tokens": int(words[kept].sum()),
        "tokens_in_vocabulary": int(new_offsets[-1]),
        "types": len(types),
        "vocabulary": len(vocabulary.table),
        "min_count": min_count,
        "length": length,
        "fingerprint": fingerprint(load_array(path_to_tokens), new_offsets, vocabulary.table["word"].to_list()),
    }
    save_json(path_to_facts, facts)
    logger.info("%s: %s documents, %s words", name, f"{facts['documents']:,}", f"{facts['vocabulary']:,}")


def _documents(path: str, kept: np.ndarray, words: np.ndarray, in_vocabulary: np.ndarray) -> Iterator[pa.Table]:
    """The kept documents with their numbers of tokens, a row group at a time."""
    first = done = 0
    for group in iterate_table(path):
        last = first + len(group)
        table = group.with_columns(words=pl.Series(words[first:last])).filter(pl.Series(kept[first:last]))
        yield table.with_columns(kept=pl.Series(in_vocabulary[done : done + len(table)])).to_arrow()
        first, done = last, done + len(table)


if __name__ == "__main__":
    from entry import run

    run(
        build_vocabulary,
        snakemake.log,
        threads=snakemake.threads,
        name=snakemake.wildcards.corpus,
        path_to_texts=snakemake.input.texts,
        path_to_raw_tokens=snakemake.input.tokens,
        path_to_raw_offsets=snakemake.input.offsets,
        path_to_types=snakemake.input.types,
        length=snakemake.params.settings["length"],
        min_count=snakemake.params.settings["min_count"],
        path_to_documents=snakemake.output.documents,
        path_to_tokens=snakemake.output.tokens,
        path_to_offsets=snakemake.output.offsets,
        path_to_vocabulary=snakemake.output.vocabulary,
        path_to_facts=snakemake.output.facts,
    )
