"""How much wiki markup is opened and never closed, which is what makes a page slow to parse."""

import re
from collections import Counter

from mwparserfromhell.definitions import PARSER_BLACKLIST, is_single

# Tables begin and end at the start of a line; `|}}` there is the end of a template, `|}}}` that of a table in one.
TOKEN = re.compile(
    r"""(?P<opener> \{\{ | \[\[ | \[(?=[a-z]+:|//) | ^[ \t:*\#;]*\{\| | <!-- )
      | (?P<closer> \}\} | \] | ^[ \t]*\|\}(?!\}(?!\})) | --> )
      | <(?P<slash>/?)(?P<tag>[a-z][a-z0-9]*)(?P<rest>[^<>]*)(?P<end>>?)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
OPENER_OF = {"}}": "{{", "|}": "{|", "-->": "<!--"}
# Formulas, source code and the like, whose content is no markup.
VERBATIM = re.compile(rf"<(?P<tag>{'|'.join(PARSER_BLACKLIST)})\b[^<>]*(?<!/)>|</(?P<end>\w+)\s*>", re.IGNORECASE)


class _Open:
    """What is open, innermost last, and how much was given up because something around it was closed."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.depth: Counter[str] = Counter()
        self.given_up = 0

    def push(self, kind: str) -> None:
        self.kinds.append(kind)
        self.depth[kind] += 1

    def close(self, kind: str) -> None:
        """Close the innermost of this kind, and give up what was opened in it; nothing if there is none."""
        if self.depth[kind]:
            while (last := self.kinds.pop()) != kind:
                self.depth[last] -= 1
                self.given_up += 1
            self.depth[kind] -= 1


def count_unclosed(markup: str) -> int:
    """How many templates, links, tables, comments and tags are not closed, or only after something around them is.

    A parser reads on to the end of the page for each of them before it takes it for text. Linear in the length.
    """
    found, cut_off, bracket = _Open(), 0, -1
    for token in TOKEN.finditer(_without_verbatim(markup)):
        tag = (token["tag"] or "").lower()
        if token["opener"]:
            found.push(token["opener"].lstrip(" \t:*#;"))
        elif token["closer"] == "]":
            if found.kinds[-1:] == ["["]:
                found.close("[")
            elif bracket == token.start() - 1:  # the second of two, which close a link
                found.close("[[")
                bracket = -1
            else:
                bracket = token.start()
        elif token["closer"]:
            found.close(OPENER_OF[token["closer"].lstrip()])
        elif not token["end"]:
            cut_off += 1
        elif token["slash"] and not token["rest"].strip():  # with anything more it is no end to the parser
            found.close(tag)
        elif not token["slash"] and not token["rest"].endswith("/") and not is_single(tag):
            found.push(tag)
    return cut_off + found.given_up + len(found.kinds)


def _without_verbatim(markup: str) -> str:
    """The markup without elements whose content is none; of one that is never closed, everything stays."""
    kept, begin, opened = [], 0, None
    for token in VERBATIM.finditer(markup):
        if opened is None and token["tag"]:
            opened = token
        elif opened is not None and (token["end"] or "").lower() == opened["tag"].lower():
            kept.append(markup[begin : opened.start()])
            begin, opened = token.end(), None
    return "".join([*kept, markup[begin:]])
