"""Tools for sample records: people at the seats, games played to an end, damage of every kind."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Literal
from uuid import NAMESPACE_URL, uuid5

from msgspec import structs

from gamelog.chance.commit_reveal import Chain, Chains
from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded
from gamelog.dispute.branch import rechain
from gamelog.play.contract.registry import find
from gamelog.play.fold.common_events import Sign
from gamelog.play.fold.fold import Fold
from gamelog.play.recording import signing
from gamelog.play.recording.header import new_header
from gamelog.play.recording.play_loop import Decide, SeatedBots, play_to_end, think_time_clock
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Event, Header, Seat, encode_body
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Signer

Bytes = bytes
"""The type `bytes`, because a method of `Table` has this name."""

PEOPLE = ("Ana", "Rui", "Lena", "Tom", "Mei", "Omar")


class Table:
    """A table at which one sample is recorded. The same `name` always gives the same record."""

    def __init__(
        self,
        game: str,
        name: str,
        players: int,
        *,
        seeded: bool = False,
        committed: bool = False,
        keyed: bool = False,
        board: str | dict[str, Any] | None = None,
        takebacks: Literal["scorer", "agreed", "arbiter"] = "scorer",
        **options: Any,
    ) -> None:
        self.game = find(game)
        self.name = f"{game}/{name}"
        id_ = str(uuid5(NAMESPACE_URL, f"gamelog:{self.name}"))
        seats = self.game.seats[players]
        self.signers = {
            seat: Signer.of(name.lower(), self._secret(name))
            for seat, name in zip(seats, PEOPLE, strict=False)
        }
        chains = (
            Chains({seat: Chain(id_, seat, self._secret(seat).hex(), 1_000) for seat in seats})
            if committed
            else None
        )
        spec = DiceSpec("seeded", self.name) if seeded else DiceSpec("table")
        if chains:
            spec = DiceSpec("commit-reveal", commitments=chains.commitments, forfeit="loses")
        self.header: Header = new_header(
            self.game,
            [
                Seat(
                    seat, name, id=f"{name.lower()}@club", key=str(self.signers[seat].key) if keyed else None
                )
                for seat, name in zip(seats, PEOPLE, strict=False)
            ],
            id=id_,
            started="2026-03-14T19:30:00Z",
            options=options,
            board=board,
            dice=spec,
            tags={"event": "Club night", "round": "1"},
            takebacks=takebacks,
        )
        self.fold = Fold(
            self.header, self.game, line_heads=[chain.chained_digest(chain.GENESIS, encode_body(self.header))]
        )
        self._chains = chains
        self.events: list[Event] = []
        self._dice = Seeded(self.name, id_)
        self._clock = think_time_clock(generator(self.name, "pace"))

    def as_before(self, **options: Any) -> Table:
        """Return the table with options of older headers, which `setup` does not write any more."""
        self.header = structs.replace(self.header, options=self.header.options | options)
        self.fold = Fold(
            self.header, self.game, line_heads=[chain.chained_digest(chain.GENESIS, encode_body(self.header))]
        )
        return self

    def _secret(self, whose: str) -> Bytes:
        """Return 32 bytes. They are not secret, because the samples are published."""
        return sha256(f"{self.name} {whose}".encode()).digest()

    def bots(self, *names: str) -> SeatedBots:
        """Return bots with these names, at the seats in turn."""
        seats = self.header.seat_ids
        return SeatedBots(
            {seat: self.game.bots[names[at % len(names)]] for at, seat in enumerate(seats)}, self.name
        )

    def play(self, decide: Decide, until: Callable[[Fold], bool] = lambda _fold: False) -> Table:
        """Play until `until` returns True, or to the end."""
        if until(self.fold):
            return self
        for event in play_to_end(self.fold, decide, self._dice, self._clock, self._chains):
            self.events.append(event)
            if until(self.fold):
                break
        return self

    def add(self, event: Event, *, judged: bool = True) -> Table:
        """Add an event with a time. An unjudged event may break the rules, and no event can follow it."""
        stamped = structs.replace(event, n=len(self.events) + 1, t=self.fold.t + 3_000)
        self.events.append(stamped)
        if judged:
            failure = self.fold.push(stamped)
            assert failure is None, failure
        return self

    def sign(self, seat: str) -> Table:
        """Add the signature of `seat` over the record so far."""
        record = parse_record(self.bytes())
        self.fold.line_heads[:] = record.header_head, *record.heads
        t = self.fold.t + 3_000
        seal = signing.make_seal(
            self.header, self.fold.n, record.head_at(self.fold.n), seat, t, self.signers[seat]
        )
        return self.add(Sign(0, 0, seat, seat=seat, key=str(seal.key), sig=seal.sig))

    def bytes(self) -> Bytes:
        """Return the record."""
        return compose(self.header, self.events)[0]


def reaches(n: int) -> Callable[[Fold], bool]:
    """Return a test for event `n`."""
    return lambda fold: fold.n >= n


def lines(data: bytes) -> list[bytes]:
    """Return the lines of a record with their line ends."""
    return data.splitlines(keepends=True)


def forged(data: bytes, old: bytes, new: bytes) -> bytes:
    """Return the record with replaced bytes and a recomputed chain, as an attacker would write it."""
    return rechain([line[chain.PREFIX_BYTES :].replace(old, new) for line in lines(data)])


def torn(data: bytes, lost: int = 23) -> bytes:
    """Return the record after a write that stopped `lost` bytes before its end."""
    return data[:-lost]


def flipped(data: bytes, line: int) -> bytes:
    """Return the record with one flipped bit in the middle of a line."""
    rows = lines(data)
    row = bytearray(rows[line])
    row[(51 + len(row)) // 2] ^= 1
    return b"".join([*rows[:line], bytes(row), *rows[line + 1 :]])


def reordered(data: bytes, line: int) -> bytes:
    """Return the record with two consecutive lines exchanged."""
    rows = lines(data)
    rows[line], rows[line + 1] = rows[line + 1], rows[line]
    return b"".join(rows)


def spliced(data: bytes, other: bytes, line: int) -> bytes:
    """Return the first lines of one record with the rest of another."""
    return b"".join([*lines(data)[:line], *lines(other)[line:]])


def search(attempts: int, make: Callable[[int], Table], wanted: Callable[[Table], bool]) -> Table:
    """Return the first of many tables that has the wanted property."""
    for index in range(attempts):
        table = make(index)
        if wanted(table):
            return table
    raise LookupError(f"none of {attempts} games was as wanted")


def ends_by(reason: str) -> Callable[[Table], bool]:
    """Return a test for a game that ended for this reason."""
    return lambda table: table.fold.outcome is not None and table.fold.outcome.reason == reason
