"""What the project never does, looked up in its code; and text from a corpus, which stays text wherever it goes."""

import ast
import csv
import html
import json
import re
import xml.dom.minidom
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from biasorigin.artefacts import load_table, save_table
from biasorigin.attribution.cards import card_page, snippet
from biasorigin.enumeration.form import form_html
from biasorigin.enumeration.questionnaire import ITEM_SCHEMA
from biasorigin.explorer.blocks import Blocks
from biasorigin.explorer.documents import corpus_blocks
from biasorigin.explorer.page import assemble
from biasorigin.figures import new_figure, save_figure
from biasorigin.readers import open_reader

PROJECT = Path(__file__).resolve().parents[2]
CODE = sorted(
    path
    for folder in ("workflow", "benchmarks", "envs", "tests/cluster", "tests/browser", "tests/workflow")
    for path in (PROJECT / folder).rglob("*.py")
)
RULES = [PROJECT / "Snakefile", *sorted((PROJECT / "workflow" / "rules").glob("*.smk"))]

FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "joblib", "shelve", "marshal", "lxml", "telnetlib", "ftplib"}
FORBIDDEN_CALLS = {
    *("eval", "exec", "__import__", "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
    *("yaml.unsafe_load", "yaml.full_load", "yaml.unsafe_load_all", "yaml.full_load_all"),
    *("tempfile.mktemp", "shutil.unpack_archive", "ssl._create_unverified_context"),
}
FORBIDDEN_METHODS = {"read_pickle", "to_pickle", "extractall"}
# Polars ends the process for some damaged files; biasorigin/parquet_files.py reads them with pyarrow.
FORBIDDEN_CALLS |= {"pl.read_parquet", "pl.scan_parquet", "pl.read_parquet_schema"}
# Element holds parsed XML and TreeBuilder builds it; neither parses. The one parser refuses every entity.
XML_MODULE = "workflow/scripts/biasorigin/readers/xml_elements.py"
XML_TYPES = {"xml.etree.ElementTree.Element", "xml.etree.ElementTree.TreeBuilder"}
PICKLED_MODELS = {"Word2Vec", "FastText", "KeyedVectors", "Doc2Vec", "LdaModel", "Dictionary", "torch"}


def violations(source: str, name: str) -> list[str]:
    """The lines of a Python file that do what the project never does."""
    found = []
    for node in ast.walk(ast.parse(source)):
        for module in _imported(node):
            if module.split(".")[0] in FORBIDDEN_MODULES:
                found.append(f"{name}:{node.lineno}: imports {module}")
            if module.startswith("xml.") and module not in XML_TYPES and name != XML_MODULE:
                found.append(f"{name}:{node.lineno}: parses XML by itself ({module}); use readers/xml_elements.py")
        if isinstance(node, ast.Call):
            found += [f"{name}:{node.lineno}: {problem}" for problem in _problems(node)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.match(r"/(var/)?tmp\b", node.value):
            found.append(f"{name}:{node.lineno}: a fixed name in a folder that all can write; use tempfile")
    return found


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [f"{node.module}.{one.name}" for one in node.names]
    return []


def _problems(call: ast.Call) -> list[str]:
    called = ast.unparse(call.func)
    last = called.rpartition(".")[2]
    keywords = {one.arg: ast.unparse(one.value) for one in call.keywords}
    problems = []
    if called in FORBIDDEN_CALLS or last in FORBIDDEN_METHODS:
        problems.append(f"calls {called}")
    if keywords.get("shell", "False") != "False":
        problems.append(f"{called} through a shell")
    if keywords.get("allow_pickle", "False") != "False":
        problems.append(f"{called} with pickle")
    if called in ("yaml.load", "yaml.load_all") and "SafeLoader" not in keywords.get("Loader", ""):
        problems.append(f"{called} without SafeLoader")
    if last == "load" and called.rpartition(".")[0].rpartition(".")[2] in PICKLED_MODELS:
        problems.append(f"{called} unpickles")
    if keywords.get("verify") == "False":
        problems.append(f"{called} without a check of certificates")
    return problems


def rule_violations(text: str, name: str) -> list[str]:
    """The lines of a rules file that hand something to a shell unquoted, or do what Python code must not do."""
    words = [call for call in FORBIDDEN_CALLS if call != "__import__"]
    patterns = {rf"(?<![\w.]){re.escape(word)}\(": f"calls {word}" for word in words}
    patterns |= {rf"^\s*(import|from)\s+{module}\b": f"imports {module}" for module in FORBIDDEN_MODULES}
    found = [f"{name}: {problem}" for pattern, problem in patterns.items() if re.search(pattern, text, re.MULTILINE)]
    for command in re.findall(r"\bshell\s*(?::|\()(.*?)(?=\n\s*(?:\w+:|rule\b|def\b)|\Z)", text, re.DOTALL):
        quoted = command.replace("{{", "").replace("}}", "")
        found += [
            f"{name}: {{{place}}} in a shell command is not quoted; write {{{place}:q}}"
            for place in re.findall(r"\{([^{}]*)\}", quoted)
            if not place.endswith(":q") and place not in ("threads",)
        ]
        if re.search(r"""\bf["']|\+|%|\.format\(""", command):
            found.append(f"{name}: a shell command is put together from pieces")
    return found


def test_the_code_has_none_of_it():
    assert len(CODE) > 100
    found = [line for path in CODE for line in violations(path.read_text("utf-8"), str(path.relative_to(PROJECT)))]
    assert found == []


def test_the_rules_have_none_of_it():
    assert len(RULES) > 10
    assert [line for path in RULES for line in rule_violations(path.read_text("utf-8"), path.name)] == []


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from joblib import load",
        "import numpy as np; np.load('x', allow_pickle=True)",
        "import numpy as np; np.load('x', allow_pickle=given)",
        "frame.read_pickle('x')",
        "KeyedVectors.load('x')",
        "table = pl.read_parquet(path)",
        "gensim.models.Word2Vec.load('x')",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        "yaml.unsafe_load(text)",
        "eval('1')",
        "exec(text)",
        "os.system('ls')",
        "subprocess.run('ls', shell=True)",
        "subprocess.run(command, shell=wanted)",
        "import xml.etree.ElementTree",
        "from xml.dom import minidom",
        "from xml.parsers import expat",
        "from lxml import etree",
        "archive.extractall()",
        "tempfile.mktemp()",
        "open('/tmp/mine', 'w')",
        "requests.get(url, verify=False)",
    ],
)
def test_the_check_of_the_code_sees_it(line):
    assert violations(line, "planted.py")


