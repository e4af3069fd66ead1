"""Count whom the texts put beside occupations."""

import logging

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_table, save_table
from biasorigin.association.secondary_bias import count_beside, secondary_bias
from biasorigin.embedding import spellings
from biasorigin.errors import UserError
from biasorigin.wordsets import WordList, load_word_sets

logger = logging.getLogger(__name__)

_SCHEMA = {"corpus": pl.String, "word": pl.String, "group": pl.String, "count": pl.Int64, "total": pl.Int64}
_SCHEMA |= dict.fromkeys(("share", "low", "high", "base_share"), pl.Float64) | {"flagged": pl.Boolean}


def measure_secondary_bias(
    paths_to_word_sets: list[str],
    folders: dict[str, str],
    cased: dict[str, bool],
    words: str,
    groups: list[str],
    window: int,
    confidence: float,
    path_to_table: str,
) -> None:
    """Write b(o, g) for every occupation of the list and every group, in every corpus.

    folders  of the corpora; cased: whether a corpus keeps capitals; words, groups: names of word lists
    Terms of several words are not single tokens of a corpus, so they are counted as missing.
    """
    word_sets = load_word_sets(paths_to_word_sets)
    tables = [pl.DataFrame(schema=_SCHEMA)]
    for corpus, folder in folders.items():
        vocabulary = load_table(f"{folder}/vocabulary.parquet")["word"].to_list()
        index = {word: number for number, word in enumerate(vocabulary)}
        word_of, names = _numbers([word_sets.lists[words]], index, cased[corpus], each=True)
        group_of, _ = _numbers([word_sets.lists[group] for group in groups], index, cased[corpus], each=False)
        word_of[group_of >= 0] = -1  # a group's own word is not an occupation of the group
        missing = len(word_sets.lists[words].words) - len(names)
        logger.info("%s: %d of %d words are not in the vocabulary", corpus, missing, len(word_sets.lists[words].words))
        try:
            counts = count_beside(
                load_array(f"{folder}/tokens.npy"), load_array(f"{folder}/offsets.npy"), word_of, group_of, window
            )
        except UserError as error:
            logger.warning("%s: %s", corpus, error)
            continue
        padded = np.zeros((len(names), len(groups)), np.int64)
        padded[: counts.shape[0], : counts.shape[1]] = counts
        table = secondary_bias(names, groups, padded, confidence)
        tables.append(table.select(pl.lit(corpus).alias("corpus"), pl.all()).cast(_SCHEMA))
    save_table(path_to_table, pl.concat(tables))


def _numbers(lists: list[WordList], index: dict[str, int], cased: bool, *, each: bool) -> tuple[np.ndarray, list[str]]:
    """(vocabulary,) number of the word (each) or list that an id belongs to, or -1; and the words found."""
    numbers = np.full(len(index), -1, np.int64)
    names: list[str] = []
    for place, one in enumerate(lists):
        for word in one.words:
            known = [index[spelling] for spelling in spellings(word, cased) if spelling in index]
            if known and numbers[known[0]] < 0:
                numbers[known[0]] = len(names) if each else place
                names.append(word)
    return numbers, names


if __name__ == "__main__":
    from entry import run

    run(
        measure_secondary_bias,
        snakemake.log,
        threads=snakemake.threads,
        paths_to_word_sets=snakemake.input.word_sets,
        folders=snakemake.params.folders,
        cased=snakemake.params.cased,
        words=snakemake.params.words,
        groups=snakemake.params.groups,
        window=snakemake.params.window,
        confidence=snakemake.params.confidence,
        path_to_table=snakemake.output.table,
    )
