# Attribution, checked and used: ground truth by retraining, and the removal of documents.
#
# Reads   what attribution.smk writes; the quality benchmarks of results/sources/benchmarks
# Writes  results/attribution/{embedding}/ground_truth/plan.parquet           removal, target, kind, size, documents
#         results/attribution/{embedding}/ground_truth/estimates.parquet      removal, seed, set, one column per estimator
#         results/attribution/{embedding}/ground_truth/retrained_{job}.parquet    removal, seed, instrument, key, value
#         results/attribution/{embedding}/ground_truth.parquet, ground_truth.tsv      estimated beside retrained
#         results/attribution/{embedding}/ground_truth_{agreement,noise,scores,quality}.tsv
#         results/attribution/{embedding}/ground_truth.{svg,pdf,png}
#         results/attribution/{embedding}/cleaned/removed.tsv, documents.parquet, plan.parquet, estimates.parquet
#         results/attribution/{embedding}/cleaned/models/{removal}/seed-{seed}/   retrained embeddings, as in embeddings
#         results/attribution/{embedding}/removal.parquet, removal.tsv        bias and quality before and after
#         results/attribution/{embedding}/corpus_repair.parquet               the same, one row per number, for mitigation

TRUTH = config["attribution"]["ground_truth"]
CLEANING = config["attribution"]["removal"]


def benchmark_files(names):
    """The files of the quality benchmarks of these names, as sources.yaml provides them."""
    files = {Path(file).stem: file for file in files_of_source("benchmarks")}
    return {name: files[name] for name in names}


def folder_by_seed(wildcards):
    """The folder of each seed of an embedding."""
    return dict(zip(seeds_of(wildcards.embedding), seed_folders(wildcards)))


def seeds_among(wanted):
    """Those of an embedding's seeds that are wanted; all if none is named."""
    return lambda wildcards: [seed for seed in seeds_of(wildcards.embedding) if not wanted or seed in wanted]


rule plan_ground_truth:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        sets="results/attribution/{embedding}/sets.parquet",
        effects="results/attribution/{embedding}/effects.npy",
        code=code_of("plan_ground_truth.py"),
    output:
        plan="results/attribution/{embedding}/ground_truth/plan.parquet",
        estimates="results/attribution/{embedding}/ground_truth/estimates.parquet",
    log:
        "results/logs/attribution/{embedding}/plan_ground_truth.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/plan_ground_truth.tsv"
    resources:
        mem_mb=need(1500, 4, "cooccurrence", "embeddings"),
        runtime=need(20, 0.1, "cooccurrence"),
    params:
        embeddings=seed_folders,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        settings={key: TRUTH[key] for key in ("sets", "sizes", "random", "subsets", "fraction", "together", "seed")},
    script:
        "../scripts/plan_ground_truth.py"


rule retrain_without_documents:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        sets="results/attribution/{embedding}/sets.parquet",
        plan=rules.plan_ground_truth.output.plan,
        benchmarks=list(benchmark_files(TRUTH["benchmarks"]).values()),
        code=code_of("retrain_without_documents.py"),
    output:
        table="results/attribution/{embedding}/ground_truth/retrained_{job}.parquet",
    log:
        "results/logs/attribution/{embedding}/retrain_without_documents_{job}.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/retrain_without_documents_{job}.tsv"
    threads: cores(2, 1000, "cooccurrence")
    resources:
        mem_mb=need(1200, 6, "cooccurrence"),
        runtime=need(60, 1, "cooccurrence"),
    params:
        embeddings=folder_by_seed,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        seeds=seeds_among(TRUTH["seeds"]),
        jobs=TRUTH["jobs"],
        continued=TRUTH["continued"],
        benchmarks=benchmark_files(TRUTH["benchmarks"]),
    script:
        "../scripts/retrain_without_documents.py"


