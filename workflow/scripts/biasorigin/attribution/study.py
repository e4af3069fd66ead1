"""Everything that attribution works on, read from its files and checked: corpus, co-occurrences, models, WEAT sets."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import load_array, load_json
from biasorigin.association.weat import WeatSettings, score_tests
from biasorigin.association.words import ROLES, choose_words
from biasorigin.attribution.bias_tests import BiasTests, lay_out
from biasorigin.attribution.document_sets import Corpus
from biasorigin.attribution.rows import CellRows, RowModel, Weighting, row_model, select_rows
from biasorigin.cooccurrence import load_cooccurrence
from biasorigin.embedding import load_embedding
from biasorigin.errors import UserError, listing
from biasorigin.wordsets import Test

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Study:
    """A corpus, the rows of the words of interest, one model per seed, the WEAT sets; `mass` is the sum of all of X."""

    corpus: Corpus
    cells: CellRows
    models: tuple[RowModel, ...]
    seeds: tuple[int, ...]
    tests: BiasTests
    vocabulary: tuple[str, ...]
    mass: float

    @property
    def parts(self) -> tuple[CellRows, tuple[RowModel, ...], BiasTests, Corpus]:
        """What every estimate starts from, in the order in which the functions take it."""
        return self.cells, self.models, self.tests, self.corpus


def check_attributable(path_to_embedding: Path | str, path_to_statistics: Path | str) -> dict:
    """The facts of an embedding whose bias can be traced to documents of this corpus; else an error that says why."""
    folder = Path(path_to_embedding)
    facts, corpus = load_json(folder / "facts.json"), load_json(path_to_statistics)
    if facts.get("kind") != "glove" or not (folder / "contexts.npy").exists():
        raise UserError(
            f"The embedding in {folder} is of kind {facts.get('kind')!r} and has no context vectors and biases, "
            "without which a document's effect cannot be estimated. Use an embedding of kind glove, trained here."
        )
    if facts.get("corpus_fingerprint") != corpus["fingerprint"]:
        raise UserError(
            f"The embedding in {folder} was trained on a corpus with fingerprint {facts.get('corpus_fingerprint')}, "
            f"but this corpus has {corpus['fingerprint']}. Name the corpus that it was trained on, or train it anew."
        )
    return facts


def choose_sets(
    path_to_embeddings: Sequence[Path | str], tests: Sequence[Test], significance: float, wanted: Sequence[str] | None
) -> pl.DataFrame:
    """The WEAT sets that can be attributed in this vocabulary, and which of them are reported on.

    One row per set: effect size (mean, lowest and highest over the seeds), median one-sided p, words used, whether
    the set is thin (some target list keeps under half of its words), `reported` (p below the significance, or named in
    `wanted`), and the vocabulary rows of its four lists.
    """
    embeddings = [load_embedding(path) for path in path_to_embeddings]
    unknown = sorted(set(wanted or ()) - {test.key for test in tests})
    if unknown:
        raise UserError(f"attribution.sets names {listing(unknown)}, which attribution.tests does not hold. Add them.")
    scored = [score_tests(embedding, tests, WeatSettings(bootstrap=0))[0] for embedding in embeddings]
    effect = np.array([table["effect_size"].to_numpy() for table in scored], dtype=float)
    p = np.array([table["p_one_sided"].to_numpy() for table in scored], dtype=float)
    rows = []
    for position, test in enumerate(tests):
        if np.isnan(effect[:, position]).any():
            logger.warning("WEAT set %s is left out: %s", test.key, scored[0]["problem"][position])
            continue
        chosen = choose_words(embeddings[0], test)
        middle = float(np.median(p[:, position]))
        kept = [len(one.rows) / len(given.words) for one, given in zip(chosen.lists[:2], test.targets, strict=True)]
        rows.append(
            {
                "set": test.key,
                "title": test.title,
                "effect_size": float(effect[:, position].mean()),
                "least": float(effect[:, position].min()),
                "most": float(effect[:, position].max()),
                "p": middle,
                "thin": min(kept) < 0.5,
                "reported": test.key in wanted if wanted else middle < significance,
                **{f"{role}_used": len(one.rows) for role, one in zip(ROLES, chosen.lists, strict=True)},
                **{role: one.rows.tolist() for role, one in zip(ROLES, chosen.lists, strict=True)},
            }
        )
    if not rows:
        raise UserError("No WEAT set has enough words in this vocabulary. Use a larger corpus or a lower min_count.")
    table = pl.DataFrame(rows)
    if not table["reported"].any():
        strongest = table.sort("p", "set")["set"][0]
        logger.warning("No WEAT set is significant at %s; the strongest, %s, is reported.", significance, strongest)
        table = table.with_columns(reported=pl.col("set") == strongest)
    return table


def tests_of(sets: pl.DataFrame) -> BiasTests:
    """The sets of a table made by `choose_sets`, laid out."""
    return lay_out(
        {row["set"]: tuple(np.array(row[role], dtype=np.int64) for role in ROLES) for row in sets.to_dicts()}
    )


def load_corpus(path_to_tokens: Path | str, path_to_offsets: Path | str, words: int, window: int) -> Corpus:
    """The tokenised corpus, memory-mapped."""
    return Corpus(load_array(path_to_tokens), np.asarray(load_array(path_to_offsets)), words, window)


def load_study(
    path_to_tokens: Path | str,
    path_to_offsets: Path | str,
    path_to_cooccurrence: Path | str,
    path_to_embeddings: Sequence[Path | str],
    sets: pl.DataFrame,
    estimator: str,
) -> Study:
    """Read a study; the Hessians that had to be regularised are reported by word."""
    first = Path(path_to_embeddings[0])
    facts = load_json(first / "facts.json")
    tests = tests_of(sets)
    cooccurrence = load_cooccurrence(path_to_cooccurrence)
    cells = select_rows(
        cooccurrence.indptr, cooccurrence.indices, cooccurrence.values, tests.rows, cooccurrence.denominator
    )
    weighting = Weighting(float(facts["x_max"]), float(facts["alpha"]), float(facts.get("ridge", 0.0)))
    vocabulary = load_embedding(first).words
    models = []
    for folder in map(Path, path_to_embeddings):
        arrays = (load_array(folder / f"{name}.npy") for name in ("vectors", "contexts", "biases"))
        models.append(row_model(cells, *arrays, weighting, solve_bias=estimator == "resolve_bias"))
    report_regularised(models, cells, vocabulary)
    return Study(
        corpus=load_corpus(path_to_tokens, path_to_offsets, len(vocabulary), int(facts["window"])),
        cells=cells,
        models=tuple(models),
        seeds=tuple(int(load_json(Path(folder) / "facts.json")["seed"]) for folder in path_to_embeddings),
        tests=tests,
        vocabulary=vocabulary,
        mass=float(np.sum(cooccurrence.values)),
    )


def focus(study: Study, keys: Sequence[str]) -> Study:
    """The study of some WEAT sets alone: only their words' rows, so that everything is as much cheaper."""
    tests, chosen = study.tests, [study.tests.position(key) for key in keys]
    rows = np.unique(np.concatenate([tests.words_of(test) for test in chosen]))
    parts = [study.cells.of(row) for row in rows]
    cells = replace(
        study.cells,
        words=study.cells.words[rows],
        indptr=np.concatenate([[0], np.cumsum([part.stop - part.start for part in parts])]).astype(np.int64),
        contexts=np.concatenate([study.cells.contexts[part] for part in parts]),
        counts=np.concatenate([study.cells.counts[part] for part in parts]),
    )
    models = tuple(
        replace(
            model,
            parameters=model.parameters[rows],
            own=model.own[rows],
            whitener=model.whitener[rows],
            added=model.added[rows],
        )
        for model in study.models
    )
    words = tests.rows[tests.members]
    alone = {
        tests.keys[test]: tuple(words[first:last] for first, last in pairwise(tests.bounds[test])) for test in chosen
    }
    return replace(study, cells=cells, models=models, tests=lay_out(alone))


def report_regularised(models: Sequence[RowModel], cells: CellRows, vocabulary: Sequence[str]) -> list[str]:
    """Log, and return, the words whose Hessian was singular: fewer contexts than dimensions, and no ridge."""
    singular = np.flatnonzero(np.max([model.added for model in models], axis=0) > 0)
    words = [vocabulary[cells.words[row]] for row in singular]
    if words:
        contexts = [
            f"{word} ({int(np.diff(cells.indptr)[row])} contexts)" for word, row in zip(words, singular, strict=True)
        ]
        logger.warning(
            "The Hessian of %d words is singular and was regularised, so their effects are rough: %s. "
            "Train with finish.sweeps of 1 or more, which adds a ridge, or raise min_count.",
            len(words),
            listing(contexts, 50),
        )
    return words
