"""How much wiki markup is opened and never closed, which is what makes a page slow to parse."""

import re
from collections import Counter

from mwparserfromhell.definitions import is_single

# Tables begin and end at the start of a line; `|}}` there is the end of a template, `|}}}` that of a table in one.
TOKEN = re.compile(
    r"""(?P<opener> \{\{ | \[\[ | \[(?=[a-z]+:|//) | ^[ \t:*\#;]*\{\| | <!-- )
      | (?P<closer> \}\} | \] | ^[ \t]*\|\}(?!\}(?!\})) | --> )
      | <(?P<slash>/?)(?P<tag>[a-z][a-z0-9]*)[^<>]*(?P<end>>?)""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
OPENER_OF = {"}}": "{{", "|}": "{|", "-->": "<!--"}


def count_unclosed(markup: str) -> int:
    """How many templates, links, tables, comments and tags are not closed, or only after something around them is.

    A parser reads on to the end of the page for each of them before it takes it for text. Linear in the length.
    """
    open_, depth, unclosed, bracket = [], Counter(), 0, -1

    def push(kind: str) -> None:
        open_.append(kind)
        depth[kind] += 1

    def close(kind: str) -> int:
        """Close the innermost of this kind; how many others had to be given up for that."""
        if not depth[kind]:
            return 0
        given_up = 0
        while (last := open_.pop()) != kind:
            depth[last] -= 1
            given_up += 1
        depth[kind] -= 1
        return given_up

    for token in TOKEN.finditer(markup):
        tag = (token["tag"] or "").lower()
        if token["opener"]:
            push(token["opener"].lstrip(" \t:*#;"))
        elif token["closer"] == "]":
            if open_ and open_[-1] == "[":
                close("[")
            elif bracket == token.start() - 1:  # the second of two, which close a link
                unclosed += close("[[")
                bracket = -1
            else:
                bracket = token.start()
        elif token["closer"]:
            unclosed += close(OPENER_OF[token["closer"].lstrip()])
        elif not token["end"]:
            unclosed += 1
        elif token["slash"]:
            unclosed += close(tag)
        elif not is_single(tag) and not token[0].endswith("/>"):
            push(tag)
    return unclosed + len(open_)