rule compare_ground_truth:
    input:
        plan=rules.plan_ground_truth.output.plan,
        estimates=rules.plan_ground_truth.output.estimates,
        retrained=expand(
            "results/attribution/{{embedding}}/ground_truth/retrained_{job}.parquet", job=range(TRUTH["jobs"])
        ),
        sets="results/attribution/{embedding}/sets.parquet",
        code=code_of("compare_ground_truth.py"),
    output:
        comparison="results/attribution/{embedding}/ground_truth.parquet",
        table="results/attribution/{embedding}/ground_truth.tsv",
        agreement=attribution_table("ground_truth_agreement.tsv", "agreement", table="Agreement with retraining"),
        noise=attribution_table("ground_truth_noise.tsv", "noise", table="Noise between seeds"),
        scores="results/attribution/{embedding}/ground_truth_scores.tsv",
        quality="results/attribution/{embedding}/ground_truth_quality.tsv",
    log:
        "results/logs/attribution/{embedding}/compare_ground_truth.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/compare_ground_truth.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        targets=TRUTH["sets"],
    script:
        "../scripts/compare_ground_truth.py"


rule draw_ground_truth:
    input:
        comparison=rules.compare_ground_truth.output.comparison,
        agreement=rules.compare_ground_truth.output.agreement,
        code=code_of("draw_ground_truth.py"),
    output:
        figure=attribution_figure("ground_truth", figure="Estimated against retrained"),
    log:
        "results/logs/attribution/{embedding}/draw_ground_truth.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/draw_ground_truth.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        estimator=config["attribution"]["estimator"],
    script:
        "../scripts/draw_ground_truth.py"


rule choose_removal:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        documents=of_corpus("documents.parquet"),
        sets="results/attribution/{embedding}/sets.parquet",
        effects="results/attribution/{embedding}/effects.npy",
        code=code_of("choose_removal.py"),
    output:
        removed="results/attribution/{embedding}/cleaned/removed.tsv",
        cleaned="results/attribution/{embedding}/cleaned/documents.parquet",
        plan="results/attribution/{embedding}/cleaned/plan.parquet",
        estimates="results/attribution/{embedding}/cleaned/estimates.parquet",
    log:
        "results/logs/attribution/{embedding}/choose_removal.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/choose_removal.tsv"
    resources:
        mem_mb=need(1500, 4, "cooccurrence", "embeddings"),
        runtime=need(20, 0.1, "cooccurrence"),
    params:
        embeddings=seed_folders,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        estimator=config["attribution"]["estimator"],
        settings={key: CLEANING[key] for key in ("sets", "reduction", "most", "control", "seed")},
    script:
        "../scripts/choose_removal.py"


rule retrain_cleaned_corpus:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        sets="results/attribution/{embedding}/sets.parquet",
        plan=rules.choose_removal.output.plan,
        benchmarks=list(benchmark_files(TRUTH["benchmarks"]).values()),
        code=code_of("retrain_without_documents.py"),
    output:
        table="results/attribution/{embedding}/cleaned/retrained.parquet",
        folders=directory("results/attribution/{embedding}/cleaned/models"),
    log:
        "results/logs/attribution/{embedding}/retrain_cleaned_corpus.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/retrain_cleaned_corpus.tsv"
    threads: cores(2, 1000, "cooccurrence")
    resources:
        mem_mb=need(1200, 6, "cooccurrence"),
        runtime=need(60, 1, "cooccurrence"),
    params:
        embeddings=folder_by_seed,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        seeds=seeds_among(CLEANING["seeds"]),
        jobs=1,
        continued=0,
        benchmarks=benchmark_files(TRUTH["benchmarks"]),
    script:
        "../scripts/retrain_without_documents.py"


rule compare_removal:
    input:
        estimates=rules.choose_removal.output.estimates,
        retrained=rules.retrain_cleaned_corpus.output.table,
        code=code_of("compare_removal.py"),
    output:
        removal="results/attribution/{embedding}/removal.parquet",
        table=attribution_table("removal.tsv", "removal", table="Removal of documents"),
        repair="results/attribution/{embedding}/corpus_repair.parquet",
    log:
        "results/logs/attribution/{embedding}/compare_removal.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/compare_removal.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    script:
        "../scripts/compare_removal.py"
