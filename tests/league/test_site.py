"""`gamelog league -o FOLDER`: the site of a league, made from the archive."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from gamelog_reports.league_site.whole_site import write_league_site
from gamelog_reports.publishing import JOURNAL

from gamelog.archive import index
from gamelog.league.applying import apply_league
from gamelog.league.league_file import read_league
from tests.league import season
from tests.league.conftest import WON, Gamelog, Play

OTHER = (("right", 6, 1), *WON[1:])
HEAD = 'name = "Autumn"\ntie_breaks = ["head_to_head", "buchholz"]\nround_tag = "round"\n[points.places]\n2 = [3, 0]\n'
PEOPLE = '[people]\n"Ana Sousa" = ["Ana", "A. Sousa"]\n"Rui Pinto" = []\n"Eva Reis" = []\n'
ANNULLED = '[[corrections]]\nrecord = "annulled.jsonl"\ndecision = "annulled"\nreason = "The wrong board."\n'
MAIN = ["index.html", "standings.html", "rounds.html", "people.html", "games.html", "report.html"]


@pytest.fixture
def club(records: Path, play: Play) -> Path:
    """Return the folder of a league with two spellings, a copy, a disputed record and an annulled game."""
    play("Ana", "Rui Pinto", file="first.jsonl", tags={"round": "1"})
    play("Ana", "Rui Pinto", file="copy.jsonl", tags={"round": "1"})
    play("Rui Pinto", "Eva Reis", file="second.jsonl", day=5, tags={"round": "2"}, turns=OTHER)
    play("A. Sousa", "Eva Reis", file="third.jsonl", day=9, tags={"round": "3"})
    play("Rui Pinto", "Ana", file="wrong.jsonl", day=12, tags={"round": "3"}, turns=[("middle", 1, 1)])
    play("Eva Reis", "Ana", file="annulled.jsonl", day=15, tags={"round": "4"})
    (records / "league.toml").write_text(HEAD + PEOPLE + ANNULLED)
    return records


def hrefs(page: Path) -> set[str]:
    """Return the pages of the site to which a page has links in its HTML, as paths from the page's folder."""
    found = re.findall(r'<a [^>]*href="([^"#]+)', page.read_text())
    return {unquote(unescape(href)).partition("?")[0] for href in found}


def linked(page: Path) -> set[Path]:
    return {(page.parent / href).resolve() for href in hrefs(page)}


