"""The state after an event.

If an illegal event was played anyway, `apply` does what the players did on the table and does not
change the turn: a soldier is where it was put, by any path, and an attack out of turn is fought.
Each function raises `CannotApply` if an event is physically impossible. Examples are an unknown soldier or
space, a move by a captive and a third soldier on a road space. Dice that are not due are impossible too, and
so is any event between an attack and its dice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Outcome, Results, Violation, forbids
from gamelog.games.dice_flags import events as ev
from gamelog.games.dice_flags.army import DICE, MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.battle import fixed_value, sides, soldiers_on
from gamelog.games.dice_flags.due import is_unresolved
from gamelog.games.dice_flags.events import Chance, Event
from gamelog.games.dice_flags.landing import after_battle, arrive, end_game, handle_flags
from gamelog.games.dice_flags.state import CARRIED, PRISON, RESERVE, TURNS, State, flags_under
from gamelog.games.dice_flags.turns import army_to_move, continue_turn, end_roll, next_turn
from gamelog.games.kit.cells import put
from gamelog.games.kit.dice import FACES
from gamelog.games.kit.roll_off import highest_rollers


def apply(state: State, event: Event) -> State:
    """Return the state after `event`, legal or not.

    Raises:
        CannotApply: The event is impossible.
    """
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """Return the chance event that is due, with these results.

    A start roll leaves out each general whose result is not a single die, and `check` then refuses the roll.
    """
    setup, seats = state.setup, state.setup.seats
    faces = [tuple(map(int, result)) for result in results]
    if state.attack is not None:
        fight = sides(setup.board, state.places, *state.attack)
        rolled = iter(faces)
        ours, theirs = (
            {SOLDIERS[soldier % MEN]: next(rolled) if DICE[soldier] else () for soldier in side}
            for side in fight
        )
        return ev.Battle(0, 0, seats[state.attack[0] // MEN], ours, theirs)
    if state.phase == "start_roll":
        rolls = {
            seats[army]: thrown[0]
            for army, thrown in zip(state.rolling, faces, strict=True)
            if len(thrown) == 1
        }
        return ev.StartRoll(0, 0, TABLE, rolls)
    return ev.Roll(0, 0, seats[army_to_move(state)], faces[0])


def retire(state: State, seat: str) -> State | Violation:
    """Return the state after `seat` resigns, or why it cannot (DF-A43).

    The seat has no more turns. Its soldiers and its flag stay.
    """
    setup = state.setup
    army = setup.seats.index(seat)
    if state.phase not in TURNS or is_unresolved(state):
        return forbids(
            "DF-A43",
            "a general can resign only during the turns, and not while a battle or a choice of flags is open",
        )
    if army in state.surrendered:
        return forbids("DF-A43", "{@by} has already resigned", by=seat)
    after = replace(state, surrendered=tuple(sorted((*state.surrendered, army))))
    rest = [other for other in setup.seats if setup.seats.index(other) not in after.surrendered]
    if len(rest) == 1:
        return end_game(after, Outcome((rest[0],), "surrender"))
    return next_turn(after) if army == army_to_move(state) else after


def _start_roll(state: State, event: ev.StartRoll) -> State:
    if state.phase != "start_roll":
        raise CannotApply("These dice are not due.")
    best, *tied = highest_rollers(state.rolling, state.setup.seats, event.rolls)
    if tied:
        return replace(state, rolling=(best, *tied))
    phase = "deploy" if state.setup.options.free_deployment else "roll"
    return replace(state, phase=phase, first=best, rolling=())


def _deploy(state: State, event: ev.Deploy) -> State:
    soldier, square = _soldier(state, event.by, event.soldier), state.setup.board.index.get(event.at)
    if state.phase != "deploy" or state.places[soldier] != RESERVE:
        raise CannotApply(f"{event.by}'s {event.soldier} cannot be deployed.")
    if square is None or soldiers_on(state.places, square):
        raise CannotApply(f"There is no room on {event.at}.")
    places = put(state.places, soldier, square)
    return replace(state, places=places, phase="deploy" if RESERVE in places else "roll")


def _rescue(state: State, event: ev.Rescue) -> State:
    """Return the state after a rescue, which replaces the army's turn (DF-22)."""
    _check_resolved(state)
    rescuer = _soldier(state, event.by, event.rescuer)
    prisoner = _soldier(state, event.seat, event.prisoner)
    square = state.setup.board.index.get(event.at)
    if not PRISON <= state.places[prisoner] < RESERVE or state.places[rescuer] >= PRISON:
        raise CannotApply(f"{event.rescuer} cannot free {event.seat}'s {event.prisoner} from a prison.")
    if square is None or soldiers_on(state.places, square):
        raise CannotApply(f"There is no room on {event.at}.")
    places = put(state.places, prisoner, square)
    after = replace(state, places=places, quiet_since=state.turn + 1)
    return (
        next_turn(after)
        if state.phase == "orders" and rescuer // MEN == army_to_move(state)
        else continue_turn(after)
    )


def _march(state: State, event: ev.March) -> State:
    _check_turn(state, event, "orders")
    return replace(state, phase="roll")


