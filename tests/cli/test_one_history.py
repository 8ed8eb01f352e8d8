"""A secret reveals links for one history only, whatever records the other seats hand to its owner.

The other seats play together. They know all links except the owner's unrevealed ones. They make any records: cut,
with other decisions, without links, in another order, at another time, with resignations and rulings, united in
any order. The owner runs `dice reveal` on each record.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from gamelog_cli.secrets.dice_secrets import record_due_events

from gamelog.chance.commit_reveal import Chain
from gamelog.dispute.reveal_merging import unite_copies
from gamelog.errors import Damaged, PlayError, Refused
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.common_events import Reveal
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, as_proposal
from gamelog.record.reading import Record, parse_record, read_record
from gamelog.record.record_file import compose
from tests.play.reveals import Table, header
from tests.play.tables import not_none
from tests.shares import examples

OWNER = "red"


class Others:
    """The seats that play together, and their records."""

    def __init__(self, seed: int, players: int) -> None:
        self.rng = random.Random(seed)
        self.header = header(players, takebacks="scorer")
        self.answered: list[list[Event]] = [[]]
        self.records: list[list[Event]] = [[]]
        self.links: set[str] = set()

    def learn(self, record: Record) -> None:
        """Keep a record in which the owner has revealed a link, and all its links."""
        self.answered.append(list(fold_record(record).events))
        self.links |= uses(record).keys()

    def invent(self) -> bytes | None:
        """Return a record that begins like one of their records, or two of them united."""
        if self.rng.random() < 0.3:
            one, other = (parse_record(compose(self.header, self._any())[0]) for _ in "ab")
            try:
                return unite_copies(one, other)
            except PlayError:
                return None
        events = self._any()
        table = Table(self.header)
        for event in events[: len(events) - self.rng.randint(0, min(6, len(events)))]:
            assert table.take(event) is None
            table.t = event.t
        for _ in range(self.rng.randint(1, 8)):
            self._go_on(table)
        self.records.append(table.events)
        return compose(self.header, table.events)[0]

    def _any(self) -> list[Event]:
        return self.rng.choice(self.answered[-2:] if self.rng.random() < 0.6 else self.records[-4:])

    def _go_on(self, table: Table) -> None:
        table.t = table.fold.t - 3000 + self.rng.choice((0, 1, 3000))  # `push` takes three seconds
        missing = [seat for seat in table.missing() if seat != OWNER or table.link(seat) in self.links]
        if self.rng.random() < 0.15:
            do, by, members = self._beside(table)
            table.push(do, by, **members)
        elif missing:
            table.reveal(self.rng.choice(missing))
        elif table.missing() or table.fold.outcome:
            return
        elif table.fold.pending.chance:
            table.roll()
        else:
            seat = table.fold.pending.by[0]
            table.must(**as_proposal(sample_for(table.game, table.fold.state, seat, self.rng)))

    def _beside(self, table: Table) -> tuple[Any, ...]:
        seat, other = self.rng.choice(self.header.seat_ids), self.rng.choice(self.header.seat_ids[1:])
        ruling = {"about": max(1, table.fold.n), "reason": "r", "name": "Mei"}
        return self.rng.choice(
            (
                ("@resign", seat, {}),
                ("@recovered", "table", {"bytes": 3, "digest": "0" * 64}),
                ("@ruling", "arbiter", ruling | {"kind": "penalty", "points": {other: -1}}),
                (
                    "@ruling",
                    "arbiter",
                    ruling | {"kind": "forfeit", "result": {"winners": [other], "reason": "x"}},
                ),
                ("@ruling", "arbiter", ruling | {"kind": "refused"}),
                ("@takeback", "arbiter", {"to": self.rng.randint(0, table.fold.n)}),
            )
        )


def uses(record: Record) -> dict[str, tuple[bytes, set[str]]]:
    """Return for each link of the owner the head of its intent and the seats with links in the same roll."""
    assert record.header is not None
    table = Table(record.header)
    given: dict[str, tuple[bytes, dict[str, str]]] = {}
    for event in fold_record(record).events:
        assert table.take(event) is None
        if isinstance(event, Reveal) and event.seat == OWNER:
            book = not_none(table.fold.reveals)
            given[event.link] = (
                table.fold.line_heads[not_none(book.intent)],
                book.revealed_links,
            )  # the next links are added to it
    return {link: (head, set(links)) for link, (head, links) in given.items()}


def reveal(path: Path, data: bytes, secret: Path) -> bool:
    """Run `dice reveal` on a record with one secret; return whether it revealed a link."""
    path.write_bytes(data)
    recorder = EventRecorder(path)
    try:
        acks = list(
            record_due_events(recorder, {secret: msgspec.json.decode(secret.read_bytes(), type=Chain)})
        )
    except (Damaged, Refused):
        return False
    return any(isinstance(recorder.events[ack.n - 1], Reveal) for ack in acks)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(examples(40)))
def test_a_secret_never_gives_a_second_roll(tmp_path: Path, players: int, seed: int) -> None:
    others = Others(seed, players)
    secret, path = tmp_path / "red.secret", tmp_path / "game.jsonl"
    secret.write_bytes(msgspec.json.encode(Chain("test", OWNER, OWNER.encode().hex().ljust(64, "0"), 40)))
    used: dict[str, tuple[bytes, set[str]]] = {}
    for _ in range(200):
        data = others.invent()
        if data is None or not reveal(path, data, secret):
            continue
        record = read_record(path)
        others.learn(record)
        for link, (intent, seats) in uses(record).items():
            before, had = used.get(link, (intent, seats))
            assert intent == before, "a link is for one decision only"
            assert seats >= had, "the roll includes every link that the owner has seen"
            used[link] = intent, seats
