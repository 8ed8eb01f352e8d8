"""Replaying a record: its events decoded and folded as far as they go, and what was found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from gamelog.errors import BadSetup, BrokenGame, GamelogError, UnknownGame
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.fold import blame, common
from gamelog.play.fold.ancestry import Ancestry, beyond
from gamelog.play.fold.event_list import EventList
from gamelog.play.fold.findings import Finding, Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.cycles import unsearched
from gamelog.play.judging.decoding import decode
from gamelog.play.judging.legal_moves import with_legal
from gamelog.play.judging.remarks import closed, links_due, outcome_told, remarks
from gamelog.record.envelope import TABLE, Event, Header
from gamelog.record.reading import Record


class FoldedRecord(Struct):
    """A record, folded as far as it goes.

    ``events`` are the good ones, so ``fold.states[k]`` is the state after ``events[k - 1]``;
    ``findings`` begin with the one that ended the fold, if one did. ``fold`` is None when the
    header gives nothing to fold; ``behind`` are events that were read and not folded.
    """

    record: Record
    fold: Fold | None
    events: Sequence[Event]
    findings: list[Finding]
    behind: Sequence[Event] = ()

    @property
    def readable(self) -> Sequence[Event]:
        """The events that can be read, those behind the end of the play included."""
        return [*self.events, *self.behind] if self.behind else self.events

    @property
    def status(self) -> Status:
        """One word for all findings."""
        return status_of(self.findings)


@unsearched()
def replay(record: Record, game: AnyGame | None = None) -> FoldedRecord:
    """Fold `record`, by `game` (the installed one). Raises nothing for what the record contains."""
    findings: list[Finding] = []
    problem, header = record.problem, record.header
    if problem:
        codes = {"torn": "record.torn", "damaged": "record.damaged", "unknown": "record.format"}
        n = len(record.bodies) + 1 if header else None
        findings.append(Finding(codes[problem.kind], problem.text, n=n, offset=problem.offset))
    if header is None:
        return FoldedRecord(record, None, [], findings)
    why: GamelogError
    try:
        orphan = None if problem else beyond(record)
        if orphan:
            raise BadSetup(f"the record has a parent that cannot be one: {orphan}")
        game = find(header.game, header.rules) if game is None else game
        return _folded(record, header, game, findings)
    except UnknownGame as error:  # or an unknown board
        code, why = "play.unknown_game", error
    except BrokenGame as error:  # it is installed, and does not load
        code, why = blame.BROKEN, error
    except BadSetup as error:
        code, why = "play.setup", error
    except Exception as error:
        return FoldedRecord(record, None, [], [*findings, blame.finding(error, game)])
    return FoldedRecord(record, None, [], [*findings, Finding(code, str(why).rstrip("."), offset=0)])


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
        for found in (*remarks(fold), *links_due(fold), *closed(fold))
    ]
    problem = failure or undecoded
    if problem:
        findings.append(locate(fold, problem, record, events[fold.n] if failure else None))
    declared = fold.session.declared
    if declared and not failure and fold.result_differs:
        text = (
            f"the table wrote down {outcome_told(fold, declared)}, the play gives "
            f"{outcome_told(fold, fold.outcome)}"
        )
        findings.append(Finding("play.result_differs", text, "warning"))
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
