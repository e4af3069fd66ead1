"""How good an embedding is apart from its bias: word similarity and analogy benchmarks, with intervals."""

from biasorigin.quality.benchmarks import BENCHMARKS, Analogies, Similarity, load_benchmark
from biasorigin.quality.measure import COLUMNS, Settings, measure_quality, summarise_seeds

__all__ = [
    "BENCHMARKS",
    "COLUMNS",
    "Analogies",
    "Settings",
    "Similarity",
    "load_benchmark",
    "measure_quality",
    "summarise_seeds",
]
