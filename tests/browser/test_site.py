"""Tests of a site's index and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamelog_reports import site
from gamelog_reports.index_links import link_report
from msgspec import structs
from playwright.sync_api import Browser, expect

import gamelog
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from tests.reports.toy import folded, game, header, judged

pytestmark = pytest.mark.browser


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a site of three games and a file that is not a record."""
    entries = [
        site.entry(folded(game(), header("Ana", "Rui", event="Club night")), "games/a.html"),
        site.entry(judged(compose(header("Čeněk", "<b>Eva</b>"), game()[:10])[0]), "games/b.html"),
        site.entry(folded([]), "games/c.html"),
    ]
    (tmp_path / "bad.jsonl").write_bytes(b"nonsense\n")
    entries.append(site.publish(tmp_path / "bad.jsonl", tmp_path))
    entries.append(site.publish(tmp_path / "missing.jsonl", tmp_path))
    site.write_index(entries, tmp_path)
    return tmp_path


def test_search_and_filters_stay_in_the_address(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((folder / "index.html").as_uri())
    rows = page.locator("tbody tr:not([hidden])")
    expect(rows).to_have_count(5)
    page.get_by_label("Search").fill("cenek")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("<b>Eva</b>")
    expect(page.locator("#count")).to_have_text("1 of 5 games")
    page.get_by_label("Search").fill("")
    page.get_by_label("player").select_option("Ana")
    expect(rows).to_have_count(2)
    page.reload()
    expect(rows).to_have_count(2)
    page.get_by_label("player").select_option("")
    page.get_by_label("from").fill("2026-11-21")
    expect(rows).to_have_count(0)
    page.get_by_label("from").fill("")
    page.get_by_role("button", name="Events").click()
    page.get_by_role("button", name="Events").click()
    expect(rows.first).to_contain_text("Ana")
    page.close()
    assert complaints == []


def test_a_person_with_several_names_is_found_by_one_and_copies_are_marked(
    browser: Browser, tmp_path: Path
) -> None:
    entries = [
        site.Entry(
            f"{at}.jsonl",
            f"games/{at}.html",
            "Toy",
            "Toy",
            (name, "Rui"),
            status="ok",
            result=((name,), "points"),
            players=(called, "Rui"),
            victors=(called,),
            copy=at == 1,
        )
        for at, (name, called) in enumerate(
            [
                ("Ana", "Ana Sousa"),
                ("ANA", "Ana Sousa"),
                ("A. Sousa", "Ana Sousa"),
                ("José", "José"),
                ("Jose", "Jose"),
            ]
        )
    ]
    site.write_index(entries, tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    rows = page.locator("tbody tr")
    players = page.get_by_label("player")
    expect(players.locator("option")).to_have_text(
        ["all", "Ana Sousa (3)", "Jose (1)", "José (1)", "Rui (5)"]
    )
    players.select_option("Ana Sousa")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="copy of another record of this game")).to_have_count(1)
    players.select_option("Jose")
    expect(rows).to_have_count(1)
    players.select_option("")
    page.get_by_label("winner").select_option("Ana Sousa")
    expect(rows).to_have_count(3)
    page.get_by_label("winner").select_option("")
    page.get_by_label("Search").fill("ana sousa")
    expect(rows).to_have_count(3)
    expect(rows.last).to_contain_text("A. Sousa")
    page.close()


def test_without_script_it_lists_and_links(browser: Browser, folder: Path) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("tbody tr")).to_have_count(5)
    expect(page.get_by_role("link", name="Ana – Rui").first).to_have_attribute("href", "games/a.html")
    expect(page.locator("tbody tr", has_text="missing.jsonl")).to_contain_text("does not exist")
    page.close()


def test_rows_are_added_while_scrolling(browser: Browser, tmp_path: Path) -> None:
    entries = [
        site.Entry(
            f"{at}.jsonl",
            f"games/{at}.html",
            "Toy",
            "Toy",
            (f"Ana {at}", "</script><b>Rui"),
            events=at,
            status="ok",
        )
        for at in range(1_000)
    ]
    site.write_index(entries, tmp_path)
    page = browser.new_page(viewport={"width": 1000, "height": 600})
    page.goto((tmp_path / "index.html").as_uri())
    rows = page.locator("tbody tr")
    expect(page.locator("#count")).to_have_text("1000 of 1000 games")
    assert 30 < rows.count() < 200
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(rows.nth(100)).to_be_attached()
    page.get_by_role("button", name="Events").click()
    expect(rows.first).to_contain_text("Ana 0")
    assert rows.count() < 200
    page.get_by_label("Search").fill("ana 998")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("</script><b>Rui")
    page.get_by_label("Search").fill("")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(1_000)
    page.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("tbody tr")).to_have_count(1_000)
    expect(page.get_by_role("link", name="Ana 998 – </script><b>Rui")).to_be_visible()
    page.close()


def test_a_broken_record_has_a_page_too(folder: Path) -> None:
    assert "s-damaged" in (folder / "games" / "bad.html").read_text(encoding="utf-8")


def test_records_with_one_name_in_two_folders_each_have_a_page(tmp_path: Path) -> None:
    assert site.page_names(["a/game.jsonl", "b/game.jsonl"]) == ["a-game.html", "b-game.html"]
    (tmp_path / "game.jsonl").write_bytes(b"nonsense\n")
    assert (
        site.publish(tmp_path / "game.jsonl", tmp_path / "site", name="b-game.html").href
        == "games/b-game.html"
    )
    assert (tmp_path / "site/games/b-game.html").exists()


