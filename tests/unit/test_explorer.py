"""The explorer's data and build: blocks, bundle, page, and the numbers that it derives itself."""

import base64
import hashlib
import json
import re
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biasorigin.association.weat import associations, effect_size
from biasorigin.closing import closing_summary
from biasorigin.errors import UserError
from biasorigin.explorer.associations import family_of, word_parts
from biasorigin.explorer.blocks import Blocks, rounded, spans, to_json
from biasorigin.explorer.bundle import bundle
from biasorigin.explorer.documents import corpus_blocks
from biasorigin.explorer.page import assemble, plain_script
from biasorigin.explorer.values import plain, records
from biasorigin.explorer.what_if import agreement_in_words, what_if_entry
from biasorigin.headlines import headline_of_associations, headline_of_concentration, headline_of_mitigation

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = PROJECT / "report" / "explorer"
sys.path.insert(0, str(PROJECT / "tests" / "browser"))


def unpacked(blocks: Blocks, name: str) -> bytes:
    return zlib.decompress(base64.b64decode(blocks.packed[name]))


class TestBlocks:
    def test_json_and_numbers_come_back(self):
        blocks = Blocks()
        blocks.add_json("texts", {"a": ["<script>", "ü\u2028"]})
        blocks.add_numbers("effects", np.array([0.0, -1.5, 0.25]))
        blocks.add_numbers("codes", np.array([0, 255], dtype=np.uint8))
        blocks.add_numbers("words", np.array([7, 70_000], dtype=np.int64))
        assert json.loads(unpacked(blocks, "texts")) == {"a": ["<script>", "ü\u2028"]}
        assert np.frombuffer(unpacked(blocks, "effects"), "<f4").tolist() == [0.0, -1.5, 0.25]
        assert list(unpacked(blocks, "codes")) == [0, 255]
        assert np.frombuffer(unpacked(blocks, "words"), "<i4").tolist() == [7, 70_000]

    @pytest.mark.parametrize("name", ['a"b', "a/b", "../x", "", "a b", "<"])
    def test_a_name_that_could_leave_its_quotes_or_folder_is_refused(self, name):
        with pytest.raises(ValueError, match="name"):
            Blocks().add(name, b"")

    def test_a_block_is_added_once(self):
        blocks = Blocks()
        blocks.add("a", b"")
        with pytest.raises(ValueError, match="already"):
            blocks.add("a", b"")

    @given(st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=1))
    def test_rounding_keeps_four_digits_sign_and_zero(self, values):
        exact = np.array(values, dtype=np.float32)
        short = rounded(exact)
        normal = np.abs(exact) > 1e-37
        np.testing.assert_allclose(short[normal], exact[normal], rtol=2.0**-15)
        assert (np.sign(short[normal]) == np.sign(exact[normal])).all()
        assert (short[exact == 0] == 0).all()

    def test_rounding_refuses_what_is_not_a_number(self):
        with pytest.raises(ValueError, match="not finite"):
            rounded(np.array([np.nan], dtype=np.float32))

    @given(st.lists(st.integers(0, 50)), st.integers(1, 60))
    def test_spans_cover_everything_in_parts_that_are_not_too_heavy(self, sizes, most):
        cuts = spans(sizes, most)
        assert cuts[0] == 0 and cuts[-1] == len(sizes) and cuts == sorted(set(cuts))
        for first, last in pairwise(cuts):
            assert sum(sizes[first:last]) <= most or last == first + 1 or not sum(sizes[first : last - 1])

    @given(st.text())
    def test_json_never_holds_markup(self, text):
        written = to_json({"text": text})
        assert not set(written) & set("<>&")
        assert json.loads(written) == {"text": text}


class TestBundle:
    def test_modules_stand_after_what_they_import_and_keep_their_own_names(self, tmp_path):
        (tmp_path / "a.js").write_text("const hidden = 1;\nexport function one() { return hidden; }\n")
        (tmp_path / "main.js").write_text('import { one } from "./a.js";\nconst hidden = 2;\none();\n')
        text = bundle(tmp_path)
        assert text.index("module_a") < text.index("module_main")
        assert "import" not in text and "export" not in text
        assert "const { one } = module_a;" in text

    @pytest.mark.parametrize("line", ['import x from "./a.js";', "export default 1;", 'export { x } from "./a.js";'])
    def test_what_it_does_not_know_is_an_error(self, tmp_path, line):
        (tmp_path / "a.js").write_text("")
        (tmp_path / "main.js").write_text(line + "\n")
        with pytest.raises(UserError, match="does not know"):
            bundle(tmp_path)

    def test_a_circle_is_an_error(self, tmp_path):
        (tmp_path / "main.js").write_text('import { a } from "./a.js";\n')
        (tmp_path / "a.js").write_text('import { b } from "./main.js";\n')
        with pytest.raises(UserError, match="circle"):
            bundle(tmp_path)


