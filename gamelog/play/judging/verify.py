"""Judging a record: read, decode, fold, and say what was found.

`replay` gives everything a reader of one record wants; `verdict` the judgement alone. Loading is
not validating: both start from a `Record` whose bytes have been verified and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import PurePath

import msgspec
from msgspec import Struct, structs

from gamelog.errors import BadSetup, BrokenGame, NotReadable, RecordError, UnknownGame
from gamelog.play.contract.game import AnyGame, Outcome, Violation
from gamelog.play.contract.registry import find
from gamelog.play.fold import blame, common
from gamelog.play.fold.ancestry import Ancestry, beyond
from gamelog.play.fold.event_list import EventList
from gamelog.play.fold.findings import Finding, Status, status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.cycles import unsearched
from gamelog.play.judging.decoding import decode
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.legal import with_legal
from gamelog.play.telling.messages import decision
from gamelog.record.counting import many
from gamelog.record.envelope import Envelope, Event, Header
from gamelog.record.reading import Record, read
from gamelog.record.visible import brief

TOLD = 20
"""Rulings about one event that a finding tells of one by one, the last of them."""

_envelope = msgspec.json.Decoder(Envelope)


class Replay(Struct):
    """A record, folded as far as it goes.

    ``events`` are the good ones, so ``fold.states[k]`` is the state after ``events[k - 1]``;
    ``findings`` begin with the one that ended the fold, if one did. ``fold`` is None when the
    header gives nothing to fold.
    """

    record: Record
    fold: Fold | None
    events: Sequence[Event]
    findings: list[Finding]

    @property
    def status(self) -> Status:
        """One word for all findings."""
        return status_of(self.findings)


class Verdict(Struct, frozen=True):
    """The judgement of one record, as `gamelog validate --json` prints it. What cannot be known is None.

    ``status`` is None for a path that cannot be read: nothing is known of a record there. ``people`` says who sits at each
    seat at the end of the record.

    >>> verdict = gamelog.validate("sample_games/slicewars/ruled.jsonl")
    >>> verdict.status, verdict.valid, verdict.finished, verdict.events
    ('ruled', True, False, 129)
    """

    path: str
    id: str | None
    game: str | None
    status: Status | None
    valid: bool
    finished: bool | None
    events: int | None
    head: str | None
    play: str | None
    outcome: Outcome | None
    findings: tuple[Finding, ...]
    people: dict[str, str] = {}

    def __repr__(self) -> str:
        file = brief(PurePath(self.path).name, 40)
        found = len(self.findings)
        return f"<Verdict {file}: {self.status or 'cannot be read'}, {many(found, 'finding')}>"


@unsearched()
def replay(record: Record, game: AnyGame | None = None) -> Replay:
    """Fold `record`, by `game` (the installed one). Raises nothing for what the record contains."""
    findings: list[Finding] = []
    if record.problem:
        codes = {"torn": "record.torn", "damaged": "record.damaged", "unknown": "record.format"}
        n = len(record.bodies) + 1 if record.header else None
        findings.append(Finding(codes[record.problem.kind], record.problem.text, n=n, offset=record.problem.offset))
    if record.header is None:
        return Replay(record, None, [], findings)
    strange = None if record.problem else beyond(record)
    if strange:
        return Replay(
            record, None, [], [Finding("play.setup", f"the record has a parent that cannot be one: {strange}", offset=0)]
        )
    try:
        game = find(record.header.game, record.header.rules) if game is None else game
    except UnknownGame as error:
        return Replay(record, None, [], [*findings, Finding("play.unknown_game", str(error).rstrip("."), offset=0)])
    except BrokenGame as error:  # it is installed, and does not load
        return Replay(record, None, [], [*findings, Finding(blame.BROKEN, str(error).rstrip("."), offset=0)])
    try:
        return _folded(record, record.header, game, findings)
    except UnknownGame as error:  # of a board
        return Replay(record, None, [], [*findings, Finding("play.unknown_game", str(error).rstrip("."), offset=0)])
    except BadSetup as error:
        return Replay(record, None, [], [*findings, Finding("play.setup", str(error).rstrip("."), offset=0)])
    except Exception as error:
        return Replay(record, None, [], [*findings, blame.finding(error, game)])


def _folded(record: Record, header: Header, game: AnyGame, findings: list[Finding]) -> Replay:
    """`record` folded, what is found added to `findings`. Raises what the game raises where no event is to blame for it."""
    events, undecoded = decode(game, record.bodies)
    fold = Fold(header, game, ruled_on(events), (record.first, *record.heads), Ancestry(header, record))
    failure = _fold(fold, events)
    findings = findings + [
        structs.replace(found, offset=record.offsets[found.n - 1] if found.n else 0) for found in (*remarks(fold), *_links(fold))
    ]
    wrong = failure or undecoded
    if wrong:
        findings.append(locate(fold, wrong, record, fold.n))
    declared = fold.session.declared
    if declared and not failure and declared != fold.outcome:
        text = f"the table wrote down {outcome_told(fold, declared)}, the play gives {outcome_told(fold, fold.outcome)}"
        findings.append(Finding("play.result_differs", text, "warning"))
    return Replay(record, fold, fold.events, findings)


def _fold(fold: Fold, events: EventList) -> Finding | None:
    """Take up `events`, those that are kept as bodies a stretch at a time; stops at the first that fails and says why."""
    for stretch, bodies in events.stretches():
        begin = fold.n
        failure = fold.extend(stretch)
        if bodies:
            fold.events.lighten(bodies[: fold.n - begin])
        if failure:
            return failure
    return None


def ruled_on(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of the events that rulings are about: illegal ones among them stood, whether marked or not."""
    return frozenset(event.about for event in events if isinstance(event, common.Ruling))


