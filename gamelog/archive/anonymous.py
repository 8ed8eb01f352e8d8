"""A record without its people: the same play, told of players whom nobody knows.

Names become pseudonyms. Left out are people's ids and keys, tags, the day (the year stays), what is
said in comments, reasons and claims, keys of events, and header members that this version does
not know. Seats, bots, options, board, decisions, dice and times of play stay byte for byte, and so
does the record's id, on which seeded dice depend, and its parents'. The chain is made anew, and
with it goes what hung on the old one: signatures and revealed links become empty notes, so that
events keep their numbers, and committed dice pass for dice thrown at the table.
"""

from __future__ import annotations

from msgspec import structs

from gamelog.archive.people import same_name
from gamelog.archive.pseudonyms import Pseudonyms
from gamelog.errors import BrokenGame, UnknownGame
from gamelog.play import common
from gamelog.play.fold import COMMON
from gamelog.play.registry import find
from gamelog.play.verify import decode
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Event, Header, Seat, body
from gamelog.record.reading import Record

LEFT_OUT = "…"

FREE = ("text", "reason", "digest")
"""Members of common events in which anything may stand."""


def anonymous(record: Record, people: Pseudonyms) -> bytes | None:
    """The bytes of `record` without its people; None when it cannot be read to its end, or its game is not installed.

    Names that stand in a game's own events, options or board are not looked for.
    """
    if record.header is None or record.problem:
        return None
    try:
        events, unread = decode(find(record.header.game, record.header.rules), record.bodies)
    except (UnknownGame, BrokenGame):
        return None
    if unread:
        return None
    party = _Party(record.header, people)
    line, head = chain.line(chain.GENESIS, body(party.header))
    data = [line]
    for event, stored in zip(events, record.bodies, strict=True):
        told = party.told(event)
        line, head = chain.line(head, stored if told is event else body(told))
        data.append(line)
    return b"".join(data)


class _Party:
    """The people of one record, who may change on the way."""

    def __init__(self, header: Header, people: Pseudonyms) -> None:
        self._people = people
        self._seated = {seat.seat: seat for seat in header.seats}
        self.header = structs.replace(
            header,
            started=f"{header.started[:4]}-01-01T00:00:00Z",
            seats=tuple(structs.replace(seat, name=self._name(seat), id=None, key=None) for seat in header.seats),
            dice=DiceSpec("table") if header.dice.source == "commit-reveal" else header.dice,
            tags={},
        )

    def _name(self, person: Seat) -> str:
        """Bots keep their names, for they are nobody; somebody of whom nothing is known stays nobody in particular."""
        known = person.id or same_name(person.name)
        return person.name if person.bot or not known else self._people.of(known)

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
                renamed = {seat: self._amended(seat, said) for seat, said in names.items() if seat in self._seated}
                return structs.replace(event, tags={}, seats=renamed)
            case common.Substitute(seat=seat, name=name, person=person):
                self._seated[seat] = Seat(seat, name, person)
                return structs.replace(event, name=self._name(self._seated[seat]), person=None)
            case common.Ruling(name=name):
                return structs.replace(event, reason=LEFT_OUT, name=self._people.of(name))
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
        return common.SeatNames(self._name(self._seated[seat]))