class TestPage:
    def test_only_the_pages_own_scripts_are_allowed(self):
        page = assemble(SOURCES, "window.Plot = {};\nexport { x };\n", {"title": "{{script}}"}, Blocks(), 10).text
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
        for script in scripts:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy
        assert len(scripts) == 2
        assert "unsafe-eval" not in policy and "http" not in policy and "default-src 'none'" in policy
        assert '"title":"{{script}}"' in page, "a text that looks like a place of the template stays a text"

    def test_heavy_blocks_go_beside_the_page(self):
        blocks = Blocks()
        blocks.add("talk-texts-0", b"x" * 1000)
        inside = assemble(SOURCES, "", {}, blocks, 10_000)
        beside = assemble(SOURCES, "", {}, blocks, 1)
        assert 'id="block-talk-texts-0"' in inside.text and not inside.shards
        assert "block-talk" not in beside.text.split("</main>")[1].split("<script>")[0]
        assert list(beside.shards) == ["talk-texts-0.js"]
        assert beside.shards["talk-texts-0.js"].startswith('biasoriginBlock("talk-texts-0","')

    def test_a_library_that_would_end_its_script_is_refused(self):
        with pytest.raises(UserError, match="library"):
            assemble(SOURCES, "const x = '</script>';", {}, Blocks(), 10)

    def test_the_closing_export_of_the_library_is_taken_off(self):
        assert "export" not in plain_script("var a = 1;\nexport {\n  a as default\n};\n")

    def test_no_module_makes_markup_out_of_text(self):
        for path in (SOURCES / "js").glob("*.js"):
            found = re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text())
            assert found is None, f"{path.name}: {found}"

    def test_the_same_study_gives_the_same_bytes(self, tmp_path):
        from made_up_study import make_study, word_sets

        from build_explorer import build_explorer

        (tmp_path / "sets.yaml").write_text(word_sets())
        pages = []
        for turn in ("first", "second"):
            study, paths = make_study(tmp_path / turn, documents=30)
            page = tmp_path / turn / "explorer.html"
            build_explorer(
                study,
                paths,
                [str(tmp_path / "sets.yaml")],
                None,
                str(SOURCES),
                60,
                str(page),
                str(tmp_path / turn / "explorer_files"),
                str(tmp_path / turn / "headlines.json"),
            )
            pages.append(page.read_bytes())
        assert pages[0] == pages[1]


@given(st.integers(0, 10_000), st.tuples(*[st.integers(2, 6)] * 4))
def test_the_words_parts_sum_to_the_effect_size(seed, sizes):
    rng = np.random.default_rng(seed)
    lists = [rng.normal(size=(size, 7)) for size in sizes]
    lists = [own / np.linalg.norm(own, axis=1, keepdims=True) for own in lists]
    cosines = np.concatenate(lists[:2]) @ np.concatenate(lists[2:]).T
    g = associations(cosines, sizes[2])
    d = effect_size(g[: sizes[0]], g[sizes[0] :])
    parts = word_parts(lists)
    assert sum(parts[0]) + sum(parts[1]) == pytest.approx(d)
    assert sum(parts[2]) + sum(parts[3]) == pytest.approx(d)
    assert [len(part) for part in parts] == list(sizes)


def test_a_test_is_grouped_by_the_citation_of_its_source():
    assert (
        family_of("Aylin Caliskan and others (2017), Semantics, Science 356(6334)")
        == "Aylin Caliskan and others (2017)"
    )
    assert family_of("A user's own list") == "A user's own list"
    assert family_of("") == "other"


