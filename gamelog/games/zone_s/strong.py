"""A bot that looks ahead: a search two actions deep that follows captures further.

Behind the screen it sets up a base that is hard to attack and easy to leave. In play it compares
positions by captures, reserves, distances to the enemy's base, and occupied home tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamelog.games.zone_s.abilities import count_homes_held, leaps, slides
from gamelog.games.zone_s.choices import Choice, actions, choices, decision, sample
from gamelog.games.zone_s.events import Decision
from gamelog.games.zone_s.reducer import apply
from gamelog.games.zone_s.state import State
from gamelog.games.zone_s.victory import destroys_base

_SEARCH_DEPTH = 2
"""Number of actions that are searched in full."""

_MAX_CAPTURES = 2
"""Number of captures in a row that are searched after that."""

_WIN_VALUE = 100_000


def strong(state: State, seat: str, rng: Random) -> Decision:
    """Return the best decision of a search two actions deep. Equal decisions are drawn at random."""
    match state.phase:
        case "play":
            return decision(state, _best(state, rng))
        case "return":
            return decision(
                state, max(choices(state), key=lambda choice: state.setup.roster.kinds[choice[1]].cost)
            )
        case "base" | "tile" | "deploy":
            worth = {"base": _base_value, "tile": _tile_value, "deploy": _deployment_value}[state.phase]
            return decision(
                state, max(choices(state), key=lambda choice: (worth(state, choice), rng.random()))
            )
        case _:
            return sample(state, seat, rng)


def _best(state: State, rng: Random) -> Choice:
    best, bound = [("pass", 0, 0)], -2 * _WIN_VALUE
    for choice in _choices_by_value(state):
        value = -_search(_position_after(state, choice), _SEARCH_DEPTH - 1, -2 * _WIN_VALUE, 1 - bound)
        if value > bound:
            best, bound = [choice], value
        elif value == bound:
            best.append(choice)
    return rng.choice(best)


def _search(state: State, depth: int, low: int, high: int) -> int:
    """Return the value of `state` for the side to move, limited to `low` and `high`."""
    if state.outcome is not None:
        winners = state.outcome.winners
        if not winners:
            return 0
        if winners[0] == state.setup.seats[state.actor]:
            return _WIN_VALUE + depth
        return -_WIN_VALUE - depth
    if depth <= 0:
        if _can_destroy(state):
            return _WIN_VALUE + depth
        low = max(low, _value(state))
        if low >= high or depth <= -_MAX_CAPTURES:
            return low
    for choice in _choices_by_value(state, captures_only=depth <= 0):
        low = max(low, -_search(_position_after(state, choice), depth - 1, -high, -low))
        if low >= high:
            break
    return low


def _position_after(state: State, choice: Choice) -> State:
    """Return the position after `choice`, and after the return of infantry if it is due."""
    after = apply(state, decision(state, choice))
    if after.phase == "return":
        after = apply(after, decision(after, choices(after)[-1]))
    return after


def _choices_by_value(state: State, captures_only: bool = False) -> list[Choice]:
    """Return the possible choices, the most valuable captures first."""
    pieces, kinds = state.pieces, state.setup.roster.kinds
    quiet: list[Choice] = []
    taking: list[tuple[int, Choice]] = []
    for choice in actions(state):
        if choice[0] != "summon" and pieces[choice[2]]:
            taking.append((kinds[pieces[choice[2]]].cost, choice))
        elif not captures_only:
            quiet.append(choice)
    taking.sort(key=lambda pair: -pair[0])
    listed = [choice for _, choice in taking] + quiet
    return listed if listed or captures_only else [("pass", 0, 0)]


def _can_destroy(state: State) -> bool:
    """Return whether the side to move can destroy the enemy's base now."""
    side = state.actor
    if not count_homes_held(state, side):
        return False
    sides = state.setup.roster.sides
    for src, code in enumerate(state.pieces):
        if code and sides[code] == side:
            for dst in _reach(state, src):
                if destroys_base(state, side, dst, src):
                    return True
    return False


def _reach(state: State, src: int) -> Iterator[int]:
    yield from slides(state, src)
    yield from leaps(state, src)


def _value(state: State) -> int:
    """Return the value of a position for the side to move. A point of cost is worth ten."""
    roster, board, bases = state.setup.roster, state.setup.board, state.bases
    kinds, sides = roster.kinds, roster.sides
    totals = [0, 0]
    for at, code in enumerate(state.pieces):
        if code:
            side = sides[code]
            near = board.distance(at, bases[1 - side])
            totals[side] += 10 * kinds[code].cost + 3 * max(0, 6 - near) + 14 * (near == 1)
    for code, count in enumerate(state.reserve):
        if count:
            totals[sides[code]] += 9 * kinds[code].cost * count
    return totals[state.actor] - totals[1 - state.actor]


def _base_value(state: State, choice: Choice) -> float:
    """Return the value of a base on a slot: few home tiles and a long way for the enemy are best."""
    board, at = state.setup.board, choice[1]
    away = at // board.columns if state.actor == 0 else board.rows - 1 - at // board.columns
    return -len(board.neighbours[at]) - 2 * away


def _tile_value(state: State, choice: Choice) -> float:
    """Return the value of a tile on a slot: at home it hinders the enemy, elsewhere it helps its own side."""
    base, at = state.bases[state.actor], choice[1]
    kinds, hand, side = state.setup.roster.kinds, state.hand, state.actor
    worth = 0.0
    for kind in kinds[1:]:
        favour = (kind.preferred == hand) - 0.5 * (kind.difficult == hand) - (kind.restricted == hand)
        leap = kind.special == "leaps_to_hills" and kind.preferred == hand
        worth += kind.count * ((favour + 2 * leap) if kind.side == side else -1.5 * favour - 4 * leap)
    return worth if base in state.setup.board.neighbours[at] else -0.2 * worth


def _deployment_value(state: State, choice: Choice) -> float:
    """Return the value of a deployment: long reach and preferred terrain are best, expensive pieces worst."""
    _, code, at = choice
    kind = state.setup.roster.kinds[code]
    reach = sum(len(ray) for ray in state.setup.board.rays[kind.course][at])
    return (
        0.2 * reach + (state.terrain[at] == kind.preferred) - 0.1 * kind.cost - 0.5 * state.pieces.count(code)
    )
