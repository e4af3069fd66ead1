# Enumeration: biases that nobody asked for (UBE, Swinger et al. 2019).
#
# Reads   results/embeddings/{embedding}/seed-{seed}/, lists of names from results/sources/ or the user's own
# Writes  results/enumeration/{run}/names.parquet, removed.tsv, words.parquet, ...   what is compared with what
#         results/enumeration/{run}/rotations/{shard}_exceedances.npy, {shard}_histogram.npy   integers, added up later
#         results/enumeration/{run}/groups.*, cells.*, weats.tsv, summary.json      tables 2 and 5, every cell, counts
#         results/enumeration/{run}/name_groups.svg, tests.svg, null.svg            (also .pdf and .png)
#         results/enumeration/{run}/questionnaire.csv, questionnaire.html           for asking people (section 4.1)
#         results/enumeration/{run}/crowd/                                          their answers, scored, if configured
#         results/enumeration/summary.*                                             all runs side by side (table 3)

ENUMERATION = config["enumeration"]
ENUMERATIONS = ENUMERATION["runs"]


wildcard_constraints:
    run="[A-Za-z0-9_]+",


for _run in ENUMERATIONS:
    if _run not in ENUMERATION["defined"]:
        raise WorkflowError(f"config: enumeration.runs has {_run!r}, which enumeration.defined does not define.")
    _own = ENUMERATION["defined"][_run]
    for _key, _known in (("embedding", config["embeddings"]), ("names", ENUMERATION["names"])):
        if _own[_key] not in _known:
            raise WorkflowError(
                f"config: enumeration.defined.{_run}.{_key} is {_own[_key]!r}, which is not defined. "
                f"Known: {', '.join(sorted(_known))}."
            )


def enumeration_of(wildcards):
    """What the config says about the run in `{run}`."""
    return ENUMERATION["defined"][wildcards.run]


def enumeration_settings(*keys):
    """The run's own value of each setting, else the common one; only these keys, so that others rerun nothing."""

    def settings(wildcards):
        merged = {**ENUMERATION["settings"], **enumeration_of(wildcards).get("settings", {})}
        return {key: merged[key] for key in keys}

    return settings


def enumeration_embedding(wildcards):
    """The vectors of the run's embedding."""
    own = enumeration_of(wildcards)
    return f"results/embeddings/{own['embedding']}/seed-{own['seed']}/vectors.npy"


def enumeration_vocabulary(wildcards):
    """What stands beside the vectors."""
    folder = Path(enumeration_embedding(wildcards)).parent
    return [str(folder / "vocabulary.parquet"), str(folder / "facts.json")]


def lower_case_words(wildcards):
    """The vocabulary of the cased embedding that shows which words are written in lower case, if one is named."""
    embedding = enumeration_of(wildcards).get("lower_case_in")
    return f"results/embeddings/{embedding}/seed-{seeds_of(embedding)[0]}/vocabulary.parquet" if embedding else []


def name_lists(wildcards):
    """The lists of names of a run, that to enumerate with first, each with the files it is read from."""
    own = enumeration_of(wildcards)
    lists = []
    for name in [own["names"], *own.get("exclude", [])]:
        entry = ENUMERATION["names"][name]
        files = [entry["file"]] if "file" in entry else [f"results/sources/{file}" for file in entry.get("files", [])]
        lists.append(
            {key: entry[key] for key in ("kind", "min_count", "years", "words") if key in entry} | {"files": files}
        )
    return lists


localrules:
    enumeration,
    summarise_enumeration,
    score_questionnaire,


rule enumeration:
    input:
        expand("results/enumeration/{run}/tests.svg", run=ENUMERATIONS),
        expand(
            "results/enumeration/{run}/crowd/scores.json",
            run=[run for run in ENUMERATIONS if ENUMERATION["defined"][run].get("answers")],
        ),
        ["results/enumeration/summary.tsv"] if ENUMERATIONS else [],


