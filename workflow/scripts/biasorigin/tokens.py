"""From text to tokens: a compiled, Unicode-aware tokenizer over batches of documents.

Regular expressions run inside polars (Rust), words become numbers inside Arrow (C++); Python sees only the distinct
words of a batch.
"""

import html
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np
import polars as pl
import pyarrow as pa

LETTERS = r"\p{L}\p{M}"
NUMBERS = r"\p{N}"
TAG = r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>"


@dataclass(frozen=True)
class TokenizerSettings:
    """How text becomes tokens.

    lowercase    fold case
    apostrophes  `keep`: don't is one token; `split`: don and t
    punctuation  `drop` marks, or `keep` each as a token of its own
    digits       `keep` numbers, or `drop` tokens without a letter
    """

    lowercase: bool = True
    apostrophes: str = "keep"
    punctuation: str = "drop"
    digits: str = "keep"

    @property
    def pattern(self) -> str:
        """The regular expression of one token."""
        inner = f"[{LETTERS}{NUMBERS}]"
        word = f"{inner}+" if self.digits == "keep" else f"{NUMBERS}*[{LETTERS}]{inner}*"
        if self.apostrophes == "keep":
            word += f"(?:'{inner}+)*"
        if self.punctuation == "keep":
            word += rf"|[^\s{LETTERS}{NUMBERS}]"
        return word


@dataclass(frozen=True)
class TokenBatch:
    """Tokens of some documents: distinct words in order of appearance, and for each token the number of its word."""

    words: list[str]
    tokens: np.ndarray  # (tokens,) int32, numbers into `words`
    lengths: np.ndarray  # (documents,) int64


def tokenise(texts: pl.Series, settings: TokenizerSettings) -> TokenBatch:
    """The tokens of a batch of documents."""
    found = plain_text(texts, settings).str.extract_all(settings.pattern)
    lengths = found.list.len().to_numpy().astype(np.int64)
    tokens = found.filter(found.list.len() > 0).explode()
    encoded = tokens.to_arrow().cast(pa.large_string()).dictionary_encode()
    indices = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return TokenBatch(encoded.dictionary.to_pylist(), indices, lengths)


def plain_text(texts: pl.Series, settings: TokenizerSettings) -> pl.Series:
    """Text in Unicode's composed form without HTML tags and entities, with straight apostrophes, folded if wanted."""
    texts = texts.str.replace_all(TAG, " ")
    texts = texts.to_frame("text").select(
        pl.when(pl.col("text").str.contains("&", literal=True))
        .then(pl.col("text").map_elements(html.unescape, return_dtype=pl.String))
        .otherwise(pl.col("text"))
    )["text"]
    texts = texts.str.normalize("NFC").str.replace_all("[\u2019\u02bc\u2032`\u00b4]", "'")
    return texts.str.to_lowercase() if settings.lowercase else texts


def tokenise_all(
    batches: Iterable[pl.Series], settings: TokenizerSettings, types: dict[str, int], threads: int = 1
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each batch: (tokens,) int32 numbers of types and (documents,) int64 lengths; `types` takes up new words.

    A type's number is its place in order of first appearance in the corpus, so that neither the size of a batch nor
    the number of threads matters. At most a few batches are in memory.
    """
    with ThreadPoolExecutor(threads) as pool:
        for batch in _ahead(pool, batches, settings, threads + 1):
            numbers = np.fromiter((types.setdefault(word, len(types)) for word in batch.words), np.int32)
            yield numbers[batch.tokens] if len(batch.tokens) else batch.tokens, batch.lengths


def _ahead(
    pool: ThreadPoolExecutor, batches: Iterable[pl.Series], settings: TokenizerSettings, most: int
) -> Iterator[TokenBatch]:
    """The tokenised batches in order, with at most `most` of them under way."""
    source = iter(batches)
    waiting = [pool.submit(tokenise, batch, settings) for batch in islice(source, most)]
    while waiting:
        yield waiting.pop(0).result()
        waiting.extend(pool.submit(tokenise, batch, settings) for batch in islice(source, 1))
