"""Generated records with every event that says something about earlier events.

These are takebacks and slips, offers with answers, agreed ends, resignations, withdrawn claims, and rulings on
events, claims and rulings. Other people take a seat, names are corrected, the clock pauses, results and positions are declared,
and illegal events are marked or ruled on later. Texts and names contain the characters that pages reserve.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import msgspec

from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded
from gamelog.errors import Refused
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.proposals import event_from
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import ARBITER, TABLE, DiceSpec, Event, Header, Seat, as_proposal

NAMES = ("Ana", "Rui\x81", "Le\x7fna", "", "Zoë", "Bo")

TEXTS = ("not so", "tea \x80", "\x82 or \x83", "\x7f", "so it was")
"""Texts that people type, with each character that pages reserve."""


def eventful(game: AnyGame, seed: int, steps: int = 120) -> Fold:
    """Return the fold of such a record. The same arguments give the same record."""
    rng = generator("eventful", game.id, seed)
    header = _header(game, rng, seed)
    fold, source = Fold(header, game), Seeded(str(seed), header.id)
    t = 0
    for _ in range(steps):
        t += rng.choice((0, 1_000, 9_000))
        for one in _proposals(fold, rng, source):
            _write(fold, one, t)
    return fold


def _header(game: AnyGame, rng: Random, seed: int) -> Header:
    """Return a header with any number of seats and any mode of takebacks."""
    people = [Seat(seat, rng.choice(NAMES)) for seat in game.seats[rng.choice(sorted(game.seats))]]
    return new_header(
        game,
        people,
        id=f"eventful-{seed}",
        started="2026-01-01T00:00:00Z",
        dice=DiceSpec("table"),
        takebacks=rng.choice(("scorer", "agreed", "arbiter")),
    )


def _write(fold: Fold, event: dict[str, Any], t: int) -> bool:
    """Add `event` if it is accepted; return whether it was."""
    try:
        return fold.push(event_from(fold, event, fold.n + 1, max(t, fold.t))) is None
    except Refused:
        return False


def _proposals(fold: Fold, rng: Random, source: Seeded) -> list[dict[str, Any]]:
    """Return the next proposals: mostly play, and other events now and then."""
    if fold.n > 3 and rng.random() < 0.03 and not fold.outcome:
        return _ruled_later(fold, rng)
    if rng.random() < 0.6 or fold.n < 3:
        return [_play(fold, rng, source)]
    return [rng.choice(_BESIDE)(fold, rng)]


def _play(fold: Fold, rng: Random, source: Seeded) -> dict[str, Any]:
    pending = fold.game.pending(fold.state)
    if fold.outcome or not (pending.by or pending.chance):
        return {"do": "@takeback", "by": rng.choice((TABLE, ARBITER)), "to": _any(fold, rng) - 1}
    if pending.chance:
        event: Event = fold.game.chance(fold.state, source.results(pending.chance.draws, fold.n))
        return as_proposal(event)
    seat = rng.choice(pending.by)
    state = fold.game.observe(fold.state, None if seat == TABLE else seat)
    return as_proposal(sample_for(fold.game, state, seat, rng))


def _any(fold: Fold, rng: Random) -> int:
    """Return the number of an event, a late one more often."""
    return max(1, fold.n - int(rng.expovariate(0.15)))


def _seat(fold: Fold, rng: Random) -> str:
    return rng.choice(fold.header.seat_ids)


def _result(fold: Fold, rng: Random) -> dict[str, Any]:
    return {"winners": [_seat(fold, rng)], "reason": rng.choice(("agreed", "late"))}


def _takeback(fold: Fold, rng: Random) -> dict[str, Any]:
    by = rng.choice((TABLE, ARBITER, _seat(fold, rng)))
    return {"do": "@takeback", "by": by, "to": _any(fold, rng) - 1, "slip": rng.random() < 0.3}


def _answer(fold: Fold, rng: Random) -> dict[str, Any]:
    if not fold.offers:
        return {"do": "@agree", "by": _seat(fold, rng), "result": _result(fold, rng)}
    offer = fold.offers[rng.choice(sorted(fold.offers))]
    do = "@accept" if rng.random() < 0.8 else "@decline"
    return {"do": do, "by": rng.choice(sorted(offer.waiting)), "about": offer.n}


def _claim(fold: Fold, rng: Random) -> dict[str, Any]:
    claim = {"do": "@claim", "by": _seat(fold, rng), "text": rng.choice(TEXTS), "about": _any(fold, rng)}
    played = [event for event in fold.events if isinstance(event, fold.game.events)]
    if not played or rng.random() < 0.5:
        return claim
    intended = as_proposal(rng.choice(played)) | {"by": claim["by"]}
    return claim | {"intended": {name: value for name, value in intended.items() if name != "as_played"}}


def _withdrawal(fold: Fold, rng: Random) -> dict[str, Any]:
    """Return the withdrawal of an open claim or offer, by its author most of the time."""
    numbers = [*fold.rulings.claims.open_numbers, *fold.offers]
    if not numbers:
        return _claim(fold, rng)
    n = rng.choice(numbers)
    by = fold.events[n - 1].by if rng.random() < 0.8 else _seat(fold, rng)
    return {"do": "@withdraw", "by": by, "about": n}


def _note(fold: Fold, rng: Random) -> dict[str, Any]:
    note = {"do": "@note", "by": rng.choice((TABLE, ARBITER, _seat(fold, rng))), "text": rng.choice(TEXTS)}
    return note | ({"about": _any(fold, rng)} if rng.random() < 0.5 else {})


def _gap(fold: Fold, rng: Random) -> dict[str, Any]:
    """Return the declaration of an earlier position."""
    declared = describe_state(fold.game, fold.states[_any(fold, rng) - 1])
    return {"do": "@gap", "by": TABLE, "state": msgspec.to_builtins(declared), "reason": rng.choice(TEXTS)}


def _recovered(_: Fold, rng: Random) -> dict[str, Any]:
    size = rng.randint(1, 99)
    return {"do": "@recovered", "by": TABLE, "bytes": size, "digest": sha256(bytes(size)).hexdigest()}


def _ruling(fold: Fold, rng: Random) -> dict[str, Any]:
    kind = rng.choice(("stands", "takeback", "penalty", "result", "refused", "warning", "upheld", "clock"))
    about = _any(fold, rng)
    if rng.random() < 0.6 and (fold.rulings.by_number or fold.rulings.claims.open_numbers):
        about = rng.choice([*fold.rulings.by_number, *fold.rulings.claims.open_numbers])
    members_by_kind: dict[str, dict[str, Any]] = {
        "takeback": {"to": _any(fold, rng) - 1} if rng.random() < 0.5 else {},
        "penalty": {"points": {_seat(fold, rng): rng.choice((-2, 1))}},
        "result": {"result": _result(fold, rng)},
        "warning": {"warned": [_seat(fold, rng)]},
        "clock": {"clock": {rng.choice((TABLE, _seat(fold, rng))): fold.t // 2}},
    }
    given = {"about": about, "kind": kind, "reason": rng.choice(TEXTS), "name": "Lena"}
    given |= members_by_kind.get(kind, {})
    return {"do": "@ruling", "by": ARBITER, **given}


def _substitute(fold: Fold, rng: Random) -> dict[str, Any]:
    seat, name = _seat(fold, rng), rng.choice(NAMES[:3])
    if rng.random() < 0.5:
        return {"do": "@amend", "by": TABLE, "seats": {seat: {"name": name}}}
    return {"do": "@substitute", "by": TABLE, "seat": seat, "name": name}


def _clock(fold: Fold, _: Random) -> dict[str, Any]:
    return {"do": "@clock", "by": TABLE, "running": fold.session.paused_at is not None}


def _illegal(fold: Fold, rng: Random) -> dict[str, Any]:
    """Return an event of the game as it was played before, by any seat, marked as played."""
    events = [event for event in fold.events if isinstance(event, fold.game.events)]
    if not events:
        return _claim(fold, rng)
    again: dict[str, Any] = msgspec.to_builtins(rng.choice(events))
    return {
        **{name: value for name, value in again.items() if name not in ("n", "t")},
        "by": rng.choice((again["by"], _seat(fold, rng))),
        "as_played": True,
    }


def _ruled_later(fold: Fold, rng: Random) -> list[dict[str, Any]]:
    """Return an illegal event without a mark, and the ruling by which it counts."""
    n, event = fold.n + 1, _illegal(fold, rng)
    fold.ruled_events |= {n}
    ruling = {"about": n, "kind": "stands", "reason": "so it was", "name": "Lena"}
    return [{**event, "as_played": False}, {"do": "@ruling", "by": ARBITER, **ruling}]


def _resign(fold: Fold, rng: Random) -> dict[str, Any]:
    return {"do": "@resign", "by": _seat(fold, rng)}


def _written(fold: Fold, rng: Random) -> dict[str, Any]:
    return {"do": "@result", "by": TABLE, "outcome": _result(fold, rng)}


_BESIDE = (
    *(_takeback, _answer, _ruling) * 3,
    *(_claim, _substitute, _clock, _illegal, _note) * 2,
    _claim,
    _withdrawal,
    _gap,
    _recovered,
    _resign,
    _written,
)  # fmt: skip
