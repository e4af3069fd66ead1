"""A corpus in numbers and pictures: sizes, document lengths, word frequencies, word sets that it can speak about."""

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from biasorigin.embedding import spellings
from biasorigin.figures import new_figure
from biasorigin.wordsets import WordSets


def sizes(titles: dict[str, str], readings: dict[str, dict], facts: dict[str, dict]) -> pl.DataFrame:
    """One row a corpus, as in the paper's Table 1: documents, tokens and vocabulary before and after the cuts."""
    rows = []
    for name, title in titles.items():
        reading, fact = readings[name], facts[name]
        rows.append(
            {
                "corpus": name,
                "title": title,
                "documents_in_source": reading["documents"],
                "fraction": float(reading["fraction"]),
                "documents_sampled": reading["sampled"],
                "shortest": fact["length"]["min"],
                "longest": fact["length"]["max"],
                "documents": fact["documents"],
                "tokens": fact["tokens"],
                "distinct_words": fact["types"],
                "min_count": fact["min_count"],
                "vocabulary": fact["vocabulary"],
                "tokens_in_vocabulary": fact["tokens_in_vocabulary"],
                "share_of_tokens": fact["tokens_in_vocabulary"] / fact["tokens"],
                "dropped_empty": reading["empty"],
                "encoding_errors": sum(reading["encoding_errors"].values()),
            }
        )
    return pl.DataFrame(rows, schema_overrides={"longest": pl.Int64})


def word_set_coverage(words: set[str], cased: bool, word_sets: WordSets) -> pl.DataFrame:
    """One row a word list: how many of its words the vocabulary holds, and which it lacks."""
    rows = []
    for name, word_list in word_sets.lists.items():
        missing = [word for word in word_list.words if not any(one in words for one in spellings(word, cased))]
        stated = len(word_list.words)
        share = (stated - len(missing)) / stated
        rows.append((name, word_list.title, stated, stated - len(missing), share, ", ".join(missing)))
    columns = ["list", "title", "words", "found", "share", "missing"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def plot_document_lengths(lengths: dict[str, np.ndarray]) -> Figure:
    """Density of tokens in a document, on a logarithmic axis, one line a corpus, with the median marked."""
    figure, axes = new_figure(height=3.2)
    longest = max(values.max() for values in lengths.values())
    edges = np.unique(np.round(np.geomspace(1, longest + 1, 40)))
    widths = np.diff(np.log10(edges))  # unequal, because a length is a whole number
    for number, (title, values) in enumerate(lengths.items()):
        shares = np.histogram(values, edges)[0] / len(values) / widths
        median = np.median(values)
        colour = f"C{number}"
        axes.stairs(shares, edges, color=colour, label=f"{title} (n = {len(values):,}, median {median:,.0f})")
        axes.plot(median, 0, marker="^", color=colour, clip_on=False, markersize=7)
    axes.set(xscale="log", xlabel="tokens in a document", ylabel="share of the documents\nper factor of ten")
    axes.set_ylim(bottom=0)
    axes.set_title("How long the documents are")
    axes.legend(loc="upper left")
    return figure


def plot_rank_frequency(counts: dict[str, np.ndarray], minimum: dict[str, int]) -> Figure:
    """Occurrences of each word against its rank, both logarithmic, with the line of Zipf's law for comparison."""
    figure, axes = new_figure(height=3.6)
    for number, (title, values) in enumerate(counts.items()):
        ranks = np.arange(1, len(values) + 1)
        axes.plot(ranks, values, color=f"C{number}", label=f"{title} ({len(values):,} words)")
        axes.axhline(minimum[title], color=f"C{number}", linewidth=0.7, linestyle=":")
    first = next(iter(counts.values()))
    ranks = np.geomspace(1, max(len(values) for values in counts.values()), 50)
    axes.plot(ranks, first[0] / ranks, color="#6B6B6B", linestyle="--", linewidth=1, label="proportional to 1/rank")
    axes.set(xscale="log", yscale="log", xlabel="rank of the word", ylabel="occurrences")
    axes.set_title("How often the words occur (dotted: minimum count)")
    axes.legend(loc="upper right")
    return figure
