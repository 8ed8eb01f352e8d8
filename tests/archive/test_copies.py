"""Which records are the same game twice: not those that are only played alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pytest
from gamelog_cli.app import app
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from typer.testing import CliRunner

from gamelog.archive import Update
from gamelog.archive.indexing.copies import AGREE
from gamelog.play.contract.outcome import Outcome
from gamelog.play.fold import common
from gamelog.record.envelope import Seat

from .conftest import Table, events_of, write

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
    "other", [{"started": "2026-03-02T20:00:00Z"}, {"names": ("Ana", "Mei")}, {"names": ("Rui", "Ana")}]
)
def test_another_day_or_other_people_are_another_game(
    table: Table, indexed: Run, ask: Ask, other: dict[str, Any]
) -> None:
    table(*WON, id="a", names=("Ana", "Rui"))
    table(*WON, id="b", **{"names": ("Ana", "Rui"), **other})
    assert (indexed().counted, ask(COPIES)) == (2, [])


def test_people_agree_by_id_or_by_name_where_ids_do_not_differ(table: Table, indexed: Run, ask: Ask) -> None:
    rui = Seat("blue", "Rui")
    seated(table, "a", [Seat("red", "Ana", "ana@club"), rui])
    seated(table, "b", [Seat("red", "Ana Sousa", "ana@club"), rui])
    seated(table, "c", [Seat("red", "ANA"), rui])
    seated(table, "d", [Seat("red", "Ana", "ana@other"), rui])
    indexed()
    assert ask(COPIES) == [("b", "a"), ("c", "a")]


def test_walkovers_and_short_games_without_chance_are_games_of_their_own(
    table: Table, indexed: Run, ask: Ask
) -> None:
    gone = common.Ruling(
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
        table(common.Note(0, 0, "table", "did not come"), gone, id=id, names=names)
    assert (indexed().counted, ask(COPIES)) == (4, [])
    assert ask("SELECT DISTINCT chances FROM games") == [(0,)]


def test_bots_that_play_alike_play_different_games(table: Table, indexed: Run, ask: Ask) -> None:
    for id in "abc":
        seated(table, id, [Seat("red", "one", bot="greedy"), Seat("blue", "two", bot="random")])
    assert (indexed().counted, ask(COPIES)) == (3, [])


def test_what_is_dropped_is_said(table: Table) -> None:
    for id in "abc":
        table(*WON, id=id)
    table(*WON[:1], id="x", file="x.jsonl")
    table(*WON[1:], id="x", file="y.jsonl")
    archive = str(table.folder.parent / "games.archive")
    run = CliRunner()
    said = run.invoke(app(["index"]), ["index", str(table.folder), "--archive", archive]).stdout
    assert "4 records, 1 counted." in said
    assert "2 records are copies of others and do not count; gamelog query copies shows which." in said
    assert "1 record does not count because two files of one id differ" in said
    asked = run.invoke(app(["query"]), ["query", "lengths", "--archive", archive, "--format", "json"])
    assert "2 records are copies" in asked.stderr
    assert "copies" not in asked.stdout
    everything = ["query", "lengths", "--archive", archive, "--format", "json", "--set", "uncounted=true"]
    assert "copies" not in run.invoke(app(["query"]), everything).stderr


people = st.builds(
    lambda kind, who, name: {
        "person": {"name": f"name:{name}", "none": ""}.get(kind, f"{kind}:{who}"),
        "name": name,
    },
    st.sampled_from(["id", "alias", "name", "bot", "none"]),
    st.sampled_from("ab"),
    st.sampled_from(["", "a", "b", "c"]),
)


def agree(one: dict[str, str], other: dict[str, str]) -> bool:
    known = all(person["person"].startswith(("id:", "alias:")) for person in (one, other))
    return one["person"] == other["person"] or (one["name"] == other["name"] and not known)


@given(
    st.integers(1, 3).flatmap(
        lambda seats: st.lists(st.lists(people, min_size=seats, max_size=seats), min_size=1, max_size=8)
    )
)
def test_who_agrees_is_who_agrees_at_each_seat(tables: list[list[dict[str, str]]]) -> None:
    """Pairs are found without holding each table against each; they are those of the definition."""
    first = {
        at: min(to for to, other in enumerate(tables) if all(map(agree, one, other)))
        for at, one in enumerate(tables)
    }
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE sheets(play TEXT, day DATE, seated STRUCT(person TEXT, name TEXT)[], place INT)"
        )
        for at, seated in enumerate(tables):
            connection.execute("INSERT INTO sheets VALUES ('p', DATE '2026-01-01', ?, ?)", [seated, at])
        connection.execute(AGREE)
        found = connection.execute(
            "SELECT sheets.place, agreed.place FROM sheets JOIN agreed USING (play, day, seated)"
        ).fetchall()
    origins = {at for at, to in first.items() if at == to}
    wanted = {at: min(to for to in origins if all(map(agree, one, tables[to]))) for at, one in enumerate(tables)
              if any(all(map(agree, one, tables[to])) for to in origins)}  # fmt: skip
    assert dict(found) == wanted
