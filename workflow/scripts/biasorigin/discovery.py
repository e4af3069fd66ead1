"""New gendered word categories, found by clustering an embedding (Chaloner and Maldonado 2019, section 5)."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from sklearn.cluster import KMeans

from biasorigin.association.permutation import permutation_test
from biasorigin.association.weat import effect_size, seed_of
from biasorigin.embedding import Embedding
from biasorigin.errors import UserError
from biasorigin.progress import track
from biasorigin.wordsets import WordList


@dataclass(frozen=True)
class DiscoverySettings:
    """How categories are looked for.

    clusters    K-means clusters; vocabulary: most frequent words that are clustered
    listed      most male and most female words of each cluster (fewer in a small cluster, so that no word is in both)
    draws       random splits for each p-value
    unit_length cluster vectors of length 1 instead of the vectors as they are
    """

    clusters: int = 100
    vocabulary: int = 30_000
    listed: int = 20
    draws: int = 1_000
    unit_length: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Clusters:
    """Clustered words: rows of the embedding, their cluster, and their nearness to its centre, (words,) each."""

    rows: np.ndarray
    labels: np.ndarray
    nearness: np.ndarray


def attribute_rows(embedding: Embedding, attributes: tuple[WordList, WordList]) -> list[np.ndarray]:
    """The rows of the two attribute lists; at least two known words of each are needed."""
    rows = [embedding.find(list(one.words))[0] for one in attributes]
    if min(map(len, rows)) < 2:
        raise UserError(
            f"Discovery needs two known words of each attribute list; found {len(rows[0])} of {attributes[0].name!r} "
            f"and {len(rows[1])} of {attributes[1].name!r}. Use other attribute lists or another embedding."
        )
    return rows


def score_categories(
    embedding: Embedding, clusters: Clusters, attributes: list[np.ndarray], settings: DiscoverySettings
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Clusters with their most male and most female words: (one row for each cluster, one for each listed word).

    attributes  rows of the male and of the female attribute words
    The lists are chosen by the same association that they are tested with, so that effect size and p are high and low
    by construction, as in the paper. `held_out_effect_size` and its p choose the words by every other attribute word
    and test them with the rest.
    """
    unit = embedding.unit_rows(clusters.rows)
    sides = [embedding.unit_rows(one) for one in attributes]
    gender = unit @ (sides[0].mean(axis=0) - sides[1].mean(axis=0))  # (words,) eq. 2: positive is male
    chosen_by = unit @ (sides[0][::2].mean(axis=0) - sides[1][::2].mean(axis=0))
    tested_by = unit @ (sides[0][1::2].mean(axis=0) - sides[1][1::2].mean(axis=0))
    categories, listed = [], []
    for cluster in track(range(settings.clusters), "clusters"):
        members = np.flatnonzero(clusters.labels == cluster)
        size = min(settings.listed, len(members) // 2)
        central = members[np.argsort(-clusters.nearness[members], kind="stable")][:3]
        centre = ", ".join(embedding.words[clusters.rows[place]] for place in central)
        record = {"cluster": cluster, "words": len(members), "centre": centre, "listed": size}
        if size >= 2:
            male, female = _ends(members, gender, size)
            record |= _test(gender[male], gender[female], settings, cluster, "")
            held_male, held_female = _ends(members, chosen_by, size)
            record |= _test(tested_by[held_male], tested_by[held_female], settings, cluster, "held_out_")
            listed += [
                (cluster, side, rank, embedding.words[clusters.rows[place]], float(gender[place]))
                for side, places in (("male", male), ("female", female))
                for rank, place in enumerate(places, 1)
            ]
        categories.append(record)
    return pl.DataFrame(categories, schema=_CATEGORIES), pl.DataFrame(listed, schema=_LISTED, orient="row")


def random_attributes(
    embedding: Embedding, attributes: list[np.ndarray], settings: DiscoverySettings
) -> list[np.ndarray]:
    """Rows of random words, as many as the real attribute words: what does the method find for nothing?"""
    rows = np.setdiff1d(np.arange(min(settings.vocabulary, len(embedding.words))), np.concatenate(attributes))
    total = sum(map(len, attributes))
    if total > len(rows):
        raise UserError(f"Discovery needs more than {2 * total} words in the vocabulary. Use a larger embedding.")
    drawn = np.random.default_rng([settings.seed, 7]).choice(rows, total, replace=False)
    return [drawn[: len(attributes[0])], drawn[len(attributes[0]) :]]


def cluster_vocabulary(embedding: Embedding, left_out: np.ndarray, settings: DiscoverySettings) -> Clusters:
    """K-means++ clusters of the most frequent words without those left out (the attribute words)."""
    rows = np.setdiff1d(np.arange(min(settings.vocabulary, len(embedding.words))), left_out)
    if settings.clusters * 2 > len(rows):
        raise UserError(
            f"Discovery was asked for {settings.clusters} clusters of {len(rows)} words. Lower discovery.clusters."
        )
    vectors = embedding.unit_rows(rows)
    if not settings.unit_length:
        vectors = np.asarray(embedding.vectors[rows], np.float64)
    model = KMeans(settings.clusters, init="k-means++", n_init=1, random_state=settings.seed, algorithm="lloyd")
    labels = model.fit_predict(vectors.astype(np.float32))
    return Clusters(rows, labels, -np.linalg.norm(vectors - model.cluster_centers_[labels], axis=1))


def _ends(members: np.ndarray, gender: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The `size` most male members, most male first, and the `size` most female, most female first."""
    order = members[np.argsort(-gender[members], kind="stable")]
    return order[:size], order[::-1][:size]


def _test(male: np.ndarray, female: np.ndarray, settings: DiscoverySettings, cluster: int, prefix: str) -> dict:
    seed = seed_of(settings.seed, "discovery", cluster)
    made = permutation_test(male, female, exact_words=16, draws=settings.draws, seed=seed)
    return {f"{prefix}effect_size": effect_size(male, female), f"{prefix}p_one_sided": made.p_one_sided}


_CATEGORIES = {
    "cluster": pl.Int64,
    "words": pl.Int64,
    "centre": pl.String,
    "listed": pl.Int64,
    "effect_size": pl.Float64,
    "p_one_sided": pl.Float64,
    "held_out_effect_size": pl.Float64,
    "held_out_p_one_sided": pl.Float64,
}
_LISTED = {"cluster": pl.Int64, "side": pl.String, "rank": pl.Int64, "word": pl.String, "association": pl.Float64}
