"""Explain the top documents of each WEAT set, and trace the bias as the worst documents are removed."""

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table, save_text
from biasorigin.attribution.cards import card_page
from biasorigin.attribution.document_sets import removal_curve
from biasorigin.attribution.explain import explain_removal
from biasorigin.attribution.overlap import top_of
from biasorigin.attribution.removal import curve_sizes
from biasorigin.attribution.study import focus, load_study
from biasorigin.progress import track


def explain_documents(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_documents: str,
    path_to_cooccurrence: str,
    path_to_embeddings: list[str],
    path_to_sets: str,
    path_to_effects: str,
    estimator: str,
    explained: int,
    most: int,
    path_to_explanations: str,
    path_to_top: str,
    path_to_curves: str,
    path_to_cards: str,
) -> None:
    """Write the pairs behind each top document, the top documents, the removal curves and a page of cards.

    explanations: set, rank, document, word, context, amount, contribution (they sum to the document's effect)
    top: set, rank, document, index, effect, sd, words
    curves: set, order (worst or random), removed, seed, effect_size
    """
    sets = load_table(path_to_sets)
    study = load_study(path_to_tokens, path_to_offsets, path_to_cooccurrence, path_to_embeddings, sets, estimator)
    by_seed = np.asarray(load_array(path_to_effects))
    mean = by_seed.mean(axis=0)
    spread = by_seed.std(axis=0, ddof=1) if len(by_seed) > 1 else np.full(mean.shape, np.nan)
    documents = load_table(path_to_documents)
    reported = sets.filter(pl.col("reported"))["set"].to_list()
    explanations, tops, curves = [], [], []
    for key in track(reported, "WEAT sets"):
        test, alone = study.tests.position(key), focus(study, key)
        order = top_of(mean[:, test], len(mean))
        for rank, index in enumerate(order[:explained].tolist(), start=1):
            pairs = explain_removal(
                alone.cells, alone.models, alone.tests, alone.corpus, np.array([index]), 0, estimator
            )
            name = documents["id"][index]
            explanations.append(_named(pairs, study.vocabulary, key, rank, name))
            words = int(study.corpus.offsets[index + 1] - study.corpus.offsets[index])
            deviation = float(spread[index, test])
            tops.append(
                (key, rank, name, index, float(mean[index, test]), deviation if np.isfinite(deviation) else None, words)
            )
        shuffled = np.random.default_rng(1).permutation(len(mean))
        sizes = curve_sizes(min(most, int((mean[:, test] > 0).sum())))
        for name, one in (("worst", order), ("random", shuffled)):
            curve = removal_curve(alone.cells, alone.models, alone.tests, alone.corpus, one, sizes, estimator)
            curves += [
                (key, name, size, seed, float(curve[k, m, 0]))
                for k, size in enumerate(sizes)
                for m, seed in enumerate(study.seeds)
            ]
    top_schema = ["set", "rank", "document", "index", "effect", "sd", "words"]
    top = pl.DataFrame(tops, schema=top_schema, orient="row").cast({"sd": pl.Float64})
    pairs = pl.concat(explanations)
    save_table(path_to_explanations, pairs)
    save_table(path_to_top, top)
    save_table(
        path_to_curves, pl.DataFrame(curves, schema=["set", "order", "removed", "seed", "effect_size"], orient="row")
    )
    effects = {key: mean[:, study.tests.position(key)] for key in reported}
    save_text(path_to_cards, card_page(top, pairs, documents, sets, effects))


def _named(pairs: pl.DataFrame, vocabulary: tuple[str, ...], key: str, rank: int, document: str) -> pl.DataFrame:
    words = pl.Series(vocabulary)
    return pairs.select(
        pl.lit(key).alias("set"),
        pl.lit(rank, dtype=pl.Int64).alias("rank"),
        pl.lit(document).alias("document"),
        words.gather(pairs["word"]).alias("word"),
        words.gather(pairs["context"]).alias("context"),
        "amount",
        "contribution",
    )


if __name__ == "__main__":
    from entry import run

    run(
        explain_documents,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_documents=snakemake.input.documents,
        path_to_cooccurrence=snakemake.params.cooccurrence,
        path_to_embeddings=snakemake.params.embeddings,
        path_to_sets=snakemake.input.sets,
        path_to_effects=snakemake.input.effects,
        estimator=snakemake.params.estimator,
        explained=snakemake.params.explained,
        most=snakemake.params.most,
        path_to_explanations=snakemake.output.explanations,
        path_to_top=snakemake.output.top,
        path_to_curves=snakemake.output.curves,
        path_to_cards=snakemake.output.cards,
    )
