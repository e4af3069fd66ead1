"""Which files a script is made of, however it imports them."""

import ast
from pathlib import Path

import pytest

from biasorigin import imports
from biasorigin.imports import files_of

SCRIPTS = Path(__file__).resolve().parents[2] / "workflow" / "scripts"


def write(folder, **modules):
    for name, text in modules.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_imports_are_followed_through_packages_and_inside_functions(tmp_path):
    write(
        tmp_path,
        script="import os\nfrom lib.a import thing\nfrom lib import sub\n\ndef f():\n    from late import x\n",
        late="",
        unused="",
        lib__init="",
        lib__a="from .b import other\nfrom lib.sub.deep import y\n",
        lib__b="",
        lib__c="",
        lib__sub__deep="from .. import c\n",
    )
    (tmp_path / "lib" / "init.py").rename(tmp_path / "lib" / "__init__.py")
    (tmp_path / "lib" / "sub" / "__init__.py").write_text("")
    found = {str(path.relative_to(tmp_path)) for path in files_of(tmp_path / "script.py")}
    assert found == {
        "script.py",
        "late.py",
        "lib/__init__.py",
        "lib/a.py",
        "lib/b.py",
        "lib/c.py",
        "lib/sub/__init__.py",
        "lib/sub/deep.py",
    }


def test_circles_end(tmp_path):
    write(tmp_path, script="import one", one="import two", two="import one")
    assert len(files_of(tmp_path / "script.py")) == 3


@pytest.mark.parametrize(
    "source",
    [
        "from lib import (\n    one,  # (the first)\n    two,\n)",
        "from lib import (\n    one as first,\n    two,\n)\n",
        "import os; import lib.one, lib.two",
        "from lib import one, \\\n    two",
        '"""From the beginning,\nfrom one end\nimport of goods, to the other."""\nif True:\n\tfrom lib import one, two',
        "try:\n    from lib import one as a\nexcept ImportError:\n    import lib.two",
    ],
)
def test_every_way_to_write_an_import_is_found(source, tmp_path):
    write(tmp_path, script=source, lib__one="", lib__two="")
    found = {str(path.relative_to(tmp_path)) for path in files_of(tmp_path / "script.py")}
    assert found == {"script.py", "lib/one.py", "lib/two.py"}


def test_the_projects_own_imports_are_those_of_the_whole_syntax_tree(monkeypatch):
    scripts = sorted(SCRIPTS.glob("*.py"))
    found = [files_of(script) for script in scripts]
    imports._imported.cache_clear()
    monkeypatch.setattr(imports, "_import_statements", ast.parse)
    assert found == [files_of(script) for script in scripts]
    imports._imported.cache_clear()
