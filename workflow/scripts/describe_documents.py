"""Describe the documents that carry each bias: topics, sentiment, metadata, and whether a classifier finds them."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json, load_table, save_json, save_table
from biasorigin.association.multiple_testing import benjamini_hochberg
from biasorigin.attribution import document_kinds as kinds
from biasorigin.attribution.overlap import COMPOSITE, composite_score, top_of
from biasorigin.attribution.study import load_corpus
from biasorigin.attribution.text_features import find_topics, sentiment, tfidf
from biasorigin.embedding import load_embedding
from biasorigin.progress import track

logger = logging.getLogger("biasorigin")


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
    """Write how the top documents differ from others of the same length, the topics, and the classifier's results."""
    embedding = load_embedding(path_to_embedding)
    window = int(load_json(f"{path_to_embedding}/facts.json")["window"])
    corpus = load_corpus(path_to_tokens, path_to_offsets, len(embedding.words), window)
    sets = load_table(path_to_sets)
    reported = sets["reported"].to_numpy()
    mean = np.asarray(load_array(path_to_effects)).mean(axis=0)[:, reported]
    scores = {**dict(zip(sets.filter(reported)["set"], mean.T, strict=True)), COMPOSITE: composite_score(mean)}
    documents = load_table(path_to_documents)
    lengths = np.diff(corpus.offsets)
    vocabulary = list(embedding.words)

    features = tfidf(corpus, least=min(20, max(1, corpus.documents // 50)))
    topics = find_topics(features, settings["topics"], seed=settings["seed"])
    names = [" ".join(vocabulary[word] for word in words[:4]) for words in topics.words]
    numbers = {f"topic {k + 1}: {name}": topics.shares[:, k] for k, name in enumerate(names)}
    mood = sentiment(corpus, np.asarray(embedding.vectors), vocabulary)
    if mood is None:
        logger.warning("Sentiment is not measured: no positive or no negative seed word is in the vocabulary.")
    else:
        numbers["sentiment"] = mood
    categories = [
        column
        for column in documents.columns
        if column not in ("id", "text", "words", "kept") and 1 < documents[column].n_unique() <= 12
    ]
    rows, results, words = [], [], []
    for key, score in track(scores.items(), "Kinds of documents", total=len(scores)):
        chosen = top_of(score, max(2, round(settings["top"] * len(score))))
        others = kinds.matched_sample(lengths, chosen, settings["matched"], settings["seed"])
        for name, values in numbers.items():
            kind = "sentiment" if name == "sentiment" else "topic"
            rows.append({"set": key, "kind": kind, "feature": name, **kinds.compare_numbers(values, chosen, others)})
        for column in categories:
            for found in kinds.compare_categories(documents[column].to_list(), chosen, others):
                rows.append({"set": key, "kind": column, **found})
        rows[-1]["n_top"], rows[-1]["n_matched"] = len(chosen), len(others)
        result, deciding = kinds.classify_biasing(
            features,
            lengths,
            score,
            vocabulary,
            share=settings["biasing"],
            folds=settings["folds"],
            seed=settings["seed"],
        )
        results.append({"set": key, **result})
        words.append(deciding.insert_column(0, pl.Series("set", [key] * len(deciding), dtype=pl.String)))
    table = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.col("n_top", "n_matched").fill_null(strategy="backward")
    )
    save_table(path_to_kinds, table.with_columns(q=benjamini_hochberg(table["p"].to_numpy())))
    shares = topics.shares.mean(axis=0)
    top_words = [" ".join(vocabulary[word] for word in one) for one in topics.words]
    save_table(path_to_document_topics, pl.DataFrame({"topic": [names[k] for k in topics.shares.argmax(axis=1)]}))
    save_table(path_to_topics, pl.DataFrame({"topic": range(1, len(names) + 1), "share": shares, "words": top_words}))
    labels = documents["label"].to_list() if "label" in documents.columns else []
    save_json(path_to_sentiment, kinds.check_sentiment(mood, labels if mood is not None else []))
    save_table(path_to_classifier, pl.DataFrame(results, infer_schema_length=None))
    save_table(path_to_words, pl.concat(words))


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
