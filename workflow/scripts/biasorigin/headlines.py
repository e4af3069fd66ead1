"""The few numbers that tell what a study found, for the explorer, the closing summary and the report."""

from dataclasses import dataclass

import polars as pl

FOUND = 0.05


@dataclass(frozen=True)
class Headline:
    """A number with its name, a sentence about it, and the explorer's view that shows more."""

    label: str
    value: str
    detail: str
    view: str


def headline_of_corpora(corpora: pl.DataFrame) -> Headline:
    """The size of the first corpus; `corpora` is the corpus stage's Table 1."""
    row = corpora.row(0, named=True)
    more = "" if corpora.height == 1 else f" {corpora.height - 1} more in the study."
    detail = f"{row['tokens']:,} words; a vocabulary of {row['vocabulary']:,}.{more}"
    return Headline(f"Documents of {row['title']}", f"{row['documents']:,}", detail, "")


def headline_of_associations(summary: pl.DataFrame, embedding: str, title: str) -> Headline | None:
    """How many association tests are found on an embedding, and the strongest of them."""
    made = summary.filter(pl.col("embedding") == embedding, pl.col("effect_size").is_not_null())
    if made.is_empty():
        return None
    found = made.filter(pl.col("q_largest") <= FOUND)
    strongest = (made if found.is_empty() else found).sort("effect_size", descending=True).row(0, named=True)
    detail = (
        f"{title}. Strongest: {strongest['test']}, {strongest['title']}, d = {strongest['effect_size']:.2f} "
        f"({strongest['low']:.2f} to {strongest['high']:.2f})."
    )
    return Headline(
        "Association tests found (q ≤ .05)",
        f"{found.height} of {made.height}",
        detail,
        f"#associations?embedding={embedding}&test={strongest['test']}",
    )


def headline_of_concentration(summary: pl.DataFrame, embedding: str) -> Headline | None:
    """What the 1 % of documents that raise a bias most hold of it: the median over the sets."""
    if summary.is_empty():
        return None
    top = summary["top_1_percent"]
    documents = summary.row(0, named=True)["documents"]
    spread = f"Median over {summary.height} WEAT sets ({100 * top.min():.0f} to {100 * top.max():.0f} %)"
    over = spread if summary.height > 1 else f"WEAT set {summary['set'][0]}"
    detail = f"{over}; half is held by {int(summary['half'].median()):,} of {documents:,} documents."
    label = "Raising effect held by the top 1 % of documents"
    return Headline(label, f"{100 * top.median():.0f} %", detail, f"#documents?embedding={embedding}")


def headline_of_agreement(agreement: dict | None, embedding: str) -> Headline | None:
    """How well the estimates agree with retraining (numbers of `agreement_in_words`)."""
    if agreement is None:
        return None
    low, high = agreement["r2_low"], agreement["r2_high"]
    interval = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    detail = (
        f"r²{interval} over {agreement['removals']} removals of documents, each really trained again; "
        f"right sign in {100 * agreement['sign']:.0f} %."
    )
    label = "Estimate against retraining"
    return Headline(label, f"r² = {agreement['r2']:.2f}", detail, f"#what-if?embedding={embedding}")


def headline_of_enumeration(summary: dict, run: str, cells: int) -> Headline:
    """How many pairs of name group and word category are found."""
    detail = f"{summary['title']}; {summary['rotations']:,} random rotations, false discovery rate {summary['alpha']}."
    label = "Pairs of name group and word category found"
    return Headline(label, f"{summary['significant']} of {cells}", detail, f"#enumeration?of={run}")


def headline_of_mitigation(entry: dict) -> Headline | None:
    """The repair that leaves the smallest mean |d|, beside the embedding as it was; `entry` is the view's."""
    measure = next((one for one in entry["measures"] if one["key"] == "effect/mean"), None)
    values = {} if measure is None else {key: one["value"] for key, one in measure["values"].items()}
    before = values.pop("none", None)
    if before is None or not values:
        return None
    best = min(values, key=lambda key: (values[key], key))
    title = next(one["title"] for one in entry["versions"] if one["key"] == best)
    tests = measure["values"][best]["n"]
    over = "1 test" if tests == 1 else f"{tests} tests"
    detail = f"Mean |WEAT effect size| over {over} on {entry['title']}: as it was, and after {title}."
    view = f"#mitigation?embedding={entry['embedding']}"
    return Headline("What a repair leaves", f"{before:.2f} → {values[best]:.2f}", detail, view)