rule prepare_enumeration:
    input:
        vectors=enumeration_embedding,
        vocabulary=enumeration_vocabulary,
        lower_case=lower_case_words,
        lists=lambda wildcards: [file for entry in name_lists(wildcards) for file in entry["files"]],
        code=code_of("prepare_enumeration.py"),
    output:
        names="results/enumeration/{run}/names.parquet",
        removed=report(
            "results/enumeration/{run}/removed.tsv",
            caption="../report/enumeration_removed.rst",
            category="Enumeration",
            labels={"run": "{run}", "what": "Names removed by the cleaning"},
        ),
        words="results/enumeration/{run}/words.parquet",
        means="results/enumeration/{run}/means.npy",
        selected="results/enumeration/{run}/selected.npy",
        scores="results/enumeration/{run}/scores.npy",
        voronoi="results/enumeration/{run}/voronoi.npy",
        facts="results/enumeration/{run}/facts.json",
    log:
        "results/logs/enumeration/{run}/prepare_enumeration.log",
    benchmark:
        "results/benchmarks/enumeration/{run}/prepare_enumeration.tsv"
    threads: 2
    resources:
        mem_mb=need(1200, 2, "vectors"),
        runtime=need(20),
    params:
        lists=name_lists,
        settings=enumeration_settings(
            "groups",
            "categories",
            "words",
            "words_per_cell",
            "removed_share",
            "others_among",
            "names_among",
            "min_group",
            "restarts",
            "word_pattern",
            "seed",
        ),
    script:
        "../scripts/prepare_enumeration.py"


rule rotate_groups:
    input:
        vectors=enumeration_embedding,
        vocabulary=enumeration_vocabulary,
        words=rules.prepare_enumeration.output.words,
        means=rules.prepare_enumeration.output.means,
        scores=rules.prepare_enumeration.output.scores,
        code=code_of("rotate_groups.py"),
    output:
        exceedances="results/enumeration/{run}/rotations/{shard}_exceedances.npy",
        histogram="results/enumeration/{run}/rotations/{shard}_histogram.npy",
    log:
        "results/logs/enumeration/{run}/rotate_groups_{shard}.log",
    benchmark:
        "results/benchmarks/enumeration/{run}/rotate_groups_{shard}.tsv"
    threads: 2
    resources:
        mem_mb=need(1500, 2, "vectors"),
        runtime=need(30, 0.3, "vectors"),
    params:
        settings=enumeration_settings("rotations", "words_per_cell", "seed"),
        shards=ENUMERATION["shards"],
    script:
        "../scripts/rotate_groups.py"


rule tabulate_enumeration:
    input:
        vectors=enumeration_embedding,
        vocabulary=enumeration_vocabulary,
        names=rules.prepare_enumeration.output.names,
        words=rules.prepare_enumeration.output.words,
        means=rules.prepare_enumeration.output.means,
        selected=rules.prepare_enumeration.output.selected,
        scores=rules.prepare_enumeration.output.scores,
        voronoi=rules.prepare_enumeration.output.voronoi,
        facts=rules.prepare_enumeration.output.facts,
        exceedances=expand(
            rules.rotate_groups.output.exceedances, shard=range(ENUMERATION["shards"]), allow_missing=True
        ),
        histograms=expand(rules.rotate_groups.output.histogram, shard=range(ENUMERATION["shards"]), allow_missing=True),
        code=code_of("tabulate_enumeration.py"),
    output:
        groups="results/enumeration/{run}/groups.parquet",
        groups_tsv=report(
            "results/enumeration/{run}/groups.tsv",
            caption="../report/enumeration_groups.rst",
            category="Enumeration",
            labels={"run": "{run}", "what": "Name groups (table 2)"},
        ),
        cells="results/enumeration/{run}/cells.parquet",
        cells_tsv=report(
            "results/enumeration/{run}/cells.tsv",
            caption="../report/enumeration_cells.rst",
            category="Enumeration",
            labels={"run": "{run}", "what": "Every association tested"},
        ),
        weats="results/enumeration/{run}/weats.tsv",
        summary="results/enumeration/{run}/summary.json",
        histogram="results/enumeration/{run}/histogram.npy",
        questions="results/enumeration/{run}/questionnaire.csv",
        form="results/enumeration/{run}/questionnaire.html",
    log:
        "results/logs/enumeration/{run}/tabulate_enumeration.log",
    benchmark:
        "results/benchmarks/enumeration/{run}/tabulate_enumeration.tsv"
    resources:
        mem_mb=need(1500, 2, "vectors"),
        runtime=need(10),
    params:
        settings=enumeration_settings("rotations", "alpha", "words_per_cell", "seed"),
        label=lambda wildcards: ENUMERATION["names"][enumeration_of(wildcards)["names"]]["label"],
        title=lambda wildcards: enumeration_of(wildcards)["title"],
        tests=ENUMERATION["tests_shown"],
        names_asked=ENUMERATION["names_asked"],
    script:
        "../scripts/tabulate_enumeration.py"


