"""Every stock question, on archives so small that the answer is known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import count
from math import comb, erfc, exp, sqrt
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gamelog.archive import Reader, all_questions, schema, stock
from gamelog.archive.store import Store
from gamelog.errors import ArchiveError

TABLE_OF = {row: name for name, row in schema.ROWS.items()}
Ask = Callable[..., list[dict[str, Any]]]

SEATS = ("red", "blue", "green")
"""All of them: the same bot sits everywhere."""


class Pile:
    """Rows of an archive in the making: games that count, unless said otherwise."""

    def __init__(self) -> None:
        self.rows: list[schema.Row] = []
        self.number = count(1)

    def game(
        self,
        winners: Sequence[str] | None = ("red",),
        seats: Sequence[str] = ("red", "blue"),
        order: Sequence[int] = (),
        **more: Any,
    ) -> str:
        """A game of these seats, whose players are called like them unless `players_` says otherwise; its id.

        `told_` is what else there is to say of a seat, `bots_` are the seats that bots play.
        """
        players = more.pop("players_", seats)
        told = more.pop("told_", {})
        bots = more.pop("bots_", ())
        id = more.pop("id", f"g{next(self.number):04}")
        sharing = winners or seats
        ended = winners is not None
        self.rows += [
            schema.Seat(
                id=id,
                seat=seat,
                position=at,
                turn_order=order[at - 1] if order else at,
                name=str(player),
                player=player,
                won=None if winners is None else seat in winners,
                share=None if winners is None else (seat in sharing) / len(sharing),
                decisions=10,
                thinking=at * 10_000,
                bot="greedy" if seat in bots else None,
                **{"overtakes": 0, "half_way": False, "behind": 0, "behind_at": 0} | told.get(seat, {}),
            )
            for at, (seat, player) in enumerate(zip(seats, players, strict=True), 1)
        ]
        game = {
            "id": id, "game": "tug", "rules": "1", "board": "ropes", "players": len(seats), "started": "2026-03-01 20:00:00",
            "dice": "table", "options": Raw(b"{}"), "tags": {}, "status": "ok", "valid": True, "finished": ended,
            "counted": True, "events": 10, "turns": 5, "duration": 600_000, "winners": tuple(winners or ()) if ended else None,
            "reason": "points" if ended else None, "path": f"/{id}.jsonl",
        }  # fmt: skip
        self.rows.append(schema.Game(**game | more))
        return id

    def contest(self, id: str, n: int, won: bool, odds: float = 0.5, **more: Any) -> None:
        """Red against blue, one die each."""
        told = {
            "seat": "red",
            "against": "blue",
            "attack": (1,),
            "defence": (1,),
            "attack_sum": 1,
            "defence_sum": 1,
            "stands": True,
        }
        self.rows.append(schema.Contest(id=id, n=n, won=won, odds=odds, **told | more))

    def event(self, id: str, n: int, kind: str = "pull", seat: str = "red", data: bytes = b"{}", **more: Any) -> None:
        """An event that stands."""
        told = {"took": 1000, "chance": False, "stands": True, "slip": False, "turn": 1}
        self.rows.append(schema.Event(id=id, n=n, kind=kind, seat=seat, data=Raw(data), **told | more))


@pytest.fixture
def pile() -> Pile:
    return Pile()


@pytest.fixture
def ask(pile: Pile, archive: Path) -> Ask:
    """Archives the pile and asks it."""

    def run(question: str, **values: Any) -> list[dict[str, Any]]:
        if not archive.exists():
            with Store(archive) as store:
                for row in pile.rows:
                    store.add(TABLE_OF[type(row)], [row])
        with Reader(archive) as reader:
            return reader.ask(question, values).dicts()

    return run


def test_seats_win_as_often_as_they_win(pile: Pile, ask: Ask) -> None:
    for winners, times in ((("red",), 60), (("blue",), 30), (("red", "blue"), 8), ((), 2)):
        for _ in range(times):
            pile.game(winners, bots_=SEATS)
    pile.game(None, bots_=SEATS)
    pile.game(("blue",), counted=False)
    red, blue = ask("seats")
    assert (red["seat"], red["games"], red["decided"], red["won"]) == ("red", 100, 90, 60)
    assert red["share"] == pytest.approx(0.65)
    assert (blue["won"], blue["share"]) == (30, pytest.approx(0.35))
    exact = sum(comb(90, k) for k in range(91) if abs(k - 45) >= 15) / 2**90
    assert red["p"] == blue["p"] == pytest.approx(exact)
    z, n, p = 1.959963984540054, 90, 60 / 90
    middle, half = (p + z * z / (2 * n)) / (1 + z * z / n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert (red["low"], red["high"]) == (pytest.approx(middle - half), pytest.approx(middle + half))
    assert red["p_all"] == red["p"], "red wins when blue does not: that is one test"


def test_looking_at_many_seats_is_reckoned_with(pile: Pile, ask: Ask) -> None:
    for _ in range(5):
        pile.game(("red",), seats=("red", "blue", "green"), bots_=SEATS)
        pile.game(("red",), game="go", bots_=SEATS)
    rows = {(row["game"], row["seat"]): row for row in ask("seats")}
    assert rows["tug", "red"]["p"] == pytest.approx(1 / 3**5)
    assert rows["tug", "red"]["p_all"] == pytest.approx(4 / 3**5), "three seats and a pair"
    assert rows["go", "red"]["p_all"] == pytest.approx(4 * 2 / 2**5)
    assert rows["tug", "blue"]["p_all"] <= 1


@pytest.mark.parametrize(
    ("k", "n", "p", "exact"),
    [
        (3, 10, 0.25, 0.7184324264526367),
        (0, 30, 0.25, 0.0003942759162650964),
        (27_000, 100_000, 0.25, 1.5926642516907408e-47),
        (2_501_000, 10_000_000, 0.25, 0.46520882510628453),
        (9_000_000, 10_000_000, 0.25, 0.0),
        (0, 0, 0.5, None),
        (3, 10, 0.0, None),
        (10, 10, 1.0, None),
    ],
)
def test_binomial_p_is_exact_for_few_and_for_many(ask: Ask, k: int, n: int, p: float, exact: float | None) -> None:
    """Known answers: scipy.stats.binomtest."""
    ((found,),) = (row.values() for row in ask("SELECT binomial_p($k, $n, $p)", k=k, n=n, p=p))
    assert found == (None if exact is None else pytest.approx(exact, rel=1e-5, abs=0))


def test_intervals_of_millions(ask: Ask) -> None:
    """Known answer: scipy's Wilson interval. The product of the two numbers fits into no integer of 32 bits."""
    ((low, high),) = (row.values() for row in ask("SELECT wilson_low($k, $n), wilson_high($k, $n)", k=1_131_952, n=6_788_664))
    assert (low, high) == (pytest.approx(0.16646129257303252, rel=1e-9), pytest.approx(0.16702207917672277, rel=1e-9))


