"""Train one seed of a GloVe embedding and measure how far each word is from the minimum of its problem."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_json, load_table, save_array, save_table
from biasorigin.cooccurrence import load_cooccurrence
from biasorigin.embedding import Embedding, save_embedding
from biasorigin.glove import settings_from, train
from biasorigin.stationarity import context_steps, newton_steps


def train_glove(
    path_to_cooccurrence: str,
    path_to_vocabulary: str,
    path_to_statistics: str,
    corpus: str,
    cased: bool,
    settings: dict,
    seed: int,
    path_to_contexts: str,
    path_to_biases: str,
    path_to_losses: str,
    path_to_losses_table: str,
    path_to_stationarity: str,
    threads: int = 1,
) -> None:
    """Write the embedding (vectors, vocabulary, facts) with its contexts, biases, losses and stationarity."""
    cooccurrence = load_cooccurrence(Path(path_to_cooccurrence).parent)
    vocabulary = load_table(path_to_vocabulary)
    words, counts = vocabulary["word"].to_list(), vocabulary["count"].to_numpy()
    glove = settings_from(settings)
    model = train(cooccurrence, glove, seed, threads=threads, words=words)
    facts = {
        "kind": "glove",
        "corpus": corpus,
        "corpus_fingerprint": load_json(path_to_statistics)["fingerprint"],
        "seed": seed,
        "window": settings["window"],
        **asdict(glove),
        "sweeps": glove.finish.sweeps,
        # The ridge of the objective that the vectors minimise; without sweeps there is none.
        "ridge": glove.ridge,
        "loss": model.losses[-1][2] if model.losses else None,
    }
    save_array(path_to_contexts, model.contexts)
    save_array(path_to_biases, model.biases)
    losses = pl.DataFrame(model.losses, schema={"phase": pl.String, "step": pl.Int64, "loss": pl.Float64}, orient="row")
    save_table(path_to_losses, losses)
    save_table(path_to_losses_table, losses)
    steps = {
        "relative_newton_step": newton_steps(model, cooccurrence, glove, threads=threads),
        "context_newton_step": context_steps(model, cooccurrence, glove, threads=threads),
    }
    save_table(path_to_stationarity, pl.DataFrame({"word": words, "count": counts, **steps}))
    embedding = Embedding(tuple(words), model.vectors, np.asarray(counts), cased, facts)
    save_embedding(Path(path_to_contexts).parent, embedding)


if __name__ == "__main__":
    from entry import run

    run(
        train_glove,
        snakemake.log,
        threads=snakemake.threads,
        path_to_cooccurrence=snakemake.input.values,
        path_to_vocabulary=snakemake.input.vocabulary,
        path_to_statistics=snakemake.input.statistics,
        corpus=snakemake.params.corpus,
        cased=snakemake.params.cased,
        settings=snakemake.params.settings,
        seed=int(snakemake.wildcards.seed),
        path_to_contexts=snakemake.output.contexts,
        path_to_biases=snakemake.output.biases,
        path_to_losses=snakemake.output.losses,
        path_to_losses_table=snakemake.output.losses_table,
        path_to_stationarity=snakemake.output.stationarity,
    )
