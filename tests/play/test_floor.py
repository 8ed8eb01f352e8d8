"""Tests that the programs of `tests.bench.floor` return the same answers as Gamelog."""

from __future__ import annotations

import pytest
from msgspec import structs

from gamelog.chance.rng import generator
from gamelog.games.slicewars import GAME as SLICEWARS
from gamelog.play.contract.game import AnyGame
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.bench.connect_four import GAME as CONNECT_FOUR
from tests.bench.floor import judge


def house(data: bytes, game: AnyGame) -> tuple[str | None, tuple[tuple[str, ...], str] | None]:
    found = verdict(fold_record(parse_record(data), game))
    outcome = found.outcome if found.status == "ok" else None
    return found.status, (outcome.winners, outcome.reason) if outcome else None


@pytest.mark.parametrize("game", [SLICEWARS, CONNECT_FOUR], ids=lambda game: game.id)
@pytest.mark.parametrize("index", range(6))
def test_the_floor_agrees_with_the_house(game: AnyGame, index: int) -> None:
    players = sorted(game.seats)
    header, events = simulate_game(
        game, "floor", index, players=players[index % len(players)], bots=("random", "greedy"), dice="table"
    )
    data = compose(header, events)[0]
    assert judge(data) == house(data, game)
    assert judge(data)[1] is not None

    rng = generator("floor", index)
    statuses = set()
    for _ in range(20):
        at, other = rng.randrange(len(events)), rng.randrange(len(events))
        stamp = {"n": events[at].n, "t": events[at].t}
        changed = [*events[:at], structs.replace(events[other], **stamp), *events[at + 1 :]]
        data = compose(header, changed)[0]
        assert judge(data) == house(data, game)
        statuses.add(judge(data)[0])
    assert "illegal" in statuses

    assert judge(data[:-1]) == ("damaged", None)
    where = rng.randrange(len(data))
    assert judge(data[:where] + bytes([data[where] ^ 1]) + data[where + 1 :])[0] == "damaged"
