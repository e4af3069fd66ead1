"""Train GloVe on a hash sample of a corpus and make every association test on it: one rung of the ladder."""

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.association.ladder import sample_corpus
from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.cooccurrence import count_cooccurrence
from biasorigin.embedding import Embedding
from biasorigin.glove import settings_from, train
from biasorigin.sampling import position, threshold
from biasorigin.wordsets import load_word_sets


def train_rung(
    paths_to_word_sets: list[str],
    path_to_documents: str,
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_vocabulary: str,
    fraction: float,
    salt: str,
    whole: float,
    min_count: int,
    cased: bool,
    glove: dict,
    seeds: list[int],
    tests: list[str],
    weat: dict,
    path_to_table: str,
    threads: int = 1,
) -> None:
    """Write the tests of every seed: fraction, seed, documents, words, then the columns of a WEAT.

    fraction  of the whole collection; whole: the fraction that the corpus at hand already is
    """
    word_sets = load_word_sets(paths_to_word_sets)
    chosen_tests = [word_sets.tests[key] for key in (tests or word_sets.tests)]
    vocabulary = load_table(path_to_vocabulary)["word"].to_list()
    limit = threshold(fraction * whole)
    ids = load_table(path_to_documents)["id"].to_list()
    chosen = np.array([position(salt, name) < limit for name in ids], bool)
    sample = sample_corpus(
        load_array(path_to_tokens), np.asarray(load_array(path_to_offsets)), chosen, len(vocabulary), min_count
    )
    settings = settings_from(glove)
    window = glove["window"]
    cooccurrence = count_cooccurrence(sample.tokens, sample.offsets, len(sample.words), window=window, threads=threads)
    words = tuple(vocabulary[number] for number in sample.words)
    tables = []
    for seed in seeds:
        model = train(cooccurrence, settings, seed, threads=threads, words=words)
        embedding = Embedding(words, model.vectors, sample.counts, cased)
        table, _ = score_tests(embedding, chosen_tests, WeatSettings(**weat))
        labels = {"fraction": fraction, "seed": seed, "documents": int(chosen.sum()), "vocabulary": len(words)}
        tables.append(table.select(*[pl.lit(value).alias(name) for name, value in labels.items()], pl.all()))
    save_table(path_to_table, pl.concat(tables))


if __name__ == "__main__":
    from entry import run

    run(
        train_rung,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        path_to_documents=snakemake.input.documents,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_vocabulary=snakemake.input.vocabulary,
        fraction=float(snakemake.wildcards.fraction),
        salt=snakemake.params.corpus["salt"],
        whole=snakemake.params.corpus["fraction"],
        min_count=snakemake.params.corpus["min_count"],
        cased=snakemake.params.cased,
        glove=snakemake.params.glove,
        seeds=snakemake.params.seeds,
        tests=snakemake.params.tests,
        weat=snakemake.params.weat,
        path_to_table=snakemake.output.table,
    )
