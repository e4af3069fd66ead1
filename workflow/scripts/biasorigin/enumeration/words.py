"""Which words an enumeration looks at: the most frequent lower-case ones that are not names (UBE section 3.2)."""

import re

import numpy as np

from biasorigin.embedding import Embedding
from biasorigin.errors import UserError


def frequent_words(embedding: Embedding, count: int, pattern: str, excluded_rows: np.ndarray) -> np.ndarray:
    """Rows of the `count` most frequent words that match the pattern in full and are not excluded, ascending.

    The pattern is what makes a token a lower-case word. In a case-folded embedding proper nouns match it as well,
    so names have to be excluded by row.
    """
    try:
        matches = re.compile(pattern).fullmatch
    except re.error as error:
        raise UserError(f"enumeration word_pattern {pattern!r} is not a regular expression: {error}.") from error
    excluded = set(np.asarray(excluded_rows).tolist())
    rows = []
    for row, word in enumerate(embedding.words):
        if row not in excluded and matches(word):
            rows.append(row)
            if len(rows) == count:
                return np.array(rows, dtype=np.int64)
    raise UserError(
        f"{count:,} frequent lower-case words were asked for, but the embedding has only {len(rows):,} "
        f"({len(embedding.words):,} words, {len(excluded):,} excluded as names). "
        f"Set words to {len(rows):,} or less for this run."
    )
