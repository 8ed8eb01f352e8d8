"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from gamelog.games.slicewars.events import Add, Attack, Battle, Event, Place, RemovalRoll, StartRoll
from gamelog.games.slicewars.land import living
from gamelog.games.slicewars.state import OWNERLESS, State
from gamelog.games.slicewars.turns import turns
from gamelog.play.effects import Contest, Discarded, Effect, Income, Out, Over, Rolled, TurnOver
from gamelog.play.odds import beats


class TakesOut(Effect, frozen=True, tag="takes_out"):
    """`seat` rolled highest and takes `count` territories out."""

    seat: str
    count: int


class Begins(Effect, frozen=True, tag="begins"):
    """`seat` rolled highest and begins."""

    seat: str


class Tied(Effect, frozen=True, tag="tied"):
    """`seats` rolled the same and roll again."""

    seats: tuple[str, ...]


class Conquered(Effect, frozen=True, tag="conquered"):
    """`by` took `dst` from `loser` (None: it was ownerless) and moved `moved` dice in; `lost` dice were removed there."""

    by: str
    src: str
    dst: str
    moved: int
    lost: int
    loser: str | None = None


class Repelled(Effect, frozen=True, tag="repelled"):
    """The attack from `src` failed and cost `by` all dice there but one: `lost`."""

    by: str
    src: str
    dst: str
    lost: int


PHRASES = {
    "removal_roll": "",
    "remove": "{@by} takes out {at}.",
    "start_roll": "",
    "claim": "{@by} claims {at}.",
    "add": "{@by} adds a die on {at}.",
    "place": "{@by} places a die on {at}.",
    "attack": "{@by} attacks {dst} from {src}.",
    "battle": "",
    "pass": "{@by} passes.",
    "tied": "The highest are equal and roll again.",
    "takes_out": "{@seat} rolled highest and takes territories out: {count}.",
    "begins": "{@seat} rolled highest and begins.",
    "contest": "{attack_sum} against {defence_sum}:",
    "conquered": "{@by} takes {dst}, dice moved in: {moved}.",
    "repelled": "the attack fails, dice lost: {lost}.",
    "turn_over": "It is {@next}'s turn.",
    "income": "{@seat} receives dice: {count}.",
    "discarded": "Dice of {@seat} that fit nowhere: {count}.",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


SILENT = (Add, Attack, Place)
"""What has no consequences while the turn and the dice in hand go on."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    same_turn = after.actor == before.actor and after.round == before.round
    if same_turn and after.outcome is None and type(event) in SILENT and (after.hand or not before.hand):
        return ()
    return tuple(_effects(before, event, after))


def _effects(before: State, event: Event, after: State) -> Iterator[Effect]:
    if type(event) is RemovalRoll or type(event) is StartRoll:
        yield from _roll(event, after)
    elif type(event) is Battle:
        yield from _battle(before, event, after)
    if after.round:
        if before.owners is not after.owners:
            for seat in living(before):
                if seat not in after.owners:
                    yield Out(before.setup.seats[seat])
        if after.outcome is None or after.outcome.reason == "guard":
            yield from _turns(before, event, after)
    if after.outcome is not None:
        yield Over(after.outcome.winners, after.outcome.reason)


def _roll(event: RemovalRoll | StartRoll, after: State) -> Iterator[Effect]:
    setup = after.setup
    for seat, face in event.rolls.items():
        yield Rolled(seat, (face,))
    if after.phase == "remove":
        yield TakesOut(setup.seats[after.actor], setup.removals)
    elif after.phase == "claim":
        yield Begins(setup.seats[after.actor])
    else:
        yield Tied(tuple(setup.seats[seat] for seat in after.rolling))


def _battle(before: State, event: Battle, after: State) -> Iterator[Effect]:
    assert before.attack is not None
    src, dst = before.attack
    seats, names, dice = before.setup.seats, before.setup.board.names, before.dice
    by, owner = seats[before.owners[src]], before.owners[dst]
    loser = None if owner == OWNERLESS else seats[owner]
    won = after.owners[dst] == before.owners[src]
    yield Rolled(by, event.attack)
    yield Rolled(loser, event.defence)
    sums, odds = (sum(event.attack), sum(event.defence)), beats(dice[src], dice[dst])
    yield Contest(by, loser, event.attack, event.defence, *sums, won, odds, names[dst])
    if won:
        yield Conquered(by, names[src], names[dst], dice[src] - 1, dice[dst], loser)
    else:
        yield Repelled(by, names[src], names[dst], dice[src] - 1)


def _turns(before: State, event: Event, after: State) -> Iterator[Effect]:
    """Dice that fit nowhere, the end of the turn, and the turns that begin, those that are over at once included."""
    seats = before.setup.seats
    actor, round = (before.actor, before.round) if before.round else (before.first, 1)
    same_turn = (after.actor, after.round) == (actor, round) and after.outcome is None
    left = before.hand - (type(event) is Place)
    if before.round and left > 0 and not (same_turn and after.hand):
        yield Discarded(seats[actor], left)
    if same_turn:
        return
    for turn, income in turns(replace(after, actor=actor, round=round)):
        over = turn.round > before.setup.options.max_rounds
        yield TurnOver(seats[actor], None if over else seats[turn.actor])
        if income:
            yield Income(seats[turn.actor], income)
        if turn.hand < income:
            yield Discarded(seats[turn.actor], income)
        actor = turn.actor
