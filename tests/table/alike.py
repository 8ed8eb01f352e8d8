"""Records that look alike to a seat, and the requests that its link can make about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from gamelog_cli.events.listing import listed_events
from gamelog_reports.replay_page.page import make_page
from msgspec import structs

from gamelog.dispute.incident import incident
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.proposals import event_from
from gamelog.play.recording.signing import make_seal
from gamelog.play.view.position_data import position_data
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.step import STEP_ENCODER
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.chain import GENESIS, chained_digest
from gamelog.record.envelope import ARBITER, TABLE, Event, Header, as_proposal, encode_body, tag_of
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Signer
from gamelog.testing.checks.secrecy_checks import look_alike_records
from gamelog.testing.plays import Play, play
from tests.table.client import Answer, Client

OWN = re.compile(rb'"(?:h|now)":(?:"[^"]*"|\d+)')
"""Members of an answer that are a digest of the whole record (docs/serve.md describes its meaning), or the time."""


SIGNER = Signer.of("ana", bytes(32))
"""The key of the signatures in the records."""


INCIDENTS = 30
"""The last events of a record whose incidents are compared."""


def pairs(
    game: AnyGame, index: int, players: int | None = None, *, common: bool = True
) -> Iterator[tuple[str, Header, list[Event], list[Event]]]:
    """Yield a seat, a header, and the events of two records that look alike to the seat and differ.

    With `common`, common events are at their ends. The header's start is in the future, so that the clock of a served record does not run.
    """
    found: Play = play(game, index, players, max_events=600)
    header = structs.replace(found.header, started="2999-01-01T00:00:00Z")
    kinds: dict[str, list[Event]] = {}
    for event in found.events:
        kinds.setdefault(tag_of(type(event)), []).append(event)
    for seat in header.seat_ids:
        for events, others in look_alike_records(game, found, seat, kinds):
            if common:
                yield seat, header, *_with_common_events(game, header, seat, events, others)
            else:
                yield seat, header, events, others


def _with_common_events(
    game: AnyGame, header: Header, seat: str, *records: list[Event]
) -> tuple[list[Event], list[Event]]:
    """Return both records with more events at their ends, which look alike to `seat`, too.

    Some of them contain what the seat does not see: a slip of a hidden event, which is recorded again in one
    record only, an intended event, the position, and digests and signatures of the record.
    """
    folds = [folded(game, header, events) for events in records]
    n, last = folds[0].n, [fold.events[-1] for fold in folds]
    first, other = header.seat_ids[0], header.seat_ids[-1]
    for same in (
        {"do": "@claim", "by": other, "text": "not so \x80", "about": n},
        {"do": "@ruling", "by": ARBITER, "about": n + 1, "kind": "penalty", "points": {first: -1}}
        | {"reason": "so it was", "name": "Lena"},
        {"do": "@substitute", "by": TABLE, "seat": other, "name": "Zoë\x7f"},
    ):
        _push(folds, same, same)
    hider = next(one for one in header.seat_ids if one != seat)
    nonsense = ({"do": "nonsense", "x": "x" * size} for size in (1, 30))
    _push(folds, *({"do": "@claim", "by": hider, "text": "?", "intended": one} for one in nonsense))
    _push(folds, *(_intended(event, n) for event in last))
    _push(folds, *(_declared(fold) for fold in folds))
    _push(folds, *(_recovered(fold) for fold in folds))
    _push(folds, *(_signed(fold, other) for fold in folds))
    first_difference = next(at for at, (x, y) in enumerate(zip(*records, strict=True)) if x != y)
    slip = {"do": "@takeback", "by": TABLE, "to": first_difference, "slip": True}
    if _push(folds, slip, slip):
        for event in records[0][first_difference:]:
            _push(folds, as_proposal(event), as_proposal(event))
    _push(folds, *(as_proposal(event) | {"as_played": True} for event in last))
    _push(folds, *(as_proposal(event) | {"by": other, "as_played": True} for event in last))
    ends: tuple[dict[str, Any], ...] = (
        {"do": "@clock", "by": TABLE, "running": False},
        {"do": "@agree", "by": first, "result": {"winners": [first], "reason": "agreed"}},
        {"do": "@takeback", "by": TABLE, "to": folds[0].n - 1},
    )
    for end in ends:
        _push(folds, end, end)
    return [*folds[0].events], [*folds[1].events]


def folded(game: AnyGame, header: Header, events: list[Event]) -> Fold:
    """Return the fold of a record with the heads of its lines, on which signatures depend."""
    fold = Fold(header, game, line_heads=[chained_digest(GENESIS, encode_body(header))])
    for event in events:
        assert _pushed(fold, event)
    return fold


def _pushed(fold: Fold, event: Event) -> bool:
    """Add `event` and its head to `fold` if it can come next; return whether it can."""
    if fold.push(event) is not None:
        return False
    fold.line_heads.append(chained_digest(fold.line_heads[-1], encode_body(event)))
    return True


def _push(folds: list[Fold], *proposals: dict[str, Any]) -> bool:
    """Add the event proposed for each record, if each accepts its event; return whether they do."""
    events = []
    for fold, one in zip(folds, proposals, strict=True):
        event = event_from(fold, one, fold.n + 1, fold.t)
        refused = fold.judge(event)
        if refused and not (refused.code == "play.illegal" and event.as_played):
            return False
        events.append(event)
    assert all(_pushed(fold, event) for fold, event in zip(folds, events, strict=True))
    return True


def _intended(event: Event, n: int) -> dict[str, Any]:
    intended = {name: value for name, value in as_proposal(event).items() if name != "by"}
    return {"do": "@claim", "by": event.by, "text": "I meant this", "about": n, "intended": intended}


def _declared(fold: Fold) -> dict[str, Any]:
    state = msgspec.to_builtins(describe_state(fold.game, fold.state))
    return {"do": "@gap", "by": TABLE, "state": state, "reason": "the cards fell \x82"}


def _recovered(fold: Fold) -> dict[str, Any]:
    torn = encode_body(fold.events[-1])
    return {"do": "@recovered", "by": TABLE, "bytes": len(torn), "digest": sha256(torn).hexdigest()}


def _signed(fold: Fold, seat: str) -> dict[str, Any]:
    seal = make_seal(fold.header, fold.n, fold.line_heads[-1].decode(), seat, fold.t, SIGNER)
    return {"do": "@sign", "by": seat, "seat": seat, "key": str(SIGNER.key), "sig": seal.sig}


def write(path: Path, header: Header, events: list[Event]) -> None:
    """Write a record of `events` to `path`."""
    path.write_bytes(compose(header, events)[0])


def attempts(seat: str, events: list[Event], others: list[Event]) -> list[dict[str, Any]]:
    """Return the events that a seat tries to record: events played before, and common events."""
    played = {tag_of(type(event)): as_proposal(event) | {"by": seat} for event in (*events, *others)}
    n, words = (
        len(events),
        {word for event in played.values() for word in event.values() if isinstance(word, str)},
    )
    return [
        *played.values(),
        *({"results": results} for results in ("known", [[1], [2]], *([[word]] for word in sorted(words)))),
        {"do": "@resign"},
        {"do": "@note", "text": "tea"},
        {"do": "@takeback", "to": n - 1},
        {"do": "@takeback", "to": 0},
        {"do": "@claim", "text": "no", "about": n},
        {"do": "@withdraw", "about": n},
        {"do": "@accept", "about": n},
        {"do": "@agree", "result": {"winners": [seat], "reason": "agreed"}},
        {"do": "@ruling", "about": n, "kind": "stands", "reason": "x", "name": "y"},
        {"do": "nonsense"},
    ]


def answers(client: Client, tried: list[dict[str, Any]], n: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers of all addresses to a seat, for a record of `n` events, before the seat records."""
    asked = [
        "",
        "?at=0",
        f"?at={n // 2}",
        f"?at={n}",
        f"?at={n + 1}",
        "/table",
        "/choices",
        "/rules",
        "?at=x",
        "/sheet?at=1",
        "/record",
        "/links",
        "//api/records",
        "//api/games",
    ]
    for path in (*asked, '/walked?cells=["a1","a2"]', '/walked?cells=["base","hand"]'):
        yield path, content_of(client.get(path))
    for form in ("", "steps"):
        with client.live(1, form) as events:
            for number in range(1, n + 1):
                yield f"live {number} {form}", next(events)
    for event in tried:
        yield f"would {event}", content_of(client.ask("POST", "/would", event))
    for event in tried[:5]:
        yield f"would?next {event}", content_of(client.ask("POST", "/would?next", event))
    for path in ("/fix", "/would", "/events", "//api/records"):
        bodies: tuple[object, ...] = ({"at": 1, "expect": n}, {"do": {}}, b"{")
        for sent in bodies:
            yield f"{path} {sent!r}", content_of(client.ask("POST", path, sent))


