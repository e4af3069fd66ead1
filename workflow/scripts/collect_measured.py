"""Collect this stage's values for the keys that the papers' numbers refer to, and judge the ladder of samples."""

import polars as pl

from biasorigin.artefacts import load_table, save_table
from biasorigin.association.measured import Tables, look_up
from biasorigin.association.samples import ladder_agreement
from biasorigin.scorecard import load_published, measured_table
from biasorigin.wordsets import load_word_sets


def collect_measured(
    paths_to_word_sets: list[str],
    paths_to_published: list[str],
    path_to_weat: str,
    path_to_weat_summary: str,
    path_to_weat_words: str,
    path_to_direct_bias: str,
    path_to_extremes: str,
    path_to_indirect_bias: str,
    path_to_analogies: str,
    path_to_samples: str,
    paths_to_rungs: list[str],
    ladder_embedding: str,
    path_to_measured: str,
    path_to_rungs: str,
    path_to_ladder: str,
) -> None:
    """Write key, value and note; and which rungs of the ladder agree with the whole corpus."""
    seeds = load_table(path_to_direct_bias).group_by("embedding", "direction", "list", maintain_order=True)
    tables = Tables(
        weat=load_table(path_to_weat_summary),
        weat_words=load_table(path_to_weat_words),
        direct_bias=seeds.agg(pl.col("direct_bias").mean()),
        extremes=load_table(path_to_extremes),
        indirect_bias=load_table(path_to_indirect_bias),
        analogies=load_table(path_to_analogies),
        samples=load_table(path_to_samples),
        word_sets=load_word_sets(paths_to_word_sets),
    )
    published = pl.concat([load_published(path) for path in paths_to_published])
    save_table(path_to_measured, measured_table(look_up(published, tables)))
    columns = ["fraction", "seed", "test", "effect_size"]
    whole = load_table(path_to_weat).filter(pl.col("embedding") == ladder_embedding)
    rungs = [load_table(path).select(columns) for path in paths_to_rungs]
    ladder = pl.concat([*rungs, whole.select(pl.lit(1.0).alias("fraction"), *columns[1:])], how="vertical_relaxed")
    by_fraction, by_test = ladder_agreement(ladder)
    save_table(path_to_rungs, by_fraction)
    save_table(path_to_ladder, by_test)


if __name__ == "__main__":
    from entry import run

    run(
        collect_measured,
        snakemake.log,
        paths_to_word_sets=snakemake.input.word_sets,
        paths_to_published=snakemake.input.published,
        path_to_weat=snakemake.input.weat,
        path_to_weat_summary=snakemake.input.summary,
        path_to_weat_words=snakemake.input.words,
        path_to_direct_bias=snakemake.input.direct_bias,
        path_to_extremes=snakemake.input.extremes,
        path_to_indirect_bias=snakemake.input.indirect_bias,
        path_to_analogies=snakemake.input.analogies,
        path_to_samples=snakemake.input.samples,
        paths_to_rungs=snakemake.input.get("rungs", []),
        ladder_embedding=snakemake.params.ladder_embedding,
        path_to_measured=snakemake.output.measured,
        path_to_rungs=snakemake.output.rungs,
        path_to_ladder=snakemake.output.ladder,
    )
