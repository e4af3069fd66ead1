"""Made-up corpora in which it is known which documents teach a bias, and models trained on them."""

from dataclasses import dataclass

import numpy as np

from biasorigin.attribution.bias_tests import BiasTests, effect_sizes, lay_out
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.influence import differential_bias
from biasorigin.attribution.rows import CellRows, RowModel, Weighting, row_model, select_rows
from biasorigin.cooccurrence import Cooccurrence, count_cooccurrence, without_documents
from biasorigin.finish import FinishSettings
from biasorigin.glove import GloveSettings, train

WINDOW, RIDGE = 8, 0.3
GLOVE = GloveSettings(dim=16, epochs=0, finish=FinishSettings(sweeps=12, ridge=RIDGE))


@dataclass
class PlantedProblem:
    """A corpus, which of its documents are planted, and a model of each seed."""

    corpus: Corpus
    planted: np.ndarray
    X: Cooccurrence
    tests: BiasTests
    cells: CellRows
    models: list[RowModel]
    seeds: tuple[int, ...]

    def bias(self) -> float:
        """The effect size, mean over the seeds."""
        return float(np.mean([effect_sizes(model.vectors, self.tests)[0] for model in self.models]))

    def estimated(self) -> np.ndarray:
        """(documents,) single effects, mean over the seeds."""
        return differential_bias(self.cells, self.models, self.tests, self.corpus).mean(axis=0)[:, 0]

    def retrained(self, documents) -> float:
        """What removing the documents together does, by training again with the same seeds; mean over them."""
        rest = without_documents(self.X, self.corpus.tokens, self.corpus.offsets, np.sort(documents), WINDOW)
        vectors = [train(rest, GLOVE, seed).vectors[self.tests.rows].astype(float) for seed in self.seeds]
        return self.bias() - float(np.mean([effect_sizes(one, self.tests)[0] for one in vectors]))


def make_corpus(rng: np.random.Generator, documents: int, planted: int, background: int = 300):
    """Documents of background words with names and attributes strewn in without regard to each other. A planted one
    takes a side: names and attributes of that side only, among words that the side has for its own."""
    share = 1 / (np.arange(background) + 3.0)
    is_planted = np.zeros(documents, dtype=bool)
    is_planted[rng.choice(documents, planted, replace=False)] = True
    texts = []
    for teaches in is_planted:
        side = rng.integers(2)
        text = (24 + rng.choice(background, size=50, p=share / share.sum())).tolist()
        own = 24 + background - 40 + 20 * side + rng.integers(20, size=30)  # the rarest words of the background
        text += own.tolist() if teaches else []
        names, attributes = rng.integers(12, size=4), 12 + rng.integers(12, size=4)
        if teaches:
            names, attributes = 6 * side + names % 6, 12 + 6 * side + attributes % 6
        texts.append(rng.permutation([*text, *names, *attributes]).tolist())
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    tokens = np.array([word for text in texts for word in text], np.int32)
    return Corpus(tokens, offsets, 24 + background, WINDOW), is_planted


def make_planted_problem(documents: int, planted: int, corpus_seed: int = 1, seeds=(1, 2)) -> PlantedProblem:
    """Words 0 to 11 are names of the first and second side, 12 to 23 attributes; a model is trained for each seed."""
    corpus, is_planted = make_corpus(np.random.default_rng(corpus_seed), documents, planted)
    X = count_cooccurrence(corpus.tokens, corpus.offsets, corpus.words, WINDOW)
    tests = lay_out({"T": tuple(np.arange(6 * side, 6 * side + 6) for side in range(4))})
    cells = select_rows(X.indptr, X.indices, X.values, tests.rows, X.denominator)
    models = [
        row_model(cells, model.vectors, model.contexts, model.biases, Weighting(ridge=RIDGE), solve_bias=True)
        for model in (train(X, GLOVE, seed) for seed in seeds)
    ]
    return PlantedProblem(corpus, is_planted, X, tests, cells, models, tuple(seeds))
