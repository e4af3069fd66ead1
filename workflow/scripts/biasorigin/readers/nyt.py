"""The New York Times Annotated Corpus: NITF XML files in one tar.gz per month."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import Input, iterate_inputs
from biasorigin.readers.settings import Settings
from biasorigin.readers.xml_elements import iterate_elements

LEAD = "LEAD:"


@dataclass(frozen=True)
class NytSettings(Settings):
    """Only what every format has; folders may hold tar.gz archives or the unpacked .xml files."""


def read(paths: list[Path], settings: NytSettings, report: Report) -> Iterator[Record]:
    """One record per article, paragraphs separated by newlines, metadata headline, date, desk and section.

    The paragraph that starts with LEAD: repeats the article's opening, and is dropped and counted.
    """
    for given in iterate_inputs(paths, settings, report):
        if not given.relative.lower().split(".gz")[0].endswith(".xml"):
            continue  # indices and manuals that come with the corpus
        articles = list(iterate_elements(given.utf8(settings, report), given.name, {"nitf"}))
        if len(articles) != 1:
            raise UserError(f"{given.name}: holds {len(articles)} nitf elements, expected one article.")
        yield _record(articles[0][1], given, report)


def _record(article: Element, given: Input, report: Report) -> Record:
    identifier = _attribute(article, "head/docdata/doc-id", "id-string")
    paragraphs = []
    for block in article.iterfind("body/body.content/block[@class='full_text']"):
        for paragraph in block.iter("p"):
            text = _text(paragraph)
            if text.startswith(LEAD):
                report.lead_paragraphs += 1
            elif text:
                paragraphs.append(text)
    metas = {meta.get("name"): meta.get("content", "") for meta in article.iterfind("head/meta")}
    headline = article.find("body/body.head/hedline/hl1")
    date = _attribute(article, "head/pubdata", "date.publication")[:8]  # 19870101T000000
    metadata = {
        "headline": _text(headline) if headline is not None else "",
        "date": f"{date[:4]}-{date[4:6]}-{date[6:]}" if len(date) == 8 else date,
        "desk": metas.get("dsk", ""),
        "section": metas.get("online_sections", ""),
    }
    return Record(identifier, "\n".join(paragraphs), metadata, given.name, given.name)


def _attribute(article: Element, path: str, name: str) -> str:
    element = article.find(path)
    return "" if element is None else element.get(name, "").strip()


def _text(element: Element) -> str:
    """All text below an element, white space runs as one space."""
    return " ".join("".join(element.itertext()).split())
