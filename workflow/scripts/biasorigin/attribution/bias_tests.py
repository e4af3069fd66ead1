"""WEAT tests laid out as arrays, so that all of them can be evaluated at once on a few moved words."""

from dataclasses import dataclass

import numpy as np

from biasorigin.compiled import compiled
from biasorigin.errors import UserError, listing


@dataclass(frozen=True)
class BiasTests:
    """Several WEAT tests over the distinct words that they use.

    keys     one per test
    rows     (words,) int64 vocabulary rows of the distinct words, ascending
    members  (slots,) int64 positions in `rows`; a test's S, T, A and B stand one after the other
    bounds   (tests, 5) int64: S = members[b0:b1], T = [b1:b2], A = [b2:b3], B = [b3:b4]
    """

    keys: tuple[str, ...]
    rows: np.ndarray
    members: np.ndarray
    bounds: np.ndarray

    def words_of(self, test: int) -> np.ndarray:
        """Positions in `rows` of the words of a test, ascending, each once."""
        return np.unique(self.members[self.bounds[test, 0] : self.bounds[test, 4]])

    def position(self, key: str) -> int:
        """Where the test of this key stands."""
        if key not in self.keys:
            raise UserError(f"There is no WEAT set {key!r} here; known are {listing(list(self.keys))}.")
        return self.keys.index(key)


def lay_out(tests: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]) -> BiasTests:
    """Lay tests out, given for each key the vocabulary rows of S, T, A and B (targets, then attributes)."""
    if not tests:
        raise UserError("No WEAT set is left to attribute: none has enough words in this vocabulary.")
    rows = np.unique(np.concatenate([np.concatenate(sides) for sides in tests.values()])).astype(np.int64)
    members, bounds, start = [], [], 0
    for key, sides in tests.items():
        sizes = [len(side) for side in sides]
        if min(sizes[:2]) < 2 or min(sizes[2:]) < 1:
            raise UserError(
                f"WEAT set {key}: found {sizes} words for its targets and attributes; differential bias needs at "
                "least two words for each target and one for each attribute. Leave the set out."
            )
        members += [np.searchsorted(rows, side) for side in sides]
        bounds.append(start + np.concatenate([[0], np.cumsum(sizes)]))
        start = bounds[-1][-1]
    return BiasTests(tuple(tests), rows, np.concatenate(members).astype(np.int64), np.array(bounds, dtype=np.int64))


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """(words, dim) vectors scaled to length 1; a zero vector stays zero.

    ASSUME a word that lost all its co-occurrences has no direction: its cosine with anything is 0.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def effect_sizes(vectors: np.ndarray, tests: BiasTests) -> np.ndarray:
    """(tests,) WEAT effect sizes of vectors (words, dim) in the order of `tests.rows`; standard deviation with ddof 1.

    The mean cosine to a list is the dot product with the mean of its unit vectors, so one vector per test
    (mean of A minus mean of B) stands for all its attributes. Reference: Caliskan et al. 2017; METHODS 3.
    """
    unit = unit_rows(np.asarray(vectors, dtype=np.float64))
    return np.array([effect_size_of(unit, tests.members, bounds) for bounds in tests.bounds])


@compiled()
def effect_size_of(unit: np.ndarray, members: np.ndarray, bounds: np.ndarray) -> float:
    """The WEAT effect size of one test on unit vectors (words, dim); 0 if all targets are associated alike."""
    dim = unit.shape[1]
    axis = np.zeros(dim)  # mean of A minus mean of B
    for slot in range(bounds[2], bounds[3]):
        for k in range(dim):
            axis[k] += unit[members[slot], k] / (bounds[3] - bounds[2])
    for slot in range(bounds[3], bounds[4]):
        for k in range(dim):
            axis[k] -= unit[members[slot], k] / (bounds[4] - bounds[3])
    association = np.empty(bounds[2] - bounds[0])
    for target in range(association.size):
        total = 0.0
        for k in range(dim):
            total += unit[members[bounds[0] + target], k] * axis[k]
        association[target] = total
    return standardised_difference(association, bounds[1] - bounds[0])


@compiled()
def standardised_difference(association: np.ndarray, first: int) -> float:
    """Mean of the first entries minus mean of the rest, over the standard deviation of all (ddof 1)."""
    size = association.size
    mean_first, mean_second = 0.0, 0.0
    for k in range(size):
        if k < first:
            mean_first += association[k] / first
        else:
            mean_second += association[k] / (size - first)
    mean = (mean_first * first + mean_second * (size - first)) / size
    spread = 0.0
    for k in range(size):
        spread += (association[k] - mean) ** 2
    deviation = np.sqrt(spread / (size - 1))
    return (mean_first - mean_second) / deviation if deviation > 0 else 0.0


def effect_size_gradient(vectors: np.ndarray, tests: BiasTests, test: int) -> np.ndarray:
    """(words, dim) derivative of one test's effect size by each word's vector; zero for words outside the test."""
    lengths = np.linalg.norm(vectors, axis=1)
    unit = unit_rows(vectors)
    s0, s1, s2, s3, s4 = tests.bounds[test]
    targets, members = tests.members[s0:s2], tests.members
    weight_a = np.zeros(len(vectors))
    np.add.at(weight_a, members[s2:s3], 1 / (s3 - s2))
    np.add.at(weight_a, members[s3:s4], -1 / (s4 - s3))
    axis = weight_a @ unit  # (dim,)
    association = unit[targets] @ axis
    size, first = s2 - s0, s1 - s0
    sign = np.where(np.arange(size) < first, 1 / first, -1 / (size - first))
    deviation = association.std(ddof=1)
    if deviation == 0:
        return np.zeros_like(vectors)
    value = sign @ association / deviation
    by_association = (sign - value * (association - association.mean()) / ((size - 1) * deviation)) / deviation
    by_unit = weight_a[:, None] * (by_association @ unit[targets])[None, :]  # through the attributes
    np.add.at(by_unit, targets, by_association[:, None] * axis[None, :])  # through the targets
    tangent = by_unit - np.sum(by_unit * unit, axis=1, keepdims=True) * unit
    return np.divide(tangent, lengths[:, None], out=np.zeros_like(tangent), where=lengths[:, None] > 0)
