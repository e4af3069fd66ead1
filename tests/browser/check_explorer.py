"""The explorer in a real browser, from the file system. Run by `make test-browser`; `make test` needs no browser."""

import os
import re
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from made_up_study import HOSTILE
from playwright.sync_api import Page, expect
from reading import RULES, Reader, build, reader_of

VIEWS = ["overview", "associations", "enumeration", "documents", "what-if", "mitigation", "methods"]
HOSTILE_ID = """<img src=x onerror="alert('id')">"""
PLACES = [
    *VIEWS,
    "associations?test=H&beside=published",
    f"documents?set=H&doc={quote(HOSTILE_ID)}",
    "what-if?kind=random",
]
INTRUDER = """() => {
  const script = document.createElement("script");
  script.textContent = "window.intruder = 1";
  document.body.append(script);
}"""
PICTURES = os.environ.get("BIASORIGIN_PICTURES")


def results(page: Page) -> list[str]:
    """Wait for the list of documents; their texts."""
    page.wait_for_selector(".results caption")
    return page.locator(".results a[data-document]").all_inner_texts()


def settled(page: Page) -> None:
    """Wait until nothing is being read any more."""
    expect(page.locator("#main")).not_to_contain_text("Reading")


@pytest.mark.parametrize("place", PLACES)
def test_every_view_opens_without_error_or_request(reader: Reader, whole: Path, place: str) -> None:
    page = reader.open(whole, f"#{place}")
    settled(page)
    name = place.split("?", 1)[0]
    assert page.locator("main").get_attribute("data-view") == name
    assert page.locator(f"#views a[data-view={name}]").get_attribute("aria-current") == "page"
    assert page.locator(".missing").count() == 0
    words = re.findall(
        r"\b(?:undefined|null|NaN|false(?! discovery)|true|\[object)\b", page.locator("main").inner_text()
    )
    assert words == [], "a value that is no text was shown as text"
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


@pytest.mark.parametrize("place", VIEWS)
def test_views_of_a_bare_study_say_what_is_missing_and_how_to_make_it(reader: Reader, bare: Path, place: str) -> None:
    page = reader.open(bare, f"#{place}")
    if place in ("overview", "methods"):
        return
    expect(page.locator(".missing")).to_contain_text("snakemake --cores all")


def test_a_page_without_library_says_so_in_place_of_charts(reader: Reader, tmp_path: Path) -> None:
    page = reader.open(build(tmp_path, library=None), "#associations")
    expect(page.locator("figure").first).to_contain_text("without charts")
    assert page.locator("tbody tr").count() == 3


def test_documents_are_ranked_as_attribution_ranks_them(reader: Reader, whole: Path) -> None:
    effects = np.load(whole.parents[1] / "attribution" / "effects.npy").mean(axis=0)[:, 1]  # set J
    page = reader.open(whole, "#documents?set=J")
    results(page)
    shown = [int(link.get_attribute("data-document")) for link in page.locator(".results a[data-document]").all()]
    assert shown == np.argsort(-effects, kind="stable")[:20].tolist()
    first = page.locator(".results tbody tr").first.locator("td").nth(1).inner_text()
    assert float(first.split()[0]) == pytest.approx(effects.max(), rel=5e-3)


def test_deep_links_choose_set_order_and_document(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#documents?set=J&order=corpus&page=2&doc=doc-000025")
    expect(page.locator(".detail h2")).to_contain_text("doc-000025")
    assert page.get_by_label("Bias (WEAT set)").input_value() == "J"
    assert page.get_by_label("Order", exact=True).input_value() == "corpus"
    expect(page.locator(".results tr.chosen a")).to_have_attribute("data-document", "25")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".pager")).to_contain_text("page 3 of 20")
    page.go_back()
    expect(page.locator(".pager")).to_contain_text("page 2 of 20")


