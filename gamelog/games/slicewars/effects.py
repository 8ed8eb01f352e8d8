"""The consequences of an event, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from gamelog.game import Contest, Discarded, Effect, Income, Out, Over, Rolled, TurnOver, beats
from gamelog.games.kit.dice import whole_percent
from gamelog.games.kit.roll_off import Begins, Tied, roll_effects
from gamelog.games.slicewars.events import Attack, Battle, Event, Place, RemovalRoll, StartRoll
from gamelog.games.slicewars.state import OWNERLESS, State
from gamelog.games.slicewars.turns import turns


class TakesOut(Effect, frozen=True, tag="takes_out"):
    """`seat` rolled highest and removes `count` territories."""

    seat: str
    count: int


class Stakes(Effect, frozen=True, tag="stakes"):
    """The numbers of dice of an attack. `percent` is the attacker's probability to win (`whole_percent`)."""

    is_forecast = True
    attack: int
    defence: int
    percent: int


class Conquered(Effect, frozen=True, tag="conquered"):
    """`by` took `dst` from `loser` (None if it was ownerless) and moved `moved` dice in.

    `lost` dice of the defence were removed.
    """

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


MESSAGES = {
    "removal_roll": "",
    "remove": "{@by} removes {at}.",
    "start_roll": "",
    "claim": "{@by} claims {at}.",
    "add": "{@by} adds a die on {at}.",
    "place": "{@by} places a die on {at}.",
    "attack": "{@by} attacks {dst} from {src}.",
    "stakes": "{attack} {attack:die|dice} against {defence}. "
    "The attacker wins with a probability of {percent} %.",
    "battle": "",
    "pass": "{@by} passes.",
    "tied": "The highest rolls are equal. These players roll again.",
    "takes_out": "{@seat} rolled highest and removes {count} {count:territory|territories}.",
    "begins": "{@seat} rolled highest and begins.",
    "contest": "{attack_sum} against {defence_sum}:",
    "conquered": "{@by} takes {dst} and moves {moved} {moved:die|dice} in.",
    "repelled": "the attack fails and costs {lost} {lost:die|dice}.",
    "turn_over": "It is {@next}'s turn.",
    "income": "{@seat} receives {count} {count:die|dice}.",
    "discarded": "{@seat} has no room for {count} {count:die|dice}.",
}
"""The sentences of events and effects. Other effects have the engine's sentences."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects of `event`, in the order in which they happen."""
    direct = EFFECTS_OF.get(type(event))
    happened: tuple[Effect, ...] = direct(before, event, after) if direct else ()
    if (
        after.actor == before.actor
        and after.round == before.round
        and after.outcome is None
        and (after.hand or not before.hand)
    ):
        return happened
    return (*happened, *_turns(before, event, after)) if after.round else happened


def _roll(_before: State, event: RemovalRoll | StartRoll, after: State) -> tuple[Effect, ...]:
    seats, rolled = after.setup.seats, roll_effects(event.rolls)
    if after.phase == "remove":
        return (*rolled, TakesOut(seats[after.actor], after.setup.removals))
    if after.phase == "claim":
        return (*rolled, Begins(seats[after.actor]))
    return (*rolled, Tied(tuple(seats[seat] for seat in after.rolling)))


def _attack(_before: State, _event: Attack, after: State) -> tuple[Effect, ...]:
    """Return the odds of an attack, unless it is illegal and no dice are due."""
    if after.attack is None:
        return ()
    src, dst = after.attack
    return _stakes(after.dice[src], after.dice[dst])


@cache
def _stakes(attack: int, defence: int) -> tuple[Stakes]:
    return (Stakes(attack, defence, whole_percent(beats(attack, defence))),)


def _battle(before: State, event: Battle, after: State) -> tuple[Effect, ...]:
    """Return the effects of a battle: the dice, the contest, and the conquest or the repelled attack."""
    assert before.attack is not None
    src, dst = before.attack
    setup, owners, dice = before.setup, before.owners, before.dice
    seats, names, owner = setup.seats, setup.board.names, owners[dst]
    by, loser = seats[owners[src]], None if owner == OWNERLESS else seats[owner]
    attack, defence = event.attack, event.defence
    ours, theirs = sum(attack), sum(defence)
    won, odds = ours > theirs, beats(dice[src], dice[dst])
    contest = Contest(by, loser, attack, defence, ours, theirs, won, odds, names[dst])
    rolled = Rolled(by, attack), Rolled(loser, defence), contest
    if not won:
        return (*rolled, Repelled(by, names[src], names[dst], dice[src] - 1))
    conquered = Conquered(by, names[src], names[dst], dice[src] - 1, dice[dst], loser)
    return (
        (*rolled, conquered) if loser is None or owner in after.owners else (*rolled, conquered, Out(loser))
    )


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    RemovalRoll: _roll,
    StartRoll: _roll,
    Attack: _attack,
    Battle: _battle,
}
"""The function that gives the direct consequences of each kind of event. Other kinds have none."""


def _turns(before: State, event: Event, after: State) -> Iterator[Effect]:
    """Yield discarded dice, the end of the turn, each turn that begins, and the end of the game."""
    seats, outcome = before.setup.seats, after.outcome
    actor, round = (before.actor, before.round) if before.round else (before.first, 1)
    if outcome is None or outcome.reason == "guard":
        same_turn = outcome is None and (after.actor, after.round) == (actor, round)
        left = before.hand - (type(event) is Place)
        if before.round and left > 0 and not (same_turn and after.hand):
            yield Discarded(seats[actor], left)
        if not same_turn:
            for turn, income in turns(after, actor, round):
                over = turn.round > before.setup.options.max_rounds
                yield TurnOver(seats[actor], None if over else seats[turn.actor])
                if income:
                    yield Income(seats[turn.actor], income)
                if turn.hand < income:
                    yield Discarded(seats[turn.actor], income)
                actor = turn.actor
    if outcome is not None:
        yield Over(outcome.winners, outcome.reason)
