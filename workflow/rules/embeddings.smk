# Embeddings: pretrained vectors, skip-gram and fastText, glove-python-binary.
# (Co-occurrence and our own GloVe are in embeddings_glove.smk, quality and export in embeddings_quality.smk.)
#
# Reads   a source (pretrained); results/corpus/{corpus}/ (trained)
# Writes  results/embeddings/{embedding}/seed-{seed}/vectors.npy, vocabulary.parquet, facts.json   pretrained: seed 0
#         results/embeddings/{embedding}/environment/             interpreter that has glove-python-binary

PRETRAINED_SETTINGS = ["source", "format", "limit", "cased", "zero_vectors", "duplicate_words", "invalid_words"]
GENSIM_SETTINGS = ["dim", "window", "epochs", "negative", "sample", "learning_rate", "min_learning_rate"]
FASTTEXT_SETTINGS = ["shortest_part", "longest_part", "buckets"]
GLOVE_PYTHON_SETTINGS = ["dim", "window", "epochs", "learning_rate", "alpha", "x_max", "max_loss"]
VECTORS = "results/embeddings/{embedding}/seed-{seed}/vectors.npy"

# Files of the stage beside vectors and quality; rules files that make more of them append here.
FURTHER_EMBEDDING_FILES = []


def embeddings_of_kind(*kinds):
    """A pattern that matches the names of the embeddings of these kinds, and nothing if there are none."""
    names = [name for name, settings in config["embeddings"].items() if settings["kind"] in kinds]
    return "|".join(names) or "(?!)"


def vectors_of(embedding):
    """The vectors of an embedding, one file a seed."""
    return expand(VECTORS, embedding=embedding, seed=seeds_of(embedding))


def file_of_source(wildcards, key):
    """The file of a pretrained embedding's source that `file` or `index` names; for one file only, that one."""
    settings = config["embeddings"][wildcards.embedding]
    files = files_of_source(settings["source"])
    name = settings.get(key)
    found = files if name is None and key == "file" else [file for file in files if Path(file).name == name]
    if name is None and key == "index":
        return None
    if len(found) != 1:
        raise WorkflowError(
            f"embeddings.{wildcards.embedding}.{key} is {name!r}, but the source {settings['source']} has the files "
            f"{', '.join(Path(file).name for file in files)}. Name one of them."
        )
    return found[0]


def corpus_file(name):
    """A function of the wildcards that gives a file of the corpus on which an embedding is trained."""
    return lambda wildcards: f"results/corpus/{config['embeddings'][wildcards.embedding]['corpus']}/{name}"


def keeps_case(wildcards):
    """Whether the corpus of an embedding keeps capital letters."""
    return not config["corpora"][config["embeddings"][wildcards.embedding]["corpus"]]["tokenizer"]["lowercase"]


def embedding_files():
    """All that the stage makes for this study."""
    quality = rules.plot_quality.output if config["quality"]["benchmarks"] else []
    return [file for name in EMBEDDINGS for file in vectors_of(name)] + list(quality) + FURTHER_EMBEDDING_FILES


localrules:
    embeddings,


rule embeddings:
    input:
        lambda wildcards: embedding_files(),


rule import_vectors:
    input:
        files=lambda wildcards: inputs_of_source(config["embeddings"][wildcards.embedding]["source"]),
        code=code_of("import_vectors.py"),
    output:
        vectors=VECTORS,
        vocabulary="results/embeddings/{embedding}/seed-{seed}/vocabulary.parquet",
        facts="results/embeddings/{embedding}/seed-{seed}/facts.json",
    log:
        "results/logs/embeddings/{embedding}/seed-{seed}/import_vectors.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/seed-{seed}/import_vectors.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("pretrained"),
        seed="0",
    resources:
        mem_mb=need(1000, 4, "files"),
        runtime=need(10, 0.05, "files"),
    params:
        file=lambda wildcards: file_of_source(wildcards, "file"),
        index=lambda wildcards: file_of_source(wildcards, "index"),
        settings=setting_of("embeddings", "embedding", *PRETRAINED_SETTINGS),
    script:
        "../scripts/import_vectors.py"


rule train_gensim:
    input:
        tokens=corpus_file("tokens.npy"),
        offsets=corpus_file("offsets.npy"),
        vocabulary=corpus_file("vocabulary.parquet"),
        statistics=corpus_file("statistics.json"),
        code=code_of("train_gensim.py"),
    output:
        vectors=VECTORS,
        vocabulary="results/embeddings/{embedding}/seed-{seed}/vocabulary.parquet",
        facts="results/embeddings/{embedding}/seed-{seed}/facts.json",
    log:
        "results/logs/embeddings/{embedding}/seed-{seed}/train_gensim.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/seed-{seed}/train_gensim.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("skipgram", "fasttext"),
    resources:
        mem_mb=need(4000),
        runtime=need(20, 1, "tokens"),
    params:
        kind=lambda wildcards: config["embeddings"][wildcards.embedding]["kind"],
        corpus=lambda wildcards: config["embeddings"][wildcards.embedding]["corpus"],
        cased=keeps_case,
        settings=lambda wildcards: setting_of(
            "embeddings",
            "embedding",
            *GENSIM_SETTINGS,
            *(FASTTEXT_SETTINGS if config["embeddings"][wildcards.embedding]["kind"] == "fasttext" else []),
        )(wildcards),
    script:
        "../scripts/train_gensim.py"


rule make_glove_python_environment:
    input:
        code=code_of("make_glove_python_environment.py"),
    output:
        environment=directory("results/embeddings/{embedding}/environment"),
    log:
        "results/logs/embeddings/{embedding}/make_glove_python_environment.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/make_glove_python_environment.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove_python"),
    resources:
        mem_mb=need(500),
        runtime=need(15),
    params:
        interpreter=lambda wildcards: config["embeddings"][wildcards.embedding].get("interpreter", "python3.8"),
    script:
        "../scripts/make_glove_python_environment.py"


rule train_glove_python:
    input:
        environment=rules.make_glove_python_environment.output.environment,
        runner=seen_from_here(SCRIPTS / "run_glove_python.py"),
        tokens=corpus_file("tokens.npy"),
        offsets=corpus_file("offsets.npy"),
        vocabulary=corpus_file("vocabulary.parquet"),
        statistics=corpus_file("statistics.json"),
        code=code_of("train_glove_python.py"),
    output:
        vectors=VECTORS,
        vocabulary="results/embeddings/{embedding}/seed-{seed}/vocabulary.parquet",
        facts="results/embeddings/{embedding}/seed-{seed}/facts.json",
    log:
        "results/logs/embeddings/{embedding}/seed-{seed}/train_glove_python.log",
    benchmark:
        "results/benchmarks/embeddings/{embedding}/seed-{seed}/train_glove_python.tsv"
    wildcard_constraints:
        embedding=embeddings_of_kind("glove_python"),
    resources:
        mem_mb=need(2000, 100, "tokens"),
        runtime=need(30, 20, "tokens"),
    params:
        corpus=lambda wildcards: config["embeddings"][wildcards.embedding]["corpus"],
        cased=keeps_case,
        settings=setting_of("embeddings", "embedding", *GLOVE_PYTHON_SETTINGS),
    script:
        "../scripts/train_glove_python.py"
