"""Making a page of a made-up study, and reading it in a browser."""

import os
import subprocess
import sys
from pathlib import Path

from made_up_study import make_study, word_sets
from playwright.sync_api import Browser, BrowserContext, Page

from build_explorer import build_explorer

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = Path(os.environ.get("BIASORIGIN_SOURCES", PROJECT / "results" / "sources"))
LIBRARY = SOURCES / "plotting_library" / "plot.js"
RULES = SOURCES / "accessibility_rules" / "axe.min.js"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def fetch_sources() -> None:
    """Let the workflow fetch the plotting library and the accessibility rules, where they are not there yet."""
    wanted = [path for path in (LIBRARY, RULES) if not path.exists()]
    if wanted:
        files = [str(path.relative_to(SOURCES.parents[1])) for path in wanted]
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "--snakefile", str(PROJECT / "Snakefile")]
        subprocess.run([*command, "--directory", str(SOURCES.parents[1]), "--", *files], check=True)


def build(folder: Path, *, inline_mb: float = 60, library: Path | None = LIBRARY, **study_options) -> Path:
    """Make a study below the folder (options of make_study) and its page; give the page's path."""
    study, paths = make_study(folder, **study_options)
    (folder / "sets.yaml").write_text(word_sets(), encoding="utf-8")
    page = folder / "report" / "explorer.html"
    build_explorer(
        study,
        paths,
        paths_to_word_sets=[str(folder / "sets.yaml")],
        path_to_library=library and str(library),
        path_to_sources=str(PROJECT / "report" / "explorer"),
        inline_mb=inline_mb,
        path_to_page=str(page),
        path_to_shards=str(page.parent / "explorer_files"),
        path_to_headlines=str(page.parent / "headlines.json"),
    )
    return page


class Reader:
    """A page in the browser that remembers what must not happen: errors, dialogs, requests to anywhere."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.note(message.text))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.on("request", lambda request: self.look_at(request.url))
        self.page.on("dialog", self.refuse)

    def note(self, text: str) -> None:
        """Something went wrong."""
        self.wrong.append(text)

    def look_at(self, url: str) -> None:
        """Only files and data of the page itself may be asked for."""
        if not url.startswith(("file://", "data:")):
            self.note(f"request to {url}")

    def refuse(self, dialog) -> None:
        """The page never opens a dialog; hostile text would."""
        self.note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, path: Path, place: str = "") -> Page:
        """Go to a place of the page and wait until it is shown."""
        self.page.goto("about:blank")
        self.page.goto(f"{path.as_uri()}{place}")
        self.page.wait_for_selector("html[data-ready] main h1")
        return self.page


def reader_of(browser: Browser, **options) -> Reader:
    """A reader with a window of a desk's size unless told otherwise."""
    return Reader(browser.new_context(viewport={"width": 1280, "height": 900}, **options))
