"""Debias an embedding: another embedding with the same words."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from biasorigin.embedding import load_embedding, save_embedding
from biasorigin.mitigation.plan import debias, joined_embedding
from biasorigin.wordsets import load_word_sets


def debias_embedding(
    path_to_vectors: str,
    path_to_fitted_on: str,
    paths_to_word_sets: list[str],
    path_to_debiased: str,
    names: dict,
    method: dict,
    seeds: dict,
) -> None:
    """Fit on the words of `fitted_on` and the embedding's own, and write the embedding's own words.

    facts.json records the method, λ and how it was chosen, and the certificate of optimality.
    """
    base = load_embedding(Path(path_to_vectors).parent)
    whole = base
    if path_to_fitted_on != path_to_vectors:
        whole = joined_embedding(load_embedding(Path(path_to_fitted_on).parent), base)
    result = debias(whole, load_word_sets(paths_to_word_sets), method, seeds)
    vectors = result.vectors
    if whole is not base:
        vectors = vectors[np.array([whole.index[word] for word in base.words])]
    done = {"kind": method["kind"], **result.facts}
    if result.choice is not None:
        done["lambda_choice"] = result.choice.to_dicts()
    facts = {**base.facts, "kind": "debiased", "contexts": False, **names, "debiasing": done}
    save_embedding(Path(path_to_debiased).parent, replace(base, vectors=vectors, facts=facts))


if __name__ == "__main__":
    from entry import run

    run(
        debias_embedding,
        snakemake.log,
        threads=snakemake.threads,
        path_to_vectors=snakemake.input.vectors,
        path_to_fitted_on=snakemake.input.fitted_on,
        paths_to_word_sets=snakemake.input.word_sets,
        path_to_debiased=snakemake.output.vectors,
        names=snakemake.params.names,
        method=snakemake.params.method,
        seeds=snakemake.params.seeds,
    )