def refused_answers(client: Client, tried: list[dict[str, Any]], n: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers to a seat whose events are refused, or which expects another last event."""
    for event in tried:
        yield f"late {event}", content_of(client.write({"event": event, "expect": max(0, n - 3)}))
        if event.get("do") in ("nonsense", "@ruling") or "results" in event:
            yield f"write {event}", content_of(client.write({"event": event, "expect": n}))


def content_of(answer: Answer) -> tuple[int, bytes]:
    """Return status and bytes of an answer, without digests and times."""
    return answer.status, OWN.sub(b"", answer.body)


def displays(path: Path, seat: str) -> Iterator[tuple[str, Any]]:
    """Yield what commands and pages show of the record at `path` to `seat`, and to people who see less."""
    folded = fold_record(read_record(path))
    assert folded.fold
    for shown in (seat,), folded.fold.header.seat_ids:
        view = RecordView(folded.fold, Viewer(shown), folded.unfolded_events)
        yield f"whether nothing is hidden from {shown}", view.hides_nothing
        yield f"findings for {shown}", [found.plain for found in map(view.shown_finding, folded.findings)]
        yield f"list for {shown}", [str(line) for line in listed_events(view, range(1, view.last_played + 1))]
        for n in range(view.last_number + 1):
            yield f"event {n} for {shown}", msgspec.json.encode(position_data(view, n))
            yield f"step {n} for {shown}", STEP_ENCODER.encode(view.step(n))
        first = max(1, view.last_number - INCIDENTS + 1)
        for n in filter(view.sees_whole, {1, *range(first, view.last_number + 1)}):
            yield f"incident {n} for {shown}", msgspec.json.encode(incident(folded, n, view.viewer))
    yield "page of the seat", make_page(folded, seat=seat).html
    yield "page of a running game", make_page(folded, reveal=False).html
