"""Find new gendered word categories by clustering embeddings."""

import numpy as np
import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.discovery import (
    DiscoverySettings,
    attribute_rows,
    cluster_vocabulary,
    random_attributes,
    score_categories,
)
from biasorigin.embedding import load_embedding
from biasorigin.errors import UserError
from biasorigin.wordsets import load_word_sets


def discover(
    paths_to_word_sets: list[str],
    folder: str,
    embedding_name: str,
    attributes: list[str],
    settings: dict,
    path_to_categories: str,
    path_to_words: str,
) -> None:
    """Write the clusters with their tests, and their most male and most female words.

    The columns that begin with random_ come from attribute lists of random words: what the method finds in any case.
    """
    word_sets = load_word_sets(paths_to_word_sets)
    unknown = [name for name in attributes if name not in word_sets.lists]
    if unknown:
        raise UserError(f"discovery.attributes names {unknown[0]!r}, which no word-set file defines.")
    lists = tuple(word_sets.lists[name] for name in attributes)
    embedding = load_embedding(folder)
    chosen = DiscoverySettings(**settings)
    rows = attribute_rows(embedding, lists)
    chance_rows = random_attributes(embedding, rows, chosen)
    clusters = cluster_vocabulary(embedding, np.concatenate([*rows, *chance_rows]), chosen)
    categories, words = score_categories(embedding, clusters, rows, chosen)
    chance, _ = score_categories(embedding, clusters, chance_rows, chosen)
    columns = ["effect_size", "held_out_effect_size"]
    categories = pl.concat(
        [categories, chance.select(pl.col(column).alias(f"random_{column}") for column in columns)], how="horizontal"
    )
    label = pl.lit(embedding_name).alias("embedding")
    save_table(path_to_categories, categories.select(label, pl.all()))
    save_table(path_to_words, words.select(label, pl.all()))


if __name__ == "__main__":
    from entry import run

    run(
        discover,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        folder=snakemake.params.folder,
        embedding_name=snakemake.wildcards.embedding,
        attributes=snakemake.params.attributes,
        settings=snakemake.params.settings,
        path_to_categories=snakemake.output.categories,
        path_to_words=snakemake.output.words,
    )
