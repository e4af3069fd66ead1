"""A corpus that cannot be used is one clear line, and what was there before stays."""

import json
import sys

import pytest

from build_vocabulary import build_vocabulary
from entry import run
from read_documents import read_documents
from tokenise_documents import tokenise_documents

TOKENIZER = {"lowercase": True, "apostrophes": "keep", "punctuation": "drop", "digits": "keep"}


def lines(*documents):
    return b"".join(json.dumps({"id": str(n), "text": text}).encode() + b"\n" for n, text in enumerate(documents))


GOOD = lines(*["the cat saw the dog and the bird"] * 5)


def make(folder, documents, fraction=1.0, length=(1, None), min_count=1):
    """The corpus stage without Snakemake, each step with its log, as the rules call it."""
    (folder / "mine.jsonl").write_bytes(documents)
    log = [str(folder / "log")]
    settings = {
        "format": "jsonl",
        "reader": {"text": "text", "id": {"column": "id"}},
        "fraction": fraction,
        "salt": "s",
    }
    run(
        read_documents,
        log,
        name="mine",
        paths_to_source=[str(folder / "mine.jsonl")],
        settings=settings,
        path_to_documents=folder / "texts.parquet",
        path_to_reading=folder / "reading.json",
    )
    raw = {name: folder / f"raw_{name}" for name in ("tokens.npy", "offsets.npy", "types.parquet")}
    run(
        tokenise_documents,
        log,
        threads=2,
        name="mine",
        path_to_documents=folder / "texts.parquet",
        tokenizer=TOKENIZER,
        path_to_tokens=raw["tokens.npy"],
        path_to_offsets=raw["offsets.npy"],
        path_to_types=raw["types.parquet"],
    )
    run(
        build_vocabulary,
        log,
        name="mine",
        path_to_texts=folder / "texts.parquet",
        path_to_raw_tokens=raw["tokens.npy"],
        path_to_raw_offsets=raw["offsets.npy"],
        path_to_types=raw["types.parquet"],
        length={"min": length[0], "max": length[1]},
        min_count=min_count,
        path_to_documents=folder / "documents.parquet",
        path_to_tokens=folder / "tokens.npy",
        path_to_offsets=folder / "offsets.npy",
        path_to_vocabulary=folder / "vocabulary.parquet",
        path_to_facts=folder / "statistics.json",
    )


@pytest.mark.parametrize(
    ("documents", "settings", "expected"),
    [
        (b"", {}, "none of 0 documents is in the sample"),
        (lines("?", "!"), {}, "hold no token at all"),
        (GOOD, {"min_count": 99}, "No word occurs at least 99 times"),
        (GOOD, {"length": (50, None)}, "Widen corpora.mine.length"),
        (GOOD, {"fraction": 0}, "expected more than 0 and at most 1"),
        (GOOD, {"fraction": 1e-9}, "Raise corpora.mine.fraction"),
        (GOOD + GOOD, {}, "mine.jsonl"),  # the same id twice: the reader names both places
        (b'{"id": "1", "text": \n', {}, "mine.jsonl"),
    ],
)
def test_each_mistake_is_one_line_and_the_earlier_artefacts_stay(tmp_path, documents, settings, expected, capfd):
    make(tmp_path, lines("an earlier corpus"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".jsonl"}
    with pytest.raises(SystemExit) as stopped:
        make(tmp_path, documents, **settings)
    assert stopped.value.code == 1
    log = (tmp_path / "log").read_text()
    assert capfd.readouterr().err.rstrip().endswith(log.splitlines()[-1])
    errors = [line for line in log.splitlines() if "Error: " in line]
    assert len(errors) == 1
    assert expected in errors[0]
    assert "Traceback" not in log
    failed_step = {"texts.parquet", "reading.json"} if "sample" in expected or "jsonl" in expected else set()
    for name in failed_step:
        assert (tmp_path / name).read_bytes() == before[name]
    if not failed_step:  # a later step failed: the corpus itself is still the earlier one
        for name in ("documents.parquet", "tokens.npy", "vocabulary.parquet", "statistics.json"):
            assert (tmp_path / name).read_bytes() == before[name]


def test_invalid_utf8_is_counted_and_told(tmp_path):
    make(tmp_path, GOOD.replace(b"bird", b"bi\xff\xfed", 1))
    reading = json.loads((tmp_path / "reading.json").read_text())
    assert sum(reading["encoding_errors"].values()) == 2


def test_the_counts_add_up(tmp_path):
    make(tmp_path, lines("a b", "a", "a b c d", "c"), length=(1, 3), min_count=2)
    facts = json.loads((tmp_path / "statistics.json").read_text())
    assert (facts["documents_read"], facts["documents"]) == (4, 3)
    assert (facts["tokens"], facts["tokens_in_vocabulary"], facts["vocabulary"]) == (4, 2, 1)


def test_a_crash_of_ours_is_not_hidden(tmp_path):
    def broken():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(broken, [str(tmp_path / "log")])
    assert "numpy" in sys.modules
