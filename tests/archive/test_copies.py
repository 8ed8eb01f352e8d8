"""Tests that find records of the same game, but not equal plays of different games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from gamelog_cli.app import app
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Reader, Update, index
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common_events
from gamelog.record.envelope import Parent, Seat
from tests.shares import examples

from .conftest import Table, begun, events_of, write

Run = Callable[..., Update]
Ask = Callable[..., list[tuple[Any, ...]]]
WON = [("left", 6, 1), ("right", 2, 2), ("right", 5, 4)]
COPIES = "SELECT id, copy_of FROM games WHERE copy_of IS NOT NULL ORDER BY id"


def seated(table: Table, id: str, people: list[Seat], **more: Any) -> None:
    header = structs.replace(table.header(id, **more), seats=tuple(people))
    write(table.folder / f"{id}.jsonl", header, events_of(header, WON))


def test_two_sheets_of_one_evening_are_one_game(table: Table, indexed: Run, ask: Ask) -> None:
    table(*WON, id="a", names=("Ana", "José"), started="2026-03-01T20:00:00Z")
    table(*WON, id="b", names=(" ana", "JOSE\u0301 "), started="2026-03-01T20:00:07Z", pace=900)
    done = indexed()
    assert (done.records, done.counted, done.copies) == (2, 1, 1)
    assert ask(COPIES) == [("b", "a")]


@pytest.mark.parametrize(
    "other", [{"started": "2026-03-03T20:00:00Z"}, {"names": ("Ana", "Mei")}, {"names": ("Rui", "Ana")}]
)
def test_another_day_or_other_people_are_another_game(
    table: Table, indexed: Run, ask: Ask, other: dict[str, Any]
) -> None:
    table(*WON, id="a", names=("Ana", "Rui"))
    table(*WON, id="b", **{"names": ("Ana", "Rui"), **other})
    assert (indexed().counted, ask(COPIES)) == (2, [])


def test_a_name_without_an_id_is_the_person_of_that_name(table: Table, indexed: Run, ask: Ask) -> None:
    rui = Seat("blue", "Rui")
    seated(table, "a", [Seat("red", "Ana", "ana@club"), rui])
    seated(table, "b", [Seat("red", "Ana Sousa", "ana@club"), rui])
    seated(table, "c", [Seat("red", "ANA"), rui])
    indexed()
    assert ask(COPIES) == [("b", "a"), ("c", "a")]
    seated(table, "d", [Seat("red", "Ana", "ana@other"), rui])
    indexed()
    assert ask(COPIES) == [("b", "a")], "the name Ana alone may be either person"


def test_walkovers_and_short_games_without_chance_are_games_of_their_own(
    table: Table, indexed: Run, ask: Ask
) -> None:
    gone = common_events.Ruling(
        0,
        0,
        "arbiter",
        kind="forfeit",
        result=Outcome(("red",), "walkover"),
        about=1,
        reason="-",
        name="Lena",
    )
    for id, names in (
        ("a", ("Ana", "Rui")),
        ("b", ("Mei", "Zé")),
        ("c", ("Ana", "Mei")),
        ("d", ("Ana", "Rui")),
    ):
        table(common_events.Note(0, 0, "table", "did not come"), gone, id=id, names=names)
    assert (indexed().counted, ask(COPIES)) == (4, [])
    assert ask("SELECT DISTINCT chances FROM games") == [(0,)]


def test_a_sheet_of_the_next_day_is_a_copy(table: Table, indexed: Run, ask: Ask) -> None:
    """One clock starts the game before midnight, the other after it; or a sheet is recorded the next morning."""
    table(*WON, id="a", started="2026-03-01T23:58:00Z")
    table(*WON, id="b", started="2026-03-02T00:01:00Z")
    table(*WON, id="c", started="2026-03-03T09:00:00Z")
    table(*WON, id="d", started="2026-03-05T09:00:00Z")
    assert indexed().counted == 2
    assert ask(COPIES) == [("b", "a"), ("c", "a")]


LONG = [("left", 1, 1), ("left", 1, 2), ("right", 2, 3), ("left", 1, 6), *WON]


@pytest.mark.parametrize("day", ["2026-03-01T19:00:00Z", "2026-03-01T21:00:00Z", "2026-03-02T09:00:00Z"])
def test_a_sheet_without_the_last_lines_is_no_game_of_its_own(
    table: Table, indexed: Run, ask: Ask, day: str
) -> None:
    """The start times make no difference, and two sheets of equal length are one game."""
    table(*LONG, id="whole", started="2026-03-01T20:00:00Z")
    table(*LONG[:-1], id="short", names=("ANA", "rui "), started=day)
    table(*LONG[:-2], id="shorter", started=day)
    table(*LONG[:-2], id="second", started=day)
    assert indexed().counted == 1
    assert ask(COPIES) == [("second", "whole"), ("short", "whole"), ("shorter", "whole")]
    (counted,) = ask("SELECT list(id) FROM games WHERE counted")
    assert counted == (["whole"],)


def test_a_sheet_that_lacks_the_end_that_was_agreed_is_no_game_of_its_own(
    table: Table, indexed: Run, ask: Ask
) -> None:
    end = [
        common_events.Agree(0, 0, "red", result=Outcome(("red",), "as agreed")),
        common_events.Accept(0, 0, "blue", about=9),
    ]
    table(*LONG[:4], *end, id="whole")
    table(*LONG[:4], common_events.Note(0, 0, "table", "late"), id="short")
    assert indexed().counted == 1
    assert ask(COPIES) == [("short", "whole")]


def test_beginnings_of_other_games_are_games(table: Table, indexed: Run, ask: Ask) -> None:
    """The cases are other people, another day, other dice, too little evidence, and a branch."""
    path = table(*LONG, id="whole")
    table(*LONG[:-1], id="people", names=("Ana", "Mei"))
    table(*LONG[:-1], id="day", started="2026-03-03T20:00:00Z")
    table(*LONG[:-2], ("right", 2, 1), id="dice")
    table(*LONG[:2], id="few")
    assert indexed().counted == 5
    assert ask(COPIES) == []
    head = path.read_bytes().splitlines()[8][9:52].decode()
    table(*LONG[:4], id="from", started="2026-04-01T20:00:00Z")
    table(*LONG, id="on", parents=(Parent("from", 8, head),), started="2026-04-01T20:00:00Z")
    indexed()
    assert ask("SELECT id FROM games WHERE counted AND id IN ('from', 'on')") == [("from",)]


def test_the_order_of_options_in_a_header_does_not_matter(table: Table, indexed: Run, ask: Ask) -> None:
    first = table.header("a")
    assert len(first.options) > 1
    turned = structs.replace(table.header("b"), options=dict(reversed(first.options.items())))
    for header in (first, turned):
        write(table.folder / f"{header.id}.jsonl", header, events_of(header, LONG))
    indexed()
    assert ask("SELECT count(DISTINCT beginning), count(beginning) FROM games") == [(1, 2)]
    assert ask(COPIES) == [("b", "a")]


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the play of a record, line by line."""
    events = map(json.loads, path.read_text("utf-8").splitlines()[1:])
    return [{key: event[key] for key in event if key not in ("h", "n", "t")} for event in events]


