"""Tests of reports: the figures agree with the archive, and hostile text stays text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import msgspec
import pytest
from gamelog_reports.bundle import csp_digest
from gamelog_reports.report import heat_map
from gamelog_reports.report.game_course import column_width
from gamelog_reports.report.page import report
from gamelog_reports.report.results import MAX_LISTED
from gamelog_reports.report.wording import Wording
from gamelog_reports.seat_style import luminance

from gamelog.archive import MIN_GAMES, Reader
from gamelog.archive.schema import tables
from gamelog.errors import ArchiveError
from gamelog.message import many
from gamelog.play.contract.scene import BoardLayout, Cell, Link
from tests.archive.dice_leagues import FAIR, Cheat, add_league
from tests.archive.piles import SEATS, Pile

HOSTILE = "</svg></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}\x00\u202e"


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.said = ""
        self.feed(html)
        self.text = re.sub(r"\s+", " ", self.said)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.said += data


Fill = Callable[[Pile], Path]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Return a function that makes an archive of some records, each in its own folder."""
    return lambda pile: pile.stored(Path(mkdtemp(dir=tmp_path)) / "games.archive")


def test_the_report_of_an_empty_archive(fill: Fill) -> None:
    page = Page(report(fill(Pile())))
    assert "The archive has no games." in page.text
    assert "svg" not in page.tags


def test_the_report_of_one_unfinished_game_with_one_player(fill: Fill) -> None:
    pile = Pile()
    pile.game(None, seats=("red",))
    page = Page(report(fill(pile)))
    assert "1 record with 10 events, 1 player. Start of the games: 2026-03-01." in page.text
    assert "No game that was played has a single winner yet." in page.text
    assert "No player has rolled" in page.text


def test_one_finished_game_is_too_few_for_conclusions(fill: Fill) -> None:
    pile = Pile()
    pile.game(("red",), seats=("red",))
    page = Page(report(fill(pile)))
    assert "Too few games: a comparison needs about 100 with one winner" in page.text
    assert "Nothing stands out. There are too few games for a comparison with chance" in page.text
    assert "1 of 1" not in page.text  # nothing is drawn


def test_seats_are_drawn_from_twenty_games(fill: Fill) -> None:
    """19 games have two players and 20 have three. Only the 20 are drawn, although 39 games count."""
    pile = Pile()
    add_wins(pile, 10, 9)
    for _ in range(20):
        pile.game(("red",), seats=("red", "blue", "green"))
    page = Page(report(fill(pile)))
    assert "20 of 20" in page.text
    assert "of 19" not in page.text and "2 players" not in page.text.split("Seats")[2].split("Turn order")[0]


def test_no_map_is_drawn_for_fewer_than_five_games(fill: Fill) -> None:
    """Six games count, but only four were played on the board with the most events."""
    pile = Pile()
    for at in range(6):
        id = pile.game(game="slicewars", board="hex50" if at < 4 else "hex36", rules="1.0")
        pile.contest(id, 1, True, place="C3")
    html = report(fill(pile))
    assert "Board: Too few games for a map. 4 games on the board “hex50”." in Page(html).text
    assert "polygon" not in html


def test_dice_contests_and_luck_are_measured(fill: Fill) -> None:
    pile = Pile()
    for _ in range(40):
        id = pile.game(("red",))
        pile.rows.append(tables.RollRow(id=id, n=1, seat="red", sides=6, faces=(6, 6, 6, 1), stands=True))
        pile.contest(id, 1, True, 0.5)
    page = Page(report(fill(pile)))
    assert "table, 6 sides: 160 dice in 40 games, mean 4.750 (3.5 expected)." in page.text
    assert "40 contests with 1 pairing of dice: attackers won 40, 20.0 expected." in page.text
    assert "+20.0" in page.text
    assert "−20.0" in page.text


