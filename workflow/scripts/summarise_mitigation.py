"""Bring the audits of all embeddings together: what remains, quality (Table 2), numbers for the scorecard."""

import polars as pl

from biasorigin.artefacts import load_json, load_table, save_table
from biasorigin.mitigation.summary import enumeration_rows, over_seeds, quality_table, scorecard_rows
from biasorigin.scorecard import measured_table


def summarise_mitigation(
    paths_to_audits: list[str],
    paths_to_enumerations: list[str],
    enumerated: list[dict],
    scored_method: str,
    paths_to_gathered: dict[str, str],
    path_to_remaining: str,
    path_to_remaining_tsv: str,
    path_to_quality: str,
    path_to_measured: str,
) -> None:
    """Write one audit for each embedding (all seeds and repairs, with UBE), and their means over seeds.

    enumerated: for each enumeration the columns of summary.LABELS; remaining: one row an embedding, method, instrument
    and key (mean over seeds, mean interval, standard deviation between seeds, seeds, n, problem).
    """
    found = [
        {**label, "summary": load_json(path)} for label, path in zip(enumerated, paths_to_enumerations, strict=True)
    ]
    audit = pl.concat([*map(load_table, paths_to_audits), enumeration_rows(found)])
    for embedding, path in paths_to_gathered.items():
        save_table(path, audit.filter(pl.col("embedding") == embedding))
    summary = over_seeds(audit)
    save_table(path_to_remaining, summary)
    save_table(path_to_remaining_tsv, summary)
    save_table(path_to_quality, quality_table(summary))
    save_table(path_to_measured, measured_table(scorecard_rows(summary, scored_method)))


if __name__ == "__main__":
    from entry import run

    run(
        summarise_mitigation,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_audits=snakemake.input.audits,
        paths_to_enumerations=snakemake.input.enumerations,
        enumerated=snakemake.params.enumerated,
        scored_method=snakemake.params.scored_method,
        paths_to_gathered=dict(zip(snakemake.params.bases, snakemake.output.gathered, strict=True)),
        path_to_remaining=snakemake.output.remaining,
        path_to_remaining_tsv=snakemake.output.remaining_tsv,
        path_to_quality=snakemake.output.quality,
        path_to_measured=snakemake.output.measured,
    )
