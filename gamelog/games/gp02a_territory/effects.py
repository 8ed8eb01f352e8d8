"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Effect, Over, Rolled, TurnOver
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import coloured, hand
from gamelog.games.gp02a_territory.events import Chips, Event
from gamelog.games.gp02a_territory.scoring import groups, leaders, points
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, State
from gamelog.games.gp02a_territory.tables import band


class MainPlayer(Effect, frozen=True, tag="main_player"):
    """`seat` is the Main Player of `round`."""

    seat: str
    round: int


class Removal(Effect, frozen=True, tag="removal"):
    """The round's first 1: from `seat` on, clockwise, a chip is taken off a white field."""

    seat: str


class NothingLoose(Effect, frozen=True, tag="nothing_loose"):
    """No chip stands on a white field, so nobody, or nobody else, removes one."""


class OneAgain(Effect, frozen=True, tag="one_again"):
    """A further 1 in the same round: nothing happens."""


class DrawEach(Effect, frozen=True, tag="draw_each"):
    """Everybody draws `count` chips."""

    count: int


class Drew(Effect, frozen=True, tag="drew"):
    """`seat` drew `chips`, `own` of them of its own colour;
    `expected` is how many that is on average, before the draw.
    """

    seat: str
    chips: str
    own: int
    expected: float


class Traded(Effect, frozen=True, tag="traded"):
    """What the Main Player gave and took."""

    by: str
    seat: str
    gives: str
    takes: str


class Back(Effect, frozen=True, tag="back"):
    """`by` took a `colour` chip off the field `at`; it went back into the bag."""

    by: str
    colour: str
    at: str


class Moving(Effect, frozen=True, tag="moving"):
    """`seat` gave `chips` back into the bag and moves `count` of its own."""

    seat: str
    chips: str
    count: int


class Group(Effect, frozen=True, tag="group"):
    """A group of `size` `colour` chips at `at` has come to be worth `points`."""

    colour: str
    size: int
    points: int
    at: str


class Lead(Effect, frozen=True, tag="lead"):
    """`colours` have most chips in `block`, one alone or several; before, it was others."""

    colours: str
    block: int


class ChronologyFull(Effect, frozen=True, tag="chronology_full"):
    """The chronology has no field left, so the game ends with this round (GP-16)."""


class Short(Effect, frozen=True, tag="short"):
    """The bag has `left` chips for `seat`, where `count` are to be drawn.
    What lies in hands counts for nothing.
    """

    seat: str
    left: int
    count: int


class Stuck(Effect, frozen=True, tag="stuck"):
    """`seat` holds `chips` chips that fit into no block."""

    seat: str
    chips: int


class Final(Effect, frozen=True, tag="final"):
    """What a colour scored at the end."""

    colour: str
    total: int
    chronology: int
    groups: int
    blocks: int


