# Mitigation: debias the vectors, then ask whether the bias is gone.
#
# Reads   results/embeddings/{base}/seed-{seed}/, word sets, the source `benchmarks`; of other stages, where the study has
#         them: results/attribution/{base}/cleaned/models (trained again without documents), results/enumeration/{run}/
# Writes  results/embeddings/{embedding}/seed-{seed}/                debiased: vectors.npy, vocabulary.parquet, facts.json
#         results/mitigation/{embedding}/seed-{seed}/audit.parquet   an embedding and its repairs, every instrument
#         results/mitigation/{embedding}/seed-{seed}/projections.parquet   words before and after (Figure 2)
#         results/mitigation/{embedding}/audit.parquet               all seeds, with UBE
#         results/mitigation/{embedding}/projections.svg             Figure 2 (also .pdf and .png, like all figures)
#         results/mitigation/remaining.parquet (.tsv), quality.tsv   means over seeds; Table 2
#         results/mitigation/remaining.svg, effects.svg, bias_and_quality.svg
#         results/mitigation/measured.parquet                        for the scorecard

MITIGATION = config["mitigation"]
DEBIASED = MITIGATION["embeddings"]
AUDIT = MITIGATION["audit"]


def check_debiased():
    """Refuse names that lead nowhere, before any work is done."""
    for name in DEBIASED:
        if config["embeddings"].get(name, {}).get("kind") != "debiased":
            raise WorkflowError(
                f"config: mitigation.embeddings has {name!r}, which is not an embedding of kind debiased. "
                "Define it under embeddings with a base and a method."
            )
    for name, settings in config["embeddings"].items():
        if settings["kind"] != "debiased":
            continue
        if settings["method"] not in MITIGATION["methods"]:
            raise WorkflowError(
                f"config: embeddings.{name}.method is {settings['method']!r}, which mitigation.methods does not define. "
                f"Known: {', '.join(MITIGATION['methods'])}."
            )
        if settings.get("fitted_on", settings["base"]) not in config["embeddings"]:
            raise WorkflowError(f"config: embeddings.{name}.fitted_on is not an embedding: {settings['fitted_on']!r}.")


check_debiased()

BASES = list(dict.fromkeys(config["embeddings"][name]["base"] for name in DEBIASED))
# A base that is debiased with the help of another embedding has few words of its own: no projections to draw.
PROJECTED = [
    base
    for base in BASES
    if any(
        config["embeddings"][name]["base"] == base and "fitted_on" not in config["embeddings"][name]
        for name in DEBIASED
    )
]
SCORED_METHOD = next((key for key, method in MITIGATION["methods"].items() if method["kind"] == "sdp"), "none")


def versions_of(base, seed):
    """An embedding and its debiased versions, as the columns of an audit say it."""
    versions = [{"embedding": base, "version": base, "method": "none", "title": "Before", "seed": int(seed)}]
    for name in DEBIASED:
        settings = config["embeddings"][name]
        if settings["base"] == base:
            title = MITIGATION["methods"][settings["method"]]["title"]
            versions.append({**versions[0], "version": name, "method": settings["method"], "title": title})
    return versions


def repaired_corpora(wildcards):
    """The folder of embeddings trained again without documents, if attribution makes one for this embedding and seed."""
    removal = config["attribution"]["removal"]
    made = wildcards.embedding in removal["embeddings"] and wildcards.embedding in config["attribution"]["embeddings"]
    seeds = removal["seeds"] or seeds_of(wildcards.embedding)
    return f"results/attribution/{wildcards.embedding}/cleaned/models" if made and int(wildcards.seed) in seeds else []


def audit_benchmarks():
    """The files of the benchmarks, in the order of the config."""
    files = {Path(file).stem: file for file in files_of_source("benchmarks")}
    return [files[name] for name in AUDIT["benchmarks"]]


def enumerations():
    """(run, version) for each enumeration of this study on an embedding that is audited."""
    found = []
    for run in config["enumeration"]["runs"]:
        own = config["enumeration"]["defined"][run]
        if own["names"] != AUDIT["names"]:
            continue
        for base in BASES:
            found += [
                (run, version) for version in versions_of(base, own["seed"]) if version["version"] == own["embedding"]
            ]
    return found


def base_of(name):
    """The embedding that a debiased one starts from."""
    return config["embeddings"][name]["base"]


localrules:
    mitigation,


rule mitigation:
    input:
        (
            [
                "results/mitigation/remaining.tsv",
                "results/mitigation/quality.tsv",
                "results/mitigation/remaining.svg",
                *expand("results/mitigation/{embedding}/projections.svg", embedding=PROJECTED),
            ]
            if DEBIASED
            else []
        ),


