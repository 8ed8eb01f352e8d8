"""Tests of games with substitutes: each person has their own moves, dice and time, and results follow one rule."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.report.page import report

from gamelog.archive import Reader, Update, index
from gamelog.errors import ArchiveError
from gamelog.play.fold import common_events

from .conftest import Table, dump, rebuilt

Run = Callable[..., Update]
Ask = Callable[..., list[tuple[Any, ...]]]

WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
MEI = common_events.Substitute(0, 0, "table", seat="red", name="Mei", person=None)


@pytest.fixture
def club(table: Table) -> Table:
    """Write three games: red is substituted after one of its two decisions in a, before the first in b, never in c."""
    table(*WON[:2], MEI, WON[2], id="a")
    table(MEI, *WON, id="b", started="2026-03-03T20:00:00Z")
    table(*WON, id="c", names=("Mei", "Rui"), started="2026-03-05T20:00:00Z")
    return table


def by_hand(folder: Path) -> dict[str, Counter[str]]:
    """Return the decisions, thinking time and dice of each person, counted line by line."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for file in sorted(folder.glob("*.jsonl")):
        header, *events = (json.loads(line) for line in file.read_text("utf-8").splitlines())
        sits, before = {seat["seat"]: seat["name"] for seat in header["seats"]}, 0
        for event in events:
            if event["do"] == "@substitute":
                sits[event["seat"]] = event["name"]
                continue
            who = found[sits[event["by"]]]
            if event["do"] == "pull":
                who["decisions"] += 1
                who["thinking"] += event["t"] - before
            else:
                who["dice"] += 1
                found[sits["blue" if event["by"] == "red" else "red"]]["dice"] += 1
            before = event["t"]
    return found


def test_each_person_has_their_own_moves_dice_and_time(club: Table, indexed: Run, ask: Ask) -> None:
    indexed()
    lines = by_hand(club.folder)
    assert {who: (n, ms) for who, n, ms in ask("SELECT player, sum(decisions), sum(thinking) FROM sittings GROUP BY 1")} == {
        who: (count["decisions"], count["thinking"]) for who, count in lines.items()
    }  # fmt: skip
    assert dict(ask("SELECT player, count(*) FROM moves GROUP BY 1")) == {
        who: count["decisions"] for who, count in lines.items()
    }
    assert lines["Ana"]["decisions"] == 1
    assert dict(ask("SELECT player, count(*) FROM dice WHERE seat = 'red' GROUP BY 1")) == {
        "Ana": lines["Ana"]["dice"],
        "Mei": lines["Mei"]["dice"],
    }
    thrown = {row[0]: row[2] for row in ask("dice", by="player")}
    assert (thrown["Ana"], thrown["Mei"]) == (lines["Ana"]["dice"], lines["Mei"]["dice"])
    seconds = {row[1]: row[9] for row in ask("players")}
    assert seconds == {
        who: pytest.approx(count["thinking"] / count["decisions"] / 1000) for who, count in lines.items()
    }


@pytest.mark.usefixtures("club")
def test_contests_belong_to_the_people_who_fought_them(indexed: Run, ask: Ask) -> None:
    indexed()
    assert [(row[1], row[2]) for row in sorted(ask("luck"), key=lambda row: str(row[1]))] == [("Ana", 2), ("Mei", 7), ("Rui", 9)]  # fmt: skip


RULES: dict[str, dict[str, tuple[int, int, float | None]]] = {
    "none": {"Ana": (1, 0, None), "Mei": (3, 2, 2.0), "Rui": (3, 3, 0.0)},
    "starter": {"Ana": (1, 1, 1.0), "Mei": (3, 2, 2.0), "Rui": (3, 3, 0.0)},
    "finisher": {"Ana": (1, 0, None), "Mei": (3, 3, 3.0), "Rui": (3, 3, 0.0)},
    "share": {"Ana": (1, 1, 0.5), "Mei": (3, 3, 2.5), "Rui": (3, 3, 0.0)},
}
"""Games, finished games and victories of each person, by rule. Ana made one of two decisions in a, and none in b."""


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize("credit", RULES)
def test_a_result_goes_to_whom_the_rule_says(credit: str, indexed: Run, ask: Ask) -> None:
    indexed()
    table = {row[1]: tuple(row[2:5]) for row in ask("players", credit=credit, game="tug")}
    assert {who: (games, finished, victories) for who, (games, finished, victories) in table.items()} == {
        who: (games + (who == "Ana"), finished, victories)
        for who, (games, finished, victories) in RULES[credit].items()
    }


