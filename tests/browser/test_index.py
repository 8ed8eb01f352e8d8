"""Tests of the index of a site: rows, groups, order, search, small boards, print."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gamelog_reports import site
from msgspec import structs
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import settle, until
from tests.reports.toy import folded, game, header

pytestmark = pytest.mark.browser

WIDTHS = {1440: 900, 1024: 768, 844: 390, 390: 844}
"""The sizes of the screens on which the index is tested."""

OpenIndex = Callable[..., Page]


def games(count: int) -> list[site.Entry]:
    """Return the entries of `count` games in two events, on a new day after every third game."""
    base = site.entry(folded(game(), header("Ana", "Rui")), "games/a.html")
    people = [("Ana Sousa", "Rui"), ("Anabela", "greedy (bot)"), ("Eva Maria Constança de Sá", "Ana")]
    return [
        structs.replace(
            base,
            path=f"table {at}.jsonl",
            href=f"games/{at}.html",
            game=("Toy", "Other game")[at % 2],
            people=people[at % 3],
            started=f"2026-11-{21 - at // 3 % 20:02}T19:30:00Z",
            event=("Club night", "Cup", "")[at % 3],
            round=str(at),
            events=at,
            points=(at, 50 - at),
            result=((people[at % 3][at % 2],), "points") if at % 5 else None,
            status="illegal" if at == 4 else "claim" if at == 7 else "ok",
            problem={4: "it is Rui's turn", 7: "no one has ruled on this claim"}.get(at, ""),
        )
        for at in range(count)
    ]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of a site of 30 games."""
    folder = tmp_path_factory.mktemp("site")
    return site.write_index(games(30), folder, heading="The club")


@pytest.fixture
def open_index(browser: Browser, index: Path) -> Iterator[OpenIndex]:
    """Return a function that opens the index. The test fails if the page logs or throws."""
    complaints: list[str] = []
    opened: list[Page] = []

    def open_it(fragment: str = "", width: int = 1440, *, script: bool = True) -> Page:
        page = browser.new_page(
            viewport={"width": width, "height": WIDTHS[width]}, java_script_enabled=script
        )
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{index.as_uri()}#{fragment}")
        if script:
            until(page, "document.documentElement.classList.contains('ready')")
        opened.append(page)
        return page

    yield open_it
    for page in opened:
        page.close()
    assert complaints == []


def numbers(page: Page) -> list[int]:
    """Return the numbers of the listed games in their order."""
    links = page.locator("tbody a.names").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    return [int(re.sub(r"\D", "", link)) for link in links]


def test_a_link_to_a_game_says_more_than_its_players(open_index: OpenIndex) -> None:
    """Players meet several times in an evening: the whole cell opens the game, and its name has what differs."""
    page = open_index()
    link = page.locator("[href='games/1.html']")
    name = link.get_attribute("aria-label") or ""
    assert name.startswith(link.inner_text())
    assert "table 1" in name and re.search(r", \d{4}-\d\d-\d\d, ", name), name
    box = page.locator("tbody tr", has=link).locator(".file").bounding_box()
    assert box
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    script = "([x, y]) => document.elementFromPoint(x, y).closest('a')?.getAttribute('href')"
    assert page.evaluate(script, at) == "games/1.html"


def test_a_row_is_low_and_has_score_result_and_winner(open_index: OpenIndex) -> None:
    page = open_index()
    row = page.locator("tbody tr", has=page.locator("[href='games/1.html']"))
    expect(row.locator(".points")).to_have_text("1:49")
    expect(row.locator(".result")).to_have_text("points")
    expect(row.locator(".won")).to_have_text("greedy (bot)")
    expect(row.locator(".file")).to_have_text(" · table 1")
    claim = page.locator("tbody tr", has=page.locator("[href='games/7.html']"))
    expect(claim.locator(".status summary")).to_have_text("valid, a claim is open")
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        heights = page.locator("tbody tr").evaluate_all(
            "(rows) => rows.map((row) => row.getBoundingClientRect().height)"
        )
        assert max(heights) <= 44.5
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert row.locator(".points").is_visible()
        winner = row.locator(".winner").is_visible()
        mark = row.locator(".won").evaluate("(name) => getComputedStyle(name, '::after').content")
        assert winner or "✓" in mark


