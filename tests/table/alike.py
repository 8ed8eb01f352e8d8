"""Records that look alike to a seat, and the requests that its link can make about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.proposals import event_from
from gamelog.record.envelope import ARBITER, TABLE, Event, Header, as_proposal, tag_of
from gamelog.record.record_file import compose
from gamelog.testing.kit.secrecy_checks import look_alike_records
from gamelog.testing.random_play import Play, play
from tests.table.client import Answer, Client

OWN = re.compile(rb'"(?:h|now)":(?:"[^"]*"|\d+)')
"""Members of an answer that are a digest of the whole record (docs/serve.md describes its meaning), or the time."""


def pairs(
    game: AnyGame, index: int, players: int | None = None
) -> Iterator[tuple[str, Header, list[Event], list[Event]]]:
    """Yield a seat, a header, and the events of two records that look alike to the seat and differ."""
    found: Play = play(game, index, players, max_events=600)
    kinds: dict[str, list[Event]] = {}
    for event in found.events:
        kinds.setdefault(tag_of(type(event)), []).append(event)
    for seat in found.header.seat_ids:
        for events, others in look_alike_records(game, found, seat, kinds):
            yield seat, found.header, *_with_common_events(game, found.header, events, others)


def _with_common_events(
    game: AnyGame, header: Header, *records: list[Event]
) -> tuple[list[Event], list[Event]]:
    """Return both records with the same common events at their ends, if both accept these events."""
    folds = [Fold(header, game) for _ in records]
    for fold, events in zip(folds, records, strict=True):
        assert fold.extend(events) is None
    seat, other, n = header.seat_ids[0], header.seat_ids[-1], folds[0].n
    for beside in (
        {"do": "@claim", "by": other, "text": "not so", "about": n},
        {"do": "@ruling", "by": ARBITER, "about": n + 1, "kind": "penalty", "points": {seat: -1}}
        | {"reason": "so it was", "name": "Lena"},
        {"do": "@substitute", "by": TABLE, "seat": other, "name": "Zoë"},
        {"do": "@clock", "by": TABLE, "running": False},
        {"do": "@agree", "by": seat, "result": {"winners": [seat], "reason": "agreed"}},
        {"do": "@takeback", "by": TABLE, "to": n - 1},
    ):
        events = [event_from(fold, beside, fold.n + 1, fold.t) for fold in folds]
        if not any(fold.judge(event) for fold, event in zip(folds, events, strict=True)):
            for fold, event in zip(folds, events, strict=True):
                assert fold.push(event) is None
    return [*folds[0].events], [*folds[1].events]


def write(path: Path, header: Header, events: list[Event]) -> None:
    """Write a record of `events` to `path`. It begins in the future, so that its clock does not run."""
    path.write_bytes(compose(structs.replace(header, started="2999-01-01T00:00:00Z"), events)[0])


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
    for path in ("/fix", "/would", "/events", "//api/records"):
        bodies: tuple[object, ...] = ({"at": 1, "expect": n}, {"do": {}}, b"{")
        for body in bodies:
            yield f"{path} {body!r}", content_of(client.ask("POST", path, body))


def refused_answers(client: Client, tried: list[dict[str, Any]], n: int) -> Iterator[tuple[str, Any]]:
    """Yield the answers to a seat whose events are refused, or which expects another last event."""
    for event in tried:
        yield f"late {event}", content_of(client.write({"event": event, "expect": max(0, n - 3)}))
        if event.get("do") in ("nonsense", "@ruling") or "results" in event:
            yield f"write {event}", content_of(client.write({"event": event, "expect": n}))


def content_of(answer: Answer) -> tuple[int, bytes]:
    """Return status and bytes of an answer, without digests and times."""
    return answer.status, OWN.sub(b"", answer.body)