@pytest.mark.usefixtures("club")
def test_by_default_a_result_of_several_people_is_of_none_of_them_and_the_answer_says_so(
    indexed: Run, archive: Path
) -> None:
    indexed()
    with Reader(archive) as reader:
        assert reader.ask("players").rows == reader.ask("players", {"credit": "none"}).rows
        assert reader.ask("SELECT id, player, won FROM results WHERE seat = 'red' ORDER BY id").rows == [
            ("a", None, True), ("b", "Mei", True), ("c", "Mei", True)
        ]  # fmt: skip
        said = [note for note in reader.notes("players") if "several people" in note]
        assert said == [
            "1 result was made by several people at one seat. It counts for none of these people (credit=none), because a result "
            "that several people made says little about each. To count them, set credit=starter, "
            "finisher or share."
        ]
        assert any("(credit=share)" in note for note in reader.notes("players", {"credit": "share"}))
        with pytest.raises(ArchiveError, match="credit must be none, starter, finisher or share"):
            reader.ask("players", {"credit": "nobody"})
    assert "1 result was made by several people at one seat. It counts for none of these people" in report(
        archive
    )


@pytest.mark.usefixtures("club")
def test_ratings_follow_the_rule(indexed: Run, ask: Ask) -> None:
    """If the rule leaves game a out for red, Rui has lost two games, otherwise three."""
    indexed()
    rated = {
        rule: {row[1]: row[6] for row in ask("players", credit=rule) if row[6] is not None} for rule in RULES
    }
    assert rated["none"].keys() == {"Mei", "Rui"}
    assert rated["starter"].keys() == {"Ana", "Mei", "Rui"} == rated["share"].keys()
    assert rated["none"]["Rui"] > rated["finisher"]["Rui"]
    assert rated["starter"]["Mei"] < rated["share"]["Mei"] < rated["finisher"]["Mei"]


@pytest.mark.usefixtures("club")
def test_aliases_that_join_two_people_make_one_stay(indexed: Run, archive: Path, ask: Ask) -> None:
    indexed()
    (archive.parent / "people.toml").write_text('[people]\n"Ana" = ["Mei"]\n')
    assert [tuple(row[1:5]) for row in ask("players")] == [("Ana", 3, 3, 3.0), ("Rui", 3, 3, 0.0)]
    assert not [note for note in Reader(archive).notes("players") if "several people" in note]


def test_the_same_person_again_is_no_substitution_and_a_corrected_name_is_that_of_its_time(
    table: Table, indexed: Run, ask: Ask
) -> None:
    ana = common_events.Substitute(0, 0, "table", seat="red", name="ana ", person=None)
    table(WON[0], ana, *WON[1:], id="again")
    named = common_events.Amend(0, 0, "table", seats={"red": common_events.SeatNames(name="Ana Sousa")})
    table(WON[0], named, MEI, *WON[1:], id="named", started="2026-03-04T20:00:00Z")
    indexed()
    assert ask("SELECT id, name, from_n, to_n FROM stays ORDER BY id, from_n") == [
        ("named", "Ana Sousa", 0, 3),
        ("named", "Mei", 4, None),
    ]
    assert ask("SELECT id, sitters FROM seats WHERE seat = 'red' ORDER BY id") == [("again", 1), ("named", 2)]


def test_the_most_frequent_spelling_is_used_for_people_who_left(
    table: Table, indexed: Run, ask: Ask, archive: Path, tmp_path: Path
) -> None:
    table(WON[0], MEI, *WON[1:], id="a", names=("ANA", "Rui"))
    table(*WON, id="b", started="2026-03-05T20:00:00Z")
    table(*WON, id="c", started="2026-03-07T20:00:00Z")
    indexed()
    assert ask("SELECT DISTINCT player FROM sittings WHERE person = 'name:ana'") == [("Ana",)]
    assert dump(archive) == rebuilt(table.folder, tmp_path)


def test_several_archives_answer_as_one(club: Table, tmp_path: Path) -> None:
    one, parts = tmp_path / "one.archive", []
    index([club.folder], one)
    for file in sorted(club.folder.iterdir()):
        parts.append(tmp_path / f"{file.stem}.archive")
        index([file], parts[-1])
    with Reader(one) as whole, Reader(parts) as several:
        for rule in RULES:
            assert (
                several.ask("players", {"credit": rule}).rows == whole.ask("players", {"credit": rule}).rows
            )
        asked = "SELECT id, seat, player, from_n, to_n, decisions FROM sittings ORDER BY ALL"
        assert several.ask(asked).rows == whole.ask(asked).rows
        assert several.ask("SELECT DISTINCT archive FROM sittings ORDER BY 1").rows == [
            ("a",),
            ("b",),
            ("c",),
        ]


def test_a_turn_has_the_name_of_the_person_at_that_time(club: Table, indexed: Run, ask: Ask) -> None:
    indexed()
    names = {(row[1], row[3]): row[5] for row in ask("slow")}
    assert names["a", 1] == "Ana"
    assert names["a", 5] == "Mei"
    assert club