def test_nothing_moves_while_the_index_opens(open_index: OpenIndex) -> None:
    for width in (1440, 390):
        page = open_index("group=date&boards=1", width)
        expect(page.locator("td.picture svg").first).to_be_attached()
        moved = page.evaluate(
            """() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().map((one) => one.value)))
            .observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => done([])))"""
        )
        assert sum(moved) < 0.01


def test_games_form_groups_that_fold(open_index: OpenIndex) -> None:
    page = open_index()
    group, heads = page.get_by_label("Group by"), page.locator(".group button")
    group.select_option("event")
    expect(heads).to_have_text(["Club night10 games", "Cup10 games", "Without an event10 games"])
    expect(page.locator("tbody a.names")).to_have_count(30)
    heads.nth(1).focus()
    page.keyboard.press("Enter")
    expect(heads.nth(1)).to_have_attribute("aria-expanded", "false")
    expect(heads.nth(1)).to_be_focused()
    expect(page.locator("tbody a.names")).to_have_count(20)
    page.keyboard.press("Enter")
    expect(page.locator("tbody a.names")).to_have_count(30)
    page.get_by_role("button", name="Fold groups").click()
    expect(page.locator("tbody a.names")).to_have_count(0)
    page.get_by_role("button", name="Open groups").click()
    expect(page.locator("tbody a.names")).to_have_count(30)
    group.select_option("round")
    expect(heads.nth(1)).to_have_text("Cup · Round 11 game")
    group.select_option("game")
    expect(heads).to_have_text(["Toy15 games", "Other game15 games"])
    group.select_option("date")
    expect(heads.first).to_have_text("Saturday, November 21, 20263 games")
    page.reload()
    expect(heads).to_have_count(10)


def test_each_column_sorts_from_its_title_and_from_the_form(open_index: OpenIndex) -> None:
    page = open_index()
    assert numbers(page)[:6] == [0, 1, 2, 3, 4, 5]
    first = {"Day": 27, "Game": 1, "Players": 0, "Points": 25, "Winner": 0, "Events": 0, "Status": 7}
    for title, number in first.items():
        page.get_by_role("button", name=title, exact=True).click()
        assert numbers(page)[0] == number, title
    page.get_by_role("button", name="Result", exact=True).click()
    assert {at % 5 for at in numbers(page)[:6]} == {0}
    page.get_by_role("button", name="Result", exact=True).click()
    expect(page.get_by_role("columnheader", name="Result")).to_have_attribute("aria-sort", "descending")
    page.get_by_label("Sort by").select_option("points-")
    assert numbers(page)[0] == 0
    assert "sort=points-" in page.url
    narrow = open_index("sort=events-", 390)
    assert numbers(narrow)[0] == 29


def test_games_of_one_start_are_in_the_order_of_their_files(tmp_path: Path) -> None:
    listed = [structs.replace(one, started="2026-11-21T19:30:00Z") for one in games(12)]
    html = site.write_index(reversed(listed), tmp_path).read_text()
    assert [int(at) for at in re.findall(r"games/(\d+)\.html", html)] == [*range(12)]


def test_words_in_quotes_are_one_term(open_index: OpenIndex) -> None:
    page = open_index()
    found = {
        "greedy": 10,
        '"greedy"': 10,
        "ana": 30,
        '"ana"': 20,
        '"ana sousa"': 10,
        '"sousa ana"': 0,
        '"ana s"': 0,
        '"ana s': 10,
        "“Eva Maria”": 10,
        "«club night» saturday": 2,
        '"constanca de sa" cup': 0,
        '"round 1"': 1,
        '"': 30,
        '"saturday, november 21, 2026"': 3,
    }
    for query, count in found.items():
        page.get_by_label("Search").fill(query)
        expect(page.locator("#count")).to_have_text(f"{count} of 30 games")