def cells(page: Path, section: str) -> list[list[str]]:
    """Return the texts of the table's cells in a section of a page."""
    (part,) = re.findall(rf'<section[^>]*id="{section}">(.*?)</section>', page.read_text(), re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", part.partition("<tbody>")[2], re.DOTALL)
    return [[_text(cell) for cell in re.findall(r"<td.*?>(.*?)</td>", row, re.DOTALL)] for row in rows]


def _text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def text_files(site: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(site.rglob("*")):
        if path.is_file() and "games" not in path.parts and "shared" not in path.parts:
            yield path, path.read_text()


def test_all_pages_link_to_each_other(gamelog: Gamelog, club: Path) -> None:
    done = gamelog("league", club, "--archive", "club.archive", "-o", "site")
    assert (done.status, done.err) == (0, "")
    assert done.out == "15 pages written. Open site/index.html in a browser.\n"
    site = Path("site").resolve()
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 15
    main = {site / name for name in MAIN}
    people = {site / "people" / f"{name}.html" for name in ("Ana-Sousa", "Rui-Pinto", "Eva-Reis")}
    games = {*site.glob("games/*.html")}
    assert len(games) == 6, "each record has a page"
    for page in (*main, *people):
        assert main <= linked(page), page
        assert all(other.is_file() for other in linked(page)), page
    assert people <= linked(site / "people.html")
    assert people <= linked(site / "standings.html") & linked(site / "index.html")
    for page in games:
        assert "../games.html" in page.read_text()
        assert len(people & linked(page)) == 2, "the two people of the game"
    for person in people:
        for page in games & linked(person):
            assert person in linked(page)
    reachable = linked(site / "games.html") | linked(site / "rounds.html")
    assert games <= reachable
    for person in people:
        played = linked(person) & games
        assert played
        assert played <= linked(site / "rounds.html")
    for page in (*main, *people):
        html = page.read_text()
        assert not re.search(r'(?:src|href)="(?:https?:)?//', html), "the site works from a folder"


def test_the_tables_are_those_of_the_archive(gamelog: Gamelog, club: Path) -> None:
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    rows = gamelog("query", "league_standings", "--archive", "club.archive", "--json").json
    shown = [[str(row["rank"]), row["player"], f"{row['points']:.0f}"] for row in rows]
    assert [cell[:3] for cell in cells(Path("site/standings.html"), "standings")] == shown
    assert [cell[:3] for cell in cells(Path("site/index.html"), "standings")] == shown
    cross = cells(Path("site/standings.html"), "crosstable")
    assert cross[0][1:] == ["Ana Sousa", "×", "1–0–0", "1–0–0"]
    standings = Path("site/standings.html").read_text()
    for heading in ("head to head", "Buchholz", "Sonneborn-Berger", "points per game", "forfeits"):
        assert heading in standings
    rounds = Path("site/rounds.html").read_text()
    assert [_text(title) for title in re.findall(r"<h2>(.*?)</h2>", rounds)] == [
        "Round 1",
        "Round 2",
        "Round 3",
        "Records that do not count",
    ]
    people = cells(Path("site/people.html"), "people")
    assert [cell[0] for cell in people] == ["Ana Sousa", "Eva Reis", "Rui Pinto"]
    assert people[0][-1] == "A. Sousa and Ana"


def test_copies_and_disputed_records_are_marked_and_reachable(gamelog: Gamelog, club: Path) -> None:
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    uncounted = cells(Path("site/rounds.html"), "uncounted")
    assert [row[2] for row in uncounted] == [
        "another record of the same game counts",
        "an event breaks the rules",
        "annulled by the organiser: The wrong board.",
    ]
    listed, rounds = hrefs(Path("site/games.html")), hrefs(Path("site/rounds.html"))
    copies = {"games/first.html", "games/copy.html"} - listed
    assert len(copies) == 1, "one of the two is hidden in the list"
    assert copies <= rounds
    assert "s-illegal" in Path("site/games.html").read_text()


def test_games_and_replay_pages_show_the_names_and_the_decisions_of_the_league(
    gamelog: Gamelog, club: Path
) -> None:
    decided = '[[corrections]]\nrecord = "second.jsonl"\ndecision = "result"\nreason = "Miscounted."\n'
    forfeit = '[[corrections]]\nrecord = "third.jsonl"\ndecision = "forfeit"\nreason = "Left."\n'
    toml = club / "league.toml"
    toml.write_text(
        toml.read_text()
        + decided
        + 'places = { "Rui Pinto" = 1, "Eva Reis" = 2 }\n'
        + forfeit
        + 'winner = "Eva Reis"\n'
    )
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    rows = {row[2].split(" · ")[0]: row for row in _game_rows(Path("site/games.html"))}
    second = next(row for row in rows.values() if "Rui Pinto – Eva Reis" in row[2])
    assert "decided by the organiser: Miscounted." in second[2]
    assert second[4:6] == ["Rui Pinto", "decided by the organiser"]
    third = next(row for row in rows.values() if "Ana Sousa – Eva Reis" in row[2])
    assert "forfeit: Left." in third[2]
    assert third[4:6] == ["Eva Reis", "forfeit"]
    annulled = next(row for row in rows.values() if "Eva Reis – Ana Sousa" in row[2])
    assert "annulled by the organiser: The wrong board." in annulled[2]
    notes = {
        page.stem: [_text(note) for note in re.findall("<p><strong>(.*?)</strong>", page.read_text())]
        for page in Path("site/games").glob("*.html")
    }
    assert notes["first"] == ["The league lists Ana as Ana Sousa."]
    assert notes["second"] == [
        "The organiser of the league decided the result of this game: the winner is Rui Pinto.",
        "Miscounted.",
    ]
    assert notes["third"] == [
        "In the league, Eva Reis won this game by forfeit.",
        "Left.",
        "The league lists A. Sousa as Ana Sousa.",
    ]
    assert notes["annulled"][:2] == ["The organiser of the league annulled this game.", "The wrong board."]

    toml.write_text(toml.read_text().replace("Miscounted.", "Recounted."))
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    assert "Recounted." in Path("site/games/second.html").read_text(), "the page is made again"


def _game_rows(page: Path) -> list[list[str]]:
    rows = re.findall(
        r"<tr>(.*?)(?=<tr>|</tbody>|</table>)", page.read_text().partition("<tbody>")[2], re.DOTALL
    )
    return [[_text(cell) for cell in re.split("<td[^>]*>", row)[1:]] for row in rows]


def test_the_page_of_a_person(gamelog: Gamelog, club: Path, play: Play) -> None:
    for number in range(3):
        play("Rui Pinto", "Ana", day=20 + 3 * number, tags={"round": "5"}, turns=OTHER if number else WON)
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    page = Path("site/people/Ana-Sousa.html")
    html = page.read_text()
    assert "Rank 2 with 6 points from 5 games: 2 won, 0 drawn, 3 lost." in html
    assert [row[0] for row in cells(page, "games")] == [
        "2026-10-26", "2026-10-23", "2026-10-20", "2026-10-09", "2026-10-01",
    ]  # fmt: skip
    assert cells(page, "opponents") == [["Rui Pinto", "4", "1", "0", "3"], ["Eva Reis", "1", "1", "0", "0"]]
    assert [row[2:] for row in cells(page, "seats")] == [["blue", "3", "0", "0"], ["red", "2", "2", "6"]]
    best, worst = cells(page, "best")
    assert (best[0], worst[0]) == ("best", "worst")
    assert re.fullmatch(r"2026-\d\d-\d\d", best[1])
    assert "../games/first.html" in hrefs(page) or "../games/copy.html" in hrefs(page)
    assert 'id="rating-tug"' in html
    assert '<polyline class="rating"' in html
    words = ("rating_history", "--set", "player=Ana Sousa", "--archive", "club.archive", "--json")
    ratings = gamelog("query", *words).json
    assert len(ratings) == 6, "the annulled game is a game of the archive"
    for own in ratings:
        assert f"{own['rating']:,.0f} ± {own['margin']:,.0f}" in html
    assert cells(page, "openings")
    assert "s for each decision" in html


def test_only_changed_pages_are_written(gamelog: Gamelog, club: Path, play: Play) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0

    def times() -> dict[str, int]:
        return {str(page): page.stat().st_mtime_ns for page in Path("site").rglob("*.html")}

    first = times()
    added = play("Eva Reis", "Rui Pinto", file="zz.jsonl", day=28, tags={"round": "5"}, turns=OTHER)
    assert gamelog(*words).status == 0
    second = times()
    games = {page for page in first if page.startswith("site/games/")}
    changed = {page for page in games if first[page] != second[page]}
    assert changed == {"site/games/annulled.html"}, "only the neighbour has another link"
    assert "site/games/zz.html" in second
    people = {page for page in first if page.startswith("site/people/") and first[page] != second[page]}
    assert people == {"site/people/Eva-Reis.html", "site/people/Rui-Pinto.html"}, "Ana did not play"
    assert first["site/report.html"] == second["site/report.html"], "the report takes longest"
    report = Path("site/report.html")
    assert "7 records" not in report.read_text()
    assert "To renew it, add --report." in gamelog(*words).err
    assert times() == second | {page: times()[page] for page in ("site/games.html",)}
    assert gamelog(*words, "--report").err == ""
    assert "7 records" in report.read_text()
    added.unlink()
    assert gamelog(*words).status == 0
    assert "games/zz.html" not in report.read_text(), "no link leads to a page that is gone"
    assert times().keys() == first.keys()
    assert str(club).encode() not in gzip.decompress(Path("site", JOURNAL).read_bytes())


def test_a_renewed_site_is_the_same_as_a_new_one(gamelog: Gamelog, club: Path, play: Play) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    play("Eva Reis", "Rui Pinto", file="zz.jsonl", day=28, tags={"round": "5"}, turns=OTHER)
    play("Zoe", "Ana", file="between.jsonl", day=7, tags={"round": "2"})
    (club / "league.toml").write_text(HEAD + PEOPLE + "Zoe = []\n" + ANNULLED)
    (club / "copy.jsonl").unlink()
    (club / "damaged.jsonl").write_bytes((club / "first.jsonl").read_bytes()[:40])
    renewed = gamelog(*words, "--report")
    made = gamelog("league", club, "--archive", "new.archive", "-o", "new")
    assert (renewed.status, made.status) == (0, 0)
    assert pages_of("site") == pages_of("new")
    assert "games/damaged.html" not in hrefs(Path("site/rounds.html"))


def test_python_writes_the_same_site_without_a_command(gamelog: Gamelog, club: Path) -> None:
    (club / "damaged.jsonl").write_bytes((club / "first.jsonl").read_bytes()[:40])
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    league, calls = read_league(club / "league.toml"), list[tuple[int, int]]()
    index([club], "own.archive")
    apply_league(league, "own.archive")
    own, archive = Path("own"), Path("own.archive")
    written = write_league_site(club, league, archive, own, progress=lambda *call: calls.append(call))
    assert pages_of("own") == pages_of("site")
    assert written.pages == len([*own.glob("*.html"), *own.glob("games/*"), *own.glob("people/*")])
    assert calls == [(n, len(written.entries)) for n in range(1, len(written.entries) + 1)]
    assert not written.is_report_old
    (club / "zz.jsonl").write_bytes((club / "third.jsonl").read_bytes())
    index([club], archive)
    assert write_league_site(club, league, archive, own).is_report_old
    assert not write_league_site(club, league, archive, own, renew_report=True).is_report_old


def test_a_report_with_a_link_to_a_page_that_is_gone_is_made_again(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    report = Path("site/report.html")
    named = (club / "league.toml").read_text()
    gone = min(href for href in hrefs(report) if href.startswith("games/") and Path(href).stem not in named)
    (club / Path(gone).name).with_suffix(".jsonl").unlink()
    done = gamelog(*words)
    assert (done.status, done.err) == (0, "")
    assert not Path("site", gone).exists()
    assert gone not in hrefs(report)
    assert linked(report) <= {path.resolve() for path in Path("site").rglob("*.html")}


def pages_of(site: str) -> dict[str, bytes]:
    files = (file for file in Path(site).rglob("*") if file.is_file() and file.name != JOURNAL)
    return {str(file.relative_to(site)): file.read_bytes() for file in files}


def test_the_report_is_made_again_if_the_league_or_the_language_changes(
    gamelog: Gamelog, club: Path, play: Play
) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    report = Path("site/report.html")
    first = report.read_text()
    play("Eva Reis", "Rui Pinto", file="zz.jsonl", day=28, tags={"round": "5"}, turns=OTHER)
    (club / "league.toml").write_text(HEAD.replace("Autumn", "Winter") + PEOPLE + ANNULLED)
    done = gamelog(*words)
    assert done.err == ""
    second = report.read_text()
    assert "Winter" in second
    assert "7 records" in second
    assert "7 records" not in first
    assert gamelog(*words, "--language", "pt").err == ""
    assert '<html lang="pt">' in report.read_text()


def test_a_page_that_was_edited_or_deleted_is_made_again(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    home, person, report = (
        Path("site", name) for name in ("index.html", "people/Ana-Sousa.html", "report.html")
    )
    texts = [page.read_text() for page in (home, person, report)]
    home.write_text("")
    person.unlink()
    report.unlink()
    assert gamelog(*words).status == 0
    assert [page.read_text() for page in (home, person, report)] == texts


def test_an_anonymous_site_names_no_one(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    assert gamelog(*words, "--anonymous").status == 0, "the pages with names are replaced"
    assert {page.name for page in Path("site/games").iterdir()} == {
        f"{number}.html" for number in range(1, 7)
    }
    names = re.compile(r"Ana|Sousa|Rui|Pinto|Eva|Reis|first\.|third\.|annulled\.|2026-|wrong board")
    for path, text in text_files(Path("site")):
        styled = re.sub(r"<style>.*?</style>|<script.*?</script>", "", text, flags=re.DOTALL)
        assert not names.search(styled + path.name), path
    assert not Path("site", JOURNAL).exists()
    standings = [row[1] for row in cells(Path("site/standings.html"), "standings")]
    assert all(re.fullmatch(r"Player [A-Z2-7]{6}", name) for name in standings)
    people = {_heading(page) for page in Path("site/people").glob("*.html")}
    assert people == {*standings}
    for person in Path("site/people").resolve().iterdir():
        for page in {page for page in linked(person) if page.parent.name == "games"}:
            assert person in linked(page), "this run has made the links"
    report = Path("site/report.html").read_text()
    assert all(name in report for name in standings), "the report has the same pseudonyms"


def _heading(page: Path) -> str:
    (heading,) = re.findall(r"<h1>(.*?)</h1>", page.read_text())
    return _text(heading)


def test_a_site_in_portuguese_of_a_day(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    done = gamelog(*words, "--language", "pt", "--as-of", "2026-10-06")
    assert done.out.endswith("Abra site/index.html num navegador.\n")
    home = Path("site/index.html").read_text()
    assert '<html lang="pt">' in home
    assert "Depois dos jogos de 2026-10-06." in re.sub("[\u2066-\u2069]|</?bdi>", "", home)
    assert [row[1:3] for row in cells(Path("site/standings.html"), "standings")] == [
        ["Ana Sousa", "3"],
        ["Rui Pinto", "3"],
        ["Eva Reis", "0"],
    ]
    for name in MAIN[:4]:
        assert not re.search(
            r">(Standings|Rounds|People|Report|points|games)<", Path("site", name).read_text()
        )


def test_records_in_a_pack_have_their_people(gamelog: Gamelog, club: Path) -> None:
    assert gamelog("pack", club, "-o", "season.gamelog.parquet").status == 0
    for record in club.glob("*.jsonl"):
        record.unlink()
    Path("season.gamelog.parquet").rename(club / "season.gamelog.parquet")
    assert gamelog("league", club, "--archive", "club.archive", "-o", "site").status == 0
    page = Path("site/people/Ana-Sousa.html")
    played = {href for href in hrefs(page) if href.startswith("../games/")}
    assert len(played) == 2
    assert all((page.parent / href).is_file() for href in played)


def test_options_that_exclude_each_other(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive")
    assert "--anonymous is for a site" in gamelog(*words, "--anonymous").err
    assert "--report is for a site" in gamelog(*words, "--report").err
    done = gamelog(*words, "--check", "-o", "site")
    assert (done.status, done.out) == (2, "")
    assert not Path("site").exists()


def test_a_league_of_several_games_names_the_game_of_each_record(gamelog: Gamelog, club: Path) -> None:
    words = ("league", club, "--archive", "club.archive", "-o", "site")
    assert gamelog(*words).status == 0
    assert ">game</th>" not in Path("site/rounds.html").read_text()
    season.write_game(club, ["Ana", "Rui Pinto"], "slicewars", 0)
    assert gamelog(*words).status == 0
    assert ">game</th>" in Path("site/rounds.html").read_text()
    games = {row[2] for row in cells(Path("site/index.html"), "latest")}
    assert "SliceWars" in games
    assert len(games) == 2
