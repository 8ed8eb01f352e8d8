"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.dice_flags.army import MEN, NUMBER, called
from gamelog.games.dice_flags.battle import Sides, fixed, odds, sides
from gamelog.games.dice_flags.events import Battle, Event, Move, Rescue, Roll, StartRoll, TaoMove
from gamelog.games.dice_flags.moves import has_men
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.dice_flags.turns import on_turn
from gamelog.play.effects import Contest, Effect, Over, Rolled, TurnOver


class Begins(Effect, frozen=True, tag="begins"):
    """`seat` rolled highest and begins."""

    seat: str


class Tied(Effect, frozen=True, tag="tied"):
    """`seats` threw equal sums and throw again."""

    seats: tuple[str, ...]


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
    """The flag of `flag` now lies on the flag square of `by`, brought by `man` (nobody: it fell with its carrier)."""

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


PHRASES = {
    "start_roll": "",
    "deploy": "{@by} posts {soldier} on {at}.",
    "rescue": "",
    "march": "{@by} rolls rather than rescue.",
    "roll": "",
    "move": "",
    "battle": "",
    "pick_up": "",
    "tao": "The army of {@by} is well: all men may move.",
    "tao_move": "",
    "tao_end": "{@by} lets the others stand.",
    "stop": "{@by} moves no more.",
    "begins": "{@seat} rolled highest and begins.",
    "tied": "Equal: it is rolled again.",
    "marched": "{@by}'s {man} goes from {src} to {at}.",
    "attacked": "{@by}'s {man} attacks {@against}'s {whom} on {at}.",
    "contest": "{attack_sum} against {defence_sum}:",
    "imprisoned": "{@seat}'s {man} is captured and goes to {@by}'s prison.",
    "standoff": "neither gives way.",
    "blockade": "A blockade stands on {at}.",
    "flag_taken": "{@by}'s {man} takes up the flag of {@flag}!",
    "flag_home": "The flag of {@flag} lies on {at}.",
    "freed": "{@by} frees {@seat}'s {man} from {@loser}'s prison; he stands on {at}.",
    "again": "A double: {@seat} rolls again.",
    "skipped": "{@seat}'s turn passes: {reason}.",
    "turn_over": "",
    "to_move": "It is {@seat}'s turn.",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    return tuple(_effects(before, event, after))


def _effects(before: State, event: Event, after: State) -> Iterator[Effect]:
    seats = before.setup.seats
    if isinstance(event, StartRoll):
        yield from (Rolled(seat, (face,)) for seat, face in event.rolls.items())
        yield Tied(tuple(seats[army] for army in after.rolling)) if after.rolling else Begins(seats[after.first])
    elif isinstance(event, Roll):
        yield Rolled(event.by, event.dice)
    elif isinstance(event, Move | TaoMove):
        yield from _advance(before, event, after)
    elif isinstance(event, Battle):
        yield from _battle(before, event, after)
    elif isinstance(event, Rescue):
        yield from _freed(before, event)
    yield from _flags(before, after)
    yield from _turns(before, event, after)
    if after.outcome is not None:
        yield Over(after.outcome.winners, after.outcome.reason)


def _advance(before: State, event: Move | TaoMove, after: State) -> Iterator[Effect]:
    """A walk: to an empty space, to a partner, into a lone pawn, or into a battle that is rolled for or needs no dice."""
    setup, index = before.setup, before.setup.board.index
    names = setup.board.names
    soldier = setup.seats.index(event.by) * MEN + NUMBER[event.soldier]
    path = bytes(index[name] for name in event.path)
    src, at = names[before.places[soldier]], names[path[-1]]
    standing = before.places.find(path[-1])
    if standing < 0 or standing // MEN == soldier // MEN:
        yield Marched(event.by, called(soldier), src, at)
        if standing >= 0:
            yield Blockade(event.by, at)
        return
    fight = sides(setup.board, before.places, soldier, path)
    against = setup.seats[fight.defenders[0] // MEN]
    yield Attacked(event.by, called(soldier), src, at, against, " and ".join(map(called, fight.defenders)))
    if after.attack is None:
        if not fight.walks_in:
            ours, theirs = fixed(fight.attackers), fixed(fight.defenders)
            yield from _outcome(before, after, fight, ours, theirs, (), (), at)
        yield from _prisoners(before, after, at)


def _battle(before: State, event: Battle, after: State) -> Iterator[Effect]:
    assert before.attack is not None
    soldier, path = before.attack
    fight = sides(before.setup.board, before.places, soldier, path)
    at = before.setup.board.names[path[-1]]
    ours = tuple(face for man in sorted(event.attackers) for face in event.attackers[man])
    theirs = tuple(face for man in sorted(event.defenders) for face in event.defenders[man])
    if ours:
        yield Rolled(event.by, ours)
    if theirs:
        yield Rolled(before.setup.seats[fight.defenders[0] // MEN], theirs)
    sums = fixed(fight.attackers) + sum(ours), fixed(fight.defenders) + sum(theirs)
    yield from _outcome(before, after, fight, *sums, ours, theirs, at)
    yield from _prisoners(before, after, at)


def _outcome(
    before: State, after: State, fight: Sides, ours: int, theirs: int, attack: tuple[int, ...], defence: tuple[int, ...], at: str
) -> Iterator[Effect]:
    """What the sums of a battle mean."""
    setup, tie = before.setup, before.setup.options.tie
    by, against = (setup.seats[side[0] // MEN] for side in fight)
    if ours == theirs and after.attack is not None:
        yield Tied((by, against))
    elif ours == theirs and tie != "defender":
        yield Standoff(by, against, at)
    else:
        yield Contest(by, against, attack, defence, ours, theirs, ours > theirs, float(odds(fight, tie)), at)


def _prisoners(before: State, after: State, at: str) -> Iterator[Effect]:
    seats = before.setup.seats
    for soldier, (was, now) in enumerate(zip(before.places, after.places, strict=True)):
        if was != now and now >= PRISON:
            yield Imprisoned(seats[now - PRISON], seats[soldier // MEN], called(soldier), at)


def _freed(before: State, event: Rescue) -> Iterator[Effect]:
    seats = before.setup.seats
    prisoner = seats.index(event.seat) * MEN + NUMBER[event.prisoner]
    yield Freed(event.by, event.seat, called(prisoner), seats[before.places[prisoner] - PRISON], event.at)


def _flags(before: State, after: State) -> Iterator[Effect]:
    """Flags that changed hands."""
    setup = before.setup
    for origin, was, now in zip(setup.flags, before.flags, after.flags, strict=True):
        flag = setup.board.bases[origin].seat
        if was == now:
            continue
        if now >= CARRIED:
            soldier = now - CARRIED
            yield FlagTaken(setup.seats[soldier // MEN], called(soldier), flag, setup.board.names[after.places[soldier]])
        else:
            by, at = setup.board.bases[now].seat, setup.board.names[setup.board.bases[now].flag]
            carrier = was - CARRIED
            fell = before.places[carrier] != after.places[carrier] and after.places[carrier] >= PRISON
            yield FlagHome(by, flag, at, "" if fell else called(carrier))


def _turns(before: State, event: Event, after: State) -> Iterator[Effect]:
    """The end of a roll or a turn, and the turns that pass because nobody is free to move."""
    seats = before.setup.seats
    if after.turn == before.turn:
        if after.again > before.again:
            yield Again(seats[on_turn(before)])
        return
    if isinstance(event, Roll):
        yield Skipped(event.by, "no die can be used")
    army = on_turn(before)
    for turn in range(before.turn + 1, after.turn):
        passed = (before.first + turn) % len(seats)
        if passed not in after.surrendered and not has_men(after.places, passed):
            yield Skipped(seats[passed], "no man is free")
    yield TurnOver(seats[army], None if after.outcome else seats[on_turn(after)])
    if after.outcome is None:
        yield ToMove(seats[on_turn(after)])