def add_wins(pile: Pile, red: int, blue: int, **more: Any) -> None:
    """Add this many games of two players that each seat wins."""
    for _ in range(red):
        pile.game(("red",), **more)
    for _ in range(blue):
        pile.game(("blue",), **more)


def test_the_advantage_of_a_seat_is_reported_and_drawn(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 48, 12, bots_=SEATS)
    html = report(fill(pile))
    page = Page(html)
    found = "With 2 players, red wins 80% of the games, not the expected 50%"
    basis = "60 games; 95% interval 68–88%; p < 0.001, corrected for 1 comparison."
    assert "1 result stands out. A result stands out if its probability by chance" in page.text
    assert f"{found} {basis}" in page.text
    assert page.text.count(found) == 3, "on the first page, in the summary of the game, and in the section"
    assert ("href", "#game1-seats") in page.attributes and ("id", "game1-seats") in page.attributes
    seats = html[html.index('id="game1-seats"') :]
    seats = seats[: seats.index("</section>")]

    def places(kind: str, member: str) -> list[float]:
        at = re.findall(rf'class="{kind}"[^>]* {member}="([\d.]+)%"', seats.split("<figcaption>")[0])
        return [(float(text) - 4) / 92 for text in at]

    assert places("even", "x1") == [pytest.approx(0.5)] * 2
    assert places("mark", "x") == [pytest.approx(0.8, abs=0.001), pytest.approx(0.2, abs=0.001)]
    assert places("interval", "x1") == [pytest.approx(0.682, abs=0.001), pytest.approx(0.118, abs=0.001)]
    assert places("interval", "x2") == [pytest.approx(0.882, abs=0.001), pytest.approx(0.318, abs=0.001)]
    assert "48 of 60" in seats


def test_seats_without_an_advantage_are_not_reported(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 33, 27, bots_=SEATS)
    page = Page(report(fill(pile)))
    assert "No seat shows an advantage beyond chance" in page.text
    assert "60 games with one winner. Smallest probability by chance: p = " in page.text
    assert "Nothing stands out. A result stands out if" in page.text
    assert "red wins" not in page.text


def test_seats_with_a_fixed_turn_order_are_compared_once(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 48, 12, bots_=SEATS)
    text = Page(report(fill(pile))).text
    assert "red wins 80%" in text and "to move wins" not in text
    assert "The numbers are the same as for the seats." in text
    turned = Pile()
    add_wins(turned, 40, 10, bots_=SEATS)
    add_wins(turned, 6, 4, bots_=SEATS, order=(2, 1))
    text = Page(report(fill(turned))).text
    assert "multiplied by the 2 comparisons of this report" in text


def test_seats_with_fixed_players_are_not_separated_from_the_players(fill: Fill) -> None:
    pile = Pile()
    people = ("Ana", "Rui", "Eva", "Kim")
    for at in range(20):
        pile.game(("red",), players_=("Ana", "Rui"))
        pile.game(("red",), seats=("red", "blue", "green"), players_=("Eva", "Eva", "Eva"))
        turned = people[at % 4 :] + people[: at % 4]
        pile.game(("red",), seats=("red", "blue", "green", "gold"), players_=turned)
    text = Page(report(fill(pile))).text
    assert "With 2 players, the same players sat at the same seats in at least 80% of the games, so" in text
    assert text.count("cannot be separated") == 1, (
        "one player in all seats, or players who change seats, cause no error"
    )


def test_one_unlikely_result_of_twenty_is_not_reported(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 40, 22, bots_=SEATS)  # p = 0.030
    for _ in range(5):
        for winner in ("red", "blue", "green", "gold"):
            pile.game((winner,), bots_=(*SEATS, "gold"), seats=("red", "blue", "green", "gold"))
    page = Page(report(fill(pile)))
    assert "Nothing stands out." in page.text
    assert "Smallest probability by chance: p = 0.15, corrected for 5 comparisons." in page.text


