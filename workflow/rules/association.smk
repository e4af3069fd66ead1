# Association: what the papers measure on finished embeddings with given word sets.
#
# Reads   results/embeddings/{embedding}/seed-{seed}/, results/corpus/{corpus}/, config/word_sets/, data/published/
# Writes  results/association/weat.parquet (.tsv)                    every test, embedding and seed
#         results/association/weat_words.parquet                     the fate of every word of every test
#         results/association/weat_summary.parquet (.tsv)            means and spread over seeds
#         results/association/full_against_sample.tsv                a corpus against its sample (Table 6)
#         results/association/direct_bias.parquet (.tsv)             DirectBias along every direction
#         results/association/extremes.parquet (.tsv: the first few) words from either end of every direction
#         results/association/adjective_shares.tsv, indirect_bias.tsv
#         results/association/analogies.tsv, projections.tsv, projection_agreement.tsv
#         results/association/secondary_bias.tsv                     whom the texts put beside occupations
#         results/association/ladder/fraction-{fraction}.parquet     tests on a sample of the corpus
#         results/association/ladder_rungs.tsv, ladder.tsv           which samples agree with the whole
#         results/association/measured.parquet                       for the scorecard
#         results/association/{figure}.svg                           (also .pdf and .png)

ASSOCIATION = config["association"]
PUBLISHED = [seen_from_here(path) for path in sorted((PROJECT / "data" / "published").glob("*.tsv"))]
ASSOCIATION_FIGURES = {
    "weat_forest": "WEAT effect sizes",
    "domains": "gender bias across embeddings",
    "direct_bias": "DirectBias",
    "adjective_shares": "kinds of adjectives",
    "projections": "professions in two embeddings",
    "secondary_bias": "whom the texts put beside occupations",
    "ladder": "effect sizes over samples",
}
WEAT_SETTINGS = {key: value for key, value in ASSOCIATION["weat"].items() if key != "tests"}
SAMPLE = ASSOCIATION["sample"]
SAMPLE = SAMPLE if SAMPLE and {SAMPLE["full"], SAMPLE["sample"]} <= set(EMBEDDINGS) else None
LADDER = ASSOCIATION["ladder"]
RUNGS = LADDER["fractions"] if LADDER["embedding"] in EMBEDDINGS else []


wildcard_constraints:
    fraction=r"[0-9.]+",


def folders_of(embedding):
    """The folder of each seed of an embedding."""
    return {str(seed): f"results/embeddings/{embedding}/seed-{seed}" for seed in seeds_of(embedding)}


def first_folder(embedding):
    """The folder of an embedding's first seed."""
    return next(iter(folders_of(embedding).values()))


def in_study(names):
    """Those of the embeddings that are part of this study."""
    return [name for name in names if name in EMBEDDINGS]


PAIRS = [pair for pair in ASSOCIATION["projections"]["pairs"] if len(in_study(pair)) == 2]
COMPARED = sorted({name for pair in PAIRS for name in pair} | set(in_study(ASSOCIATION["analogies"]["embeddings"])))


def corpus_of_ladder(wildcards=None):
    """The settings of the corpus whose samples make up the ladder."""
    return config["corpora"][config["embeddings"][LADDER["embedding"]]["corpus"]]


localrules:
    association,
    collect_measured,


rule association:
    input:
        expand("results/association/{figure}.svg", figure=ASSOCIATION_FIGURES),
        "results/association/measured.parquet",


rule score_weat:
    input:
        vectors=[file for name in EMBEDDINGS for file in vectors_of(name)],
        word_sets=WORD_SET_FILES,
        code=code_of("score_weat.py"),
    output:
        weat="results/association/weat.parquet",
        weat_tsv=report(
            "results/association/weat.tsv",
            category="Association",
            labels={"what": "WEAT by seed", "as": "table"},
            caption="../report/weat_table.rst",
        ),
        words="results/association/weat_words.parquet",
        summary="results/association/weat_summary.parquet",
        summary_tsv="results/association/weat_summary.tsv",
        samples=report(
            "results/association/full_against_sample.tsv",
            category="Association",
            labels={"what": "full corpus against its sample", "as": "table"},
            caption="../report/full_against_sample.rst",
        ),
    log:
        "results/logs/association/score_weat.log",
    benchmark:
        "results/benchmarks/association/score_weat.tsv"
    threads: 2
    resources:
        mem_mb=need(1200, 3, "vectors"),
        runtime=need(20),
    params:
        embeddings={name: folders_of(name) for name in EMBEDDINGS},
        tests=ASSOCIATION["weat"]["tests"],
        settings=WEAT_SETTINGS,
        sample=SAMPLE,
    script:
        "../scripts/score_weat.py"


