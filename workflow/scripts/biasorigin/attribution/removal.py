"""Mitigation by removal: the fewest documents whose removal lowers several biases at once by a wanted share.

Which documents, in which order? Documents are sorted by a weighted sum of their single effects, each as a share of
its set's bias; for a given order, the fewest documents that reach every goal are found by bisection on the estimate
for the whole list (`remove_documents`, not the sum of single effects). Then the weight of the sets that were hardest
to reach is raised and the order made anew; the best order, that of `set_by_set` among them, wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from biasorigin.errors import UserError

Estimate = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Choice:
    """Documents to remove, worst first, and the effect sizes (sets,) before and after by the estimate."""

    documents: np.ndarray
    before: np.ndarray
    after: np.ndarray
    reached: bool


def choose_documents(
    effects: np.ndarray, before: np.ndarray, estimate: Estimate, *, reduction: float, most: int, rounds: int = 6
) -> Choice:
    """Choose documents so that every set's effect size falls to (1 − reduction) of what it was, or below.

    effects   (documents, sets) single effects; before (sets,) effect sizes, all positive
    estimate  gives the effect sizes (sets,) without a list of documents
    most      give up beyond this many documents, and return the best list of that length
    """
    if not 0 < reduction <= 1:
        raise UserError(f"A reduction of {reduction} cannot be aimed at; give a share above 0 and at most 1.")
    if np.any(before <= 0):
        raise UserError("Only biases above 0 can be reduced by removing documents; leave the other sets out.")
    goal = (1.0 - reduction) * before
    relative = effects / before
    weights = np.ones(len(before))
    best = set_by_set(effects, before, estimate, reduction=reduction, most=most)
    for _ in range(rounds):
        choice = fewest(order_of(relative, weights), before, goal, estimate, most)
        if _is_better(choice, best, goal):
            best = choice
        # Raise the weight of what lags behind: multiplicative weights on the shortfall at 90 % of the list.
        trial = estimate(choice.documents[: max(1, (9 * len(choice.documents)) // 10)])
        lag = (trial - goal) / before
        weights *= np.exp(4.0 * (lag - lag.mean()))
        weights /= weights.mean()
    return best


def order_of(relative: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Documents whose weighted sum of relative effects is above 0, largest first."""
    score = relative @ weights
    order = np.argsort(-score, kind="stable")
    return order[score[order] > 0]


def fewest(order: np.ndarray, before: np.ndarray, goal: np.ndarray, estimate: Estimate, most: int) -> Choice:
    """The shortest head of the order that reaches the goal, by doubling and then bisection."""
    most = min(most, len(order))
    low, high = 0, min(16, most)
    after = estimate(order[:high])
    while np.any(after > goal) and high < most:
        low, high = high, min(2 * high, most)
        after = estimate(order[:high])
    if np.any(after > goal):
        return Choice(order[:most], before, after, reached=False)
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        trial = estimate(order[:middle])
        if np.any(trial > goal):
            low = middle
        else:
            high, after = middle, trial
    return Choice(order[:high], before, after, reached=True)


def _is_better(one: Choice, other: Choice, goal: np.ndarray) -> bool:
    if one.reached != other.reached:
        return one.reached
    if one.reached:
        return len(one.documents) < len(other.documents)
    return np.max((one.after - goal) / one.before) < np.max((other.after - goal) / other.before)


def set_by_set(effects: np.ndarray, before: np.ndarray, estimate: Estimate, *, reduction: float, most: int) -> Choice:
    """The plain way, for comparison: the top n documents of each set, for the smallest n that reaches every goal."""
    goal = (1.0 - reduction) * before
    orders = [np.argsort(-column, kind="stable")[: (column > 0).sum()] for column in effects.T]
    rank = np.full(effects.shape, np.iinfo(np.int64).max)
    for column, order in enumerate(orders):
        rank[order, column] = np.arange(len(order))
    first = rank.min(axis=1)
    order = np.argsort(first, kind="stable")
    return fewest(order[first[order] < np.iinfo(np.int64).max], before, goal, estimate, most)


def curve_sizes(most: int) -> list[int]:
    """Numbers of documents at which removal is traced: 0, 1, 3, 10, 30, ... up to `most`."""
    sizes: Sequence[int] = [0] + [step * 10**power for power in range(9) for step in (1, 3)]
    return [size for size in sizes if size < most] + [most]
