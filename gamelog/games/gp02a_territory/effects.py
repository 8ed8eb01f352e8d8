"""The consequences of an event, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Effect, Over, Rolled, TurnOver
from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import count_coloured, hand
from gamelog.games.gp02a_territory.events import Chips, Event
from gamelog.games.gp02a_territory.scoring import groups, leaders, points
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, State
from gamelog.games.gp02a_territory.tables import group_points


class MainPlayer(Effect, frozen=True, tag="main_player"):
    """`seat` is the Main Player of `round`."""

    seat: str
    round: int


class Removal(Effect, frozen=True, tag="removal"):
    """The first 1 of a round: each player, starting with `seat`, removes a chip from a white field."""

    seat: str


class NothingLoose(Effect, frozen=True, tag="nothing_loose"):
    """No chip is on a white field, so no further chip is removed."""


class OneAgain(Effect, frozen=True, tag="one_again"):
    """Another 1 in the same round, which changes nothing."""


class DrawEach(Effect, frozen=True, tag="draw_each"):
    """Each player draws `count` chips."""

    count: int


class Drew(Effect, frozen=True, tag="drew"):
    """`seat` drew `chips`, `own` of them of its own colour.

    `expected` is the mean number of own chips in such a draw.
    """

    seat: str
    chips: str
    own: int
    expected: float


class Traded(Effect, frozen=True, tag="traded"):
    """The chips that the Main Player gave and took in a trade."""

    by: str
    seat: str
    gives: str
    takes: str


class Back(Effect, frozen=True, tag="back"):
    """`by` removed a `colour` chip from the field `at`, and it returned to the bag."""

    by: str
    colour: str
    at: str


class Moving(Effect, frozen=True, tag="moving"):
    """`seat` returned `chips` to the bag and moves `count` of its own chips."""

    seat: str
    chips: str
    count: int


class Group(Effect, frozen=True, tag="group"):
    """A group of `size` chips of `colour` at `at` now scores `points`."""

    colour: str
    size: int
    points: int
    at: str


class Lead(Effect, frozen=True, tag="lead"):
    """`colours`, one or several, now have the most chips in `block`; before, other colours led."""

    colours: str
    block: int


class ChronologyFull(Effect, frozen=True, tag="chronology_full"):
    """The chronology has no field left, so the game ends with this round (GP-16)."""


class Short(Effect, frozen=True, tag="short"):
    """The bag has only `left` chips for `seat`, who must draw `count`. Chips in hands score nothing."""

    seat: str
    left: int
    count: int


class Stuck(Effect, frozen=True, tag="stuck"):
    """`seat` has `chips` chips that fit in no block."""

    seat: str
    chips: int


class Final(Effect, frozen=True, tag="final"):
    """The points of a colour at the end."""

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
    "choose_block": "{@by} chooses block {block}.",
    "place": "{@by} places a {colour} chip on {at}.",
    "purple": "{@by} uses the purple chip.",
    "move_start": "",
    "lift": "{@by} lifts the chip on {at}.",
    "put": "{@by} puts a chip down on {at}.",
    "main_player": "{@seat} is the Main Player of round {round}.",
    "removal": "Each player, starting with {@seat}, must remove a chip from a white field.",
    "nothing_loose": "No chip is on a white field, so no further chip is removed.",
    "one_again": "Another 1 changes nothing.",
    "draw_each": "Each player draws {count} {count:chip|chips}.",
    "drew": "{@seat} draws {chips}.",
    "traded": "{@by} gives {@seat} {gives} and takes {takes}.",
    "back": "{@by} returns the {colour} chip on {at} to the bag.",
    "moving": "{@seat} returns {chips} and moves {count} own {count:chip|chips} instead.",
    "group": "A {colour} group of {size} now scores {points} {points:point|points}.",
    "lead": "Most chips in block {block}: {colours}.",
    "chronology_full": "The chronology is full. This is the last round.",
    "short": "The bag has only {left} {left:chip|chips} left, and {@seat} must draw {count}.",
    "stuck": "{@seat} has {chips} {chips:chip|chips} that fit in no block.",
    "turn_over": "It is {@next}'s turn.",
    "final": "Points of {colour}: {total} (chronology {chronology}, groups {groups}, blocks {blocks}).",
}
"""The sentences of events and effects. Other effects have the engine's sentences."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects of `event`, in the order in which they happen."""
    direct = EFFECTS_OF.get(type(event))
    happened: tuple[Effect, ...] = direct(before, event, after) if direct else ()
    if after.outcome is not None:
        happened += _end(after)
    elif after.round > before.round:
        happened += (MainPlayer(after.setup.seats[after.main], after.round),)
    elif after.actor != before.actor and after.phase in ("chronology", "action"):
        happened += (TurnOver(after.setup.seats[before.actor], after.setup.seats[after.actor]),)
    return happened


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
    found = _returned_chip(before, event.by, event.at, after)
    last = (before.actor + 1) % len(before.setup.seats) == after.main
    return found if last or after.phase != "roll" else (*found, NothingLoose())


def _purple(before: State, event: ev.Purple, after: State) -> tuple[Effect, ...]:
    return () if event.at is None else _returned_chip(before, event.by, event.at, after)


def _returned_chip(before: State, by: str, name: str, after: State) -> tuple[Effect, ...]:
    """Return the effects of a chip that returns from the field `name` to the bag."""
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
"""The function that gives the direct consequences of each kind of event. Other kinds have none."""


def _group(before: State, at: int, after: State) -> tuple[Effect, ...]:
    """Return the group of the new chip on `at`, if it scores more than each group that it joins."""
    board, across, colour = after.setup.board, after.setup.options.groups_cross_blocks, after.fields[at]
    if colour not in [before.fields[near] for near in board.neighbours[at]]:
        return ()  # the usual case, decided quickly: a single chip scores nothing
    group = next(group for group in groups(board, after.fields, colour, across) if at in group)
    worth = group_points(len(group))
    parts = groups(board, before.fields, colour, across)
    if worth > max([group_points(len(part)) for part in parts if part[0] in group], default=0):
        return (Group(COLOURS[colour], len(group), worth, board.names[at]),)
    return ()


def _lead(before: State, at: int, after: State) -> tuple[Effect, ...]:
    """Return the new leaders in the block of `at`, if the leaders have changed."""
    block = after.setup.board.block[at]
    ahead = leaders(after, block)
    if not ahead or ahead == leaders(before, block):
        return ()
    return (Lead(", ".join([COLOURS[colour] for colour in ahead]), block),)


def _end(after: State) -> tuple[Effect, ...]:
    """Return the reason for the end of the game, and the points of each colour."""
    assert after.outcome is not None
    seat, reason = after.setup.seats[after.actor], after.outcome.reason
    happened: list[Effect] = []
    if reason == "bag":
        happened.append(Short(seat, sum(after.bag), after.rolled))
    elif reason == "territory":
        happened.append(Stuck(seat, count_coloured(after, after.actor)))
    for colour, scored in zip(COLOURS, points(after), strict=True):
        happened.append(Final(colour, scored.total, scored.chronology, scored.groups, scored.blocks))
    return (*happened, Over(after.outcome.winners, reason))