def copies_of(sheets: list[tuple[int, bool, list[dict[str, Any]]]]) -> set[int]:
    """Return the sheets (day, people, play) that do not count by the definition, from all pairs."""
    found = set()
    for at, (day, ours, play) in enumerate(sheets):
        if len(play) < 6:  # three decisions and three rolls
            continue
        longer = any(
            theirs == ours and abs(day - that) <= 1 and len(other) > len(play) and other[: len(play)] == play
            for that, theirs, other in sheets
        )
        days = {that for that, theirs, other in sheets if theirs == ours and other == play}
        earliest = next(first for first in range(day, -2, -1) if first - 1 not in days)
        earlier = any(
            theirs == ours and other == play and (that, to) < (day, at) and that >= earliest
            for to, (that, theirs, other) in enumerate(sheets)
        )
        if longer or earlier:
            found.add(at)
    return found


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(2, 7), st.integers(0, 1), st.integers(0, 3), st.booleans()),
        min_size=2,
        max_size=9,
    )
)
@example([(3, 0, 0, False), (3, 0, 1, True), (3, 0, 2, False)])
def test_copies_are_those_of_the_definition(made: list[tuple[int, int, int, bool]]) -> None:
    """The sheets have different lengths of two plays, on four days, by two pairs of people."""
    with TemporaryDirectory() as folder:
        table, sheets = Table(Path(folder, "records")), []
        for at, (length, game, day, ours) in enumerate(made):
            path = table(
                *[LONG[0], ("left", 2, 2 + game), *LONG[1:-1]][:length],
                id=f"{at}",
                names=("Ana" if ours else "Mei", "Rui"),
                started=f"2026-03-0{day + 1}T{10 + at}:00:00Z",
            )
            sheets.append((day, ours, lines(path)))
        archive = Path(folder, "games.archive")
        index([Path(folder, "records")], begun(archive))
        with Reader(archive) as reader:
            copies = dict(reader.ask("SELECT id, copy_of FROM games WHERE copy_of IS NOT NULL").rows)
            counted = {id for (id,) in reader.ask("SELECT id FROM games WHERE counted").rows}
    assert {int(id) for id in copies} == copies_of(sheets)
    for of in copies.values():
        assert copies.get(of, of) in counted or copies.get(copies.get(of, of)) in counted


