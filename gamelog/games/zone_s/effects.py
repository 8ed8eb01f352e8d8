"""The effects of events, for sentences, pages and archives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Captured, Effect, Over, TurnOver
from gamelog.games.zone_s.abilities import can_capture_protected, count_homes_held, is_protected, supporters
from gamelog.games.zone_s.events import (
    Coin,
    Deploy,
    Event,
    Move,
    Pass,
    PlaceTile,
    ReturnInfantry,
    Shoot,
    Summon,
)
from gamelog.games.zone_s.roster import TERRAINS
from gamelog.games.zone_s.state import State, captured_value


class Laid(Effect, frozen=True, tag="laid"):
    """`by` placed a tile of `terrain` on `at`."""

    by: str
    terrain: str
    at: str


class Entered(Effect, frozen=True, tag="entered"):
    """A piece of `by`, called `name`, came from the reserve to `at`, a tile of `terrain`."""

    by: str
    kind: str
    name: str
    terrain: str
    at: str


class Unveiled(Effect, frozen=True, tag="unveiled"):
    """The screen was removed. The bases are on `first_base` and `second_base`."""

    first_base: str
    second_base: str


class Slid(Effect, frozen=True, tag="slid"):
    """A piece of `by` moved to `at`, a tile of `terrain`."""

    by: str
    kind: str
    name: str
    src: str
    at: str
    terrain: str


class Leapt(Effect, frozen=True, tag="leapt"):
    """A piece of `by` leapt to the hill tile `at`."""

    by: str
    kind: str
    name: str
    src: str
    at: str


class Shot(Effect, frozen=True, tag="shot"):
    """A piece of `by` shot at `at` and stayed on `src`."""

    by: str
    kind: str
    name: str
    src: str
    at: str


class Taken(Captured, frozen=True, tag="taken", kw_only=True):
    """The piece on `at`, called `name` and worth `cost`, joined the captures of `by`."""

    kind: str
    name: str
    cost: int


class Overcame(Effect, frozen=True, tag="overcame"):
    """The piece captured on `at` was protected. `names` is the support: another piece, or the captor."""

    by: str
    at: str
    names: str


class Restored(Effect, frozen=True, tag="restored"):
    """A captured piece of `seat`, called `name`, returned to the reserve."""

    seat: str
    kind: str
    name: str


class AtTheGate(Effect, frozen=True, tag="at_the_gate"):
    """`by` occupies `count` home tiles of the enemy, and occupied none before."""

    by: str
    count: int


class Destroyed(Effect, frozen=True, tag="destroyed"):
    """`by` destroyed the base of `loser` on `at`.

    `count` pieces of the loser's reserve, worth `value`, were captured with it.
    """

    by: str
    loser: str
    at: str
    count: int
    value: int


class Weighed(Effect, frozen=True, tag="weighed"):
    """The game ended without a destroyed base: the values captured by the sides are compared."""

    dominion: int
    separatists: int


MESSAGES = {
    "place_base": "{@by} puts the base on {at}.",
    "draw_tile": "{@by} draws a tile: {terrain}.",
    "place_tile": "",
    "deploy": "",
    "coin": "{@seat} wins the coin toss and begins.",
    "move": "",
    "shoot": "",
    "summon": "",
    "return_infantry": "",
    "pass": "{@by} has no legal action and passes.",
    "laid": "{@by} places {terrain} on {at}.",
    "entered": "{@by} brings a {name} from the reserve to {at} ({terrain}).",
    "unveiled": "The screen is removed. The bases are on {first_base} and {second_base}.",
    "slid": "{@by}'s {name} moves from {src} to {at} ({terrain}).",
    "leapt": "{@by}'s {name} leaps from {src} to {at} (hills).",
    "shot": "{@by}'s {name} on {src} shoots at {at}.",
    "taken": "{@loser} loses a {name} worth {cost}.",
    "overcame": "The captured piece was protected. Support for the capture: {names}.",
    "restored": "{@seat}'s captured {name} returns to the reserve.",
    "at_the_gate": "{@by} occupies a home tile of the enemy.",
    "destroyed": "{@by} occupies two home tiles and destroys {@loser}'s base on {at}. "
    "{count} {count:piece|pieces} in reserve {count:is|are} captured with it.",
    "weighed": "No base was destroyed. Value captured: Dominion {dominion}, Separatists {separatists}.",
}
"""English sentences for the events and effects, by tag."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects of `event`, in the order in which they happen."""
    tell = EFFECTS_OF.get(type(event))
    return tell(before, event, after) if tell else ()


def _place_tile(before: State, event: PlaceTile, _after: State) -> tuple[Effect, ...]:
    return (Laid(event.by, TERRAINS[before.hand - 1], event.at),)


