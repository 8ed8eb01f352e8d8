"""The effects of events, for sentences, pages and archives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Contest, Effect, Over, Rolled, TurnOver
from gamelog.games.dice_flags.army import MEN, NUMBER, SENTENCE_NAMES
from gamelog.games.dice_flags.battle import Sides, fixed_value, odds, sides
from gamelog.games.dice_flags.events import Battle, Event, Move, Rescue, Roll, StartRoll, TaoMove
from gamelog.games.dice_flags.moves import has_men
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.dice_flags.turns import army_to_move
from gamelog.games.kit.roll_off import Begins, Tied, roll_effects


class Marched(Effect, frozen=True, tag="marched"):
    """The soldier `man` of `by` moved from `src` to `at`."""

    by: str
    man: str
    src: str
    at: str


class Attacked(Effect, frozen=True, tag="attacked"):
    """The soldier `man` of `by` attacks one or two soldiers of `against`, named in `whom`, on `at`."""

    by: str
    man: str
    src: str
    at: str
    against: str
    whom: str


class Imprisoned(Effect, frozen=True, tag="imprisoned"):
    """The soldier `man` of `seat` was captured on `at` and is in the prison of `by`."""

    by: str
    seat: str
    man: str
    at: str


class Standoff(Effect, frozen=True, tag="standoff"):
    """A battle on `at` ended with equal sums and no capture."""

    by: str
    against: str
    at: str


class Blockade(Effect, frozen=True, tag="blockade"):
    """Two soldiers of `by` now form a blockade on `at`."""

    by: str
    at: str


class FlagTaken(Effect, frozen=True, tag="flag_taken"):
    """The carrier `man` of `by` picked up the flag of `flag`."""

    by: str
    man: str
    flag: str
    at: str


class FlagHome(Effect, frozen=True, tag="flag_home"):
    """The flag of `flag` is now on the flag square of `by`.

    `man` brought it. It is empty if the flag came there by the capture of its carrier.
    """

    by: str
    flag: str
    at: str
    man: str = ""


class Freed(Effect, frozen=True, tag="freed"):
    """The soldier `man` of `seat` was freed from the prison of `loser` and is on `at`."""

    by: str
    seat: str
    man: str
    loser: str
    at: str


class Again(Effect, frozen=True, tag="again"):
    """`seat` has used a double and rolls again."""

    seat: str


class Skipped(Effect, frozen=True, tag="skipped"):
    """The turn of `seat` is skipped. `reason` says why: no die can be used, or no soldier is free."""

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
"""The sentences of events and effects. The engine has sentences for the effects that are missing here."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects of `event`, in the order in which they happen."""
    effects_of = EFFECTS_OF.get(type(event))
    happened: tuple[Effect, ...] = effects_of(before, event, after) if effects_of else ()
    if before.flags is not after.flags:
        happened += _flags(before, after)
    if after.turn != before.turn:
        happened += _turns(before, event, after)
    elif after.again > before.again:
        happened += (Again(before.setup.seats[army_to_move(before)]),)
    if after.outcome is not None:
        happened += (Over(after.outcome.winners, after.outcome.reason),)
    return happened


def _start_roll(before: State, event: StartRoll, after: State) -> tuple[Effect, ...]:
    seats = before.setup.seats
    outcome = (
        Tied(tuple(seats[army] for army in after.rolling)) if after.rolling else Begins(seats[after.first])
    )
    return (*roll_effects(event.rolls), outcome)


def _roll(_before: State, event: Roll, _after: State) -> tuple[Effect, ...]:
    return (Rolled(event.by, event.dice),)


