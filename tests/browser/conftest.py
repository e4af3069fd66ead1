"""A real browser, and pages made of a made-up study."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from reading import CHROMIUM, FLAGS, Reader, build, fetch_sources, reader_of


@pytest.fixture(scope="session", autouse=True)
def sources() -> None:
    """What the pages are made of and judged by."""
    fetch_sources()


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> Path:
    """A page with every stage, in one file."""
    return build(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="session")
def sharded(tmp_path_factory) -> Path:
    """The same with its documents beside it."""
    return build(tmp_path_factory.mktemp("sharded"), inline_mb=0)


@pytest.fixture(scope="session")
def bare(tmp_path_factory) -> Path:
    """A page of a study without any stage after the embeddings, and without charts."""
    return build(tmp_path_factory.mktemp("bare"), stages=(), library=None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium, or the one that CHROMIUM names."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    """A reader at a desk."""
    one = reader_of(browser)
    yield one
    assert one.wrong == []
    one.page.context.close()
