"""The first view: what was studied, what was found, and how it compares with the papers."""

from collections.abc import Iterable

import polars as pl

from biasorigin.explorer.values import missing, records
from biasorigin.headlines import Headline

JUDGED = ("reproduced", "differs", "other data", "needs data", "not a result")


def overview(
    corpora: pl.DataFrame | None,
    embeddings: list[dict],
    headlines: Iterable[Headline | None],
    scorecard: pl.DataFrame | None,
) -> dict:
    """The Overview view.

    corpora     Table 1 of the corpus stage; embeddings: name, title, kind, corpus (title or None), words, dim, seeds
    scorecard   paper, status, ...: one row for each published number; or None
    """
    shown = [] if corpora is None else records(
        corpora, title="title", documents="documents", tokens="tokens", vocabulary="vocabulary", share="share_of_tokens"
    )  # fmt: skip
    return {
        "summary": summary_sentence(shown, embeddings),
        "headlines": [
            {"label": one.label, "value": one.value, "detail": one.detail, "href": one.view}
            for one in headlines
            if one is not None
        ],
        "corpora": shown,
        "embeddings": embeddings,
        "scorecard": scorecard_counts(scorecard),
    }


def summary_sentence(corpora: list[dict], embeddings: list[dict]) -> str:
    """What the page is about, in one or two sentences."""
    trained = [one for one in embeddings if one["corpus"]]
    number = len(embeddings)
    parts = [f"{number} word embedding{'s were' if number != 1 else ' was'} measured"]
    if trained:
        parts.append(f", {len(trained)} of them learned here from {_and(sorted({one['corpus'] for one in trained}))}")
    texts = f" Texts: {_and([one['title'] for one in corpora])}." if corpora and not trained else ""
    return (
        "".join(parts)
        + "."
        + texts
        + " For the embeddings that were learned here, each bias is traced to the documents "
        "that teach it: an estimate for every document, checked by training again without some of them."
    )


def scorecard_counts(scorecard: pl.DataFrame | None) -> dict:
    """How many of the papers' numbers have which status, by paper."""
    if scorecard is None:
        return missing("The papers' numbers were not compared with this study's.", "snakemake --cores all scorecard")
    statuses = [status for status in JUDGED if (scorecard["status"] == status).any()]
    counts = [pl.col("status").eq(status).sum().alias(status) for status in statuses]
    rows = scorecard.group_by("paper", maintain_order=True).agg(*counts).to_dicts()
    totals = {"paper": "All", **{status: sum(row[status] for row in rows) for status in statuses}}
    return {"total": scorecard.height, "statuses": statuses, "rows": [*rows, totals]}


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