def test_a_person_has_as_many_games_as_rows_and_the_count_names_their_results(open_index: OpenIndex) -> None:
    page = open_index()
    player = page.get_by_label("Player")
    for name in ("Anabela", "Ana Sousa"):
        text = player.locator(f"option[value='{name}']").inner_text()
        player.select_option(name)
        assert text == f"{name} ({len(numbers(page))})"
    expect(page.locator("#count")).to_have_text("10 of 30 games · Ana Sousa · 4 won · 2 not finished")


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext is not installed")
def test_the_title_of_a_group_is_on_the_sheet_of_its_first_game(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(site.write_index(games(60), tmp_path).as_uri() + "#group=date")
    until(page, "document.documentElement.classList.contains('ready')")
    for height in range(120, 160, 6):
        page.pdf(path=tmp_path / "a.pdf", width="190mm", height=f"{height}mm")
        command = ["pdftotext", "-layout", str(tmp_path / "a.pdf"), "-"]
        sheets = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")
        assert len(sheets) > 3
        assert not [sheet for sheet in sheets if re.search(r"\d games?\s*$", sheet)]
    page.close()


def test_filters_are_cleared_together(open_index: OpenIndex) -> None:
    page = open_index("q=eva&game=Toy&group=event", 390)
    expect(page.locator("#count")).to_have_text("5 of 30 games")
    expect(page.get_by_label("winner")).to_be_hidden()
    page.get_by_role("button", name="Filters", exact=True).click()
    expect(page.get_by_label("winner")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("#count")).to_have_text("30 of 30 games")
    expect(page.get_by_label("Search")).to_be_focused()
    expect(page.get_by_label("Group by")).to_have_value("event")


def test_small_boards_are_loaded_when_the_reader_asks(open_index: OpenIndex, index: Path) -> None:
    page = open_index()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    boards = page.get_by_role("checkbox", name="Small boards")
    boards.focus()
    page.keyboard.press("Space")
    expect(page.locator("td.picture svg").first).to_be_visible()
    assert [url.partition("?")[0] for url in requests] == [(index.parent / "shared/boards.js").as_uri()]
    assert page.locator("td.picture svg").first.evaluate("(one) => one.querySelectorAll('path').length") > 5
    boards.uncheck()
    expect(page.locator("td.picture")).to_have_count(0)
    boards.check()
    expect(page.locator("td.picture svg").first).to_be_visible()
    assert len(requests) == 1


def test_an_index_without_its_boards_says_so(browser: Browser, index: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(index.read_bytes())
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("checkbox", name="Small boards").click()
    expect(page.locator("#count")).to_contain_text("The small boards are missing.")
    expect(page.get_by_role("checkbox")).not_to_be_checked()
    expect(page.locator("tbody a.names")).to_have_count(30)
    page.close()


def test_a_problem_opens_below_its_state(open_index: OpenIndex) -> None:
    page = open_index()
    page.locator("summary", has_text="not valid").click()
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_text("it is Rui's turn")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_script_all_columns_are_listed(open_index: OpenIndex) -> None:
    page = open_index(script=False)
    row = page.locator("tbody tr", has=page.locator("[href='games/4.html']"))
    for text in ("Round 4", "Cup", "4:46", "Anabela", "points", "not valid", "it is Rui's turn"):
        expect(row).to_contain_text(text)
    expect(page.get_by_label("Search")).to_be_hidden()
    expect(page.locator("thead:visible")).to_have_count(1)


@pytest.mark.parametrize("group", ["", "event", "round"])
def test_paper_has_at_least_34_games_a_page_and_no_controls(
    browser: Browser, tmp_path: Path, group: str
) -> None:
    """Every game has four long names, remarks and a long result, so that its texts need two lines."""
    names = ("Eva Maria Constança de Sá", "Rui Ferreira da Silva", "Duarte Nuno de Bragança", "Anabela Pinto")
    entries = [
        structs.replace(
            one,
            people=names,
            tags=("table 12", "Lisbon"),
            board="Hexagons 50",
            points=(12, 4, 18, 9),
            result=((names[at % 4],) if at % 9 else (), "all territories conquered"),
        )
        for at, one in enumerate(games(102))
    ]
    page = browser.new_page()
    page.goto(site.write_index(entries, tmp_path).as_uri() + f"#group={group}")
    until(page, "document.documentElement.classList.contains('ready')")
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # the width of A4 without its margins
    expect(page.locator("tbody a.names")).to_have_count(102)
    for control in page.locator("form, nav, .found button, .file").all():
        expect(control).to_be_hidden()
    heights = page.locator("tbody tr:not(.group)").evaluate_all("(all) => all.map((row) => row.offsetHeight)")
    assert max(heights) <= 2 * 7.5 * 1.15 * 96 / 72 + 4, "two lines"
    widths = page.locator("tbody tr").evaluate_all("(all) => all.map((row) => row.offsetWidth)")
    assert len(set(widths)) == 1
    expect(page.locator(".drawn:visible")).to_have_count(12)
    page.close()
    assert pdf.count(b"/Type /Page\n") <= 3 + (len(widths) - len(heights)) // 34, "a title needs a row"
