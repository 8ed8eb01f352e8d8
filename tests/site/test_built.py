"""The site of the documentation: it builds with --strict, loads nothing from other servers, and its replays and search run."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import gamelog
import gamelog.archive
import gamelog.game

ROOT = Path(__file__).parents[2]


def test_every_page_under_docs_is_on_the_site_and_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    names = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    names |= {
        Path(name)
        for name in ("tour.html", "contributing.html", "reporting.html", "changelog.html", "notebook.html")
    }
    for name in sorted(names):
        text = (site / name).read_text(encoding="utf-8")
        assert f'href="{"../" * (len(name.parts) - 1)}index.html"' in text
        fetched = re.findall(r"<(?:script|img|iframe|source)\b[^>]*?\bsrc=[\"']?([^\"'\s>]+)", text)
        fetched += re.findall(r"<link\b(?![^>]*rel=[\"']?canonical)[^>]*?\bhref=[\"']?([^\"'\s>]+)", text)
        assert fetched
        assert not [link for link in fetched if re.match(r"(https?:)?//", link)], name


def test_the_reference_has_each_public_name(site: Path) -> None:
    for module in (gamelog, gamelog.archive, gamelog.game):
        text = (site / "reference" / f"{module.__name__.rpartition('.')[2]}.html").read_text(encoding="utf-8")
        shown = set(re.findall(rf'id="{module.__name__}\.(\w+)"', text))
        assert {*module.__all__} - {"games"} <= shown, module.__name__


@pytest.mark.browser
def test_replays_run_in_the_pages_and_words_are_found_and_nothing_leaves_the_machine(
    address: str, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    wrong: list[str] = []
    local = (address, "data:", "blob:")
    page.on("request", lambda request: None if request.url.startswith(local) else wrong.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for name in ("index", "organisers", "reference/gamelog", "glossary", "notebook"):
        page.goto(f"{address}{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.goto(f"{address}index.html")
    frame = page.frame_locator(".replay iframe")
    expect(frame.locator("body")).to_contain_text("Rui claims F1.")
    frame.locator("body").press("ArrowRight")
    expect(frame.locator("body")).to_contain_text("Ana claims")
    page.get_by_role("link", name="Open the page").click()
    expect(page.locator("h1").first).to_be_visible()
    page.goto(f"{address}notebook.html")
    expect(page.locator(".output figcaption")).to_have_text("40. Rui claims F1.")
    box = page.locator(".output figure svg").first.bounding_box()
    assert box is not None
    assert box["width"] > 250
    expect(page.frame_locator(".output iframe").locator("svg").first).to_be_visible()
    page.locator("label[for=__search]").first.click()
    page.get_by_placeholder("Search").press_sequentially("commit-reveal")
    expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=20_000)
    context.close()
    assert wrong == []


@pytest.mark.browser
def test_search_works_in_pages_that_are_opened_from_disk(site: Path, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    wrong: list[str] = []
    page.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for name in ("index.html", "roles/scorer.html"):
        page.goto((site / name).as_uri())
        page.locator("label[for=__search]").first.click()
        page.get_by_placeholder("Search").press_sequentially("commit-reveal")
        expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=20_000)
    page.close()
    assert wrong == []
