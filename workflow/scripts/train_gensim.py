"""Train skip-gram or fastText vectors on a corpus."""

from dataclasses import asdict
from pathlib import Path

from biasorigin.artefacts import load_array, load_json, load_table
from biasorigin.embedding import Embedding, save_embedding
from biasorigin.gensim_models import Documents, FastTextSettings, GensimSettings, train_fasttext, train_skipgram

MODELS = {"skipgram": (train_skipgram, GensimSettings), "fasttext": (train_fasttext, FastTextSettings)}


def train_gensim(
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_vocabulary: str,
    path_to_statistics: str,
    kind: str,
    name: str,
    corpus: str,
    cased: bool,
    settings: dict,
    seed: int,
    path_to_vectors: str,
) -> None:
    """Train on the corpus' tokens; settings left out have their defaults."""
    train, settings_class = MODELS[kind]
    chosen = settings_class(**{key: value for key, value in settings.items() if value is not None})
    vocabulary = load_table(path_to_vocabulary)
    words, counts = tuple(vocabulary["word"]), vocabulary["count"].to_numpy()
    documents = Documents(words, load_array(path_to_tokens), load_array(path_to_offsets))
    vectors = train(documents, counts, chosen, seed)
    facts = {
        "kind": kind,
        "embedding": name,
        "seed": seed,
        "corpus": corpus,
        "corpus_fingerprint": load_json(path_to_statistics)["fingerprint"],
        "contexts": False,  # no context vectors of GloVe's: no attribution to documents
        "settings": asdict(chosen),
    }
    save_embedding(Path(path_to_vectors).parent, Embedding(words, vectors, counts, cased, facts))


if __name__ == "__main__":
    from entry import run

    run(
        train_gensim,
        snakemake.log,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_vocabulary=snakemake.input.vocabulary,
        path_to_statistics=snakemake.input.statistics,
        kind=snakemake.params.kind,
        name=snakemake.wildcards.embedding,
        corpus=snakemake.params.corpus,
        cased=snakemake.params.cased,
        settings=snakemake.params.settings,
        seed=int(snakemake.wildcards.seed),
        path_to_vectors=snakemake.output.vectors,
    )