rule debias_embedding:
    input:
        vectors=lambda wildcards: VECTORS.format(embedding=base_of(wildcards.embedding), seed=wildcards.seed),
        fitted_on=lambda wildcards: VECTORS.format(
            embedding=config["embeddings"][wildcards.embedding].get("fitted_on", base_of(wildcards.embedding)),
            seed=wildcards.seed,
        ),
        word_sets=WORD_SET_FILES,
        code=code_of("debias_embedding.py"),
    output:
        vectors=VECTORS,
        vocabulary="results/embeddings/{embedding}/seed-{seed}/vocabulary.parquet",
        facts="results/embeddings/{embedding}/seed-{seed}/facts.json",
    log:
        "results/logs/mitigation/{embedding}/seed-{seed}/debias_embedding.log",
    benchmark:
        "results/benchmarks/mitigation/{embedding}/seed-{seed}/debias_embedding.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("debiased"),
    resources:
        mem_mb=need(1000, 8, "vectors", "fitted_on"),
        runtime=need(20),
    params:
        names=lambda wildcards: {
            "embedding": wildcards.embedding,
            "base": base_of(wildcards.embedding),
            "method": config["embeddings"][wildcards.embedding]["method"],
        },
        method=lambda wildcards: MITIGATION["methods"][config["embeddings"][wildcards.embedding]["method"]],
        seeds=MITIGATION["seeds"],
    script:
        "../scripts/debias_embedding.py"


rule audit_debiasing:
    input:
        vectors=lambda wildcards: [
            VECTORS.format(embedding=version["version"], seed=wildcards.seed)
            for version in versions_of(wildcards.embedding, wildcards.seed)
        ],
        repaired=repaired_corpora,
        word_sets=WORD_SET_FILES,
        benchmarks=audit_benchmarks(),
        code=code_of("audit_debiasing.py"),
    output:
        audit="results/mitigation/{embedding}/seed-{seed}/audit.parquet",
        projections="results/mitigation/{embedding}/seed-{seed}/projections.parquet",
    log:
        "results/logs/mitigation/{embedding}/seed-{seed}/audit_debiasing.log",
    benchmark:
        "results/benchmarks/mitigation/{embedding}/seed-{seed}/audit_debiasing.tsv"
    resources:
        mem_mb=need(1200, 8, "vectors"),
        runtime=need(20, 0.1, "vectors"),
    params:
        versions=lambda wildcards: versions_of(wildcards.embedding, wildcards.seed),
        seeds=MITIGATION["seeds"],
        settings={key: value for key, value in AUDIT.items() if key not in ("tests_of_bias", "names")},
    script:
        "../scripts/audit_debiasing.py"


rule summarise_mitigation:
    input:
        audits=[
            file
            for base in BASES
            for file in expand(rules.audit_debiasing.output.audit, embedding=base, seed=seeds_of(base))
        ],
        enumerations=[f"results/enumeration/{run}/summary.json" for run, _ in enumerations()],
        code=code_of("summarise_mitigation.py"),
    output:
        gathered=expand("results/mitigation/{embedding}/audit.parquet", embedding=BASES),
        remaining="results/mitigation/remaining.parquet",
        remaining_tsv=report(
            "results/mitigation/remaining.tsv",
            caption="../report/mitigation_remaining_table.rst",
            category="Mitigation",
            labels={"what": "What remains, every number", "as": "table"},
        ),
        quality=report(
            "results/mitigation/quality.tsv",
            caption="../report/mitigation_quality.rst",
            category="Mitigation",
            labels={"what": "Quality before and after (Table 2)", "as": "table"},
        ),
        measured="results/mitigation/measured.parquet",
    log:
        "results/logs/mitigation/summarise_mitigation.log",
    benchmark:
        "results/benchmarks/mitigation/summarise_mitigation.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        bases=BASES,
        enumerated=[version for _, version in enumerations()],
        scored_method=SCORED_METHOD,
    script:
        "../scripts/summarise_mitigation.py"


def mitigation_figure(name, what, **labels):
    """A figure in the report, with a caption file of its own."""
    return report(
        f"results/mitigation/{name}.svg",
        caption=f"../report/mitigation_{Path(name).name}.rst",
        category="Mitigation",
        labels={"what": what, **labels, "as": "figure"},
    )


rule plot_mitigation:
    input:
        remaining=rules.summarise_mitigation.output.remaining,
        audits=rules.summarise_mitigation.output.gathered,
        projections=[f"results/mitigation/{base}/seed-{seeds_of(base)[0]}/projections.parquet" for base in PROJECTED],
        code=code_of("plot_mitigation.py"),
    output:
        remaining=mitigation_figure("remaining", "What remains"),
        effects=mitigation_figure("effects", "Every association test"),
        bias_and_quality=mitigation_figure("bias_and_quality", "Bias against quality"),
        projections=[mitigation_figure(f"{base}/projections", f"Figure 2, {base}") for base in PROJECTED],
        remaining_files=expand("results/mitigation/remaining.{ending}", ending=FIGURE_ENDINGS[1:]),
        effects_files=expand("results/mitigation/effects.{ending}", ending=FIGURE_ENDINGS[1:]),
        bias_and_quality_files=expand("results/mitigation/bias_and_quality.{ending}", ending=FIGURE_ENDINGS[1:]),
        projections_files=expand(
            "results/mitigation/{embedding}/projections.{ending}", embedding=PROJECTED, ending=FIGURE_ENDINGS[1:]
        ),
    log:
        "results/logs/mitigation/plot_mitigation.log",
    benchmark:
        "results/benchmarks/mitigation/plot_mitigation.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        projected=PROJECTED,
        titles={base: config["embeddings"][base]["title"] for base in BASES},
        direction=AUDIT["direction"],
        tests=AUDIT["tests_of_bias"],
    script:
        "../scripts/plot_mitigation.py"
