"""A made-up study for the explorer: every stage's tables in their real form, with numbers out of a generator."""

from pathlib import Path

import numpy as np
import polars as pl

from biasorigin.artefacts import save_array, save_json, save_table
from biasorigin.association.words import ROLES
from biasorigin.embedding import Embedding, save_embedding
from biasorigin.mitigation.summary import over_seeds

HOSTILE = (
    """He said "it's <script>alert('no')</script> & <b>bold</b>" to his wife; career &lt;br&gt; """
    "\u2028 <!-- end --> </script>"
)
SETS = {"H": "Family against career", "J": "Arts against science", "C7": "Arts against mathematics"}
WORDS = {
    "H": (["he", "john"], ["she", "amy"], ["career", "salary"], ["family", "home"]),
    "J": (["he", "man"], ["she", "woman"], ["science", "logic"], ["art", "novel"]),
    "C7": (["math", "logic"], ["art", "poetry"], ["he", "man"], ["she", "woman"]),
}
TITLES = ["First people", "Second people", "First ideas", "Second ideas"]
OTHERS = ["the", "film", "a", "was", "of", "and", "to", "with", "story", "wife"]
VOCABULARY = [*dict.fromkeys(word for lists in WORDS.values() for own in lists for word in own), *OTHERS]
SEEDS = (1, 2, 3)
STAGES = ("association", "enumeration", "attribution", "mitigation", "scorecard")


def make_study(
    folder: Path, documents: int = 400, length: int = 40, stages: tuple[str, ...] = STAGES
) -> tuple[dict, dict]:
    """Write the tables below the folder; give the `study` and `paths` that build_explorer takes.

    stages  those that are part of the study, beside corpus and embeddings
    """
    rng = np.random.default_rng(1)
    paths: dict = {"corpora": {}, "embeddings": {}}
    _corpus(folder, paths, documents, length, rng)
    for name, seeds in (("trained", SEEDS), ("published", (0,))):
        paths["embeddings"][name] = [_embedding(folder / name / f"seed-{seed}", rng) for seed in seeds]
    makers = {
        "association": _association,
        "enumeration": _enumeration,
        "attribution": _attribution,
        "mitigation": _mitigation,
        "scorecard": _scorecard,
    }
    for stage in stages:
        makers[stage](folder / stage, paths, documents, rng)
    study = {
        "title": "A made-up study",
        "corpora": {"talk": {"title": "Small talk", "lowercase": True}},
        "embeddings": {
            "trained": {"title": "GloVe, small talk", "kind": "glove", "corpus": "talk"},
            "published": {"title": "Published vectors", "kind": "pretrained", "corpus": None},
        },
        "estimator": "resolve_bias",
        "repaired": {"trained": "GloVe, small talk"},
        "tests_of_bias": ["H", "J"],
        "settings": [["Seeds", "1, 2, 3"], ["Hostile setting", "<script>alert(1)</script>"]],
    }
    return study, paths


def word_sets() -> str:
    """The tests of the made-up study in the form of a word-set file."""
    lines = ["source: Nobody 2020, Made-up lists", "lists:"]
    for key, lists in WORDS.items():
        for number, own in enumerate(lists):
            lines.append(f"  l{key}{number}: {{title: {TITLES[number]}, words: [{', '.join(own)}]}}")
    lines.append("tests:")
    for key, title in SETS.items():
        lines.append(f"  {key}: {{title: {title}, targets: [l{key}0, l{key}1], attributes: [l{key}2, l{key}3]}}")
    return "\n".join(lines) + "\n"


