"""Connect Four: commands with a game without options, boards, chance and points, and with two versions."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from gamelog.archive.workers import judge_versions
from gamelog.play.contract.registry import find
from gamelog.record import chain
from gamelog.record.reading import read_record

from .conftest import EXAMPLES, Gamelog

SEATS = ("--seat", "red=Ana", "--seat", "yellow=Rui")
PLAYED = [f'{{"do":"drop","column":{column}}}' for column in (4, 4, 5, 5, 6, 6, 7)]


@pytest.fixture
def won(gamelog: Gamelog) -> Path:
    """Return a record in which Ana has four in the lowest row."""
    assert gamelog("new", "connect_four", "four.jsonl", *SEATS).status == 0
    assert gamelog("append", "four.jsonl", *PLAYED).status == 0
    return Path("four.jsonl")


def test_the_code_is_as_short_as_the_docs_say() -> None:
    files = [
        path
        for path in (EXAMPLES / "connect_four/connect_four").rglob("*")
        if path.suffix in (".py", ".md", ".json")
    ]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 180


def test_it_is_listed_without_a_board_and_its_rules_without_options(gamelog: Gamelog) -> None:
    listed = {row["id"]: row for row in gamelog("games", "--json").json}
    assert (listed["connect_four"]["rules"], listed["connect_four@1.0"]["rules"]) == ("1.1", "1.0")
    assert listed["connect_four"]["boards"] == []
    told = gamelog("rules", "connect_four").out
    assert "CF-4: Four discs" in told and "CF-5" in told and "Options" not in told
    assert gamelog("schema", "connect_four").status == 0


def test_options_that_it_does_not_have_are_refused_in_a_sentence(gamelog: Gamelog) -> None:
    bare = gamelog("new", "connect_four", "x.jsonl")
    assert (bare.status, "--seat red=Ana --seat yellow=Rui" in bare.err) == (2, True)
    board = gamelog("new", "connect_four", "x.jsonl", *SEATS, "--board", "small")
    assert "Connect Four has only one board" in board.err
    option = gamelog("new", "connect_four", "x.jsonl", *SEATS, "--option", "pie=true")
    assert 'has no option "pie"; it has no options.' in option.err
    bot = gamelog("simulate", "connect_four", "--bot", "greedy", "-o", "out")
    assert 'has the bots random, careful, search:N, and no "greedy"' in bot.err


def test_a_game_without_points_is_recorded_and_replayed(gamelog: Gamelog, won: Path) -> None:
    verdict = gamelog("validate", won, "--json").json[0]
    assert (verdict["status"], verdict["outcome"]) == ("ok", {"winners": ["red"], "reason": "four"})
    told = gamelog("replay", won).out
    assert "The game is over. Winner: Ana (four)." in told and "Score" not in told
    assert gamelog("replay", won, "--at", "7", "--json").json[-1]["score"] == {}
    assert '"board":"none"' in won.read_text()
    typed = gamelog("record", "again.jsonl", stdin="4\n4\nquit\n")
    assert typed.status == 2
    gamelog("new", "connect_four", "again.jsonl", *SEATS)
    assert gamelog("record", "again.jsonl", stdin="4\nswap\nquit\n").status == 0
    assert '"do":"swap"' in Path("again.jsonl").read_text()


def test_its_archive_and_report_contain_no_points(gamelog: Gamelog, won: Path) -> None:
    assert (
        gamelog(
            "simulate", "connect_four", "--games", "12", "--bot", "random", "--bot", "careful", "-o", "out"
        ).status
        == 0
    )
    assert gamelog("simulate", "connect_four@1.0", "--games", "3", "-o", "old").status == 0
    assert gamelog("validate", "out", "old").status == 0
    assert gamelog("index", "out", "old", won, "--archive", "a.duckdb").status == 0
    found = gamelog(
        "query",
        "SELECT count(score) AS scores, count(max_deficit) AS d FROM seats",
        "--archive",
        "a.duckdb",
        "--format",
        "json",
    )
    assert found.json == [{"scores": 0, "d": 0}]
    assert gamelog("query", "leads", "--archive", "a.duckdb", "--format", "json").json == []
    units = gamelog(
        "query", "SELECT DISTINCT unit, board FROM games", "--archive", "a.duckdb", "--format", "json"
    )
    assert units.json == [{"unit": None, "board": "none"}]
    assert gamelog("report", "--archive", "a.duckdb", "-o", "report.html").status == 0
    page = Path("report.html").read_text()
    assert "No game with points was played to its end." in page and "on the board “none”" not in page


def test_a_penalty_in_points_is_kept_where_the_game_counts_none(gamelog: Gamelog) -> None:
    gamelog("new", "connect_four", "four.jsonl", *SEATS)
    gamelog("append", "four.jsonl", PLAYED[0])
    words = ("--about", "1", "--penalty", "red=-1", "--by", "Lena", "--reason", "late")
    assert gamelog("ruling", "four.jsonl", *words).status == 0
    assert "Score: Ana -1." in gamelog("replay", "four.jsonl").out
    gamelog("index", "four.jsonl", "--archive", "a.duckdb")
    told = gamelog(
        "query",
        "SELECT seat, score FROM seats ORDER BY position",
        "--archive",
        "a.duckdb",
        "--format",
        "json",
    )
    assert told.json == [{"seat": "red", "score": -1}, {"seat": "yellow", "score": 0}]


@pytest.mark.browser
def test_its_page_has_no_chart_and_no_points(gamelog: Gamelog, won: Path, browser: Browser) -> None:
    assert gamelog("export", won, "-o", "four.html").status == 0
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    page.goto(f"{Path('four.html').resolve().as_uri()}#n=7")
    page.wait_for_selector("#seats .card")
    assert not page.is_visible("#plot")
    assert page.text_content("#board .points") == "4", "an outline marks the four discs that won"
    assert page.inner_text("#seats .card .score") == ""
    page.keyboard.press("p")
    assert "points" not in page.inner_text("body")
    assert not errors
    page.close()


def test_a_record_without_an_installed_version_names_the_entry_point_to_register(
    gamelog: Gamelog, won: Path
) -> None:
    assert gamelog("games", "--check", ".").out == "The installed games can judge 1 record.\n"
    older = won.read_text().replace('"rules":"1.1"', '"rules":"0.9"')
    Path("old.jsonl").write_text(rechained(older))
    Path("chess.jsonl").write_text(rechained(older.replace('"game":"connect_four"', '"game":"chess"')))
    Path("torn.jsonl").write_text("{")
    done = gamelog("games", "--check", ".", "--json")
    assert done.status == 1
    rows = {row["game"]: row for row in done.json}
    assert rows["connect_four"]["rules"] == "0.9"
    assert '"connect_four@0.9" = "connect_four.v0_9:GAME"' in rows["connect_four"]["do"]
    assert "gamelog-connect-four" in rows["connect_four"]["do"]
    assert rows["chess"]["do"] == "Install the distribution that contains the game."
    told = gamelog("games", "--check", ".")
    assert "1 record of connect_four, rules 0.9" in told.out.replace("\n", " ")
    assert "The installed games can judge 1 record.\n1 file cannot be read" in told.out


def rechained(text: str) -> str:
    """Return the lines of a record with replaced words and a new chain."""
    head, lines = chain.GENESIS, b""
    for one in text.encode().splitlines(keepends=True):
        line, head = chain.chained_line(head, one[chain.PREFIX_BYTES :])
        lines += line
    return lines.decode()


def test_code_that_changed_without_a_new_version_judges_again(tmp_path: Path) -> None:
    package = tmp_path / "elsewhere"
    shutil.copytree(EXAMPLES / "connect_four", package)
    first = judge_versions._code_digest("connect_four")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(package)
        patch.delitem(sys.modules, "connect_four", raising=False)
        assert judge_versions._code_digest("connect_four") == first, (
            "the same files elsewhere are the same code"
        )
        rules = package / "connect_four/RULES.md"
        rules.write_text(rules.read_text() + "\n")
        assert judge_versions._code_digest("connect_four") != first
    before, after = (
        f"1 gamelog-connect-four 1.1{first}: 1.0, 1.1",
        "1 gamelog-connect-four 1.1~00000000: 1.0, 1.1",
    )
    assert judge_versions.judge_version_of("connect_four") == before
    assert judge_versions.is_outdated(before, after)
    assert judge_versions.is_outdated("1 gamelog-connect-four 1.1: 1.0, 1.1", after), "an archive of before"
    assert not judge_versions.is_outdated("1 gamelog-connect-four 1.2~00000000: 1.0, 1.1", after), (
        "a newer release has said it"
    )


def test_old_records_keep_the_rules_they_were_played_by(gamelog: Gamelog) -> None:
    old, new = find("connect_four", "1.0"), find("connect_four")
    assert (old.rules_version, new.rules_version) == ("1.0", "1.1")
    gamelog("new", "connect_four@1.0", "old.jsonl", *SEATS)
    gamelog("append", "old.jsonl", PLAYED[0])
    refused = gamelog("append", "old.jsonl", '{"do":"swap"}')
    assert refused.status == 1 and "swap" in refused.err
    assert gamelog("validate", "old.jsonl").status == 0


@pytest.mark.parametrize("words", ["connect_four@1.0", "connect_four@1.1", "connect_four"])
def test_bots_play_the_version_that_is_asked_for(gamelog: Gamelog, words: str) -> None:
    assert gamelog("simulate", words, "--games", "2", "-o", "played").status == 0
    headers = [read_record(path).header for path in Path("played").glob("*.jsonl")]
    assert [header and header.rules for header in headers] == [words.partition("@")[2] or "1.1"] * 2
    assert gamelog("validate", "played").status == 0
