"""What happens: the state after an event.

Of an illegal event that was played all the same, `apply` does what a hand on the table did and
leaves the turn where it was: a soldier stands where he was put, whatever way he took there, and
an attack out of turn is fought. `CannotApply` is raised for what no hand could do, or what the
position has no room for: no such soldier or space, a captive who walks, a third man on a road
space, dice that nobody owes, anything between an attack and its dice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from gamelog.game import TABLE, CannotApply, Outcome, Results, Violation, forbids
from gamelog.games.dice_flags import events as ev
from gamelog.games.dice_flags.army import DICE, MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.battle import at, fixed, sides
from gamelog.games.dice_flags.due import held_up
from gamelog.games.dice_flags.events import Chance, Event
from gamelog.games.dice_flags.landing import arrive, at_flags, decided, over
from gamelog.games.dice_flags.state import CARRIED, PRISON, RESERVE, TURNS, State, lying_under
from gamelog.games.dice_flags.turns import end_roll, go_on, next_turn, on_turn
from gamelog.games.kit.cells import put
from gamelog.games.kit.dice import FACES
from gamelog.games.kit.roll_off import highest


def apply(state: State, event: Event) -> State:
    """The state after `event`. Raises `CannotApply`; nothing is checked beyond what that needs."""
    return APPLY[type(event)](state, event)


def chance(state: State, results: Results) -> Chance:
    """The chance event owed, with these results; at the start without generals who threw no single die."""
    setup, seats = state.setup, state.setup.seats
    faces = [tuple(map(int, result)) for result in results]
    if state.attack is not None:
        fight = sides(setup.board, state.places, *state.attack)
        rolled = iter(faces)
        ours, theirs = (
            {SOLDIERS[man % MEN]: next(rolled) if DICE[man] else () for man in side} for side in fight
        )
        return ev.Battle(0, 0, seats[state.attack[0] // MEN], ours, theirs)
    if state.phase == "start_roll":
        rolls = {
            seats[army]: thrown[0]
            for army, thrown in zip(state.rolling, faces, strict=True)
            if len(thrown) == 1
        }
        return ev.StartRoll(0, 0, TABLE, rolls)
    return ev.Roll(0, 0, seats[on_turn(state)], faces[0])


def retire(state: State, seat: str) -> State | Violation:
    """`seat` gives up: it has no more turns, its men and flag stay (DF-A43). Not while something is owed."""
    setup = state.setup
    army = setup.seats.index(seat)
    if state.phase not in TURNS or held_up(state):
        return forbids(
            "DF-A43",
            "a general can resign only during the turns, and not while a battle or a choice of flags is open",
        )
    if army in state.surrendered:
        return forbids("DF-A43", "{@by} has already resigned", by=seat)
    after = replace(state, surrendered=tuple(sorted((*state.surrendered, army))))
    rest = [other for other in setup.seats if setup.seats.index(other) not in after.surrendered]
    if len(rest) == 1:
        return over(after, Outcome((rest[0],), "surrender"))
    return next_turn(after) if army == on_turn(state) else after


def _start_roll(state: State, event: ev.StartRoll) -> State:
    if state.phase != "start_roll":
        raise CannotApply("Nobody owes these dice.")
    best, *tied = highest(state.rolling, state.setup.seats, event.rolls)
    if tied:
        return replace(state, rolling=(best, *tied))
    phase = "deploy" if state.setup.options.free_deployment else "roll"
    return replace(state, phase=phase, first=best, rolling=())


def _deploy(state: State, event: ev.Deploy) -> State:
    soldier, square = _soldier(state, event.by, event.soldier), state.setup.board.index.get(event.at)
    if state.phase != "deploy" or state.places[soldier] != RESERVE:
        raise CannotApply(f"{event.by}'s {event.soldier} is not to be deployed.")
    if square is None or at(state.places, square):
        raise CannotApply(f"There is no room on {event.at}.")
    places = put(state.places, soldier, square)
    return replace(state, places=places, phase="deploy" if RESERVE in places else "roll")


def _rescue(state: State, event: ev.Rescue) -> State:
    _open(state)
    rescuer = _soldier(state, event.by, event.rescuer)
    prisoner = _soldier(state, event.seat, event.prisoner)
    square = state.setup.board.index.get(event.at)
    if not PRISON <= state.places[prisoner] < RESERVE or state.places[rescuer] >= PRISON:
        raise CannotApply(f"{event.rescuer} cannot lead {event.seat}'s {event.prisoner} out of a prison.")
    if square is None or at(state.places, square):
        raise CannotApply(f"There is no room on {event.at}.")
    places = put(state.places, prisoner, square)
    after = replace(state, places=places, quiet_since=state.turn + 1)
    return next_turn(after) if state.phase == "orders" and rescuer // MEN == on_turn(state) else go_on(after)


def _march(state: State, event: ev.March) -> State:
    _on_turn(state, event, "orders")
    return replace(state, phase="roll")


def _roll(state: State, event: ev.Roll) -> State:
    _open(state)
    if state.phase not in ("orders", "roll"):
        raise CannotApply("Nobody owes these dice.")
    if len(event.dice) != 2 or not FACES.issuperset(event.dice):
        raise CannotApply(f"Two dice cannot show {' '.join(map(str, event.dice)) or 'nothing'}.")
    return go_on(replace(state, phase="act", roll=event.dice, dice=event.dice))


def _move(state: State, event: ev.Move) -> State:
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
        raise CannotApply("There is no battle to roll for.")
    soldier, path = state.attack
    fight = sides(state.setup.board, state.places, soldier, path)
    lead = fixed(fight.attackers) - fixed(fight.defenders)
    lead += sum(map(sum, event.attackers.values())) - sum(map(sum, event.defenders.values()))
    if not lead and state.setup.options.tie == "reroll":
        return state
    return decided(replace(state, attack=None), soldier, path, fight, lead)


def _pick_up(state: State, event: ev.PickUp) -> State:
    setup, soldier = state.setup, state.picker
    if soldier < 0 or _soldier(state, event.by, event.soldier) != soldier:
        raise CannotApply(f"{event.by}'s {event.soldier} has no flags to choose from.")
    for which in lying_under(state, soldier):
        if setup.board.bases[setup.flags[which]].seat == event.flag:
            flags = put(state.flags, which, CARRIED + soldier)
            return at_flags(replace(state, flags=flags, picker=-1, quiet_since=state.turn + 1), soldier)
    raise CannotApply(f"The flag of {event.flag} does not lie there.")


def _tao(state: State, event: ev.Tao) -> State:
    _on_turn(state, event, "act")
    return go_on(replace(state, phase="tao", dice=(), walker=-1, trail=b""))


def _tao_move(state: State, event: ev.TaoMove) -> State:
    soldier, path = _walk(state, event.by, event.soldier, event.path)
    moved = state.moved
    if state.phase == "tao" and soldier // MEN == on_turn(state):
        moved |= 1 << soldier % MEN
    return arrive(state, soldier, path, state.dice, moved)


def _tao_end(state: State, event: ev.TaoEnd) -> State:
    _on_turn(state, event, "tao")
    return next_turn(state)


def _stop(state: State, event: ev.Stop) -> State:
    _on_turn(state, event, "act")
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
"""What an event of each kind brings about."""


def _walk(state: State, by: str, name: str, names: tuple[str, ...]) -> tuple[int, bytes]:
    """The number of a soldier who can walk, and the numbers of the spaces he walks over."""
    _open(state)
    soldier = _soldier(state, by, name)
    at = state.places[soldier]
    if at >= PRISON:
        raise CannotApply(f"{by}'s {name} is not on the board.")
    try:
        path = bytes(map(state.setup.board.index.__getitem__, names))
    except KeyError as error:
        raise CannotApply(f"The board has no space {error}.") from None
    if not path or path[-1] == at:
        raise CannotApply(f"{by}'s {name} goes nowhere.")
    return soldier, path


def _on_turn(state: State, event: Event, phase: str) -> None:
    """Raises `CannotApply` unless `event` ends or begins something that is going on, for its army."""
    _open(state)
    if state.phase != phase or event.by != state.setup.seats[on_turn(state)]:
        raise CannotApply(f"{event.by} has nothing of that kind to decide.")


def _soldier(state: State, seat: str, name: str) -> int:
    """The number of a soldier."""
    try:
        return state.setup.seats.index(seat) * MEN + NUMBER[name]
    except (ValueError, KeyError):
        raise CannotApply(f'There is no soldier "{name}" of {seat}.') from None


def _open(state: State) -> None:
    """Raises `CannotApply` unless turns are being played and nothing is owed to an attack or a landing."""
    if state.phase not in TURNS or state.attack is not None or state.picker >= 0:
        raise CannotApply(
            "This is done during the turns, and not between an attack or a landing and what follows it."
        )
