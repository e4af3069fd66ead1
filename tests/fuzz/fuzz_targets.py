"""What is fuzzed: each target has valid inputs to begin with and a check that reads one input."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import fuzz_checks as checks
import fuzz_seeds as seeds

from biasorigin import artefacts


@dataclass(frozen=True)
class Target:
    """Valid inputs, a check, and words of the format to make new inputs from."""

    seeds: Callable[[], list[bytes]]
    check: Callable[[bytes, Path], None]
    tokens: tuple[bytes, ...] = ()


COLUMNS = {"text": "text", "id": {"column": "id"}, "metadata": ["title"]}
XML = (
    b"<page>",
    b"</page>",
    b"<text>",
    b"</text>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"&b;",
    b"<![CDATA[",
    b"&#xD800;",
)
WIKI = (b"{{", b"}}", b"[[", b"]]", b"{|", b"|}", b"<ref>", b"</ref>", b"''", b"==", b"<!--", b"&nbsp;", b"#redirect")
YAML = (b"&a ", b"*a", b"!!binary ", b"!!python/name:os.system ", b"? ", b"- ", b": ", b"<<: ", b"|\n ", b"2001-99-99")

TARGETS: dict[str, Target] = {
    "csv": Target(seeds.csv, partial(checks.reader, "csv", "c.csv", COLUMNS)),
    "csv_content_ids": Target(seeds.csv, partial(checks.reader, "csv", "c.csv", {"text": "text", "quoting": "none"})),
    "tsv": Target(seeds.tsv, partial(checks.reader, "tsv", "c.tsv", {**COLUMNS, "id": "row"})),
    "jsonl": Target(seeds.jsonl, partial(checks.reader, "jsonl", "c.jsonl", COLUMNS)),
    "parquet": Target(seeds.parquet, partial(checks.reader, "parquet", "c.parquet", COLUMNS)),
    "reader_settings": Target(seeds.reader_settings, checks.reader_settings, YAML),
    "folder": Target(seeds.lines, checks.folder_reader),
    "lines": Target(seeds.lines, partial(checks.reader, "lines", "c.txt", {})),
    "lines_utf16": Target(seeds.lines, partial(checks.reader, "lines", "c.txt", {"encoding": "utf-16", "id": "row"})),
    "wikipedia": Target(seeds.wikipedia, partial(checks.reader, "wikipedia", "c.xml", {}), XML + WIKI),
    "nyt": Target(seeds.nyt, partial(checks.reader, "nyt", "c.xml", {}), XML),
    "gap": Target(seeds.gap, partial(checks.reader, "gap", "c.tsv", {})),
    "glove_text": Target(seeds.glove, partial(checks.vectors, "glove_text"), (b" 1", b" -1e-3", b"\x0b")),
    "word2vec_text": Target(seeds.word2vec_text, partial(checks.vectors, "word2vec_text"), (b"2 3\n", b"1 99999999\n")),
    "fasttext_text": Target(seeds.word2vec_text, partial(checks.vectors, "fasttext_text"), (b"2 3\n",)),
    "word2vec_binary": Target(seeds.word2vec_binary, partial(checks.vectors, "word2vec_binary"), (b"2 3\n", b"9 1\n")),
    "vectors_auto": Target(seeds.vectors_auto, partial(checks.vectors, "auto")),
    "npy": Target(seeds.npy, checks.array, (b"'<f4'", b"'|O'", b"(3, 2)", b"(-1, 2)", b"True", b"'<f2'", b"'<f8'")),
    "npy_index": Target(seeds.index, partial(checks.index_of_array, "txt")),
    "npy_parquet_index": Target(seeds.parquet_index, partial(checks.index_of_array, "parquet")),
    "zip": Target(seeds.zips, checks.archive),
    "tar": Target(seeds.tars, checks.archive),
    "compressed": Target(seeds.compressed, checks.compressed),
    "config": Target(seeds.configs, checks.config, YAML),
    "word_sets": Target(seeds.word_sets, checks.word_sets, YAML),
    "similarity": Target(seeds.similarity, partial(checks.benchmark, "ws353")),
    "analogies": Target(seeds.analogies, partial(checks.benchmark, "google_analogies")),
    "published": Target(seeds.published, checks.published, (b"1%", b"%", b"*100", b"weat/google_news/C1")),
    "names": Target(seeds.lines, checks.names),
    "births": Target(seeds.births, partial(checks.counted_names, "births")),
    "census": Target(seeds.census, partial(checks.counted_names, "census")),
    "answers": Target(seeds.answers, checks.answers),
    "tokenizer": Target(seeds.texts, checks.tokenizer, (b"<br>", b"&amp;", b"&#0;", "\u0130\u2019\u0301".encode())),
    "stored_array": Target(seeds.npy, partial(checks.stored, "a.npy", artefacts.load_array), (b"'|O'", b"(0,)")),
    "stored_parquet": Target(seeds.parquet, partial(checks.stored, "a.parquet", artefacts.load_table)),
    "stored_tsv": Target(seeds.tsv, partial(checks.stored, "a.tsv", artefacts.load_table)),
    "stored_json": Target(seeds.json_values, partial(checks.stored, "a.json", artefacts.load_json)),
}  # fmt: skip
