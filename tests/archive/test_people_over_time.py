"""Tests of the questions on results with people, people who sat at each seat, runs, openings by player, and time trouble."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from gamelog.archive.schema import tables

from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

FIRST = datetime(2026, 3, 1, 20)


def series(pile: Pile, letters: str, player: str = "Ana") -> None:
    """Add a game against Rui for each letter, a day apart: W if `player` wins, L if not, D for a draw, S if both win."""
    for day, letter in enumerate(letters):
        pile.game(
            {"W": ("red",), "L": ("blue",), "D": (), "S": ("red", "blue")}[letter],
            players_=(player, "Rui"),
            started=f"{FIRST + timedelta(days=day)}",
        )


def test_results_have_people_tags_and_their_origin(pile: Pile, ask: Ask) -> None:
    told = {"red": {"score": 3, "place": 2}, "blue": {"score": 9, "place": 1}}
    old = pile.game(("blue",), players_=("Ana", "Rui"), told_=told, tags={"round": "1"}, result_by="ruling")
    new = pile.game((), players_=("Eva", "Ana"), started="2026-03-02 20:00:00")
    pile.game(None)
    columns = ("id", "people", "scores", "places", "won_by", "reason", "result_by")
    rows = ask("game_results")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        (new, ["Eva", "Ana"], [None, None], [None, None], [], "points", "play"),
        (old, ["Ana", "Rui"], [3, 9], [2, 1], ["Rui"], "points", "ruling"),
    ]
    assert msgspec.json.decode(rows[1]["tags"]) == {"round": "1"}
    assert [row["id"] for row in ask("game_results", most=1)] == [new]


def stay(pile: Pile, id: str, name: str, from_n: int, to_n: int | None, decisions: int) -> None:
    """Add the stay of a person at red."""
    pile.rows.append(
        tables.StayRow(
            id=id, seat="red", from_n=from_n, to_n=to_n, name=name, player=name, decisions=decisions
        )
    )


def test_who_sat_where_from_when_to_when(pile: Pile, ask: Ask) -> None:
    id = pile.game(("red",), told_={"red": {"sitters": 2}})
    stay(pile, id, "Ana", 0, 3, 2)
    stay(pile, id, "Eva", 4, None, 1)
    for n in range(1, 6):
        pile.event(id, n, elapsed_ms=60_000)
    plain = pile.game(("red",))
    columns = ("id", "seat", "player", "from_n", "to_n", "from_minute", "to_minute", "decisions")
    assert [tuple(row[column] for column in columns) for row in ask("sitters")] == [
        (id, "red", "Ana", 0, 3, 0, 3, 2),
        (id, "red", "Eva", 4, None, 4, None, 1),
    ]
    every = [(row["id"], row["seat"], row["player"]) for row in ask("sitters", changed="false")]
    assert every == [
        (id, "blue", "blue"),
        (id, "red", "Ana"),
        (id, "red", "Eva"),
        (plain, "blue", "blue"),
        (plain, "red", "red"),
    ]


def test_the_times_of_bots_give_no_minutes(pile: Pile, ask: Ask) -> None:
    id = pile.game(("red",), told_={"red": {"sitters": 2}}, bots_=("blue",))
    stay(pile, id, "Ana", 0, 1, 1)
    stay(pile, id, "Eva", 2, None, 1)
    pile.event(id, 1)
    pile.event(id, 2)
    assert [(row["from_minute"], row["to_minute"]) for row in ask("sitters")] == [(None, None)] * 2


def test_the_longest_runs_and_the_latest_one(pile: Pile, ask: Ask) -> None:
    series(pile, "WWLDWSWLLLWW")
    pile.game(("red",), players_=("Ana", "Rui"), result_by="walkover", started="2026-04-01 20:00:00")
    ana, rui = sorted(ask("streaks"), key=lambda row: row["player"])
    assert (ana["games"], ana["wins"], ana["losses"], ana["latest"], ana["latest_games"]) == (
        12,
        3,
        3,
        "won",
        2,
    )
    assert (ana["wins_began"], ana["wins_ended"]) == (FIRST + timedelta(days=4), FIRST + timedelta(days=6))
    assert (ana["losses_began"], ana["losses_ended"]) == (
        FIRST + timedelta(days=7),
        FIRST + timedelta(days=9),
    )
    assert (rui["wins"], rui["losses"], rui["latest"], rui["latest_games"]) == (3, 2, "lost", 2)


def test_equal_runs_name_the_first_and_a_player_without_defeats_has_none(pile: Pile, ask: Ask) -> None:
    series(pile, "WDW")
    ana, rui = sorted(ask("streaks"), key=lambda row: row["player"])
    assert (ana["wins"], ana["wins_began"], ana["losses"], ana["losses_began"]) == (1, FIRST, 0, None)
    assert (rui["wins"], rui["losses"], rui["losses_ended"]) == (0, 1, FIRST)


def test_runs_by_an_independent_count(pile: Pile, ask: Ask) -> None:
    letters = "".join("WLDS"[(day * day + day // 3) % 4] for day in range(60))
    series(pile, letters)
    ana = next(row for row in ask("streaks") if row["player"] == "Ana")
    outcome = letters.replace("S", "W")
    for column, letter in (("wins", "W"), ("losses", "L")):
        longest = max(map(len, "".join(one if one == letter else " " for one in outcome).split()), default=0)
        assert ana[column] == longest
    assert ana["latest_games"] == len(outcome) - len(outcome.rstrip(outcome[-1]))


def test_openings_by_player_are_of_the_person_who_decided(pile: Pile, ask: Ask) -> None:
    for winner, players in (("red", ("Ana", "Rui")), ("blue", ("Rui", "Ana")), ("red", ("Rui", "Ana"))):
        id = pile.game((winner,), players_=players)
        for seat, player in zip(("red", "blue"), players, strict=True):
            data = b'{"at":"%b"}' % (b"A1" if player == "Ana" else b"B2")
            pile.event(id, 1, "pull", seat, data, decision=1)
    columns = ("seat", "player", "opening", "games", "won")
    assert [tuple(row[column] for column in columns) for row in ask("openings", by="player")] == [
        (None, "Ana", 'pull {"at":"A1"}', 3, 2),
        (None, "Rui", 'pull {"at":"B2"}', 3, 1),
    ]
    assert {row["player"] for row in ask("openings")} == {None}


def test_time_trouble_compares_the_last_quarter_with_the_others(pile: Pile, ask: Ask) -> None:
    for bots in ((), (), (), ("blue",)):
        id = pile.game(("red",), players_=("Ana", "Rui" if not bots else "greedy"), bots_=bots)
        for number in range(1, 9):
            pile.event(id, 2 * number, decision=number, elapsed_ms=8_000 if number <= 6 else 2_000)
            pile.event(id, 2 * number + 1, seat="blue", decision=number, elapsed_ms=4_000)
    short = pile.game(("red",), players_=("Ana", "Rui"))
    pile.event(short, 1, decision=1, elapsed_ms=900_000)
    columns = ("player", "games", "decisions", "first_quarter", "last_quarter", "hurry")
    assert [tuple(row[column] for column in columns) for row in ask("time_trouble")] == [
        ("Ana", 4, 32, 8, 2, 0.25),
        ("Rui", 3, 24, 4, 4, 1),
    ]
    assert ask("time_trouble", least=5) == []