def remarks(fold: Fold) -> Iterator[Finding]:
    """What the fold went on in spite of (illegal events, positions declared, open claims), and what rulings changed."""
    standing, corrected = (frozenset(fold.mainline()), fold.corrected()) if fold.violations else (frozenset(), frozenset())
    rulings = fold.rulings
    changes = rulings.changes()
    for n in sorted({*fold.violations, *changes}):
        if n in corrected and n not in changes:
            continue
        violation = Violation("", "") if n in corrected else fold.violations.get(n, Violation("", ""))
        ruling = changes[n] if n in changes and not violation.text else rulings.about(n)
        if ruling:
            text = f"ruled on {_rulings(fold, n)}"
            what = violation.text or (_claim(fold, n) if n in rulings.claims.made else "")
            text = f"{what}; {text}" if what else text
            yield Finding("play.ruled", text, "warning", n, rule=violation.rule or None)
        elif n not in standing:
            yield Finding("play.undone", f"{violation.text}; it was taken back", "warning", n, rule=violation.rule or None)
        else:
            yield Finding("play.as_played", violation.text, "warning", n, rule=violation.rule or None)
    if fold.session.unknown_since:
        text = f"nobody can say what event {fold.session.unknown_since} did; declare with @gap what stood on the table"
        yield Finding("play.cannot_apply", text, n=fold.session.unknown_since)
    for signed in fold.signatures:
        if signed.doubt:
            code = "sign.unchecked" if signed.unchecked else "sign.doubt"
            yield Finding(code, f"{fold.session.name_of(signed.seat)} has signed, but {signed.doubt}", "warning", signed.n)
    for offer in fold.offers.values():
        waiting = " and ".join(map(fold.session.name_of, (seat for seat in fold.header.seat_ids if seat in offer.waiting)))
        what = "to end the game" if offer.to is None else f"to take the game back to event {offer.to}"
        yield Finding("play.offer", f"an offer {what}, which waits for the yes of {waiting or 'the arbiter'}", "warning", offer.n)
    for n in rulings.claims.open:
        yield Finding("play.claim", f"{_claim(fold, n)} that nobody has ruled on", "warning", n)


