"""Ask an embedding and its debiased versions how much bias is left, and how good they still are."""

import logging
from pathlib import Path

import polars as pl

from biasorigin.artefacts import load_json, save_table
from biasorigin.association.weat import WeatSettings
from biasorigin.embedding import Embedding, load_embedding
from biasorigin.errors import UserError
from biasorigin.mitigation.audit import (
    PROJECTIONS,
    AuditSettings,
    audit,
    audit_quality,
    audit_weat,
    choose_audit_words,
    no_audit,
    projections_of,
)
from biasorigin.mitigation.plan import directions_named, seed_choice, tests_named, words_named
from biasorigin.mitigation.seeds import choose_seeds
from biasorigin.mitigation.summary import LABELS
from biasorigin.mitigation.vectors import unit_and_lengths
from biasorigin.quality import Settings, load_benchmark
from biasorigin.wordsets import load_word_sets

logger = logging.getLogger(__name__)
SIZES = ("background_words", "vocabulary", "cluster_words", "classifier_words", "classifier_training", "neighbours")


def audit_debiasing(
    paths_to_vectors: list[str],
    path_to_repaired: str | None,
    paths_to_word_sets: list[str],
    paths_to_benchmarks: list[str],
    path_to_audit: str,
    path_to_projections: str,
    versions: list[dict],
    seeds: dict,
    settings: dict,
) -> None:
    """The first of the vectors are the base, the others its debiased versions, described in the same order.

    The folder of repaired embeddings has {repair}/seed-{seed} for each set of documents without which the base was
    trained again: these are audited like the debiased ones.
    Audit: one row a version, instrument and key (columns of the version, then audit.SCHEMA).
    Projections: one row a version and word (word, role, before, after).
    """
    sets = load_word_sets(paths_to_word_sets)
    plan = AuditSettings(
        direction=directions_named(sets, [settings["direction"]])[0],
        directions=directions_named(sets, settings["directions"]),
        seed=settings["seed"],
        **{key: settings[key] for key in SIZES},
    )
    base = load_embedding(Path(paths_to_vectors[0]).parent)
    words, reason = None, ""
    try:
        unit, _ = unit_and_lengths(base.vectors)
        chosen = choose_seeds(base, unit, seed_choice(sets, seeds))
        neutral, definitional = words_named(sets, settings["neutral"]), words_named(sets, settings["definitional"])
        words = choose_audit_words(base, chosen, list(neutral), list(definitional), plan)
    except UserError as error:
        reason = str(error)
        logger.warning("no projections and no hidden-bias tests: %s", reason)
    benchmarks = [
        load_benchmark(name, path) for name, path in zip(settings["benchmarks"], paths_to_benchmarks, strict=True)
    ]
    tests = tests_named(sets, settings["tests"])
    quality = Settings(candidates=settings["vocabulary"], seed=settings["seed"])
    folders = [Path(path).parent for path in paths_to_vectors]
    if path_to_repaired:
        repaired = retrained_versions(Path(path_to_repaired), versions[0])
        versions, folders = versions + [one for one, _ in repaired], folders + [folder for _, folder in repaired]
    audits, projections = [], []
    for version, folder in zip(versions, folders, strict=True):
        after = load_embedding(folder)
        _require_same_words(base, after, version["version"])
        parts = [
            audit_weat(after, tests, WeatSettings(seed=settings["seed"])),
            audit_quality(after, benchmarks, quality),
        ]
        if words is None:
            parts.append(no_audit(plan, reason))
        else:
            seen = projections_of(base, after, words, plan)
            parts.append(audit(after, words, seen, plan))
            projections.append(_labelled(seen, version))
        audits.append(_labelled(pl.concat(parts), version))
        logger.info("%s: %d numbers", version["version"], len(audits[-1]))
    save_table(path_to_audit, pl.concat(audits))
    save_table(
        path_to_projections, pl.concat(projections or [_labelled(pl.DataFrame(schema=PROJECTIONS), versions[0])])
    )


def retrained_versions(folder: Path, base: dict) -> list[tuple[dict, Path]]:
    """The embeddings in the folder that were trained with the base's seed, as versions of it."""
    found = []
    for own in sorted(folder.glob(f"*/seed-{base['seed']}")):
        facts = load_json(own / "facts.json")
        kind = "random documents" if own.parent.name.startswith("random") else "documents"
        title = f"{facts['documents_removed']:,} {kind} removed"
        found.append(({**base, "version": own.parent.name, "method": own.parent.name, "title": title}, own))
    return found


def _labelled(table: pl.DataFrame, version: dict) -> pl.DataFrame:
    """The table with the columns embedding, version, method, title and seed in front."""
    return table.select(*[pl.lit(version[key], kind).alias(key) for key, kind in LABELS.items()], pl.all())


def _require_same_words(base: Embedding, after: Embedding, name: str) -> None:
    if base.words != after.words:
        raise UserError(f"{name} has other words than its base. Delete its folder and make it anew.")


if __name__ == "__main__":
    from entry import run

    run(
        audit_debiasing,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_vectors=snakemake.input.vectors,
        path_to_repaired=snakemake.input.get("repaired") or None,
        paths_to_word_sets=snakemake.input.word_sets,
        paths_to_benchmarks=snakemake.input.benchmarks,
        path_to_audit=snakemake.output.audit,
        path_to_projections=snakemake.output.projections,
        versions=snakemake.params.versions,
        seeds=snakemake.params.seeds,
        settings=snakemake.params.settings,
    )
