"""Records without their people: the same play, without any information about who played.

Header and events are changed, member by member. Pages, packs and findings are then made of the changed
record, so that no sentence has to be searched for names.

Left out are the names, ids and keys of people, tags, the day (the year stays), keys of events, header members
that this version does not know, and everything that a person typed. `gamelog.play.anonymity.free_text`
decides by type what is free text. Seats, bots, options, board, decisions, dice and times of play stay.

A record gets another id, so that it cannot be found by its id among records with names. Dice from a seed
depend on the id. So the seed is left out, and the dice count as thrown at the table.

Words that the rules accepted are play and stay: the words of legal events, and the names of places on a
custom board. In other events of a game only the game's own words stay. Texts in a board or in options are
removed if the game is the same without them, such as titles and remarks.

The chain is made again. Signatures and revealed links depend on the old chain. They become empty notes, so
that events keep their numbers, and committed dice count as thrown at the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import Any, Protocol

import msgspec
from msgspec import structs

from gamelog.errors import GamelogError
from gamelog.message import Message
from gamelog.play.anonymity.free_text import Vocabulary, places_of_words, with_word, words_in
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.outcome import REASONS
from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.start import start
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.playing.named_bots import is_bot
from gamelog.play.visibility.findings import LEFT_OUT
from gamelog.record import chain
from gamelog.record.envelope import ARBITER, TABLE, DiceSpec, Event, Header, Seat, encode_body
from gamelog.record.reading import parse_record


class Naming(Protocol):
    """The names for people and records in a record without its people."""

    def player(self, person: Seat) -> str:
        """Return the name of a person at a seat."""
        ...

    def arbiter(self, name: str) -> str:
        """Return the name of a person who ruled."""
        ...

    def record(self, id: str, /) -> str:
        """Return the id that replaces the id of a record."""
        ...


class SeatNaming:
    """Names by role: players are called by their seats, and a person who rules is the arbiter."""

    def player(self, person: Seat) -> str:
        """Return the seat."""
        return person.seat

    def arbiter(self, name: str) -> str:
        """Return one name for all arbiters."""
        return "arbiter" if name else ""

    def record(self, _id: str, /) -> str:
        """Return the text shown instead of removed words."""
        return LEFT_OUT


class Anonymizer:
    """The people of one record, who can change during the game. ``header`` is its header without them."""

    def __init__(self, fold: Fold, naming: Naming, header: Header) -> None:
        """Make the header without people and tags. Only the year of its start is kept."""
        self._fold = fold
        self._naming = naming
        self._seats = frozenset((*header.seat_ids, TABLE, ARBITER))
        self._seated = {seat.seat: seat for seat in header.seats}
        self.header = structs.replace(
            header,
            id=naming.record(header.id),
            started=f"{header.started[:4]}-01-01T00:00:00Z",
            seats=tuple(map(self._anonymous_seat, header.seats)),
            dice=DiceSpec("table"),
            tags={},
            parents=tuple(
                structs.replace(parent, id=naming.record(parent.id), head=LEFT_OUT)
                for parent in header.parents
            ),
        )

    def without(self, event: Event) -> Event:
        """Return `event` without its people. It is the same object if nothing in it is about a person."""
        if type(event) in COMMON:
            event = self._common(event)
        elif self._is_unchecked(event):
            event = Vocabulary(self._seats, self._words, self._words).clean(event)
        return structs.replace(event, id=None) if event.id is not None else event

    def _anonymous_seat(self, person: Seat) -> Seat:
        """Return the seat without its person. A bot keeps its name, as in a simulated game."""
        if not person.bot:
            return Seat(person.seat, self._naming.player(person))
        known = is_bot(self._fold.game, person.bot)
        bot = person.bot if known else self._naming.player(Seat(person.seat, person.bot))
        return Seat(person.seat, f"{bot} {person.seat}", bot=bot)

    def _common(self, event: Event) -> Event:
        """Return a common event without its people and without free text.

        A reveal or a signature becomes a note without its content.
        """
        cleaned = Vocabulary(self._seats, self._reasons(event)).clean(event)
        match event:
            case common_events.Reveal() | common_events.Sign():
                return common_events.Note(event.n, event.t, cleaned.by, LEFT_OUT)
            case common_events.Amend(seats=names):
                renamed = {
                    seat: self._anonymous_names(seat, new_names)
                    for seat, new_names in names.items()
                    if seat in self._seated
                }
                return structs.replace(cleaned, tags={}, seats=renamed)
            case common_events.Substitute(seat=seat, name=name, person=person):
                if seat in self._seated:
                    self._seated[seat] = Seat(seat, name, person)
                    name = self._naming.player(self._seated[seat])
                    return structs.replace(cleaned, name=name, person=None)
                return structs.replace(cleaned, person=None)
            case common_events.Ruling(name=name):
                return structs.replace(cleaned, name=self._naming.arbiter(name))
            case common_events.Claim():
                return structs.replace(cleaned, intended=None)
            case common_events.Gap(state=state):  # a position that the game accepted has no free text
                return structs.replace(cleaned, state=state if event.n <= self._fold.n else {})
            case _:
                return cleaned

    def _anonymous_names(self, seat: str, new_names: common_events.SeatNames) -> common_events.SeatNames:
        before = self._seated[seat]
        self._seated[seat] = structs.replace(
            before,
            name=before.name if new_names.name is None else new_names.name,
            id=new_names.id or before.id,
        )
        return common_events.SeatNames(self._anonymous_seat(self._seated[seat]).name)

    def _is_unchecked(self, event: Event) -> bool:
        """Return whether the rules did not accept this event of the game."""
        fold = self._fold
        return event.n > fold.n or event.n in fold.violations or event.n in fold.unknown_effects

    @cached_property
    def _words(self) -> Collection[str]:
        """The game's own words in this record: names of places and pieces."""
        fold = self._fold
        state = fold.states[0]
        return frozenset(
            word
            for part in (describe_state(fold.game, state), fold.game.scene(state, None))
            for word in words_in(msgspec.to_builtins(part))
        )

    def _reasons(self, event: Event) -> Collection[str]:
        """Return reasons and team names in `event` that the game or the program defines."""
        if not isinstance(event, common_events.Result | common_events.Agree | common_events.Ruling):
            return ()
        fold = self._fold
        outcome = fold.pending_in(fold.states[min(event.n - 1, fold.n)]).outcome
        return (*REASONS, outcome.reason, *outcome.teams) if outcome else REASONS


