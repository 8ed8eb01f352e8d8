"""The rules that forbid events, by their ids in RULES.md.

`check` first compares an event with the phase and the army to move (`gamelog.games.dice_flags.due`),
then applies the rules of the event's kind. An event of another phase is refused by the rule that names
the next event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gamelog.game import Violation, forbids
from gamelog.games.dice_flags import events as ev
from gamelog.games.dice_flags.army import DICE, MEN, NUMBER, SOLDIERS
from gamelog.games.dice_flags.battle import sides
from gamelog.games.dice_flags.board import FLAG, GRID
from gamelog.games.dice_flags.due import is_unresolved, not_due, out_of_turn, turn_refusal
from gamelog.games.dice_flags.events import Event
from gamelog.games.dice_flags.moves import TAO_COUNTS, count_captives, forbidding_rule
from gamelog.games.dice_flags.state import PRISON, TURNS, State, flags_under
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.games.kit.dice import face_violation
from gamelog.games.kit.phases import unknown_place
from gamelog.games.kit.roll_off import roller_violation


def check(state: State, event: Event) -> Violation | None:
    """Return the rule that forbids `event` in `state`, or None."""
    return CHECKS[type(event)](state, event)


def _start_roll(state: State, event: ev.StartRoll) -> Violation | None:
    if state.phase != "start_roll":
        return not_due(state)
    seats = state.setup.seats
    owe = [seats[army] for army in state.rolling]
    problem = roller_violation("DF-2", event, event.rolls, owe, "DF-A2" if len(owe) < len(seats) else "DF-2")
    return problem or face_violation("DF-2", event.rolls.values())


def _deploy(state: State, event: ev.Deploy) -> Violation | None:
    """Return the violation of a deployment (DF-A1), or None."""
    if refused := turn_refusal(state, event, "deploy"):
        if state.setup.options.free_deployment:
            return refused
        return forbids(
            "DF-A1",
            "the soldiers start in the formation of the board, because this game is played without free "
            "deployment",
        )
    number, square = NUMBER.get(event.soldier), state.setup.board.index.get(event.at)
    if number is None:
        return _no_soldier(event.soldier)
    if square is None:
        return unknown_place("DF-A1", "space", event.at)
    army = army_to_move(state)
    if state.places[army * MEN + number] < PRISON:
        return forbids("DF-A1", "{man} is already on the board", man=event.soldier)
    if square not in state.setup.board.bases[state.setup.homes[army]].field:
        return forbids("DF-A1", "{at} is not on {@by}'s small field", at=event.at, by=event.by)
    return forbids("DF-A1", "{at} is occupied", at=event.at) if square in state.places else None


def _rescue(state: State, event: ev.Rescue) -> Violation | None:
    """Return the violation of a rescue (DF-22, DF-23, DF-24, DF-A29, DF-A41), or None."""
    if is_unresolved(state) or state.phase in ("start_roll", "deploy", "over"):
        return not_due(state)
    setup, places = state.setup, state.places
    if event.by != setup.seats[army_to_move(state)]:
        return out_of_turn(state, event)
    if state.phase in ("act", "tao") or state.again:
        return forbids(
            "DF-22", "a rescue replaces the roll of the turn, and the dice have already been rolled"
        )
    rescuer, prisoner = NUMBER.get(event.rescuer), NUMBER.get(event.prisoner)
    if rescuer is None or prisoner is None:
        return _no_soldier(event.rescuer if rescuer is None else event.prisoner)
    if event.seat not in setup.seats:
        return forbids("DF-23", "{@seat} has no army in this game", seat=event.seat or None)
    army = army_to_move(state)
    at, square = places[army * MEN + rescuer], setup.board.index.get(event.at)
    if square is None:
        return unknown_place("DF-22", "space", event.at)
    posts = [setup.board.bases[home].post for home in setup.homes]
    if at not in posts:
        return forbids("DF-22", "{man} is not on the light square outside a prison", man=event.rescuer)
    prison = posts.index(at)
    if prison == army:
        return forbids("DF-A29", "soldiers can be rescued only from the prison of an enemy")
    if places[setup.seats.index(event.seat) * MEN + prisoner] != PRISON + prison:
        return forbids(
            "DF-22",
            "{@seat}'s {man} is not in {@loser}'s prison",
            seat=event.seat,
            man=event.prisoner,
            loser=setup.seats[prison],
        )
    beside = setup.board.bases[setup.homes[prison]].beside
    if all(space in places for space in beside):
        return forbids("DF-24", "all three squares next to the rescuer are occupied")
    if square not in beside:
        return forbids(
            "DF-22", "{at} is not one of the three dark squares next to {man}", at=event.at, man=event.rescuer
        )
    if square in places:
        return forbids("DF-22", "{at} is occupied", at=event.at)
    return (
        forbids("DF-A41", "{@by} has already chosen to roll", by=event.by) if state.phase == "roll" else None
    )


def _march(state: State, event: ev.March) -> Violation | None:
    if (
        state.phase == "roll"
        and not is_unresolved(state)
        and event.by == state.setup.seats[army_to_move(state)]
    ):
        return forbids("DF-A41", "no soldier can be rescued, so the next event is the roll of the dice")
    return turn_refusal(state, event, "orders")


def _roll(state: State, event: ev.Roll) -> Violation | None:
    """Return the violation of a roll (DF-3, DF-4), or None."""
    if state.phase != "roll" or state.attack is not None or state.picker >= 0:
        if (
            state.phase == "act"
            and len(state.dice) < len(state.roll)
            and len(set(state.roll)) == 1
            and not is_unresolved(state)
        ):
            return forbids("DF-4", "both dice of a double must be used before the next roll")
        return not_due(state)
    if event.by != state.setup.seats[army_to_move(state)]:
        return out_of_turn(state, event)
    if len(event.dice) != 2:
        return forbids("DF-3", "two dice must be rolled, not {n}", n=len(event.dice))
    return face_violation("DF-3", event.dice)


def _move(state: State, event: ev.Move) -> Violation | None:
    """Return the violation of a move by one die (DF-3) along its path, or None."""
    if state.phase != "act" or state.attack is not None or state.picker >= 0:
        return not_due(state)
    seats = state.setup.seats
    army = (state.first + state.turn) % len(seats)
    if event.by != seats[army]:
        return out_of_turn(state, event)
    number = NUMBER.get(event.soldier)
    if number is None:
        return _no_soldier(event.soldier)
    if event.die not in state.dice:
        return forbids(
            "DF-3",
            "no die that shows {n} is left, only {@dice}",
            n=event.die,
            dice=[*map(str, state.dice)],
        )
    if len(event.path) != event.die:
        return forbids(
            "DF-3",
            "the die shows {n}, but the path has {found} {found:space|spaces}",
            n=event.die,
            found=len(event.path),
        )
    soldier = army * MEN + number
    return _path(state, soldier, event.path, state.trail if soldier == state.walker else b"")


def _battle(state: State, event: ev.Battle) -> Violation | None:
    """Return the violation of the dice of a battle (DF-9, DF-17, DF-18, DF-19, DF-A21), or None."""
    if state.attack is None:
        return not_due(state)
    board, seats = state.setup.board, state.setup.seats
    soldier, path = state.attack
    if event.by != seats[soldier // MEN]:
        return forbids(
            "DF-9",
            "the attacker {@attacker} must record the battle, not {@by}",
            attacker=seats[soldier // MEN],
            by=event.by,
        )
    fight = sides(board, state.places, soldier, path)
    alone = "DF-A21" if len(fight.attackers) == 1 else "DF-19"
    against = "DF-18" if len(fight.defenders) == 2 else "DF-17"
    return _side(
        event.attackers,
        fight.attackers,
        alone,
        "the attacking {n:soldier is|soldiers are} {@men}, not {@found}",
    ) or _side(
        event.defenders,
        fight.defenders,
        against,
        "the defending {n:soldier is|soldiers are} {@men}, not {@found}",
    )


def _pick_up(state: State, event: ev.PickUp) -> Violation | None:
    """Return the violation of a choice between flags (DF-25, DF-A16), or None."""
    if state.picker < 0:
        idle = state.phase in TURNS and state.attack is None
        if idle:
            return forbids("DF-25", "no flag carrier has to choose between flags now")
        return not_due(state)
    setup, soldier = state.setup, state.picker
    seat = setup.seats[soldier // MEN]
    if event.by != seat or event.soldier != SOLDIERS[soldier % MEN]:
        return forbids(
            "DF-A16", "only {@seat}'s {man} can choose a flag now", seat=seat, man=SOLDIERS[soldier % MEN]
        )
    lying = [setup.board.bases[setup.flags[which]].seat for which in flags_under(state, soldier)]
    if event.flag not in lying:
        return forbids(
            "DF-A16",
            "the flags on this square belong to {@seats}, so choose one of these flags",
            seats=lying,
        )
    return None


def _tao(state: State, event: ev.Tao) -> Violation | None:
    """Return the violation of the choice of the Tao (DF-15, DF-A28), or None."""
    if refused := turn_refusal(state, event, "act"):
        return refused
    if sorted(state.roll) != [1, 2]:
        return forbids("DF-15", "the Tao needs a roll of 1 and 2, not {@dice}", dice=[*map(str, state.roll)])
    if len(state.dice) < len(state.roll):
        return forbids("DF-A28", "the Tao must be chosen before a die is used")
    count = count_captives(state.places, army_to_move(state))
    return (
        forbids(
            "DF-15",
            "the Tao is not possible, because {n} of {@by}'s soldiers {n:is|are} captive",
            by=event.by,
            n=count,
        )
        if count
        else None
    )


def _tao_move(state: State, event: ev.TaoMove) -> Violation | None:
    """Return the violation of one move in a Tao (DF-15) along its path, or None."""
    if refused := turn_refusal(state, event, "tao"):
        return refused
    number = NUMBER.get(event.soldier)
    if number is None:
        return _no_soldier(event.soldier)
    if state.moved >> number & 1:
        return forbids("DF-15", "{man} has already moved in this Tao", man=event.soldier)
    if len(event.path) not in TAO_COUNTS:
        return forbids(
            "DF-15", "in the Tao a soldier moves one, two or three spaces, not {n}", n=len(event.path)
        )
    return _path(state, army_to_move(state) * MEN + number, event.path, b"")


def _tao_end(state: State, event: ev.TaoEnd) -> Violation | None:
    return turn_refusal(state, event, "tao")


def _stop(state: State, event: ev.Stop) -> Violation | None:
    if refused := turn_refusal(state, event, "act"):
        return refused
    return (
        forbids("DF-A3", "there is still a die that can be used, so it must be used")
        if state.setup.options.must_move
        else None
    )


CHECKS: dict[type[Event], Callable[[State, Any], Violation | None]] = {
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
"""By kind of event: the function that checks it."""


def _path(state: State, soldier: int, path: tuple[str, ...], trail: bytes) -> Violation | None:
    """Return why `soldier`, which has been on `trail` in this roll, may not take `path`, or None."""
    setup, places = state.setup, state.places
    board, at = setup.board, places[soldier]
    if at >= PRISON:
        return forbids("DF-A37", "{man} is in prison", man=SOLDIERS[soldier % MEN])
    steps, kinds = board.steps, board.kinds
    been = [at, *trail]
    left = len(path)
    for name in path:
        there = steps[at].get(name)
        if there is None:
            if name not in board.index:
                return unknown_place("DF-3", "space", name)
            return forbids(
                "DF-6" if kinds[at] == GRID else "DF-10",
                "{src} does not touch {dst}",
                src=board.names[at],
                dst=name,
            )
        if there in been:
            return forbids(
                "DF-7", "{man} has already been on {at} in this roll", man=SOLDIERS[soldier % MEN], at=name
            )
        left -= 1
        if left and kinds[there] != GRID:
            if kinds[there] == FLAG:
                return forbids(
                    "DF-A13", "no soldier can pass {at}, the flag square at the end of the road", at=name
                )
            if places.count(there) > 1:
                return forbids("DF-13", "a blockade on {at} blocks the way", at=name)
        been.append(there)
        at = there
    rule = forbidding_rule(setup, places, soldier, at)
    return None if rule is None else forbids(rule, _TAKEN[rule], at=board.names[at])


_TAKEN = {
    "DF-8": "a soldier of the same army is on {at}",
    "DF-10": "{at} already holds two soldiers",
    "DF-11": "{at} is a safe bunker with an enemy soldier in it",
    "DF-A10": "{at} is a safe bunker with two enemy soldiers in it",
    "DF-A13": "{at} is a flag square: only one soldier at a time, of a kind that may enter it, can be there",
}
"""By rule: why a count may not end on a space."""


def _side(
    given: Mapping[str, tuple[int, ...]], men: tuple[int, ...], rule: str, text: str
) -> Violation | None:
    """Return why `given` is not the soldiers of one side of a battle with their dice, or None.

    `rule` and `text` are for other soldiers than `men`.
    """
    names = [SOLDIERS[man % MEN] for man in men]
    if set(given) != set(names):
        return forbids(rule, text, n=len(names), men=names, found=[*given])
    for man, name in zip(men, names, strict=True):
        faces = given[name]
        if len(faces) != DICE[man]:
            return forbids(
                "DF-17",
                "{man} must roll {n} {n:die|dice}, not {found}",
                man=name,
                n=DICE[man],
                found=len(faces),
            )
        problem = face_violation("DF-17", faces)
        if problem:
            return problem
    return None


def _no_soldier(name: str) -> Violation:
    return forbids(
        "DF-3",
        'there is no soldier "{=name}"; the soldiers of an army are {=soldiers}',
        name=name,
        soldiers=", ".join(SOLDIERS),
    )
