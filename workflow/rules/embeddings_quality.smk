# Quality of every embedding, and export to other tools.
#
# Reads   results/embeddings/{embedding}/seed-{seed}/; the source `benchmarks`
# Writes  results/embeddings/{embedding}/seed-{seed}/word2vec.txt, word2vec.bin   for other tools, on request
#         results/embeddings/{embedding}/quality.parquet          benchmarks, each seed
#         results/embeddings/quality.parquet, quality.tsv         every embedding of the study
#         results/embeddings/quality_summary.tsv                  mean and standard deviation over seeds
#         results/embeddings/quality.svg                          (also .pdf and .png)


def files_of_quality_benchmarks():
    """The files of the quality benchmarks, in the order of the config."""
    files = {Path(file).stem: file for file in files_of_source("benchmarks")}
    missing = [name for name in config["quality"]["benchmarks"] if name not in files]
    if missing:
        raise WorkflowError(
            f"quality.benchmarks names {', '.join(missing)}, but the source benchmarks has no such file, only "
            f"{', '.join(files)}. Add it to the source or leave it out."
        )
    return [files[name] for name in config["quality"]["benchmarks"]]


localrules:
    export,


rule measure_quality:
    input:
        vectors=lambda wildcards: vectors_of(wildcards.embedding),
        benchmarks=lambda wildcards: files_of_quality_benchmarks(),
        code=code_of("measure_quality.py"),
    output:
        table="results/embeddings/{embedding}/quality.parquet",
    log:
        "results/logs/embeddings/{embedding}/measure_quality.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/measure_quality.tsv"
    threads: 2
    resources:
        mem_mb=need(1500, 8, "vectors"),
        runtime=need(20),
    params:
        seeds=lambda wildcards: seeds_of(wildcards.embedding),
        settings=config["quality"],
    script:
        "../scripts/measure_quality.py"


rule plot_quality:
    input:
        tables=expand(rules.measure_quality.output.table, embedding=EMBEDDINGS),
        code=code_of("plot_quality.py"),
    output:
        table="results/embeddings/quality.parquet",
        readable_table=report(
            "results/embeddings/quality.tsv",
            category="Embeddings",
            labels={"what": "quality, every seed", "as": "table"},
            caption="../report/quality_table.rst",
        ),
        summary=report(
            "results/embeddings/quality_summary.tsv",
            category="Embeddings",
            labels={"what": "quality, mean over seeds", "as": "table"},
            caption="../report/quality_summary.rst",
        ),
        figure=report(
            "results/embeddings/quality.svg",
            category="Embeddings",
            labels={"what": "quality", "as": "figure"},
            caption="../report/quality_figure.rst",
        ),
        other_formats=expand("results/embeddings/quality.{ending}", ending=["pdf", "png"]),
    log:
        "results/logs/embeddings/plot_quality.log",
    benchmark:
        "results/benchmarks/embeddings/plot_quality.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        titles={name: config["embeddings"][name]["title"] for name in EMBEDDINGS},
        little_covered=0.2,
        replicates=config["quality"]["replicates"],
        confidence=config["quality"]["confidence"],
        candidates=config["quality"]["candidates"],
    script:
        "../scripts/plot_quality.py"


rule export:
    input:
        [
            f"results/embeddings/{name}/seed-{seed}/word2vec.{ending}"
            for name in EMBEDDINGS
            for seed in seeds_of(name)
            for ending in ("txt", "bin")
        ],


rule export_vectors:
    input:
        vectors=VECTORS,
        code=code_of("export_vectors.py"),
    output:
        export="results/embeddings/{embedding}/seed-{seed}/word2vec.{ending}",
    log:
        "results/logs/embeddings/{embedding}/seed-{seed}/export_{ending}.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/seed-{seed}/export_{ending}.tsv"
    wildcard_constraints:
        ending="txt|bin",
    resources:
        mem_mb=need(1000, 3, "vectors"),
        runtime=need(20),
    script:
        "../scripts/export_vectors.py"
