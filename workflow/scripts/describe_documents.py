"""Describe the documents that carry each bias: topics, sentiment, metadata, and whether a classifier finds them."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import column_names, load_array, load_json, load_rows, load_table, save_json, save_table
from biasorigin.association.multiple_testing import benjamini_hochberg
from biasorigin.attribution import document_kinds as kinds
from biasorigin.attribution.overlap import COMPOSITE, composite_score, top_of
from biasorigin.attribution.study import load_corpus
from biasorigin.attribution.text_features import find_topics, sentiment, tfidf
from biasorigin.embedding import load_embedding
from biasorigin.progress import track

logger = logging.getLogger("biasorigin")

BLOCK = 200_000  # documents of a large corpus whose topics are looked up at a time


def describe_documents(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_documents: str,
    path_to_embedding: str,
    path_to_sets: str,
    path_to_effects: str,
    settings: dict,
    path_to_kinds: str,
    path_to_topics: str,
    path_to_document_topics: str,
    path_to_sentiment: str,
    path_to_classifier: str,
    path_to_words: str,
) -> None:
    """Write how the top documents differ from others of the same length, the topics, and the classifier's results.

    Of a corpus of more than settings["most"] documents a random sample of so many is described, and its own top
    documents: what is compared are shares and means, which the sample has in common with the corpus. Every document of
    the corpus still gets its topic.
    """
    embedding = load_embedding(path_to_embedding)
    window = int(load_json(f"{path_to_embedding}/facts.json")["window"])
    whole = load_corpus(path_to_tokens, path_to_offsets, len(embedding.words), window)
    chosen = np.arange(whole.documents)
    if sampled := whole.documents > settings["most"]:
        chosen = np.sort(np.random.default_rng(settings["seed"]).choice(chosen, settings["most"], replace=False))
        logger.info("%s of %s documents are described: a random sample", f"{len(chosen):,}", f"{whole.documents:,}")
    corpus = whole.part(chosen) if sampled else whole
    sets = load_table(path_to_sets)
    reported = sets["reported"].to_numpy()
    mean = np.asarray(load_array(path_to_effects)[:, chosen]).mean(axis=0)[:, reported]
    scores = {**dict(zip(sets.filter(reported)["set"], mean.T, strict=True)), COMPOSITE: composite_score(mean)}
    columns = [name for name in column_names(path_to_documents) if name != "text"]
    documents = load_rows(path_to_documents, chosen, columns)
    lengths = np.diff(corpus.offsets)
    vocabulary = list(embedding.words)

    features = tfidf(corpus, least=min(20, max(1, corpus.documents // 50)))
    topics = find_topics(features, settings["topics"], seed=settings["seed"])
    shares = topics.shares(features)
    names = [" ".join(vocabulary[word] for word in words[:4]) for words in topics.words]
    numbers = {f"topic {k + 1}: {name}": shares[:, k] for k, name in enumerate(names)}
    mood = sentiment(corpus, np.asarray(embedding.vectors), vocabulary)
    if mood is None:
        logger.warning("Sentiment is not measured: no positive or no negative seed word is in the vocabulary.")
    else:
        numbers["sentiment"] = mood
    categories = [
        column
        for column in documents.columns
        if column not in ("id", "words", "kept") and 1 < documents[column].n_unique() <= 12
    ]
    found = [
        _describe(
            key, score, numbers, {column: documents[column].to_list() for column in categories}, lengths, settings
        )
        for key, score in track(scores.items(), "Kinds of documents", total=len(scores))
    ]
    table = pl.concat(found)
    save_table(path_to_kinds, table.with_columns(q=benjamini_hochberg(table["p"].to_numpy())))
    fit = {"share": settings["biasing"], "folds": settings["folds"], "seed": settings["seed"]}
    results, words = [], []
    for key, score in track(scores.items(), "Classifiers", total=len(scores)):
        result, deciding = kinds.classify_biasing(features, lengths, score, vocabulary, **fit)
        results.append({"set": key, **result})
        words.append(deciding.insert_column(0, pl.Series("set", [key] * len(deciding), dtype=pl.String)))
    save_table(path_to_classifier, pl.DataFrame(results, infer_schema_length=None))
    save_table(path_to_words, pl.concat(words))
    top_words = [" ".join(vocabulary[word] for word in one) for one in topics.words]
    save_table(
        path_to_topics,
        pl.DataFrame({"topic": range(1, len(names) + 1), "share": shares.mean(axis=0), "words": top_words}),
    )
    if sampled:
        blocks = track(whole.blocks(BLOCK), "Topics of all documents", total=-(-whole.documents // BLOCK))
        main = np.concatenate([topics.shares(features.of(block)).argmax(axis=1) for block in blocks])
    else:
        main = shares.argmax(axis=1)
    save_table(path_to_document_topics, pl.DataFrame({"topic": pl.Series(names).gather(main)}))
    known = documents["label"].to_list() if "label" in documents.columns and mood is not None else []
    save_json(path_to_sentiment, kinds.check_sentiment(mood, known))


def _describe(
    key: str, score: np.ndarray, numbers: dict, categories: dict, lengths: np.ndarray, settings: dict
) -> pl.DataFrame:
    """How the top documents of a score differ from others of the same length: a row for each topic, mood, value."""
    chosen = top_of(score, max(2, round(settings["top"] * len(score))))
    others = kinds.matched_sample(lengths, chosen, settings["matched"], settings["seed"])
    rows = [
        {"kind": "sentiment" if name == "sentiment" else "topic", "feature": name}
        | kinds.compare_numbers(values, chosen, others)
        for name, values in numbers.items()
    ]
    rows += [
        {"kind": column, **one}
        for column, labels in categories.items()
        for one in kinds.compare_categories(labels, chosen, others)
    ]
    table = pl.DataFrame(rows, infer_schema_length=None).insert_column(0, pl.lit(key).alias("set"))
    return table.with_columns(n_top=pl.lit(len(chosen), pl.Int64), n_matched=pl.lit(len(others), pl.Int64))


if __name__ == "__main__":
    from entry import run

    run(
        describe_documents,
        snakemake.log,
        threads=snakemake.threads,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_documents=snakemake.input.documents,
        path_to_embedding=snakemake.params.embedding,
        path_to_sets=snakemake.input.sets,
        path_to_effects=snakemake.input.effects,
        settings=snakemake.params.settings,
        path_to_kinds=snakemake.output.kinds,
        path_to_topics=snakemake.output.topics,
        path_to_document_topics=snakemake.output.document_topics,
        path_to_sentiment=snakemake.output.sentiment,
        path_to_classifier=snakemake.output.classifier,
        path_to_words=snakemake.output.words,
    )