def test_ratings_have_their_margin(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 20, 5)
    html = report(fill(pile))
    assert "The margin is half of the 95% interval" in html
    row = re.search(r"<bdi>1\. red</bdi>.*?>(\d+) ± (\d+)<", html)
    assert row
    rating, give = map(int, row.groups())
    assert 1500 + 110 < rating < 1500 + 120, "nearly the 120 that four wins of five give to each side"
    assert 80 < give < 90, "half of what the difference of two is uncertain by, from 25 games"


def test_the_first_page_says_who_won_most_games(fill: Fill) -> None:
    pile = Pile()
    add_wins(pile, 20, 5)
    assert "Most victories: red 20 of 25; blue 5 of 25." in Page(report(fill(pile))).text


def test_too_few_dice_are_not_tested(fill: Fill) -> None:
    pile = Pile()
    pile.rows.append(tables.RollRow(id=pile.game(), n=1, seat="red", sides=20, faces=(1, 2, 3), stands=True))
    assert "3 dice are too few for a test, which needs 5 of each face." in Page(report(fill(pile))).text


def test_content_of_an_archive_is_always_text(fill: Fill) -> None:
    pile = Pile()
    id = pile.game(
        (HOSTILE,), seats=(HOSTILE, "blue"), game=HOSTILE, board=HOSTILE, reason=HOSTILE, dice=HOSTILE
    )
    pile.contest(id, 1, True, seat=HOSTILE, place=HOSTILE)
    pile.rows.append(tables.RollRow(id=id, n=2, seat=HOSTILE, sides=6, faces=(1,) * 40, stands=True))
    pile.event(id, 3, seat=HOSTILE, decision=1)
    path = f"/{HOSTILE}.jsonl".replace("\x00", "")
    told: dict[str, Any] = {"size": 1, "mtime_ns": 1, "status": "illegal", "judge": "x", "game": HOSTILE}
    pile.rows.append(tables.FileRow(path=path, **told))
    pile.rows.append(
        tables.FindingRow(path=path, code="x", severity="error", rule=HOSTILE, message=HOSTILE, n=1)
    )
    html = report(fill(pile))
    page = Page(html)
    assert not {"script", "img", "iframe", "object"} & set(page.tags)
    assert page.tags.count("style") == 1
    assert not [name for name, _ in page.attributes if name == "style" or name.startswith("on")]
    leads = [value for name, value in page.attributes if name in ("href", "src")]
    assert [value for value in leads if not str(value).startswith("#game1")] == ["data:,"]
    assert "49" not in re.findall(r"&\D*(\d\d)", html)


def test_the_policy_admits_the_one_style_sheet(fill: Fill) -> None:
    html = report(fill(Pile()))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    policy = dict(Page(html).attributes)["content"] or ""
    plain = html.replace("&#39;", "'")
    assert "default-src 'none'" in plain
    assert f"style-src '{csp_digest(style[1])}'" in plain
    assert "unsafe" not in html + policy


def test_anonymous_reports_distinguish_people_and_name_nobody(fill: Fill) -> None:
    pile = Pile()
    for _ in range(3):
        id = pile.game(("red",), players_=("ana@club", "rui@club"), path="/home/ana/ana-rui.jsonl")
        for n in range(7):
            pile.contest(id, n, True)
    pile.rows[:] = [
        msgspec.structs.replace(row, bot="rui@club")
        if isinstance(row, tables.SeatRow) and row.seat == "blue"
        else row
        for row in pile.rows
    ]
    path = "/home/ana/ana-rui.jsonl"
    pile.rows.append(
        tables.FileRow(
            path=path, size=1, mtime_ns=1, status="illegal", judge="x", id=id, game="tug", head="abc"
        )
    )
    pile.rows.append(
        tables.FindingRow(path=path, code="play.illegal", severity="error", message="ana@club cheats", n=1)
    )
    archive = fill(pile)
    plain = report(archive)
    assert "ana@club" in plain
    assert "ana-rui.jsonl" in plain
    html = report(archive, anonymous=True)
    assert not re.search("ana|2026-03", html.replace("gamelog", ""), re.IGNORECASE) or "ana@" not in html
    for secret in ("ana@club", "/home", "ana-rui", "cheats", "2026-03-01", "games.archive"):
        assert secret not in html
    called = re.findall(r"Player [A-Z2-7]{6}", html)
    assert len(called) >= 2  # in the list of players, and in the chart of luck
    assert len(set(called)) == 1
    assert called[0] not in report(archive, anonymous=True)  # each report has other pseudonyms
    assert "rui@club (bot)" in html  # a bot is nobody


