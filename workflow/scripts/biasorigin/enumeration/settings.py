"""The inputs of an enumeration (UBE table 1) and the ranges in which they make sense."""

from dataclasses import dataclass, fields

from biasorigin.errors import UserError

# What a lower-case word looks like: two letters or more, with hyphens, underscores or apostrophes inside.
WORD_PATTERN = r"[a-z]{2,}(?:['_-][a-z]+)*"


@dataclass(frozen=True)
class Settings:
    """How to enumerate; the defaults are the paper's.

    groups           n, name groups
    categories       m, categories of words
    words            M, how many of the most frequent lower-case words to look at
    words_per_cell   t, words that stand for a group in a category
    alpha            false discovery rate
    rotations        R
    removed_share    share of names dropped by the cleaning
    others_among     the words against which names are cleaned are drawn from this many most frequent ones
    names_among      only names among this many most frequent words are used; None for all
    min_group        names needed per group on average, below which the embedding is refused
    restarts         K-means++ restarts, the best of which is kept
    word_pattern     regular expression of a lower-case word
    seed             of everything random
    """

    groups: int = 12
    categories: int = 64
    words: int = 30_000
    words_per_cell: int = 3
    alpha: float = 0.05
    rotations: int = 10_000
    removed_share: float = 0.2
    others_among: int = 50_000
    names_among: int | None = None
    min_group: int = 20
    restarts: int = 10
    word_pattern: str = WORD_PATTERN
    seed: int = 1

    def __post_init__(self) -> None:
        least = {"groups": 2, "categories": 1, "words": 1, "words_per_cell": 1, "rotations": 1, "others_among": 1}
        least |= {"min_group": 1, "restarts": 1, "seed": 0, "names_among": 1}
        for key, lowest in least.items():
            value = getattr(self, key)
            if value is not None and value < lowest:
                raise UserError(f"enumeration {key} is {value}; it must be {lowest} or more.")
        if not 0 < self.alpha < 1:
            raise UserError(f"enumeration alpha is {self.alpha}; a false discovery rate lies between 0 and 1.")
        if not 0 <= self.removed_share < 1:
            raise UserError(f"enumeration removed_share is {self.removed_share}; it must be from 0 to below 1.")
        if self.words < self.categories:
            raise UserError(
                f"enumeration asks for {self.categories} categories of {self.words} words. "
                "Ask for fewer categories or for more words."
            )

    @classmethod
    def of(cls, values: dict) -> "Settings":
        """Settings from plain values; keys that are not settings are left to whoever reads them."""
        known = {field.name for field in fields(cls)}
        return cls(**{key: value for key, value in values.items() if key in known})