def _corpus(folder: Path, paths: dict, documents: int, length: int, rng) -> None:
    vocabulary = np.array(VOCABULARY)
    draws = rng.integers(0, len(vocabulary), size=(documents, length))
    texts = [" ".join(words) for words in vocabulary[draws]]
    texts[1] = HOSTILE
    ids = [f"doc-{number:06d}" for number in range(documents)]
    ids[1] = """<img src=x onerror="alert('id')">"""
    table = pl.DataFrame(
        {
            "id": ids,
            "text": texts,
            "label": [("neg", "pos", '"><b>odd</b>')[number % 3] for number in range(documents)],
            "title": [f"Title <i>{number}</i>" for number in range(documents)],
            "words": np.full(documents, length, dtype=np.int64),
            "kept": np.full(documents, length, dtype=np.int64),
        }
    )
    paths["corpora"]["talk"] = str(folder / "corpus" / "documents.parquet")
    save_table(paths["corpora"]["talk"], table)
    paths["corpus_table"] = str(folder / "corpus" / "table_1.tsv")
    sizes = {"corpus": ["talk"], "title": ["Small talk"], "documents": [documents], "tokens": [documents * length]}
    save_table(
        paths["corpus_table"], pl.DataFrame({**sizes, "vocabulary": [len(VOCABULARY)], "share_of_tokens": [0.97]})
    )


def _embedding(folder: Path, rng) -> str:
    vectors = rng.normal(size=(len(VOCABULARY), 8)).astype(np.float32)
    counts = np.arange(len(VOCABULARY), 0, -1)
    save_embedding(folder, Embedding(tuple(VOCABULARY), vectors, counts, False, {"kind": "glove"}))
    return str(folder)


def _association(folder: Path, paths: dict, documents: int, rng) -> None:
    rows, words = [], []
    for embedding in ("trained", "published"):
        for number, (key, title) in enumerate(SETS.items()):
            d = 1.4 - 0.8 * number
            made = embedding == "trained" or key != "J"
            numbers = {"effect_size": d, "low": d - 0.4, "high": d + 0.3, "p_one_sided": 0.01 * 5**number}
            numbers |= {"least": d - 0.1, "most": d + 0.1, "q_largest": 0.02 * 5**number}
            row = numbers if made else dict.fromkeys(numbers)
            rows.append(
                {
                    "embedding": embedding,
                    "test": key,
                    "title": title,
                    **row,
                    "problem": None if made else "Too few words.",
                }
            )
            for role, own in zip(ROLES, WORDS[key], strict=True):
                for word in [*own, "unheard"]:
                    fate = "missing" if word == "unheard" else "used" if made else "unused"
                    words.append((embedding, key, role, role, word, fate, 5))
    paths["association"] = {name: str(folder / f"{name}.parquet") for name in ("summary", "words")}
    save_table(paths["association"]["summary"], pl.DataFrame(rows, infer_schema_length=None))
    names = ["embedding", "test", "role", "list", "word", "fate", "count"]
    save_table(paths["association"]["words"], pl.DataFrame(words, schema=names, orient="row"))


def _enumeration(folder: Path, paths: dict, documents: int, rng) -> None:
    groups = pl.DataFrame(
        {
            "label": ["F1", "F2"],
            "examples": ["Amy, Joan", "John, Paul"],
            "names": [12, 10],
            "female": [0.98, 0.02],
            "year": [1960.4, 1955.0],
            "white": [0.8, 0.7],
            "black": [0.1, 0.2],
        }
    )
    cells = pl.DataFrame(
        [
            (f"C{c}", "one, two", group, f"word{c}, other", 0.05 * c, 0.001 * c, c == 1 and group == "F1")
            for c in range(1, 5)
            for group in ("F1", "F2")
        ],
        schema=["category", "category_examples", "group", "words", "score", "p", "significant"],
        orient="row",
    )
    own = {name: str(folder / f"{name}.parquet") for name in ("groups", "cells")} | {"summary": str(folder / "s.json")}
    save_table(own["groups"], groups)
    save_table(own["cells"], cells)
    save_json(
        own["summary"], {"title": "Published vectors, first names", "rotations": 1000, "alpha": 0.05, "significant": 1}
    )
    paths["enumeration"] = {"names": own}


