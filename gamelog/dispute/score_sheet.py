"""A score sheet: the events of a record that count, in a form that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from gamelog.dispute import MESSAGE_PACKAGE
from gamelog.errors import PlayError
from gamelog.finding import Finding
from gamelog.message import ENGLISH, Message, Renderer, plain_text, with_names
from gamelog.play.contract.locales import load_locale
from gamelog.play.fold.common_events import Gap, Ruling
from gamelog.play.fold.finding_codes import Status
from gamelog.play.fold.ruling_messages import ruling_decision
from gamelog.play.judging.digest import in_seat_order, played_structs
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import Verdict, verdict
from gamelog.play.rendering.events import describe_event
from gamelog.play.rendering.sentences import sentence
from gamelog.play.rendering.session_effects import phrase_of
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import mask_quotation
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Event, tag_of
from gamelog.record.reading import Record
from gamelog.record.seal import Seal, utc_time
from gamelog.record.seal_checks import seal_finding


class SignedEvents(Struct, frozen=True):
    """A signature for the first events of a record: an event of the record, or a seal.

    Attributes:
        n: Number of the last signed event.
        time: Time of the signature, as RFC 3339.
        covers: Whether the first difference is among these events, so that `seat` has signed the version of
            this record.
    """

    seat: str
    n: int
    time: str
    covers: bool


class RecordSide(Struct, frozen=True):
    """One of two compared records.

    Attributes:
        play: Digest of the play, which does not depend on the recorded order; None if it is unknown.
        says: Its event at the first difference as plain data, or None if it has no more events.
        n: Number of this event.
        text: Description of this event.
        illegal: First error in the record.
        disputed: First illegal event that counts although no ruling has confirmed it.
        sealed: Valid signatures in the record and given seals that the record extends, the latest one last.
    """

    path: str
    id: str | None
    status: Status
    events: int
    play: str | None
    says: dict[str, Any] | None
    n: int | None
    text: str
    illegal: Finding | None
    disputed: Finding | None
    sealed: tuple[SignedEvents, ...]


class SheetEntry(Struct, frozen=True):
    """An entry of a score sheet: event `n` as plain data and as a sentence.

    If the side has no event there, ``says`` is None, and `n` is the event before the gap, 0 at the start.
    """

    n: int
    says: dict[str, Any] | None = None
    text: str = ""


def counted_plays(record: Record, end: int | None = None) -> list[Struct]:
    """Return the plays that count after event `end`, by default the last event.

    Raises:
        PlayError: The record cannot be folded because of its header.
    """
    return ScoreSheet(record, end).play


def score_sheets(
    a: Record, b: Record, language: str = "en", *, reveal: bool = True
) -> tuple[ScoreSheet, ScoreSheet]:
    """Return the score sheets of two records.

    Args:
        a: The first record.
        b: The second record.
        language: The language of the sentences.
        reveal: Whether the sheets show hidden information. If not, and if one of the games is unfinished and
            has hidden information, both sheets have only what all players know.

    Raises:
        PlayError: A record cannot be folded, because of its header.
    """
    sheet_a, sheet_b = sheets = ScoreSheet(a, language=language), ScoreSheet(b, language=language)
    if not reveal and any(sheet.folded.hides_secrets for sheet in sheets):
        for sheet in sheets:
            sheet.hide_secrets()
    return sheet_a, sheet_b


def as_numbers(
    a: Sequence[Struct | dict[str, Any]], b: Sequence[Struct | dict[str, Any]]
) -> tuple[list[int], list[int]]:
    """Return two sequences of plays as numbers. Equal plays have equal numbers."""
    numbers: dict[bytes, int] = {}
    encode = msgspec.json.Encoder(order="deterministic").encode
    one, two = ([numbers.setdefault(encode(play), len(numbers)) for play in line] for line in (a, b))
    return one, two


class ScoreSheet:
    """The events of a record that count.

    Attributes:
        events: The events.
        play: Their values without stamps.
        shown_plays: These values as far as the viewer of the sheet knows them.
    """

    def __init__(self, record: Record, end: int | None = None, language: str = "en") -> None:
        """Read a record up to an event.

        Args:
            record: The record.
            end: The number of the last event to read, or None for the last one of the record.
            language: The language of the sentences.

        Raises:
            PlayError: The record cannot be folded, because of its header.
        """
        self.record = record
        self.folded: FoldedRecord = fold_record(record)
        fold = self.folded.fold
        if fold is None:
            raise PlayError(
                Message.of(
                    "Cannot compare {=path}: {problem}.",
                    path=record.path,
                    problem=mask_quotation(self.folded.findings[0]).message,
                )
            )
        self.fold = fold
        self.header = fold.header
        self.view = RecordView(fold, unfolded=self.folded.unfolded_events)
        self._locale = None if language == "en" else load_locale(language, fold.game, MESSAGE_PACKAGE)
        readable = self.folded.readable_events
        last = len(readable) if end is None else end
        numbers = [*fold.main_line_numbers(min(last, fold.n)), *range(fold.n + 1, last + 1)]
        events = in_seat_order(fold, [readable[n - 1] for n in numbers])
        line = [*zip(events, played_structs(fold, events), strict=True)]
        self.events: list[Event] = [event for event, play in line if play is not None]
        self.play: list[Struct] = [play for _, play in line if play is not None]
        self.shown_plays: Sequence[Struct | dict[str, Any]] = self.play

    def hide_secrets(self) -> None:
        """Leave out everything that not all players know."""
        seats = Viewer(self.header.seat_ids)
        self.view = RecordView(self.fold, seats, self.folded.unfolded_events)
        self.shown_plays = [
            play if self.view.sees_whole(event.n) else self.event_data(event.n)
            for event, play in zip(self.events, self.play, strict=True)
        ]

    @property
    def is_limited(self) -> bool:
        """Whether the sheet leaves out what not all players know, because one of the records hides it."""
        return bool(self.view.viewer.seats)

    @property
    def is_running(self) -> bool:
        """Whether the game has no outcome yet."""
        return self.fold.outcome is None

    def event_data(self, n: int) -> dict[str, Any]:
        """Return event `n` as plain data without ``n`` and ``t``, as the sheet shows it."""
        members = self.view.recorded_event(n)
        return {name: value for name, value in members.items() if name not in ("n", "t")}

    def side(self, index: int | None, seals: Sequence[Seal]) -> RecordSide:
        """Return the record as one side of a comparison, with the first difference at `index`."""
        judged = verdict(self.folded)
        event = self.events[index] if index is not None and index < len(self.events) else None
        return RecordSide(
            path=self.record.path,
            id=self.header.id,
            status=self.folded.status,
            events=len(self.record.bodies),
            play=None if self.is_limited else judged.play,
            says=self.event_data(event.n) if event else None,
            n=event.n if event else None,
            text=self.describe(event) if event else "",
            illegal=self._first_of(judged, lambda finding: finding.severity == "error"),
            disputed=self._first_of(judged, lambda finding: finding.code == "play.as_played"),
            sealed=self._signed_events(event.n if event else None, seals),
        )

    def entry(self, index: int, exists: bool) -> SheetEntry:
        """Return the entry at `index` of the play, or an empty entry if the event does not exist."""
        if not exists:
            return SheetEntry(self.events[index - 1].n if index else 0)
        event = self.events[index]
        return SheetEntry(event.n, self.event_data(event.n), self.describe(event))

    @property
    def has_declared_positions(self) -> bool:
        """Whether a position on this sheet was declared, so that the state depends on more than the plays."""
        return Gap in set(map(type, self.folded.readable_events))

    def has_legal(self, event: Event) -> bool:
        """Return whether `event` is legal at its place on this sheet."""
        return event.n <= self.fold.n and event.n not in self.fold.violations

    def _signed_events(self, difference: int | None, seals: Sequence[Seal]) -> tuple[SignedEvents, ...]:
        """Return the signatures and seals by time, each with whether it covers the first `difference`."""
        header, times = self.header, self.folded.events
        inside = [
            (signed.seat, signed.n - 1, utc_time(header.started, times[signed.n - 1].t))
            for signed in self.fold.signatures
            if signed.n > self.fold.last_inherited
        ]
        given = () if self.is_limited else seals  # a seal of a guess would confirm the guess
        outside = [
            (seal.seat, seal.n, seal.time) for seal in given if seal_finding(self.record, seal) is None
        ]
        return tuple(
            SignedEvents(seat, n, time, difference is not None and n >= difference)
            for seat, n, time in sorted({*inside, *outside}, key=lambda word: (word[2], word[1]))
        )

    def describe(self, event: Event) -> str:
        """Return a sentence on `event`, or its members if the game has no sentence for it."""
        fold = self.fold
        name = self.view.names_at(event.n)
        text = (
            self.view.sentence(event.n, locale=self._locale)
            if self.is_limited
            else sentence(fold.game, event, (), name, phrase_of(fold, event), self._locale)
            if event.n > fold.n
            else describe_event(fold, event, locale=self._locale)
        )
        if text:
            return text
        locale = self._locale or ENGLISH
        render = Renderer(locale).text
        members = {
            render(Message(key)): value
            for key, value in self.event_data(event.n).items()
            if key not in ("do", "by")
        }
        tag = render(Message(tag_of(type(event)).replace("_", " ")))
        return f"{name(event.by)}: {tag} {locale.word(plain_text(members))}".rstrip() + "."

    def describe_decision(self, ruling: Ruling) -> str:
        """Return the decision of `ruling` with the names of the people at the ruling."""
        decision = with_names(ruling_decision(ruling), self.view.names_at(ruling.n))
        return Renderer(self._locale or ENGLISH).text(decision)

    def _first_of(self, judged: Verdict, condition: Callable[[Finding], bool]) -> Finding | None:
        """Return the first finding of the verdict that fulfils `condition`, in the language of the sheet."""
        first = next(filter(condition, judged.findings), None)
        if first is None:
            return None
        return self.plain_finding(
            next((finding for finding in self.folded.findings if finding.plain == first), first)
        )

    def plain_finding(self, finding: Finding) -> Finding:
        """Return `finding` as the sheet shows it, without its template, in the language of the sheet."""
        finding = self.view.shown_finding(finding)
        if self._locale is None:
            return finding.plain
        return structs.replace(finding.plain, text=Renderer(self._locale).text(finding.message))
