"""The rotational null hypothesis: scores when names and words are turned against each other (UBE section 3.4).

Only the centred group means are turned. Their span has at most `groups` dimensions, so a uniformly random frame of
that many orthonormal vectors has the same effect as a whole dim x dim rotation, which is never built.

Rotation r draws its frame from a Philox generator keyed by (seed, r), and rotations are worked on in batches of a
fixed size. So a shard of the batches gives the same integers as the same batches in one run, on any number of threads.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from biasorigin.compiled import compiled
from biasorigin.errors import UserError
from biasorigin.progress import track

BATCH = 32  # rotations worked on together; part of what makes the numbers reproducible, so not configurable
WORDS_AT_ONCE = 2048  # words multiplied together: larger products are faster until they leave the cache
BINS = 120
# Products are in single precision: a score this close to the observed one counts as reaching it.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class NullCounts:
    """What the rotations gave, as integers that add up over shards.

    rotations    how many were made
    exceedances  (groups, categories) int64 rotations with a score at or above the observed one
    histogram    (groups, categories, BINS) int64 rotations by score; void ones are in no bin
    """

    rotations: int
    exceedances: np.ndarray
    histogram: np.ndarray

    def __add__(self, other: "NullCounts") -> "NullCounts":
        return NullCounts(
            self.rotations + other.rotations,
            self.exceedances + other.exceedances,
            self.histogram + other.histogram,
        )


def batches_of_shard(rotations: int, shard: int, shards: int) -> list[tuple[int, int]]:
    """First and last-plus-one rotation of every batch that falls to a shard: batches shard, shard + shards, ..."""
    if not 0 <= shard < shards:
        raise UserError(f"Shard {shard} of {shards} does not exist; shards are counted from 0.")
    starts = range(0, rotations, BATCH)
    return [(start, min(start + BATCH, rotations)) for start in list(starts)[shard::shards]]


def random_frames(rotations: range, dim: int, size: int, seed: int) -> np.ndarray:
    """(rotations, dim, size) uniformly random orthonormal frames, one per rotation index."""
    gauss = np.empty((len(rotations), dim, size))
    for place, rotation in enumerate(rotations):
        generator = np.random.Generator(np.random.Philox(key=np.array([seed, rotation], dtype=np.uint64)))
        gauss[place] = generator.standard_normal((dim, size))
    frames, triangle = np.linalg.qr(gauss)
    # Householder QR fixes signs by convention; without them the frame is uniform (Mezzadri 2007).
    return frames * np.sign(np.diagonal(triangle, axis1=1, axis2=2))[:, None, :]


def histogram_edges(observed: np.ndarray) -> np.ndarray:
    """(BINS + 1,) edges of the score histogram; the outer bins also hold what lies beyond."""
    finite = observed[np.isfinite(observed)]
    top = 1.25 * float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    return np.linspace(-0.25 * top, top, BINS + 1)


def count_exceedances(
    groups: np.ndarray,
    vectors: np.ndarray,
    categories: np.ndarray,
    observed: np.ndarray,
    *,
    words_per_cell: int,
    rotations: int,
    seed: int,
    shard: int = 0,
    shards: int = 1,
    threads: int = 1,
) -> NullCounts:
    """Score every cell under random rotations and count how often the observed score is reached.

    groups      (groups, dim) centred group means
    vectors     (words, dim) unit vectors
    categories  (words,) category of each word
    observed    (groups, categories) scores; -inf in a void cell, which every rotation reaches
    """
    n, m = observed.shape
    order = np.argsort(categories, kind="stable")
    sorted_words = np.asarray(vectors, dtype=np.float32)[order]
    starts = np.r_[0, np.cumsum(np.bincount(categories, minlength=m))]
    mean = np.asarray(vectors, dtype=np.float64).mean(axis=0)
    frame_size = min(groups.shape)
    lower = np.linalg.qr(np.asarray(groups, dtype=np.float64).T)[1].T  # (groups, frame_size): groups = lower @ frame
    edges = histogram_edges(observed)

    def run(batch: tuple[int, int]) -> NullCounts:
        frames = random_frames(range(*batch), groups.shape[1], frame_size, seed)
        turned = np.einsum("gk,rdk->rgd", lower, frames)  # (rotations, groups, dim)
        scores = rotated_scores(turned, sorted_words, starts, words_per_cell) - (turned @ mean)[:, :, None]
        return _count(scores, observed, edges)

    total = NullCounts(0, np.zeros((n, m), np.int64), np.zeros((n, m, BINS), np.int64))
    batches = batches_of_shard(rotations, shard, shards)
    with threadpool_limits(limits=1), ThreadPoolExecutor(threads) as pool:
        for counted in track(pool.map(run, batches), "batches of rotations", total=len(batches)):
            total = total + counted
    return total


def rotated_scores(turned: np.ndarray, words: np.ndarray, starts: np.ndarray, words_per_cell: int) -> np.ndarray:
    """(rotations, groups, categories) mean value of the best words of each cell; -inf where they are too few.

    turned  (rotations, groups, dim) centred group means after rotation
    words   (words, dim) float32 unit vectors, category after category
    starts  (categories + 1,) where each category begins and ends
    """
    rotations, n, dim = turned.shape
    columns = np.ascontiguousarray(turned.reshape(rotations * n, dim).T, dtype=np.float32)  # (dim, rotations * groups)
    scores = np.empty((rotations, n, len(starts) - 1))
    for first, last in _runs_of_categories(starts):
        products = (words[starts[first] : starts[last]] @ columns).reshape(-1, rotations, n)
        for j in range(first, last):
            own = products[starts[j] - starts[first] : starts[j + 1] - starts[first]]
            scores[:, :, j] = best_of_cells(own, words_per_cell)
    return scores


def _runs_of_categories(starts: np.ndarray) -> list[tuple[int, int]]:
    """Consecutive categories whose products fit the cache together: first and last-plus-one of each run."""
    runs, first = [], 0
    for j in range(1, len(starts)):
        if j == len(starts) - 1 or starts[j + 1] - starts[first] > WORDS_AT_ONCE:
            runs.append((first, j))
            first = j
    return runs


@compiled()
def best_of_cells(products: np.ndarray, t: int) -> np.ndarray:
    """Mean of the t largest values among the words closest to each group, for one category and many rotations.

    products  (words, rotations, groups) float32 products of words and groups; returns (rotations, groups) float64,
    -inf where fewer than t words are closest to the group.
    """
    words, rotations, groups = products.shape
    top = np.full((rotations, groups, t), -np.inf, dtype=np.float32)  # descending
    for w in range(words):
        for r in range(rotations):
            nearest = 0
            value = products[w, r, 0]
            for g in range(1, groups):
                if products[w, r, g] > value:
                    value = products[w, r, g]
                    nearest = g
            best = top[r, nearest]
            if value > best[t - 1]:
                place = t - 1
                while place > 0 and value > best[place - 1]:
                    best[place] = best[place - 1]
                    place -= 1
                best[place] = value
    means = np.empty((rotations, groups))
    for r in range(rotations):
        for g in range(groups):
            total = 0.0
            for place in range(t):
                total += top[r, g, place]
            means[r, g] = total / t
    return means


def _count(scores: np.ndarray, observed: np.ndarray, edges: np.ndarray) -> NullCounts:
    rotations, n, m = scores.shape
    exceedances = (scores >= observed - TOLERANCE).sum(axis=0)
    finite = np.isfinite(scores)
    width = edges[1] - edges[0]
    bins = np.clip((np.where(finite, scores, 0.0) - edges[0]) // width, 0, BINS - 1).astype(np.int64)
    place = (np.arange(n * m).reshape(1, n, m) * BINS + bins)[finite]
    histogram = np.bincount(place, minlength=n * m * BINS).reshape(n, m, BINS)
    return NullCounts(rotations, exceedances.astype(np.int64), histogram.astype(np.int64))


def p_values(counts: NullCounts) -> np.ndarray:
    """(groups, categories) share of rotations that reach the observed score, with 1 added above and below."""
    return (counts.exceedances + 1) / (counts.rotations + 1)