def test_a_game_that_is_not_installed_has_no_map(fill: Fill) -> None:
    pile = Pile()
    pile.contest(pile.game(game="tic"), 1, True, place="a1")
    page = Page(report(fill(pile)))
    assert "tic (not installed)" in page.text
    assert 'There is no map: No game "tic" is installed' in page.text


def test_places_are_drawn_on_the_board_of_the_game(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_reports.report.game_course.MIN_DRAWN", 1)
    monkeypatch.setattr("gamelog_reports.report.page.MIN_DRAWN", 1)
    pile = Pile()
    id = pile.game(game="slicewars", board="hex50", rules="1.0")
    for n, place in enumerate(("C3", "C3", "C3", "A1", "nowhere"), 1):
        pile.contest(id, n, True, place=place)
    html = report(fill(pile))
    page = Page(html)
    assert "Most frequent places of “contest”: C3 (3), A1 (1) and nowhere (1)" in page.text
    assert "contest: 1 time at places that the board does not show." in page.text
    assert html.count(f'fill="{heat_map.DARK}"') == 2  # and in the key
    assert html.count(f'fill="{heat_map.mix(1 / 3)}"') == 1
    assert page.tags.count("polygon") == 50


def test_the_report_of_one_game(fill: Fill) -> None:
    pile = Pile()
    pile.game(game="tic")
    pile.game(game="tac")
    archive = fill(pile)
    page = Page(report(archive, game="tac"))
    assert "tac (not installed)" in page.text
    assert "tic (not installed)" not in page.text
    with pytest.raises(ArchiveError, match='no records of "toe"; it has: tac, tic'):
        report(archive, game="toe")


def test_a_report_links_to_the_replay_pages(fill: Fill, tmp_path: Path) -> None:
    pile = Pile()
    id = pile.game(path="/records/club/a b.jsonl")
    pile.rows.append(tables.TurnRow(id=id, turn=1, n=3, seat="red", elapsed_ms=9000))
    archive = fill(pile)
    (tmp_path / "site/games").mkdir(parents=True)
    assert not re.search('href="[^"]*games', report(archive, site=tmp_path / "site", home=tmp_path))
    (tmp_path / "site/games/club-a-b.html").write_text("")
    (tmp_path / "site/games/a-b.html").write_text("")
    html = report(archive, site=tmp_path / "site", home=tmp_path)
    assert (
        'href="site/games/club-a-b.html#n=3"' in html
    )  # the longest name is looked for first: folders as exported
    assert "club-a-b" not in report(archive, site=tmp_path / "site", home=tmp_path, anonymous=True)


def test_notable_games_are_named_by_players_and_day(fill: Fill) -> None:
    """Two games of Ana and Rui on one day read the same, so they have their ids. The others have none."""
    pile = Pile()
    scores = {"red": {"score": 7}, "blue": {"score": 5, "max_deficit": 4, "max_deficit_at": 3}}
    close = {"red": {"score": 7}, "blue": {"score": 6}}
    pile.game(players_=("Ana", "Rui"), events=90, id="aaaaaaaa1", told_=scores)
    pile.game(players_=("Ana", "Rui"), events=30, id="bbbbbbbb2", told_=scores)
    pile.game(players_=("Eva", "Rui"), events=30, id="cccccccc3", told_=scores, started="2026-04-01 20:00:00")
    pile.game(("blue",), players_=("Ana", "Eva"), events=40, id="dddddddd4", told_=scores)
    pile.game(players_=("Eva", "Mei"), events=50, id="eeeeeeee5", told_=close)
    pile.game(players_=("Eva", "Mei"), events=95, id="ffffffff6", result_by="resignation", told_=close)
    archive = fill(pile)
    text = Page(report(archive)).text
    for row in (
        "longest gameAna – Rui, 2026-03-01 (aaaaaaaa)90 events",
        "shortest gameAna – Rui, 2026-03-01 (bbbbbbbb)30 events, as in 1 other game",
        "closest gameEva – Mei, 2026-03-01 (eeeeeeee)points between winner and next: 1",
        "comebackAna – Eva, 2026-03-01Eva, blue won from 4 points behind at event 3",
    ):
        assert row in text
    nameless = Page(report(archive, anonymous=True)).text
    assert "2026-03-01" not in nameless and "aaaaaaaa" not in nameless and "Ana" not in nameless
    assert re.search(r"longest gamePlayer \w+ – Player \w+ \([^()]+\)90 events", nameless)


def test_a_median_between_two_numbers_is_not_rounded(fill: Fill) -> None:
    pile = Pile()
    for events in (12, 12, 12, 13, 13, 13):
        pile.game(events=events)
    text = Page(report(fill(pile))).text
    assert "The median game has 12.5 events" in text and "median 12.5" in text


def test_pages_and_archives_have_one_minimum_of_games(fill: Fill) -> None:
    with Reader(fill(Pile())) as reader:
        assert reader.ask("SELECT seat_needed(1, 1000)").rows == [(MIN_GAMES,)]


def test_files_that_are_not_records_are_listed(fill: Fill) -> None:
    pile = Pile()
    pile.rows.append(tables.FileRow(path="/x/photo.jsonl", size=1, mtime_ns=1, status="damaged", judge="x"))
    pile.rows.append(
        tables.FindingRow(path="/x/photo.jsonl", code="record.damaged", severity="error", message="no record")
    )
    page = Page(report(fill(pile)))
    assert "Files that are not records" in page.text
    assert "photo.jsonl" in page.text


def test_higher_numbers_are_darker_in_grey_print_too() -> None:
    light = [luminance(heat_map.mix(part / 10)) for part in range(11)]
    assert light == sorted(light, reverse=True)
    assert light[0] - light[-1] > 0.8


def test_a_zone_has_one_colour_and_one_number() -> None:
    cells = [Cell(f"c{x}", x, 0, zone="zone 5") for x in range(3)]
    ground = BoardLayout((*cells, Cell("d", 9, 9, "disc", w=2)), (Link("c0", "d"),))
    page = Page(str(heat_map.heat_map(ground, {"5": 4, "d": 2, "gone": 9}, HOSTILE)))
    assert [value for name, value in page.attributes if name == "fill"].count(heat_map.DARK) == 4
    assert page.said.count("4") == 3 + 2  # in the names of its cells, once on it, and in the key
    assert "9" not in page.said


def test_a_map_without_cells_or_counts() -> None:
    assert Page(str(heat_map.heat_map(BoardLayout(()), {}, ""))).tags[0] == "svg"
    assert heat_map.DARK not in str(heat_map.heat_map(BoardLayout((Cell("a", 0, 0),)), {}, ""))


def test_numbers_in_words() -> None:
    assert [many(0, "die", "dice"), many(1, "die", "dice"), many(1200, "game")] == [
        "0 dice",
        "1 die",
        "1,200 games",
    ]
    say, portuguese = Wording(), Wording("pt")
    assert [say.percent(part) for part in (0.5, 0.999, 0.004, 1)] == ["50%", "99.9%", "0.4%", "100%"]
    assert [portuguese.percent(part) for part in (0.5, 0.999)] == ["50\u00a0%", "99,9\u00a0%"]
    ps = (None, 0.0001, 0.0312, 0.5)
    assert [say.probability(p) for p in ps] == ["", "p < 0.001", "p = 0.031", "p = 0.50"]
    assert [portuguese.probability(p) for p in ps] == ["", "p < 0,001", "p = 0,031", "p = 0,50"]
    assert [say.number(1234.5, 1), portuguese.number(1234.5, 1), say.number(2, 1, "+")] == [
        "1,234.5",
        "1\u00a0234,5",
        "+2.0",
    ]
    assert [say.ordinal(1), say.ordinal(11), portuguese.ordinal(1)] == ["1st", "11th", "1.º"]
    assert say("{n} {n:game|games}", n=1200) == "1,200 games"
    assert [say.number(value, 1) for value in (-1.25, -0.04)] == ["−1.2", "0.0"]
    assert [say.format_interval(0.682, 0.998), portuguese.format_interval(0.5, 0.75)] == [
        "68–99.8%",
        "50–75\u00a0%",
    ]
    assert [say.short_percent(part) for part in (0.16, 0.165)] == ["16%", "16.5%"]
    assert say.corrected_probability(0.01, 4) == "p = 0.040, corrected for 4 comparisons"
    assert say.corrected_probability(0.5, 40).startswith("p = 1.00,")
    assert [column_width(span) for span in (0, 23, 24, 100, 5000)] == [1, 1, 2, 5, 500]


def test_a_map_has_a_key_and_maps_share_a_scale() -> None:
    ground = BoardLayout((Cell("a", 0, 0), Cell("b", 1, 0)))
    few, many = (str(heat_map.heat_map(ground, {"a": count}, "x", 40)) for count in (10, 40))
    assert few.count("<rect") == heat_map.SHADES
    assert ">40</text>" in few
    assert heat_map.mix(0.25) in few
    large = str(heat_map.heat_map(ground, {"a": 1234, "b": 12_345}, "x"))
    assert ">1.2k<" in large
    assert ">12k<" in large
    assert "<title>a: 1,234</title>" in large
    assert f'fill="{heat_map.DARK}"' in many


def test_the_report_of_an_evening_begins_with_who_won(fill: Fill) -> None:
    pile = Pile()
    pile.game(("red",))
    pile.game(())
    pile.game(None)
    html = report(fill(pile))
    page, table = Page(html), html.partition('id="results"')[2].partition("</section>")[0]
    assert page.text.index("Results") < page.text.index("stands out")
    rows = [[Page(f"<td{cell}").text.strip() for cell in row.split("<td")[1:]] for row in table.split("<tr>")]
    assert [row[2:] for row in rows[2:]] == [
        ["red", "–", "points"],
        ["draw", "–", "points"],
        ["not finished", "–", ""],
    ]


def test_a_study_of_many_games_lists_no_results(fill: Fill) -> None:
    pile = Pile()
    for _ in range(MAX_LISTED + 1):
        pile.game(("red",))
    assert 'id="results"' not in report(fill(pile))


def test_the_dice_of_each_person_are_compared_with_fair_dice(fill: Fill) -> None:
    pile, few = Pile(), Pile()
    add_league(pile, "tug", 300, Cheat(six=0.3), Random("report"))
    page = Page(report(fill(pile))).text
    assert "Dice by person · stands out" in page
    assert "The dice of Ana do not show all faces equally often: 6 came up" in page
    assert "tests of the dice of 8 people, corrected together (Holm)" in page
    assert "would be found in four of five cases with" in page
    add_league(few, "tug", 300, FAIR, Random("fair"))
    page = Page(report(fill(few))).text
    assert "The dice of no person differ from fair dice beyond chance" in page
    assert "Ana" not in Page(report(fill(pile), anonymous=True)).text