def test_an_unknown_document_is_named_not_ignored(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#documents?doc=nobody")
    expect(page.locator(".detail [role=alert]")).to_contain_text("nobody")


def test_filters_narrow_the_list_and_stand_in_the_address(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#documents")
    results(page)
    page.get_by_label("label").select_option("pos")
    expect(page.locator(".results caption")).to_contain_text("133 of 400")
    page.get_by_label("Text contains").fill("bold")
    page.get_by_label("Text contains").press("Enter")
    expect(page.locator(".results caption")).to_contain_text("1 of 400")
    assert "q=bold" in page.url and "is.label=pos" in page.url
    page.get_by_label("Words at least").fill("41")
    page.get_by_label("Words at least").press("Tab")
    expect(page.locator(".results")).to_contain_text("No document fits")


def test_what_kind_of_documents_and_the_way_to_a_topic(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#documents?set=H&doc=doc-000007")
    expect(page.locator("main")).to_contain_text("topic 1: <b>war</b>")
    expect(page.locator("main")).to_contain_text("The 4 documents that raise H most against 20 others")
    page.locator(".detail").get_by_role("link", name="topic 1: war").click()
    expect(page.locator(".results caption")).to_contain_text("200 of 400")


def test_hostile_text_ids_and_titles_are_shown_as_text(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, f"#documents?set=H&doc={quote(HOSTILE_ID)}")
    text = page.locator("[data-text]")
    expect(text).to_contain_text("<script>alert('no')</script>")
    assert text.evaluate("element => element.textContent") == HOSTILE
    assert text.locator(":not(mark)").count() == 0
    assert {"his", "career"} & set(text.locator("mark").all_inner_texts()) == {"career"}
    expect(page.locator(".detail h2")).to_contain_text(HOSTILE_ID)
    expect(page.locator(".detail dl")).to_contain_text("Title <i>1</i>")
    assert page.locator("main img, main script, main i, main b").count() == 0
    expect(page.locator(".detail table")).to_contain_text("wife")


def test_scripts_that_are_not_the_pages_own_do_not_run(browser, whole: Path) -> None:
    one = reader_of(browser)
    page = one.open(whole)
    page.evaluate(INTRUDER)
    assert page.evaluate("window.intruder") is None
    page.evaluate("() => { setTimeout('window.intruder = 2', 0); }")
    page.wait_for_timeout(100)
    assert page.evaluate("window.intruder") is None
    assert len(one.wrong) == 2 and all("Content Security Policy" in text for text in one.wrong)
    page.context.close()


def test_blocks_beside_the_page_are_read_when_needed(reader: Reader, sharded: Path) -> None:
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    page = reader.open(sharded)
    assert not [url for url in asked if url.endswith(".js")]
    page.get_by_role("link", name="Documents", exact=True).click()
    assert results(page)[0].startswith("He said")
    assert [url for url in asked if url.endswith("talk-texts-0.js")]


def test_a_missing_folder_is_explained(browser, sharded: Path, tmp_path: Path) -> None:
    alone = tmp_path / "explorer.html"
    alone.write_bytes(sharded.read_bytes())
    one = reader_of(browser)
    page = one.open(alone, "#documents")
    expect(page.locator("[role=alert]").first).to_contain_text("is not beside this page")
    page.context.close()


def test_the_list_can_be_walked_with_the_keyboard(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#documents?set=J")
    results(page)
    page.locator(".results a[data-document]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    wanted = page.locator(".results a[data-document]").nth(2).get_attribute("data-document")
    page.keyboard.press("Enter")
    expect(page.locator(".detail [data-text]")).to_be_visible()
    expect(page.locator("[data-document]:focus")).to_have_attribute("data-document", wanted)


def test_the_handle_of_what_if_answers_to_keys(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#what-if?set=H&n=0")
    expect(page.locator("main .lead")).to_contain_text("Without 0 of 400")
    page.get_by_label("How many documents are removed").press("End")
    expect(page.locator("main .lead")).to_contain_text("Without 100 of 400 documents (25.00 %)")
    assert "n=100" in page.url
    page.get_by_label("How many documents are removed").press("ArrowLeft")
    expect(page.locator("main .lead")).to_contain_text("Without 93 of 400")


def test_a_row_of_the_forest_shows_its_words(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#associations")
    page.get_by_role("link", name="H: Family against career").click()
    expect(page.locator("main h2")).to_contain_text("H: Family against career")
    expect(page.locator("main figure svg[role=img]")).to_have_count(3)
    expect(page.locator("main")).to_contain_text("unheard (missing)")
    page.get_by_role("link", name="Which documents teach it?").click()
    assert results(page)


def test_pointing_at_the_forest_names_the_words(reader: Reader, whole: Path) -> None:
    page = reader.open(whole, "#associations")
    box = page.locator("figure svg[role=img] [aria-label=dot] circle").first.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    expect(page.locator("figure svg[role=img] [aria-label=tip]")).to_contain_text("carried most by")


def test_theme_follows_the_system_and_the_button(browser, whole: Path) -> None:
    one = reader_of(browser, color_scheme="dark")
    page = one.open(whole)
    back = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(back) == "rgb(20, 23, 26)"
    page.get_by_role("button", name="Use light colours").click()
    assert page.evaluate(back) == "rgb(255, 255, 255)"
    assert one.wrong == []
    page.context.close()


@pytest.mark.parametrize("place", PLACES)
def test_nothing_overflows_on_a_phone(browser, whole: Path, place: str) -> None:
    one = reader_of(browser)
    one.page.set_viewport_size({"width": 360, "height": 740})
    page = one.open(whole, f"#{place}")
    settled(page)
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/phone_{place.split('?', 1)[0]}.png", full_page=True)
    assert one.wrong == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_no_serious_violation(browser, whole: Path, place: str, scheme: str) -> None:
    one = reader_of(browser, color_scheme=scheme)
    page = one.open(whole, f"#{place}")
    settled(page)
    page.evaluate(RULES.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document)).violations")
    serious = [
        f"{one['impact']}: {one['id']} at {[node['target'] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
    if PICTURES and scheme == "dark":
        page.screenshot(path=f"{PICTURES}/dark_{place.split('?', 1)[0]}.png", full_page=True)
    page.context.close()
