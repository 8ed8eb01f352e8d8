"""The state after an event.

If an illegal event was played anyway, `apply` does what the players did on the table: the piece is
where it was put, on any terrain, and the turn goes to the other side. Each function raises `CannotApply` if
an event is physically impossible: an unknown slot, a missing piece, two pieces on one tile, a tile
from an empty bag.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Outcome, Results
from gamelog.games.kit.cells import put
from gamelog.games.zone_s import events as ev
from gamelog.games.zone_s.abilities import can_deploy
from gamelog.games.zone_s.events import Chance, Event
from gamelog.games.zone_s.roster import NUMBERS
from gamelog.games.zone_s.state import BASE, NOWHERE, OPEN, State, captured_count, tiles_left
from gamelog.games.zone_s.victory import by_value, destroys_base, guard, without_reserve


def apply(state: State, event: Event) -> State:
    """Return the state after `event`, legal or not.

    Raises:
        CannotApply: The event is impossible.
    """
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """Return the chance event that is due, with these results.

    Two results are joined into one unknown word, which `check` refuses.
    """
    drawn: Any = "+".join(map(str, results[0]))
    if state.phase == "coin":
        return ev.Coin(0, 0, TABLE, drawn)
    return ev.DrawTile(0, 0, state.setup.seats[state.actor], drawn)


def _place_base(state: State, event: ev.PlaceBase) -> State:
    at, (first, second) = _number(state, event.at), state.bases
    half = state.setup.board.halves[at]
    if state.phase != "base" or event.by != state.setup.seats[half] or state.bases[half] != NOWHERE:
        raise CannotApply(f"{event.by} has no base to put on {event.at}.")
    bases = (at, second) if half == 0 else (first, at)
    after = replace(state, terrain=put(state.terrain, at, BASE), bases=bases)
    if NOWHERE in bases:
        return replace(after, actor=bases.index(NOWHERE))
    return replace(after, phase="draw", actor=0)


def _draw_tile(state: State, event: ev.DrawTile) -> State:
    if state.phase != "draw" or event.terrain not in NUMBERS or not tiles_left(state, event.terrain):
        raise CannotApply(f"No tile {event.terrain} can be drawn.")
    hand = NUMBERS[event.terrain]
    return State(
        state.setup, "tile", state.actor, state.terrain, state.pieces, state.reserve, state.bases, hand
    )


def _place_tile(state: State, event: ev.PlaceTile) -> State:
    at = _number(state, event.at)
    setup, actor = state.setup, state.actor
    if state.phase != "tile" or state.terrain[at] != OPEN or setup.board.halves[at] != actor:
        raise CannotApply(f"No tile can be placed on {event.at}.")
    terrain = put(state.terrain, at, state.hand)
    after = State(setup, "draw", 1 - actor, terrain, state.pieces, state.reserve, state.bases)
    return after if OPEN in terrain else _deploy_or_coin(replace(after, actor=0))


def _deploy(state: State, event: ev.Deploy) -> State:
    if state.phase != "deploy":
        raise CannotApply("Pieces are deployed after the tiles and before the coin.")
    code, at = _entering_piece(state, event)
    pieces, reserve = put(state.pieces, at, code), _without_one(state.reserve, code)
    return _deploy_or_coin(replace(state, pieces=pieces, reserve=reserve))


def _coin(state: State, event: ev.Coin) -> State:
    if state.phase != "coin" or event.seat not in state.setup.seats:
        raise CannotApply("No coin is tossed.")
    return replace(state, phase="play", actor=state.setup.seats.index(event.seat))


def _move(state: State, event: ev.Move) -> State:
    """Return the state after a move, which captures, may end the game, and may return infantry."""
    setup, pieces = state.setup, state.pieces
    roster = setup.roster
    side = _acting_side(state, event)
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        raise CannotApply(f"The board has no such slot: {event.src}-{event.dst}.")
    code, there = pieces[src], pieces[dst]
    mover = roster.sides[code]
    if not code:
        raise CannotApply(f"No piece stands on {event.src}.")
    if src == dst or roster.sides[there] == mover or not OPEN < state.terrain[dst] < BASE:
        raise CannotApply(f"The piece on {event.src} has no room on {event.dst}.")
    board = bytearray(pieces)
    board[dst], board[src] = code, 0
    after = bytes(board)
    outcome = None
    if state.bases[1 - mover] in setup.board.neighbours[dst] and destroys_base(state, mover, dst, src):
        outcome = Outcome((setup.seats[mover],), "base")
    if not there:
        history = (*state.history, pieces) if side == state.actor else ()
        return _next_turn(state, side, after, state.reserve, history, outcome)
    kinds = roster.kinds
    if (
        kinds[code].special == "returns_infantry"
        and kinds[there].type == "infantry"
        and _can_return_infantry(state, mover)
    ):
        return State(
            setup,
            "return",
            mover,
            state.terrain,
            after,
            state.reserve,
            state.bases,
            0,
            state.actions,
            (),
            outcome,
        )
    return _next_turn(state, side, after, state.reserve, (), outcome)


def _shoot(state: State, event: ev.Shoot) -> State:
    sides, pieces = state.setup.roster.sides, state.pieces
    side = _acting_side(state, event)
    src, dst = _number(state, event.src), _number(state, event.dst)
    if not pieces[src] or sides[pieces[dst]] != 1 - sides[pieces[src]]:
        raise CannotApply(f"No piece on {event.src} can shoot an enemy on {event.dst}.")
    return _next_turn(state, side, put(pieces, dst, 0), state.reserve, ())


def _summon(state: State, event: ev.Summon) -> State:
    side = _acting_side(state, event)
    code, at = _entering_piece(state, event)
    setup, outcome = state.setup, None
    owner = setup.roster.sides[code]
    if setup.options.summon_destroys and destroys_base(state, owner, at):
        outcome = Outcome((setup.seats[owner],), "base")
    reserve = _without_one(state.reserve, code)
    return _next_turn(state, side, put(state.pieces, at, code), reserve, (), outcome)


def _return_infantry(state: State, event: ev.ReturnInfantry) -> State:
    roster = state.setup.roster
    code = roster.codes.get(event.kind, 0)
    if state.phase != "return" or roster.sides[code] != state.actor or not captured_count(state, code):
        raise CannotApply(f"No {event.kind} can return.")
    reserve = put(state.reserve, code, state.reserve[code] + 1)
    return _next_turn(state, state.actor, state.pieces, reserve, (), state.outcome)


def _pass(state: State, event: ev.Pass) -> State:
    side = _acting_side(state, event)
    history = (*state.history, state.pieces) if side == state.actor else ()
    return _next_turn(state, side, state.pieces, state.reserve, history)


APPLY: dict[type[Event], Callable[[State, Any], State]] = {
    ev.PlaceBase: _place_base,
    ev.DrawTile: _draw_tile,
    ev.PlaceTile: _place_tile,
    ev.Deploy: _deploy,
    ev.Coin: _coin,
    ev.Move: _move,
    ev.Shoot: _shoot,
    ev.Summon: _summon,
    ev.ReturnInfantry: _return_infantry,
    ev.Pass: _pass,
}
"""By kind of event: the function that applies it."""


def _deploy_or_coin(state: State) -> State:
    """Return `state` with the next side to deploy, or with the coin due if no side can deploy (ZS-A38)."""
    for side in range(state.actor, len(state.setup.seats)):
        if can_deploy(state, side):
            return replace(state, phase="deploy", actor=side)
    return replace(state, phase="coin", actor=0)


def _can_return_infantry(state: State, side: int) -> bool:
    """Return whether any infantry of `side` is captured (ZS-A20)."""
    roster = state.setup.roster
    return any(
        roster.kinds[code].type == "infantry" and captured_count(state, code) > 0 for code in roster.own[side]
    )


def _next_turn(
    state: State,
    side: int,
    pieces: bytes,
    reserve: bytes,
    history: tuple[bytes, ...],
    outcome: Outcome | None = None,
) -> State:
    """Return the position after an action of `side`: the other side's turn, or the end of the game."""
    setup, actions = state.setup, state.actions + 1
    after = State(
        setup, "play", 1 - side, state.terrain, pieces, reserve, state.bases, 0, actions, history, None
    )
    if outcome is not None:
        loser = 1 - setup.seats.index(outcome.winners[0])
        return replace(after, phase="over", reserve=without_reserve(after, loser), outcome=outcome)
    reason = guard(after)
    return after if reason is None else replace(after, phase="over", outcome=by_value(after, reason))


def _acting_side(state: State, event: Event) -> int:
    """Return the side that acts.

    If the players forgot the infantry that must return and played on, it stays captured.
    """
    try:
        side = state.setup.seats.index(event.by)
    except ValueError:
        raise CannotApply(f"{event.by} has no pieces.") from None
    if state.phase != "play" and (state.phase != "return" or state.outcome is not None):
        raise CannotApply("Pieces act after the coin and until the game is over.")
    return side


def _entering_piece(state: State, event: ev.Summon | ev.Deploy) -> tuple[int, int]:
    """Return the code and the place of a piece that comes from the reserve to a free tile."""
    code, at = state.setup.roster.codes.get(event.kind, 0), _number(state, event.at)
    if not state.reserve[code]:
        raise CannotApply(f"No {event.kind} is in reserve.")
    if state.pieces[at] or not OPEN < state.terrain[at] < BASE:
        raise CannotApply(f"There is no room on {event.at}.")
    return code, at


def _number(state: State, name: str) -> int:
    try:
        return state.setup.board.index[name]
    except KeyError:
        raise CannotApply(f'The board has no slot "{name}".') from None


def _without_one(reserve: bytes, code: int) -> bytes:
    return put(reserve, code, reserve[code] - 1)
