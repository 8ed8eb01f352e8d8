"""The state after an event.

`apply` also carries out an illegal event that was played anyway, as it happened on the table. A piece stands
where the player put it, however far away, and a challenge out of turn is fought. The turn does not change.
Each function raises `CannotApply` for events that are impossible at a table: a second piece on a square, a
face that no die has, or a challenge of a zone without defenders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Results
from gamelog.games.kit.dice import FACES
from gamelog.games.kit.roll_off import highest_rollers
from gamelog.games.zone_control import events as ev
from gamelog.games.zone_control.events import Chance, Event
from gamelog.games.zone_control.state import EMPTY, MINUTE, Siege, State
from gamelog.games.zone_control.victory import after_final_roll, final_score
from gamelog.games.zone_control.zones import holder, moves_home


def apply(state: State, event: Event) -> State:
    """Return the state after `event`, legal or not.

    Raises:
        CannotApply: The event is impossible at a table.
    """
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """Return the chance event that is due, with these results.

    A start roll leaves out the seats that did not roll one die.
    """
    seats = state.setup.seats
    dice = [tuple(int(face) for face in result) for result in results]
    if state.siege is not None:
        defence, attack = dice
        return ev.ChallengeRoll(0, 0, seats[state.squares[state.siege.attackers[0]]], defence, attack)
    if state.phase == "move_roll":
        return ev.MoveRoll(0, 0, seats[state.actor], dice[0])
    rolls = {seats[seat]: faces for seat, faces in zip(state.rolling, dice, strict=True)}
    if state.phase == "final_roll":
        return ev.FinalRoll(0, 0, TABLE, rolls)
    return ev.StartRoll(0, 0, TABLE, {seat: faces[0] for seat, faces in rolls.items() if len(faces) == 1})


def _start_roll(state: State, event: ev.StartRoll) -> State:
    if state.phase != "start_roll":
        raise CannotApply("This roll is not due.")
    first, *tied = highest_rollers(state.rolling, state.setup.seats, event.rolls)
    if tied:
        return replace(state, rolling=(first, *tied))
    return replace(state, phase="move_roll", turn=1, actor=first, first=first, rolling=())


def _move_roll(state: State, event: ev.MoveRoll) -> State:
    """Return the state after a movement roll. The first roll starts the clock."""
    setup = state.setup
    if (
        state.phase not in ("move_roll", "act")
        or event.by != setup.seats[state.actor]
        or not FACES.issuperset(event.dice)
    ):
        raise CannotApply(f"{event.by} cannot roll the movement dice now, or no die shows these faces.")
    deadline = state.deadline
    if deadline is None and setup.options.clock_minutes is not None:
        deadline = event.t + setup.options.clock_minutes * MINUTE
    return replace(state, phase="act", points=sum(event.dice), deadline=deadline)


def _step(state: State, event: ev.Step) -> State:
    """Return the state after a step, which uses up one point of the player to move."""
    setup, points = state.setup, state.points
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        raise CannotApply(f'The board has no square "{event.src if src is None else event.dst}".')
    squares = bytearray(state.squares)
    if squares[src] == EMPTY or squares[dst] != EMPTY:
        raise CannotApply(
            f"A piece moves from an occupied square to an empty square, not from {event.src} to {event.dst}."
        )
    if state.phase == "act":
        if points and event.by == setup.seats[state.actor]:
            points -= 1
    elif state.phase != "move_roll":
        raise CannotApply("Pieces move only during turns, and not between a challenge and its result.")
    squares[dst] = squares[src]
    squares[src] = EMPTY
    return replace(state, points=points, squares=bytes(squares))


def _challenge(state: State, event: ev.Challenge) -> State:
    """Return the state in which the challenge waits for its dice."""
    setup, squares = state.setup, state.squares
    if state.phase not in ("act", "move_roll"):
        raise CannotApply("A zone can be challenged only during a turn, and only one at a time.")
    zone = setup.board.zone_index.get(event.at)
    attackers = tuple(setup.board.index.get(name, -1) for name in event.attackers)
    if zone is None or -1 in attackers:
        raise CannotApply("The board has no such zone or square.")
    owners = {squares[at] for at in attackers}
    held = holder(state, zone)
    if len(owners) != 1 or owners & {EMPTY, held} or held == EMPTY or len(set(attackers)) != len(attackers):
        raise CannotApply(
            f"A challenge of zone {event.at} needs one attacking player and one defending player."
        )
    siege = Siege(zone, attackers, state.phase)
    return replace(state, phase="challenge_roll", siege=siege, challenged=(*state.challenged, zone))


def _challenge_roll(state: State, event: ev.ChallengeRoll) -> State:
    """Return the state after the dice of a challenge. The losing pieces are at home."""
    siege = state.siege
    if siege is None or state.phase != "challenge_roll" or not FACES.issuperset(event.defence + event.attack):
        raise CannotApply("No challenge waits for its dice, or no die shows these faces.")
    won = sum(event.attack) > sum(event.defence)
    squares = bytearray(state.squares)
    for src, dst in moves_home(state, siege, won):
        squares[dst] = squares[src]
        squares[src] = EMPTY
    if won:
        return replace(state, phase="occupy", squares=bytes(squares))
    return _after_challenge(state, siege, bytes(squares))


def _occupy(state: State, event: ev.Occupy) -> State:
    """Return the state after the winner of a challenge moved into the zone."""
    siege, index = state.siege, state.setup.board.index
    if siege is None or state.phase != "occupy":
        raise CannotApply("No challenge is won.")
    leave = [index.get(name, -1) for name in event.placement]
    enter = [index.get(name, -1) for name in event.placement.values()]
    if -1 in leave or -1 in enter:
        raise CannotApply("The board has no such square.")
    squares = bytearray(state.squares)
    owners = {squares[at] for at in leave}
    for at in leave:
        squares[at] = EMPTY
    room = all(squares[at] == EMPTY for at in enter) and len(set(enter)) == len(enter)
    if EMPTY in owners or len(owners) > 1 or not room:
        raise CannotApply("The pieces of one player move in, each to a separate empty square.")
    for at in enter:
        squares[at] = min(owners)
    return _after_challenge(state, siege, bytes(squares))


def _end_turn(state: State, event: ev.EndTurn) -> State:
    setup = state.setup
    if state.phase not in ("act", "move_roll") or event.by != setup.seats[state.actor]:
        raise CannotApply(f"{event.by} has no turn to end.")
    if state.turn == setup.options.turn_limit:
        return final_score(state)
    actor = (state.actor + 1) % len(setup.seats)
    return replace(state, phase="move_roll", turn=state.turn + 1, actor=actor, points=0, challenged=())


def _time_up(state: State, _event: ev.TimeUp) -> State:
    if state.called or state.phase in ("final_roll", "over"):
        raise CannotApply("Time has already been called.")
    return (
        replace(state, called=True) if state.siege is not None else final_score(replace(state, called=True))
    )


def _final_roll(state: State, event: ev.FinalRoll) -> State:
    if state.phase != "final_roll":
        raise CannotApply("This roll is not due.")
    sums = {seat: sum(dice) for seat, dice in event.rolls.items()}
    return after_final_roll(state, highest_rollers(state.rolling, state.setup.seats, sums))


APPLY: dict[type[Event], Callable[[State, Any], State]] = {
    ev.StartRoll: _start_roll,
    ev.MoveRoll: _move_roll,
    ev.Step: _step,
    ev.Challenge: _challenge,
    ev.ChallengeRoll: _challenge_roll,
    ev.Occupy: _occupy,
    ev.EndTurn: _end_turn,
    ev.TimeUp: _time_up,
    ev.FinalRoll: _final_roll,
}
"""The function that applies each kind of event."""


def _after_challenge(state: State, siege: Siege, squares: bytes) -> State:
    """Return the state after a challenge. The game ends if time was called during it (ZC-A22)."""
    after = replace(state, phase=siege.resume, squares=squares, siege=None)
    return final_score(after) if state.called else after