def test_bots_that_play_alike_play_different_games(table: Table, indexed: Run, ask: Ask) -> None:
    for id in "abc":
        seated(table, id, [Seat("red", "one", bot="greedy"), Seat("blue", "two", bot="random")])
    assert (indexed().counted, ask(COPIES)) == (3, [])


def test_left_out_copies_are_reported(table: Table) -> None:
    for id in "abc":
        table(*WON, id=id)
    table(*WON[:1], id="x", file="x.jsonl")
    table(*WON[1:], id="x", file="y.jsonl")
    archive = str(table.folder.parent / "games.archive")
    run = CliRunner()
    said = run.invoke(app(["index"]), ["index", str(table.folder), "--archive", archive]).stdout
    assert "4 records, 1 counted." in said
    assert (
        "2 records are copies of others and do not count. To list copies, ask the stock question copies."
        in said
    )
    assert "1 record does not count because two files of one id differ" in said
    asked = run.invoke(app(["query"]), ["query", "lengths", "--archive", archive, "--format", "json"])
    assert "2 records are copies" in asked.stderr
    assert "copies" not in asked.stdout
    everything = ["query", "lengths", "--archive", archive, "--format", "json", "--set", "uncounted=true"]
    assert "copies" not in run.invoke(app(["query"]), everything).stderr


def listed_pairs(archive: Path) -> set[tuple[str, str, str, str]]:
    """Return the answer to the question: record, copy, certainty and reason."""
    with Reader(archive) as reader:
        rows = reader.ask("copies").dicts()
    assert len({(row["id"], row["copy"]) for row in rows}) == len(rows), "each pair is listed once"
    return {(row["id"], row["copy"], row["certainty"], row["reason"]) for row in rows}


FAR = "the same people and play, but not on neighbouring days"
SWAPPED = "the same play, with the people at other seats"
NEARLY = "the same play, with names that are nearly the same"
SHORT = "the same people and play, but too short to be sure"
BEGUN = "the beginning of the other by the same people, but too short to be sure"
ALIKE = "the same people, and plays that begin alike"
EVE = "2026-03-02T20:00:00Z"
FEW = [("left", 1, 1), ("left", 1, 2)]


@pytest.mark.parametrize(
    ("turns", "other", "reason"),
    [
        (WON, {"started": "2026-03-20T20:00:00Z"}, FAR),
        (WON, {"names": ("Rui", "Ana"), "started": EVE}, SWAPPED),
        (WON, {"names": ("Anna", "R. Costa")}, None),
        (WON, {"names": ("Ana Sousa", "Ruí"), "started": EVE}, NEARLY),
        (WON, {"names": ("", "Rui")}, NEARLY),
        (WON, {"names": ("Ana Sousa", "Rui"), "started": "2026-03-20T20:00:00Z"}, None),
        (WON, {"names": ("Ane", "Rui")}, None),
        (WON, {"names": ("Mei", "Omar")}, None),
        (FEW, {"started": EVE}, SHORT),
        (FEW, {"started": "2026-03-20T20:00:00Z"}, None),
        (FEW, {"names": ("Ana Sousa", "Rui")}, None),
        ([*LONG[:-1], ("right", 2, 2), ("right", 2, 2)], {}, ALIKE),
        ([*LONG[:-1], ("right", 2, 2), ("right", 2, 2)], {"started": "2026-03-20T20:00:00Z"}, None),
        ([*LONG[:2], *WON], {}, None),
    ],
)
def test_possible_copies_are_listed_with_the_reason_and_count(
    table: Table, indexed: Run, archive: Path, turns: Any, other: dict[str, Any], reason: str | None
) -> None:
    table(*(turns if turns in (WON, FEW) else LONG), id="a", names=("Ana", "Rui"))
    table(*turns, id="b", **other)
    assert indexed().counted == 2
    assert listed_pairs(archive) == ({("a", "b", "maybe", reason)} if reason else set())


@pytest.mark.parametrize(
    ("name", "other", "near"),
    [
        ("mario", "maria", True),
        ("omar", "omer", False),
        ("catharina", "katharina", True),
        ("josé", "jose", True),
        ("team 1", "team 2", False),
    ],
)
def test_names_in_which_a_fifth_of_the_letters_differ_are_near(
    table: Table, indexed: Run, archive: Path, name: str, other: str, near: bool
) -> None:
    table(*WON, id="a", names=(name, "Rui"))
    table(*WON, id="b", names=(other, "Rui"))
    indexed()
    assert listed_pairs(archive) == ({("a", "b", "maybe", NEARLY)} if near else set())


