"""Train an embedding again without some of its documents, and measure it: bias of every set, and quality."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json, load_table, replace_folder, save_array, save_json, save_table
from biasorigin.attribution.retraining import FULL, Measures, measure_bias, measure_model, share_of_work
from biasorigin.attribution.study import tests_of
from biasorigin.cooccurrence import Cooccurrence, load_cooccurrence, without_documents
from biasorigin.embedding import Embedding, load_embedding, save_embedding
from biasorigin.finish import finish
from biasorigin.glove import GloveModel, settings_from, train
from biasorigin.progress import track
from biasorigin.quality import load_benchmark


def retrain_without_documents(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_cooccurrence: str,
    path_to_embeddings: dict[int, str],
    path_to_sets: str,
    path_to_plan: str,
    path_to_benchmarks: dict[str, str],
    seeds: list[int],
    job: int,
    jobs: int,
    continued: int,
    path_to_table: str,
    path_to_folders: str | None = None,
    threads: int = 1,
) -> None:
    """Retrain this job's share of the plan, paired by seed: same start, same order, same vocabulary.

    Writes removal, seed, instrument, key, value, low, high, n. Instruments: weat and quality of the retrained model
    (job 0 also measures the full ones, as removal `none`), and `continued`: WEAT of the full model after that many
    finishing sweeps on the reduced counts (for `none`, on the full ones). With `path_to_folders` the retrained
    embeddings are kept as {folder}/{removal}/seed-{seed}.
    """
    tests = tests_of(load_table(path_to_sets))
    plan = load_table(path_to_plan)
    cooccurrence = load_cooccurrence(path_to_cooccurrence)
    benchmarks = [load_benchmark(name, path) for name, path in path_to_benchmarks.items()]
    tokens, offsets = load_array(path_to_tokens), np.asarray(load_array(path_to_offsets))
    parts = [pl.DataFrame(schema=Measures)]
    for seed in seeds if job == 0 else ():
        parts.append(measure_model(FULL, seed, load_embedding(path_to_embeddings[seed]), tests, benchmarks))
        if continued:
            further = _continue(Path(path_to_embeddings[seed]), cooccurrence, continued, threads)
            parts.append(measure_bias(FULL, seed, further, tests, "continued"))
    with replace_folder(path_to_folders) if path_to_folders else nullcontext() as folders:
        for removal, seed in track(share_of_work(plan, seeds, job, jobs), "Retrainings"):
            folder = Path(path_to_embeddings[seed])
            facts, whole = load_json(folder / "facts.json"), load_embedding(folder)
            documents = np.array(removal["documents"], dtype=np.int64)
            window = int(facts["window"])
            less = without_documents(cooccurrence, tokens, offsets, documents, window, threads=threads)
            settings = settings_from(facts)
            model = train(less, settings, seed, threads=threads, words=whole.words)
            embedding = Embedding(whole.words, model.vectors, whole.counts, whole.cased)
            parts.append(measure_model(removal["removal"], seed, embedding, tests, benchmarks))
            if continued:
                further = _continue(folder, less, continued, threads)
                parts.append(measure_bias(removal["removal"], seed, further, tests, "continued"))
            if folders:
                _keep(folders / removal["removal"] / f"seed-{seed}", embedding, model, facts, len(documents))
    save_table(path_to_table, pl.concat(parts))


def _continue(folder: Path, cooccurrence: Cooccurrence, sweeps: int, threads: int) -> np.ndarray:
    """The vectors of a trained model after some more finishing sweeps on the given counts."""
    start = tuple(np.array(load_array(folder / f"{name}.npy")) for name in ("vectors", "contexts", "biases"))
    settings = settings_from(load_json(folder / "facts.json"))
    settings = replace(settings, finish=replace(settings.finish, sweeps=sweeps))
    return finish(start, cooccurrence, settings, threads=threads)[0][0]


def _keep(folder: Path, embedding: Embedding, model: GloveModel, facts: dict, removed: int) -> None:
    """Write a retrained embedding as the trainer does, with a fact more."""
    save_embedding(folder, embedding)
    save_array(folder / "contexts.npy", model.contexts)
    save_array(folder / "biases.npy", model.biases)
    # Not the corpus's fingerprint: the corpus without the documents is another one.
    kept = {key: value for key, value in facts.items() if key != "corpus_fingerprint"}
    save_json(folder / "facts.json", {**kept, "documents_removed": removed})


if __name__ == "__main__":
    from entry import run

    run(
        retrain_without_documents,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_cooccurrence=snakemake.params.cooccurrence,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_sets=snakemake.input.sets,
        path_to_plan=snakemake.input.plan,
        path_to_benchmarks=snakemake.params.benchmarks,
        seeds=snakemake.params.seeds,
        job=int(snakemake.wildcards.get("job", 0)),
        jobs=snakemake.params.jobs,
        continued=snakemake.params.continued,
        path_to_table=snakemake.output.table,
        path_to_folders=snakemake.output.get("folders"),
    )
