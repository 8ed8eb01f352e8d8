"""Tests that the order of answers does not depend on the order in which records were indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from msgspec import Raw

from gamelog.archive import MIN_GAMES, Reader, all_questions
from gamelog.archive.schema import tables

from .piles import SEATS, Pile

Fill = Callable[[Pile], None]

ORDER: dict[str, tuple[str, ...]] = {
    "adjusted": ("game", "variant", "-adjusted", "-result", "player"),
    "comebacks": ("-deficit", "game", "id"),
    "contests": ("game", "variant", "attack", "defence"),
    "copies": ("game", "id", "copy"),
    "decisive_moments": ("-moments", "-size", "game", "variant", "what"),
    "dice": ("variant", "thrower", "sides"),
    "endings": ("game", "variant", "players", "-games", "reason", "result_by"),
    "fairness": ("game", "variant", "p_all", "player", "sides"),
    "game_results": ("-started", "game", "id"),
    "findings": ("severity", "path", "member", "n"),
    "kinds": ("game", "variant", "-what", "-times", "kind"),
    "leads": ("game", "variant", "players"),
    "lengths": ("game", "variant", "players"),
    "luck": ("game", "variant", "-z", "who"),
    "luck_and_choice": ("game", "variant", "player"),
    "openings": ("game", "variant", "players", "seat", "-games", "opening"),
    "overview": ("game",),
    "places": ("game", "variant", "board", "what", "-times", "place"),
    "players": ("game", "variant", "-rating", "player"),
    "rating_history": ("game", "variant", "player", "day"),
    "rules_broken": ("-times", "-disputed", "game", "variant", "rule"),
    "seats": ("game", "variant", "players", "position"),
    "sitters": ("-started", "game", "id", "seat", "from_n"),
    "slow": ("-seconds", "id", "turn"),
    "standings": ("game", "variant", "players", "position"),
    "streaks": ("game", "variant", "-wins", "player"),
    "time_trouble": ("game", "variant", "hurry", "player"),
    "upsets": ("chance", "game", "id"),
    "turning_points": ("game", "variant", "-started", "id", "n"),
    "turn_order": ("game", "variant", "players", "turn_order"),
}
"""The columns by which each answer is sorted. With a minus, the largest comes first. NULL comes last."""


GIVEN: dict[str, dict[str, Any]] = {
    "slow": {"most": 1000},
    "sitters": {"changed": False},
    "comebacks": {"most": 1000},
    "upsets": {"most": 1000},
    "dice": {"by": "seat"},
    "luck": {"by": "seat"},
    "luck_and_choice": {"by": "player"},
    "decisive_moments": {"by": "kind", "most": 1000},
}


def heap(pile: Pile) -> None:
    """Return records of two games that differ in one property, for each property that decides an order."""
    kinds = [*product(("tug", "go"), ("1", "2"), (2, 3), ("ropes", "own"))]
    for number, ((game, rules, players, board), turn) in enumerate(product(kinds, range(4))):
        lucky = SEATS[turn % 2]
        told: dict[str, dict[str, int]] = {seat: {"place": at} for at, seat in enumerate(SEATS[:players], 1)}
        told[lucky]["max_deficit"] = 1 + number % 2
        id = pile.game(
            (lucky,), SEATS[:players], game=game, rules=rules, board=board, reason=("points", "time", "time")[turn % 3],
            result_by=("play", "play", "resignation")[turn % 3], told_=told,
            path=f"/{number % 7}", started=f"2026-03-{1 + number % 2:02} 20:00:00",
        )  # fmt: skip
        for n, (kind, place) in enumerate(product(("pull", "wait"), ("A1", "A2"))):
            for seat in SEATS[:players]:
                data = b'{"at":"%b"}' % place.encode()
                pile.event(
                    id, 4 * n + SEATS.index(seat), kind, seat, data, decision=1 if n == turn % 3 else None
                )
            pile.rows.append(
                tables.FactRow(id=id, n=n, kind=kind, seat="red", place=place, stands=True, data=Raw(b"{}"))
            )
            pile.contest(id, n, n != 3, place=place, attack=(1,) * (1 + n % 2), defence=(1,) * (1 + n // 2))
            pile.contest(id, 10 + n, n != 3, seat="black")
            pile.rows.append(
                tables.RollRow(
                    id=id, n=n, seat=SEATS[n % 2], sides=2 + 4 * (n // 2), faces=(1, 2), stands=True
                )
            )
            pile.rows.append(tables.TurnRow(id=id, turn=n, n=n, seat="red", elapsed_ms=1000 * (1 + n // 2)))
        pile.rows.append(
            tables.FactRow(id=id, n=90, kind="pull", seat="red", place="A2", stands=True, data=Raw(b"{}"))
        )
        for winner in ("red", "blue") if turn == 0 and players == 2 else ():
            pile.game((winner,), game=game, rules=rules, reason="all", players_=("Ana", "Rui"))
        copy = pile.game(game=game, rules=rules, counted=False, copy_of=id, path=f"/{id}/copy")
        pile.game(game=game, rules=rules, counted=False, copy_of=id, path=f"/{id}/again")
        pile.rows.append(
            tables.FileRow(path=f"/{id}", size=1, mtime_ns=1, id=copy, game=game, status="ok", judge="us")
        )
        for member, n in product(("", "b"), (1, 2)):
            pile.rows.append(
                tables.FindingRow(
                    path=f"/{id}",
                    member=member,
                    n=n,
                    code="x",
                    severity=("error", "warning")[n - 1],
                    message="no",
                )
            )


def add_long_games(pile: Pile) -> None:
    """Add two other games with many decisions, and two people one after another at one seat."""
    for game, rules, number in product(("oak", "elm"), ("1", "2"), range(3)):
        id = pile.game((), SEATS, game=game, rules=rules, told_={"green": {"sitters": 2}})
        for sides in (6, 8) if rules == "1" and not number else ():
            pile.rows.append(tables.RollRow(id=id, n=1, seat="red", sides=sides, faces=(1,), stands=True))
        for name, from_n, to_n in (("Eva", 0, 4), ("Ana", 5, None)):
            pile.rows.append(
                tables.StayRow(
                    id=id, seat="green", from_n=from_n, to_n=to_n, name=name, player=name, decisions=5
                )
            )
        for decision, seat in product(range(1, 9), ("red", "blue")):
            pile.event(id, 2 * decision + (seat == "red"), "push", seat, decision=decision)
        for decision in range(1, 17):
            took = 1000 if decision < 13 else 500
            pile.event(id, 100 + decision, "push", "green", decision=decision, elapsed_ms=took)


def add_analysed_games(pile: Pile) -> None:
    """Add analysed games: one pair of people has enough of them for results less luck, and others have too few."""
    pairs = {
        ("Ana", "Rui"): (MIN_GAMES, 1.0),
        ("Eva", "Ole"): (MIN_GAMES // 2 - 1, 1.0),
        ("Una", "Vic"): (10, 0.5),
    }
    for game, rules in product(("ash", "yew"), ("1", "2")):
        for people, (number, share) in pairs.items():
            for at in range(number):
                id = pile.game(
                    ("red",) if share == 1 else (), game=game, rules=rules, players_=people, started=f"2026-03-{1 + at % 2:02} 20:00:00"
                )  # fmt: skip
                swings = [(n, 0.4 if n == 3 else 0.5) for n in range(1, 5) if n < 4 or at % 2]
                pile.analysed(id, *((n, "red", change) for n, change in swings), share=share)
                for n, _ in swings:
                    pile.event(id, n, f"kind {n}")


def break_ties(pile: Pile) -> None:
    """Return findings on rules that were broken equally often or more often, disputed or not."""
    for number, (game, rules, rule, times) in enumerate(
        product(("tug", "go"), ("1", "2"), ("TU-1", "TU-2", "TU-3"), (1, 3))
    ):
        id, path = f"b{number}", f"/b{number}"
        pile.game(None, id=id, path=path, game=game, rules=rules, counted=False, turns=None)
        found = [("play.illegal", n) for n in range(times if rule != "TU-3" else 1)]
        for member in ("", "m"):
            pile.rows.append(
                tables.FileRow(
                    path=path,
                    member=member,
                    size=1,
                    mtime_ns=1,
                    id=id,
                    game=game,
                    status="illegal",
                    judge="us",
                )
            )
            for code, n in [*found, ("play.as_played", 9)] if (game, rule) == ("tug", "TU-3") else found:
                severity = "warning" if n % 2 else "error"
                pile.rows.append(
                    tables.FindingRow(
                        path=path,
                        member=member,
                        id=id,
                        n=n,
                        code=code,
                        severity=severity,
                        rule=rule,
                        message="no",
                    )
                )


def sort_rows(rows: list[dict[str, Any]], columns: list[str]) -> list[dict[str, Any]]:
    for column in reversed(columns):
        name, down = column.removeprefix("-"), column.startswith("-")
        rows = sorted(
            rows, key=lambda row: ((row[name] is None) != down, row[name] or type(row[name])()), reverse=down
        )
    return rows


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Fill, Reader]]:
    """Return readers of each pile, with rows inserted in different orders."""
    folder = tmp_path_factory.mktemp("order")
    with ExitStack() as stack:
        found: dict[Fill, Reader] = {}
        for fill in (heap, break_ties):
            pile = Pile()
            fill(pile)
            if fill is heap:
                add_long_games(pile)
                add_analysed_games(pile)
            Random(fill.__name__).shuffle(pile.rows)
            found[fill] = stack.enter_context(Reader(pile.stored(folder / fill.__name__)))
        yield found


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("variant", [None, "rules"])
def test_an_answer_has_its_order(name: str, variant: str | None, readers: dict[Fill, Reader]) -> None:
    given = GIVEN.get(name, {}).copy()
    if variant and "variant" in {one.name for one in all_questions()[name].parameters}:
        given["variant"] = variant
    rows = readers[break_ties if name in ("rules_broken", "findings") else heap].ask(name, given).dicts()
    columns = [column for column in ORDER[name] if column.removeprefix("-") in rows[0]]
    assert rows == sort_rows(rows, columns)
    names = [column.removeprefix("-") for column in columns]
    apart = {next((name for name in names if one[name] != two[name]), "") for one, two in pairwise(rows)}
    assert apart == set(names), "each column decides somewhere"


def test_every_question_has_an_order() -> None:
    others = {name for name in all_questions() if not name.startswith("league_")}
    assert ORDER.keys() == others, "tests/league has the order of the answers about a league"
