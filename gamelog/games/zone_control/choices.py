"""What may be done: every legal decision, or one of them at random."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, islice, product
from math import comb
from random import Random
from typing import TypeVar

from gamelog.game import Legal
from gamelog.games.zone_control.board import NONE, ZONE_SIZE
from gamelog.games.zone_control.events import Challenge, Decision, EndTurn, Event, Occupy, Step
from gamelog.games.zone_control.rules import ALLOWED
from gamelog.games.zone_control.state import EMPTY, Siege, State
from gamelog.games.zone_control.zones import around, max_attack, may_challenge

D = TypeVar("D", bound=Event)

MAX_LISTED = 200_000
"""If there are more challenges, or more ways to move in, than this, only examples are listed: of each zone
and size some.

On the board `zc289` there never are: full sieges of all nine zones would give 146,493 challenges, and eleven
who move in as they choose have 167,959 ways.
"""


def legal(state: State, seat: str) -> Legal:
    """The decisions legal for `seat` now, whatever the clock shows; none while dice are owed, or at the end.

    Every set of attackers is listed once, in the board's order. So is every set of pieces that move in on
    every set of squares, the first to the first, for pieces of one player are alike.
    """
    names, by = state.setup.board.names, state.setup.seats[state.actor]
    if state.phase == "act" and seat == by:
        moves = (Step(0, 0, by, names[src], names[dst]) for src, dst in steps(state))
        challenges, cut = _listed(list(_challenges(state)))
        complete = all(len(event.attackers) == 1 for event in challenges)
        return Legal((*moves, EndTurn(0, 0, by), *challenges), complete, cut)
    if state.phase == "occupy" and state.siege is not None and seat == _winner(state, state.siege):
        ways, cut = _listed(list(_ways_in(state, state.siege)))
        return Legal(ways, len(state.siege.attackers) == 1, cut)
    return Legal(())


def sample(state: State, seat: str, rng: Random) -> Decision:
    """A legal decision of `seat`, which is to act.

    In one of four cases a challenge, where there is one; else any step while any are left.
    """
    board = state.setup.board
    if state.siege is not None:
        return _move_in(state, state.siege, rng)
    if rng.random() < 0.25:
        sieges = challengeable(state)
        if sieges:
            zone, most = rng.choice(sieges)
            size = most if state.setup.options.attack_size == "full" else rng.randint(1, most)
            attackers = rng.sample(around(state, zone, state.actor), size)
            return Challenge(0, 0, seat, board.zones[zone], tuple(board.names[at] for at in attackers))
    moves = steps(state)
    if not moves:
        return EndTurn(0, 0, seat)
    src, dst = rng.choice(moves)
    return Step(0, 0, seat, board.names[src], board.names[dst])


def steps(state: State) -> list[tuple[int, int]]:
    """The steps that the actor can take, from and to (ZC-5 to ZC-10)."""
    if state.points < 1:
        return []
    board, squares, actor = state.setup.board, state.squares, state.actor
    neighbours, zone_of, home_of = board.neighbours, board.zone_of, board.home_of
    closed = closed_zones(state)
    found: list[tuple[int, int]] = []
    src = squares.find(actor)
    while src >= 0:
        found += [
            (src, dst)
            for dst in neighbours[src]
            if squares[dst] == EMPTY
            and zone_of[dst] not in closed
            and (home_of[dst] == NONE or home_of[dst] == actor)
        ]
        src = squares.find(actor, src + 1)
    return found


def closed_zones(state: State) -> frozenset[int]:
    """The zones that the actor cannot enter by steps, since others stand in them (ZC-10)."""
    board, squares, own = state.setup.board, state.squares, ALLOWED[state.actor]
    return frozenset(
        zone
        for zone, lo in enumerate(range(board.zones_from, board.homes_from, ZONE_SIZE))
        if squares[lo : lo + ZONE_SIZE].translate(None, own)
    )


def challengeable(state: State) -> list[tuple[int, int]]:
    """The zones that the actor can challenge, each with the most dice it may do so with (ZC-15, ZC-18)."""
    found = ((zone, max_attack(state, zone, state.actor)) for zone in closed_zones(state))
    return sorted((zone, most) for zone, most in found if most and may_challenge(state, zone))


def _listed(groups: list[tuple[int, Iterator[D]]]) -> tuple[tuple[D, ...], bool]:
    """The events of `groups`, each of which knows its number; and whether some were too many to list."""
    if sum(count for count, _ in groups) <= MAX_LISTED:
        return tuple(event for _, group in groups for event in group), False
    share = MAX_LISTED // len(groups)
    return tuple(event for _, group in groups for event in islice(group, share)), True


def _challenges(state: State) -> Iterator[tuple[int, Iterator[Challenge]]]:
    """The challenges of each zone with each number of attackers: how many, and which."""
    by, board = state.setup.seats[state.actor], state.setup.board
    for zone, most in challengeable(state):
        at = board.zones[zone]
        smallest = most if state.setup.options.attack_size == "full" else 1
        pieces = [board.names[square] for square in around(state, zone, state.actor)]
        for size in range(smallest, most + 1):
            yield comb(len(pieces), size), map(partial(Challenge, 0, 0, by, at), combinations(pieces, size))


def _sizes(state: State, siege: Siege) -> range:
    """How many pieces may move in (ZC-A17)."""
    fit = min(len(siege.attackers), ZONE_SIZE)
    return range(fit if state.setup.options.move_in == "all_fit" else 1, fit + 1)


def _ways_in(state: State, siege: Siege) -> Iterator[tuple[int, Iterator[Occupy]]]:
    """The ways to move in with each number of pieces: how many, and which."""
    board = state.setup.board
    lo, attackers = board.zones_from + ZONE_SIZE * siege.zone, len(siege.attackers)
    way_in = partial(Occupy, 0, 0, _winner(state, siege), board.zones[siege.zone])
    moving, inside = [board.names[at] for at in sorted(siege.attackers)], board.names[lo : lo + ZONE_SIZE]
    for size in _sizes(state, siege):
        pairs = product(combinations(moving, size), combinations(inside, size))
        ways = (way_in(dict(zip(pieces, squares, strict=True))) for pieces, squares in pairs)
        yield comb(attackers, size) * comb(ZONE_SIZE, size), ways


def _move_in(state: State, siege: Siege, rng: Random) -> Occupy:
    board = state.setup.board
    lo, size = board.zones_from + ZONE_SIZE * siege.zone, rng.choice(_sizes(state, siege))
    pairs = zip(rng.sample(siege.attackers, size), rng.sample(range(lo, lo + ZONE_SIZE), size), strict=True)
    placement = {board.names[src]: board.names[dst] for src, dst in pairs}
    return Occupy(0, 0, _winner(state, siege), board.zones[siege.zone], placement)


def _winner(state: State, siege: Siege) -> str:
    return state.setup.seats[state.squares[siege.attackers[0]]]
