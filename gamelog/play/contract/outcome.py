"""The outcome of a game: winners and reason, and optionally places, payoffs and teams."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, pairwise
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, structs

from gamelog.message import Message
from gamelog.record.envelope import MAX_INT, GameWord, SeatId

Amount = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT)] | float


REASONS = ("resigned", "agreed", "ruled", "forfeit", "table")
"""Reasons that the program records itself if no other reason is given."""


class Outcome(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """The result of a game. Several winners share the victory. No winners means a draw.

    Attributes:
        winners: Seats that won.
        reason: One word of the game.
        places: All seats in final order, tied seats together, the winners first; optional.
        payoffs: Amount that each seat won or lost, in the game's own unit; optional. No seat has more than a
            winner.
        teams: Seats of each team by name; optional. A team wins, loses and is placed together.
    """

    winners: tuple[SeatId, ...]
    reason: GameWord
    places: tuple[tuple[SeatId, ...], ...] = ()
    payoffs: Mapping[SeatId, Amount] = {}
    teams: Mapping[GameWord, tuple[SeatId, ...]] = {}

    def __hash__(self) -> int:
        """Return a hash of the immutable fields (not `payoffs` and `teams`, which may be dicts)."""
        return hash((self.winners, self.reason, self.places))

    def place_of(self, seat: str) -> int | None:
        """Return the place of `seat`, from 1: one more than the number of seats before it.

        It is None if the outcome has no places.
        """
        before = 0
        for tied in self.places:
            if seat in tied:
                return before + 1
            before += len(tied)
        return None

    def team_of(self, seat: str) -> str | None:
        """Return the name of the team of `seat`, or None if there are no teams."""
        return next((name for name, members in self.teams.items() if seat in members), None)

    def agrees(self, recorded: Outcome) -> bool:
        """Return whether `recorded`, which may omit places, payoffs and teams, agrees with this outcome."""
        compared = {field.name for field in structs.fields(recorded) if getattr(recorded, field.name)} | {
            "winners",
            "reason",
        }
        return all(getattr(self, name) == getattr(recorded, name) for name in compared)


def are_distinct_seats(winners: Collection[str], seats: Collection[str]) -> bool:
    """Return whether `winners` are distinct members of `seats`. No winners are fine too."""
    return len(set(winners)) == len(winners) and set(winners) <= set(seats)


def outcome_problem(outcome: Outcome, seats: tuple[str, ...]) -> Message | None:
    """Return the message that says why `outcome` cannot be the result of a game of these `seats`, or None."""
    winners = set(outcome.winners)
    if not are_distinct_seats(outcome.winners, seats):
        return Message.of("each winner must be a seat of the record, and no seat can be named twice")
    if outcome.places and not (
        _contain_each_seat_once(outcome.places, seats) and set(outcome.places[0]) == (winners or set(seats))
    ):
        return Message.of(
            "the places must list every seat once, the winners first; in a draw all seats are tied"
        )
    if outcome.teams and not _contain_each_seat_once(outcome.teams.values(), seats):
        return Message.of("every seat must be in exactly one team")
    for team in map(set, outcome.teams.values()):
        if winners & team and not team <= winners:
            return Message.of("all seats of a team must win together")
        if any(team & set(tied) and not team <= set(tied) for tied in outcome.places):
            return Message.of("all seats of a team must have the same place")
    if outcome.payoffs and set(outcome.payoffs) != set(seats):
        return Message.of("every seat must have a payoff")
    order = outcome.places or (outcome.winners, tuple(seat for seat in seats if seat not in winners))
    paid = [[outcome.payoffs[seat] for seat in tied] for tied in order] if outcome.payoffs else []
    if any(min(more) < max(less) for more, less in pairwise(filter(None, paid))):
        return Message.of("no seat may have a higher payoff than a seat placed before it")
    return None


def _contain_each_seat_once(parts: Iterable[tuple[str, ...]], seats: tuple[str, ...]) -> bool:
    """Return whether the non-empty `parts` contain every seat exactly once."""
    groups = [*parts]
    return all(groups) and sorted(chain.from_iterable(groups)) == sorted(seats)


def result_message(outcome: Outcome) -> Message:
    """Return the winners of `outcome` or "draw", with the reason in parentheses."""
    return Message.of("{@result}", result=msgspec.to_builtins(outcome))