def test_metadata_with_few_values_filters_and_the_rest_is_shown_with_the_text():
    documents = pl.DataFrame(
        {
            "id": [f"d{n}" for n in range(40)],
            "text": ["one two"] * 40,
            "label": ["pos", None] * 20,
            "title": [f"t{n}" for n in range(40)],
            "same": ["x"] * 40,
            "words": [2] * 40,
            "kept": [2] * 40,
        }
    )
    blocks = Blocks()
    entry = corpus_blocks("talk", documents, blocks)
    assert [facet["name"] for facet in entry["facets"]] == ["label"]
    assert entry["facets"][0]["values"] == ["", "pos"]
    assert list(unpacked(blocks, entry["facets"][0]["block"]))[:2] == [1, 0]
    assert entry["more"] == ["title"]
    content = json.loads(unpacked(blocks, entry["texts"][0]["block"]))
    assert content["more"][0][39] == "t39" and len(content["texts"]) == 40


def test_records_are_plain_values():
    table = pl.DataFrame({"a": [1.23456789, float("nan"), None]})
    assert records(table, x="a", y="absent") == [{"x": v, "y": None} for v in (1.23457, None, None)]
    assert plain(float("inf")) is None


def test_what_if_says_the_band_and_keeps_points_of_other_sets_out():
    sets = pl.DataFrame({"set": ["H"], "title": ["Career"]})
    curves = pl.DataFrame(
        [("H", "worst", n, seed, 1.0 - n / 10 + seed) for n in (2, 0) for seed in (1, 2)],
        schema=["set", "order", "removed", "seed", "effect_size"],
        orient="row",
    )
    comparison = pl.DataFrame(
        {
            "target": ["H", "J", "all", None],
            "kind": ["raising", "raising", "raising", "random"],
            "documents": [30, 30, 50, 30],
            "set": ["H"] * 4,
            "seed": [1] * 4,
            "before": [1.0] * 4,
            "after": [0.5, 0.9, 0.4, 1.0],
            "resolve_bias": [0.6, 0.1, 0.7, 0.0],
        }
    )
    entry = what_if_entry("e", "E", 100, sets, curves, comparison, None, "resolve_bias")
    [one] = entry["sets"]
    assert one["curves"]["raising"][0] == {"n": 0, "value": 2.5, "low": 2.0, "high": 3.0}
    assert [(point["value"], point["together"]) for point in one["points"]] == [(0.5, False), (1.0, False), (0.4, True)]
    assert one["points"][2]["estimate"] == pytest.approx(0.3)


def test_agreement_without_numbers_is_no_sentence():
    table = pl.DataFrame({"scope": ["targeted"], "estimator": ["a"], "pairs": [2], "removals": [1], "r2": [None]})
    assert agreement_in_words(table, "a") is None
    assert agreement_in_words(table, "b") is None


class TestHeadlines:
    def test_tests_found_are_counted_by_their_largest_q(self):
        summary = pl.DataFrame(
            {
                "embedding": ["e"] * 3,
                "test": ["A", "B", "C"],
                "title": ["a", "b", "c"],
                "effect_size": [0.5, 1.5, None],
                "low": [0.1, 1.0, None],
                "high": [0.9, 1.9, None],
                "q_largest": [0.04, 0.2, None],
            }
        )
        one = headline_of_associations(summary, "e", "E")
        assert one.value == "1 of 2" and "Strongest: A" in one.detail
        assert headline_of_associations(summary, "unknown", "U") is None

    def test_concentration_is_the_median_over_sets(self):
        summary = pl.DataFrame(
            {"set": ["A", "B", "C"], "top_1_percent": [0.2, 0.4, 0.9], "half": [3, 5, 9], "documents": [100] * 3}
        )
        one = headline_of_concentration(summary, "e")
        assert one.value == "40 %" and "5 of 100" in one.detail

    def test_a_repair_needs_a_before(self):
        entry = {"embedding": "e", "title": "E", "versions": [], "measures": []}
        assert headline_of_mitigation(entry) is None


def test_the_closing_summary_is_narrow_and_names_places():
    overview = {
        "headlines": [{"label": "Found", "value": "3 of 9", "detail": "word " * 40}],
        "scorecard": {
            "total": 3,
            "statuses": ["reproduced", "differs"],
            "rows": [{"paper": "UBE", "reproduced": 2, "differs": 1}, {"paper": "All", "reproduced": 2, "differs": 1}],
        },
    }
    text = closing_summary("A study", overview, [["Open", "results/report/explorer.html"]])
    assert max(map(len, text.splitlines())) <= 100
    assert "2 reproduced, 1 differs" in text and "explorer.html" in text
    bare = closing_summary("A study", {"headlines": [], "scorecard": {"missing": {}}}, [])
    assert bare.startswith("What was found: A study")
