"""On made-up corpora whose biasing documents are known, these rank on top; and removing them takes the bias away.

benchmarks/planted.py compares the ranking with that by leaving out every single document and training again.
"""

import numpy as np
import pytest
from planted_problem import make_planted_problem

from biasorigin.attribution.document_sets import remove_documents


def test_planted_documents_rank_on_top():
    problem = make_planted_problem(1500, 20, corpus_seed=2)
    assert 0.5 < problem.bias() < 1.5  # far from the most that lists of six allow, 1.91, where no document counts much
    effects = problem.estimated()
    order = np.argsort(-effects)
    precision = {k: problem.planted[order[:k]].mean() for k in (10, 20)}  # by chance 0.013
    assert precision[10] == 1.0 and precision[20] >= 0.9
    assert effects[problem.planted].min() > 0
    assert effects[problem.planted].mean() > 50 * abs(effects[~problem.planted].mean())


def test_the_estimate_agrees_with_retraining():
    problem = make_planted_problem(1500, 75, seeds=(1,))
    order = np.argsort(-problem.estimated())
    random = np.random.default_rng(0).choice(len(order), 60, replace=False)
    for documents in (order[:10], order[:30], order[:60], order[-60:], random):
        removal = remove_documents(problem.cells, problem.models, problem.tests, problem.corpus, documents)
        assert problem.retrained(documents) == pytest.approx(removal.effect[:, 0].mean(), abs=0.1)
    assert problem.planted[order[:25]].mean() > 0.9  # by chance 0.05
