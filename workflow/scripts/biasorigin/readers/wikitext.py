"""Wiki markup to plain text, with a real parser."""

import re
from collections.abc import Collection, Iterator

import mwparserfromhell
from mwparserfromhell import nodes
from mwparserfromhell.parser import ParserError
from mwparserfromhell.wikicode import Wikicode

from biasorigin.readers.wikitext_balance import count_unclosed

LONGEST_MARKUP = 1 << 22  # characters; MediaWiki keeps no page of half of that
MOST_UNCLOSED = 200  # the parser's time is that of reading the rest of the page again for each
# What these tags hold is not running text.
DROPPED_TAGS = {
    *("ref", "references", "table", "gallery", "math", "chem", "ce", "timeline", "score", "imagemap", "source"),
    *("syntaxhighlight", "hiero", "graph", "mapframe", "maplink", "templatestyles", "style", "script"),
    *("inputbox", "categorytree", "section"),
}
BREAKING_TAGS = {"br", "hr", "p", "div", "li", "dd", "dt", "blockquote"}
MAGIC_WORD = re.compile(r"__[A-Z]+__")
LANGUAGE_PREFIX = re.compile(r"[a-z]{2,3}(-[a-z]+)*")


def plain_text(markup: str, hidden_namespaces: Collection[str]) -> str:
    """The words a reader of the page sees in its running text.

    Gone are templates, tables, references, comments, files, categories and links to other languages; headings, list
    items and link texts stay. `hidden_namespaces`: lower-case link prefixes of files and categories. Raises
    RecursionError or mwparserfromhell's ParserError for markup that is too long, too broken or nested too deeply.
    """
    if len(markup) > LONGEST_MARKUP or count_unclosed(markup) > MOST_UNCLOSED:
        raise ParserError("too much to parse")
    code = mwparserfromhell.parse(MAGIC_WORD.sub("", markup), skip_style_tags=False)
    text = "".join(_render(code, hidden_namespaces)).replace("\xa0", " ")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _render(code: Wikicode, hidden: Collection[str]) -> Iterator[str]:
    for node in code.nodes:
        if isinstance(node, nodes.Text):
            yield node.value
        elif isinstance(node, nodes.HTMLEntity):
            yield node.normalize()
        elif isinstance(node, nodes.Wikilink):
            yield from _render_link(node, hidden)
        elif isinstance(node, nodes.ExternalLink):
            if node.title is not None:
                yield from _render(node.title, hidden)
        elif isinstance(node, nodes.Heading):
            yield "\n"
            yield from _render(node.title, hidden)
            yield "\n"
        elif isinstance(node, nodes.Tag):
            yield from _render_tag(node, hidden)
        # Templates, template arguments and comments are left out.


def _render_tag(node: nodes.Tag, hidden: Collection[str]) -> Iterator[str]:
    tag = str(node.tag).strip().lower()
    if tag in DROPPED_TAGS:
        return
    if tag in BREAKING_TAGS:
        yield "\n"
    if node.contents is not None:
        yield from _render(node.contents, hidden)


def _render_link(node: nodes.Wikilink, hidden: Collection[str]) -> Iterator[str]:
    title = str(node.title).strip()
    prefix, colon, _ = title.partition(":")
    prefix = prefix.strip().lower()
    if colon and prefix in hidden:
        return
    if colon and node.text is None and LANGUAGE_PREFIX.fullmatch(prefix):
        return  # the same page in another language
    if node.text is not None:
        yield from _render(node.text, hidden)
    else:
        yield from _render(node.title, hidden) if title[:1] != ":" else [title[1:]]
