# Corpus: documents, hash sample, tokens, vocabulary, statistics.
#
# Reads   the files of a source
# Writes  results/corpus/{corpus}/texts.parquet, reading.json          the sampled documents, and what reading met
#         results/corpus/{corpus}/raw_tokens.npy, raw_offsets.npy, types.parquet       every token, before any cut
#         results/corpus/{corpus}/documents.parquet, tokens.npy, offsets.npy, vocabulary.parquet    the corpus
#         results/corpus/{corpus}/statistics.json                      its numbers and its fingerprint
#         results/corpus/table_1.tsv, word_set_coverage.tsv            all corpora of the study side by side
#         results/corpus/document_lengths.svg, rank_frequency.svg      (also .pdf and .png)

FIGURE_ENDINGS = ["svg", "pdf", "png"]


localrules:
    corpus,


rule corpus:
    input:
        expand("results/corpus/{corpus}/statistics.json", corpus=CORPORA),
        "results/corpus/table_1.tsv",
        "results/corpus/word_set_coverage.tsv",
        "results/corpus/document_lengths.svg",
        "results/corpus/rank_frequency.svg",


rule read_documents:
    input:
        files=lambda wildcards: [
            file for name in names_in(config["corpora"][wildcards.corpus]["source"]) for file in inputs_of_source(name)
        ],
        code=code_of("read_documents.py"),
    output:
        documents="results/corpus/{corpus}/texts.parquet",
        reading="results/corpus/{corpus}/reading.json",
    log:
        "results/logs/corpus/{corpus}/read_documents.log",
    benchmark:
        "results/benchmarks/corpus/{corpus}/read_documents.tsv"
    resources:
        mem_mb=need(1500),
        runtime=need(10, 0.01, "files"),
    params:
        paths=lambda wildcards: [
            file for name in names_in(config["corpora"][wildcards.corpus]["source"]) for file in files_of_source(name)
        ],
        settings=setting_of("corpora", "corpus", "format", "reader", "fraction", "salt"),
    script:
        "../scripts/read_documents.py"


rule tokenise_documents:
    input:
        documents=rules.read_documents.output.documents,
        code=code_of("tokenise_documents.py"),
    output:
        tokens="results/corpus/{corpus}/raw_tokens.npy",
        offsets="results/corpus/{corpus}/raw_offsets.npy",
        types="results/corpus/{corpus}/types.parquet",
    log:
        "results/logs/corpus/{corpus}/tokenise_documents.log",
    benchmark:
        "results/benchmarks/corpus/{corpus}/tokenise_documents.tsv"
    threads: cores(2, 1000, "documents")
    resources:
        mem_mb=need(2000),
        runtime=need(10, 0.01, "documents"),
    params:
        tokenizer=lambda wildcards: config["corpora"][wildcards.corpus]["tokenizer"],
    script:
        "../scripts/tokenise_documents.py"


rule build_vocabulary:
    input:
        texts=rules.read_documents.output.documents,
        tokens=rules.tokenise_documents.output.tokens,
        offsets=rules.tokenise_documents.output.offsets,
        types=rules.tokenise_documents.output.types,
        code=code_of("build_vocabulary.py"),
    output:
        documents="results/corpus/{corpus}/documents.parquet",
        tokens="results/corpus/{corpus}/tokens.npy",
        offsets="results/corpus/{corpus}/offsets.npy",
        vocabulary="results/corpus/{corpus}/vocabulary.parquet",
        facts="results/corpus/{corpus}/statistics.json",
    log:
        "results/logs/corpus/{corpus}/build_vocabulary.log",
    benchmark:
        "results/benchmarks/corpus/{corpus}/build_vocabulary.tsv"
    resources:
        mem_mb=need(1000, 20, "types", "offsets"),
        runtime=need(10, 0.005, "tokens"),
    params:
        settings=setting_of("corpora", "corpus", "length", "min_count"),
    script:
        "../scripts/build_vocabulary.py"


rule describe_corpora:
    input:
        facts=expand(rules.build_vocabulary.output.facts, corpus=CORPORA),
        readings=expand(rules.read_documents.output.reading, corpus=CORPORA),
        documents=expand(rules.build_vocabulary.output.documents, corpus=CORPORA),
        vocabularies=expand(rules.build_vocabulary.output.vocabulary, corpus=CORPORA),
        word_sets=WORD_SET_FILES,
        code=code_of("describe_corpora.py"),
    output:
        table=report(
            "results/corpus/table_1.tsv",
            category="Corpus",
            labels={"what": "corpus statistics", "as": "table"},
            caption="../report/corpus_table.rst",
        ),
        coverage=report(
            "results/corpus/word_set_coverage.tsv",
            category="Corpus",
            labels={"what": "word sets found in the vocabulary", "as": "table"},
            caption="../report/word_set_coverage.rst",
        ),
        lengths=report(
            expand("results/corpus/document_lengths.{ending}", ending=FIGURE_ENDINGS)[0],
            category="Corpus",
            labels={"what": "document lengths", "as": "figure"},
            caption="../report/document_lengths.rst",
        ),
        frequencies=report(
            expand("results/corpus/rank_frequency.{ending}", ending=FIGURE_ENDINGS)[0],
            category="Corpus",
            labels={"what": "rank and frequency of words", "as": "figure"},
            caption="../report/rank_frequency.rst",
        ),
        other_formats=expand(
            "results/corpus/{figure}.{ending}",
            figure=["document_lengths", "rank_frequency"],
            ending=FIGURE_ENDINGS[1:],
        ),
    log:
        "results/logs/corpus/describe_corpora.log",
    benchmark:
        "results/benchmarks/corpus/describe_corpora.tsv"
    resources:
        mem_mb=need(1500),
        runtime=need(15),
    params:
        corpora={name: {key: config["corpora"][name][key] for key in ("title", "tokenizer")} for name in CORPORA},
    script:
        "../scripts/describe_corpora.py"
