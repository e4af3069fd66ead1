"""Build the explorer: one page with the study's results and documents, and the numbers that tell what was found."""

import logging
from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json, load_table, replace_folder, save_json, save_text
from biasorigin.embedding import load_embedding
from biasorigin.explorer.associations import association_entry
from biasorigin.explorer.blocks import Blocks
from biasorigin.explorer.documents import Attributed, attributed_entry, corpus_blocks
from biasorigin.explorer.enumeration import enumeration_entry
from biasorigin.explorer.methods import methods, tests_in_words
from biasorigin.explorer.mitigation import mitigation_entry
from biasorigin.explorer.overview import overview
from biasorigin.explorer.page import SHARDS, assemble
from biasorigin.explorer.values import missing
from biasorigin.explorer.what_if import what_if_entry
from biasorigin.headlines import (
    headline_of_agreement,
    headline_of_associations,
    headline_of_concentration,
    headline_of_corpora,
    headline_of_enumeration,
    headline_of_mitigation,
)
from biasorigin.wordsets import load_word_sets

logger = logging.getLogger("biasorigin")


def build_explorer(
    study: dict,
    paths: dict,
    paths_to_word_sets: list[str],
    path_to_library: str | None,
    path_to_sources: str,
    inline_mb: float,
    path_to_page: str,
    path_to_shards: str,
    path_to_headlines: str,
) -> None:
    """Write explorer.html, the files beside it (for a large study) and headlines.json.

    study  title, corpora {name: {title, lowercase}}, embeddings {name: {title, kind, corpus}}, estimator, settings,
           repaired {name: title} and tests_of_bias of the mitigation
    paths  stage -> files, each by name; a stage that is not part of the study is absent and its view says so
    """
    blocks = Blocks()
    word_sets = load_word_sets(paths_to_word_sets)
    views = {
        "associations": _associations(study, paths, word_sets.tests, blocks),
        "enumeration": _enumeration(paths, blocks),
        "documents": _documents(study, paths, word_sets.tests, blocks),
        "whatIf": _what_if(study, paths),
        "mitigation": _mitigation(study, paths),
    }
    content = {
        "title": study["title"],
        "overview": _overview(study, paths, views),
        **views,
        "tests": tests_in_words(word_sets.tests),
        "methods": methods(study["settings"], word_sets.tests),
    }
    library = Path(path_to_library).read_text(encoding="utf-8") if path_to_library else ""
    page = assemble(Path(path_to_sources), library, content, blocks, int(inline_mb * 1e6))
    _write_shards(Path(path_to_shards), page.shards)
    save_text(path_to_page, page.text)
    save_json(path_to_headlines, content["overview"])
    logger.info("Page: %.1f MB; %d files beside it.", len(page.text.encode("utf-8")) / 1e6, len(page.shards))


def _associations(study: dict, paths: dict, tests: dict, blocks: Blocks) -> dict:
    if "association" not in paths:
        return missing("Association tests are not part of this study.", "snakemake --cores all association")
    summary, words = (load_table(paths["association"][name]) for name in ("summary", "words"))
    entries = []
    for name in summary["embedding"].unique(maintain_order=True):
        folders = paths["embeddings"][name]
        own = [table.filter(pl.col("embedding") == name) for table in (summary, words)]
        embeddings = [load_embedding(folder) for folder in folders]
        entries.append(association_entry(name, study["embeddings"][name]["title"], *own, embeddings, tests, blocks))
    return {"entries": entries}


def _enumeration(paths: dict, blocks: Blocks) -> dict:
    runs = paths.get("enumeration")
    if not runs:
        return missing("Enumeration is not part of this study.", "snakemake --cores all enumeration")
    return {
        "entries": [
            enumeration_entry(
                run, load_table(own["groups"]), load_table(own["cells"]), load_json(own["summary"]), blocks
            )
            for run, own in runs.items()
        ]
    }


def _documents(study: dict, paths: dict, tests: dict, blocks: Blocks) -> dict:
    if not paths.get("attribution"):
        return missing("No bias was traced to documents in this study.", "snakemake --cores all attribution")
    corpora: dict[str, tuple[dict, pl.Series]] = {}
    entries = []
    for name, own in paths["attribution"].items():
        settings = study["embeddings"][name]
        corpus = settings["corpus"]
        if corpus not in corpora:
            documents = load_table(paths["corpora"][corpus])
            topics = _topics(own.get("document_topics"))
            corpora[corpus] = (corpus_blocks(corpus, documents, blocks, topics), documents["id"])
        found = Attributed(
            embedding=name,
            title=settings["title"],
            corpus=corpus,
            lowercase=study["corpora"][corpus]["lowercase"],
            vocabulary=load_table(f"{paths['embeddings'][name][0]}/vocabulary.parquet")["word"],
            sets=load_table(own["sets"]),
            effects=np.asarray(load_array(own["effects"])),
            explanations=load_table(own["explanations"]),
            kinds=load_table(own["kinds"]) if "kinds" in own else None,
            window=load_json(f"{paths['embeddings'][name][0]}/facts.json").get("window", 8),
        )
        entries.append(attributed_entry(found, corpora[corpus][0], tests, corpora[corpus][1], blocks))
    return {"entries": entries}


