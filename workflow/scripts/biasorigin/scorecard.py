"""The papers' numbers beside ours: what comes out the same, what does not, and what could not be tried."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from biasorigin.errors import UserError

STATUSES = ("reproduced", "differs", "other data", "needs data", "not a result")
COLUMNS = (
    "paper",
    "item",
    "row",
    "column",
    "value",
    "quantity",
    "measured_on",
    "page_or_section",
    "ours",
    "tolerance",
    "note",
)

# Our names for the papers' own data. Only numbers measured on the same data are ever called reproduced.
SAME_DATA = {
    "Google News word2vec": ("google_news", "google_news_weat"),
    "word list": ("word_sets",),
    "the thesis' list of adjectives": ("word_sets",),
    "the thesis' list of occupations": ("word_sets",),
    "the thesis' list of gender-specific words": ("word_sets",),
}
NOT_RESULTS = ("A setting", "A run time")


@dataclass(frozen=True)
class Verdict:
    """One comparison: our value as text, difference (ours minus published, none for words), status and reason."""

    ours: str | None
    difference: float | None
    status: str
    reason: str


def measured_table(rows: Iterable[tuple[str, object, str | None]]) -> pl.DataFrame:
    """What a stage measured, for the scorecard: key, value as text, note.

    A key is `<measure>/<embedding or corpus>/<details>`; the column `ours` of data/published/*.tsv refers to it.
    """
    texts = [(key, None if value is None else str(value), note) for key, value, note in rows]
    return pl.DataFrame(texts, schema={"key": pl.String, "value": pl.String, "note": pl.String}, orient="row")


def load_published(path: str) -> pl.DataFrame:
    """A file of printed numbers, all columns as text; empty cells are empty texts."""
    try:
        table = pl.read_csv(path, separator="\t", infer_schema=False).fill_null("")
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise UserError(f"Could not read the published numbers in {path}: {reason}. Correct the file.") from error
    if tuple(table.columns) != COLUMNS:
        raise UserError(f"{path} has the columns {', '.join(table.columns)}; expected {', '.join(COLUMNS)}.")
    return table


def make_scorecard(published: pl.DataFrame, measured: pl.DataFrame) -> pl.DataFrame:
    """Join printed numbers with measured ones: the printed columns, then our value, difference, status, reason."""
    repeated = measured.filter(measured["key"].is_duplicated())
    if repeated.height:
        raise UserError(f"The key {repeated['key'][0]!r} was measured twice. Two stages must not use the same key.")
    known = {key: (value, note) for key, value, note in measured.iter_rows()}
    verdicts = [judge(row, known) for row in published.iter_rows(named=True)]
    return published.with_columns(
        our_value=pl.Series([one.ours for one in verdicts], dtype=pl.String),
        difference=pl.Series([one.difference for one in verdicts], dtype=pl.Float64),
        status=pl.Series([one.status for one in verdicts], dtype=pl.String),
        reason=pl.Series([one.reason for one in verdicts], dtype=pl.String),
    ).drop("note")


def judge(row: dict, known: dict[str, tuple[str | None, str | None]]) -> Verdict:
    """Compare one printed number with ours."""
    if row["note"].startswith(NOT_RESULTS):
        return Verdict(None, None, "not a result", row["note"])
    key, scale = (row["ours"][:-4], 100.0) if row["ours"].endswith("*100") else (row["ours"], 1.0)
    value, remark = known.get(key, (None, None))
    reason = " ".join(part for part in (row["note"], remark) if part)
    if not key or value is None:
        return Verdict(None, None, "needs data", reason or "Not measured in this study.")
    published_number, our_number = _number(row["value"]), _number(value)
    if scale != 1 and our_number is not None:
        our_number *= scale
        value = repr(our_number)
    both = published_number is not None and our_number is not None
    difference = our_number - published_number if both else None
    if key.split("/")[1] not in SAME_DATA.get(row["measured_on"], ()):
        return Verdict(value, difference, "other data", reason)
    if both:
        same = abs(difference) <= _allowed(row["tolerance"], published_number) + 1e-12
    else:
        same = plain(value) == plain(row["value"])
    return Verdict(value, difference, "reproduced" if same else "differs", (remark or "") if same else reason)


def summarise(scorecard: pl.DataFrame) -> pl.DataFrame:
    """How many numbers of each item have which status: paper, item, then a column for each status, total."""
    counts = [pl.col("status").eq(status).sum().cast(pl.Int64).alias(status) for status in STATUSES]
    return scorecard.group_by("paper", "item", maintain_order=True).agg(*counts, total=pl.len().cast(pl.Int64))


def plain(text: str) -> str:
    """A word without accents, case and joining marks, so that spellings of the same term are equal."""
    letters = unicodedata.normalize("NFD", text.lower()).replace("_", " ").replace("-", " ")
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _allowed(tolerance: str, value: float) -> float:
    """An absolute tolerance out of `0.005` or `1%`."""
    number = _number(tolerance.removesuffix("%") or "0")
    if number is None:
        raise UserError(f"A published number has the tolerance {tolerance!r}; expected one such as 0.005 or 1%.")
    return abs(value) * number / 100 if tolerance.endswith("%") else number
