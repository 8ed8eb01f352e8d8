"""Evenings with all kinds of events: illegal events, takebacks, claims, rulings, declared positions.

In every game, an accepted record is judged the same when it is read from the file. Every event has an incident, the record is
the same game as itself, and a branch of the record is proved.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from gamelog.dispute.branch import branch
from gamelog.dispute.compare import compare
from gamelog.dispute.incident import incident, last_incident
from gamelog.dispute.parents import compare_parent
from gamelog.finding import Finding
from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.common_events import (
    Accept,
    Agree,
    Claim,
    Decline,
    Gap,
    Note,
    Resign,
    Ruling,
    Takeback,
    Withdraw,
)
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.header import new_header
from gamelog.play.view.session_change import NEVER_UNDONE
from gamelog.record.envelope import DiceSpec, Event, Seat
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.plays import play
from tests.play.tables import not_none
from tests.play.test_declare import drawn

EVENINGS, EVENTS = 6, 120


class Evening:
    """An evening at one table, with random events from a seed."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.rng = random.Random(f"{game.id} {seed}")
        self.seats = game.seats[self.rng.choice(sorted(game.seats))]
        mode: Any = self.rng.choice(["scorer", "agreed", "arbiter"])
        people = [Seat(seat, seat.title()) for seat in self.seats]
        self.header = new_header(
            game,
            people,
            id=f"evening {seed}",
            started="2026-01-01T00:00:00Z",
            dice=DiceSpec("table"),
            takebacks=mode,
        )
        self.fold = Fold(self.header, game)
        self.events: list[Event] = []
        self.strangers = [
            event
            for event in play(game, seed, len(self.seats)).events
            if type(event) not in game.chance_events
        ]

    def offer(self, event: Event) -> Finding | None:
        """Record `event` if it is accepted. Otherwise return the finding."""
        stamped = structs.replace(event, n=self.fold.n + 1, t=self.fold.t + 1_000)
        refused = self.fold.push(stamped)
        if refused is None:
            self.events.append(stamped)
        return refused

    def play_on(self) -> None:
        """Play a few events, then record an event of another kind."""
        for _ in range(self.rng.randrange(1, 12)):
            pending = self.fold.game.pending(self.fold.state)
            if self.fold.outcome or self.fold.session.unknown_since:
                break
            if pending.chance:
                made = self.fold.game.chance(
                    self.fold.state, tuple(tuple(drawn(draw, self.rng)) for draw in pending.chance.draws)
                )
            else:
                made = sample_for(
                    self.fold.game, self.fold.state, self.fold.game.pending(self.fold.state).by[0], self.rng
                )
            self.offer(made)
        self.offer(self.other_event())

    def other_event(self) -> Event:
        """Return an event that is not one of the legal moves, or not at its place."""
        rng, n = self.rng, self.fold.n
        seat = rng.choice(self.seats)
        number = rng.randrange(max(1, n - 20), n + 2)
        outcome = Outcome((rng.choice(self.seats),), "so")
        who = rng.choice([*self.seats, "table", "arbiter", "arbiter"])
        earlier = rng.choice(self.fold.states)
        words = msgspec.json.decode(msgspec.json.encode(describe_state(self.fold.game, earlier)))
        ruling = Ruling(0, 0, "arbiter", number, rng.choice(KINDS), "because", "Mei")
        return rng.choice(
            [
                structs.replace(rng.choice(self.strangers), as_played=True),
                structs.replace(rng.choice(self.strangers), as_played=True),
                Takeback(0, 0, who, to=number - 1),
                Claim(0, 0, seat, text="no!", about=rng.choice([None, number])),
                Withdraw(0, 0, seat, about=rng.choice([number, *self.fold.rulings.claims.open_numbers])),
                Note(0, 0, "table", text="hm"),
                Accept(0, 0, who, about=number),
                Decline(0, 0, who, about=number),
                Agree(0, 0, seat, result=outcome),
                Resign(0, 0, seat),
                Gap(0, 0, "arbiter", state=words, reason="wet"),
                structs.replace(ruling, to=rng.choice([None, number - 1]), result=outcome, points={seat: -1}),
                structs.replace(ruling, to=rng.choice([None, number - 1]), result=outcome, points={seat: -1}),
            ]
        )


KINDS: Any = ("stands", "takeback", "penalty", "result", "forfeit", "refused")


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("name", names())
def test_an_accepted_record_is_judged_the_same_again(name: str, seed: int) -> None:
    evening = Evening(find(name), seed)
    while evening.fold.n < EVENTS:
        evening.play_on()
    data, _ = compose(evening.header, evening.events)
    record = parse_record(data, "evening")
    folded = fold_record(record)
    assert folded.fold is not None
    assert folded.fold.states == evening.fold.states
    assert folded.fold.main_line_numbers() == evening.fold.main_line_numbers()
    assert folded.fold.score_with_final_penalties() == evening.fold.score_with_final_penalties()
    assert folded.fold.session == evening.fold.session
    judged = verdict(folded)
    assert judged.status in ("ok", "ruled", "disputed", "illegal")
    assert (judged.status == "illegal") == bool(evening.fold.session.unknown_since)
    for n in evening.rng.sample(range(1, last_incident(folded) + 1), 25):
        shown = incident(folded, n)
        rulings = evening.fold.rulings
        if n in rulings.by_number:
            assert (shown.disposition == "in force") == (rulings.ended_by(n) is None)
        elif n in rulings.claims.withdrawals:
            assert shown.disposition == "withdrawn"
        elif shown.disposition != "stands" or not isinstance(evening.fold.events[n - 1], NEVER_UNDONE):
            assert (shown.disposition == "stands") == evening.fold.stands(n)
        assert msgspec.json.encode(shown)
    assert compare(record, record).same
    for n in evening.rng.sample(range(evening.fold.n + 1), 5):
        child = parse_record(branch(record, n, "child"), "child")
        assert compare_parent(child, record).objection is None
        assert not_none(fold_record(child).fold).states == folded.fold.states[: n + 1]
