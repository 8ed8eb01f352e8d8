"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.zone_s.events import Coin, Deploy, Event, Move, Pass, PlaceTile, ReturnInfantry, Shoot, Summon
from gamelog.games.zone_s.ground import backed, homes_held, protects, supporters
from gamelog.games.zone_s.roster import TERRAINS, Kind
from gamelog.games.zone_s.state import State, captured_value
from gamelog.play.effects import Captured, Effect, Over, TurnOver


class Laid(Effect, frozen=True, tag="laid"):
    """`by` put a tile of `terrain` on `at`."""

    by: str
    terrain: str
    at: str


class Entered(Effect, frozen=True, tag="entered"):
    """A piece of `by`, called `name`, came out of the reserve onto `at`, a tile of `terrain`."""

    by: str
    kind: str
    name: str
    terrain: str
    at: str


class Unveiled(Effect, frozen=True, tag="unveiled"):
    """The screen is removed; the bases stand on `first_base` and `second_base`."""

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
    """The piece taken on `at` was protected; `by` could take it thanks to `names`: another piece, or itself."""

    by: str
    at: str
    names: str


class Restored(Effect, frozen=True, tag="restored"):
    """A captured piece of `seat`, called `name`, is back in its reserve."""

    seat: str
    kind: str
    name: str


class AtTheGate(Effect, frozen=True, tag="at_the_gate"):
    """`by` holds `count` of the enemy's home tiles, and held none before."""

    by: str
    count: int


class Destroyed(Effect, frozen=True, tag="destroyed"):
    """The base of `loser` on `at` fell to `by`; `count` pieces of its reserve worth `value` were captured with it."""

    by: str
    loser: str
    at: str
    count: int
    value: int


class Weighed(Effect, frozen=True, tag="weighed"):
    """The game ended without a fallen base: what each side has captured is compared."""

    dominion: int
    separatists: int


PHRASES = {
    "place_base": "{@by} puts the base on {at}.",
    "draw_tile": "{@by} draws {terrain}.",
    "place_tile": "",
    "deploy": "",
    "coin": "The coin falls for {@seat}.",
    "move": "",
    "shoot": "",
    "summon": "",
    "return_infantry": "",
    "pass": "{@by} can do nothing and passes.",
    "laid": "{@by} lays {terrain} on {at}.",
    "entered": "{@by} calls a {name} to the {terrain} of {at}.",
    "unveiled": "The screen is removed: the bases stand on {first_base} and {second_base}.",
    "slid": "{@by}'s {name} moves from {src} to {at} ({terrain}).",
    "leapt": "{@by}'s {name} leaps from {src} to the hills of {at}.",
    "shot": "{@by}'s {name} on {src} shoots at {at}.",
    "taken": "{@loser} loses a {name} worth {cost}.",
    "overcame": "It was protected, but not well enough: {names}.",
    "restored": "A {name} of {@seat} is back in the reserve.",
    "at_the_gate": "{@by} holds a home tile of the enemy!",
    "destroyed": "Two home tiles are held: the base of {@loser} on {at} falls. Captured with it: {count} in reserve.",
    "weighed": "No base has fallen. Captured: Dominion {dominion}, Separatists {separatists}.",
    "over": "The game is over, won by {@winners} ({reason}).",
}


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    return tuple(_effects(before, event, after))


def _effects(before: State, event: Event, after: State) -> Iterator[Effect]:
    setup = before.setup
    names, index = setup.board.names, setup.board.index
    if isinstance(event, PlaceTile):
        yield Laid(event.by, TERRAINS[before.hand - 1], event.at)
    elif isinstance(event, Coin):
        yield Unveiled(*(names[base] for base in after.bases))
    elif isinstance(event, Deploy | Summon):
        kind = _kind(before, setup.roster.codes[event.kind])
        yield Entered(event.by, kind.id, kind.name, _terrain(before, index[event.at]), event.at)
    elif isinstance(event, Move | Shoot):
        yield from _strike(before, event, index[event.src], index[event.dst])
    elif isinstance(event, ReturnInfantry):
        yield Restored(event.by, event.kind, _kind(before, setup.roster.codes[event.kind]).name)
    if isinstance(event, Move | Shoot | Summon | ReturnInfantry | Pass):
        yield from _end_of_turn(before, event, after)


def _strike(before: State, event: Move | Shoot, src: int, dst: int) -> Iterator[Effect]:
    """A move or a shot, and what it captures."""
    setup, pieces = before.setup, before.pieces
    kind = _kind(before, pieces[src])
    if isinstance(event, Shoot):
        yield Shot(event.by, kind.id, kind.name, event.src, event.dst)
    elif event.via == "leap":
        yield Leapt(event.by, kind.id, kind.name, event.src, event.dst)
    else:
        yield Slid(event.by, kind.id, kind.name, event.src, event.dst, _terrain(before, dst))
    if pieces[dst]:
        prey = _kind(before, pieces[dst])
        yield Taken(event.by, event.dst, setup.seats[prey.side], kind=prey.id, name=prey.name, cost=prey.cost)
        if protects(before, dst) and backed(before, src, dst):
            helpers = [f"{_kind(before, pieces[at]).name} on {setup.board.names[at]}" for at in supporters(before, src, dst)]
            yield Overcame(event.by, event.dst, helpers[0] if helpers else f"{kind.name} counts as two")


def _end_of_turn(before: State, event: Event, after: State) -> Iterator[Effect]:
    """Enemies at the gate, the end of the turn, the end of the game."""
    setup, seats = before.setup, before.setup.seats
    fallen = after.outcome is not None and after.outcome.reason == "base"
    for side, seat in enumerate(seats):
        held = homes_held(after, side)
        if held and not homes_held(before, side) and not fallen:
            yield AtTheGate(seat, held)
    if after.phase == "return":
        return
    yield TurnOver(event.by, None if after.outcome else seats[after.actor])
    if after.outcome is None:
        return
    if fallen:
        winner = seats.index(after.outcome.winners[0])
        lost = [(_kind(before, code), before.reserve[code]) for code in setup.roster.own[1 - winner]]
        base = setup.board.names[before.bases[1 - winner]]
        count, value = sum(count for _, count in lost), sum(kind.cost * count for kind, count in lost)
        yield Destroyed(seats[winner], seats[1 - winner], base, count, value)
    else:
        yield Weighed(*(captured_value(after, side) for side in range(len(seats))))
    yield Over(after.outcome.winners, after.outcome.reason)


def _kind(state: State, code: int) -> Kind:
    return state.setup.roster.kinds[code]


def _terrain(state: State, at: int) -> str:
    return TERRAINS[state.terrain[at] - 1]