@pytest.mark.parametrize(
    "line",
    [
        "import numpy as np; np.load('x', allow_pickle=False)",
        "yaml.load(text, Loader=yaml.SafeLoader)",
        "subprocess.run(['ls', name], check=True)",
        "from xml.etree.ElementTree import Element",
        "json.load(file)",
        "re.compile('eval(')",
    ],
)
def test_the_check_of_the_code_lets_good_code_pass(line):
    assert violations(line, "planted.py") == []


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ('rule a:\n    shell:\n        "cp {input} {output}"\n', True),
        ('rule a:\n    shell:\n        "echo {params.title:q} > {output}"\n', True),
        ('rule a:\n    shell:\n        f"echo {title}"\n', True),
        ('rule a:\n    run:\n        shell("rm " + name)\n', True),
        ('rule a:\n    shell:\n        "cp {input:q} {output:q} -j {threads} # {{x}}"\n', False),
        ('rule a:\n    script:\n        "../scripts/a.py"\n', False),
        ("value = eval(text)\n", True),
    ],
)
def test_the_check_of_the_rules_tells_them_apart(rule, wrong):
    assert bool(rule_violations(rule, "planted.smk")) == wrong


def test_captions_take_their_words_from_the_configuration_only():
    for path in sorted((PROJECT / "workflow" / "report").glob("*.rst")):
        places = re.findall(r"snakemake\.(\w+)", path.read_text("utf-8"))
        assert set(places) <= {"params", "config", "wildcards"}, path.name


# Text from a corpus

HOSTILE = [
    "../../etc/x",
    "/etc/passwd",
    "$(touch x)",
    "`touch x`; rm -rf .",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</script><!--",
    "<style>*{display:none}</style>",
    "javascript:alert(1)",
    "line\u2028separator\u2029here",
    "nul\x00byte \x1b[2J escape",
    "\u202egnp.exe",
    "=cmd|' /C calc'!A1",
    "tab\tand\nline\rends",
    "{{ 7 * 7 }} {%raw%} %(x)s {study} {{study}}",
    "$\\frac{1}{0}$ and $5",
    "x" * 20_000,
]
PLACED = {
    "html",
    "meta",
    "title",
    "style",
    "h1",
    "h2",
    "p",
    "mark",
    "article",
    "header",
    "bdi",
    "dl",
    "div",
    "dt",
    "dd",
}


