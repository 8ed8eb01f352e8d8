"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Contest, Effect, Over, Rolled, TurnOver
from gamelog.games.dice_flags.army import CALLED, MEN, NUMBER
from gamelog.games.dice_flags.battle import Sides, fixed, odds, sides
from gamelog.games.dice_flags.events import Battle, Event, Move, Rescue, Roll, StartRoll, TaoMove
from gamelog.games.dice_flags.moves import has_men
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.dice_flags.turns import on_turn
from gamelog.games.kit.roll_off import Begins, Tied, thrown


class Marched(Effect, frozen=True, tag="marched"):
    """`man` of `by` went from `src` to `at`."""

    by: str
    man: str
    src: str
    at: str


class Attacked(Effect, frozen=True, tag="attacked"):
    """`man` of `by` attacks `whom` of `against`, one man or two, on `at`."""

    by: str
    man: str
    src: str
    at: str
    against: str
    whom: str


class Imprisoned(Effect, frozen=True, tag="imprisoned"):
    """`man` of `seat` was captured at `at` and is in the prison of `by`."""

    by: str
    seat: str
    man: str
    at: str


class Standoff(Effect, frozen=True, tag="standoff"):
    """Equal sums at `at`, and nothing happens."""

    by: str
    against: str
    at: str


class Blockade(Effect, frozen=True, tag="blockade"):
    """Two men of `by` now bar the road at `at`."""

    by: str
    at: str


class FlagTaken(Effect, frozen=True, tag="flag_taken"):
    """`man` of `by` carries the flag of `flag`."""

    by: str
    man: str
    flag: str
    at: str


class FlagHome(Effect, frozen=True, tag="flag_home"):
    """The flag of `flag` now lies on the flag square of `by`,
    brought by `man` (nobody: it fell with its carrier).
    """

    by: str
    flag: str
    at: str
    man: str = ""


class Freed(Effect, frozen=True, tag="freed"):
    """`man` of `seat` was led out of the prison of `loser` to `at`."""

    by: str
    seat: str
    man: str
    loser: str
    at: str


class Again(Effect, frozen=True, tag="again"):
    """`seat` has used a double and rolls again."""

    seat: str


class Skipped(Effect, frozen=True, tag="skipped"):
    """The turn of `seat` passes: no die can be used, or no man is free (``reason``)."""

    seat: str
    reason: str


class ToMove(Effect, frozen=True, tag="to_move"):
    """It is the turn of `seat`."""

    seat: str


