"""Tests of the questions on dice, contests and luck, with small archives and known answers."""

from __future__ import annotations

from math import comb, erfc, sqrt
from pathlib import Path

import pytest

from gamelog.archive import Reader
from gamelog.archive.schema import tables
from gamelog.errors import ArchiveError

from .piles import SEATS, Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def test_dice_are_compared_with_equal_shares(pile: Pile, ask: Ask) -> None:
    id = pile.game()
    for n, (face, times) in enumerate(((1, 5), (2, 8), (3, 9), (4, 8), (5, 10), (6, 20)), 1):
        pile.rows.append(
            tables.RollRow(id=id, n=n, seat="red", sides=6, faces=(face,) * times, stands=n % 2 == 0)
        )
    pile.rows.append(tables.RollRow(id=id, n=9, seat=None, sides=2, faces=(1,) * 9 + (2,), stands=True))
    pile.rows.append(tables.RollRow(id=id, n=9, seat=None, sides=20, faces=(1,) * 99, stands=True))
    coin, die, many = ask("dice")
    assert (die["thrower"], die["dice"], die["counts"], die["expected"]) == (
        "table",
        60,
        [5, 8, 9, 8, 10, 20],
        3.5,
    )
    assert die["chi2"] == pytest.approx(13.4)
    assert die["p"] == pytest.approx(0.01990522033477438)  # scipy.stats.chisquare
    assert die["p_all"] == pytest.approx(2 * die["p"]), "two tests"
    assert coin["p"] == pytest.approx(22 / 1024), "exact: 9 or 10 of 10, either way"
    assert (many["counts"][:2], many["p"], many["p_all"]) == ([99, 0], None, None), (
        "fewer than 5 of each face expected"
    )


def test_dice_are_divided_as_asked(pile: Pile, ask: Ask) -> None:
    for scorer, source, face in (("Ana", "table", 1), ("Rui", "seeded", 6)):
        id = pile.game(tags={"scorer": scorer}, dice=source, players_=("ana@club", None))
        pile.rows.append(tables.RollRow(id=id, n=1, seat="red", sides=6, faces=(face,), stands=True))
    means = {
        by: {row["thrower"]: row["mean"] for row in ask("dice", by=by)}
        for by in ("source", "game", "seat", "player", "scorer")
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
    assert (one["attack"], one["defence"], one["contests"], one["won"], one["expected"], one["rate"]) == (
        1,
        1,
        10,
        9,
        0.5,
        0.9,
    )
    assert one["p"] == pytest.approx(22 / 1024)
    assert (two["attack"], two["defence"], two["won"], two["expected"]) == (2, 1, 24, 0.5)
    assert two["p"] == pytest.approx(erfc((8 - 0.5) / sqrt(32 * 3 / 16) / sqrt(2))), (
        "variance 6, half a win for continuity"
    )
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
    with pytest.raises(ArchiveError, match="by must be player or seat"):
        ask("luck", by="colour")


def test_much_luck_is_unlikely(pile: Pile, ask: Ask) -> None:
    id = pile.game(players_=("Ana", "Rui"))
    for n in range(100):
        pile.contest(id, n, won=n < 65)
    ana, rui = ask("luck")
    assert (ana["luck"], ana["z"], rui["luck"], rui["z"]) == (15, 3, -15, -3)
    assert ana["p"] == rui["p"] == pytest.approx(erfc(14.5 / 5 / sqrt(2)))
    assert ana["p"] == pytest.approx(2 * sum(comb(100, k) for k in range(65, 101)) / 2**100, rel=0.07), (
        "near the exact one"
    )


def test_without_chance_there_is_no_luck(pile: Pile, ask: Ask) -> None:
    """Rows with equal luck are sorted by name."""
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
    assert [(row["game"], row["who"]) for row in ask("luck")] == [
        ("go", "Ana"),
        ("go", "Rui"),
        ("tug", "Ana"),
        ("tug", "Rui"),
    ]
    assert ask("SELECT count(*) AS games FROM counted_games('tug')") == [{"games": 1}]


def test_no_person_has_luck_against_themselves(pile: Pile, ask: Ask) -> None:
    mirror = pile.game(players_=("greedy", "greedy"), bots_=SEATS)
    met = pile.game(players_=("greedy", "random"), bots_=SEATS)
    for n in range(30):
        pile.contest(mirror, n, True)
        pile.contest(met, n, True)
    assert [(row["who"], row["contests"], row["won"]) for row in ask("luck")] == [
        ("greedy", 30, 30),
        ("random", 30, 0),
    ]
    assert [(row["who"], row["contests"]) for row in ask("luck", by="seat")] == [("red", 60), ("blue", 60)]


def test_an_empty_answer_has_its_reason(pile: Pile, tmp_path: Path) -> None:
    def notes(question: str, **values: str) -> tuple[str, ...]:
        with Reader(pile.stored(tmp_path / f"{len([*tmp_path.iterdir()])}.archive")) as reader:
            assert reader.ask(question, values).rows == []
            return reader.notes(question, values)

    pile.game(winners=None)
    assert notes("seats") == ("No chosen game has a result by play, so the answer is empty.",)
    pointless = {seat: {"max_deficit": None} for seat in ("red", "blue")}
    id = pile.game(players_=("greedy", "greedy"), told_=pointless)
    assert notes("luck") == notes("contests") == ("The chosen games have no contests with odds.",)
    assert notes("dice") == ("The chosen games have no dice.",)
    assert (
        notes("leads") == notes("comebacks") == ("The chosen games do not count points, so no seat leads.",)
    )
    assert notes("places") == ("No event of the chosen games has a place on a board.",)
    pile.contest(id, 1, won=True)
    (same,) = notes("luck")
    assert "one player is on both sides" in same
    with Reader(pile.stored(tmp_path / "last.archive")) as reader:
        assert reader.notes("luck", {"by": "seat"}) == reader.notes("contests") == ()
        assert len(reader.ask("luck", {"by": "seat"}).rows) == 2
