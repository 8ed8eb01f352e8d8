"""The consequences of an event, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.game import Captured, Contest, Effect, Over, Rolled, TurnOver, beats
from gamelog.games.kit.dice import whole_percent
from gamelog.games.kit.roll_off import Begins, Tied, roll_effects
from gamelog.games.zone_control.board import SQUARES_PER_ZONE
from gamelog.games.zone_control.events import (
    Challenge,
    ChallengeRoll,
    EndTurn,
    Event,
    FinalRoll,
    MoveRoll,
    StartRoll,
)
from gamelog.games.zone_control.state import EMPTY, Siege, State
from gamelog.games.zone_control.zones import count_inside, holder, holder_of, moves_home, standings


class Moves(Effect, frozen=True, tag="moves"):
    """`seat` has `count` steps in this turn."""

    seat: str
    count: int


class Controls(Effect, frozen=True, tag="controls"):
    """`seat` now controls the zone `at`."""

    seat: str
    at: str


class Freed(Effect, frozen=True, tag="freed"):
    """`seat` no longer controls the zone `at`, and neither does any other seat."""

    seat: str
    at: str


class Stakes(Effect, frozen=True, tag="stakes"):
    """The numbers of dice of a challenge. `percent` is the attacker's chance to win (`whole_percent`)."""

    is_forecast = True
    by: str
    against: str
    at: str
    attack: int
    defence: int
    percent: int


class SentHome(Effect, frozen=True, tag="sent_home"):
    """`count` pieces of `seat` went home. ``moves`` has the squares they left and the squares they took."""

    seat: str
    count: int
    moves: dict[str, str]


class Standing(Effect, frozen=True, tag="standing"):
    """The final standing: the zones of `seat` count `points`, and `pieces` of its pieces are in them."""

    seat: str
    points: int
    pieces: int


class RollOff(Effect, frozen=True, tag="roll_off"):
    """`seats` are tied in zones and in pieces, or after a final roll, so they roll for the victory."""

    seats: tuple[str, ...]


MESSAGES = {
    "start_roll": "",
    "move_roll": "",
    "step": "{@by} moves from {src} to {dst}.",
    "challenge": "{@by} challenges zone {at} from {attackers}.",
    "challenge_roll": "",
    "occupy": "{@by} moves into zone {at}.",
    "end_turn": "",
    "time_up": "Time is up.",
    "final_roll": "",
    "begins": "{@seat} rolled highest and begins.",
    "tied": "The highest rolls are equal. These players roll again.",
    "moves": "The roll gives {count} {count:step|steps}.",
    "controls": "{@seat} controls zone {at}.",
    "freed": "No player controls zone {at} any more.",
    "stakes": "{@against} defends with {defence} {defence:die|dice} against {attack}. "
    "The attacker wins with a probability of {percent} %.",
    "contest": "{attack_sum} against {defence_sum} for zone {at}: the challenge is {result}.",
    "captured": "{@loser} loses the zone.",
    "sent_home": "{count} {count:piece|pieces} of {@seat} {count:goes|go} home.",
    "turn_over": "{@seat}'s turn is over.",
    "standing": "{@seat}: {points} for zones, with {pieces} {pieces:piece|pieces} in them.",
    "roll_off": "The leaders are still tied. Each of them rolls six dice.",
}
"""The sentences of events and effects. Other effects have the engine's sentences."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """Return the effects of `event`, in the order in which they happen."""
    direct = EFFECTS_OF.get(type(event))
    happened: tuple[Effect, ...] = direct(before, event, after) if direct else ()
    if before.squares is not after.squares:
        happened += _control(before, after)
    if after.outcome is not None or after.phase == "final_roll":
        happened += _end(event, after)
    return happened


def _start_roll(_before: State, event: StartRoll, after: State) -> tuple[Effect, ...]:
    seats = after.setup.seats
    return (
        *roll_effects(event.rolls),
        Tied(tuple(seats[seat] for seat in after.rolling)) if after.rolling else Begins(seats[after.actor]),
    )


def _move_roll(_before: State, event: MoveRoll, after: State) -> tuple[Effect, ...]:
    return Rolled(event.by, event.dice), Moves(event.by, after.points)


def _challenge(_before: State, _event: Challenge, after: State) -> tuple[Effect, ...]:
    return () if after.siege is None else (_stakes(after, after.siege),)


def _challenge_roll(before: State, event: ChallengeRoll, _after: State) -> tuple[Effect, ...]:
    return () if before.siege is None else _contest(before, before.siege, event)


def _end_turn(_before: State, event: EndTurn, after: State) -> tuple[Effect, ...]:
    ended = after.outcome is not None or after.phase == "final_roll"
    return (TurnOver(event.by, None if ended else after.setup.seats[after.actor]),)


def _final_roll(_before: State, event: FinalRoll, _after: State) -> tuple[Effect, ...]:
    return tuple(Rolled(seat, dice) for seat, dice in event.rolls.items())


EFFECTS_OF: dict[type[Event], Callable[[State, Any, State], tuple[Effect, ...]]] = {
    StartRoll: _start_roll,
    MoveRoll: _move_roll,
    Challenge: _challenge,
    ChallengeRoll: _challenge_roll,
    EndTurn: _end_turn,
    FinalRoll: _final_roll,
}
"""The function that gives the direct consequences of each kind of event.

