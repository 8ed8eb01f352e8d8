"""A simple bot that keeps its chips together."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from gamelog.games.gp02a_territory import events as ev
from gamelog.games.gp02a_territory.chips import count_coloured, hand, has_purple
from gamelog.games.gp02a_territory.choices import (
    blocks_with_room,
    can_return_alone,
    free_fields,
    landing_fields,
    liftable_fields,
    purple_targets,
    removable_fields,
    sample,
)
from gamelog.games.gp02a_territory.events import Decision
from gamelog.games.gp02a_territory.state import CHIPS, PURPLE, State


def greedy(state: State, seat: str, rng: Random) -> Decision:
    """Return a decision that joins own chips and separates rivals' chips.

    The bot keeps card 2, and moves only if it must.
    """
    own, names = state.setup.colours[state.actor], state.setup.board.names
    match state.phase:
        case "distribute":
            return ev.Distribute(
                0, 0, seat, hand_out(state, [(rng.random(), other) for other in state.setup.seats])
            )
        case "remove":
            return ev.Remove(0, 0, seat, names[_strongest(state, removable_fields(state), own, rng)])
        case "chronology":
            held = _held_kinds(state)
            return ev.Chronology(0, 0, seat, CHIPS[own if own in held else rng.choice(held)])
        case "lift":
            return ev.Lift(
                0,
                0,
                seat,
                names[
                    min(liftable_fields(state), key=lambda at: (count_friends(state, at, own), rng.random()))
                ],
            )
        case "put":
            return ev.Put(
                0,
                0,
                seat,
                names[
                    max(landing_fields(state), key=lambda at: (count_friends(state, at, own), rng.random()))
                ],
            )
        case "place" if count_coloured(state, state.actor):
            colour = own if own in _held_kinds(state) else rng.choice(_held_kinds(state))
            sign = 1 if colour == own else -1
            free = free_fields(state, state.block)
            at = max(free, key=lambda at: (sign * count_friends(state, at, colour), rng.random()))
            return ev.Place(0, 0, seat, CHIPS[colour], names[at])
        case "action" if count_coloured(state, state.actor) and (blocks := list(blocks_with_room(state))):
            return ev.ChooseBlock(
                0, 0, seat, max(blocks, key=lambda block: (_count(state, block, own), rng.random()))
            )
    if has_purple(state, state.actor):
        if can_return_alone(state):
            return ev.Purple(0, 0, seat)
        aims = list(purple_targets(state))
        if aims:
            return ev.Purple(0, 0, seat, names[_strongest(state, aims, own, rng)])
    return sample(state, seat, rng)


def hand_out(state: State, standing: list[tuple[float, str]]) -> dict[str, int]:
    """Return a deal that keeps card 2 and gives the others 1, 3, 4, from the highest of `standing` down."""
    seat = state.setup.seats[state.actor]
    others = [other for _, other in sorted(standing, reverse=True) if other != seat]
    rest = [card for card in state.setup.deck if card != 2]
    return {seat: 2, **dict(zip(others, rest, strict=True))}


def count_friends(state: State, at: int, colour: int) -> int:
    """Return the number of chips of `colour` next to the field `at`."""
    return sum(state.fields[near] == colour for near in state.setup.board.neighbours[at])


def _held_kinds(state: State) -> list[int]:
    return [colour for colour, count in enumerate(hand(state, state.actor)[:PURPLE]) if count]


def _count(state: State, block: int, colour: int) -> int:
    first, _, end = state.setup.board.spans[block - 1]
    return state.fields.count(colour, first, end)


def _strongest(state: State, fields: Iterable[int], own: int, rng: Random) -> int:
    """Return the field of the best chip to remove: a rival's chip with the most friends, own chips last."""
    chips = state.fields
    return max(fields, key=lambda at: (chips[at] != own, count_friends(state, at, chips[at]), rng.random()))