def _deploy(before: State, event: Deploy | Summon, _after: State) -> tuple[Effect, ...]:
    setup = before.setup
    kind = setup.roster.kinds[setup.roster.codes[event.kind]]
    return (Entered(event.by, kind.id, kind.name, _terrain(before, setup.board.index[event.at]), event.at),)


def _coin(_before: State, _event: Coin, after: State) -> tuple[Effect, ...]:
    return (Unveiled(*(after.setup.board.names[base] for base in after.bases)),)


def _move(before: State, event: Move, after: State) -> tuple[Effect, ...]:
    """Return the effects of a slide or leap: captures, the arrival and the end of the turn."""
    setup = before.setup
    src, dst = setup.board.index[event.src], setup.board.index[event.dst]
    kind = setup.roster.kinds[before.pieces[src]]
    moved: Effect
    if event.via == "leap":
        moved = Leapt(event.by, kind.id, kind.name, event.src, event.dst)
    else:
        moved = Slid(event.by, kind.id, kind.name, event.src, event.dst, _terrain(before, dst))
    return (
        moved,
        *_captures(before, event, src, dst),
        *_first_home_tile(before, dst, after),
        *_turn_over(before, event, after),
    )


def _shoot(before: State, event: Shoot, after: State) -> tuple[Effect, ...]:
    setup = before.setup
    src, dst = setup.board.index[event.src], setup.board.index[event.dst]
    kind = setup.roster.kinds[before.pieces[src]]
    shot = Shot(event.by, kind.id, kind.name, event.src, event.dst)
    return (shot, *_captures(before, event, src, dst), *_turn_over(before, event, after))


def _summon(before: State, event: Summon, after: State) -> tuple[Effect, ...]:
    at = before.setup.board.index[event.at]
    return (
        *_deploy(before, event, after),
        *_first_home_tile(before, at, after),
        *_turn_over(before, event, after),
    )


def _return_infantry(before: State, event: ReturnInfantry, after: State) -> tuple[Effect, ...]:
    roster = before.setup.roster
    restored = Restored(event.by, event.kind, roster.kinds[roster.codes[event.kind]].name)
    return (restored, *_turn_over(before, event, after))


def _captures(before: State, event: Move | Shoot, src: int, dst: int) -> tuple[Effect, ...]:
    """Return the pieces that a move or a shot captures, and the support for the capture."""
    setup, pieces = before.setup, before.pieces
    if not pieces[dst]:
        return ()
    kinds, names = setup.roster.kinds, setup.board.names
    prey = kinds[pieces[dst]]
    taken = Taken(event.by, event.dst, setup.seats[prey.side], kind=prey.id, name=prey.name, cost=prey.cost)
    if not (is_protected(before, dst) and can_capture_protected(before, src, dst)):
        return (taken,)
    helper = next((f"{kinds[pieces[at]].name} on {names[at]}" for at in supporters(before, src, dst)), None)
    return taken, Overcame(event.by, event.dst, helper or f"{kinds[pieces[src]].name} counts as two")


def _first_home_tile(before: State, at: int, after: State) -> tuple[Effect, ...]:
    """Return the effect of a side's first home tile of the enemy, on `at`, unless the base is destroyed."""
    setup, outcome = before.setup, after.outcome
    side = setup.roster.sides[after.pieces[at]]
    if before.bases[1 - side] not in setup.board.neighbours[at] or (
        outcome is not None and outcome.reason == "base"
    ):
        return ()
    held = count_homes_held(after, side)
    return (AtTheGate(setup.seats[side], held),) if held and not count_homes_held(before, side) else ()


def _turn_over(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects at the end of the turn, or of the game."""
    setup, seats, outcome = before.setup, before.setup.seats, after.outcome
    if after.phase == "return":
        return ()
    if outcome is None:
        return (TurnOver(event.by, seats[after.actor]),)
    turn, over = TurnOver(event.by), Over(outcome.winners, outcome.reason)
    if outcome.reason != "base":
        return turn, Weighed(*(captured_value(after, side) for side in range(len(seats)))), over
    winner = seats.index(outcome.winners[0])
    lost = [(setup.roster.kinds[code], before.reserve[code]) for code in setup.roster.own[1 - winner]]
    base = setup.board.names[before.bases[1 - winner]]
    count, value = sum(count for _, count in lost), sum(kind.cost * count for kind, count in lost)
    return turn, Destroyed(seats[winner], seats[1 - winner], base, count, value), over


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    PlaceTile: _place_tile,
    Deploy: _deploy,
    Coin: _coin,
    Move: _move,
    Shoot: _shoot,
    Summon: _summon,
    ReturnInfantry: _return_infantry,
    Pass: _turn_over,
}
"""By kind of event: the function that returns its effects. Other events have none."""


def _terrain(state: State, at: int) -> str:
    return TERRAINS[state.terrain[at] - 1]
