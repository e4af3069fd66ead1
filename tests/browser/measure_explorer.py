"""How heavy the explorer is and how soon it answers, for a made-up study of some size or a page that exists.

    python tests/browser/measure_explorer.py --documents 300000 --words 180
    python tests/browser/measure_explorer.py --page results/report/explorer.html

Needs a chromium (CHROMIUM, or /usr/bin/chromium) and what `make test-browser` fetches. Times are of the median of
three visits, from the start of the navigation, in a new browser profile each.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workflow" / "scripts"))

from playwright.sync_api import sync_playwright
from reading import CHROMIUM, FLAGS, build


def visit(driver, page_path: Path) -> dict[str, float]:
    """Seconds until the first view, the ranked list, another set, one document, and a search through all texts."""
    browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    took = {}

    def timed(name: str, act, selector: str) -> None:
        start = time.perf_counter()
        act()
        page.wait_for_selector(selector, timeout=120_000)
        took[name] = time.perf_counter() - start

    address = page_path.resolve().as_uri()
    timed("first view", lambda: page.goto(address, wait_until="commit"), "html[data-ready] .cards")
    page.wait_for_load_state("load")
    timed("ranked list", lambda: page.click("nav a[data-view=documents]"), ".results caption")
    first = page.locator(".results a[data-document]").first
    timed("document", first.click, ".detail [data-text]")
    timed("its effect on every set", lambda: None, ".detail figure")
    choice = page.get_by_label("Bias (WEAT set)")
    other = choice.locator("option").nth(1).get_attribute("value")
    key = f".results caption:has-text('effect on {other}:')"
    timed("another set", lambda: choice.select_option(other), key)
    search = page.get_by_label("Text contains")
    search.fill("poetry")
    before = page.locator(".results caption").inner_text().split(" ", 1)[0]
    found = f".results caption:not(:has-text('{before} of'))"
    timed("search of all texts", lambda: search.press("Enter"), found)
    browser.close()
    return took


def main() -> None:
    """Build if asked, visit three times, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path)
    parser.add_argument("--documents", type=int, default=33_530)
    parser.add_argument("--words", type=int, default=180)
    parser.add_argument("--inline-mb", type=float, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = given.page
        if page is None:
            start = time.perf_counter()
            page = build(Path(folder), documents=given.documents, length=given.words, inline_mb=given.inline_mb)
            print(f"{'made and built':28}{time.perf_counter() - start:8.1f} s")
        beside = list((page.parent / "explorer_files").glob("*.js"))
        print(f"{'page':28}{page.stat().st_size / 1e6:8.1f} MB")
        print(f"{'beside it':28}{sum(file.stat().st_size for file in beside) / 1e6:8.1f} MB in {len(beside)} files")
        visits = [visit(driver, page) for _ in range(3)]
        for name in visits[0]:
            print(f"{name:28}{median(one[name] for one in visits):8.2f} s")


if __name__ == "__main__":
    main()
