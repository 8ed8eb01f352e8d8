"""Zone Control at the club, and what can happen to its records."""

from __future__ import annotations

from typing import Any

from gamelog.chance.rng import generator
from gamelog.games.zone_control.board import SIDES
from gamelog.games.zone_control.choices import closed_zones
from gamelog.games.zone_control.events import (
    ChallengeRoll,
    EndTurn,
    FinalRoll,
    MoveRoll,
    StartRoll,
    Step,
    TimeUp,
)
from gamelog.games.zone_control.state import EMPTY, State
from gamelog.play.contract.choices import legal_for
from gamelog.play.fold.common import Clock, Note, Result, Substitute, Takeback
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import TABLE
from tests.samples.making import Table, ends_by, reaches, search

GAME = "zone_control"

VARIANTS: dict[str, Any] = {
    "movement_dice": 3,
    "challenges_per_zone": 1,
    "attack_size": "full",
    "loss": "ring",
    "move_in": "choose",
    "clock_minutes": None,
    "turn_limit": 16,
}


def records() -> dict[str, bytes]:
    """All samples by name."""
    tables = {
        "short": _opening("short"),
        "full-4": _full(),
        "seeded": _quick("seeded", seeded=True),
        "untimed": Table(GAME, "untimed", 4, clock_minutes=None, turn_limit=24),
        "variants": Table(GAME, "variants", 4, **VARIANTS),
        "ended-pieces": _ended("pieces", "greedy"),
        "ended-roll_off": _ended("roll_off", "random"),
        "ended-distance": _by_distance(),
        "takeback": _takeback(),
        "as_played": _as_played(),
        "illegal-diagonal": _opening("illegal-diagonal", 5).add(
            Step(0, 0, "north", "h4", "g5"), judged=False
        ),
        "illegal-zone": _intruding("illegal-zone"),
        "illegal-dice": _wrong_dice(),
        "illegal-late": _late(),
        "illegal-turn": _out_of_turn(),
    }
    for name in ("seeded", "untimed", "variants"):
        tables[name].play(tables[name].bots("strong", "random"))
    return {name: table.bytes() for name, table in tables.items()}


def _opening(name: str, events: int = 30) -> Table:
    """North rolls highest; greedy players walk towards the zones."""
    table = Table(GAME, name, 4)
    table.add(StartRoll(0, 0, TABLE, {"north": 5, "east": 2, "south": 3, "west": 1}))
    return table.play(table.bots("greedy"), reaches(events))


def _quick(name: str, **options: Any) -> Table:
    return Table(GAME, name, 4, clock_minutes=10, **options)


def _full() -> Table:
    """The whole 45 minutes, with a pause and a change at the table."""
    table = Table(GAME, "full-4", 4)
    table.play(table.bots("strong", "greedy"), reaches(80))
    table.add(Note(0, 0, "table", "Coffee break after this one: the clock stands."))
    table.add(Clock(0, 0, "table", running=False)).add(Clock(0, 0, "table", running=True))
    table.add(Substitute(0, 0, "table", "west", "Omar", person="omar@club"))
    return _to_the_end(table)


def _to_the_end(table: Table) -> Table:
    table.play(table.bots("strong", "greedy"))
    assert table.fold.outcome is not None
    return table.add(Result(0, 0, "table", table.fold.outcome))


def _ended(reason: str, bot: str) -> Table:
    def make(index: int) -> Table:
        table = _quick(f"ended-{reason}-{index}")
        return table.play(table.bots(bot))

    return search(60, make, ends_by(reason))


def _by_distance() -> Table:
    """Nobody moves for a minute, and then the dice cannot decide between four for a hundred repetitions."""
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
    """A game up to the first challenge whose dice are due."""
    table = Table(GAME, name, 4)
    return table.play(table.bots("random"), lambda fold: fold.state.phase == "challenge_roll")


def _takeback() -> Table:
    """A challenge and its dice are taken back, and the turn goes on another way."""
    table = _challenged("takeback")
    before = table.fold.n - 1
    table.play(table.bots("random"), reaches(table.fold.n + 1))
    table.add(Takeback(0, 0, table.events[before].by, before, reason="The pieces stood in another ring."))
    return table.play(table.bots("greedy"), reaches(table.fold.n + 30))


def _wrong_dice() -> Table:
    """A piece that stands round the zone helped to defend it."""
    table = _challenged("illegal-dice")
    owed = table.fold.pending.chance
    assert owed is not None
    defence, attack = (tuple(range(1, draw.count + 1)) for draw in owed.draws)
    return table.add(ChallengeRoll(0, 0, owed.by, (*defence, 6), attack), judged=False)


def _late() -> Table:
    """A step after the clock had run out."""

    def until(fold: Fold) -> bool:
        alarm = fold.pending.timeout
        return (
            alarm is not None
            and fold.state.phase == "act"
            and fold.state.points > 0
            and fold.t >= alarm.at - 3_000
        )

    def make(index: int) -> Table:
        table = Table(GAME, f"illegal-late-{index}", 4, clock_minutes=1)
        return table.play(table.bots("greedy"), until)

    table = search(60, make, lambda table: table.fold.outcome is None)
    step = next(
        event for event in legal_for(table.game, table.fold.state, None).events if isinstance(event, Step)
    )
    return table.add(step, judged=False)


def _out_of_turn() -> Table:
    table = _opening("illegal-turn")
    other = next(seat for seat in SIDES if seat not in table.fold.pending.by)
    return table.add(EndTurn(0, 0, other), judged=False)


def _next_to_a_closed_zone(fold: Fold) -> bool:
    return _intrusion(fold.state) is not None


def _intrusion(state: State) -> Step | None:
    """A step of the player on turn into a zone that another player controls."""
    if state.phase != "act" or not state.points:
        return None
    board, closed = state.setup.board, closed_zones(state)
    for src, owner in enumerate(state.squares):
        for dst in board.neighbours[src] if owner == state.actor else ():
            if board.zone_of[dst] in closed and state.squares[dst] == EMPTY:
                return Step(0, 0, SIDES[owner], board.names[src], board.names[dst])
    return None


def _intruding(name: str) -> Table:
    table = Table(GAME, name, 4)
    table.play(table.bots("greedy"), _next_to_a_closed_zone)
    step = _intrusion(table.fold.state)
    assert step is not None
    return table.add(step, judged=False)


def _as_played() -> Table:
    """A piece walked into a rival's zone before anybody noticed, and the game went on."""
    table = _quick("as_played")
    table.play(table.bots("greedy"), _next_to_a_closed_zone)
    step = _intrusion(table.fold.state)
    assert step is not None
    table.add(Step(0, 0, step.by, step.src, step.dst, as_played=True))
    return _to_the_end(table)
