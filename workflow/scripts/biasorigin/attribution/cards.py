"""Cards of the documents that carry a bias most: a snippet with the carrying words marked, and the effects."""

import html
import re

import numpy as np
import polars as pl

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2.2rem}
article{border:1px solid #c9c9c9;border-radius:6px;padding:.7rem 1rem;margin:.8rem 0;overflow-wrap:anywhere}
header{font-weight:600}p{margin:.5rem 0}
mark{background:none;padding:0 .1em;border-radius:3px}
mark.raises{background:#f6d3b3;border-bottom:2px solid #b35806}
mark.lowers{background:#d8daeb;border-bottom:2px solid #542788}
dl{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.3rem 0;font-size:.85rem;color:#444}
dl div{display:flex;gap:.3rem}dt{font-weight:600}dd{margin:0}
"""
_AROUND = 12  # words of text shown on either side of a carrying word
_MOST = 60  # words of text shown in all


def card_page(
    top: pl.DataFrame,
    pairs: pl.DataFrame,
    documents: dict[int, dict],
    sets: pl.DataFrame,
    effects: dict[str, np.ndarray],
    cards: int = 3,
) -> str:
    """A page (HTML, nothing from outside) with the top documents of each set, as `explain_documents` lists them.

    `documents` holds at least these, by their place in the corpus; `effects` all documents' effects on each set.
    """
    titles = dict(zip(sets["set"], sets["title"], strict=True))
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
        f"<title>Documents that carry a bias</title><style>{_STYLE}</style><h1>Documents that carry a bias most</h1>",
        "<p>Effect: the WEAT effect size with the document minus that without it, mean over the seeds; above 0 the "
        "document raises the bias. Marked are the words that carry it: <mark class='raises'>raising</mark>, "
        "<mark class='lowers'>lowering</mark>.</p>",
    ]
    for (key,), some in top.group_by("set", maintain_order=True):
        parts.append(f"<h2>{html.escape(key)}: {html.escape(titles[key])}</h2>")
        for row in some.head(cards).to_dicts():
            mine = pairs.filter((pl.col("set") == key) & (pl.col("rank") == row["rank"]))
            parts.append(_card(row, mine, documents[row["index"]], effects))
    return "\n".join([*parts, "</html>", ""])


def _card(row: dict, pairs: pl.DataFrame, document: dict, effects: dict[str, np.ndarray]) -> str:
    title = next((document[name] for name in ("title", "headline") if document.get(name)), None)
    name = f"<bdi>{html.escape(row['document'])}</bdi>"
    name = f"<bdi>{html.escape(str(title))}</bdi> ({name})" if title else name
    spread = "" if row["sd"] is None else f" ± {row['sd']:.4f}"
    others = "".join(
        f"<div><dt>{html.escape(key)}</dt><dd>{effect[row['index']]:+.4f}</dd></div>"
        for key, effect in effects.items()
        if effect[row["index"]] != 0
    )
    shown = snippet(document["text"], word_effects(pairs), set(pairs["word"]))
    return (
        f"<article><header>{row['rank']}. {name}: {row['effect']:+.4f}{spread}, "
        f"{row['words']:,} words</header><p>{shown}</p><dl>{others}</dl></article>"
    )


def word_effects(pairs: pl.DataFrame) -> dict[str, float]:
    """What each word of the text carries: half of every pair that it is part of."""
    both = pl.concat(
        [pairs.select(pl.col(side).alias("word"), pl.col("contribution") / 2) for side in ("word", "context")]
    )
    total = both.group_by("word", maintain_order=True).agg(pl.col("contribution").sum())
    return dict(zip(total["word"], total["contribution"], strict=True))


def snippet(text: str, carried: dict[str, float], anchors: set[str], marked: int = 12, window: int = 8) -> str:
    """The part of the text with most of the carrying words, as HTML with these words marked.

    anchors  words of the set; another word is marked only within the window of one
    """
    strongest = dict(sorted(carried.items(), key=lambda item: (-abs(item[1]), item[0]))[:marked])
    # Not `<[^>]+>`, which takes quadratic time for a text of many <.
    pieces = re.split(r"(\s+)", re.sub(r"<[^<>]+>", " ", text).strip())
    words, gaps = pieces[::2], [*pieces[1::2], ""]
    bare = [re.sub(r"[^\w']", "", word).lower() for word in words]
    places = np.flatnonzero([word in anchors for word in bare])
    near = np.zeros(len(bare), dtype=bool)
    for place in places:
        near[max(0, place - window) : place + window + 1] = True
    value = [strongest.get(word, 0.0) if close else 0.0 for word, close in zip(bare, near, strict=True)]
    weight = np.abs(value)
    size = min(_MOST, len(words))
    window = np.convolve(weight, np.ones(size), mode="valid") if len(words) else np.zeros(1)
    start = int(window.argmax())
    if start and size == _MOST:
        start = max(0, start - min(_AROUND, size - int(np.flatnonzero(weight[start : start + size])[-1]) - 1))
    shown = []
    for place in range(start, min(start + size, len(words))):
        word = html.escape(words[place])
        if value[place]:
            kind = "raises" if value[place] > 0 else "lowers"
            word = f"<mark class='{kind}' title='{value[place]:+.4f}'>{word}</mark>"
        shown.append(word + (" " if gaps[place] else ""))
    ends = ("… " if start else "", " …" if start + size < len(words) else "")
    return ends[0] + "".join(shown).strip() + ends[1]