MESSAGES = {
    "deal_cards": "The turn cards are dealt: {@cards}.",
    "roll": "",
    "remove": "",
    "draw": "",
    "distribute": "{@by} hands out the turn cards: {@cards}.",
    "trade": "",
    "chronology": "{@by} puts a {colour} chip on the chronology.",
    "choose_block": "{@by} will place in block {block}.",
    "place": "{@by} places {colour} on {at}.",
    "purple": "{@by} uses the purple chip.",
    "move_start": "",
    "lift": "{@by} lifts the chip on {at}.",
    "put": "{@by} puts a chip down on {at}.",
    "main_player": "{@seat} is Main Player of round {round}.",
    "removal": "Each player, from {@seat} on, has to remove a chip from a white field.",
    "nothing_loose": "No chip stands on a white field, so nothing more is removed.",
    "one_again": "A further 1 changes nothing.",
    "draw_each": "Everybody draws {count} {count:chip|chips}.",
    "drew": "{@seat} draws {chips}.",
    "traded": "{@by} gives {@seat} {gives} and takes {takes}.",
    "back": "{@by} sends the {colour} chip on {at} back into the bag.",
    "moving": "{@seat} gives {chips} back and moves {count} own {count:chip|chips} instead.",
    "group": "A {colour} group of {size} is worth {points} {points:point|points} now.",
    "lead": "Most chips in block {block}: {colours}.",
    "chronology_full": "The chronology is full: this is the last round.",
    "short": "The bag is at its end: {left} {left:chip is|chips are} left for {@seat}, who has to draw "
    "{count}.",
    "stuck": "{@seat} has chips that fit into no block: {chips}.",
    "turn_over": "It is {@next}'s turn.",
    "final": "Points of {colour}: {total} (chronology {chronology}, groups {groups}, blocks {blocks}).",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    tell = EFFECTS_OF.get(type(event))
    told: tuple[Effect, ...] = tell(before, event, after) if tell else ()
    if after.outcome is not None:
        told += _end(after)
    elif after.round > before.round:
        told += (MainPlayer(after.setup.seats[after.main], after.round),)
    elif after.actor != before.actor and after.phase in ("chronology", "action"):
        told += (TurnOver(after.setup.seats[before.actor], after.setup.seats[after.actor]),)
    return told


def _deal_cards(_before: State, _event: ev.DealCards, after: State) -> tuple[Effect, ...]:
    return (MainPlayer(after.setup.seats[after.main], after.round),)


def _roll(before: State, event: ev.Roll, after: State) -> tuple[Effect, ...]:
    rolled = Rolled(event.by, (event.value,))
    if event.value > 1:
        return rolled, DrawEach(event.value)
    if before.one:
        return rolled, OneAgain()
    if after.phase == "remove":
        return rolled, Removal(after.setup.seats[after.actor])
    return rolled, NothingLoose()


def _draw(before: State, event: ev.Draw, _after: State) -> tuple[Effect, ...]:
    own, counts = before.setup.colours[before.actor], event.chips.counts()
    return (
        Drew(event.by, event.chips.words(), counts[own], sum(counts) * before.bag[own] / sum(before.bag)),
    )


def _trade(_before: State, event: ev.Trade, _after: State) -> tuple[Effect, ...]:
    return (Traded(event.by, event.seat, event.gives.words(), event.takes.words()),)


def _move_start(before: State, event: ev.MoveStart, after: State) -> tuple[Effect, ...]:
    return (Moving(event.by, Chips(*hand(before, before.actor)).words(), after.moves),)


def _chronology(before: State, _event: ev.Chronology, after: State) -> tuple[Effect, ...]:
    full = len(before.chronology) < before.setup.chronology == len(after.chronology)
    return (ChronologyFull(),) if full else ()


def _remove(before: State, event: ev.Remove, after: State) -> tuple[Effect, ...]:
    told = _back(before, event.by, event.at, after)
    last = (before.actor + 1) % len(before.setup.seats) == after.main
    return told if last or after.phase != "roll" else (*told, NothingLoose())


def _purple(before: State, event: ev.Purple, after: State) -> tuple[Effect, ...]:
    return () if event.at is None else _back(before, event.by, event.at, after)


def _back(before: State, by: str, name: str, after: State) -> tuple[Effect, ...]:
    """A chip that goes back into the bag."""
    at = before.setup.board.index[name]
    return Back(by, CHIPS[before.fields[at]], name), *_lead(before, at, after)


def _lift(before: State, event: ev.Lift, after: State) -> tuple[Effect, ...]:
    return _lead(before, before.setup.board.index[event.at], after)


def _place(before: State, event: ev.Place | ev.Put, after: State) -> tuple[Effect, ...]:
    at = before.setup.board.index[event.at]
    return _group(before, at, after) + _lead(before, at, after)


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    ev.DealCards: _deal_cards,
    ev.Roll: _roll,
    ev.Remove: _remove,
    ev.Draw: _draw,
    ev.Trade: _trade,
    ev.Chronology: _chronology,
    ev.Place: _place,
    ev.Purple: _purple,
    ev.MoveStart: _move_start,
    ev.Lift: _lift,
    ev.Put: _place,
}
"""What follows from an event of each kind by itself; from the others nothing does."""


def _group(before: State, at: int, after: State) -> tuple[Effect, ...]:
    """The group of the chip that came to `at`, if it is worth more than any group it has grown out of."""
    board, across, colour = after.setup.board, after.setup.options.groups_cross_blocks, after.fields[at]
    if colour not in [before.fields[near] for near in board.neighbours[at]]:
        return ()  # the quick way for most chips: one alone is worth nothing
    group = next(group for group in groups(board, after.fields, colour, across) if at in group)
    worth = band(len(group))
    parts = groups(board, before.fields, colour, across)
    if worth > max([band(len(part)) for part in parts if part[0] in group], default=0):
        return (Group(COLOURS[colour], len(group), worth, board.names[at]),)
    return ()


def _lead(before: State, at: int, after: State) -> tuple[Effect, ...]:
    """Who leads now in the block of `at`, if it was others."""
    block = after.setup.board.block[at]
    ahead = leaders(after, block)
    if not ahead or ahead == leaders(before, block):
        return ()
    return (Lead(", ".join([COLOURS[colour] for colour in ahead]), block),)


def _end(after: State) -> tuple[Effect, ...]:
    """Why the game is over, and what everybody has scored."""
    assert after.outcome is not None
    seat, reason = after.setup.seats[after.actor], after.outcome.reason
    told: list[Effect] = []
    if reason == "bag":
        told.append(Short(seat, sum(after.bag), after.rolled))
    elif reason == "territory":
        told.append(Stuck(seat, coloured(after, after.actor)))
    for colour, scored in zip(COLOURS, points(after), strict=True):
        told.append(Final(colour, scored.total, scored.chronology, scored.groups, scored.blocks))
    return (*told, Over(after.outcome.winners, reason))
