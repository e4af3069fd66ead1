"""Take pretrained vectors over into an artefact of ours."""

import logging
from pathlib import Path

from biasorigin.embedding import Embedding, save_embedding
from biasorigin.vector_files import Policies, read_vectors

logger = logging.getLogger(__name__)

POLICIES = ("zero_vectors", "duplicate_words", "invalid_words")


def import_vectors(
    path_to_file: str, path_to_index: str | None, name: str, settings: dict, path_to_vectors: str
) -> None:
    """Read the file as `settings` say (those left out have their defaults) and write vectors, vocabulary and facts.

    The order of the file is taken for the order of frequency; counts are unknown.
    """
    given = {key: value for key, value in settings.items() if value is not None}
    limit = given.get("limit")
    read = read_vectors(
        path_to_file,
        given.get("format", "auto"),
        path_to_index=path_to_index,
        limit=limit,
        policies=Policies(**{key: given[key] for key in POLICIES if key in given}),
    )
    capitalised = sum(word != word.lower() for word in read.words)
    cased = given.get("cased", capitalised > 0)
    if capitalised and not cased:
        logger.warning("%s words have capital letters and can never be found, because cased is false.", capitalised)
    logger.info("%s words of dimension %s; dropped: %s", len(read.words), read.vectors.shape[1], read.dropped)
    facts = {
        "kind": "pretrained",
        "embedding": name,
        "seed": 0,
        "corpus": None,
        "corpus_fingerprint": None,
        "contexts": False,  # nothing but word vectors: no attribution to documents
        "settings": {"source": given["source"], "file": Path(path_to_file).name, "limit": limit},
        "dropped": read.dropped,
        "capitalised_words": capitalised,
    }
    save_embedding(Path(path_to_vectors).parent, Embedding(read.words, read.vectors, cased=cased, facts=facts))


if __name__ == "__main__":
    from entry import run

    run(
        import_vectors,
        snakemake.log,
        threads=snakemake.threads,
        path_to_file=snakemake.params.file,
        path_to_index=snakemake.params.index,
        name=snakemake.wildcards.embedding,
        settings=snakemake.params.settings,
        path_to_vectors=snakemake.output.vectors,
    )