MESSAGES = {
    "start_roll": "",
    "deploy": "{@by} places {soldier} on {at}.",
    "rescue": "",
    "march": "{@by} rolls instead of rescuing a soldier.",
    "roll": "",
    "move": "",
    "battle": "",
    "pick_up": "",
    "tao": "{@by} uses the roll for the Tao: all soldiers may move.",
    "tao_move": "",
    "tao_end": "{@by} ends the Tao; the other soldiers stay.",
    "stop": "{@by} leaves the rest of the roll unused.",
    "begins": "{@seat} rolled the highest die and begins.",
    "tied": "A tie: the dice are rolled again.",
    "marched": "{@by}'s {man} moves from {src} to {at}.",
    "attacked": "{@by}'s {man} attacks {@against}'s {whom} on {at}.",
    "contest": "{attack_sum} against {defence_sum}:",
    "imprisoned": "{@seat}'s {man} is captured and goes to {@by}'s prison.",
    "standoff": "A standoff on {at}: no soldier is captured.",
    "blockade": "{@by} forms a blockade on {at}.",
    "flag_taken": "{@by}'s {man} picks up {@flag}'s flag.",
    "flag_home": "{@flag}'s flag is now on {at}.",
    "freed": "{@by} frees {@seat}'s {man} from {@loser}'s prison and places it on {at}.",
    "again": "A double: {@seat} rolls again.",
    "skipped": "{@seat}'s turn is skipped: {reason}.",
    "turn_over": "",
    "to_move": "It is {@seat}'s turn.",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    tell = EFFECTS_OF.get(type(event))
    told: tuple[Effect, ...] = tell(before, event, after) if tell else ()
    if before.flags is not after.flags:
        told += _flags(before, after)
    if after.turn != before.turn:
        told += _turns(before, event, after)
    elif after.again > before.again:
        told += (Again(before.setup.seats[on_turn(before)]),)
    if after.outcome is not None:
        told += (Over(after.outcome.winners, after.outcome.reason),)
    return told


def _start_roll(before: State, event: StartRoll, after: State) -> tuple[Effect, ...]:
    seats = before.setup.seats
    outcome = (
        Tied(tuple(seats[army] for army in after.rolling)) if after.rolling else Begins(seats[after.first])
    )
    return (*thrown(event.rolls), outcome)


def _roll(_before: State, event: Roll, _after: State) -> tuple[Effect, ...]:
    return (Rolled(event.by, event.dice),)


def _advance(before: State, event: Move | TaoMove, after: State) -> tuple[Effect, ...]:
    """A walk: to an empty space, to a partner, into a lone pawn, or into a battle, with dice or without."""
    setup, places, at = before.setup, before.places, event.path[-1]
    board, seats = setup.board, setup.seats
    soldier = seats.index(event.by) * MEN + NUMBER[event.soldier]
    src, standing = board.names[places[soldier]], places.find(board.index[at])
    if standing < 0:
        return (Marched(event.by, CALLED[soldier], src, at),)
    if standing // MEN == soldier // MEN:
        return Marched(event.by, CALLED[soldier], src, at), Blockade(event.by, at)
    fight = sides(board, places, soldier, bytes(board.index[name] for name in event.path))
    against = seats[fight.defenders[0] // MEN]
    told: tuple[Effect, ...] = (
        Attacked(
            event.by, CALLED[soldier], src, at, against, " and ".join(CALLED[man] for man in fight.defenders)
        ),
    )
    if after.attack is not None:
        return told
    if not fight.walks_in:
        told += (_outcome(before, after, fight, fixed(fight.attackers), fixed(fight.defenders), (), (), at),)
    return told + _prisoners(before, after, fight, at)


def _battle(before: State, event: Battle, after: State) -> tuple[Effect, ...]:
    assert before.attack is not None
    soldier, path = before.attack
    fight = sides(before.setup.board, before.places, soldier, path)
    at = before.setup.board.names[path[-1]]
    ours = tuple(face for man in sorted(event.attackers) for face in event.attackers[man])
    theirs = tuple(face for man in sorted(event.defenders) for face in event.defenders[man])
    told: tuple[Effect, ...] = (Rolled(event.by, ours),) if ours else ()
    if theirs:
        told += (Rolled(before.setup.seats[fight.defenders[0] // MEN], theirs),)
    sums = fixed(fight.attackers) + sum(ours), fixed(fight.defenders) + sum(theirs)
    return (
        *told,
        _outcome(before, after, fight, *sums, ours, theirs, at),
        *_prisoners(before, after, fight, at),
    )


def _outcome(
    before: State,
    after: State,
    fight: Sides,
    ours: int,
    theirs: int,
    attack: tuple[int, ...],
    defence: tuple[int, ...],
    at: str,
) -> Effect:
    """What the sums of a battle mean."""
    setup, tie = before.setup, before.setup.options.tie
    by, against = (setup.seats[side[0] // MEN] for side in fight)
    if ours == theirs and after.attack is not None:
        return Tied((by, against))
    if ours == theirs and tie != "defender":
        return Standoff(by, against, at)
    decided = (
        "defender" if tie == "defender" else "reroll"
    )  # where a tie is not a contest, what is promised leaves ties out
    return Contest(by, against, attack, defence, ours, theirs, ours > theirs, float(odds(fight, decided)), at)


def _prisoners(before: State, after: State, fight: Sides, at: str) -> tuple[Effect, ...]:
    """Those of a battle who are in prison after it."""
    seats, places = before.setup.seats, after.places
    return tuple(
        Imprisoned(seats[places[soldier] - PRISON], seats[soldier // MEN], CALLED[soldier], at)
        for side in fight
        for soldier in side
        if places[soldier] >= PRISON
    )


def _rescue(before: State, event: Rescue, _after: State) -> tuple[Effect, ...]:
    seats = before.setup.seats
    prisoner = seats.index(event.seat) * MEN + NUMBER[event.prisoner]
    return (Freed(event.by, event.seat, CALLED[prisoner], seats[before.places[prisoner] - PRISON], event.at),)


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    StartRoll: _start_roll,
    Roll: _roll,
    Move: _advance,
    TaoMove: _advance,
    Battle: _battle,
    Rescue: _rescue,
}
"""What follows from an event of each kind by itself; from the others nothing does."""


def _flags(before: State, after: State) -> tuple[Effect, ...]:
    """Flags that changed hands."""
    setup, board = before.setup, before.setup.board
    told: list[Effect] = []
    for origin, was, now in zip(setup.flags, before.flags, after.flags, strict=True):
        flag = board.bases[origin].seat
        if was == now:
            continue
        if now >= CARRIED:
            soldier = now - CARRIED
            told.append(
                FlagTaken(
                    setup.seats[soldier // MEN], CALLED[soldier], flag, board.names[after.places[soldier]]
                )
            )
        else:
            base, carrier = board.bases[now], was - CARRIED
            fell = before.places[carrier] != after.places[carrier] and after.places[carrier] >= PRISON
            told.append(FlagHome(base.seat, flag, board.names[base.flag], "" if fell else CALLED[carrier]))
    return tuple(told)


def _turns(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The end of a turn, and the turns that pass because nobody is free to move."""
    seats, first = before.setup.seats, before.first
    told: tuple[Effect, ...] = (Skipped(event.by, "no die can be used"),) if type(event) is Roll else ()
    if after.turn > before.turn + 1:
        between = [(first + turn) % len(seats) for turn in range(before.turn + 1, after.turn)]
        passed = [
            army for army in between if army not in after.surrendered and not has_men(after.places, army)
        ]
        told += tuple(Skipped(seats[army], "no soldier is free") for army in passed)
    over, following = seats[(first + before.turn) % len(seats)], seats[(first + after.turn) % len(seats)]
    if after.outcome is not None:
        return (*told, TurnOver(over))
    return (*told, TurnOver(over, following), ToMove(following))
