"""Analogies that an embedding draws by itself: he is to x as she is to y (Bolukbasi et al. 2016, eq. 1)."""

import heapq
from dataclasses import dataclass

import numba
import numpy as np
import polars as pl

from biasorigin.errors import UserError
from biasorigin.progress import track

_ROWS_PER_BLOCK = 1024
_KEPT = 8  # best partners remembered for each left word; more are worked out when all of them are taken


@dataclass(frozen=True)
class Projected:
    """Words in descending order of their projection, so that a left word's partners all come after it.

    order        (words,) place in the caller's order; unit: (words, dim) float32 unit rows; along: (words,) projections
    """

    order: np.ndarray
    unit: np.ndarray
    along: np.ndarray


def generate_analogies(
    words: list[str], unit: np.ndarray, direction: np.ndarray, *, most_distance: float = 1.0, count: int = 1000
) -> pl.DataFrame:
    """The best `count` pairs (left, right) by S = (a - b)·d / ‖a - b‖ with ‖a - b‖ ≤ most_distance.

    unit       (words, dim) unit rows; direction: (dim,) of length 1, pointing from the right word's to the left's
    Pairs are taken in descending order of score; each left word and each right word is used once.
    Memory grows with the vocabulary, not with its square. Columns: rank, left, right, score, distance.
    """
    if not most_distance > 0:
        raise UserError(f"The largest distance within an analogy must be positive; found {most_distance}.")
    along = unit @ direction
    order = np.argsort(-along, kind="stable")
    ordered = Projected(order, np.ascontiguousarray(unit[order], np.float32), along[order])
    scores, partners = best_partners(ordered, most_distance)
    taken = take_greedily(ordered, scores, partners, most_distance, count)
    distances = [float(np.linalg.norm(ordered.unit[a] - ordered.unit[b])) for a, b, _ in taken]
    return pl.DataFrame(
        {
            "rank": np.arange(1, len(taken) + 1, dtype=np.int64),
            "left": [words[order[a]] for a, _, _ in taken],
            "right": [words[order[b]] for _, b, _ in taken],
            "score": np.array([score for _, _, score in taken], np.float64),
            "distance": np.array(distances, np.float64),
        }
    )


def best_partners(ordered: Projected, most_distance: float) -> tuple[np.ndarray, np.ndarray]:
    """(words, kept) best scores of each left word, descending, and the places of the right words (-1 for none)."""
    total = len(ordered.along)
    scores = np.full((total, _KEPT), -np.inf)
    partners = np.full((total, _KEPT), -1, np.int64)
    free = np.ones(total, np.bool_)
    for start in track(range(0, total, _ROWS_PER_BLOCK), "blocks of analogies"):
        stop = min(start + _ROWS_PER_BLOCK, total)
        cosines = ordered.unit[start:stop] @ ordered.unit[start:].T  # (block, words from the block on)
        _best_in_block(cosines, ordered.along, start, most_distance, free, scores[start:stop], partners[start:stop])
    return scores, partners


def take_greedily(
    ordered: Projected, scores: np.ndarray, partners: np.ndarray, most_distance: float, count: int
) -> list[tuple[int, int, float]]:
    """The best pair of all, then the best of those whose words are still free on their side, and so on."""
    free = np.ones(len(scores), np.bool_)
    heap = [(-scores[left, 0], left, 0) for left in range(len(scores)) if partners[left, 0] >= 0]
    heapq.heapify(heap)
    taken: list[tuple[int, int, float]] = []
    while heap and len(taken) < count:
        negative, left, place = heapq.heappop(heap)
        right = partners[left, place]
        if free[right]:
            free[right] = False
            taken.append((left, int(right), -float(negative)))
            continue
        place += 1
        if place == _KEPT:
            cosines = (ordered.unit[left] @ ordered.unit[left:].T)[None, :]
            scores[left], partners[left], place = -np.inf, -1, 0
            _best_in_block(
                cosines, ordered.along, left, most_distance, free, scores[left : left + 1], partners[left : left + 1]
            )
        if partners[left, place] >= 0:
            heapq.heappush(heap, (-scores[left, place], left, place))
    return taken


@numba.njit(cache=True, parallel=True)
def _best_in_block(cosines, along, start, most_distance, free, scores, partners):
    """Write the best free partners of each row of a block of left words that begins at `start`."""
    rows, columns = cosines.shape
    for i in numba.prange(rows):
        left = start + i
        for j in range(i + 1, columns):
            right = start + j
            if not free[right]:
                continue
            squared = 2.0 - 2.0 * cosines[i, j]
            if squared > most_distance * most_distance or squared < 1e-6:
                continue
            score = (along[left] - along[right]) / np.sqrt(squared)
            if score <= scores[i, -1]:
                continue
            place = scores.shape[1] - 1
            while place > 0 and score > scores[i, place - 1]:
                scores[i, place] = scores[i, place - 1]
                partners[i, place] = partners[i, place - 1]
                place -= 1
            scores[i, place] = score
            partners[i, place] = right