@pytest.mark.parametrize(
    ("x", "df", "tail"),
    [
        (0.5, 1, 0.47950012218695337),
        (11.07, 5, 0.050009618622405425),
        (60, 19, 3.869826300664181e-06),
        (1200, 1000, 1.2255942330622893e-05),
        (1e6, 5, 0),
    ],
)
def test_chi_square_has_its_tail(ask: Ask, x: float, df: int, tail: float) -> None:
    """Known answers: scipy.stats.chi2.sf."""
    ((found,),) = (row.values() for row in ask("SELECT chi2_p($x, $df)", x=x, df=df))
    assert found == pytest.approx(tail, rel=1e-6, abs=1e-12)


def test_seats_of_other_numbers_and_games_stand_apart(pile: Pile, ask: Ask) -> None:
    pile.game(seats=("red", "blue", "green"), bots_=SEATS)
    pile.game(game="go", bots_=SEATS)
    assert [(row["game"], row["players"], row["seat"]) for row in ask("seats")] == [
        ("go", 2, "red"), ("go", 2, "blue"), ("tug", 3, "red"), ("tug", 3, "blue"), ("tug", 3, "green"),
    ]  # fmt: skip
    assert [row["p"] for row in ask("seats", game="tug")] == [pytest.approx(1 / 3), 1.0, 1.0]


