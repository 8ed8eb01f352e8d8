"""A record keeps its promises in any order of operations, from an append to a branch.

    python -m tests.fuzz.machine --runs 1000 --steps 50

A Hypothesis state machine plays with one SliceWars record and a model of it: the confirmed events and the
seals. It appends legal and illegal events through two recorders that do not know each other. It takes back,
signs, opens again and recovers. It crashes inside a line or right after it. It makes a branch and continues
with the branch.

After every step, the file contains exactly the confirmed events. The judge finds at most a torn end. Every
seal is valid for its own record and for no other.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Verbosity, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import structs

from gamelog.chance.rng import generator
from gamelog.dispute.branch import branch
from gamelog.errors import Conflict, Refused, Torn
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import sample_for
from gamelog.play.fold.common_events import Note
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording import signing
from gamelog.play.recording.header import new_header
from gamelog.play.recording.recorder import EventRecorder, recover_record
from gamelog.record import chain
from gamelog.record.disk import write_new
from gamelog.record.envelope import DiceSpec, Seat, as_proposal, encode_body
from gamelog.record.reading import read_record
from gamelog.record.record_file import Ack, create_record
from gamelog.record.recovery import LineEnd
from gamelog.record.seal import Seal, Signer
from gamelog.record.seal_checks import seal_finding

GAME = find("slicewars")
SIGNERS = {"red": Signer.of("ana", b"a" * 32), "blue": Signer.of("rui", b"r" * 32)}
FAMILY = 3
"""Maximum number of branches in one run. Without it, most torn records would be abandoned, not recovered."""

DONE: Counter[str] = Counter()
"""Number of times that each operation was carried out, in all runs of this process."""

PARTS = st.integers(0, 1)
DOINGS = st.sampled_from(("claim", "attack", "add", "battle", "pass", "castle"))


class Machine(RuleBasedStateMachine):
    """One record, two recorders, and the promises that they have made."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "game.jsonl"
        people = [Seat(seat, key=str(signer.key)) for seat, signer in SIGNERS.items()]
        head = new_header(
            GAME, people, id="machine", started="2026-01-01T00:00:00Z", dice=DiceSpec("seeded", "machine")
        )
        create_record(self.path, head)
        self.heads: list[str] = []
        self.seals: list[Seal] = []
        self.strange: list[Seal] = []
        self.branches = 0
        self.torn = 0
        self.time = 0
        self.recorders: list[EventRecorder | None] = [None, None]

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def recorder(self, which: int) -> EventRecorder:
        """Return one of the two recorders; open it if it is closed."""
        found = self.recorders[which]
        if found is None:
            found = self.recorders[which] = EventRecorder(self.path, lambda _header: self.time)
        self.time += 1000
        return found

    def promised(self, acks: list[Ack]) -> None:
        for ack in acks:
            assert ack.n == len(self.heads) + 1
            self.heads.append(ack.head)
            DONE["append"] += 1

    def offer(self, which: int, event: dict[str, Any]) -> None:
        """Append events that may be refused."""
        with suppress(Refused):
            self.promised(self.recorder(which).append([event]))

    whole = precondition(lambda self: not self.torn)

    @whole
    @rule(which=PARTS, seed=st.integers(0, 50), count=st.integers(1, 20))
    def play(self, which: int, seed: int, count: int) -> None:
        """Record some legal events, with dice from the seed."""
        recorder = self.recorder(which)
        recorder.append([])
        fold, rng = recorder.fold, generator("machine", seed)
        for _ in range(count):
            if recorder.is_over:
                return
            results = fold.due_results()
            event = (
                sample_for(GAME, fold.state, GAME.pending(fold.state).by[0], rng)
                if results is None
                else GAME.chance(fold.state, results)
            )
            self.promised(recorder.append([as_proposal(event)]))

    @whole
    @rule(which=PARTS, do=DOINGS, by=st.sampled_from(("red", "blue", "x")))
    def nonsense(self, which: int, do: str, by: str) -> None:
        """Append data that are most likely not an event, or not a legal one."""
        self.offer(which, {"do": do, "by": by, "at": "A1"})

    @whole
    @rule(which=PARTS, back=st.integers(0, 40))
    def take_back(self, which: int, back: int) -> None:
        self.offer(which, {"do": "@takeback", "by": "table", "to": max(0, len(self.heads) - back)})
        DONE["takeback"] += 1

    @whole
    @rule(which=PARTS, key=st.integers(0, 3))
    def note(self, which: int, key: int) -> None:
        """Record a note under one of a few keys. A repeated note gets the confirmation of the first one."""
        recorder = self.recorder(which)
        (ack,) = recorder.append([{"do": "@note", "by": "table", "text": "same", "id": f"note {key}"}])
        if ack.n <= len(self.heads):
            assert self.heads[ack.n - 1] == ack.head
        else:
            self.promised([ack])

    @whole
    @rule(which=PARTS)
    def stale(self, which: int) -> None:
        """Check that a writer who expects another last event is refused."""
        if not self.heads:
            return
        with pytest.raises(Conflict) as caught:
            self.recorder(which).append(
                [{"do": "@note", "by": "table", "text": "late"}], expect=len(self.heads) - 1
            )
        assert caught.value.found == len(self.heads)

    @whole
    @rule(which=PARTS, seat=st.sampled_from(tuple(SIGNERS)))
    def sign(self, which: int, seat: str) -> None:
        """Sign the record with an event."""
        recorder = self.recorder(which)
        seal = signing.sign(recorder, SIGNERS[seat], seat)
        assert seal.n == len(self.heads)
        self.heads.append(recorder.head)
        self.seals.append(seal)
        DONE["sign"] += 1

    @whole
    @rule(seat=st.sampled_from(tuple(SIGNERS)))
    def seal(self, seat: str) -> None:
        """Make a seal and keep it outside the record."""
        record = read_record(self.path)
        assert record.header is not None
        n = len(record.bodies)
        self.seals.append(
            signing.make_seal(record.header, n, record.head_at(n), seat, self.time, SIGNERS[seat])
        )
        DONE["seal"] += 1

    @whole
    @rule(which=PARTS, size=st.integers(1, 140))
    def crash(self, which: int, size: int) -> None:
        """Stop a writer when part of its line is in the file. A whole line is an unconfirmed event."""
        record = read_record(self.path)
        assert record.head is not None
        note = Note(len(self.heads) + 1, self.time, "table", text="the last words of a writer")
        line, head = chain.chained_line(record.head.encode(), encode_body(note))
        with open(self.path, "ab") as file:
            file.write(line[:size])
        if size < len(line):
            self.torn = size
        else:
            self.heads.append(head.decode())
        self.recorders[which] = None
        DONE["crash"] += 1

    @rule(which=PARTS)
    def reopen(self, which: int) -> None:
        self.recorders[which] = None
        if self.torn:
            with pytest.raises(Torn):
                self.recorder(which)
        else:
            assert self.recorder(which).n == len(self.heads)
        DONE["reopen"] += 1

    @precondition(lambda self: self.torn and any(self.recorders))
    @rule()
    def wait(self) -> None:
        """Check that a recorder of a torn record writes nothing, and continues after a recovery."""
        for recorder in self.recorders:
            if recorder:
                with pytest.raises(Torn):
                    recorder.append([{"do": "@note", "by": "table", "text": "too early"}])

    @precondition(lambda self: self.torn)
    @rule()
    def mend(self) -> None:
        [done] = recover_record(self.path, lambda _header: self.time)
        if isinstance(done, LineEnd):  # only the line end of the event was missing
            self.heads.append(done.head)
        else:
            assert done.bytes == self.torn
            self.promised([done.ack])
        self.torn = 0
        DONE["recover"] += 1

    @precondition(lambda self: self.branches < FAMILY)
    @rule(back=st.integers(0, 40))
    def branch(self, back: int) -> None:
        """Continue with another record from an earlier event. The old one stays as it is."""
        parent, before = read_record(self.path), self.path.read_bytes()
        n = max(0, len(self.heads) - back)
        data = branch(parent, n, f"branch {self.branches}")
        assert self.path.read_bytes() == before
        self.branches += 1
        self.path = self.folder / f"branch-{self.branches}.jsonl"
        write_new(self.path, data)
        record = read_record(self.path)
        assert record.header is not None
        assert (record.header.parents[-1].n, record.header.parents[-1].head) == (n, parent.head_at(n))
        assert record.bodies == parent.bodies[:n]
        self.heads = [head.decode() for head in record.heads]
        self.strange, self.seals = self.seals[-3:], []
        self.torn = 0
        self.recorders = [None, None]
        DONE["branch"] += 1

    @invariant()
    def holds(self) -> None:
        """Check that the file contains exactly the confirmed events."""
        record = read_record(self.path)
        assert [head.decode() for head in record.heads] == self.heads
        done = fold_record(record)
        assert done.fold is not None
        doubts = ["sign.doubt"] * sum(signed.n <= done.fold.last_inherited for signed in done.fold.signatures)
        assert [finding.code for finding in done.findings] == ["record.torn"] * bool(self.torn) + doubts
        assert done.fold.n == len(self.heads)
        for recorder in self.recorders:
            if recorder is not None:
                assert recorder.fold.states == done.fold.states[: recorder.fold.n + 1]
        for seal in self.seals[-3:]:
            assert seal_finding(record, seal) is None
            if seal.n:
                cut = seal_finding(structs.replace(record, bodies=record.bodies[: seal.n - 1]), seal)
                assert cut is not None
                assert cut.code == "seal.cut"
        for seal in self.strange:
            other = seal_finding(record, seal)
            assert other is not None
            assert other.code == "seal.other_game"


def run(runs: int, steps: int) -> None:
    """Play `runs` games with the machine, of at most `steps` steps each."""
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        ),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.machine", description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=50)
    given = parser.parse_args(arguments)
    begin = time.monotonic()
    run(given.runs, given.steps)
    done = ", ".join(f"{name} {count:,}" for name, count in DONE.most_common())
    print(
        f"{given.runs} runs of up to {given.steps} steps, nothing lost; {done}; {time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
