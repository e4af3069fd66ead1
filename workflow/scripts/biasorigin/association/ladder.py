"""One rung of the ladder: the corpus that a smaller hash sample would have given, out of the larger one."""

from dataclasses import dataclass

import numpy as np

from biasorigin.errors import UserError


@dataclass(frozen=True)
class SampledCorpus:
    """A sample in its own vocabulary.

    tokens   (tokens,) int32 new ids; offsets: (documents + 1,) int64
    words    (vocabulary,) ids in the larger corpus, most frequent first; counts: (vocabulary,) in the sample
    """

    tokens: np.ndarray
    offsets: np.ndarray
    words: np.ndarray
    counts: np.ndarray


def sample_corpus(
    tokens: np.ndarray, offsets: np.ndarray, chosen: np.ndarray, vocabulary: int, min_count: int
) -> SampledCorpus:
    """Cut a corpus down to the chosen documents and to the words that are frequent enough in them.

    tokens, offsets  the larger corpus in its vocabulary of `vocabulary` words; chosen: (documents,) bool
    A word that is frequent enough in the sample is frequent enough in the whole, so nothing is lost by starting there.
    """
    if not chosen.any():
        raise UserError("The sample holds no document. Use a larger fraction.")
    lengths = np.diff(offsets)
    of_chosen = np.repeat(chosen, lengths)
    kept_tokens = np.asarray(tokens)[of_chosen]
    counts = np.bincount(kept_tokens, minlength=vocabulary)
    words = np.flatnonzero(counts >= min_count)
    words = words[np.lexsort((words, -counts[words]))]
    if len(words) == 0:
        raise UserError(f"No word occurs {min_count} times in the sample. Use a larger fraction or a lower min_count.")
    number = np.full(vocabulary, -1, np.int32)
    number[words] = np.arange(len(words), dtype=np.int32)
    renumbered = number[kept_tokens]
    known = renumbered >= 0
    document = np.repeat(np.arange(int(chosen.sum())), lengths[chosen])
    new_lengths = np.bincount(document[known], minlength=int(chosen.sum()))
    new_offsets = np.concatenate([[0], np.cumsum(new_lengths)]).astype(np.int64)
    return SampledCorpus(renumbered[known], new_offsets, words, counts[words].astype(np.int64))
