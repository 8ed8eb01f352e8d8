"""Who may act, and which rule forbids an event. Ids are those of RULES.md.

An event is first held against what is due (the phase) and whose turn it is, then against its own
rule. What is not due is refused with the rule that says what is. Types are told apart as in
`gamelog.games.slicewars.reducer`.
"""

from __future__ import annotations

from typing import assert_never

from gamelog.chance.draws import Dice
from gamelog.games.kit.dice import wrong_face
from gamelog.games.slicewars.board import connected
from gamelog.games.slicewars.events import Add, Attack, Battle, ClaimLand, Event, Pass, Place, RemovalRoll, Remove, StartRoll
from gamelog.games.slicewars.state import CAPACITY, FREE, OWNERLESS, OWNERLESS_DICE, VOID, State
from gamelog.play.contract.game import ChanceDue, Pending, Violation, who
from gamelog.record.counting import many
from gamelog.record.envelope import TABLE

DUE = {
    "removal_roll": ("SW-1", "everybody's dice for the right to remove territories are due"),
    "remove": ("SW-1", "the removal of territories is due"),
    "start_roll": ("SW-2", "everybody's dice for the right to begin are due"),
    "claim": ("SW-3", "the claim of a free territory is due"),
    "add": ("SW-4", "a further die on an own territory is due"),
    "place": ("SW-7", "the placing of a die received is due"),
    "attack": ("SW-9", "an attack or a pass is due"),
    "battle": ("SW-12", "the battle dice are due"),
}
"""For each phase the rule that says what is due, and the same in words."""

NO_NEW_DICE = Violation("SW-5", "there are no new dice in the first round")
NO_HAND = Violation("SW-7", "all dice received have been placed")

ENDED_BY = {"all": "SW-18", "majority_full": "SW-19", "all_full": "SW-20", "guard": "SW-A21"}


def pending(state: State) -> Pending:
    """Who may act, or the dice that are owed, or the outcome."""
    if state.outcome is not None:
        return Pending(outcome=state.outcome)
    seats = state.setup.seats
    if state.attack is not None:
        src, dst = state.attack
        attacker, defender = state.owners[src], state.owners[dst]
        against = None if defender == OWNERLESS else seats[defender]
        dice = (Dice(state.dice[src], 6, seats[attacker]), Dice(state.dice[dst], 6, against))
        return Pending(chance=ChanceDue("battle", seats[attacker], dice))
    if state.rolling:
        return Pending(chance=ChanceDue(state.phase, TABLE, tuple(Dice(1, 6, seats[seat]) for seat in state.rolling)))
    return Pending(by=(seats[state.actor],))


def left(state: State) -> str:
    """How many dice are left in the hand, in words."""
    if state.phase in ("add", "place"):
        return f"{many(state.hand, 'die', 'dice')} left to place"
    return ""


def check(state: State, event: Event) -> Violation | None:
    """The rule that forbids `event` in `state`, or None."""
    if type(event) is Place:
        return _place(state, event)
    if type(event) is Attack:
        return _attack(state, event)
    if type(event) is Battle:
        return _battle(state, event)
    if type(event) is Add:
        return _add(state, event)
    if type(event) is ClaimLand:
        return _claim(state, event)
    if type(event) is Pass:
        return _pass(state, event)
    if type(event) is Remove:
        return _remove(state, event)
    if type(event) is RemovalRoll or type(event) is StartRoll:
        return _roll(state, event)
    assert_never(event)


def _roll(state: State, event: RemovalRoll | StartRoll) -> Violation | None:
    phase, rule = ("removal_roll", "SW-1") if type(event) is RemovalRoll else ("start_roll", "SW-2")
    if state.phase != phase:
        return _not_due(state)
    seats = state.setup.seats
    rolling = [seats[seat] for seat in state.rolling]
    if event.by != TABLE:
        return Violation(rule, f"everybody's dice are recorded by {TABLE}, not by {who(event.by)}")
    if set(event.rolls) != set(rolling):
        again = len(rolling) < len(seats)
        return Violation(
            "SW-A4" if again else rule, f"{', '.join(map(who, rolling))} roll{' again' if again else ''}, a die each"
        )
    return wrong_face(rule, event.rolls.values())


def _remove(state: State, event: Remove) -> Violation | None:
    if state.phase != "remove":
        return _not_due(state)
    setup = state.setup
    if event.by != setup.seats[state.actor]:
        return Violation("SW-1", f"{who(setup.seats[state.actor])} rolled highest and chooses, not {who(event.by)}")
    unknown = [name for name in event.at if name not in setup.board.index]
    if unknown:
        return _unknown("SW-1", unknown[0])
    if len(event.at) != setup.removals or len(set(event.at)) != setup.removals:
        rule = "SW-A2" if setup.options.extra_ownerless else "SW-1"
        return Violation(rule, f"{setup.removals} different territories are taken out, not {' '.join(event.at) or 'none'}")
    if setup.options.keep_connected and not connected(setup.board, frozenset(setup.board.index[name] for name in event.at)):
        return Violation("SW-A3", f"without {' '.join(event.at)} the rest is not connected")
    return None


