"""From text to tokens: a compiled, Unicode-aware tokenizer over batches of documents.

Text is cleaned inside polars (Rust) and cut and numbered by a kernel of our own; Python sees only the distinct words of
a batch.
"""

import html
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np
import polars as pl
import pyarrow as pa

from biasorigin.token_kernel import kinds_of_characters, number_tokens

TAG = r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>"


@dataclass(frozen=True)
class TokenizerSettings:
    """How text becomes tokens.

    lowercase    fold case
    apostrophes  `keep`: don't is one token; `split`: don and t
    punctuation  `drop` marks, or `keep` each as a token of its own
    digits       `keep` numbers, or `drop` tokens without a letter (1980s stays)
    """

    lowercase: bool = True
    apostrophes: str = "keep"
    punctuation: str = "drop"
    digits: str = "keep"


@dataclass(frozen=True)
class TokenBatch:
    """Tokens of some documents: distinct words in order of appearance, and for each token the number of its word."""

    words: list[str]
    tokens: np.ndarray  # (tokens,) int32, numbers into `words`
    lengths: np.ndarray  # (documents,) int64


def tokenise(texts: pl.Series, settings: TokenizerSettings) -> TokenBatch:
    """The tokens of a batch of documents: runs of letters, marks and numbers, with the apostrophes between them."""
    array = plain_text(texts, settings).to_arrow().cast(pa.large_string())
    _, bounds, data = array.buffers()
    bounds = np.frombuffer(bounds, np.int64)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
    tokens, lengths, begins, ends = number_tokens(
        data,
        bounds,
        kinds_of_characters(),
        settings.apostrophes == "keep",
        settings.punctuation == "keep",
        settings.digits == "keep",
    )
    words = [data[begin:end].tobytes().decode() for begin, end in zip(begins, ends, strict=True)]
    return TokenBatch(words, tokens, lengths)


def plain_text(texts: pl.Series, settings: TokenizerSettings) -> pl.Series:
    """Text in Unicode's composed form without HTML tags and entities, with straight apostrophes, folded if wanted."""
    texts = texts.str.replace_all(TAG, " ")
    with_entities = texts.str.contains("&", literal=True)
    texts = _change(texts, with_entities, lambda some: some.map_elements(html.unescape, return_dtype=pl.String))
    beyond_ascii = texts.str.len_bytes() != texts.str.len_chars()
    texts = _change(texts, beyond_ascii, lambda some: some.str.normalize("NFC"))
    texts = texts.str.replace_all("[\u2019\u02bc\u2032`\u00b4]", "'")
    return texts.str.to_lowercase() if settings.lowercase else texts


def _change(texts: pl.Series, which: pl.Series, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """The texts, with those that are marked changed; most corpora have few of them."""
    places = which.arg_true()
    return texts.scatter(places, change(texts.gather(places))) if len(places) else texts


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
