"""What a script is for and which files it is made of: itself and every module beside it that it imports."""

import ast
import re
from functools import cache
from pathlib import Path

# To parse whole files would take a fifth of the time in which Snakemake starts, and it starts for every job. An import
# behind the colon of another statement would be overlooked; the linter forbids that, and a test compares.
IMPORT = re.compile(r"^[ \t]*((?:from|import)[ \t][^\n(]*(?:\([^)]*\))?)", re.MULTILINE)


def files_of(script: Path) -> list[Path]:
    """The script and all modules under its own folder that it imports, sorted."""
    folder = script.parent
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(path, folder))
    return sorted(found)


def purpose_of(script: Path) -> str:
    """What a script is for: the first line of its docstring."""
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or script.stem).splitlines()[0]


@cache
def _imported(path: Path, folder: Path) -> tuple[Path, ...]:
    names: set[str] = set()
    for node in ast.walk(_import_statements(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, path, folder)
            # `from package import name` may mean a module of that name as well as a thing inside the package.
            names.update([base, *(f"{base}.{alias.name}" for alias in node.names)])
    return tuple(file for name in sorted(names) for file in _modules(name, folder))


def _import_statements(source: str, name: str) -> ast.Module:
    """A tree with every import of the source: that of the lines that begin like one, if they are Python."""
    try:
        return ast.parse("\n".join(IMPORT.findall(source)))
    except SyntaxError:
        return ast.parse(source, name)


def _absolute(node: ast.ImportFrom, path: Path, folder: Path) -> str:
    if not node.level:
        return node.module or ""
    package = path.parent.relative_to(folder).parts
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, *([node.module] if node.module else [])])


@cache
def _modules(name: str, folder: Path) -> list[Path]:
    """The files that Python runs to import a dotted name: each package's __init__.py and the module itself."""
    files = []
    path = folder
    for part in name.split("."):
        path = path / part
        here = [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
        if not here and not path.is_dir():
            break
        files += here
    return files
