"""How a game ended: who has won and why and, where a game says so, places, payoffs and teams."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, pairwise
from typing import Annotated

from msgspec import Meta, Struct, structs

from gamelog.message import Message
from gamelog.record.envelope import MAX_INT, GameWord, SeatId

Amount = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT)] | float


REASONS = ("resigned", "agreed", "ruled", "forfeit", "table")
"""The reasons that the program writes itself where nobody gives another one."""


class Outcome(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """How a game ended. Several winners share the victory; none is a draw. ``reason`` is one word of the
    game's.

    ``places``: all seats in the order in which they ended, those that are tied together; the winners first.
    ``payoffs``: what each seat won or lost, in the game's own measure; nobody has more than a winner.
    ``teams``: by name, the seats that played together; they win, lose and are placed together. All three may
    be left out.
    """

    winners: tuple[SeatId, ...]
    reason: GameWord
    places: tuple[tuple[SeatId, ...], ...] = ()
    payoffs: Mapping[SeatId, Amount] = {}
    teams: Mapping[GameWord, tuple[SeatId, ...]] = {}

    def __hash__(self) -> int:
        """That of what cannot change: payoffs and teams may be dicts, which have none."""
        return hash((self.winners, self.reason, self.places))

    def place_of(self, seat: str) -> int | None:
        """The place of `seat`, from 1: one more than the seats before it. None where there are no places."""
        before = 0
        for tied in self.places:
            if seat in tied:
                return before + 1
            before += len(tied)
        return None

    def team_of(self, seat: str) -> str | None:
        """The name of the team of `seat`; None where there are no teams."""
        return next((name for name, members in self.teams.items() if seat in members), None)

    def agrees(self, told: Outcome) -> bool:
        """Whether `told`, which may leave out places, payoffs and teams, says of this end what is so."""
        said = {field.name for field in structs.fields(told) if getattr(told, field.name)} | {
            "winners",
            "reason",
        }
        return all(getattr(self, name) == getattr(told, name) for name in said)


def each_once(winners: Collection[str], seats: Collection[str]) -> bool:
    """Whether `winners` are some of the `seats`, or none, each named once."""
    return len(set(winners)) == len(winners) and set(winners) <= set(seats)


def contradiction(outcome: Outcome, seats: tuple[str, ...]) -> Message | None:
    """Why `outcome` cannot be the end of a game of these `seats`, or None."""
    winners = set(outcome.winners)
    if not each_once(outcome.winners, seats):
        return Message.of("the winners must be seats of the record, each once")
    if outcome.places and not (
        _all_once(outcome.places, seats) and set(outcome.places[0]) == (winners or set(seats))
    ):
        return Message.of("the places must hold every seat once, the winners first; in a draw all are tied")
    if outcome.teams and not _all_once(outcome.teams.values(), seats):
        return Message.of("the teams must hold every seat once")
    for team in map(set, outcome.teams.values()):
        if winners & team and not team <= winners:
            return Message.of("a team wins as a whole")
        if any(team & set(tied) and not team <= set(tied) for tied in outcome.places):
            return Message.of("a team has one place")
    if outcome.payoffs and set(outcome.payoffs) != set(seats):
        return Message.of("the payoffs must be of every seat")
    order = outcome.places or (outcome.winners, tuple(seat for seat in seats if seat not in winners))
    paid = [[outcome.payoffs[seat] for seat in tied] for tied in order] if outcome.payoffs else []
    if any(min(more) < max(less) for more, less in pairwise(filter(None, paid))):
        return Message.of("nobody may be paid more than a seat that is placed before")
    return None


def _all_once(parts: Iterable[tuple[str, ...]], seats: tuple[str, ...]) -> bool:
    """Whether `parts`, none of them empty, hold every one of `seats` once."""
    groups = [*parts]
    return all(groups) and sorted(chain.from_iterable(groups)) == sorted(seats)