rule measure_directions:
    input:
        vectors=[file for name in EMBEDDINGS for file in vectors_of(name)],
        word_sets=WORD_SET_FILES,
        code=code_of("measure_directions.py"),
    output:
        direct_bias="results/association/direct_bias.parquet",
        direct_bias_tsv=report(
            "results/association/direct_bias.tsv",
            category="Association",
            labels={"what": "DirectBias", "as": "table"},
            caption="../report/direct_bias_table.rst",
        ),
        extremes="results/association/extremes.parquet",
        top=report(
            "results/association/extremes.tsv",
            category="Association",
            labels={"what": "extreme occupations and adjectives", "as": "table"},
            caption="../report/extremes_table.rst",
        ),
        shares="results/association/adjective_shares.tsv",
        indirect_bias="results/association/indirect_bias.tsv",
    log:
        "results/logs/association/measure_directions.log",
    benchmark:
        "results/benchmarks/association/measure_directions.tsv"
    resources:
        mem_mb=need(1500, 4, "vectors"),
        runtime=need(20),
    params:
        embeddings={name: folders_of(name) for name in EMBEDDINGS},
        settings=ASSOCIATION["directions"],
    script:
        "../scripts/measure_directions.py"


rule compare_embeddings:
    input:
        vectors=[vectors_of(name)[0] for name in COMPARED],
        word_sets=WORD_SET_FILES,
        code=code_of("compare_embeddings.py"),
    output:
        analogies=report(
            "results/association/analogies.tsv",
            category="Association",
            labels={"what": "analogies", "as": "table"},
            caption="../report/analogies_table.rst",
        ),
        projections="results/association/projections.tsv",
        agreement="results/association/projection_agreement.tsv",
    log:
        "results/logs/association/compare_embeddings.log",
    benchmark:
        "results/benchmarks/association/compare_embeddings.tsv"
    threads: 2
    resources:
        mem_mb=need(1500, 4, "vectors"),
        runtime=need(20),
    params:
        folders={name: first_folder(name) for name in COMPARED},
        analogies={**ASSOCIATION["analogies"], "embeddings": in_study(ASSOCIATION["analogies"]["embeddings"])},
        projections={**ASSOCIATION["projections"], "pairs": PAIRS},
    script:
        "../scripts/compare_embeddings.py"


rule measure_secondary_bias:
    input:
        tokens=expand("results/corpus/{corpus}/tokens.npy", corpus=CORPORA),
        offsets=expand("results/corpus/{corpus}/offsets.npy", corpus=CORPORA),
        vocabularies=expand("results/corpus/{corpus}/vocabulary.parquet", corpus=CORPORA),
        word_sets=WORD_SET_FILES,
        code=code_of("measure_secondary_bias.py"),
    output:
        table=report(
            "results/association/secondary_bias.tsv",
            category="Association",
            labels={"what": "whom the texts put beside occupations", "as": "table"},
            caption="../report/secondary_bias_table.rst",
        ),
    log:
        "results/logs/association/measure_secondary_bias.log",
    benchmark:
        "results/benchmarks/association/measure_secondary_bias.tsv"
    resources:
        mem_mb=need(1000, 4, "tokens"),
        runtime=need(10, 0.1, "tokens"),
    params:
        folders={name: f"results/corpus/{name}" for name in CORPORA},
        cased={name: not config["corpora"][name]["tokenizer"]["lowercase"] for name in CORPORA},
        words=ASSOCIATION["secondary_bias"]["words"],
        groups=ASSOCIATION["secondary_bias"]["groups"],
        window=ASSOCIATION["secondary_bias"]["window"],
        confidence=ASSOCIATION["secondary_bias"]["confidence"],
    script:
        "../scripts/measure_secondary_bias.py"


