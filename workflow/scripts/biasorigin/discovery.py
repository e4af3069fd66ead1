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


def discover_categories(
    embedding: Embedding, attributes: tuple[WordList, WordList], settings: DiscoverySettings
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Clusters with their most male and most female words: (one row for each cluster, one for each listed word).

    Attribute words are left out of the clusters. The lists are chosen by the same association that they are tested
    with, so that effect size and p are high and low by construction, as in the paper. `held_out_effect_size` and its p
    choose the words by every other attribute word and test them with the rest.
    """
    rows = [embedding.find(list(one.words))[0] for one in attributes]
    if min(map(len, rows)) < 2:
        raise UserError(
            f"Discovery needs two known words of each attribute list; found {len(rows[0])} of {attributes[0].name!r} "
            f"and {len(rows[1])} of {attributes[1].name!r}. Use other attribute lists or another embedding."
        )
    known = np.setdiff1d(np.arange(min(settings.vocabulary, len(embedding.words))), np.concatenate(rows))
    unit = embedding.unit_rows(known)
    if settings.clusters * 2 > len(known):
        raise UserError(
            f"Discovery was asked for {settings.clusters} clusters of {len(known)} words. Lower discovery.clusters."
        )
    labels, nearness = cluster_words(embedding, known, unit, settings)
    sides = [embedding.unit_rows(one) for one in rows]
    gender = unit @ (sides[0].mean(axis=0) - sides[1].mean(axis=0))  # (words,) eq. 2: positive is male
    chosen_by = unit @ (sides[0][::2].mean(axis=0) - sides[1][::2].mean(axis=0))
    tested_by = unit @ (sides[0][1::2].mean(axis=0) - sides[1][1::2].mean(axis=0))
    categories, listed = [], []
    for cluster in track(range(settings.clusters), "clusters"):
        members = np.flatnonzero(labels == cluster)
        size = min(settings.listed, len(members) // 2)
        centre = [embedding.words[known[place]] for place in members[np.argsort(-nearness[members], kind="stable")][:3]]
        record = {"cluster": cluster, "words": len(members), "centre": ", ".join(centre), "listed": size}
        if size >= 2:
            male, female = _ends(members, gender, size)
            record |= _test(gender[male], gender[female], settings, cluster, "")
            held_male, held_female = _ends(members, chosen_by, size)
            record |= _test(tested_by[held_male], tested_by[held_female], settings, cluster, "held_out_")
            for side, places in (("male", male), ("female", female)):
                listed += [
                    (cluster, side, rank, embedding.words[known[place]], float(gender[place]))
                    for rank, place in enumerate(places, 1)
                ]
        categories.append(record)
    return pl.DataFrame(categories, schema=_CATEGORIES), pl.DataFrame(listed, schema=_LISTED, orient="row")


def cluster_words(
    embedding: Embedding, rows: np.ndarray, unit: np.ndarray, settings: DiscoverySettings
) -> tuple[np.ndarray, np.ndarray]:
    """K-means++ clusters: (cluster of each row, nearness of each row to its cluster's centre)."""
    vectors = unit if settings.unit_length else np.asarray(embedding.vectors[rows], np.float64)
    model = KMeans(settings.clusters, init="k-means++", n_init=1, random_state=settings.seed, algorithm="lloyd")
    labels = model.fit_predict(vectors.astype(np.float32))
    return labels, -np.linalg.norm(vectors - model.cluster_centers_[labels], axis=1)


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
