"""Train GloVe vectors on a corpus with glove-python-binary, in an interpreter of its own."""

from dataclasses import asdict
from pathlib import Path

from biasorigin import glove_python
from biasorigin.artefacts import load_array, load_json, load_table
from biasorigin.embedding import Embedding, save_embedding
from biasorigin.glove_python import PACKAGE, GlovePythonSettings


def train_glove_python(
    path_to_environment: str,
    path_to_runner: str,
    path_to_tokens: str,
    path_to_offsets: str,
    path_to_vocabulary: str,
    path_to_statistics: str,
    name: str,
    corpus: str,
    cased: bool,
    settings: dict,
    seed: int,
    path_to_vectors: str,
) -> None:
    """Train on the corpus' tokens; settings left out have their defaults."""
    interpreter = Path((Path(path_to_environment) / "interpreter.txt").read_text(encoding="utf-8").strip())
    chosen = GlovePythonSettings(**{key: value for key, value in settings.items() if value is not None})
    vocabulary = load_table(path_to_vocabulary)
    words, counts = tuple(vocabulary["word"]), vocabulary["count"].to_numpy()
    vectors = glove_python.train_glove_python(
        interpreter,
        Path(path_to_runner).absolute(),
        len(words),
        load_array(path_to_tokens),
        load_array(path_to_offsets),
        chosen,
        seed,
    )
    facts = {
        "kind": "glove_python",
        "embedding": name,
        "seed": seed,
        "corpus": corpus,
        "corpus_fingerprint": load_json(path_to_statistics)["fingerprint"],
        "contexts": False,  # the package has one set of vectors: no attribution to documents
        "settings": {**asdict(chosen), "package": PACKAGE},
    }
    save_embedding(Path(path_to_vectors).parent, Embedding(words, vectors, counts, cased, facts))


if __name__ == "__main__":
    from entry import run

    run(
        train_glove_python,
        snakemake.log,
        path_to_environment=snakemake.input.environment,
        path_to_runner=snakemake.input.runner,
        path_to_tokens=snakemake.input.tokens,
        path_to_offsets=snakemake.input.offsets,
        path_to_vocabulary=snakemake.input.vocabulary,
        path_to_statistics=snakemake.input.statistics,
        name=snakemake.wildcards.embedding,
        corpus=snakemake.params.corpus,
        cased=snakemake.params.cased,
        settings=snakemake.params.settings,
        seed=int(snakemake.wildcards.seed),
        path_to_vectors=snakemake.output.vectors,
    )