def _attribution(folder: Path, paths: dict, documents: int, rng) -> None:
    index = {word: row for row, word in enumerate(VOCABULARY)}
    effects = rng.normal(scale=0.01, size=(len(SEEDS), documents, len(SETS))) ** 3 * 1e3
    effects[:, 1, 0] = 0.5  # the hostile document comes first for H
    effects[:, 2, :] = 0.0  # one without any effect
    sets = pl.DataFrame(
        [
            {
                "set": key,
                "title": title,
                "effect_size": 1.2,
                "reported": key != "C7",
                **{role: [index[word] for word in own] for role, own in zip(ROLES, WORDS[key], strict=True)},
            }
            for key, title in SETS.items()
        ]
    )
    document = """<img src=x onerror="alert('id')">"""
    explanations = pl.DataFrame(
        {
            "set": ["H"] * 2,
            "document": [document] * 2,
            "word": ["he", "career"],
            "context": ["wife", "to"],
            "contribution": [0.4, 0.1],
        }
    )
    curves = pl.DataFrame(
        [
            (key, order, n, seed, 1.2 - (0.3 if order == "worst" else 0.01) * np.log1p(n) / 3 + 0.02 * seed)
            for key in ("H", "J")
            for order in ("worst", "random")
            for n in (0, 1, 2, 5, 10, 20, 50, 100)
            for seed in SEEDS
        ],
        schema=["set", "order", "removed", "seed", "effect_size"],
        orient="row",
    )
    comparison = pl.DataFrame(
        [
            {"removal": f"{target}-{kind}-{n}", "target": target, "kind": kind, "documents": n, "set": key,
             "seed": seed, "before": 1.2, "after": 1.2 - 0.002 * n, "resolve_bias": 0.0025 * n}
            for target, kind in (("H", "raising"), ("all", "raising"), (None, "random"))
            for n in (30, 100)
            for key in ("H", "J")
            for seed in (1, 2)
        ],
        infer_schema_length=None,
    )  # fmt: skip
    agreement = pl.DataFrame(
        [{"scope": "targeted", "estimator": "resolve_bias", "pairs": 24, "removals": 6, "r2": 0.91, "r2_low": 0.8,
          "r2_high": 0.97, "slope": 0.8, "slope_low": 0.7, "slope_high": 0.9, "sign": 1.0}]
    )  # fmt: skip
    concentration = pl.DataFrame(
        {"set": ["H", "J"], "documents": [documents] * 2, "top_1_percent": [0.3, 0.4], "half": [20, 30]}
    )
    kinds = pl.DataFrame(
        {"set": ["H", "H"], "kind": ["topic", "sentiment"], "feature": ["topic 1: <b>war</b>", "sentiment"],
         "top": [0.2, 0.0], "matched": [0.1, 0.01], "effect": [0.4, -0.1], "q": [0.001, 0.4],
         "n_top": [4, 4], "n_matched": [20, 20]}
    )  # fmt: skip
    topics = pl.DataFrame({"topic": [f"topic {number % 2}: war" for number in range(documents)]})
    tables = {"kinds": kinds, "document_topics": topics, "sets": sets,
              "explanations": explanations, "curves": curves, "comparison": comparison,
              "agreement": agreement, "concentration": concentration}  # fmt: skip
    own = {name: str(folder / f"{name}.parquet") for name in tables}
    for name, table in tables.items():
        save_table(own[name], table)
    own["effects"] = str(folder / "effects.npy")
    save_array(own["effects"], effects)
    paths["attribution"] = {"trained": own}


def _mitigation(folder: Path, paths: dict, documents: int, rng) -> None:
    versions = (("none", "as it was", 1.2, 0.6), ("sdp", "SDP", 0.5, 0.59), ("hard", "Hard", 0.3, 0.57))
    rows = [
        {"method": method, "title": title, "seed": seed, "instrument": instrument, "key": key, "value": value,
         "low": value - 0.1, "high": value + 0.1, "n": 16, "problem": None}
        for method, title, d, quality in versions
        for seed in SEEDS
        for instrument, key, value in (
            ("weat", "H", d), ("weat", "J", d - 0.1), ("cluster", "he_she", 0.9), ("quality", "ws353", quality)
        )
    ]  # fmt: skip
    paths["mitigation"] = {"remaining": str(folder / "remaining.parquet")}
    audit = pl.DataFrame(rows, infer_schema_length=None).with_columns(embedding=pl.lit("trained"))
    save_table(paths["mitigation"]["remaining"], over_seeds(audit))


def _scorecard(folder: Path, paths: dict, documents: int, rng) -> None:
    table = pl.DataFrame({"paper": ["UBE", "UBE", "Domains"], "status": ["reproduced", "differs", "other data"]})
    paths["scorecard"] = str(folder / "scorecard.parquet")
    save_table(paths["scorecard"], table)
