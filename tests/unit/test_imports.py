"""Which files a script is made of, however it imports them."""

from biasorigin.imports import files_of


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
