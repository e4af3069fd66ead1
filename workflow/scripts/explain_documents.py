"""Explain the top documents of each WEAT set, and trace the bias as the worst documents are removed."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_rows, load_table, save_table, save_text
from biasorigin.attribution.cards import card_page
from biasorigin.attribution.document_sets import removal_curve
from biasorigin.attribution.explain import explain_removal
from biasorigin.attribution.overlap import top_of
from biasorigin.attribution.removal import curve_sizes
from biasorigin.attribution.study import Study, focus, load_study
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
    reported = sets.filter(pl.col("reported"))["set"].to_list()
    means = {key: by_seed[:, :, study.tests.position(key)].mean(axis=0) for key in reported}
    shown = np.unique([top_of(mean, explained) for mean in means.values()])
    documents = dict(zip(shown.tolist(), load_rows(path_to_documents, shown).to_dicts(), strict=True))
    explanations, tops, curves = [], [], []
    for key, mean in track(means.items(), "WEAT sets", total=len(means)):
        alone, effects = focus(study, [key]), by_seed[:, :, study.tests.position(key)]
        order = top_of(mean, study.corpus.documents)
        top = _top(key, order[:explained], effects, documents, np.diff(study.corpus.offsets))
        tops.append(top)
        for rank, name, index in top.select("rank", "document", "index").iter_rows():
            pairs = explain_removal(*alone.parts, np.array([index]), 0, estimator)
            explanations.append(_named(pairs, study.vocabulary, key, rank, name))
        sizes = curve_sizes(min(most, int((mean > 0).sum())))
        curves += [
            _curve(key, alone, name, one, sizes, estimator)
            for name, one in (("worst", order), ("random", np.random.default_rng(1).permutation(len(order))))
        ]
    top, pairs = pl.concat(tops), pl.concat(explanations)
    save_table(path_to_explanations, pairs)
    save_table(path_to_top, top)
    save_table(path_to_curves, pl.concat(curves))
    save_text(path_to_cards, card_page(top, pairs, documents, sets, means))


def _top(
    key: str, order: np.ndarray, effects: np.ndarray, documents: dict[int, dict], words: np.ndarray
) -> pl.DataFrame:
    """The documents of a set in this order, with their effects over the seeds (seeds, documents)."""
    some = effects[:, order]
    spread = some.std(axis=0, ddof=1) if len(some) > 1 else np.full(len(order), None)
    names = [documents[index]["id"] for index in order.tolist()]
    columns = {"set": key, "rank": np.arange(1, len(order) + 1), "document": names, "index": order}
    columns |= {"effect": some.mean(axis=0), "sd": pl.Series(spread, dtype=pl.Float64), "words": words[order]}
    return pl.DataFrame(columns)


def _curve(key: str, alone: Study, name: str, order: np.ndarray, sizes: Sequence[int], estimator: str) -> pl.DataFrame:
    curve = removal_curve(*alone.parts, order, sizes, estimator)[:, :, 0]
    rows = [
        (key, name, size, seed, float(curve[k, m]))
        for k, size in enumerate(sizes)
        for m, seed in enumerate(alone.seeds)
    ]
    return pl.DataFrame(rows, schema=["set", "order", "removed", "seed", "effect_size"], orient="row")


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
