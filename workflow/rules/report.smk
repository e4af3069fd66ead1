# Report: what people look at. (The scorecard is in scorecard.smk; `make report` adds Snakemake's own report.)
#
# Reads   results of every stage that is part of the study; report/explorer/ (the page's sources); the plotting library
# Writes  results/report/explorer.html         one page that opens from the file system and asks no server
#         results/report/explorer_files/       documents of a large study, beside the page
#         results/report/headlines.json        what the page shows first, as data
#         results/report/explorer.png          a picture of the page, on request
#         results/report/summary.txt           the same for a terminal, shown at the end of a run


# What Snakemake's own report opens with.
report: "../report/workflow.rst"


REPORT = config["report"]
PAGE_SOURCES = PROJECT / "report" / "explorer"


def attributed_files(name):
    """What attribution found for an embedding, by the names that the explorer knows."""
    files = {
        "sets": "sets.parquet",
        "effects": "effects.npy",
        "explanations": "explanations.parquet",
        "curves": "removal_curves.parquet",
        "concentration": "concentration.tsv",
        "kinds": "document_kinds.tsv",
        "document_topics": "document_topics.parquet",
    }
    if name in VALIDATED:
        files |= {"comparison": "ground_truth.parquet", "agreement": "ground_truth_agreement.tsv"}
    return {key: f"results/attribution/{name}/{file}" for key, file in files.items()}


def enumerated_files(run):
    """What an enumeration found."""
    files = {"groups": "groups.parquet", "cells": "cells.parquet", "summary": "summary.json"}
    return {key: f"results/enumeration/{run}/{file}" for key, file in files.items()}


def paths_for_explorer():
    """The files of each stage that is part of the study, nested as the explorer's script takes them.

    Plain strings: they are handed to the script, and Snakemake's own file objects cannot be.
    """
    paths = {
        "corpus_table": str(rules.describe_corpora.output.table),
        "corpora": {name: f"results/corpus/{name}/documents.parquet" for name in CORPORA},
        "embeddings": {name: list(folders_of(name).values()) for name in EMBEDDINGS},
        "scorecard": str(rules.score_published.output.scorecard),
        "association": {name: str(getattr(rules.score_weat.output, name)) for name in ("summary", "words")},
        "enumeration": {run: enumerated_files(run) for run in ENUMERATIONS},
        "attribution": {name: attributed_files(name) for name in ATTRIBUTED},
        "mitigation": {"remaining": str(rules.summarise_mitigation.output.remaining)} if DEBIASED else {},
    }
    return {stage: files for stage, files in paths.items() if files}


def flat(paths):
    """All paths of a nested dictionary; of an embedding's folder, the files that are read."""
    if isinstance(paths, str):
        return [paths]
    return [path for inner in (paths.values() if isinstance(paths, dict) else paths) for path in flat(inner)]


def inputs_of_explorer():
    """The files behind `paths_for_explorer`."""
    paths = paths_for_explorer()
    folders = flat(paths.pop("embeddings", {}))
    names = ["vectors.npy", "vocabulary.parquet", "facts.json"]
    return flat(paths) + [f"{folder}/{name}" for folder in folders for name in names]


def settings_in_words():
    """The settings that a reader of the page should know, as pairs of name and value."""
    pairs = []
    for name in CORPORA:
        corpus = config["corpora"][name]
        text = f"share of documents {corpus['fraction']}, words seen at least {corpus['min_count']} times"
        pairs.append([f"Corpus {corpus['title']}", text])
    for name in EMBEDDINGS:
        own = config["embeddings"][name]
        shown = {key: own[key] for key in ("kind", "dim", "window", "epochs", "seeds", "source") if key in own}
        pairs.append([f"Embedding {own['title']}", ", ".join(f"{key} {value}" for key, value in shown.items())])
    pairs.append(["Estimator of differential bias", ATTRIBUTION["estimator"]])
    pairs.append(["Everything else", "results/run_config.yaml, beside the results"])
    return pairs


localrules:
    explorer,
    report,
    summarise_study,


rule explorer:
    input:
        "results/report/explorer.html",
        "results/report/summary.txt",


rule report:
    input:
        rules.explorer.input,
        rules.scorecard.input,


rule build_explorer:
    input:
        files=inputs_of_explorer(),
        word_sets=WORD_SET_FILES,
        library=files_of_source(REPORT["charts"])[0] if REPORT["charts"] else [],
        page=[seen_from_here(path) for path in sorted(PAGE_SOURCES.rglob("*")) if path.is_file()],
        code=code_of("build_explorer.py"),
    output:
        page="results/report/explorer.html",
        shards=directory("results/report/explorer_files"),
        headlines="results/report/headlines.json",
    log:
        "results/logs/report/build_explorer.log",
    benchmark:
        "results/benchmarks/report/build_explorer.tsv"
    resources:
        mem_mb=need(1500, 8, "files"),
        runtime=need(10, 0.01, "files"),
    params:
        paths=paths_for_explorer(),
        sources=str(PAGE_SOURCES),
        inline_mb=REPORT["inline_mb"],
        study={
            "title": REPORT["title"],
            "corpora": {
                name: {
                    "title": config["corpora"][name]["title"],
                    "lowercase": config["corpora"][name]["tokenizer"]["lowercase"],
                }
                for name in CORPORA
            },
            "embeddings": {
                name: {key: config["embeddings"][name].get(key) for key in ("title", "kind", "corpus")}
                for name in EMBEDDINGS
            },
            "estimator": ATTRIBUTION["estimator"],
            "settings": settings_in_words(),
            "repaired": {name: config["embeddings"][name]["title"] for name in BASES},
            "tests_of_bias": AUDIT["tests_of_bias"],
        },
    script:
        "../scripts/build_explorer.py"


rule summarise_study:
    input:
        headlines=rules.build_explorer.output.headlines,
        code=code_of("summarise_study.py"),
    output:
        summary=report(
            "results/report/summary.txt",
            category="Summary",
            labels={"what": "what was found, and where to look", "as": "text"},
            caption="../report/summary.rst",
        ),
    log:
        "results/logs/report/summarise_study.log",
    benchmark:
        "results/benchmarks/report/summarise_study.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(5),
    params:
        title=REPORT["title"],
        places=[
            ["Open in a browser", "results/report/explorer.html"],
            ["Our numbers beside the papers'", "results/report/scorecard.tsv"],
            ["Tables and figures", "results/<stage>/ (results/README.md says what is what)"],
            ["The configuration of this run", "results/run_config.yaml"],
        ],
    script:
        "../scripts/summarise_study.py"


# For the README; not part of any target, because it needs a browser: snakemake --cores 1 results/report/explorer.png
if ATTRIBUTED:

    rule picture_explorer:
        input:
            page=rules.build_explorer.output.page,
            shards=rules.build_explorer.output.shards,
            top=f"results/attribution/{ATTRIBUTED[0]}/top_documents.parquet",
            code=code_of("picture_explorer.py"),
        output:
            picture="results/report/explorer.png",
        log:
            "results/logs/report/picture_explorer.log",
        benchmark:
            "results/benchmarks/report/picture_explorer.tsv"
        resources:
            mem_mb=need(1500),
            runtime=need(10),
        params:
            embedding=ATTRIBUTED[0],
            width=1280,
            height=980,
        script:
            "../scripts/picture_explorer.py"
