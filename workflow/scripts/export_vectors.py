"""Write an embedding in a format that gensim, WEFE and spaCy read."""

from pathlib import Path

from biasorigin.artefacts import write_atomically
from biasorigin.embedding import load_embedding
from biasorigin.vector_files import write_word2vec_binary, write_word2vec_text

WRITERS = {".txt": write_word2vec_text, ".bin": write_word2vec_binary}


def export_vectors(path_to_vectors: str, path_to_export: str) -> None:
    """Write word2vec's text (.txt) or binary (.bin) format, by the ending."""
    embedding = load_embedding(Path(path_to_vectors).parent)
    with write_atomically(path_to_export) as temporary:
        WRITERS[Path(path_to_export).suffix](temporary, embedding.words, embedding.vectors)


if __name__ == "__main__":
    from entry import run

    run(
        export_vectors,
        snakemake.log,
        path_to_vectors=snakemake.input.vectors,
        path_to_export=snakemake.output.export,
    )