def _topics(path: str | None) -> pl.Series | None:
    """The name of each document's main topic."""
    return None if path is None else load_table(path)["topic"].cast(pl.String)


def _what_if(study: dict, paths: dict) -> dict:
    if not paths.get("attribution"):
        return missing("No bias was traced to documents in this study.", "snakemake --cores all attribution")
    entries = []
    for name, own in paths["attribution"].items():
        comparison, agreement = (load_table(own[key]) if key in own else None for key in ("comparison", "agreement"))
        entries.append(
            what_if_entry(
                name,
                study["embeddings"][name]["title"],
                load_array(own["effects"]).shape[1],
                load_table(own["sets"]),
                load_table(own["curves"]),
                comparison,
                agreement,
                study["estimator"],
            )
        )
    return {"entries": sorted(entries, key=lambda one: one["agreement"] is None)}


def _mitigation(study: dict, paths: dict) -> dict:
    if not paths.get("mitigation"):
        return missing("No embedding was repaired in this study.", "snakemake --cores all mitigation")
    summary = load_table(paths["mitigation"]["remaining"])
    return {
        "entries": [
            mitigation_entry(name, study["repaired"][name], own, study["tests_of_bias"])
            for (name,), own in summary.group_by("embedding", maintain_order=True)
        ]
    }


def _overview(study: dict, paths: dict, views: dict) -> dict:
    corpora = load_table(paths["corpus_table"]) if "corpus_table" in paths else None
    headlines = [headline_of_corpora(corpora)] if corpora is not None and corpora.height else []
    if "association" in paths:
        name = views["associations"]["entries"][0]["embedding"]
        summary = load_table(paths["association"]["summary"])
        headlines.append(headline_of_associations(summary, name, study["embeddings"][name]["title"]))
    for name, own in list(paths.get("attribution", {}).items())[:1]:
        headlines.append(headline_of_concentration(load_table(own["concentration"]), name))
    for entry in views["whatIf"].get("entries", [])[:1]:
        headlines.append(headline_of_agreement(entry["agreement"], entry["embedding"]))
    for run, own in list((paths.get("enumeration") or {}).items())[:1]:
        cells = views["enumeration"]["entries"][0]["cells"]
        headlines.append(headline_of_enumeration(load_json(own["summary"]), run, cells))
    headlines += [headline_of_mitigation(entry) for entry in views["mitigation"].get("entries", [])[:1]]
    scorecard = load_table(paths["scorecard"]) if "scorecard" in paths else None
    return overview(corpora, [_embedding(study, paths, name) for name in study["embeddings"]], headlines, scorecard)


def _embedding(study: dict, paths: dict, name: str) -> dict:
    settings, folders = study["embeddings"][name], paths["embeddings"][name]
    facts = load_json(f"{folders[0]}/facts.json")
    corpus = settings.get("corpus")
    return {
        "embedding": name,
        "title": settings["title"],
        "kind": settings["kind"],
        "corpus": study["corpora"][corpus]["title"] if corpus else None,
        "words": facts["words"],
        "dim": facts["dim"],
        "seeds": len(folders),
    }


def _write_shards(folder: Path, shards: dict[str, str]) -> None:
    """The files beside the page, all anew: none of an earlier, larger study stays."""
    where = f"{len(shards)} blocks of data" if shards else "nothing: the page holds all of its data itself"
    about = f"This folder, {SHARDS}, belongs to explorer.html beside it and holds {where}.\n"
    with replace_folder(folder) as new:
        for name, text in {**shards, "README.txt": about}.items():
            save_text(new / name, text)


if __name__ == "__main__":
    from entry import run

    run(
        build_explorer,
        snakemake.log,
        threads=snakemake.threads,
        study=snakemake.params.study,
        paths=snakemake.params.paths,
        paths_to_word_sets=snakemake.input.word_sets,
        path_to_library=snakemake.input.get("library"),
        path_to_sources=snakemake.params.sources,
        inline_mb=snakemake.params.inline_mb,
        path_to_page=snakemake.output.page,
        path_to_shards=snakemake.output.shards,
        path_to_headlines=snakemake.output.headlines,
    )
