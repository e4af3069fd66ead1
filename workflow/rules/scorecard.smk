# Scorecard: the papers' printed numbers beside ours.
#
# Reads   data/published/*.tsv, the table `measured` of every stage that has one; the corpora's statistics, the quality
#         summary and the enumerations' summaries
# Writes  results/report/measured.parquet                       what the stages without such a table measured
#         results/report/scorecard.parquet (.tsv)               a row for each printed number
#         results/report/scorecard_summary.tsv                  numbers by item and status
#         results/report/scorecard.svg, scorecard_values.svg    (also .pdf and .png)

# The enumeration of first names of each embedding: one run for each, the first that the config defines.
FIRST_NAMES = {}
for _run in ENUMERATIONS:
    if ENUMERATION["defined"][_run]["names"] == "first_names":
        FIRST_NAMES.setdefault(ENUMERATION["defined"][_run]["embedding"], f"results/enumeration/{_run}/summary.json")


localrules:
    scorecard,
    gather_stage_numbers,


rule scorecard:
    input:
        "results/report/scorecard.svg",


rule gather_stage_numbers:
    input:
        corpora=expand("results/corpus/{corpus}/statistics.json", corpus=CORPORA),
        quality=["results/embeddings/quality_summary.tsv"] if config["quality"]["benchmarks"] else [],
        enumerations=list(FIRST_NAMES.values()),
        code=code_of("gather_stage_numbers.py"),
    output:
        measured="results/report/measured.parquet",
    log:
        "results/logs/report/gather_stage_numbers.log",
    benchmark:
        "results/benchmarks/report/gather_stage_numbers.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        corpora=CORPORA,
        enumerations=list(FIRST_NAMES),
    script:
        "../scripts/gather_stage_numbers.py"


# What the stages measured; a stage adds its table here.
MEASURED = [
    rules.collect_measured.output.measured,
    rules.plot_categories.output.measured,
    rules.gather_stage_numbers.output.measured,
    *([rules.collect_attribution.output.measured] if ATTRIBUTED else []),
    *([rules.summarise_mitigation.output.measured] if DEBIASED else []),
]


rule score_published:
    input:
        published=PUBLISHED,
        measured=MEASURED,
        code=code_of("score_published.py"),
    output:
        scorecard="results/report/scorecard.parquet",
        scorecard_tsv=report(
            "results/report/scorecard.tsv",
            category="Scorecard",
            labels={"what": "every printed number", "as": "table"},
            caption="../report/scorecard_table.rst",
        ),
        summary=report(
            "results/report/scorecard_summary.tsv",
            category="Scorecard",
            labels={"what": "numbers by table and status", "as": "table"},
            caption="../report/scorecard_table.rst",
        ),
        status=report(
            "results/report/scorecard.svg",
            category="Scorecard",
            labels={"what": "numbers by table and status", "as": "figure"},
            caption="../report/scorecard_figure.rst",
        ),
        values=report(
            "results/report/scorecard_values.svg",
            category="Scorecard",
            labels={"what": "published against ours", "as": "figure"},
            caption="../report/scorecard_values_figure.rst",
        ),
        other_formats=expand(
            "results/report/{figure}.{ending}",
            figure=["scorecard", "scorecard_values"],
            ending=FIGURE_ENDINGS[1:],
        ),
    log:
        "results/logs/report/score_published.log",
    benchmark:
        "results/benchmarks/report/score_published.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    script:
        "../scripts/score_published.py"
