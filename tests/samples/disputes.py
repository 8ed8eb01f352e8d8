"""Disputes and their ends, made from each game's record with an illegal event that was played anyway."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec
from msgspec import structs

from gamelog.chance.rng import generator
from gamelog.chance.sources import Seeded
from gamelog.play.contract.declare import declared_state, describe_state
from gamelog.play.fold.common_events import Claim, Gap, Ruling
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.play_loop import SeatedBots, play_to_end, think_time_clock
from gamelog.record.envelope import Event
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose

AFTER, MISSED, MORE = 6, 12, 16
"""The numbers of events between the illegal event and the claim, of missing events, and of events after them."""


def ruled(game: str, as_played: bytes) -> bytes:
    """Return a record with a claim, a ruling that costs a point, missing moves and a declared position."""
    folded = fold_record(parse_record(as_played))
    assert folded.fold is not None
    at, *_ = folded.fold.violations
    header = structs.replace(folded.fold.header, id=str(uuid5(NAMESPACE_URL, f"gamelog:{game}/ruled")))
    events = list(folded.events[: at + AFTER])
    fold = Fold(header, folded.fold.game)
    assert fold.extend(events) is None

    def add(event: Event) -> None:
        events.append(structs.replace(event, n=fold.n + 1, t=fold.t + 20_000))
        failure = fold.push(events[-1])
        assert failure is None, failure

    culprit = events[at - 1].by
    other = next(seat for seat in header.seat_ids if seat != culprit)
    add(Claim(0, 0, other, text="That was not allowed.", about=at))
    add(Ruling(0, 0, "arbiter", at, "stands", "It was noticed six events later.", "Mei"))
    add(
        Ruling(
            0,
            0,
            "arbiter",
            at,
            "penalty",
            "Whoever plays has to know the rules.",
            "Mei",
            points={culprit: -1},
        )
    )
    add(Gap(0, 0, "table", state=missed(folded.fold, fold), reason="Tea was spilt on the sheet."))
    add(Ruling(0, 0, "arbiter", fold.n, "stands", "All of them remember it like this.", "Mei"))
    events += go_on(game, fold, MORE)
    return compose(header, events)[0]


def missed(whole: Fold, fold: Fold) -> dict[str, Any]:
    """Return a position of `whole`, some events later, that can be declared."""
    for state in whole.states[fold.n + MISSED :]:
        words: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe_state(whole.game, state)))
        if declared_state(whole.game, fold.state, words)[1] is None:
            return words
    raise AssertionError("no position of the rest can be declared")


def go_on(game: str, fold: Fold, most: int) -> list[Event]:
    """Play a number of events with random bots."""
    seating = SeatedBots(dict.fromkeys(fold.header.seat_ids, fold.game.bots["random"]), f"{game} ruled")
    source, clock = Seeded(f"{game} ruled", fold.header.id), think_time_clock(generator(f"{game} ruled"))
    return [event for _, event in zip(range(most), play_to_end(fold, seating, source, clock), strict=False)]
