"""The page's own script out of its modules, without any tool but this: each module a scope, all in one text."""

import re
from pathlib import Path

from biasorigin.errors import UserError

IMPORT = re.compile(r'^import\s+(\{[\w\s,]*\})\s+from\s+"\./([\w-]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export\s+((?:async\s+)?(?:function|const|let|class)\s+(\w+))", re.MULTILINE)


def bundle(folder: Path, entry: str = "main") -> str:
    """The modules that the entry imports, each after what it needs, as the text of one script.

    Known are `import { a, b } from "./module.js";` on a line of its own and `export` before a function, const, let or
    class; anything else is an error.
    """
    order: list[str] = []
    _visit(folder, entry, order, ())
    parts = [_module(folder / f"{name}.js", name) for name in order]
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def _module(path: Path, name: str) -> str:
    """The module as a function that is called once and gives what it exports."""
    source = path.read_text(encoding="utf-8")
    exported = ", ".join(match[2] for match in EXPORT.finditer(source))
    source = IMPORT.sub(lambda match: f"const {match[1]} = module_{match[2]};\n", source)
    source = EXPORT.sub(r"\1", source)
    if re.search(r"^(import|export)\b", source, re.MULTILINE):
        raise UserError(f"{path} has an import or export that the page's build does not know. See explorer/bundle.py.")
    return f"const module_{name} = (() => {{\n{source.strip()}\nreturn {{ {exported} }};\n}})();\n"


def _visit(folder: Path, name: str, order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise UserError(f"The page's modules import each other in a circle: {' > '.join([*above, name])}.")
    if name not in order:
        source = (folder / f"{name}.js").read_text(encoding="utf-8")
        for _, needed in IMPORT.findall(source):
            _visit(folder, needed, order, (*above, name))
        order.append(name)