def test_what_does_not_count_comes_in_when_asked_for(pile: Pile, ask: Ask) -> None:
    pile.game(("red",))
    pile.game(("blue",), counted=False, valid=False, status="disputed")
    pile.game(("blue",), counted=False, valid=False, status="illegal", turns=None)
    assert [row["won"] for row in ask("seats")] == [1, 0]
    assert [row["won"] for row in ask("seats", uncounted="true")] == [1, 1]


def test_games_are_picked_by_period_seats_and_who_plays(pile: Pile, ask: Ask) -> None:
    pile.game(started="2026-01-01 00:00:00")
    pile.game(started="2026-02-01 00:00:00", bots_=("red", "blue"))
    pile.game(started="2026-03-01 00:00:00", bots_=("blue",), seats=("red", "blue", "green"))
    pile.game(started=None, bots_=("red",))

    def games(**given: Any) -> int:
        return sum(row["games"] for row in ask("lengths", **given))

    asked: list[tuple[dict[str, Any], int]] = [
        ({}, 4), ({"since": "2026-02-01"}, 2), ({"until": "2026-02-01"}, 1), ({"since": "2026-02-01", "until": "2026-02-02"}, 1),
        ({"players": 3}, 1), ({"who": "people"}, 1), ({"who": "bots"}, 1), ({"who": "mixed"}, 2),
        ({"who": "mixed", "players": 2}, 1), ({"since": "2026-02-01", "who": "people"}, 0),
    ]  # fmt: skip
    assert [(given, games(**given)) for given, _ in asked] == asked
    with pytest.raises(ArchiveError, match="who is people, bots or mixed"):
        games(who="humans")
    with pytest.raises(ArchiveError, match="yesterday"):
        games(since="yesterday")


PICKS = {"game", "since", "until", "players", "who"}


def test_every_question_about_games_takes_a_period_seats_and_who_plays() -> None:
    asked = {name: {parameter.name for parameter in question.parameters} for name, question in all_questions().items()}
    assert {name for name, parameters in asked.items() if not parameters >= PICKS} == {"overview"}, "which is about all there is"


def test_turn_order_is_who_went_first(pile: Pile, ask: Ask) -> None:
    for _ in range(3):
        pile.game(("red",), order=(2, 1), bots_=SEATS)
    pile.game(("red",), order=(1, 2), bots_=SEATS)
    first, second = ask("turn_order")
    assert (first["turn_order"], first["won"], second["turn_order"], second["won"]) == (1, 1, 2, 3)
    assert first["p"] == pytest.approx(10 / 16)


def test_dice_are_compared_with_equal_shares(pile: Pile, ask: Ask) -> None:
    id = pile.game()
    for n, (face, times) in enumerate(((1, 5), (2, 8), (3, 9), (4, 8), (5, 10), (6, 20)), 1):
        pile.rows.append(schema.Roll(id=id, n=n, seat="red", sides=6, faces=(face,) * times, stands=n % 2 == 0))
    pile.rows.append(schema.Roll(id=id, n=9, seat=None, sides=2, faces=(1,) * 9 + (2,), stands=True))
    pile.rows.append(schema.Roll(id=id, n=9, seat=None, sides=20, faces=(1,) * 99, stands=True))
    coin, die, many = ask("dice")
    assert (die["thrower"], die["dice"], die["counts"], die["expected"]) == ("table", 60, [5, 8, 9, 8, 10, 20], 3.5)
    assert die["chi2"] == pytest.approx(13.4)
    assert die["p"] == pytest.approx(0.01990522033477438)  # scipy.stats.chisquare
    assert die["p_all"] == pytest.approx(2 * die["p"]), "two tests"
    assert coin["p"] == pytest.approx(22 / 1024), "exact: 9 or 10 of 10, either way"
    assert (many["counts"][:2], many["p"], many["p_all"]) == ([99, 0], None, None), "fewer than 5 of each face expected"


