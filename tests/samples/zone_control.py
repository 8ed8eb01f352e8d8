"""The sample records of Zone Control: whole games, illegal events and damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamelog.chance.rng import generator
from gamelog.games.zone_control.board import SIDES
from gamelog.games.zone_control.events import (
    ChallengeRoll,
    EndTurn,
    FinalRoll,
    MoveRoll,
    StartRoll,
    TimeUp,
)
from gamelog.record.envelope import TABLE
from tests.samples.making import Table, ends_by, search

GAME = "zone_control"

PUBLISHED = Path(__file__).parents[2] / "sample_games" / GAME

OF_EARLIER_BOTS = (
    "short",
    "full-4",
    "seeded",
    "untimed",
    "variants",
    "ended-pieces",
    "takeback",
    "as_played",
    "illegal-diagonal",
    "illegal-zone",
    "illegal-late",
    "illegal-turn",
)
"""Samples that earlier bots played. Published records keep their bytes, so they are not played again."""


def records() -> dict[str, bytes]:
    """Return all samples by name."""
    tables = {
        "ended-roll_off": _ended("roll_off", "random"),
        "ended-distance": _by_distance(),
        "illegal-dice": _wrong_dice(),
    }
    kept = {name: (PUBLISHED / f"{name}.jsonl").read_bytes() for name in OF_EARLIER_BOTS}
    return kept | {name: table.bytes() for name, table in tables.items()}


def _quick(name: str, **options: Any) -> Table:
    return Table(GAME, name, 4, clock_minutes=10, **options)


def _ended(reason: str, bot: str) -> Table:
    def make(index: int) -> Table:
        table = _quick(f"ended-{reason}-{index}")
        return table.play(table.bots(bot))

    return search(60, make, ends_by(reason))


def _by_distance() -> Table:
    """Play a game without moves that a hundred tied final rolls do not decide."""
    table = Table(GAME, "ended-distance", 4, clock_minutes=1)
    table.add(StartRoll(0, 0, TABLE, {"north": 1, "east": 2, "south": 6, "west": 3}))
    while not table.fold.pending.timeout or table.fold.t < table.fold.pending.timeout.at - 3_000:
        pending = table.fold.pending
        table.add(
            MoveRoll(0, 0, pending.chance.by, (1, 2)) if pending.chance else EndTurn(0, 0, pending.by[0])
        )
    table.add(TimeUp(0, 0, TABLE))
    faces = generator(GAME, "distance")
    while table.fold.outcome is None:
        dice = [faces.randint(1, 6) for _ in range(6)]
        table.add(FinalRoll(0, 0, TABLE, {seat: tuple(faces.sample(dice, 6)) for seat in SIDES}))
    return table


def _challenged(name: str) -> Table:
    """Play a game up to the dice of the first challenge."""
    table = Table(GAME, name, 4)
    return table.play(table.bots("random"), lambda fold: fold.state.phase == "challenge_roll")


def _wrong_dice() -> Table:
    """Play a game in which a piece outside the zone helps to defend it."""
    table = _challenged("illegal-dice")
    owed = table.fold.pending.chance
    assert owed is not None
    defence, attack = (tuple(range(1, draw.count + 1)) for draw in owed.draws)
    return table.add(ChallengeRoll(0, 0, owed.by, (*defence, 6), attack), judged=False)