def enumeration_figure(name, what):
    """A figure in the report, with a caption file of its own."""
    return report(
        f"results/enumeration/{{run}}/{name}.svg",
        caption=f"../report/enumeration_{name}.rst",
        category="Enumeration",
        labels={"run": "{run}", "what": what},
    )


def other_endings(name):
    return [f"results/enumeration/{{run}}/{name}.{ending}" for ending in ("pdf", "png")]


rule plot_enumeration:
    input:
        vectors=enumeration_embedding,
        vocabulary=enumeration_vocabulary,
        names=rules.prepare_enumeration.output.names,
        scores=rules.prepare_enumeration.output.scores,
        groups=rules.tabulate_enumeration.output.groups,
        cells=rules.tabulate_enumeration.output.cells,
        histogram=rules.tabulate_enumeration.output.histogram,
        code=code_of("plot_enumeration.py"),
    output:
        name_groups=enumeration_figure("name_groups", "Name groups and their bearers"),
        name_groups_files=other_endings("name_groups"),
        tests=enumeration_figure("tests", "Associations found (table 5)"),
        tests_files=other_endings("tests"),
        null=enumeration_figure("null", "Scores against chance"),
        null_files=other_endings("null"),
    log:
        "results/logs/enumeration/{run}/plot_enumeration.log",
    benchmark:
        "results/benchmarks/enumeration/{run}/plot_enumeration.tsv"
    resources:
        mem_mb=need(1200),
        runtime=need(10),
    params:
        title=lambda wildcards: enumeration_of(wildcards)["title"],
        tests=ENUMERATION["tests_shown"],
        seed=ENUMERATION["settings"]["seed"],
        settings=enumeration_settings("groups", "categories", "rotations", "alpha", "words_per_cell"),
    script:
        "../scripts/plot_enumeration.py"


rule score_questionnaire:
    input:
        questions=rules.tabulate_enumeration.output.questions,
        groups=rules.tabulate_enumeration.output.groups,
        answers=lambda wildcards: enumeration_of(wildcards).get("answers", []),
        ratings=lambda wildcards: enumeration_of(wildcards).get("ratings", []),
        code=code_of("score_questionnaire.py"),
    output:
        scores="results/enumeration/{run}/crowd/scores.json",
        scored="results/enumeration/{run}/crowd/items.tsv",
        rating_form="results/enumeration/{run}/crowd/ratings.html",
    log:
        "results/logs/enumeration/{run}/score_questionnaire.log",
    benchmark:
        "results/benchmarks/enumeration/{run}/score_questionnaire.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(5),
    params:
        title=lambda wildcards: enumeration_of(wildcards)["title"],
    script:
        "../scripts/score_questionnaire.py"


rule summarise_enumeration:
    input:
        summaries=expand(rules.tabulate_enumeration.output.summary, run=ENUMERATIONS),
        code=code_of("summarise_enumeration.py"),
    output:
        table="results/enumeration/summary.parquet",
        tsv=report(
            "results/enumeration/summary.tsv",
            caption="../report/enumeration_summary.rst",
            category="Enumeration",
            labels={"run": "all", "what": "Discoveries of every run (table 3)"},
        ),
    log:
        "results/logs/enumeration/summarise_enumeration.log",
    benchmark:
        "results/benchmarks/enumeration/summarise_enumeration.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(5),
    params:
        runs=ENUMERATIONS,
    script:
        "../scripts/summarise_enumeration.py"