def test_dice_are_told_apart_as_asked(pile: Pile, ask: Ask) -> None:
    for scorer, source, face in (("Ana", "table", 1), ("Rui", "seeded", 6)):
        id = pile.game(tags={"scorer": scorer}, dice=source, players_=("ana@club", None))
        pile.rows.append(schema.Roll(id=id, n=1, seat="red", sides=6, faces=(face,), stands=True))
    means = {
        by: {row["thrower"]: row["mean"] for row in ask("dice", by=by)} for by in ("source", "game", "seat", "player", "scorer")
    }
    assert means == {
        "source": {"table": 1, "seeded": 6},
        "game": {"tug": 3.5},
        "seat": {"red": 3.5},
        "player": {"ana@club": 3.5},
        "scorer": {"Ana": 1, "Rui": 6},
    }


def test_contests_are_compared_with_their_odds(pile: Pile, ask: Ask) -> None:
    id = pile.game()
    for n in range(10):
        pile.contest(id, n, won=n < 9)
    for n in range(32):
        pile.contest(id, n, won=n < 24, odds=0.25 if n % 2 else 0.75, attack=(1, 2), defence=(3,))
    for n in range(26):
        pile.contest(id, n, won=True, odds=0.25 if n % 2 else 0.75, attack=(1, 2, 3), defence=(3,))
    one, two, few = ask("contests")
    assert (one["attack"], one["defence"], one["contests"], one["won"], one["expected"], one["rate"]) == (1, 1, 10, 9, 0.5, 0.9)
    assert one["p"] == pytest.approx(22 / 1024)
    assert (two["attack"], two["defence"], two["won"], two["expected"]) == (2, 1, 24, 0.5)
    assert two["p"] == pytest.approx(erfc((8 - 0.5) / sqrt(32 * 3 / 16) / sqrt(2))), "variance 6, half a win for continuity"
    assert two["p_all"] == pytest.approx(2 * two["p"])
    assert (few["contests"], few["p"]) == (26, None), "a variance of 4.9 is too small for the approximation"


def test_luck_counts_both_sides_of_a_contest(pile: Pile, ask: Ask) -> None:
    id = pile.game(players_=("Ana", "Rui"))
    pile.contest(id, 1, won=True, odds=0.2)
    pile.contest(id, 2, won=True, odds=0.5, seat="blue", against="red")
    pile.contest(id, 3, won=True, odds=0.1, against=None)
    pile.contest(id, 4, won=False, odds=0.9, stands=False)
    ana, rui = ask("luck")
    assert (ana["who"], ana["contests"], ana["won"]) == ("Ana", 3, 2)
    assert (ana["expected"], ana["luck"]) == (pytest.approx(0.8), pytest.approx(1.2))
    assert ana["z"] == pytest.approx(1.2 / sqrt(0.16 + 0.25 + 0.09))
    assert (rui["who"], rui["contests"], rui["won"], rui["luck"]) == ("Rui", 2, 1, pytest.approx(-0.3))
    assert (ana["p"], rui["p"]) == (None, None), "too few"
    assert [row["who"] for row in ask("luck", by="seat")] == ["red", "blue"]
    with pytest.raises(ArchiveError, match="by is player or seat"):
        ask("luck", by="colour")


def test_much_luck_is_unlikely(pile: Pile, ask: Ask) -> None:
    id = pile.game(players_=("Ana", "Rui"))
    for n in range(100):
        pile.contest(id, n, won=n < 65)
    ana, rui = ask("luck")
    assert (ana["luck"], ana["z"], rui["luck"], rui["z"]) == (15, 3, -15, -3)
    assert ana["p"] == rui["p"] == pytest.approx(erfc(14.5 / 5 / sqrt(2)))
    assert ana["p"] == pytest.approx(2 * sum(comb(100, k) for k in range(65, 101)) / 2**100, rel=0.07), "near the exact one"


def test_where_nothing_was_left_to_chance_nobody_had_luck(pile: Pile, ask: Ask) -> None:
    """Equal luck stands in the order of names."""
    ids = [pile.game(players_=("Rui", "Ana")), pile.game(players_=("Lena", "Mei"))]
    for n, id in enumerate(ids * 3):
        pile.contest(id, n, won=True, odds=1.0)
    assert [(row["who"], row["luck"], row["z"], row["p"]) for row in ask("luck")] == [
        (who, 0, None, None) for who in ("Ana", "Lena", "Mei", "Rui")
    ]


