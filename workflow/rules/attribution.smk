# Attribution: which documents a bias comes from, how concentrated it is, and what the documents are.
# The check by retraining and the removal of documents are in attribution_validation.smk.
#
# Reads   results/corpus/{corpus}/{documents.parquet,tokens.npy,offsets.npy,statistics.json}
#         results/embeddings/{embedding}/cooccurrence, seed-{seed}; word sets
# Writes  results/attribution/{embedding}/sets.parquet, sets.tsv              WEAT sets with their words; which are reported
#         results/attribution/{embedding}/shards/{shard}.npy                  (seeds, documents of the shard, sets)
#         results/attribution/{embedding}/effects.npy                         (seeds, documents, sets), before minus after
#         results/attribution/{embedding}/differential_bias.parquet           document, set, mean, sd, seed_...
#         results/attribution/{embedding}/concentration.tsv, table_{7,8,9}.tsv, coverage.tsv, coverage_forward.tsv,
#                                         intersections.tsv                   summaries
#         results/attribution/{embedding}/explanations.parquet                set, rank, document, word, context, contribution
#         results/attribution/{embedding}/top_documents.parquet, top_documents.html, removal_curves.parquet
#         results/attribution/{embedding}/document_kinds.tsv, topics.tsv, sentiment.json, classifier.tsv,
#                                         classifier_words.tsv                what the documents are
#         results/attribution/{embedding}/{concentration,overlap,removal_curves}.{svg,pdf,png}
#         results/attribution/measured.parquet                                numbers for the scorecard

ATTRIBUTION = config["attribution"]
ATTRIBUTED = [name for name in ATTRIBUTION["embeddings"] if name in EMBEDDINGS]
VALIDATED = [name for name in ATTRIBUTION["ground_truth"]["embeddings"] if name in ATTRIBUTED]
CLEANED = [name for name in ATTRIBUTION["removal"]["embeddings"] if name in ATTRIBUTED]

for name in ATTRIBUTED:
    if config["embeddings"][name]["kind"] != "glove":
        raise WorkflowError(
            f"config: attribution.embeddings has {name}, which is of kind {config['embeddings'][name]['kind']}. A "
            "document's effect can only be estimated for an embedding with context vectors: one of kind glove."
        )


def of_corpus(file):
    """The path of a corpus file for the corpus of `{embedding}`."""
    return lambda wildcards: f"results/corpus/{config['embeddings'][wildcards.embedding]['corpus']}/{file}"


def seed_folders(wildcards):
    """The folders of an embedding's seeds."""
    return [f"results/embeddings/{wildcards.embedding}/seed-{seed}" for seed in seeds_of(wildcards.embedding)]


def seed_files(wildcards):
    """What attribution reads of an embedding's seeds."""
    names = ["vectors.npy", "contexts.npy", "biases.npy", "vocabulary.parquet", "facts.json"]
    return [f"{folder}/{name}" for folder in seed_folders(wildcards) for name in names]


def cooccurrence_files(wildcards):
    """The co-occurrences of an embedding."""
    names = ["indptr.npy", "indices.npy", "values.npy", "facts.json"]
    return [f"results/embeddings/{wildcards.embedding}/cooccurrence/{name}" for name in names]


def attribution_figure(name, **labels):
    """The three formats of a figure; the first goes into the report."""
    path = f"results/attribution/{{embedding}}/{name}"
    caption = f"../report/attribution_{name}.rst"
    shown = report(
        f"{path}.svg", caption=caption, category="Attribution", labels={"embedding": "{embedding}", **labels}
    )
    return [shown, f"{path}.pdf", f"{path}.png"]


def attribution_table(name, caption, **labels):
    """A table that goes into the report."""
    return report(
        f"results/attribution/{{embedding}}/{name}",
        caption=f"../report/attribution_{caption}.rst",
        category="Attribution",
        labels={"embedding": "{embedding}", **labels},
    )


localrules:
    attribution,
    choose_bias_tests,
    collect_attribution,


