"""On made-up corpora whose biasing documents are known, these rank on top; and removing them takes the bias away."""

import numpy as np
import pytest

from biasorigin.attribution.bias_tests import effect_sizes, lay_out
from biasorigin.attribution.document_sets import Corpus, remove_documents
from biasorigin.attribution.influence import differential_bias
from biasorigin.attribution.rows import Weighting, row_model, select_rows
from biasorigin.cooccurrence import count_cooccurrence, without_documents
from biasorigin.finish import FinishSettings
from biasorigin.glove import GloveSettings, train

DIM, WINDOW, RIDGE = 16, 8, 0.3


def make_corpus(rng, documents=1500, planted=75, background=300):
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


@pytest.fixture(scope="module")
def planted_study():
    """A corpus of 1,500 documents, 75 of them planted, and models of two seeds."""
    corpus, planted = make_corpus(np.random.default_rng(1))
    X = count_cooccurrence(corpus.tokens, corpus.offsets, corpus.words, WINDOW)
    # Words 0 to 11 are names of the first and second side, 12 to 23 attributes.
    tests = lay_out({"T": tuple(np.arange(6 * side, 6 * side + 6) for side in range(4))})
    cells = select_rows(X.indptr, X.indices, X.values, tests.rows, X.denominator)
    glove = GloveSettings(dim=DIM, epochs=0, finish=FinishSettings(sweeps=12, ridge=RIDGE))
    models = [
        row_model(cells, model.vectors, model.contexts, model.biases, Weighting(ridge=RIDGE), solve_bias=True)
        for model in (train(X, glove, seed) for seed in (1, 2))
    ]
    return corpus, X, tests, cells, glove, models, planted


def single_effects(corpus, tests, cells, models):
    return differential_bias(cells, models, tests, corpus).mean(axis=0)[:, 0]


def test_planted_documents_rank_on_top(planted_study):
    corpus, _, tests, cells, _, models, planted = planted_study
    assert all(effect_sizes(model.vectors, tests)[0] > 0.5 for model in models)
    effects = single_effects(corpus, tests, cells, models)
    order = np.argsort(-effects)
    precision = {k: planted[order[:k]].mean() for k in (10, 25, 75)}  # by chance 0.05
    assert precision[10] >= 0.9 and precision[25] >= 0.8 and precision[75] >= 0.4
    assert effects[planted].mean() > 5 * abs(effects[~planted].mean())


def test_the_estimate_agrees_with_retraining(planted_study):
    corpus, X, tests, cells, glove, models, planted = planted_study
    order = np.argsort(-single_effects(corpus, tests, cells, models))
    random = np.random.default_rng(0).choice(corpus.documents, 60, replace=False)
    for documents in (order[:10], order[:30], order[:60], order[-60:], random):
        estimated = remove_documents(cells, models[:1], tests, corpus, documents).effect[0, 0]
        rest = without_documents(X, corpus.tokens, corpus.offsets, np.sort(documents), WINDOW)
        vectors = train(rest, glove, 1).vectors[tests.rows].astype(float)
        retrained = effect_sizes(models[0].vectors, tests)[0] - effect_sizes(vectors, tests)[0]
        assert retrained == pytest.approx(estimated, abs=0.1)
    assert planted[order[:60]].mean() > 0.4