@pytest.mark.parametrize(("common", "listed_"), [(3, True), (2, False)])
def test_plays_that_are_alike_in_one_half_may_be_one_game(
    table: Table, indexed: Run, archive: Path, common: int, listed_: bool
) -> None:
    table(*LONG[:6], id="a")
    table(*LONG[:common], *[("left", 4, 3 + at) for at in range(6 - common)], id="b")
    indexed()
    assert listed_pairs(archive) == ({("a", "b", "maybe", ALIKE)} if listed_ else set())


def test_a_short_beginning_may_be_of_the_longer_game_and_sure_copies_are_listed_as_such(
    table: Table, indexed: Run, archive: Path
) -> None:
    """The shorter record is the copy, even if it began first."""
    table(*LONG, id="whole", started="2026-03-02T20:00:00Z")
    table(*FEW, id="few", started="2026-03-01T20:00:00Z")
    table(*LONG[:-1], id="short", started="2026-03-02T20:00:00Z")
    table(*LONG, id="second", started="2026-03-03T20:00:00Z")
    indexed()
    assert listed_pairs(archive) == {
        ("whole", "few", "maybe", BEGUN),
        ("whole", "short", "sure", "the beginning of the other by the same people on neighbouring days"),
        ("whole", "second", "sure", "the same people and play on neighbouring days"),
    }


def test_two_ids_are_never_nearly_one_person_and_bots_are_left_out(
    table: Table, indexed: Run, archive: Path
) -> None:
    rui = Seat("blue", "Rui")
    seated(table, "a", [Seat("red", "Ana", "ana@club"), rui])
    seated(table, "b", [Seat("red", "Ana", "ana@other"), rui])
    for id in "cd":
        seated(table, id, [Seat("red", "one", bot="greedy"), Seat("blue", "two", bot="random")])
    indexed()
    assert listed_pairs(archive) == set()
    seated(table, "e", [Seat("red", "Anna"), rui])
    indexed()
    assert {row[:2] for row in listed_pairs(archive)} == {("a", "e"), ("b", "e")}


def may_be_one(one: tuple[int, bool, list[Any]], other: tuple[int, bool, list[Any]]) -> set[str]:
    """Return why two sheets that both count may be one game, by the definition."""
    (day, ours, play), (that, theirs, longer) = sorted((one, other), key=lambda sheet: len(sheet[2]))
    if ours != theirs:
        return set()
    common = next(
        (at for at, two in enumerate(zip(play, longer, strict=False)) if two[0] != two[1]), len(play)
    )
    near, enough = abs(day - that) <= 1, 2 * common >= 12  # half of the lines are decisions, half are dice
    if play == longer:
        return {FAR} if enough and not near else {SHORT} if near and not enough else set()
    if common == len(play) and near and not enough and len(play) >= 4:
        return {BEGUN}
    return {ALIKE} if near and enough and 2 * common >= len(play) else set()


@settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.integers(1, 7), st.integers(0, 1), st.integers(0, 5), st.booleans()),
        min_size=2,
        max_size=9,
    )
)
def test_possible_copies_follow_the_definition(made: list[tuple[int, int, int, bool]]) -> None:
    """Each listed pair has its reason, and each sheet with one of the three exact reasons is listed."""
    with TemporaryDirectory() as folder:
        table, sheets = Table(Path(folder, "records")), {}
        for at, (length, game, day, ours) in enumerate(made):
            path = table(
                *[*LONG[:5], ("left", 2, 2 + game), LONG[5]][:length],
                id=f"{at}",
                names=("Ana" if ours else "Mei", "Rui"),
                started=f"2026-03-0{day + 1}T{10 + at}:00:00Z",
            )
            sheets[f"{at}"] = (day, ours, lines(path))
        archive = Path(folder, "games.archive")
        index([Path(folder, "records")], begun(archive))
        found = {row for row in listed_pairs(archive) if row[2] == "maybe"}
        with Reader(archive) as reader:
            counted = {id for (id,) in reader.ask("SELECT id FROM games WHERE counted").rows}
    for id, copy, _, reason in found:
        assert {id, copy} <= counted
        assert reason in may_be_one(sheets[id], sheets[copy])
    told = {id for row in found for id in row[:2]}
    for id in counted - told:
        others = {reason for other in counted - {id} for reason in may_be_one(sheets[id], sheets[other])}
        assert others <= {ALIKE}