def _claim(state: State, event: ClaimLand) -> Violation | None:
    if state.phase != "claim":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return _unknown("SW-3", event.at)
    if state.owners[at] != FREE:
        return Violation("SW-3", f"{event.at} is not free")
    return None


def _add(state: State, event: Add) -> Violation | None:
    if state.phase != "add":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    at = state.setup.board.index.get(event.at)
    if at is None:
        return _unknown("SW-4", event.at)
    if state.owners[at] != state.actor:
        return Violation("SW-4", f"{event.at} is not {who(event.by)}'s land")
    if state.dice[at] >= CAPACITY:
        return Violation("SW-A6", f"{event.at} holds {CAPACITY} dice already")
    return None


def _place(state: State, event: Place) -> Violation | None:
    if state.phase != "place":
        if state.phase == "attack":
            return NO_NEW_DICE if state.round == 1 else NO_HAND
        return _not_due(state)
    setup = state.setup
    if event.by != setup.seats[state.actor]:
        return _not_on_turn(state, event)
    at = setup.board.index.get(event.at)
    if at is None:
        return _unknown("SW-7", event.at)
    owner = state.owners[at]
    if owner != state.actor:
        return Violation("SW-A25" if owner == OWNERLESS else "SW-7", f"{event.at} is not {who(event.by)}'s land")
    if state.dice[at] >= CAPACITY:
        return Violation("SW-7", f"{event.at} holds {CAPACITY} dice already")
    return None


def _attack(state: State, event: Attack) -> Violation | None:
    if state.phase != "attack":
        return _not_due(state)
    setup, owners, actor = state.setup, state.owners, state.actor
    if event.by != setup.seats[actor]:
        return _not_on_turn(state, event)
    board = setup.board
    src, dst = board.index.get(event.src), board.index.get(event.dst)
    if src is None:
        return _unknown("SW-11", event.src)
    if dst is None:
        return _unknown("SW-11", event.dst)
    if owners[src] != actor:
        return Violation("SW-11", f"{event.src} is not {who(event.by)}'s land")
    if owners[dst] == actor:
        return Violation("SW-11", f"{event.dst} is {who(event.by)}'s own land")
    if dst not in board.neighbours[src]:
        return Violation("SW-11", f"{event.src} does not touch {event.dst}")
    if state.dice[src] < 2:
        return Violation("SW-17", f"{event.src} has one die, and one die cannot attack")
    if owners[dst] == VOID:
        return Violation("SW-A1", f"{event.dst} is off the map")
    return None


def _battle(state: State, event: Battle) -> Violation | None:
    if state.attack is None:
        return _not_due(state)
    src, dst = state.attack
    attacker = state.setup.seats[state.owners[src]]
    if event.by != attacker:
        return Violation("SW-12", f"the battle is {who(attacker)}'s to record, not {who(event.by)}'s")
    attack, defence = event.attack, event.defence
    if len(attack) != state.dice[src]:
        return Violation("SW-A8", f"the attack is made with all {state.dice[src]} dice, not with {len(attack)}")
    if len(defence) != state.dice[dst]:
        if state.owners[dst] == OWNERLESS:
            return Violation("SW-13", f"ownerless land defends with {OWNERLESS_DICE} dice, not with {len(defence)}")
        return Violation("SW-12", f"the defence rolls {many(state.dice[dst], 'die', 'dice')}, not {len(defence)}")
    return wrong_face("SW-12", attack + defence)


def _pass(state: State, event: Pass) -> Violation | None:
    if state.phase == "place" and event.by == state.setup.seats[state.actor]:
        return Violation("SW-A24", f"{who(event.by)} has still to place {state.hand}")
    if state.phase != "attack":
        return _not_due(state)
    if event.by != state.setup.seats[state.actor]:
        return _not_on_turn(state, event)
    return None


def _not_due(state: State) -> Violation:
    """Why an event of another phase is illegal: by the rule that says what is due."""
    if state.outcome is not None:
        return Violation(ENDED_BY[state.outcome.reason], "the game is over")
    rule, due = DUE[state.phase]
    if state.phase == "attack" and state.round == 1:
        rule = "SW-5"
    return Violation(rule, due)


def _not_on_turn(state: State, event: Event) -> Violation:
    """Why the event of a seat that is not on turn is illegal."""
    seats = state.setup.seats
    if state.round and event.by in seats and seats.index(event.by) not in state.owners:
        return Violation("SW-A22", f"{who(event.by)} is out of the game")
    rule = "SW-A7" if state.round else DUE[state.phase][0]
    return Violation(rule, f"it is {who(seats[state.actor])}'s turn, not {who(event.by)}'s")


def _unknown(rule: str, name: str) -> Violation:
    return Violation(rule, f'the board has no territory "{name}"')