class Tags(HTMLParser):
    """The tags and attributes of a page, and the text in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attributes]

    def handle_data(self, data):
        self.texts.append(data)


def corpus() -> pl.DataFrame:
    return pl.DataFrame({"id": HOSTILE, "text": [f"he {one} she" for one in HOSTILE], "title": HOSTILE, "words": 3})


def test_ids_and_titles_come_through_the_readers_unchanged_and_make_no_file(tmp_path):
    path = tmp_path / "corpus.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "text", "title"], *([one, "text", one] for one in HOSTILE)])
    settings = {"text": "text", "id": {"column": "id"}, "metadata": ["title"]}
    found = list(open_reader("csv", [path], settings))
    assert [one.id for one in found] == HOSTILE
    assert [one.metadata["title"] for one in found] == HOSTILE
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_keeps_its_rows(tmp_path):
    save_table(tmp_path / "top.tsv", corpus())
    with (tmp_path / "top.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", strict=True))
    assert [row[0] for row in rows[1:]] == HOSTILE
    assert {len(row) for row in rows} == {4}
    assert load_table(tmp_path / "top.tsv")["title"].to_list() == HOSTILE


def test_cards_hold_no_markup_of_the_corpus():
    documents = dict(enumerate(corpus().to_dicts()))
    count = len(HOSTILE)
    top = pl.DataFrame(
        {"set": "S", "rank": range(1, count + 1), "document": HOSTILE, "index": range(count), "effect": 0.5, "words": 3}
    ).with_columns(sd=pl.lit(None, dtype=pl.Float64))
    pairs = top.select("set", "rank", "document", word=pl.lit("he"), context=pl.lit("she"), contribution=pl.lit(0.1))
    sets = pl.DataFrame({"set": ["S"], "title": ["<i onclick=x>"]})
    page = Tags(card_page(top, pairs, documents, sets, {"<b>": np.ones(count)}, cards=count))
    assert set(page.tags) <= PLACED
    allowed = {("mark", "class"), ("mark", "title"), ("html", "lang"), ("meta", "charset"), ("meta", "name")}
    assert {(tag, name) for tag, name, _ in page.attributes} <= allowed | {("meta", "content")}
    assert page.tags.count("article") == count
    shown = "".join(page.texts)
    assert all(one in shown for one in HOSTILE)


@pytest.mark.parametrize("text", [*HOSTILE, "<" * 200_000, "<he " * 50_000, "he " * 100_000])
def test_a_snippet_is_text_and_marks(text):
    shown = Tags(snippet(text, {"he": 0.5, "script": -1.0}, {"he", "script"}))
    assert set(shown.tags) <= {"mark"}


def test_the_explorer_holds_no_markup_of_the_corpus():
    blocks = Blocks()
    study = {"title": HOSTILE[4], "documents": corpus_blocks("talk", corpus(), blocks), "ids": HOSTILE}
    sources = PROJECT / "report" / "explorer"
    mild = Blocks()
    calm = corpus().with_columns(pl.lit("calm").alias("title"), id=pl.Series([str(n) for n in range(len(HOSTILE))]))
    plain = assemble(sources, "", {"documents": corpus_blocks("talk", calm, mild)}, mild, 10**9)
    for most in (10**9, 0):
        page = assemble(sources, "", study, blocks, most)
        assert set(page.shards) == ({f"{name}.js" for name in blocks.packed} if most == 0 else set())
        assert all(re.fullmatch(r"[\w.-]+", name) for name in page.shards)
        for name, shard in page.shards.items():
            assert re.fullmatch(r'biasoriginBlock\("[\w.-]+","[A-Za-z0-9+/=]*"\);\n', shard), name
        assert sorted(set(Tags(page.text).tags)) == sorted(set(Tags(plain.text).tags))
        held = re.search(r'<script id="study" type="application/json">(.*?)</script>', page.text, re.DOTALL)[1]
        assert not re.search(r"[<>&]", held)
        assert json.loads(held)["ids"] == HOSTILE


def test_a_form_holds_no_markup_of_the_words():
    rows = [(one[:50], "matching", "T", one, " | ".join([one, "other"]), one) for one in HOSTILE]
    items = pl.DataFrame(rows, schema=ITEM_SCHEMA, orient="row")
    page = form_html(HOSTILE[4], items, dict.fromkeys(HOSTILE, HOSTILE[5]))
    tags = Tags(page)
    assert tags.tags.count("script") == 1
    assert not {"img", "iframe", "object"} & set(tags.tags)
    assert not [name for _, name, _ in tags.attributes if name.startswith("on")]


@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_figure_holds_no_markup_of_its_words(tmp_path):
    figure, axes = new_figure()
    words = HOSTILE[:-1]
    axes.set_yticks(range(len(words)), words)
    axes.set_title(HOSTILE[4])
    save_figure(figure, tmp_path / "figure.svg")
    content = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    elements = xml.dom.minidom.parseString(content).getElementsByTagName("*")
    assert not {"script", "img", "foreignObject"} & {element.tagName for element in elements}
    assert not [name for element in elements for name, _ in element.attributes.items() if name.startswith("on")]
    assert html.escape("<script>alert(1)</script>", quote=False) in content
