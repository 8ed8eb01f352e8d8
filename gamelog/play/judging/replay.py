"""Replaying a record: its events decoded and folded as far as they go, and what was found on the way."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, structs

from gamelog.errors import BadSetup, BrokenGame, GamelogError, UnknownGame
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold import common, game_errors
from gamelog.play.fold.ancestry import Ancestry, parent_problem
from gamelog.play.fold.event_list import EventList
from gamelog.play.fold.findings import Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.decoding import decode
from gamelog.play.judging.warnings import links_due, outcome_message, unopened_rolls, warnings
from gamelog.play.telling.seeing import View, legal_in_view, public_view
from gamelog.record.envelope import TABLE, Event, Header, proposal
from gamelog.record.reading import Record

LEGAL_SHOWN = 20
"""How many legal events a finding lists at most."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Put off Python's search for reference cycles: many objects are made here that have none.

    The search looks at every object that lives whenever there are a quarter more of them: for a batch of
    records that is up to a sixteenth of the time, and for lines full of lists nearly all of it.
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

    ``events`` are the good ones, so ``fold.states[k]`` is the state after ``events[k - 1]``;
    ``findings`` begin with the one that ended the fold, if one did. ``fold`` is None when the
    header gives nothing to fold; ``unfolded`` are events that were read and not folded.
    """

    record: Record
    fold: Fold | None
    events: Sequence[Event]
    findings: list[Finding]
    unfolded: Sequence[Event] = ()

    @property
    def readable(self) -> Sequence[Event]:
        """The events that can be read, events after the end of the play included."""
        return [*self.events, *self.unfolded] if self.unfolded else self.events

    @property
    def status(self) -> Status:
        """One word for all findings."""
        return status_of(self.findings)


@gc_paused()
def replay(record: Record, game: AnyGame | None = None) -> FoldedRecord:
    """Fold `record`, by `game` (the installed one). Raises nothing for what the record contains."""
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
                Message.of("the record has a parent that cannot be one: {problem}", problem=orphan)
            )
        game = find(header.game, header.rules) if game is None else game
        return _folded(record, header, game, findings)
    except UnknownGame as error:  # or an unknown board
        code, why = "play.unknown_game", error
    except BrokenGame as error:  # it is installed, and does not load
        code, why = game_errors.BROKEN, error
    except BadSetup as error:
        code, why = "play.setup", error
    except Exception as error:
        return FoldedRecord(record, None, [], [*findings, game_errors.failure_finding(error, game)])
    return FoldedRecord(record, None, [], [*findings, Finding.of(code, why.clause, offset=0)])


def _folded(record: Record, header: Header, game: AnyGame, findings: list[Finding]) -> FoldedRecord:
    """`record` folded, with what is found added. Raises what the game raises where no event is to blame."""
    events, undecoded = decode(game, record.bodies)
    fold = Fold(
        header,
        game,
        ruled_on(events),
        (record.first, *record.heads),
        Ancestry(header, record),
        openings(header, events),
    )
    failure = _fold(fold, events)
    findings = findings + [
        structs.replace(found, offset=record.offsets[found.n - 1] if found.n else 0)
        for found in (*warnings(fold), *links_due(fold), *unopened_rolls(fold))
    ]
    problem = failure or undecoded
    if problem:
        findings.append(locate(fold, problem, record, events[fold.n] if failure else None))
    declared = fold.session.declared
    if declared and not failure and fold.result_differs:
        text = Message.of(
            "the table wrote down {written}, the play gives {played}",
            written=outcome_message(fold, declared),
            played=outcome_message(fold, fold.outcome),
        )
        findings.append(Finding.of("play.result_differs", text, "warning"))
    return FoldedRecord(record, fold, fold.events, findings, events[fold.n :] if failure else ())


def _fold(fold: Fold, events: EventList) -> Finding | None:
    """Take up `events`, those kept as bodies by stretches; stops at the first that fails and says why."""
    for stretch, bodies in events.stretches():
        begin = fold.n
        failure = fold.extend(stretch)
        if bodies:
            fold.events.lighten(bodies[: fold.n - begin])
        if failure:
            return failure
    return None


def ruled_on(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of the events that rulings are about: illegal ones among them stood, marked or not."""
    if common.Ruling not in set(map(type, events)):
        return frozenset()
    return frozenset(event.about for event in events if isinstance(event, common.Ruling))


def openings(header: Header, events: Iterable[Event]) -> tuple[str, ...]:
    """The links that whoever deals reveals: what was dealt face down is judged with them from the start."""
    if TABLE not in (header.dice.commitments or {}):
        return ()
    return tuple(event.link for event in events if isinstance(event, common.Reveal) and event.seat == TABLE)


def locate(fold: Fold, finding: Finding, record: Record, event: Event | None) -> Finding:
    """`finding`, about what comes next in `record`, with its byte offset;
    and with what would have been legal where a rule was broken by `event`.
    """
    if event and finding.code in ("play.illegal", "play.cannot_apply"):
        finding = with_legal(fold, finding, event.t)
    return structs.replace(finding, offset=record.offsets[fold.n], n=fold.n + 1)


def legal_now(fold: Fold, t: int, seat: str | None = None, view: View = None) -> tuple[dict[str, Any], ...]:
    """Return at most `LEGAL_SHOWN` events legal at `t`, as proposals: of `seat`, or of all who are to act, as
    far as `view` may know.
    """
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return (proposal(pending.next_timeout.event),)
    if not pending.by:
        return ()
    legal = legal_for(fold.game, fold.state, seat) if seat else legal_in_view(fold.game, fold.state, view)
    return tuple(proposal(event) for event in legal.events[:LEGAL_SHOWN])


def with_legal(fold: Fold, finding: Finding, t: int, by: str | None = None) -> Finding:
    """Return `finding` with what is legal at `t`: for the seat `by`, to which it is said, or for those who
    are to act, as far as all may see it.
    """
    seat = by if by in fold.header.seat_ids else None
    try:
        view = None if seat else public_view(fold)
        return structs.replace(finding, legal=legal_now(fold, t, seat, view))
    except Exception as error:
        failed = game_errors.failure_finding(error, fold.game).sentence
        return finding.saying(
            Message.of(
                "{remark}; what was legal is not known, for {failed}", remark=finding.sentence, failed=failed
            )
        )
