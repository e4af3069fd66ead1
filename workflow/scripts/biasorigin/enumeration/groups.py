"""Groups of names and categories of words: K-means++ on unit vectors (UBE sections 3.1 and 3.2)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from threadpoolctl import threadpool_limits

from biasorigin.errors import UserError


@dataclass(frozen=True)
class Clustering:
    """A partition of the rows into clusters, largest first.

    labels     (rows,) int64 from 0 to clusters - 1
    inertia    (restarts,) sum of squared distances to the centre reached by each restart
    agreement  (restarts - 1,) adjusted Rand index between the partition and those that the other restarts reached
    """

    labels: np.ndarray
    inertia: np.ndarray
    agreement: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """(clusters,) number of rows in each cluster."""
        return np.bincount(self.labels)


def cluster(vectors: np.ndarray, clusters: int, restarts: int, seed: int, threads: int = 1) -> Clustering:
    """Partition unit vectors (rows, dim) by K-means++; the best of several restarts, each with a seed of its own.

    Every restart runs on one thread, so the result does not depend on `threads`.
    """
    if clusters > len(vectors):
        raise UserError(
            f"{clusters} clusters were asked for, but there are only {len(vectors)} vectors. Ask for fewer."
        )
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    seeds = [int(s.generate_state(1)[0]) for s in np.random.SeedSequence(seed).spawn(restarts)]

    def restart(own_seed: int) -> KMeans:
        return KMeans(clusters, init="k-means++", n_init=1, random_state=own_seed, copy_x=True).fit(vectors)

    with threadpool_limits(limits=1), ThreadPoolExecutor(threads) as pool:
        fits = list(pool.map(restart, seeds))
    inertia = np.array([fit.inertia_ for fit in fits])
    best = int(np.argmin(inertia))
    agreement = [adjusted_rand_score(fits[best].labels_, fit.labels_) for r, fit in enumerate(fits) if r != best]
    return Clustering(_largest_first(fits[best].labels_, clusters), inertia, np.array(agreement))


def _largest_first(labels: np.ndarray, clusters: int) -> np.ndarray:
    """Renumber so that cluster 0 is the largest; among equal sizes the one with the earliest member first."""
    sizes = np.bincount(labels, minlength=clusters)
    first = np.full(clusters, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    place = np.empty(clusters, dtype=np.int64)
    place[np.lexsort((first, -sizes))] = np.arange(clusters)
    return place[labels]


def group_means(vectors: np.ndarray, labels: np.ndarray, groups: int) -> np.ndarray:
    """(groups, dim) float64 mean of the unit vectors of each group: the paper's bar X_i."""
    sums = np.zeros((groups, vectors.shape[1]))
    np.add.at(sums, labels, np.asarray(vectors, dtype=np.float64))
    return sums / np.bincount(labels, minlength=groups)[:, None]


def illustrative_members(vectors: np.ndarray, count: int) -> np.ndarray:
    """Rows of the members that together stand best for a group, chosen greedily (UBE section 4); at most `count`.

    vectors  (members, dim) unit vectors.
    Each next member is the one that brings the mean of those chosen closest, by cosine, to the mean of the group.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    centre = vectors.mean(axis=0)
    chosen: list[int] = []
    total = np.zeros(vectors.shape[1])
    for _ in range(min(count, len(vectors))):
        sums = vectors + total
        lengths = np.linalg.norm(sums, axis=1)
        closeness = np.divide(sums @ centre, lengths, out=np.full(len(sums), -np.inf), where=lengths > 0)
        closeness[chosen] = -np.inf
        chosen.append(int(np.argmax(closeness)))
        total = total + vectors[chosen[-1]]
    return np.array(chosen, dtype=np.int64)