rule attribution:
    input:
        expand("results/attribution/{embedding}/differential_bias.parquet", embedding=ATTRIBUTED),
        expand("results/attribution/{embedding}/concentration.svg", embedding=ATTRIBUTED),
        expand("results/attribution/{embedding}/document_kinds.tsv", embedding=ATTRIBUTED),
        expand("results/attribution/{embedding}/ground_truth.svg", embedding=VALIDATED),
        expand("results/attribution/{embedding}/removal.parquet", embedding=CLEANED),
        "results/attribution/measured.parquet",


rule choose_bias_tests:
    input:
        embeddings=seed_files,
        statistics=of_corpus("statistics.json"),
        word_sets=WORD_SET_FILES,
        code=code_of("choose_bias_tests.py"),
    output:
        sets="results/attribution/{embedding}/sets.parquet",
        table=attribution_table("sets.tsv", "sets", table="WEAT sets"),
    log:
        "results/logs/attribution/{embedding}/choose_bias_tests.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/choose_bias_tests.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        embeddings=seed_folders,
        tests=ATTRIBUTION["tests"],
        significance=ATTRIBUTION["significance"],
        sets=ATTRIBUTION["sets"],
    script:
        "../scripts/choose_bias_tests.py"


rule estimate_differential_bias:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        sets=rules.choose_bias_tests.output.sets,
        code=code_of("estimate_differential_bias.py"),
    output:
        effects="results/attribution/{embedding}/shards/{shard}.npy",
    log:
        "results/logs/attribution/{embedding}/estimate_differential_bias_{shard}.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/estimate_differential_bias_{shard}.tsv"
    threads: 1
    resources:
        mem_mb=need(1200, 3, "cooccurrence", "embeddings"),
        runtime=need(20, 0.2, "tokens"),
    params:
        embeddings=seed_folders,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        estimator=ATTRIBUTION["estimator"],
        shards=ATTRIBUTION["shards"],
    script:
        "../scripts/estimate_differential_bias.py"


rule gather_differential_bias:
    input:
        shards=expand("results/attribution/{{embedding}}/shards/{shard}.npy", shard=range(ATTRIBUTION["shards"])),
        documents=of_corpus("documents.parquet"),
        sets=rules.choose_bias_tests.output.sets,
        code=code_of("gather_differential_bias.py"),
    output:
        effects="results/attribution/{embedding}/effects.npy",
        table="results/attribution/{embedding}/differential_bias.parquet",
    log:
        "results/logs/attribution/{embedding}/gather_differential_bias.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/gather_differential_bias.tsv"
    resources:
        mem_mb=need(1000, 10, "shards"),
        runtime=need(10, 0.02, "shards"),
    params:
        seeds=lambda wildcards: seeds_of(wildcards.embedding),
    script:
        "../scripts/gather_differential_bias.py"


rule summarise_differential_bias:
    input:
        effects=rules.gather_differential_bias.output.effects,
        sets=rules.choose_bias_tests.output.sets,
        code=code_of("summarise_differential_bias.py"),
    output:
        summary=attribution_table("concentration.tsv", "concentration_table", table="Concentration"),
        table_7=attribution_table("table_7.tsv", "table_7", table="Intersectional, Table 7"),
        table_8=attribution_table("table_8.tsv", "table_8", table="Intersectional, Table 8"),
        table_9=attribution_table("table_9.tsv", "table_9", table="Intersectional, Table 9"),
        coverage=attribution_table("coverage.tsv", "coverage", table="Coverage of other sets"),
        forward="results/attribution/{embedding}/coverage_forward.tsv",
        intersections=attribution_table("intersections.tsv", "intersections", table="Intersections"),
    log:
        "results/logs/attribution/{embedding}/summarise_differential_bias.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/summarise_differential_bias.tsv"
    resources:
        mem_mb=need(1000, 10, "effects"),
        runtime=need(10, 0.02, "effects"),
    params:
        intersections=ATTRIBUTION["intersections"],
    script:
        "../scripts/summarise_differential_bias.py"


