"""The page put together: template, style, plotting library, script, results and blocks."""

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from biasorigin.errors import UserError
from biasorigin.explorer.blocks import Blocks, to_json
from biasorigin.explorer.bundle import bundle

LAST_EXPORT = re.compile(r"export\s*\{[^{}]*\};?\s*\Z")
PLACE = re.compile(r"\{\{(\w+)\}\}")
SHARDS = "explorer_files"


@dataclass(frozen=True)
class Page:
    """The text of the page and, for a large study, the files beside it by name (in the folder `explorer_files`)."""

    text: str
    shards: dict[str, str]


def assemble(folder: Path, library: str, study: dict, blocks: Blocks, inline_bytes: int) -> Page:
    """The explorer of a study.

    folder        sources of the page: index.html, style.css, js/
    library       text of the plotting library, a module that sets `window.Plot`
    inline_bytes  blocks that weigh more than this in all are put beside the page
    """
    inline = blocks.size <= inline_bytes
    scripts = {"library": plain_script(library), "script": bundle(folder / "js")}
    for name, text in scripts.items():
        if "</script" in text.lower() or "<!--" in text:
            raise UserError(f"The explorer's {name} holds text that would end its script element. Take it out.")
    parts = {
        **scripts,
        "policy": policy(list(scripts.values()), inline),
        "style": (folder / "style.css").read_text(encoding="utf-8"),
        "study": to_json({**study, "blocks": {"inline": inline, "folder": SHARDS, "names": list(blocks.packed)}}),
        "blocks": "\n".join(map(element, blocks.packed, blocks.packed.values())) if inline else "",
    }
    template = (folder / "index.html").read_text(encoding="utf-8")
    text = PLACE.sub(lambda match: parts[match[1]], template)
    shards = {} if inline else {f"{name}.js": shard(name, packed) for name, packed in blocks.packed.items()}
    return Page(text, shards)


def plain_script(module: str) -> str:
    """A module without imports as a script of its own scope: its closing export is taken off."""
    return "(() => {\n" + LAST_EXPORT.sub("", module.replace("\r\n", "\n")) + "\n})();\n"


def element(name: str, packed: str) -> str:
    """A block inside the page: an element that no browser runs."""
    return f'<script type="text/plain" id="block-{name}">{packed}</script>'


def shard(name: str, packed: str) -> str:
    """A block beside the page: a script that hands it over. Names and base64 need no quoting."""
    return f'biasoriginBlock("{name}","{packed}");\n'


def policy(scripts: list[str], inline: bool) -> str:
    """The content security policy: these scripts and the page's own files, no connection to anywhere."""
    digests = [base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") for text in scripts]
    allowed = " ".join([*(f"'sha256-{digest}'" for digest in digests), *([] if inline else ["'self'", "file:"])])
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
