"""Gather numbers of the corpus, embeddings and enumeration stages for the scorecard."""

from biasorigin.artefacts import load_json, load_table, save_table
from biasorigin.scorecard import measured_table

BENCHMARKS = {"rg": "RG", "ws353": "WS353", "rw": "RW", "msr_analogies": "MSR"}  # as the papers call them


def gather_stage_numbers(
    corpora: dict[str, str],
    paths_to_quality: list[str],
    enumerations: dict[str, str],
    path_to_measured: str,
) -> None:
    """Write key, value and note.

    corpora       path of the statistics of each corpus
    enumerations  path of the summary of each embedding's enumeration of first names
    """
    rows: list[tuple[str, object, str | None]] = []
    for name, path in corpora.items():
        facts = load_json(path)
        rows += [(f"corpus/{name}/{key}", facts[key], None) for key in ("documents", "tokens", "vocabulary")]
    for path in paths_to_quality:
        for row in load_table(path).iter_rows(named=True):
            if row["benchmark"] in BENCHMARKS and row["section"] == "all" and row["mean"] is not None:
                note = f"{row['covered']} of {row['items']} items are covered."
                rows.append((f"quality/{row['embedding']}/{BENCHMARKS[row['benchmark']]}", row["mean"], note))
    for name, path in enumerations.items():
        facts = load_json(path)
        note = f"Ours with {facts['names_used']} names, {facts['words_used']} words and {facts['cells']} cells."
        rows.append((f"ube/{name}/significant", facts["significant"], note))
        rows.append((f"ube/{name}/fourtuples", facts["indirect_fourtuples"], note))
        if facts["indirect_share"] is not None:
            rows.append((f"ube/{name}/indirect_share", facts["indirect_share"], note))
    save_table(path_to_measured, measured_table(rows))


if __name__ == "__main__":
    from entry import run

    run(
        gather_stage_numbers,
        snakemake.log,
        corpora=dict(zip(snakemake.params.corpora, snakemake.input.corpora, strict=True)),
        paths_to_quality=snakemake.input.get("quality", []),
        enumerations=dict(zip(snakemake.params.enumerations, snakemake.input.get("enumerations", []), strict=True)),
        path_to_measured=snakemake.output.measured,
    )