def test_no_page_overwrites_another() -> None:
    paths = ["a b.jsonl", "a-b.jsonl", "a/b.jsonl", "A-B.jsonl.zst", "a-b-2.jsonl", "é.jsonl", "ü.jsonl"]
    assert site.page_names(paths) == [
        "a-b.html",
        "a-b-2.html",
        "a-b-3.html",
        "A-B-4.html",
        "a-b-2-2.html",
        "-.html",
        "--2.html",
    ]


def test_anonymous_pages_have_no_names_in_file_names(tmp_path: Path) -> None:
    path = tmp_path / "ana-against-rui.jsonl"
    path.write_bytes(compose(header("Ana", "Rui"), game())[0])
    (tmp_path / "eva.jsonl").write_bytes(b"nonsense\n")
    names = site.page_names([path.name, "eva.jsonl", "zulmira.jsonl"], anonymous=True)
    assert names == ["1.html", "2.html", "3.html"]
    paths = [path, tmp_path / "eva.jsonl", tmp_path / "zulmira.jsonl"]
    found = [
        site.publish(one, tmp_path / "site", name=name, anonymous=True)
        for one, name in zip(paths, names, strict=True)
    ]
    index = site.write_index(found, tmp_path / "site").read_text()
    told = re.sub(r"sha256-[\w+/]+", "", index).lower()  # the letters of a digest are random
    assert not [name for name in ("ana", "rui", "eva.", "zulmira") if name in told]


ZALGO = "Z" + "\u0321\u0334\u035e" * 40 + "algo"


def test_stacked_accents_stay_in_their_row(browser: Browser, tmp_path: Path) -> None:
    entries = [
        site.entry(folded(game(), header(name, "Rui")), f"games/{at}.html")
        for at, name in enumerate((ZALGO, "Ana"))
    ]
    site.write_index(entries, tmp_path)
    page = browser.new_page(viewport={"width": 1000, "height": 500})
    page.goto((tmp_path / "index.html").as_uri())
    page.wait_for_selector("td")
    assert set(
        page.evaluate("[...document.querySelectorAll('td')].map((cell) => getComputedStyle(cell).overflowY)")
    ) == {"clip"}
    page.close()


def test_direction_characters_do_not_change_a_row(tmp_path: Path) -> None:
    evil = "Ana\u2069\u202e"
    entries = [site.entry(folded(game(), header(evil, "Rui", event="\u2066x")), "games/a.html")]
    html = site.write_index(entries, tmp_path, heading="\u202eSite").read_text()
    assert "Ana\\u2069\\u202e" in html
    assert not set("\u202e\u2066\u2069\u2068") & set(html)


def test_pages_link_to_the_index_and_each_other_and_the_index_to_the_report(
    browser: Browser, tmp_path: Path
) -> None:
    files = []
    for at, day in enumerate((3, 1, 2)):
        head = structs.replace(header("Ana", "Rui"), id=f"g{at}", started=f"2026-11-0{day}T10:00:00Z")
        files.append(tmp_path / f"{at}.jsonl")
        files[-1].write_bytes(compose(head, game())[0])
    files.append(tmp_path / "missing.jsonl")
    names = site.page_names(path.name for path in files)
    entries = [
        site.publish(path, tmp_path, name=name, links=around)
        for path, name, around in zip(files, names, site.page_links(files, names), strict=True)
    ]
    site.write_index(entries, tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.get_by_role("link", name="Report")).to_have_count(0)
    report = tmp_path / "numbers" / "all.html"
    report.parent.mkdir()
    report.write_text("<h1>The report</h1>")
    assert link_report(tmp_path, report)
    site.write_index(entries, tmp_path)  # a rewritten index keeps the link
    page.reload()
    page.get_by_role("link", name="Report").click()
    expect(page.locator("h1")).to_have_text("The report")
    page.go_back()
    page.locator("tbody a").first.click()
    for name, day in (("next", 2), ("next", 1), ("previous", 2)):
        page.get_by_role("link", name=name).click()
        expect(page.locator("#facts")).to_contain_text(f"2026-11-0{day}")
    page.get_by_role("link", name="All games").click()
    expect(page.locator("tbody tr")).to_have_count(4)
    page.close()
    report.unlink()
    assert 'id="report">' in site.write_index(entries, tmp_path).read_text()
    assert not link_report(tmp_path / "numbers", report)


def test_games_of_the_same_people_differ_by_time_and_board(browser: Browser, tmp_path: Path) -> None:
    start = {"Ana": "2026-11-20T19:30:00Z", "Eva": "2026-11-20T21:05:00Z"}
    people = {"first": ("hex50", "Ana"), "second": ("hex36", "Ana"), "third": ("hex50", "Eva")}
    entries = []
    for name, (board, player) in people.items():
        path = tmp_path / f"{name}.jsonl"
        gamelog.create(path, "slicewars", seats={"red": player, "blue": "Rui"}, board=board)
        entry = site.entry(fold_record(read_record(path)), f"games/{name}.html")
        entries.append(structs.replace(entry, started=start[player]))
    site.write_index(entries, tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(3)
    assert "19:30 UTC · Map of the program, 36 territories" in rows.filter(has_text="second").inner_text()
    assert "50 territories" in rows.filter(has_text="first").inner_text()
    assert "UTC" not in rows.filter(has_text="third").inner_text()
    page.get_by_label("Search").fill("36 territories")
    expect(rows).to_have_count(1)
    page.close()