rule explain_documents:
    input:
        embeddings=seed_files,
        cooccurrence=cooccurrence_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        documents=of_corpus("documents.parquet"),
        sets=rules.choose_bias_tests.output.sets,
        effects=rules.gather_differential_bias.output.effects,
        code=code_of("explain_documents.py"),
    output:
        explanations="results/attribution/{embedding}/explanations.parquet",
        top="results/attribution/{embedding}/top_documents.parquet",
        curves="results/attribution/{embedding}/removal_curves.parquet",
        cards=attribution_table("top_documents.html", "top_documents", figure="Top documents"),
    log:
        "results/logs/attribution/{embedding}/explain_documents.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/explain_documents.tsv"
    resources:
        mem_mb=need(1200, 4, "cooccurrence", "embeddings"),
        runtime=need(20, 0.05, "cooccurrence", "documents"),
    params:
        embeddings=seed_folders,
        cooccurrence="results/embeddings/{embedding}/cooccurrence",
        estimator=ATTRIBUTION["estimator"],
        explained=ATTRIBUTION["explained"],
        most=ATTRIBUTION["curve"],
    script:
        "../scripts/explain_documents.py"


rule describe_documents:
    input:
        embeddings=seed_files,
        tokens=of_corpus("tokens.npy"),
        offsets=of_corpus("offsets.npy"),
        documents=of_corpus("documents.parquet"),
        sets=rules.choose_bias_tests.output.sets,
        effects=rules.gather_differential_bias.output.effects,
        code=code_of("describe_documents.py"),
    output:
        kinds=attribution_table("document_kinds.tsv", "document_kinds", table="Kinds of documents"),
        topics=attribution_table("topics.tsv", "topics", table="Topics"),
        document_topics="results/attribution/{embedding}/document_topics.parquet",
        sentiment="results/attribution/{embedding}/sentiment.json",
        classifier=attribution_table("classifier.tsv", "classifier", table="Classifier"),
        words="results/attribution/{embedding}/classifier_words.tsv",
    log:
        "results/logs/attribution/{embedding}/describe_documents.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/describe_documents.tsv"
    resources:
        mem_mb=need(1500, 30, "documents"),
        runtime=need(20, 0.5, "documents"),
    params:
        embedding=lambda wildcards: seed_folders(wildcards)[0],
        settings=ATTRIBUTION["documents"],
    script:
        "../scripts/describe_documents.py"


rule draw_differential_bias:
    input:
        effects=rules.gather_differential_bias.output.effects,
        sets=rules.choose_bias_tests.output.sets,
        table_8=rules.summarise_differential_bias.output.table_8,
        curves=rules.explain_documents.output.curves,
        code=code_of("draw_differential_bias.py"),
    output:
        concentration=attribution_figure("concentration", figure="Concentration"),
        overlap=attribution_figure("overlap", figure="Overlap of sets"),
        curves=attribution_figure("removal_curves", figure="Bias against documents removed"),
    log:
        "results/logs/attribution/{embedding}/draw_differential_bias.log",
    benchmark:
        "results/benchmarks/attribution/{embedding}/draw_differential_bias.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    script:
        "../scripts/draw_differential_bias.py"


rule collect_attribution:
    input:
        table_7=expand("results/attribution/{embedding}/table_7.tsv", embedding=ATTRIBUTED),
        table_8=expand("results/attribution/{embedding}/table_8.tsv", embedding=ATTRIBUTED),
        table_9=expand("results/attribution/{embedding}/table_9.tsv", embedding=ATTRIBUTED),
        code=code_of("collect_attribution.py"),
    output:
        measured="results/attribution/measured.parquet",
    log:
        "results/logs/attribution/collect_attribution.log",
    benchmark:
        "results/benchmarks/attribution/collect_attribution.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        embeddings=ATTRIBUTED,
    script:
        "../scripts/collect_attribution.py"
