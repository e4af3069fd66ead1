# Discovery: new gendered word categories, by clustering an embedding.
#
# Reads   results/embeddings/{embedding}/seed-{seed}/ (first seed), config/word_sets/
# Writes  results/discovery/{embedding}/categories.tsv          a row a cluster, with effect sizes and p
#         results/discovery/{embedding}/words.tsv               the most male and most female words of each
#         results/discovery/categories.svg                      (also .pdf and .png)
#         results/discovery/measured.parquet                    for the scorecard

DISCOVERY = config["discovery"]


localrules:
    discovery,


rule discovery:
    input:
        "results/discovery/categories.svg",
        "results/discovery/measured.parquet",


rule discover_categories:
    input:
        vectors=lambda wildcards: vectors_of(wildcards.embedding)[0],
        word_sets=WORD_SET_FILES,
        code=code_of("discover_categories.py"),
    output:
        categories=report(
            "results/discovery/{embedding}/categories.tsv",
            category="Discovery",
            labels={"what": "discovered categories, {embedding}", "as": "table"},
            caption="../report/categories_table.rst",
        ),
        words="results/discovery/{embedding}/words.tsv",
    log:
        "results/logs/discovery/{embedding}/discover_categories.log",
    benchmark:
        "results/benchmarks/discovery/{embedding}/discover_categories.tsv"
    resources:
        mem_mb=need(1500, 4, "vectors"),
        runtime=need(20, 0.1, "vectors"),
    params:
        folder=lambda wildcards: first_folder(wildcards.embedding),
        attributes=DISCOVERY["attributes"],
        settings={key: DISCOVERY[key] for key in ("clusters", "vocabulary", "listed", "draws", "unit_length", "seed")},
    script:
        "../scripts/discover_categories.py"


rule plot_categories:
    input:
        categories=expand(rules.discover_categories.output.categories, embedding=in_study(DISCOVERY["embeddings"])),
        words=expand(rules.discover_categories.output.words, embedding=in_study(DISCOVERY["embeddings"])),
        code=code_of("plot_categories.py"),
    output:
        figure=report(
            "results/discovery/categories.svg",
            category="Discovery",
            labels={"what": "discovered categories", "as": "figure"},
            caption="../report/categories_figure.rst",
        ),
        other_formats=expand("results/discovery/categories.{ending}", ending=FIGURE_ENDINGS[1:]),
        measured="results/discovery/measured.parquet",
    log:
        "results/logs/discovery/plot_categories.log",
    benchmark:
        "results/benchmarks/discovery/plot_categories.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        titles={name: config["embeddings"][name]["title"] for name in in_study(DISCOVERY["embeddings"])},
        shown=DISCOVERY["shown"],
    script:
        "../scripts/plot_categories.py"