def without_people(folded: FoldedRecord, naming: Naming) -> bytes | None:
    """Return the bytes of the record without people, as far as it can be read, or None if it has no game."""
    fold = folded.fold
    if fold is None:
        return None
    header = fold.header
    data = _compose_anonymous(folded, fold, naming, header)
    without_texts = [*_text_removals(fold, header)]
    ended = _end(data, fold) if without_texts else None
    for plainer in without_texts:
        again = _compose_anonymous(folded, fold, naming, plainer(header))
        if _end(again, fold) == ended:
            header, data = plainer(header), again
    return data


def _compose_anonymous(folded: FoldedRecord, fold: Fold, naming: Naming, header: Header) -> bytes:
    anonymizer = Anonymizer(fold, naming, header)
    line, head = chain.chained_line(chain.GENESIS, encode_body(anonymizer.header))
    data = [line]
    for event, stored in zip(folded.readable_events, folded.record.bodies, strict=False):
        without = anonymizer.without(event)
        line, head = chain.chained_line(head, stored if without is event else encode_body(without))
        data.append(line)
    return b"".join(data)


def _end(data: bytes, fold: Fold) -> tuple[int, Any] | None:
    """Return the number of events that the record in `data` folds, and its outcome."""
    again = fold_record(parse_record(data, ""), fold.game).fold
    return (again.n, again.outcome) if again else None


def _text_removals(fold: Fold, header: Header) -> Iterator[Callable[[Header], Header]]:
    """Yield functions that remove one text from the options or the board of a header.

    The game can begin without each of these texts. A text that occurs twice, or is a key, is a name of the
    game. A word of the rules does not come from a person.
    """
    game = fold.game
    usual = {*words_in(msgspec.to_builtins(game.Options()))}
    if isinstance(header.board, dict):
        usual.update(word for board in game.boards.values() for word in words_in(board()))
    for member in ("options", "board"):
        data = getattr(header, member)
        if isinstance(data, str):
            continue
        times = Counter(words_in(data))
        for path, word in places_of_words(data):
            if word and word not in usual and times[word] == 1 and not _is_in(word, game.rules()):

                def plainer(
                    header: Header, member: str = member, path: tuple[str | int, ...] = path
                ) -> Header:
                    return structs.replace(
                        header, **{member: with_word(getattr(header, member), path, LEFT_OUT)}
                    )

                if _can_start(fold, plainer(header)):
                    yield plainer


def _is_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _can_start(fold: Fold, header: Header) -> bool:
    try:
        start(fold.game, header)
    except (GamelogError, ValueError):
        return False
    return True


def anonymous_replay(folded: FoldedRecord, naming: Naming = SeatNaming()) -> FoldedRecord:  # noqa: B008 - it has no state
    """Return `folded` without its people, with the same codes and status.

    Each finding gets its message from the record without people. If that record does not have the finding,
    the message is `LEFT_OUT`.
    """
    data = without_people(folded, naming)
    if data is None or folded.fold is None:
        blank = structs.replace(folded.record, path="", header=None, members={})
        silent = [
            structs.replace(finding.with_message(Message(LEFT_OUT)), legal=()) for finding in folded.findings
        ]
        return FoldedRecord(blank, None, [], silent, is_anonymous=True)
    again = fold_record(parse_record(data, ""), folded.fold.game)
    if len(again.events) > len(folded.events):  # the bad event was a signature, which is a note now
        good = data.splitlines(keepends=True)[: len(folded.events) + 1]
        again = fold_record(parse_record(b"".join(good), ""), folded.fold.game)
    same = {(original.code, original.n): original for original in again.findings}
    findings = []
    for original in folded.findings:
        other = same.get((original.code, original.n))
        message, legal = (other.message, other.legal) if other else (Message(LEFT_OUT), ())
        findings.append(structs.replace(original.with_message(message), legal=legal, offset=None))
    return structs.replace(again, findings=findings, is_anonymous=True)
