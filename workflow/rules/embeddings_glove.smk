# Embeddings, GloVe: co-occurrences, training to stationarity, convergence.
#
# Reads   results/corpus/{corpus}/tokens.npy, offsets.npy, vocabulary.parquet, statistics.json
# Writes  results/embeddings/{embedding}/cooccurrence/indptr.npy, indices.npy, values.npy, facts.json    X, by rows
#         results/embeddings/{embedding}/seed-{seed}/vectors.npy, vocabulary.parquet, facts.json         the embedding
#         results/embeddings/{embedding}/seed-{seed}/contexts.npy, biases.npy        what attribution needs beside it
#         results/embeddings/{embedding}/seed-{seed}/loss.parquet, loss.tsv          phase, step, loss
#         results/embeddings/{embedding}/seed-{seed}/stationarity.parquet            word, count, Newton steps
#         results/embeddings/{embedding}/stationarity_bands.tsv, loss.svg, stationarity.svg   (also .pdf and .png)

GLOVE = [name for name, settings in config["embeddings"].items() if settings["kind"] == "glove"]
GLOVE_SETTINGS = ("dim", "window", "epochs", "learning_rate", "x_max", "alpha", "accumulate", "finish")


# Added to what the target rule `embeddings` asks for.
FURTHER_EMBEDDING_FILES += expand(
    "results/embeddings/{embedding}/stationarity_bands.tsv", embedding=[name for name in EMBEDDINGS if name in GLOVE]
)


rule count_cooccurrence:
    input:
        tokens=corpus_file("tokens.npy"),
        offsets=corpus_file("offsets.npy"),
        vocabulary=corpus_file("vocabulary.parquet"),
        code=code_of("count_cooccurrence.py"),
    output:
        indptr=temp("results/embeddings/{embedding}/shards/{shard}/indptr.npy"),
        indices=temp("results/embeddings/{embedding}/shards/{shard}/indices.npy"),
        sums=temp("results/embeddings/{embedding}/shards/{shard}/sums.npy"),
    log:
        "results/logs/embeddings/{embedding}/count_cooccurrence_{shard}.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/count_cooccurrence_{shard}.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove"),
    threads: 2
    resources:
        mem_mb=need(2500),
        runtime=need(20, 0.05, "tokens"),
    params:
        window=lambda wildcards: config["embeddings"][wildcards.embedding]["window"],
        shards=lambda wildcards: config["embeddings"][wildcards.embedding]["shards"],
    script:
        "../scripts/count_cooccurrence.py"


rule merge_cooccurrence:
    input:
        indptr=lambda wildcards: expand(
            rules.count_cooccurrence.output.indptr,
            shard=range(config["embeddings"][wildcards.embedding]["shards"]),
            allow_missing=True,
        ),
        indices=lambda wildcards: expand(
            rules.count_cooccurrence.output.indices,
            shard=range(config["embeddings"][wildcards.embedding]["shards"]),
            allow_missing=True,
        ),
        sums=lambda wildcards: expand(
            rules.count_cooccurrence.output.sums,
            shard=range(config["embeddings"][wildcards.embedding]["shards"]),
            allow_missing=True,
        ),
        code=code_of("merge_cooccurrence.py"),
    output:
        indptr="results/embeddings/{embedding}/cooccurrence/indptr.npy",
        indices="results/embeddings/{embedding}/cooccurrence/indices.npy",
        values="results/embeddings/{embedding}/cooccurrence/values.npy",
        facts="results/embeddings/{embedding}/cooccurrence/facts.json",
    log:
        "results/logs/embeddings/{embedding}/merge_cooccurrence.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/merge_cooccurrence.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove"),
    resources:
        mem_mb=need(1500),
        runtime=need(10, 0.01, "indices"),
    params:
        window=lambda wildcards: config["embeddings"][wildcards.embedding]["window"],
    script:
        "../scripts/merge_cooccurrence.py"


# One thread a seed: the seeds of a study run side by side. For one large training give it more, with
# `--set-threads train_glove=16`; the bytes stay the same.
rule train_glove:
    input:
        indptr=rules.merge_cooccurrence.output.indptr,
        indices=rules.merge_cooccurrence.output.indices,
        values=rules.merge_cooccurrence.output["values"],
        facts=rules.merge_cooccurrence.output.facts,
        vocabulary=corpus_file("vocabulary.parquet"),
        statistics=corpus_file("statistics.json"),
        code=code_of("train_glove.py"),
    output:
        vectors="results/embeddings/{embedding}/seed-{seed}/vectors.npy",
        vocabulary="results/embeddings/{embedding}/seed-{seed}/vocabulary.parquet",
        facts="results/embeddings/{embedding}/seed-{seed}/facts.json",
        contexts="results/embeddings/{embedding}/seed-{seed}/contexts.npy",
        biases="results/embeddings/{embedding}/seed-{seed}/biases.npy",
        losses="results/embeddings/{embedding}/seed-{seed}/loss.parquet",
        losses_table="results/embeddings/{embedding}/seed-{seed}/loss.tsv",
        stationarity="results/embeddings/{embedding}/seed-{seed}/stationarity.parquet",
    log:
        "results/logs/embeddings/{embedding}/train_glove_seed_{seed}.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/train_glove_seed_{seed}.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove"),
    threads: cores(1, 1000, "indices", "values")
    resources:
        mem_mb=need(800, 5, "indices", "values"),
        runtime=need(10, 0.03, "indices", "values"),
    params:
        corpus=lambda wildcards: config["embeddings"][wildcards.embedding]["corpus"],
        cased=lambda wildcards: not config["corpora"][config["embeddings"][wildcards.embedding]["corpus"]][
            "tokenizer"
        ]["lowercase"],
        settings=setting_of("embeddings", "embedding", *GLOVE_SETTINGS),
    script:
        "../scripts/train_glove.py"


rule plot_convergence:
    input:
        losses=lambda wildcards: expand(
            rules.train_glove.output.losses, seed=seeds_of(wildcards.embedding), allow_missing=True
        ),
        stationarity=lambda wildcards: expand(
            rules.train_glove.output.stationarity, seed=seeds_of(wildcards.embedding), allow_missing=True
        ),
        code=code_of("plot_convergence.py"),
    output:
        bands=report(
            "results/embeddings/{embedding}/stationarity_bands.tsv",
            category="Embeddings",
            labels={"what": "distance from the minimum by frequency", "embedding": "{embedding}", "as": "table"},
            caption="../report/stationarity.rst",
        ),
        loss=report(
            "results/embeddings/{embedding}/loss.svg",
            category="Embeddings",
            labels={"what": "loss", "embedding": "{embedding}", "as": "figure"},
            caption="../report/glove_loss.rst",
        ),
        loss_formats=expand("results/embeddings/{{embedding}}/loss.{ending}", ending=["pdf", "png"]),
        stationarity=report(
            "results/embeddings/{embedding}/stationarity.svg",
            category="Embeddings",
            labels={"what": "distance from the minimum", "embedding": "{embedding}", "as": "figure"},
            caption="../report/stationarity.rst",
        ),
        stationarity_formats=expand("results/embeddings/{{embedding}}/stationarity.{ending}", ending=["pdf", "png"]),
    log:
        "results/logs/embeddings/{embedding}/plot_convergence.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/plot_convergence.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove"),
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        seeds=lambda wildcards: seeds_of(wildcards.embedding),
        title=lambda wildcards: config["embeddings"][wildcards.embedding]["title"],
    script:
        "../scripts/plot_convergence.py"
