"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import coloured, hand
from gamelog.games.gp02a_territory.events import Chips, Event
from gamelog.games.gp02a_territory.scoring import groups, leaders, points
from gamelog.games.gp02a_territory.state import CHIPS, COLOURS, EMPTY, State
from gamelog.games.gp02a_territory.tables import band
from gamelog.play.effects import Effect, Over, Rolled, TurnOver


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
    """`seat` drew `chips`, `own` of them of its own colour; `expected` is how many that is on average, before the draw."""

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
    """The bag has `left` chips for `seat`, where `count` are to be drawn. What lies in hands counts for nothing."""

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


PHRASES = {
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
    "draw_each": "Chips that everybody draws: {count}.",
    "drew": "{@seat} draws {chips}.",
    "traded": "{@by} gives {@seat} {gives} and takes {takes}.",
    "back": "{@by} sends the {colour} chip on {at} back into the bag.",
    "moving": "{@seat} gives {chips} back and moves own chips instead: {count}.",
    "group": "A {colour} group of {size} is worth {points} now.",
    "lead": "Most chips in block {block}: {colours}.",
    "chronology_full": "The chronology is full: this is the last round.",
    "short": "The bag is at its end: chips left for {@seat}: {left}, chips to draw: {count}.",
    "stuck": "{@seat} has chips that fit into no block: {chips}.",
    "turn_over": "It is {@next}'s turn.",
    "final": "Points of {colour}: {total} (chronology {chronology}, groups {groups}, blocks {blocks}).",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    return tuple(_effects(before, event, after))


def _effects(before: State, event: Event, after: State) -> Iterator[Effect]:
    seats, names = before.setup.seats, before.setup.board.names
    if isinstance(event, ev.DealCards):
        yield MainPlayer(seats[after.main], after.round)
    elif isinstance(event, ev.Roll):
        yield from _roll(before, event, after)
    elif isinstance(event, ev.Draw):
        yield _drew(before, event)
    elif isinstance(event, ev.Trade):
        yield Traded(event.by, event.seat, event.gives.words(), event.takes.words())
    elif isinstance(event, ev.MoveStart):
        yield Moving(event.by, Chips(*hand(before, before.actor)).words(), after.moves)
    elif isinstance(event, ev.Chronology) and len(before.chronology) < before.setup.chronology == len(after.chronology):
        yield ChronologyFull()
    if before.fields != after.fields:
        changed = next(at for at, chips in enumerate(zip(before.fields, after.fields, strict=True)) if chips[0] != chips[1])
        if isinstance(event, ev.Remove | ev.Purple):
            yield Back(event.by, CHIPS[before.fields[changed]], names[changed])
        yield from _land(before, changed, after)
    if isinstance(event, ev.Remove) and after.phase == "roll" and (before.actor + 1) % len(seats) != after.main:
        yield NothingLoose()
    yield from _next(before, after)


def _roll(before: State, event: ev.Roll, after: State) -> Iterator[Effect]:
    yield Rolled(event.by, (event.value,))
    if event.value > 1:
        yield DrawEach(event.value)
    elif before.one:
        yield OneAgain()
    elif after.phase == "remove":
        yield Removal(after.setup.seats[after.actor])
    else:
        yield NothingLoose()


def _drew(before: State, event: ev.Draw) -> Drew:
    own, counts = before.setup.colours[before.actor], event.chips.counts()
    return Drew(event.by, event.chips.words(), counts[own], sum(counts) * before.bag[own] / sum(before.bag))


def _land(before: State, at: int, after: State) -> Iterator[Effect]:
    """What the chip that came to `at`, or left it, has changed."""
    board, across = after.setup.board, after.setup.options.groups_cross_blocks
    colour = after.fields[at]
    if colour != EMPTY:
        group = next(group for group in groups(board, after.fields, colour, across) if at in group)
        parts = groups(board, before.fields, colour, across)
        worth = band(len(group))
        if worth > max((band(len(part)) for part in parts if part[0] in group), default=0):
            yield Group(COLOURS[colour], len(group), worth, board.names[at])
    block = board.block[at]
    ahead = leaders(after, block)
    if ahead and ahead != leaders(before, block):
        yield Lead(", ".join(COLOURS[colour] for colour in ahead), block)


def _next(before: State, after: State) -> Iterator[Effect]:
    """The turn, the round or the game that is over."""
    seats = after.setup.seats
    if after.outcome is not None:
        reason = after.outcome.reason
        if reason == "bag":
            yield Short(seats[after.actor], sum(after.bag), after.rolled)
        elif reason == "territory":
            yield Stuck(seats[after.actor], coloured(after, after.actor))
        for colour, scored in zip(COLOURS, points(after), strict=True):
            yield Final(colour, scored.total, scored.chronology, scored.groups, scored.blocks)
        yield Over(after.outcome.winners, reason)
    elif after.round > before.round:
        yield MainPlayer(seats[after.main], after.round)
    elif after.actor != before.actor and after.phase in ("chronology", "action"):
        yield TurnOver(seats[before.actor], seats[after.actor])
