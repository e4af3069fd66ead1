"""Make every association test on every embedding and seed."""

import polars as pl

from biasorigin.artefacts import save_table
from biasorigin.association.samples import compare_with_sample, over_seeds
from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.embedding import load_embedding
from biasorigin.errors import UserError, listing
from biasorigin.progress import track
from biasorigin.wordsets import load_word_sets


def score_weat(
    paths_to_word_sets: list[str],
    embeddings: dict[str, dict[str, str]],
    tests: list[str],
    settings: dict,
    sample: dict | None,
    path_to_weat: str,
    path_to_weat_tsv: str,
    path_to_words: str,
    path_to_summary: str,
    path_to_summary_tsv: str,
    path_to_samples: str,
) -> None:
    """Write the tests by seed, the fate of every word, means over seeds, and the full corpus against its sample.

    embeddings  folder of each seed of each embedding; tests: keys, or none for all
    sample      names of the embeddings of a full corpus and of its sample, or none
    """
    word_sets = load_word_sets(paths_to_word_sets)
    unknown = [key for key in tests if key not in word_sets.tests]
    if unknown:
        raise UserError(
            f"association.weat.tests names {listing(unknown)}, which no word-set file defines. "
            f"Known: {listing(sorted(word_sets.tests), 50)}."
        )
    chosen = [word_sets.tests[key] for key in (tests or word_sets.tests)]
    tables, words = [], []
    runs = [(name, seed, folder) for name, seeds in embeddings.items() for seed, folder in seeds.items()]
    for name, seed, folder in track(runs, "embeddings and seeds"):
        table, fates = score_tests(load_embedding(folder), chosen, WeatSettings(**settings))
        tables.append(table.select(pl.lit(name).alias("embedding"), pl.lit(int(seed)).alias("seed"), pl.all()))
        if seed == next(iter(embeddings[name])):  # the vocabulary is the same for every seed
            words.append(fates.select(pl.lit(name).alias("embedding"), pl.all()))
    weat = pl.concat(tables)
    summary = over_seeds(weat)
    save_table(path_to_weat, weat)
    save_table(path_to_weat_tsv, weat)
    save_table(path_to_words, pl.concat(words))
    save_table(path_to_summary, summary)
    save_table(path_to_summary_tsv, summary)
    full, smaller = (sample["full"], sample["sample"]) if sample else ("", "")
    compared = compare_with_sample(weat, full, smaller)
    save_table(path_to_samples, compared.select(pl.lit(full).alias("full"), pl.lit(smaller).alias("sample"), pl.all()))


if __name__ == "__main__":
    from entry import run

    run(
        score_weat,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        embeddings=snakemake.params.embeddings,
        tests=snakemake.params.tests,
        settings=snakemake.params.settings,
        sample=snakemake.params.sample,
        path_to_weat=snakemake.output.weat,
        path_to_weat_tsv=snakemake.output.weat_tsv,
        path_to_words=snakemake.output.words,
        path_to_summary=snakemake.output.summary,
        path_to_summary_tsv=snakemake.output.summary_tsv,
        path_to_samples=snakemake.output.samples,
    )
