"""A record without its people: the same play, told of players whom nobody knows.

Header and events are changed, member by member, and everything that is told of a record without its people
(pages, packs, findings) is told of what comes of it, so that no sentence has to be searched for names
afterwards.

Left out are people's names, ids and keys, tags, the day (the year stays), what is said in comments, reasons
and claims, keys of events, and header members that this version does not know. Seats, bots, options, board,
decisions, dice and times of play stay, and so does the record's id, on which seeded dice depend, and its
parents'. The chain is made anew, and with it goes what hung on the old one: signatures and revealed links
become empty notes, so that events keep their numbers, and committed dice pass for dice thrown at the table.

Names that stand in a game's own events, options or board are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import structs

from gamelog.play.fold import common
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.findings import Finding
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.play.telling.seeing import LEFT_OUT
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Event, Header, Seat, body
from gamelog.record.reading import parse_record

FREE = ("text", "reason", "digest")
"""Members of common events in which anything may stand."""

OF_THE_GAME = ("play.illegal", "play.cannot_apply", "play.over", "play.by", "chance.")
"""Codes of findings in whose words a game and the engine speak of seats, places and dice alone."""


class Naming(Protocol):
    """What people are called instead."""

    def player(self, person: Seat) -> str:
        """Who sits at a seat."""
        ...

    def arbiter(self, name: str) -> str:
        """Who ruled."""
        ...


class BySeats:
    """Players are called by their seats, bots by their names, and whoever rules is the arbiter."""

    def player(self, person: Seat) -> str:
        """Bots keep their names, for they are nobody."""
        return person.name if person.bot else person.seat

    def arbiter(self, name: str) -> str:
        """Nobody in particular."""
        return "arbiter" if name else ""


class Party:
    """The people of one record, who may change on the way; ``header`` is its header without them."""

    def __init__(self, header: Header, naming: Naming) -> None:
        self._naming = naming
        self._seated = {seat.seat: seat for seat in header.seats}
        self.header = structs.replace(
            header,
            started=f"{header.started[:4]}-01-01T00:00:00Z",
            seats=tuple(
                structs.replace(seat, name=naming.player(seat), id=None, key=None) for seat in header.seats
            ),
            dice=DiceSpec("table") if header.dice.source == "commit-reveal" else header.dice,
            tags={},
        )

    def told(self, event: Event) -> Event:
        """`event` as it may be told; the same object where nothing in it is anybody's."""
        if type(event) in COMMON:
            event = self._common(event)
        return structs.replace(event, id=None) if event.id is not None else event

    def _common(self, event: Event) -> Event:
        match event:
            case common.Reveal() | common.Sign():
                return common.Note(event.n, event.t, event.by, LEFT_OUT)
            case common.Amend(seats=names):
                renamed = {
                    seat: self._amended(seat, said) for seat, said in names.items() if seat in self._seated
                }
                return structs.replace(event, tags={}, seats=renamed)
            case common.Substitute(seat=seat, name=name, person=person):
                self._seated[seat] = Seat(seat, name, person)
                return structs.replace(event, name=self._naming.player(self._seated[seat]), person=None)
            case common.Ruling(name=name):
                return structs.replace(event, reason=LEFT_OUT, name=self._naming.arbiter(name))
            case common.Claim():
                return structs.replace(event, text=LEFT_OUT, intended=None)
            case _:
                free = {name: LEFT_OUT for name in FREE if getattr(event, name, None) is not None}
                return structs.replace(event, **free) if free else event

    def _amended(self, seat: str, said: common.SeatNames) -> common.SeatNames:
        before = self._seated[seat]
        self._seated[seat] = structs.replace(
            before, name=before.name if said.name is None else said.name, id=said.id or before.id
        )
        return common.SeatNames(self._naming.player(self._seated[seat]))


def without_people(header: Header, events: Iterable[Event], bodies: Sequence[bytes], naming: Naming) -> bytes:
    """The bytes of the record of `events`, whose lines hold `bodies`, without its people; the rest stays."""
    party = Party(header, naming)
    line, head = chain.line(chain.GENESIS, body(party.header))
    data = [line]
    for event, stored in zip(events, bodies, strict=False):
        told = party.told(event)
        line, head = chain.line(head, stored if told is event else body(told))
        data.append(line)
    return b"".join(data)


def anonymous_replay(replayed: FoldedRecord, naming: Naming) -> FoldedRecord:
    """`replayed` as it is told of players whom nobody knows: with its codes, status and fold, if any.

    A finding that the record without its people gives rise to has that one's words; others keep theirs where
    only a game or the engine speaks in them, and lose them where anybody may be named.
    """
    header = replayed.record.header
    if header is None or replayed.fold is None:
        blank = structs.replace(replayed.record, path="")
        silent = [structs.replace(found, message=LEFT_OUT, legal=()) for found in replayed.findings]
        return FoldedRecord(blank, None, [], silent)
    data = without_people(header, replayed.events, replayed.record.bodies, naming)
    again = replay(parse_record(data, ""), replayed.fold.game)
    words = {(found.code, found.n): found.message for found in again.findings}
    findings = [
        structs.replace(found, message=words.get((found.code, found.n), _words(found)), offset=None)
        for found in replayed.findings
    ]
    return structs.replace(again, findings=findings)


def _words(found: Finding) -> str:
    return found.message if found.code.startswith(OF_THE_GAME) else LEFT_OUT
