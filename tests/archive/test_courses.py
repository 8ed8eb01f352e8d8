"""Tests of the questions on lengths, endings, leads, openings, places, kinds, slow turns and players."""

from __future__ import annotations

import re
from datetime import datetime
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.report.page import report
from msgspec import Raw

from gamelog.archive.schema import tables

from .piles import SEATS, Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def test_lengths_in_events_and_minutes(pile: Pile, ask: Ask) -> None:
    for events in (10, 20, 30, 40, 50):
        pile.game(events=events, duration=events * 60_000, turns=events // 10)
    pile.game(None, events=9999)
    (row,) = ask("lengths")
    assert row["games"] == 5
    assert [row[f"events_{name}"] for name in ("min", "short", "median", "long", "max")] == [
        10,
        14,
        30,
        46,
        50,
    ]
    assert [row[f"minutes_{name}"] for name in ("min", "short", "median", "long", "max")] == [
        10,
        14,
        30,
        46,
        50,
    ]
    assert row["turns_median"] == 3


def test_endings_by_reason(pile: Pile, ask: Ask) -> None:
    for reason, winners in (
        ("points", ("red",)),
        ("points", ("blue",)),
        ("points", ("red", "blue")),
        ("agreed", ()),
    ):
        pile.game(winners, reason=reason)
    pile.game(None, events=99, duration=99)
    columns = ("reason", "games", "part", "shared", "drawn", "events_median", "minutes_median")
    assert [tuple(row[column] for column in columns) for row in ask("endings")] == [
        ("points", 3, 0.75, 1, 0, 10, 10),
        ("agreed", 1, 0.25, 0, 1, 10, 10),
    ]


def test_parts_of_endings_are_of_one_game_and_one_number_of_seats(pile: Pile, ask: Ask) -> None:
    for _ in range(3):
        pile.game(reason="points")
    pile.game(reason="agreed")
    pile.game(seats=SEATS)
    pile.game(game="go")
    columns = ("game", "players", "reason", "part")
    assert [tuple(row[column] for column in columns) for row in ask("endings")] == [
        ("go", 2, "points", 1), ("tug", 2, "points", 0.75), ("tug", 2, "agreed", 0.25), ("tug", 3, "points", 1),
    ]  # fmt: skip


def test_lead_changes(pile: Pile, ask: Ask) -> None:
    led = {"overtakes": 2, "half_way": True}, {"overtakes": 1, "half_way": False}
    still = {"overtakes": 0, "half_way": False}
    pile.game(told_=dict(zip(("red", "blue"), led, strict=True)))
    pile.game(("blue",), told_={"red": still | {"half_way": True}, "blue": still})
    pile.game(told_={"red": still, "blue": still})
    pile.game(("red", "blue"), told_={"red": still | {"half_way": True}, "blue": still})
    pile.game(None, told_={"red": {"overtakes": 9, "half_way": True}, "blue": still})
    (row,) = ask("leads")
    assert (row["games"], row["changes_max"], row["changes_median"], row["changes_mean"]) == (4, 3, 0, 0.75)
    assert row["unbroken"] == 0.75
    assert (row["half_way"], row["kept"]) == (2, 1), (
        "one game was level half-way, of one the victory is shared"
    )
    assert (row["low"], row["high"]) == (
        pytest.approx(0.0945312),
        pytest.approx(0.9054688),
    )  # scipy's Wilson of 1 of 2


def test_comebacks(pile: Pile, ask: Ask) -> None:
    def behind(points: int, n: int) -> dict[str, Any]:
        return {
            "red": {"max_deficit": points, "max_deficit_at": n},
            "blue": {"max_deficit": 99, "max_deficit_at": 1},
        }

    far = pile.game(told_=behind(5, 2), players_=("Ana", "Rui"))
    near = pile.game(told_=behind(1, 4))
    pile.game(told_=behind(0, 0))
    pile.game(("red", "blue"), told_=behind(9, 1))
    columns = ("id", "winner", "name", "deficit", "n")
    assert [tuple(row[column] for column in columns) for row in ask("comebacks")] == [
        (far, "red", "Ana", 5, 2),
        (near, "red", "red", 1, 4),
    ]
    assert [row["id"] for row in ask("comebacks", most=1)] == [far]


def test_openings_and_their_results(pile: Pile, ask: Ask) -> None:
    for winners, rope in (
        (("red",), b'{"at":"left"}'),
        (("blue",), b'{"at":"left"}'),
        (("red",), b'{"at":"right"}'),
    ):
        id = pile.game(winners)
        pile.event(id, 1, data=rope, decision=1)
        pile.event(id, 2, kind="dice", chance=True)
        pile.event(id, 3, kind="wait", decision=2)
    rows = ask("openings")
    assert [(row["seat"], row["opening"], row["games"], row["share"], row["won"]) for row in rows] == [
        ("red", 'pull {"at":"left"}', 2, 0.5, 1), ("red", 'pull {"at":"right"}', 1, 1.0, 1),
    ]  # fmt: skip
    assert [row["opening"] for row in ask("openings", decisions=2, least=2)] == [
        'pull {"at":"left"}, wait {}'
    ]


def test_places_of_consequences(pile: Pile, ask: Ask) -> None:
    one, two = pile.game(("red",)), pile.game(("blue",))
    pile.contest(one, 1, won=True, place="C3")
    pile.contest(two, 1, won=False, place="C3")
    pile.contest(two, 2, won=False, place="C3", stands=False)
    pile.contest(two, 3, won=False)
    for place, stands in (("C3", True), ("C3", False), (None, True)):
        pile.rows.append(
            tables.FactRow(
                id=one, n=1, kind="captured", seat="red", place=place, stands=stands, data=Raw(b"{}")
            )
        )
    columns = ("place", "what", "times", "per_game", "rate", "winners")
    assert [tuple(row[column] for column in columns) for row in ask("places")] == [
        ("C3", "captured", 1, 0.5, None, 1.0), ("C3", "contest", 2, 1.0, 0.5, 0.5),
    ]  # fmt: skip


def test_kinds_of_events_and_consequences(pile: Pile, ask: Ask) -> None:
    one, _ = pile.game(), pile.game()
    pile.event(one, 1)
    pile.event(one, 2)
    pile.event(one, 3, kind="dice", stands=False)
    pile.rows.append(tables.FactRow(id=one, n=1, kind="captured", stands=True, data=Raw(b"{}")))
    columns = ("what", "kind", "times", "per_game", "games")
    assert [tuple(row[column] for column in columns) for row in ask("kinds")] == [
        ("event", "pull", 2, 1.0, 0.5), ("consequence", "captured", 1, 0.5, 0.5),
    ]  # fmt: skip


def test_slow_turns(pile: Pile, ask: Ask) -> None:
    def turn(id: str, number: int, took: int, seat: str | None = "red") -> None:
        pile.rows.append(tables.TurnRow(id=id, turn=number, n=2 * number, seat=seat, elapsed_ms=took))

    one, two = pile.game(), pile.game(counted=False)
    for number, took in ((1, 3000), (2, 3000), (3, 30_000)):
        turn(one, number, took)
    turn(one, 4, 10**9, seat=None)
    turn(two, 1, 10**8)
    columns = ("id", "turn", "n", "seat", "name", "seconds", "times_the_middle")
    assert [tuple(row[column] for column in columns) for row in ask("slow", most=2)] == [
        (one, 3, 6, "red", "red", 30, 10),
        (one, 1, 2, "red", "red", 3, 1),
    ]
    assert [row["seconds"] for row in ask("slow", uncounted="true", most=1)] == [100_000]


def test_the_clocks_of_bots_are_no_times(pile: Pile, ask: Ask) -> None:
    """Simulated games have invented times. Only people think."""
    mixed = pile.game(("red",), bots_=("red",))
    pile.game(("red",), duration=120_000)
    pile.game(("red",), bots_=("red", "blue"), duration=240_000)
    for number, seat, took in ((1, "red", 90_000), (2, "blue", 2_000), (3, "blue", 4_000)):
        pile.rows.append(tables.TurnRow(id=mixed, turn=number, n=number, seat=seat, elapsed_ms=took))
    assert [(row["seat"], row["seconds"], row["times_the_middle"]) for row in ask("slow")] == [
        ("blue", 4, 4 / 3),
        ("blue", 2, 2 / 3),
    ]
    seconds = [row["seconds"] is None for row in ask("players")]
    assert sorted(seconds) == [False, False, True]
    for question in ("lengths", "endings"):
        (row,) = ask(question)
        assert (row["games"], row["minutes_median"]) == (3, 2)


def test_players_are_rated_by_whom_they_beat(pile: Pile, ask: Ask) -> None:
    for winner in ("Ana", "Ana", "Ana", "Rui"):
        pile.game(("red",), players_=(winner, "Rui" if winner == "Ana" else "Ana"))
    pile.game(("red",), players_=("Eva", "Eva"), started="2026-03-02 20:00:00")
    pile.game(None, players_=("Ana", None))
    ana, rui, eva = ask("players")
    assert (ana["player"], ana["games"], ana["finished"], ana["victories"], ana["seconds"]) == (
        "Ana",
        5,
        4,
        3,
        1.2,
    )
    assert (rui["player"], rui["games"], rui["victories"], rui["share"]) == ("Rui", 4, 1, 0.25)
    assert (eva["player"], eva["games"], eva["rating"], eva["last"]) == (
        "Eva",
        1,
        None,
        datetime(2026, 3, 2, 20),
    )
    apart = (ana["rating"] - rui["rating"]) / 400 * log(10)
    assert ana["rating"] + rui["rating"] == pytest.approx(3000, abs=0.1)
    chance = 1 / (1 + exp(-apart))
    assert 4 * chance == pytest.approx(3 - apart / 2 / 9, abs=1e-3), (
        "as many points as are expected, less what is known before"
    )
    information = 4 * chance * (1 - chance) + 1 / 18
    assert ana["margin"] == pytest.approx(1.96 / sqrt(information) / 2 * 400 / log(10), abs=0.1)


def test_a_person_at_two_seats_has_played_one_game(pile: Pile, ask: Ask) -> None:
    pile.game(("red",), players_=("Ana", "Ana"))
    pile.game(None, players_=("Ana", "Ana"))
    (ana,) = ask("players")
    assert (ana["games"], ana["finished"], ana["victories"]) == (2, 1, 1)


def test_losers_of_one_game_say_nothing_about_one_another(pile: Pile, ask: Ask) -> None:
    pile.game(("red",), seats=("red", "blue", "green"), players_=("Ana", "Rui", "Eva"))
    pile.game(("red",), seats=("red", "blue"), players_=("Ana", "Eva"))
    ratings = {row["player"]: row["rating"] for row in ask("players")}
    assert ratings["Ana"] > ratings["Rui"] > ratings["Eva"]


def test_each_game_has_ratings_of_its_own(pile: Pile, ask: Ask) -> None:
    """Ana wins at one game and loses at the other. Ratings over both games would make Ana and Rui equal."""
    for _ in range(6):
        pile.game(("red",), players_=("Ana", "Rui"))
        pile.game(("red",), game="go", players_=("Rui", "Ana"))
    pile.game(("red",), game="go", players_=("Rui", "Mei"))
    rows = {(row["game"], row["player"]): row for row in ask("players")}
    assert set(rows) == {("tug", "Ana"), ("tug", "Rui"), ("go", "Ana"), ("go", "Rui"), ("go", "Mei")}
    assert rows["tug", "Ana"]["rating"] > 1600
    assert rows["go", "Ana"]["rating"] < 1400
    for game in ("tug", "go"):
        alone = ask("players", game=game)
        told = [row for key, row in rows.items() if key[0] == game]
        ratings = [(row.pop("rating"), row.pop("margin")) for row in alone]
        assert [pytest.approx(pair, abs=0.01) for pair in ratings] == [
            (row.pop("rating"), row.pop("margin")) for row in told
        ]
        assert alone == told, "as if there were no other game"


def test_the_report_tells_the_ratings_that_the_question_gives(pile: Pile, ask: Ask, archive: Path) -> None:
    for winner, loser, game in (
        ("Ana", "Rui", "tug"),
        ("Rui", "Ana", "go"),
        ("Rui", "Mei", "go"),
        ("Ana", "Rui", "tug"),
    ):
        pile.game(("red",), game=game, players_=(winner, loser))
    pile.game(("red",), players_=("Rui", "Ana"), result_by="walkover")
    rows = ask("players")
    page = report(archive)
    for game in ("tug", "go"):
        chapter = next(
            part
            for part in page.split("<article")[1:]
            if f"{game} (not installed)" in part or game in part[:400].lower()
        )
        told = re.findall(
            r"<tr>(.*?)</tr>",
            chapter[chapter.index('Players: Victories by player"') :].split("</table>")[0],
        )[1:]
        cells = [re.sub(r"<[^>]*>", "", row.replace("</td>", "\t")).split("\t")[:7] for row in told]
        names = ("player", "games", "finished")
        assert cells == [
            [
                *(str(row[name]) for name in names),
                f"{row['victories']:.0f}",
                f"{row['share']:.0%}",
                f"{row['rating']:.0f}",
                f"{row['margin']:.0f}",
            ]
            for row in sorted(rows, key=lambda row: (-row["victories"], row["finished"], row["player"]))
            if row["game"] == game
        ]