def _advance(before: State, event: Move | TaoMove, after: State) -> tuple[Effect, ...]:
    """Return the effects of a count: a move, a blockade, a capture or a battle."""
    setup, places, at = before.setup, before.places, event.path[-1]
    board, seats = setup.board, setup.seats
    soldier = seats.index(event.by) * MEN + NUMBER[event.soldier]
    src, standing = board.names[places[soldier]], places.find(board.index[at])
    if standing < 0:
        return (Marched(event.by, SENTENCE_NAMES[soldier], src, at),)
    if standing // MEN == soldier // MEN:
        return Marched(event.by, SENTENCE_NAMES[soldier], src, at), Blockade(event.by, at)
    fight = sides(board, places, soldier, bytes(board.index[name] for name in event.path))
    against = seats[fight.defenders[0] // MEN]
    happened: tuple[Effect, ...] = (
        Attacked(
            event.by,
            SENTENCE_NAMES[soldier],
            src,
            at,
            against,
            " and ".join(SENTENCE_NAMES[man] for man in fight.defenders),
        ),
    )
    if after.attack is not None:
        return happened
    if not fight.is_walk_in:
        happened += (
            _outcome(
                before, after, fight, fixed_value(fight.attackers), fixed_value(fight.defenders), (), (), at
            ),
        )
    return happened + _prisoners(before, after, fight, at)


def _battle(before: State, event: Battle, after: State) -> tuple[Effect, ...]:
    """Return the effects of a battle: the dice, its result and the prisoners."""
    assert before.attack is not None
    soldier, path = before.attack
    fight = sides(before.setup.board, before.places, soldier, path)
    at = before.setup.board.names[path[-1]]
    ours = tuple(face for man in sorted(event.attackers) for face in event.attackers[man])
    theirs = tuple(face for man in sorted(event.defenders) for face in event.defenders[man])
    rolls: tuple[Effect, ...] = (Rolled(event.by, ours),) if ours else ()
    if theirs:
        rolls += (Rolled(before.setup.seats[fight.defenders[0] // MEN], theirs),)
    sums = fixed_value(fight.attackers) + sum(ours), fixed_value(fight.defenders) + sum(theirs)
    return (
        *rolls,
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
    """Return the effect of the sums of a battle: a win, a tie or a standoff."""
    setup, tie = before.setup, before.setup.options.tie
    by, against = (setup.seats[side[0] // MEN] for side in fight)
    if ours == theirs and after.attack is not None:
        return Tied((by, against))
    if ours == theirs and tie != "defender":
        return Standoff(by, against, at)
    # in a standoff nothing is decided, so the odds leave ties out
    decided = "defender" if tie == "defender" else "reroll"
    return Contest(by, against, attack, defence, ours, theirs, ours > theirs, float(odds(fight, decided)), at)


def _prisoners(before: State, after: State, fight: Sides, at: str) -> tuple[Effect, ...]:
    """Return an effect for each soldier that is in prison after the battle."""
    seats, places = before.setup.seats, after.places
    return tuple(
        Imprisoned(seats[places[soldier] - PRISON], seats[soldier // MEN], SENTENCE_NAMES[soldier], at)
        for side in fight
        for soldier in side
        if places[soldier] >= PRISON
    )


def _rescue(before: State, event: Rescue, _after: State) -> tuple[Effect, ...]:
    seats = before.setup.seats
    prisoner = seats.index(event.seat) * MEN + NUMBER[event.prisoner]
    return (
        Freed(
            event.by, event.seat, SENTENCE_NAMES[prisoner], seats[before.places[prisoner] - PRISON], event.at
        ),
    )


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    StartRoll: _start_roll,
    Roll: _roll,
    Move: _advance,
    TaoMove: _advance,
    Battle: _battle,
    Rescue: _rescue,
}
"""By kind of event: the function that returns its own effects. Other events have none of their own."""


def _flags(before: State, after: State) -> tuple[Effect, ...]:
    """Return the effects of flags that were picked up or delivered."""
    setup, board = before.setup, before.setup.board
    happened: list[Effect] = []
    for origin, was, now in zip(setup.flags, before.flags, after.flags, strict=True):
        flag = board.bases[origin].seat
        if was == now:
            continue
        if now >= CARRIED:
            soldier = now - CARRIED
            happened.append(
                FlagTaken(
                    setup.seats[soldier // MEN],
                    SENTENCE_NAMES[soldier],
                    flag,
                    board.names[after.places[soldier]],
                )
            )
        else:
            base, carrier = board.bases[now], was - CARRIED
            fell = before.places[carrier] != after.places[carrier] and after.places[carrier] >= PRISON
            happened.append(
                FlagHome(base.seat, flag, board.names[base.flag], "" if fell else SENTENCE_NAMES[carrier])
            )
    return tuple(happened)


def _turns(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects at the end of a turn, the skipped turns included."""
    seats, first = before.setup.seats, before.first
    happened: tuple[Effect, ...] = (Skipped(event.by, "no die can be used"),) if type(event) is Roll else ()
    if after.turn > before.turn + 1:
        between = [(first + turn) % len(seats) for turn in range(before.turn + 1, after.turn)]
        skipped = [
            army for army in between if army not in after.surrendered and not has_men(after.places, army)
        ]
        happened += tuple(Skipped(seats[army], "no soldier is free") for army in skipped)
    over, following = seats[(first + before.turn) % len(seats)], seats[(first + after.turn) % len(seats)]
    if after.outcome is not None:
        return (*happened, TurnOver(over))
    return (*happened, TurnOver(over, following), ToMove(following))