def _links(fold: Fold) -> Iterator[Finding]:
    """Whose links the roll waits for that is due at the end of the record."""
    reveals = fold.reveals
    if reveals and reveals.missing:
        links = "link" if len(reveals.missing) == 1 else "links"
        people = " and ".join(map(fold.session.name_of, reveals.missing))
        yield Finding("chance.waiting", f"the dice wait for the {links} of {people}", "warning", reveals.intent or None)


def _rulings(fold: Fold, n: int) -> str:
    """All rulings about event `n`, the last `TOLD` of many; where there are several, what has become of each."""
    found = fold.rulings.every(n)
    told = [
        f"in event {one.n} by {one.name}: {decision(one, fold.session.name_of)}, {one.reason.rstrip('.')}"
        + ("" if len(found) == 1 else f" ({fold.rulings.state(one.n)})")
        for one in found[-TOLD:]
    ]
    return "; ".join([f"{len(found) - TOLD} times before"] * (len(found) > TOLD) + told)


def _claim(fold: Fold, n: int) -> str:
    """The claim of event `n`, and what it is about."""
    about = fold.rulings.claims.made[n]
    return "a claim" if about is None else f"a claim about event {about}"


def locate(fold: Fold, finding: Finding, record: Record, at: int) -> Finding:
    """`finding` with its byte offset, and with what would have been legal where a rule was broken."""
    if finding.code in ("play.illegal", "play.cannot_apply"):
        stamp = _envelope.decode(b"{" + record.bodies[at])
        finding = with_legal(fold, finding, stamp.t, stamp.by)
    return structs.replace(finding, offset=record.offsets[at], n=at + 1)


def outcome_told(fold: Fold, outcome: Outcome | None) -> str:
    """An outcome in words, with the people who have won."""
    if outcome is None:
        return "no result yet"
    return f"{' and '.join(map(fold.session.name_of, outcome.winners)) or 'nobody'} ({outcome.reason})"


@unsearched()
def verdict(replayed: Replay) -> Verdict:
    """The judgement of a folded record."""
    try:
        return _verdict(replayed)
    except Exception as error:
        game = replayed.fold.game if replayed.fold else None
        return _verdict(Replay(replayed.record, None, [], [*replayed.findings, blame.finding(error, game)]))


def _verdict(replayed: Replay) -> Verdict:
    record, fold = replayed.record, replayed.fold
    status = replayed.status
    whole = status not in ("torn", "damaged")
    known = fold is not None and whole
    return Verdict(
        path=record.path,
        id=record.header.id if record.header else None,
        game=record.header.game if record.header else None,
        status=status,
        valid=status in ("ok", "ruled"),
        finished=fold.outcome is not None if fold is not None and known else None,
        events=len(record.bodies) if whole else None,
        head=record.head if whole else None,
        play=play_digest(fold, replayed.events) if fold is not None and known and status != "unknown" else None,
        outcome=fold.outcome if fold is not None and known else None,
        findings=tuple(sorted(replayed.findings, key=attrgetter("severity"))),
        people={person.seat: person.name for person in fold.session.seats} if fold is not None and known else {},
    )


def validate(path: str | os.PathLike[str]) -> Verdict:
    """The judgement of the record in a file. Raises nothing: a file that cannot be read is a finding.

    >>> gamelog.validate("sample_games/slicewars/torn.jsonl")
    <Verdict torn.jsonl: torn, 1 finding>
    """
    try:
        return verdict(replay(read(path)))
    except RecordError as error:
        return unread(str(path), error)


def unread(path: str, error: RecordError) -> Verdict:
    """The judgement of a record that could not be read: damaged, or nothing where it is the path that cannot be read."""
    status: Status | None = None if isinstance(error, NotReadable) else "damaged"
    finding = Finding(error.code, str(error).rstrip("."), offset=None if status is None else 0)
    return Verdict(path, None, None, status, False, None, None, None, None, None, (finding,))
