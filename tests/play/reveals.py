"""A table with commit-reveal dice: its chains, its header, and the events played and links revealed there."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import structs

from gamelog.chance.commit_reveal import Chain, Chains
from gamelog.finding import Finding
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.recording.header import new_header
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Event, Header, Seat, as_proposal, encode_body
from tests.play.tables import GAME, not_none


def chains(seats: tuple[str, ...], record_id: str = "test", links: int = 40) -> Chains:
    return Chains({seat: Chain(record_id, seat, seat.encode().hex().ljust(64, "0"), links) for seat in seats})


def header(players: int = 2, game: AnyGame = GAME, **members: Any) -> Header:
    seats = game.seats[players]
    spec = DiceSpec("commit-reveal", commitments=chains(seats).commitments, forfeit="loses")
    people = [
        Seat(seat, name)
        for seat, name in zip(seats, ("Ana", "Rui", "Lena", "Tom", "Mei", "Omar"), strict=False)
    ]
    return new_header(game, people, id="test", started="2026-01-02T03:04:05Z", **{"dice": spec, **members})


class Table:
    """A fold whose lines are chained as they are added, and the secrets of its seats."""

    def __init__(self, head: Header | None = None) -> None:
        self.header = head or header()
        self.game = find(self.header.game)
        self.fold = Fold(
            self.header, self.game, line_heads=[chain.chained_digest(chain.GENESIS, encode_body(self.header))]
        )
        self.chains = chains(self.header.seat_ids)
        self.events: list[Event] = []
        self.t = 0

    def push(self, do: str, by: str, **members: Any) -> Finding | None:
        """Add an event three seconds later, or return why it is refused."""
        self.t += 3000
        stamped = {"do": do, "n": self.fold.n + 1, "t": self.t, "by": by, **members}
        return self.take(decoder(self.game).decode(msgspec.json.encode(stamped)))

    def take(self, event: Event) -> Finding | None:
        failure = self.fold.push(event)
        if failure is None:
            self.fold.line_heads.append(chain.chained_digest(self.fold.line_heads[-1], encode_body(event)))
            self.events.append(event)
        return failure

    def must(self, do: str, by: str, **members: Any) -> Table:
        failure = self.push(do, by, **members)
        assert failure is None, failure
        return self

    def missing(self) -> tuple[str, ...]:
        assert self.fold.reveals is not None
        return self.fold.reveals.missing_seats

    def link(self, seat: str) -> str:
        """Return the link that `seat` has to reveal next."""
        assert self.fold.reveals is not None
        return self.chains.link(seat, self.fold.reveals.last_links[seat])

    def reveal(self, *seats: str) -> Table:
        for seat in seats or self.missing():
            self.must("@reveal", seat, seat=seat, link=self.link(seat))
        return self

    def due(self) -> Event:
        """Return the roll that follows from the revealed links."""
        found = self.fold.due_results()
        assert found is not None
        roll: Event = self.game.chance(self.fold.state, found)
        return structs.replace(roll, n=self.fold.n + 1, t=self.t + 3000)

    def roll(self) -> Table:
        failure = self.take(self.due())
        assert failure is None, failure
        self.t += 3000
        return self

    def battle(self) -> Table:
        """Play until the first battle's dice are due."""
        while not_none(self.go_on().fold.pending.chance).do != "battle":
            self.reveal().roll()
        return self

    def go_on(self) -> Table:
        """Play until dice are due."""
        while not self.fold.pending.chance:
            self.must(**as_proposal(legal_for(self.game, self.fold.state, None).events[0]))
        return self

    def refused(self, do: str, by: str, **members: Any) -> str:
        """Return the code with which an event is refused."""
        n = self.fold.n
        failure = self.push(do, by, **members)
        assert failure is not None, f"{do} was taken"
        assert (failure.n, self.fold.n) == (n + 1, n)
        assert failure.text
        assert not failure.text.endswith(".")
        return failure.code
