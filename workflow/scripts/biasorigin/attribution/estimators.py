"""Every way to estimate what a removal does, side by side.

influence     the published formula: old Hessian, old bias (Brunet et al. 2019, eq. 12)
resolve       the word's row solved again with the Hessian of what is left; its bias held fixed
resolve_bias  the same with the bias solved for too, as the trainer's last step does
sum           sum of the documents' single effects (by the study's own estimator)
ppmi          the change of a WEAT on positive pointwise mutual information; no embedding needed
count         how often the set's words occur in the documents; has no sign
continued     the trained model taken a few finishing sweeps further on the reduced counts: all contexts move
              (made where the retraining is made, because it needs the whole reduced matrix)
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from biasorigin.attribution.baselines import count_words, ppmi_effect_sizes
from biasorigin.attribution.document_sets import remove_documents, removed_cells, rest_of
from biasorigin.attribution.study import Study
from biasorigin.progress import track

ESTIMATORS = ("influence", "resolve", "resolve_bias")
BASELINES = ("sum", "ppmi", "count")
UNSCALED = ("ppmi", "count")  # not effects on the WEAT of the embedding, so their size means nothing beside it


def estimate_removals(plan: pl.DataFrame, studies: Mapping[str, Study], effects: np.ndarray) -> pl.DataFrame:
    """Estimates for each removal, seed and set: removal, seed, set, before, one column per estimator and baseline.

    studies  one per entry of ESTIMATORS; effects (seeds, documents, sets) single effects
    """
    study = next(iter(studies.values()))
    words = count_words(study.corpus, study.tests)
    full = ppmi_effect_sizes(study.cells, study.cells.counts, study.mass, study.tests)
    parts = []
    for row in track(plan.to_dicts(), "Estimates of removals"):
        documents = np.array(row["documents"], dtype=np.int64)
        removals = {name: remove_documents(*one.parts, documents, name) for name, one in studies.items()}
        rest = rest_of(study.cells, removed_cells(study.cells, study.corpus, documents))
        ppmi = full - ppmi_effect_sizes(study.cells, rest, study.mass, study.tests)
        for position, seed in enumerate(study.seeds):
            parts.append(
                pl.DataFrame(
                    {
                        "removal": [row["removal"]] * len(study.tests.keys),
                        "seed": [seed] * len(study.tests.keys),
                        "set": list(study.tests.keys),
                        "before": next(iter(removals.values())).before[position],
                        **{name: removal.effect[position] for name, removal in removals.items()},
                        "sum": effects[position, documents].sum(axis=0),
                        "ppmi": ppmi,
                        "count": words[documents].sum(axis=0).astype(np.float64),
                        "emptied": [len(next(iter(removals.values())).emptied)] * len(study.tests.keys),
                    }
                )
            )
    return pl.concat(parts)
