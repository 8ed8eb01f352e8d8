"""Declared positions, for games whose moves were not recorded."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.game import Message, Outcome
from gamelog.games.dice_flags.army import CARRIERS, MEN, NUMBER
from gamelog.games.dice_flags.board import FLAG, GRID
from gamelog.games.dice_flags.landing import end_game
from gamelog.games.dice_flags.moves import can_rescue, has_men
from gamelog.games.dice_flags.state import CARRIED, PRISON, State, base_at
from gamelog.games.dice_flags.victory import by_flags, by_guard


class Declared(Struct, frozen=True):
    """The members of `gamelog.games.dice_flags.scene.describe` that a declaration can give.

    The position is before a roll. ``phase`` is ``orders`` if the general may still rescue. By default, it
    is ``orders`` if a rescue is possible.
    """

    on_turn: str
    first: str
    turn: int
    quiet_since: int
    phase: Literal["orders", "roll"] | None = None
    again: int = 0
    soldiers: dict[str, dict[str, str]] = {}
    flags: dict[str, str | tuple[str, str]] = {}
    surrendered: tuple[str, ...] = ()


def declare(now: State, words: dict[str, Any]) -> State:
    """Return the position that `words` describe. Members that are missing are taken from `now`.

    ``on_turn`` must agree with ``turn`` and ``first``. If the position is decided, the game is over in it.

    Raises:
        ValueError: The position is impossible.
        KeyError: `words` name a space or soldier that does not exist.
        msgspec.ValidationError: `words` have the wrong members or types.
    """
    given = msgspec.convert({"quiet_since": now.quiet_since} | words, Declared)
    setup = now.setup
    board, seats = setup.board, setup.seats
    prisons = {board.bases[home].prison.name: PRISON + army for army, home in enumerate(setup.homes)}
    places, flags = bytearray(now.places), bytearray(now.flags)
    for seat, men in given.soldiers.items():
        for name, at in men.items():
            places[_soldier(seats, seat, name)] = prisons[at] if at in prisons else board.index[at]
    for flag, where in given.flags.items():
        which = {board.bases[base].seat: number for number, base in enumerate(setup.flags)}[flag]
        if isinstance(where, str) and board.kinds[board.index[where]] != FLAG:
            raise ValueError(
                Message.of(
                    "the flag of {seat} must be carried or on a flag square, not on {=at}",
                    seat=flag,
                    at=where,
                )
            )
        flags[which] = (
            base_at(board, board.index[where])
            if isinstance(where, str)
            else CARRIED + _soldier(seats, *where)
        )
    army = seats.index(given.on_turn)
    rescue = not given.again and can_rescue(setup, bytes(places), army)
    state = State(
        setup,
        "orders" if rescue and given.phase != "roll" else "roll",
        given.turn,
        seats.index(given.first),
        bytes(places),
        bytes(flags),
        given.quiet_since,
        again=given.again,
        surrendered=tuple(seats.index(seat) for seat in given.surrendered),
    )
    problem = _position_problem(state, army)
    if problem:
        raise ValueError(problem)
    outcome = _outcome(state)
    return state if outcome is None else end_game(state, outcome)


def _soldier(seats: tuple[str, ...], seat: str, name: str) -> int:
    return seats.index(seat) * MEN + NUMBER[name]


def _outcome(state: State) -> Outcome | None:
    """Return the outcome if the game is decided: by resignations, by flags, or by too many quiet rounds.

    With ``win_by_capture=false`` all flags on one flag square win only when a carrier lands there (DF-A18).
    """
    setup, options = state.setup, state.setup.options
    rest = [seat for army, seat in enumerate(setup.seats) if army not in state.surrendered]
    if len(rest) == 1:
        return Outcome((rest[0],), "surrender")
    if options.win_by_capture and (outcome := by_flags(state)):
        return outcome
    quiet = state.turn - state.quiet_since >= options.quiet_rounds * len(setup.seats)
    return by_guard(state, "quiet") if quiet else None


def _position_problem(state: State, army: int) -> Message | None:
    """Return the reason why no game can have this position with `army` to move, or None."""
    setup, options, armies = state.setup, state.setup.options, len(state.setup.seats)
    kinds, names = setup.board.kinds, setup.board.names
    if not 0 <= state.quiet_since <= state.turn + 1 <= options.max_rounds * armies:
        return Message.of(
            "the number of the turn must be from 0 to {n}, and the number of the last turn with a capture, "
            "rescue or flag must be from 0 to the next turn",
            n=options.max_rounds * armies - 1,
        )
    if not 0 <= state.again <= (state.again if options.max_doubles is None else options.max_doubles):
        return Message.of(
            "{n} extra {n:roll|rolls} from doubles {n:is|are} not possible in this game",
            n=state.again,
        )
    if (state.first + state.turn) % armies != army:
        return Message.of(
            "if {first} began, turn {n} is not the turn of {seat}",
            n=state.turn,
            seat=setup.seats[army],
            first=setup.seats[state.first],
        )
    if army in state.surrendered or not has_men(state.places, army):
        return Message.of(
            "{seat} has resigned or has no free soldier; declare the turn of the next army",
            seat=setup.seats[army],
        )
    if any(
        at >= PRISON and at - PRISON in (soldier // MEN, *range(armies, 256))
        for soldier, at in enumerate(state.places)
    ):
        return Message.of("every soldier must be on the board or in an enemy's prison")
    for at, count in Counter(at for at in state.places if at < PRISON).items():
        if count > (1 if kinds[at] in (GRID, FLAG) else 2):
            return Message.of("{=at} has no room for {n} soldiers", at=names[at], n=count)
        if len({soldier // MEN for soldier, place in enumerate(state.places) if place == at}) > 1:
            return Message.of("soldiers of several armies are on {=at}", at=names[at])
    carried = Counter(at - CARRIED for at in state.flags if at >= CARRIED)
    for soldier, count in carried.items():
        if soldier not in CARRIERS or state.places[soldier] >= PRISON or count > options.carry_limit:
            return Message.of(
                "only flag carriers on the board can carry flags, and each can carry at most {n}",
                n=options.carry_limit,
            )
    return None