rule train_rung:
    input:
        documents=lambda wildcards: f"results/corpus/{config['embeddings'][LADDER['embedding']]['corpus']}/documents.parquet",
        tokens=lambda wildcards: f"results/corpus/{config['embeddings'][LADDER['embedding']]['corpus']}/tokens.npy",
        offsets=lambda wildcards: f"results/corpus/{config['embeddings'][LADDER['embedding']]['corpus']}/offsets.npy",
        vocabulary=lambda wildcards: f"results/corpus/{config['embeddings'][LADDER['embedding']]['corpus']}/vocabulary.parquet",
        word_sets=WORD_SET_FILES,
        code=code_of("train_rung.py"),
    output:
        table="results/association/ladder/fraction-{fraction}.parquet",
    log:
        "results/logs/association/ladder/fraction-{fraction}.log",
    benchmark:
        "results/benchmarks/association/ladder/fraction-{fraction}.tsv"
    threads: 2
    resources:
        mem_mb=need(1500, 60, "tokens"),
        runtime=need(20, 2, "tokens"),
    params:
        corpus=lambda wildcards: {key: corpus_of_ladder()[key] for key in ("salt", "fraction", "min_count")},
        cased=lambda wildcards: not corpus_of_ladder()["tokenizer"]["lowercase"],
        glove=lambda wildcards: {
            key: value
            for key, value in config["embeddings"][LADDER["embedding"]].items()
            if key not in ("title", "kind", "corpus", "seeds", "shards", "like")
        },
        seeds=LADDER["seeds"],
        tests=ASSOCIATION["weat"]["tests"],
        weat=WEAT_SETTINGS,
    script:
        "../scripts/train_rung.py"


rule collect_measured:
    input:
        published=PUBLISHED,
        word_sets=WORD_SET_FILES,
        weat=rules.score_weat.output.weat,
        summary=rules.score_weat.output.summary,
        words=rules.score_weat.output.words,
        samples=rules.score_weat.output.samples,
        direct_bias=rules.measure_directions.output.direct_bias,
        extremes=rules.measure_directions.output.extremes,
        indirect_bias=rules.measure_directions.output.indirect_bias,
        analogies=rules.compare_embeddings.output.analogies,
        rungs=expand(rules.train_rung.output.table, fraction=RUNGS),
        code=code_of("collect_measured.py"),
    output:
        measured="results/association/measured.parquet",
        rungs="results/association/ladder_rungs.tsv",
        ladder=report(
            "results/association/ladder.tsv",
            category="Association",
            labels={"what": "smallest sample that agrees", "as": "table"},
            caption="../report/ladder_table.rst",
        ),
    log:
        "results/logs/association/collect_measured.log",
    benchmark:
        "results/benchmarks/association/collect_measured.tsv"
    resources:
        mem_mb=need(1000),
        runtime=need(10),
    params:
        ladder_embedding=LADDER["embedding"],
    script:
        "../scripts/collect_measured.py"


def association_figure(name):
    """A figure of the stage as it appears in the report."""
    return report(
        f"results/association/{name}.svg",
        category="Association",
        labels={"what": ASSOCIATION_FIGURES[name], "as": "figure"},
        caption=f"../report/{name}_figure.rst",
    )


rule plot_association:
    input:
        summary=rules.score_weat.output.summary,
        words=rules.score_weat.output.words,
        direct_bias=rules.measure_directions.output.direct_bias,
        shares=rules.measure_directions.output.shares,
        projections=rules.compare_embeddings.output.projections,
        agreement=rules.compare_embeddings.output.agreement,
        secondary_bias=rules.measure_secondary_bias.output.table,
        rungs=rules.collect_measured.output.rungs,
        code=code_of("plot_association.py"),
    output:
        weat_forest=association_figure("weat_forest"),
        domains=association_figure("domains"),
        direct_bias=association_figure("direct_bias"),
        adjective_shares=association_figure("adjective_shares"),
        projections=association_figure("projections"),
        secondary_bias=association_figure("secondary_bias"),
        ladder=association_figure("ladder"),
        other_formats=expand(
            "results/association/{figure}.{ending}", figure=ASSOCIATION_FIGURES, ending=FIGURE_ENDINGS[1:]
        ),
    log:
        "results/logs/association/plot_association.log",
    benchmark:
        "results/benchmarks/association/plot_association.tsv"
    resources:
        mem_mb=need(1500),
        runtime=need(15),
    params:
        titles={name: config["embeddings"][name]["title"] for name in EMBEDDINGS},
        corpus_titles={name: config["corpora"][name]["title"] for name in CORPORA},
        domains=ASSOCIATION["domains"],
        confidence=ASSOCIATION["weat"]["confidence"],
        ladder_embedding=LADDER["embedding"],
    script:
        "../scripts/plot_association.py"