Other kinds have none, except that the control of zones may change.
"""


def _stakes(state: State, siege: Siege) -> Stakes:
    setup = state.setup
    attack, defence = len(siege.attackers), count_inside(state, siege.zone)
    by, against = setup.seats[state.squares[siege.attackers[0]]], setup.seats[holder(state, siege.zone)]
    return Stakes(
        by, against, setup.board.zones[siege.zone], attack, defence, whole_percent(beats(attack, defence))
    )


def _contest(before: State, siege: Siege, event: ChallengeRoll) -> tuple[Effect, ...]:
    """Return the effects of a challenge: the dice, the contest, and the pieces sent home."""
    board, seats = before.setup.board, before.setup.seats
    by, against, at = (
        seats[before.squares[siege.attackers[0]]],
        seats[holder(before, siege.zone)],
        board.zones[siege.zone],
    )
    attack, defence, defenders = event.attack, event.defence, count_inside(before, siege.zone)
    ours, theirs = sum(attack), sum(defence)
    won, odds = ours > theirs, beats(len(siege.attackers), defenders)
    contest = Contest(by, against, attack, defence, ours, theirs, won, odds, at)
    moves = {board.names[src]: board.names[dst] for src, dst in moves_home(before, siege, won)}
    home = SentHome(against if won else by, len(moves), moves)
    rolled = Rolled(against, defence), Rolled(by, attack)
    return (*rolled, contest, Captured(by, at, against, defenders), home) if won else (*rolled, contest, home)


def _control(before: State, after: State) -> tuple[Effect, ...]:
    """Return the changes in the control of zones."""
    board, seats = before.setup.board, before.setup.seats
    zones = slice(board.zones_from, board.homes_from)
    was, now = before.squares[zones], after.squares[zones]
    if was == now:
        return ()
    happened: list[Effect] = []
    for zone, lo in enumerate(range(0, len(now), SQUARES_PER_ZONE)):
        old, new = was[lo : lo + SQUARES_PER_ZONE], now[lo : lo + SQUARES_PER_ZONE]
        if old != new:
            loser, winner = holder_of(old), holder_of(new)
            if winner not in (loser, EMPTY):
                happened.append(Controls(seats[winner], board.zones[zone]))
            elif winner != loser and after.phase != "occupy":
                happened.append(Freed(seats[loser], board.zones[zone]))
    return tuple(happened)


def _end(event: Event, after: State) -> tuple[Effect, ...]:
    """Return the final standings after the last turn, and the end of the game or the roll-off."""
    seats = after.setup.seats
    happened: list[Effect] = []
    if type(event) is not FinalRoll:
        happened += [
            Standing(seat, points, pieces)
            for seat, (points, pieces) in zip(seats, standings(after), strict=True)
        ]
    if after.outcome is None:
        return (*happened, RollOff(tuple(seats[seat] for seat in after.rolling)))
    return (*happened, Over(after.outcome.winners, after.outcome.reason))
