"""Tests of the pages of a site with shared files, opened from a folder and from a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from gamelog_reports import site
from gamelog_reports.replay_page.page import PageLinks
from playwright.sync_api import Browser, Page, expect

from gamelog.record.record_file import compose
from tests.browser.test_page import HOSTILE
from tests.reports.toy import game, header
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

RECORD = DIRECTORY / "slicewars" / "takeback.jsonl"


class Quiet(SimpleHTTPRequestHandler):
    """A server of a folder that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture(params=["file", "http"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the address of the test's folder for the browser."""
    if request.param == "file":
        yield tmp_path.as_uri()
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def look(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page of the folder. The test fails if the page makes requests, logs or throws."""
    complaints: list[str] = []
    context = browser.new_context()

    def open_it(path: str, ready: str = "html.ready") -> Page:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((address, "blob:")) else complaints.append(request.url)
            ),
        )
        page.goto(f"{address}/{path}")
        page.wait_for_selector(ready, state="attached")
        return page

    yield open_it
    context.close()
    assert complaints == []


ELEMENTS = """() => {
    const tell = (node) => [node.tagName, ...[...node.attributes].map(({ name, value }) => name + "=" + value),
        ...[...node.childNodes].map((child) => child.nodeType === 1 ? tell(child) : child.textContent.trim()).filter(String)];
    return [...document.body.children].filter((node) => !["SCRIPT", "NOSCRIPT"].includes(node.tagName) && node.id !== "missing").map(tell);
}"""


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "pt"])
def test_pages_with_shared_files_equal_single_pages(
    look: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    for single, folder in ((True, "alone"), (False, "site")):
        site.publish(RECORD, tmp_path / folder, name="a.html", language=language, single=single)
    alone, shared = look("alone/games/a.html#n=101"), look("site/games/a.html#n=101")
    for page in (alone, shared):
        expect(page.locator("#number")).to_have_value("101")
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**#n=102")
        page.evaluate("document.querySelector('.event').scrollIntoView()")
    assert alone.evaluate(ELEMENTS) == shared.evaluate(ELEMENTS)
    for_all = "() => [...document.querySelectorAll('noscript')].map((one) => one.textContent)"
    assert alone.evaluate(for_all) == shared.evaluate(for_all) != []
    looks = """() => ["main", "h1", ".menu", "#board", "#said", ".card"].map((one) =>
        JSON.stringify(document.querySelector(one).getBoundingClientRect()))"""
    assert alone.evaluate(looks) == shared.evaluate(looks)
    assert len((tmp_path / "site/games/a.html").read_bytes()) * 5 < len(
        (tmp_path / "alone/games/a.html").read_bytes()
    )
    assert not (tmp_path / "alone/shared").exists()


def test_only_their_own_script_runs(browser: Browser, tmp_path: Path, address: str) -> None:
    site.publish(RECORD, tmp_path, name="a.html")
    (tmp_path / "games/evil.js").write_text("document.title = 'evil'")
    path = tmp_path / "games/a.html"
    act = "document.title = 'evil'"
    evil = f'<script src=evil.js></script><script>{act}</script><img src=evil.png onerror="{act}">'
    path.write_text(path.read_text().replace("<noscript>", f"{evil}<noscript>", 1))
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(f"{address}/games/a.html")
    page.wait_for_selector("html.ready", state="attached")
    assert "evil" not in page.title()
    assert sum("Content Security Policy" in text for text in refused) == 4
    page.close()


def test_peoples_words_are_only_text_in_shared_pages_too(look: Callable[..., Page], tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(compose(header(HOSTILE, HOSTILE, event=HOSTILE), game())[0])
    site.publish(path, tmp_path, name="a.html")
    page = look("games/a.html")
    assert page.locator("img").count() == 0
    assert (
        page.evaluate("document.scripts.length") == 7
    )  # texts, data, the loader, the three scripts that it starts, and the stage, which one of them adds


def test_a_page_without_its_shared_files_reports_them(browser: Browser, tmp_path: Path) -> None:
    site.publish(RECORD, tmp_path, name="a.html", language="pt")
    for file in (tmp_path / "shared").iterdir():
        file.unlink()
    page = browser.new_page()
    page.goto((tmp_path / "games/a.html").as_uri())
    expect(page.locator("#missing")).to_contain_text("gamelog export --single")
    page.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "games/a.html").as_uri())
    expect(page.locator("noscript p")).to_be_visible()
    page.close()


def test_framed_by_another_page(look: Callable[..., Page], tmp_path: Path, address: str) -> None:
    """The frame is sandboxed on a server only, because browsers load no files from a folder into such frames."""
    site.publish(RECORD, tmp_path, name="a.html")
    rights = 'sandbox="allow-scripts"' if address.startswith("http") else ""
    frame = f'<iframe {rights} src="games/a.html#embed&n=7" width=640 height=480></iframe>'
    (tmp_path / "host.html").write_text(f'<link rel="icon" href="data:,">{frame}')
    shown = look("host.html", "iframe").frame_locator("iframe")
    expect(shown.locator("#number")).to_have_value("7")
    expect(shown.locator("header")).to_be_hidden()  # its style is loaded


def test_pages_of_another_export_keep_their_files(tmp_path: Path) -> None:
    for language in ("en", "pt"):
        site.publish(RECORD, tmp_path, name=f"{language}.html", language=language)
    (tmp_path / "shared" / "replay-00000000.js").write_text("of a version before")
    before = {path: path.read_bytes() for path in (tmp_path / "shared").iterdir()}
    assert sorted(path.suffix for path in before) == [".css", *[".js"] * 6]
    site.publish(RECORD, tmp_path, name="again.html")
    assert {path: path.read_bytes() for path in (tmp_path / "shared").iterdir()} == before


def test_pages_with_links_to_other_pages_fit_the_width_of_phones(
    look: Callable[..., Page], tmp_path: Path
) -> None:
    """The menu has room next to the links to the index and to other games."""
    site.publish(RECORD, tmp_path, name="a.html", links=PageLinks("../index.html", "b.html", "c.html"))
    page = look("games/a.html#n=40")
    for width in (320, 390, 600):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        menu, name = page.locator(".menu").bounding_box(), page.locator("h1").bounding_box()
        assert menu
        assert menu["x"] + menu["width"] <= width
        assert name
        assert name["width"] > 40
