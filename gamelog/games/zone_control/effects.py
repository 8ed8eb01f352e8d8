"""What an event brought about, for people to read and for archives to count."""

from __future__ import annotations

from collections.abc import Iterator

from gamelog.games.zone_control.events import Challenge, ChallengeRoll, EndTurn, Event, FinalRoll, MoveRoll, StartRoll
from gamelog.games.zone_control.state import EMPTY, Siege, State
from gamelog.games.zone_control.zones import count_inside, holder, sent_home, standings
from gamelog.play.effects import Captured, Contest, Effect, Over, Rolled, TurnOver
from gamelog.play.odds import beats


class Begins(Effect, frozen=True, tag="begins"):
    """`seat` rolled highest and begins."""

    seat: str


class Tied(Effect, frozen=True, tag="tied"):
    """`seats` rolled the same and roll again."""

    seats: tuple[str, ...]


class Moves(Effect, frozen=True, tag="moves"):
    """`seat` has `count` steps in this turn."""

    seat: str
    count: int


class Controls(Effect, frozen=True, tag="controls"):
    """`seat` has come to control the zone `at`."""

    seat: str
    at: str


class Freed(Effect, frozen=True, tag="freed"):
    """`seat` does not control the zone `at` any more, and nobody else does."""

    seat: str
    at: str


class Stakes(Effect, frozen=True, tag="stakes"):
    """The dice of a challenge before they are rolled; `percent` is the attacker's chance to win, rounded."""

    by: str
    against: str
    at: str
    attack: int
    defence: int
    percent: int


class SentHome(Effect, frozen=True, tag="sent_home"):
    """`count` pieces of `seat` went back to its starting grid: from which square to which."""

    seat: str
    count: int
    moves: dict[str, str]


class Standing(Effect, frozen=True, tag="standing"):
    """At the end `seat`'s zones count `points`, and `pieces` of its pieces are in them."""

    seat: str
    points: int
    pieces: int


class RollOff(Effect, frozen=True, tag="roll_off"):
    """`seats` are tied in zones and in pieces, or rolled the same: they roll for the victory."""

    seats: tuple[str, ...]


PHRASES = {
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
    "tied": "The highest are equal and roll again.",
    "moves": "Steps to take: {count}.",
    "controls": "{@seat} controls zone {at}.",
    "freed": "Nobody controls zone {at} any more.",
    "stakes": "{@against} defends; dice {attack} against {defence}, a chance of {percent} %.",
    "contest": "{attack_sum} against {defence_sum} over zone {at}: the challenge is {result}.",
    "captured": "{@loser} loses the zone.",
    "sent_home": "Pieces of {@seat} sent home: {count}.",
    "turn_over": "{@seat}'s turn is over.",
    "standing": "{@seat}: {points} for zones, {pieces} pieces in them.",
    "roll_off": "Nothing tells the leaders apart: six dice each.",
}
"""Sentences; what the engine has words for and is not here is said in the engine's."""


def effects(before: State, event: Event, after: State) -> tuple[Effect, ...]:
    """The consequences of `event`, in order."""
    return tuple(_effects(before, event, after))


def _effects(before: State, event: Event, after: State) -> Iterator[Effect]:
    seats = before.setup.seats
    if type(event) is StartRoll:
        for seat, face in event.rolls.items():
            yield Rolled(seat, (face,))
        yield Tied(tuple(seats[seat] for seat in after.rolling)) if after.rolling else Begins(seats[after.actor])
    elif type(event) is MoveRoll:
        yield Rolled(event.by, event.dice)
        yield Moves(event.by, after.points)
    elif type(event) is Challenge and after.siege is not None:
        yield _stakes(after, after.siege)
    elif type(event) is ChallengeRoll and before.siege is not None:
        yield from _contest(before, before.siege, event)
    elif type(event) is FinalRoll:
        for seat, dice in event.rolls.items():
            yield Rolled(seat, dice)
    elif type(event) is EndTurn:
        yield TurnOver(event.by, None if after.phase in ("final_roll", "over") else seats[after.actor])
    if before.squares != after.squares:
        yield from _control(before, after)
    yield from _end(before, event, after)


def _stakes(state: State, siege: Siege) -> Stakes:
    setup = state.setup
    attack, defence = len(siege.attackers), count_inside(state, siege.zone)
    by, against = setup.seats[state.squares[siege.attackers[0]]], setup.seats[holder(state, siege.zone)]
    return Stakes(by, against, setup.board.zones[siege.zone], attack, defence, round(100 * beats(attack, defence)))


def _contest(before: State, siege: Siege, event: ChallengeRoll) -> Iterator[Effect]:
    stakes, won = _stakes(before, siege), sum(event.attack) > sum(event.defence)
    odds = beats(stakes.attack, stakes.defence)
    yield Rolled(stakes.against, event.defence)
    yield Rolled(stakes.by, event.attack)
    sums = sum(event.attack), sum(event.defence)
    yield Contest(stakes.by, stakes.against, event.attack, event.defence, *sums, won, odds, stakes.at)
    if won:
        yield Captured(stakes.by, stakes.at, stakes.against, stakes.defence)
    names = before.setup.board.names
    moves = {names[src]: names[dst] for src, dst in sent_home(before, siege, won)}
    yield SentHome(stakes.against if won else stakes.by, len(moves), moves)


def _control(before: State, after: State) -> Iterator[Effect]:
    """Zones that somebody has come to control, and such as nobody does any more."""
    board, seats = before.setup.board, before.setup.seats
    for zone, name in enumerate(board.zones):
        old, new = holder(before, zone), holder(after, zone)
        if old != new:
            if new != EMPTY:
                yield Controls(seats[new], name)
            elif after.phase != "occupy":
                yield Freed(seats[old], name)


def _end(before: State, event: Event, after: State) -> Iterator[Effect]:
    seats = before.setup.seats
    ended = after.phase in ("final_roll", "over")
    if ended and type(event) is not FinalRoll:
        for seat, (points, pieces) in zip(seats, standings(after), strict=True):
            yield Standing(seat, points, pieces)
    if after.phase == "final_roll":
        yield RollOff(tuple(seats[seat] for seat in after.rolling))
    elif after.outcome is not None:
        yield Over(after.outcome.winners, after.outcome.reason)
