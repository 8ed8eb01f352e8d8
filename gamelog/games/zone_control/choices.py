"""Legal decisions: the whole list, or one at random."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, islice, product
from math import comb
from random import Random
from typing import TypeVar

from gamelog.game import Legal
from gamelog.games.zone_control.board import NONE, SQUARES_PER_ZONE
from gamelog.games.zone_control.events import Challenge, Decision, EndTurn, Event, Occupy, Step
from gamelog.games.zone_control.rules import ENTERABLE_OWNERS
from gamelog.games.zone_control.state import EMPTY, Siege, State
from gamelog.games.zone_control.zones import can_challenge, max_attack, pieces_around

EventT = TypeVar("EventT", bound=Event)
"""Type of the listed decisions."""

MAX_LISTED = 200_000
"""The largest number of challenges, or of ways to move in, that are listed.

If there are more, some examples of each zone and size are listed. On the board ``zc289`` there are never
more: full sieges of all nine zones give 146,493 challenges, and eleven pieces have 167,959 ways to move in.
"""


def legal(state: State, seat: str) -> Legal:
    """Return the legal decisions of `seat`, without regard to the clock: none while a roll is due.

    Each set of attackers is listed once, in the board's order. Each set of pieces that move in is listed once
    with each set of squares, the first piece to the first square, because the pieces of a player are alike.
    """
    names, by = state.setup.board.names, state.setup.seats[state.actor]
    if state.phase == "act" and seat == by:
        moves = (Step(0, 0, by, names[src], names[dst]) for src, dst in steps(state))
        challenges, cut = _list_events(list(_challenges(state)))
        complete = all(len(event.attackers) == 1 for event in challenges)
        return Legal((*moves, EndTurn(0, 0, by), *challenges), complete, cut)
    if state.phase == "occupy" and state.siege is not None and seat == _winner(state, state.siege):
        ways, cut = _list_events(list(_move_in_groups(state, state.siege)))
        return Legal(ways, len(state.siege.attackers) == 1, cut)
    return Legal(())


def sample(state: State, seat: str, rng: Random) -> Decision:
    """Return a random legal decision of `seat`, the player to move.

    If possible, one decision in four is a challenge. The others are steps.
    """
    board = state.setup.board
    if state.siege is not None:
        return _move_in(state, state.siege, rng)
    if rng.random() < 0.25:
        sieges = challengeable_zones(state)
        if sieges:
            zone, most = rng.choice(sieges)
            size = most if state.setup.options.attack_size == "full" else rng.randint(1, most)
            attackers = rng.sample(pieces_around(state, zone, state.actor), size)
            return Challenge(0, 0, seat, board.zones[zone], tuple(board.names[at] for at in attackers))
    moves = steps(state)
    if not moves:
        return EndTurn(0, 0, seat)
    src, dst = rng.choice(moves)
    return Step(0, 0, seat, board.names[src], board.names[dst])


def steps(state: State) -> list[tuple[int, int]]:
    """Return the steps that the actor can take: origin and target (ZC-5 to ZC-10)."""
    if state.points < 1:
        return []
    board, squares, actor = state.setup.board, state.squares, state.actor
    neighbours, zone_of, home_of = board.neighbours, board.zone_of, board.home_of
    closed = closed_zones(state)
    moves: list[tuple[int, int]] = []
    src = squares.find(actor)
    while src >= 0:
        moves += [
            (src, dst)
            for dst in neighbours[src]
            if squares[dst] == EMPTY
            and zone_of[dst] not in closed
            and (home_of[dst] == NONE or home_of[dst] == actor)
        ]
        src = squares.find(actor, src + 1)
    return moves


def closed_zones(state: State) -> frozenset[int]:
    """Return the zones that the actor cannot enter by steps, because others have pieces there (ZC-10)."""
    board, squares, own = state.setup.board, state.squares, ENTERABLE_OWNERS[state.actor]
    return frozenset(
        zone
        for zone, lo in enumerate(range(board.zones_from, board.homes_from, SQUARES_PER_ZONE))
        if squares[lo : lo + SQUARES_PER_ZONE].translate(None, own)
    )


def challengeable_zones(state: State) -> list[tuple[int, int]]:
    """Return the zones that the actor can challenge, each with the largest number of dice (ZC-15, ZC-18)."""
    zones = ((zone, max_attack(state, zone, state.actor)) for zone in closed_zones(state))
    return sorted((zone, most) for zone, most in zones if most and can_challenge(state, zone))


def _list_events(groups: list[tuple[int, Iterator[EventT]]]) -> tuple[tuple[EventT, ...], bool]:
    """Return the events of `groups`, which come with their numbers, and whether the list is cut."""
    if sum(count for count, _ in groups) <= MAX_LISTED:
        return tuple(event for _, group in groups for event in group), False
    share = MAX_LISTED // len(groups)
    return tuple(event for _, group in groups for event in islice(group, share)), True


def _challenges(state: State) -> Iterator[tuple[int, Iterator[Challenge]]]:
    """Yield the challenges of each zone with each number of attackers: their number, and the events."""
    by, board = state.setup.seats[state.actor], state.setup.board
    for zone, most in challengeable_zones(state):
        at = board.zones[zone]
        smallest = most if state.setup.options.attack_size == "full" else 1
        pieces = [board.names[square] for square in pieces_around(state, zone, state.actor)]
        for size in range(smallest, most + 1):
            yield comb(len(pieces), size), map(partial(Challenge, 0, 0, by, at), combinations(pieces, size))


def _sizes(state: State, siege: Siege) -> range:
    """Return the possible numbers of pieces that move in (ZC-A17)."""
    fit = min(len(siege.attackers), SQUARES_PER_ZONE)
    return range(fit if state.setup.options.move_in == "all_fit" else 1, fit + 1)


def _move_in_groups(state: State, siege: Siege) -> Iterator[tuple[int, Iterator[Occupy]]]:
    """Yield the ways to move in with each number of pieces: their number, and the events."""
    board = state.setup.board
    lo, attackers = board.zones_from + SQUARES_PER_ZONE * siege.zone, len(siege.attackers)
    way_in = partial(Occupy, 0, 0, _winner(state, siege), board.zones[siege.zone])
    moving, inside = (
        [board.names[at] for at in sorted(siege.attackers)],
        board.names[lo : lo + SQUARES_PER_ZONE],
    )
    for size in _sizes(state, siege):
        pairs = product(combinations(moving, size), combinations(inside, size))
        ways = (way_in(dict(zip(pieces, squares, strict=True))) for pieces, squares in pairs)
        yield comb(attackers, size) * comb(SQUARES_PER_ZONE, size), ways


def _move_in(state: State, siege: Siege, rng: Random) -> Occupy:
    """Return a random way to move into the zone."""
    board = state.setup.board
    lo, size = board.zones_from + SQUARES_PER_ZONE * siege.zone, rng.choice(_sizes(state, siege))
    pairs = zip(
        rng.sample(siege.attackers, size), rng.sample(range(lo, lo + SQUARES_PER_ZONE), size), strict=True
    )
    placement = {board.names[src]: board.names[dst] for src, dst in pairs}
    return Occupy(0, 0, _winner(state, siege), board.zones[siege.zone], placement)


def _winner(state: State, siege: Siege) -> str:
    """Return the seat that attacks, which moves in after a victory."""
    return state.setup.seats[state.squares[siege.attackers[0]]]
