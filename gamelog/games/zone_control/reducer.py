"""What happens: the state after an event.

Of an illegal event that was played all the same, `apply` does what a hand on the table did and
leaves the turn where it was: a piece stands where it was put, however far away, a challenge out of
turn is fought. `CannotApply` is raised for what no hand could do, or what the position has no
room for: a second piece on a square, a face that no die has, a challenge of a zone in which
nobody defends.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Results
from gamelog.games.kit.dice import FACES
from gamelog.games.zone_control.events import (
    Challenge,
    ChallengeRoll,
    Chance,
    EndTurn,
    Event,
    FinalRoll,
    MoveRoll,
    Occupy,
    StartRoll,
    Step,
    TimeUp,
)
from gamelog.games.zone_control.state import EMPTY, MINUTE, Siege, State
from gamelog.games.zone_control.victory import final_score, rolled_off
from gamelog.games.zone_control.zones import holder, sent_home


def apply(state: State, event: Event) -> State:
    """The state after `event`. Raises `CannotApply`; nothing is checked beyond what that needs."""
    if type(event) is Step:
        return _step(state, event)
    if type(event) is EndTurn:
        return _end_turn(state, event)
    if type(event) is MoveRoll:
        return _move_roll(state, event)
    if type(event) is Challenge:
        return _challenge(state, event)
    if type(event) is ChallengeRoll:
        return _challenge_roll(state, event)
    if type(event) is Occupy:
        return _occupy(state, event)
    if type(event) is StartRoll:
        return _start_roll(state, event)
    if type(event) is TimeUp:
        return _time_up(state)
    if type(event) is FinalRoll:
        return _final_roll(state, event)
    assert_never(event)


def chance(state: State, results: Results) -> Chance:
    """The chance event that is owed, with these results. A seat that threw no single die is left out of the start roll."""
    seats = state.setup.seats
    dice = [tuple(int(face) for face in result) for result in results]
    if state.siege is not None:
        defence, attack = dice
        return ChallengeRoll(0, 0, seats[state.squares[state.siege.attackers[0]]], defence, attack)
    if state.phase == "move_roll":
        return MoveRoll(0, 0, seats[state.actor], dice[0])
    rolls = {seats[seat]: faces for seat, faces in zip(state.rolling, dice, strict=True)}
    if state.phase == "final_roll":
        return FinalRoll(0, 0, TABLE, rolls)
    return StartRoll(0, 0, TABLE, {seat: faces[0] for seat, faces in rolls.items() if len(faces) == 1})


def _step(state: State, event: Step) -> State:
    setup, phase, points = state.setup, state.phase, state.points
    src, dst = setup.board.index.get(event.src), setup.board.index.get(event.dst)
    if src is None or dst is None:
        raise CannotApply(f'The board has no square "{event.src if src is None else event.dst}".')
    squares = bytearray(state.squares)
    if squares[src] == EMPTY or squares[dst] != EMPTY:
        raise CannotApply(f"A piece moves from a square where one stands to one where none does, not {event.src}-{event.dst}.")
    if phase == "act":
        if points and event.by == setup.seats[state.actor]:
            points -= 1
    elif phase != "move_roll":
        raise CannotApply("Pieces move during the turns, and not between a challenge and what becomes of it.")
    squares[dst] = squares[src]
    squares[src] = EMPTY
    return State(
        setup,
        phase,
        state.turn,
        state.actor,
        points,
        bytes(squares),
        state.first,
        (),
        None,
        state.challenged,
        state.deadline,
    )


def _move_roll(state: State, event: MoveRoll) -> State:
    setup = state.setup
    if state.phase not in ("move_roll", "act") or event.by != setup.seats[state.actor] or not FACES.issuperset(event.dice):
        raise CannotApply(f"{event.by} has no movement dice to roll, or none that show this.")
    deadline = state.deadline
    if deadline is None and setup.options.clock_minutes is not None:
        deadline = event.t + setup.options.clock_minutes * MINUTE
    points = sum(event.dice)
    return State(setup, "act", state.turn, state.actor, points, state.squares, state.first, (), None, state.challenged, deadline)


def _end_turn(state: State, event: EndTurn) -> State:
    setup, turn = state.setup, state.turn
    if state.phase not in ("act", "move_roll") or event.by != setup.seats[state.actor]:
        raise CannotApply(f"{event.by} has no turn to end.")
    if turn == setup.options.turn_limit:
        return final_score(state)
    actor = (state.actor + 1) % len(setup.seats)
    return State(setup, "move_roll", turn + 1, actor, 0, state.squares, state.first, deadline=state.deadline)


def _challenge(state: State, event: Challenge) -> State:
    setup, squares = state.setup, state.squares
    if state.phase not in ("act", "move_roll"):
        raise CannotApply("A zone is challenged during the turns, and one at a time.")
    zone = setup.board.zone_index.get(event.at)
    attackers = tuple(setup.board.index.get(name, -1) for name in event.attackers)
    if zone is None or -1 in attackers:
        raise CannotApply("The board has no such zone or square.")
    owners = {squares[at] for at in attackers}
    held = holder(state, zone)
    if len(owners) != 1 or owners & {EMPTY, held} or held == EMPTY or len(set(attackers)) != len(attackers):
        raise CannotApply(f"There is nobody to fight over zone {event.at}: pieces of one player against those of another.")
    siege = Siege(zone, attackers, state.phase)
    return replace(state, phase="challenge_roll", siege=siege, challenged=(*state.challenged, zone))


def _challenge_roll(state: State, event: ChallengeRoll) -> State:
    siege = state.siege
    if siege is None or state.phase != "challenge_roll" or not FACES.issuperset(event.defence + event.attack):
        raise CannotApply("There is no challenge to roll for, or no die shows this.")
    won = sum(event.attack) > sum(event.defence)
    squares = bytearray(state.squares)
    for src, dst in sent_home(state, siege, won):
        squares[dst] = squares[src]
        squares[src] = EMPTY
    return replace(state, phase="occupy", squares=bytes(squares)) if won else _resumed(state, siege, bytes(squares))


def _resumed(state: State, siege: Siege, squares: bytes) -> State:
    """The turn goes on after a challenge, or the game ends if time was called meanwhile (ZC-A22)."""
    after = replace(state, phase=siege.resume, squares=squares, siege=None)
    return final_score(after) if state.called else after


def _occupy(state: State, event: Occupy) -> State:
    siege, index = state.siege, state.setup.board.index
    if siege is None or state.phase != "occupy":
        raise CannotApply("No zone has been won.")
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
        raise CannotApply("Pieces of one player move in, each to an empty square of its own.")
    for at in enter:
        squares[at] = min(owners)
    return _resumed(state, siege, bytes(squares))


def _start_roll(state: State, event: StartRoll) -> State:
    if state.phase != "start_roll":
        raise CannotApply("Nobody owes these dice.")
    first, *tied = _highest(state, event.rolls)
    if tied:
        return replace(state, rolling=(first, *tied))
    return replace(state, phase="move_roll", turn=1, actor=first, first=first, rolling=())


def _final_roll(state: State, event: FinalRoll) -> State:
    if state.phase != "final_roll":
        raise CannotApply("Nobody owes these dice.")
    return rolled_off(state, _highest(state, {seat: sum(dice) for seat, dice in event.rolls.items()}))


def _highest(state: State, sums: dict[str, int]) -> tuple[int, ...]:
    """Those with the highest of `sums` among the seats that owe dice."""
    seats = state.setup.seats
    rolled = [seat for seat in state.rolling if seats[seat] in sums]
    if not rolled:
        raise CannotApply("None of those who owe dice has rolled.")
    best = max(sums[seats[seat]] for seat in rolled)
    return tuple(seat for seat in rolled if sums[seats[seat]] == best)


def _time_up(state: State) -> State:
    if state.called or state.phase in ("final_roll", "over"):
        raise CannotApply("Time has been called already.")
    return replace(state, called=True) if state.siege is not None else final_score(replace(state, called=True))