def test_luck_stands_by_game_and_games_that_do_not_count_are_not_chosen(pile: Pile, ask: Ask) -> None:
    for game, won in (("tug", 5), ("go", 4)):
        id = pile.game(game=game, players_=("Ana", "Rui"))
        for n in range(5):
            pile.contest(id, n, won=n < won)
    pile.game(game="tug", counted=False)
    assert [(row["game"], row["who"]) for row in ask("luck")] == [("go", "Ana"), ("go", "Rui"), ("tug", "Ana"), ("tug", "Rui")]
    assert ask("SELECT count(*) AS games FROM chosen('tug')") == [{"games": 1}]


def test_lengths_in_events_and_minutes(pile: Pile, ask: Ask) -> None:
    for events in (10, 20, 30, 40, 50):
        pile.game(events=events, duration=events * 60_000, turns=events // 10)
    pile.game(None, events=9999)
    (row,) = ask("lengths")
    assert row["games"] == 5
    assert [row[f"events_{name}"] for name in ("min", "short", "median", "long", "max")] == [10, 14, 30, 46, 50]
    assert [row[f"minutes_{name}"] for name in ("min", "short", "median", "long", "max")] == [10, 14, 30, 46, 50]
    assert row["turns_median"] == 3


def test_endings_by_reason(pile: Pile, ask: Ask) -> None:
    for reason, winners in (("points", ("red",)), ("points", ("blue",)), ("points", ("red", "blue")), ("agreed", ())):
        pile.game(winners, reason=reason)
    pile.game(None)
    columns = ("reason", "games", "part", "shared", "drawn")
    assert [tuple(row[column] for column in columns) for row in ask("endings")] == [
        ("points", 3, 0.75, 1, 0),
        ("agreed", 1, 0.25, 0, 1),
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
    assert (row["half_way"], row["kept"]) == (2, 1), "one game was level half-way, of one the victory is shared"
    assert (row["low"], row["high"]) == (pytest.approx(0.0945312), pytest.approx(0.9054688))  # scipy's Wilson of 1 of 2


def test_comebacks(pile: Pile, ask: Ask) -> None:
    def behind(points: int, n: int) -> dict[str, Any]:
        return {"red": {"behind": points, "behind_at": n}, "blue": {"behind": 99, "behind_at": 1}}

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


def test_openings_and_what_became_of_them(pile: Pile, ask: Ask) -> None:
    for winners, rope in ((("red",), b'{"at":"left"}'), (("blue",), b'{"at":"left"}'), (("red",), b'{"at":"right"}')):
        id = pile.game(winners)
        pile.event(id, 1, data=rope, decision=1)
        pile.event(id, 2, kind="dice", chance=True)
        pile.event(id, 3, kind="wait", decision=2)
    rows = ask("openings")
    assert [(row["seat"], row["opening"], row["games"], row["share"], row["won"]) for row in rows] == [
        ("red", 'pull {"at":"left"}', 2, 0.5, 1), ("red", 'pull {"at":"right"}', 1, 1.0, 1),
    ]  # fmt: skip
    assert [row["opening"] for row in ask("openings", decisions=2, least=2)] == ['pull {"at":"left"}, wait {}']


def test_places_where_things_happen(pile: Pile, ask: Ask) -> None:
    one, two = pile.game(("red",)), pile.game(("blue",))
    pile.contest(one, 1, won=True, place="C3")
    pile.contest(two, 1, won=False, place="C3")
    pile.contest(two, 2, won=False, place="C3", stands=False)
    pile.contest(two, 3, won=False)
    for place, stands in (("C3", True), ("C3", False), (None, True)):
        pile.rows.append(schema.Fact(id=one, n=1, kind="captured", seat="red", place=place, stands=stands, data=Raw(b"{}")))
    columns = ("place", "what", "times", "per_game", "rate", "winners")
    assert [tuple(row[column] for column in columns) for row in ask("places")] == [
        ("C3", "captured", 1, 0.5, None, 1.0), ("C3", "contest", 2, 1.0, 0.5, 0.5),
    ]  # fmt: skip


def test_kinds_of_events_and_consequences(pile: Pile, ask: Ask) -> None:
    one, _ = pile.game(), pile.game()
    pile.event(one, 1)
    pile.event(one, 2)
    pile.event(one, 3, kind="dice", stands=False)
    pile.rows.append(schema.Fact(id=one, n=1, kind="captured", stands=True, data=Raw(b"{}")))
    columns = ("what", "kind", "times", "per_game", "games")
    assert [tuple(row[column] for column in columns) for row in ask("kinds")] == [
        ("event", "pull", 2, 1.0, 0.5), ("consequence", "captured", 1, 0.5, 0.5),
    ]  # fmt: skip


def test_players_are_rated_by_whom_they_beat(pile: Pile, ask: Ask) -> None:
    for winner in ("Ana", "Ana", "Ana", "Rui"):
        pile.game(("red",), players_=(winner, "Rui" if winner == "Ana" else "Ana"))
    pile.game(("red",), players_=("Eva", "Eva"), started="2026-03-02 20:00:00")
    pile.game(None, players_=("Ana", None))
    ana, rui, eva = ask("players")
    assert (ana["player"], ana["games"], ana["finished"], ana["victories"], ana["seconds"]) == ("Ana", 5, 4, 3, 1.2)
    assert (rui["player"], rui["games"], rui["victories"], rui["share"]) == ("Rui", 4, 1, 0.25)
    assert (eva["player"], eva["games"], eva["rating"], eva["last"]) == ("Eva", 1, None, datetime(2026, 3, 2, 20))
    strength = (ana["rating"] - 1500) / 400 * 2.302585092994046
    assert ana["rating"] + rui["rating"] == pytest.approx(3000, abs=0.1)
    both, alone = 1 / (1 + exp(-2 * strength)), 1 / (1 + exp(-strength))
    information = 4 * both * (1 - both) + alone * (1 - alone)
    assert ana["give_or_take"] == pytest.approx(1.96 / sqrt(information) * 400 / 2.302585, abs=1)
    expected = 4 / (1 + exp(-2 * strength)) + 1 / (1 + exp(-strength))
    assert expected == pytest.approx(3.5, abs=1e-3), "the rating is where a player's points are the expected ones"


def test_losers_of_one_game_say_nothing_about_one_another(pile: Pile, ask: Ask) -> None:
    pile.game(("red",), seats=("red", "blue", "green"), players_=("Ana", "Rui", "Eva"))
    pile.game(("red",), seats=("red", "blue"), players_=("Ana", "Eva"))
    ratings = {row["player"]: row["rating"] for row in ask("players")}
    assert ratings["Ana"] > ratings["Rui"] > ratings["Eva"]


def test_slow_turns(pile: Pile, ask: Ask) -> None:
    def turn(id: str, number: int, took: int, seat: str | None = "red") -> None:
        pile.rows.append(schema.Turn(id=id, turn=number, n=2 * number, seat=seat, took=took))

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


def held(path: str, id: str | None, status: str) -> schema.File:
    return schema.File(path=path, size=1, mtime_ns=1, id=id, game="tug" if id else None, status=status, judge="us")


def test_rules_broken_and_findings(pile: Pile, ask: Ask) -> None:
    pile.game(None, id="a", status="illegal", counted=False, turns=None)
    pile.game(None, id="b", status="disputed", counted=False, seats=("red", "blue", "green"))
    pile.rows += [held("/a", "a", "illegal"), held("/b", "b", "disputed"), held("/c", None, "damaged")]
    broken: dict[str, Any] = {"code": "play.illegal", "severity": "error", "rule": "TU-2", "message": "no such rope"}
    pile.rows.append(schema.Finding(path="/a", id="a", n=7, **broken))
    pile.rows.append(schema.Finding(path="/b", id="b", n=3, **{**broken, "code": "play.as_played", "severity": "warning"}))
    pile.rows.append(schema.Finding(path="/c", code="record.damaged", severity="error", message="line 1"))
    assert ask("rules_broken") == [
        {"game": "tug", "rule": "TU-2", "times": 2, "records": 2, "stood": 1, "example": "/a", "n": 7, "message": "no such rope"}
    ]
    assert [(row["path"], row["status"], row["code"], row["n"]) for row in ask("findings")] == [
        ("/a", "illegal", "play.illegal", 7), ("/c", "damaged", "record.damaged", None), ("/b", "disputed", "play.as_played", 3),
    ]  # fmt: skip
    assert [row["path"] for row in ask("findings", game="tug")] == ["/a", "/b"]
    assert [row["path"] for row in ask("findings", players=3)] == ["/b"]
    assert [(row["rule"], row["example"]) for row in ask("rules_broken", players=3)] == [("TU-2", "/b")]


def test_findings_of_one_file_stand_in_the_order_of_its_events(pile: Pile, ask: Ask) -> None:
    pile.rows.append(held("/a", None, "illegal"))
    for n in (9, 2, 30, 4):
        pile.rows.append(schema.Finding(path="/a", n=n, code="play.illegal", severity="error", message="no"))
    assert [row["n"] for row in ask("findings")] == [2, 4, 9, 30]


def test_copies(pile: Pile, ask: Ask) -> None:
    first = pile.game(players_=("Ana", "Rui"))
    copy = pile.game(counted=False, copy_of=first, players_=("A. Silva", "R."))
    pile.game()
    assert [(row["id"], row["names"], row["copy"], row["copy_path"], row["copy_names"]) for row in ask("copies")] == [
        (first, ["Ana", "Rui"], copy, f"/{copy}.jsonl", ["A. Silva", "R."])
    ]
    assert ask("copies", since="2027-01-01") == []


def test_overview(pile: Pile, ask: Ask) -> None:
    pile.game()
    pile.game(None, events=5, seats=("red", "blue", "green"), started="2025-01-01 00:00:00")
    pile.game(status="disputed", valid=False, counted=False)
    pile.game(status="torn", valid=False, counted=False, copy_of="x")
    (row,) = ask("overview")
    assert {name: row[name] for name in ("records", "counted", "finished", "disputed", "broken", "copies", "events")} == {
        "records": 4, "counted": 2, "finished": 1, "disputed": 1, "broken": 1, "copies": 1, "events": 35,
    }  # fmt: skip
    assert (row["fewest"], row["most"], row["first"]) == (2, 3, datetime(2025, 1, 1))


def test_an_empty_archive_answers_every_question_with_nothing(ask: Ask) -> None:
    assert {name: ask(name) for name in all_questions()} == {name: [] for name in all_questions()}


def test_every_question_is_tested() -> None:
    source = Path(__file__).read_text("utf-8")
    assert [name for name in all_questions() if f'ask("{name}"' not in source] == []


def test_questions_say_what_they_ask_and_take() -> None:
    for question in all_questions().values():
        assert question.title
        assert question.text
        assert all(parameter.meaning for parameter in question.parameters), question.name
    seats = all_questions()["seats"]
    assert seats.title == "Advantage of the seat"
    assert seats.parameters[0] == stock.Parameter("game", "VARCHAR", None, "only this game")
    assert seats.values({"game": "tug"}) == {
        "game": "tug", "since": None, "until": None, "players": None, "who": None, "rules": None,
        "option": None, "variant": None, "uncounted": "false",
    }  # fmt: skip


def test_a_parameter_that_is_not_there_is_named(ask: Ask) -> None:
    with pytest.raises(
        ArchiveError, match='no parameter "gmae"; it has: game, since, until, players, who, rules, option, variant, uncounted'
    ):
        ask("seats", gmae="tug")
    with pytest.raises(ArchiveError, match="many"):
        ask("slow", most="many")


def test_a_question_must_declare_what_it_uses() -> None:
    with pytest.raises(ValueError, match="declares the parameters"):
        stock.parse("x", "-- Title\n-- Words.\n-- $a VARCHAR = NULL: a thing\nSELECT $b")


def test_versions_and_options_are_told_apart_when_asked(pile: Pile, ask: Ask) -> None:
    for rules, ropes, times in (("1", 2, 3), ("1", 5, 2), ("2", 5, 1)):
        for _ in range(times):
            options = Raw(b'{"ropes":%d,"open":%s,"name":null}' % (ropes, b"true" if ropes == 5 else b"false"))
            pile.game(rules=rules, options=options, bots_=SEATS)

    def games(**given: Any) -> list[Any]:
        return [tuple(row[name] for name in ("variant", "games") if name in row) for row in ask("lengths", **given)]

    assert games() == [(6,)]
    assert games(rules="1") == [(5,)]
    assert games(option={"ropes": 5}) == [(3,)] == games(option="ropes=5") == games(option=["ropes=5", "open=true", "name=null"])
    assert games(option="ropes=5", rules="2") == [(1,)]
    assert games(variant="rules") == [("1", 5), ("2", 1)]
    assert games(variant="option=ropes") == [("2", 3), ("5", 3)]
    with pytest.raises(ArchiveError, match="rules, or by option=NAME"):
        games(variant="colour")
    with pytest.raises(ArchiveError, match="option=NAME=VALUE"):
        games(option="ropes")


def test_every_question_tells_versions_apart(pile: Pile, ask: Ask) -> None:
    for rules in ("1", "1", "2"):
        id = pile.game(rules=rules, bots_=SEATS, told_={"red": {"behind": 2}})
        pile.event(id, 1, decision=1)
        pile.contest(id, 1, True, place="A1")
        pile.rows.append(schema.Roll(id=id, n=1, seat="red", sides=6, faces=(1, 2), stands=True))
        pile.rows.append(schema.Turn(id=id, turn=1, n=1, seat="red", took=5))
    plain = {name: ask(name) for name in all_questions() if stock.CHOICE[0] in all_questions()[name].parameters}
    for name in plain:
        rows = ask(name, variant="rules")
        if name not in ("findings", "rules_broken", "copies"):
            assert {row["variant"] for row in rows} == {"1", "2"}, name
            assert set(rows[0]) - {"variant"} == set(plain[name][0]), name
        if name not in ("findings", "rules_broken", "copies"):
            assert len(ask(name, rules="2")) == len([row for row in rows if row["variant"] == "2"]), name


def test_what_is_taken_together_is_said(pile: Pile, ask: Ask, archive: Path) -> None:
    for rules, ropes in (("1", 2), ("2", 5)):
        pile.game(rules=rules, options=Raw(b'{"ropes":%d,"same":1}' % ropes))
    ask("overview")
    with Reader(archive) as reader:
        (note,) = reader.ask("lengths").notes
        assert note.startswith("tug: games that differ in rules (1, 2); option ropes (2, 5) are taken together; --by rules gives")
        assert "option ropes" in reader.notes("lengths", {"variant": "rules"})[0]
        assert reader.notes("lengths", {"rules": "1"}) == ()
        assert reader.notes("slow") == reader.notes("findings") == reader.notes("SELECT 1") == ()


def test_an_option_that_no_game_has_is_said(pile: Pile, ask: Ask, archive: Path) -> None:
    pile.game(options=Raw(b'{"ropes":2}'))
    pile.game(game="go", options=Raw(b'{"komi":7}'))
    ask("overview")
    with Reader(archive) as reader:
        assert reader.notes("lengths", {"option": "rope=2"}) == ('No game asked for has an option "rope"; did you mean ropes?',)
        assert reader.notes("findings", {"variant": "option=zzz"}) == (
            'No game asked for has an option "zzz"; there are: komi, ropes.',
        )
        (told,) = reader.notes("lengths", {"option": "komi=7", "game": "tug"})
        assert told == 'No game asked for has an option "komi"; there are: ropes.'
        assert reader.notes("lengths", {"option": "komi=7"}) == ()


def test_nobody_has_luck_against_themselves(pile: Pile, ask: Ask) -> None:
    mirror = pile.game(players_=("greedy", "greedy"), bots_=SEATS)
    met = pile.game(players_=("greedy", "random"), bots_=SEATS)
    for n in range(30):
        pile.contest(mirror, n, True)
        pile.contest(met, n, True)
    assert [(row["who"], row["contests"], row["won"]) for row in ask("luck")] == [("greedy", 30, 30), ("random", 30, 0)]
    assert [(row["who"], row["contests"]) for row in ask("luck", by="seat")] == [("red", 60), ("blue", 60)]