def _roll(state: State, event: ev.Roll) -> State:
    _check_resolved(state)
    if state.phase not in ("orders", "roll"):
        raise CannotApply("These dice are not due.")
    if len(event.dice) != 2 or not FACES.issuperset(event.dice):
        raise CannotApply(f"Two dice cannot show {' '.join(map(str, event.dice)) or 'nothing'}.")
    return continue_turn(replace(state, phase="act", roll=event.dice, dice=event.dice))


def _move(state: State, event: ev.Move) -> State:
    """Return the state after a move. The die is used up if it is one of the army's dice."""
    soldier, path = _walk(state, event.by, event.soldier, event.path)
    dice = state.dice
    if (
        state.phase == "act"
        and event.die in dice
        and soldier // MEN == (state.first + state.turn) % len(state.setup.seats)
    ):
        used = dice.index(event.die)
        dice = dice[:used] + dice[used + 1 :]
    return arrive(state, soldier, path, dice, state.moved)


def _battle(state: State, event: ev.Battle) -> State:
    if state.attack is None:
        raise CannotApply("No battle is open.")
    soldier, path = state.attack
    fight = sides(state.setup.board, state.places, soldier, path)
    lead = fixed_value(fight.attackers) - fixed_value(fight.defenders)
    lead += sum(map(sum, event.attackers.values())) - sum(map(sum, event.defenders.values()))
    if not lead and state.setup.options.tie == "reroll":
        return state
    return after_battle(replace(state, attack=None), soldier, path, fight, lead)


def _pick_up(state: State, event: ev.PickUp) -> State:
    setup, soldier = state.setup, state.picker
    if soldier < 0 or _soldier(state, event.by, event.soldier) != soldier:
        raise CannotApply(f"{event.by}'s {event.soldier} has no choice of flags.")
    for which in flags_under(state, soldier):
        if setup.board.bases[setup.flags[which]].seat == event.flag:
            flags = put(state.flags, which, CARRIED + soldier)
            return handle_flags(replace(state, flags=flags, picker=-1, quiet_since=state.turn + 1), soldier)
    raise CannotApply(f"The flag of {event.flag} is not there.")


def _tao(state: State, event: ev.Tao) -> State:
    _check_turn(state, event, "act")
    return continue_turn(replace(state, phase="tao", dice=(), walker=-1, trail=b""))


def _tao_move(state: State, event: ev.TaoMove) -> State:
    soldier, path = _walk(state, event.by, event.soldier, event.path)
    moved = state.moved
    if state.phase == "tao" and soldier // MEN == army_to_move(state):
        moved |= 1 << soldier % MEN
    return arrive(state, soldier, path, state.dice, moved)


def _tao_end(state: State, event: ev.TaoEnd) -> State:
    _check_turn(state, event, "tao")
    return next_turn(state)


def _stop(state: State, event: ev.Stop) -> State:
    _check_turn(state, event, "act")
    return end_roll(state)


APPLY: dict[type[Event], Callable[[State, Any], State]] = {
    ev.StartRoll: _start_roll,
    ev.Deploy: _deploy,
    ev.Rescue: _rescue,
    ev.March: _march,
    ev.Roll: _roll,
    ev.Move: _move,
    ev.Battle: _battle,
    ev.PickUp: _pick_up,
    ev.Tao: _tao,
    ev.TaoMove: _tao_move,
    ev.TaoEnd: _tao_end,
    ev.Stop: _stop,
}
"""By kind of event: the function that applies it."""


def _walk(state: State, by: str, name: str, names: tuple[str, ...]) -> tuple[int, bytes]:
    """Return the number of a soldier that can move, and the numbers of the spaces of its path."""
    _check_resolved(state)
    soldier = _soldier(state, by, name)
    at = state.places[soldier]
    if at >= PRISON:
        raise CannotApply(f"{by}'s {name} is not on the board.")
    try:
        path = bytes(map(state.setup.board.index.__getitem__, names))
    except KeyError as error:
        raise CannotApply(f"The board has no space {error}.") from None
    if not path or path[-1] == at:
        raise CannotApply(f"{by}'s {name} does not move.")
    return soldier, path


def _check_turn(state: State, event: Event, phase: str) -> None:
    """Raise `CannotApply` unless the state is in `phase` and it is the turn of the event's seat."""
    _check_resolved(state)
    if state.phase != phase or event.by != state.setup.seats[army_to_move(state)]:
        raise CannotApply(f"{event.by} cannot decide this now.")


def _soldier(state: State, seat: str, name: str) -> int:
    """Return the number of the soldier `name` of `seat`."""
    try:
        return state.setup.seats.index(seat) * MEN + NUMBER[name]
    except (ValueError, KeyError):
        raise CannotApply(f'There is no soldier "{name}" of {seat}.') from None


def _check_resolved(state: State) -> None:
    """Raise `CannotApply` outside the turns, and while a battle or a choice of flags is open."""
    if state.phase not in TURNS or state.attack is not None or state.picker >= 0:
        raise CannotApply(
            "This is impossible outside the turns and while a battle or a choice of flags is open."
        )
