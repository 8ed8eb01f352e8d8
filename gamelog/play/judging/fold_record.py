"""Folding of a record: its events, decoded and folded, and the findings about it."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct, structs

from gamelog.errors import BadSetup, BrokenGame, GamelogError, UnknownGame
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events, game_errors
from gamelog.play.fold.finding_codes import Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.ancestry import Ancestry, parent_problem
from gamelog.play.fold.parts.event_list import EventList
from gamelog.play.judging.event_decoding import decode
from gamelog.play.judging.warnings import links_due, result_difference, unopened_rolls, warnings
from gamelog.play.visibility.findings import with_legal
from gamelog.play.visibility.viewer import running_viewer
from gamelog.record.envelope import TABLE, Event, Header
from gamelog.record.reading import Record


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector, which searches for reference cycles.

    A replay makes many objects without cycles. The search would take up to a sixteenth of the time for many
    records, and nearly all of it for lines full of lists.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


class FoldedRecord(Struct):
    """A record, folded as far as it goes.

    Attributes:
        fold: The fold, or None if the header has nothing to fold.
        events: Good events, so ``fold.states[k]`` is the state after ``events[k - 1]``.
        findings: Findings about the record.
        unfolded_events: Events that were read but not folded.
        is_anonymous: Whether the record has no people (`gamelog.play.anonymity.anonymous_record`).
    """

    record: Record
    fold: Fold | None
    events: Sequence[Event]
    findings: list[Finding]
    unfolded_events: Sequence[Event] = ()
    is_anonymous: bool = False

    @property
    def readable_events(self) -> Sequence[Event]:
        """The events that can be read, including those after the end of the fold."""
        return [*self.events, *self.unfolded_events] if self.unfolded_events else self.events

    @property
    def hides_secrets(self) -> bool:
        """Whether players may hide information that archives, published pages and comparisons leave out.

        Only the game knows what is hidden, so a record that cannot be folded hides everything.
        """
        return self.fold is None or bool(running_viewer(self.fold).seats)

    @property
    def status(self) -> Status:
        """The status that follows from all findings."""
        return status_of(self.findings)


@gc_paused()
def fold_record(record: Record, game: AnyGame | None = None) -> FoldedRecord:
    """Fold `record` by the rules of `game`, by default the installed one. A bad record raises no error."""
    findings: list[Finding] = []
    problem, header = record.problem, record.header
    if problem:
        findings.append(structs.replace(problem, n=len(record.bodies) + 1 if header else None))
    if header is None:
        return FoldedRecord(record, None, [], findings)
    why: GamelogError
    try:
        orphan = None if problem else parent_problem(record)
        if orphan:
            raise BadSetup(
                Message.of("the header names a parent that cannot be right: {problem}", problem=orphan)
            )
        game = find(header.game, header.rules) if game is None else game
        return _fold_record(record, header, game, findings)
    except UnknownGame as error:  # or an unknown board
        code, why = "play.unknown_game", error
    except BrokenGame as error:  # it is installed, but does not load
        code, why = game_errors.BROKEN, error
    except BadSetup as error:
        code, why = "play.setup", error
    except Exception as error:
        return FoldedRecord(record, None, [], [*findings, game_errors.failure_finding(error, game)])
    return FoldedRecord(record, None, [], [*findings, Finding.of(code, why.clause, offset=0)])


def _fold_record(record: Record, header: Header, game: AnyGame, findings: list[Finding]) -> FoldedRecord:
    """Return `record` folded by `game`, with its findings added to `findings`.

    Raises:
        Exception: The game failed, and not at an event.
    """
    events, undecoded = decode(game, record.bodies)
    fold = Fold(
        header,
        game,
        ruled_events(events),
        (record.header_head, *record.heads),
        Ancestry(header, record),
        openings(header, events),
    )
    failure = _fold(fold, events)
    findings = findings + [
        structs.replace(finding, offset=record.offsets[finding.n - 1] if finding.n else 0)
        for finding in (*warnings(fold), *links_due(fold), *unopened_rolls(fold))
    ]
    problem = failure or undecoded
    if problem:
        findings.append(locate(fold, problem, record, events[fold.n] if failure else None))
    if not failure:
        findings += result_difference(fold)
    return FoldedRecord(record, fold, fold.events, findings, events[fold.n :] if failure else ())


def _fold(fold: Fold, events: EventList) -> Finding | None:
    """Add `events` to `fold`, and return why the first bad one cannot be added, or None."""
    for stretch, bodies in events.stretches():
        begin = fold.n
        failure = fold.extend(stretch)
        if bodies:
            fold.events.keep_encoded(bodies[: fold.n - begin])
        if failure:
            return failure
    return None


def ruled_events(events: Iterable[Event]) -> frozenset[int]:
    """Return the numbers of the events about which a ruling was made.

    If such an event is illegal, it was played anyway.
    """
    if common_events.Ruling not in set(map(type, events)):
        return frozenset()
    return frozenset(event.about for event in events if isinstance(event, common_events.Ruling))


def openings(header: Header, events: Iterable[Event]) -> tuple[str, ...]:
    """Return the links that the dealer reveals. Rolls dealt face down are judged with them from the start."""
    if TABLE not in (header.dice.commitments or {}):
        return ()
    return tuple(
        event.link for event in events if isinstance(event, common_events.Reveal) and event.seat == TABLE
    )


def locate(fold: Fold, finding: Finding, record: Record, event: Event | None) -> Finding:
    """Return `finding`, about the event after `fold`, with its number and its byte offset.

    Args:
        fold: The fold up to the event before.
        finding: The finding.
        record: The record, which has the line of the event.
        event: The event, or None if its line cannot be read. If it broke a rule, the finding gets legal
            events.
    """
    if event and finding.code in ("play.illegal", "play.cannot_apply"):
        finding = with_legal(fold, finding, event.t)
    return structs.replace(finding, offset=record.offsets[fold.n], n=fold.n + 1)
