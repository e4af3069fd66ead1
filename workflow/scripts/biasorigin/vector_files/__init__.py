"""Reading and writing the vector files in use elsewhere: word2vec, GloVe, fastText, NumPy; never a pickle."""

from biasorigin.vector_files.contents import Policies, VectorFile
from biasorigin.vector_files.reading import FORMATS, read_vectors
from biasorigin.vector_files.writing import write_word2vec_binary, write_word2vec_text

__all__ = [
    "FORMATS",
    "Policies",
    "VectorFile",
    "read_vectors",
    "write_word2vec_binary",
    "write_word2vec_text",
]
