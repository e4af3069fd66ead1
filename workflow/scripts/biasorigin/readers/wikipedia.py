"""Wikipedia XML dumps (pages-articles): one document per article, its markup removed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from mwparserfromhell.parser import ParserError

from biasorigin.errors import UserError
from biasorigin.readers.documents import Record, Report
from biasorigin.readers.inputs import Input, iterate_inputs
from biasorigin.readers.settings import Settings, require_texts
from biasorigin.readers.wikitext import plain_text
from biasorigin.readers.xml_elements import iterate_elements

# Namespaces by number, the same in every language: files and categories.
HIDDEN_NAMESPACES = {"6", "14"}
ALWAYS_HIDDEN = ("file", "image", "category", "media")
REDIRECT = re.compile(r"\s*#redirect\b", re.IGNORECASE)
DISAMBIGUATIONS = (
    "disambig",
    "disambiguation",
    "disamb",
    "dab",
    "disambiguation page",
    "disambiguation cleanup",
    "hndis",
    "human name disambiguation",
    "geodis",
    "place name disambiguation",
    "schooldis",
    "school disambiguation",
    "numberdis",
    "mathdab",
    "roaddis",
    "airport disambiguation",
    "hospital disambiguation",
)


@dataclass(frozen=True)
class WikipediaSettings(Settings):
    """`disambiguation_templates`: names of the templates that mark a page which only lists meanings of a title."""

    disambiguation_templates: list = DISAMBIGUATIONS

    def __post_init__(self):
        require_texts(self.disambiguation_templates, "disambiguation_templates")


def read(paths: list[Path], settings: WikipediaSettings, report: Report) -> Iterator[Record]:
    """One record per page of the main namespace, id = page id, metadata title.

    Redirects, disambiguation pages and other namespaces are dropped and counted.
    """
    disambiguation = _disambiguation_pattern(settings.disambiguation_templates)
    for given in iterate_inputs(paths, settings, report):
        hidden = frozenset(ALWAYS_HIDDEN)
        found = False
        for line, element in iterate_elements(given.utf8(settings, report), given.name, {"siteinfo", "page"}):
            found = True
            if element.tag == "siteinfo":
                hidden |= {
                    (namespace.text or "").lower()
                    for namespace in element.iterfind("namespaces/namespace")
                    if namespace.get("key") in HIDDEN_NAMESPACES
                }
            else:
                place = f"{given.name}:line {line}"
                record = _record(element, place, given, report, hidden=hidden, disambiguation=disambiguation)
                if record is not None:
                    yield record
        if not found:
            raise UserError(f"{given.name}: holds no page element; expected a MediaWiki XML dump.")


def _record(
    page: Element, place: str, given: Input, report: Report, *, hidden: frozenset[str], disambiguation: re.Pattern
) -> Record | None:
    title = page.findtext("title", "").strip()
    markup = page.findtext("revision/text") or ""
    if page.findtext("ns", "0").strip() != "0":
        report.other_namespaces += 1
    elif page.find("redirect") is not None or REDIRECT.match(markup):
        report.redirects += 1
    elif title.lower().endswith("(disambiguation)") or disambiguation.search(markup):
        report.disambiguations += 1
    else:
        try:
            text = plain_text(markup, hidden)
        except (ParserError, RecursionError):
            report.unparsable += 1
            return None
        return Record(page.findtext("id", "").strip(), text, {"title": title}, place, given.name)
    return None


def _disambiguation_pattern(names: list[str]) -> re.Pattern:
    """Finds {{name}} or {{name|...}} for any of the names, or the magic word, which is much cheaper than parsing."""
    either = "|".join(re.escape(name).replace(r"\ ", "[ _]") for name in names)
    return re.compile(rf"__DISAMBIG__|\{{\{{\s*(?:{either})\s*(?:\||\}}\}})", re.IGNORECASE)
