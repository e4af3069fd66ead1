# Sources: every outside file, fetched once and checked.
#
# Reads   data/sources.yaml and the `sources` of the config; the folder in BIASORIGIN_MIRROR; the network
# Writes  results/sources/downloads/{file}           the file as published
#         results/sources/{source}/{member}          what was taken out of it
#         results/sources/{source}/digests.json      sha256 of a user's own files
#         results/sources/{source}/made_up.jsonl     a corpus with a planted association


def files_of_source(name):
    """The files that a source provides, as paths: members, the download itself, or the user's own files."""
    source = config["sources"][name]
    if source["kind"] == "local":
        return local_files(name, source)
    if source["kind"] == "made_up":
        return [f"results/sources/{name}/made_up.jsonl"]
    if "members" in source:
        return [f"results/sources/{name}/{member}" for member in source["members"]]
    return [f"results/sources/downloads/{source['file']}"]


def local_files(name, source):
    """The user's files behind a path, a folder or a glob, sorted."""
    path = Path(source["path"])
    if path.is_dir():
        found = [file for file in path.rglob("*") if file.is_file()]
    elif path.is_file():
        found = [path]
    else:
        found = [Path(file) for file in glob.glob(source["path"], recursive=True) if Path(file).is_file()]
    if not found:
        raise WorkflowError(
            f"Source {name}: sources.{name}.path is {source['path']!r}, where there is no file. "
            f"Put the data there or correct the path. Terms of use: {source['licence']}."
        )
    return sorted(map(str, found))


def inputs_of_source(name):
    """What a rule that reads a source depends on: its files and, for the user's own, their recorded digests."""
    local = config["sources"][name]["kind"] == "local"
    return files_of_source(name) + ([f"results/sources/{name}/digests.json"] if local else [])


def source_of_file(wildcards):
    """The name of the source that is published as a file."""
    for name, source in config["sources"].items():
        if source.get("file") == wildcards.file:
            return name
    raise WorkflowError(f"No source is published as {wildcards.file!r}: see data/sources.yaml.")


def address_of(source):
    """What decides which bytes are fetched: a corrected licence or citation fetches nothing again."""
    return {key: source[key] for key in ("kind", "package", "url", "version", "file", "sha256") if key in source}


def sources_of_study():
    """The sources that the study's corpora and embeddings need, and the lists that its measures need."""
    needed = {name for corpus in CORPORA for name in names_in(config["corpora"][corpus]["source"])}
    needed |= {config["embeddings"][embedding].get("source") for embedding in EMBEDDINGS}
    return sorted((needed | {"babynames", "name_demographics", "benchmarks"}) - {None})


wildcard_constraints:
    file=r"[A-Za-z0-9][A-Za-z0-9._+-]*",


localrules:
    sources,
    fetch_source,


rule sources:
    input:
        [file for name in sources_of_study() for file in inputs_of_source(name)],


rule fetch_source:
    output:
        file="results/sources/downloads/{file}",
    log:
        "results/logs/sources/{file}.log",
    benchmark:
        "results/benchmarks/sources/{file}.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(120),
    params:
        name=source_of_file,
        source=lambda wildcards: address_of(config["sources"][source_of_file(wildcards)]),
    script:
        "../scripts/fetch_source.py"


# One rule a source, so that all members of an archive come out in one job.
for name, source in config["sources"].items():
    if "members" in source:

        rule:
            name:
                f"extract_{name}"
            input:
                archive=f"results/sources/downloads/{source['file']}",
            output:
                files=[f"results/sources/{name}/{member}" for member in source["members"]],
            log:
                f"results/logs/sources/{name}.log",
            benchmark:
                f"results/benchmarks/sources/{name}.tsv"
            resources:
                mem_mb=need(500),
                runtime=need(30),
            params:
                name=name,
                members=list(source["members"].values()),
            script:
                "../scripts/extract_members.py"


rule check_local:
    input:
        files=lambda wildcards: files_of_source(wildcards.source),
    output:
        digests="results/sources/{source}/digests.json",
    log:
        "results/logs/sources/{source}/digests.log",
    benchmark:
        "results/benchmarks/sources/{source}/digests.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(120),
    params:
        sha256=lambda wildcards: config["sources"][wildcards.source].get("sha256"),
    script:
        "../scripts/check_local.py"


rule make_up_corpus:
    input:
        word_sets=WORD_SET_FILES,
        code=code_of("make_up_corpus.py"),
    output:
        documents="results/sources/{source}/made_up.jsonl",
    log:
        "results/logs/sources/{source}/made_up.log",
    benchmark:
        "results/benchmarks/sources/{source}/made_up.tsv"
    resources:
        mem_mb=need(500),
        runtime=need(60),
    params:
        settings=lambda wildcards: {
            key: value
            for key, value in config["sources"][wildcards.source].items()
            if key not in ("kind", "licence", "citation", "note")
        },
    script:
        "../scripts/make_up_corpus.py"
