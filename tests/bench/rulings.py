"""Records full of one kind of event: judging twice as many takes twice as long.

    python -m tests.bench.rulings [KIND ...] [--commands]

For each kind, the run prints the time of `verdict` for a record of 50,000 and of 100,000 such events, and the
ratio of both. With ``--commands`` it runs `validate`, `replay`, `index`, `export` and `compare` on such
records and prints the time and peak memory of each process.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from gamelog.play.contract.declare import describe_state
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.fold.session import MAX_TAGS
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.header import new_header
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import TABLE, DiceSpec, Event, Header, Seat
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from tests.bench.process import PROGRAM, measure_process
from tests.bench.verify import time_of

EVENTS = 50_000
GAME = find("slicewars")
SEATS = GAME.seats[2]

Step = tuple[str, str, dict[str, Any]]
"""An event without ``n`` and ``t``: its tag, its author, its members."""

START: tuple[Step, ...] = (
    ("start_roll", "table", {"rolls": {seat: 6 - at for at, seat in enumerate(SEATS)}}),
    *(("claim", seat, {"at": at}) for seat, at in zip(SEATS, ("A1", "C1"), strict=True)),
)
FIRST = len(START) + 1
"""The number of the first event of a kind."""

WON = {"winners": [SEATS[0]], "reason": "pressed"}
LOST: Step = ("claim", SEATS[0], {"at": "Z9", "as_played": True})
DECLARED: Step = (
    "@gap",
    "table",
    {"state": {"on_turn": SEATS[0], "phase": "claim", "round": 0, "first": SEATS[0]}, "reason": "so"},
)


def rule(about: int, kind: str, **members: Any) -> Step:
    """Return a ruling."""
    return "@ruling", "arbiter", {"about": about, "kind": kind, "reason": "seen", "name": "Lena", **members}


def back(to: int) -> Step:
    """Return a takeback."""
    return "@takeback", "table", {"to": to}


def note() -> Step:
    """Return a comment."""
    return "@note", "table", {"text": "so it was"}


def claim(about: int | None = 3) -> Step:
    """Return a claim."""
    return "@claim", SEATS[0], {"text": "no"} | ({} if about is None else {"about": about})


def takebacks_then_rulings(n: int) -> Iterator[Step]:
    """Yield takebacks that take each other back, then as many rulings on the first event."""
    for at in range(n // 2):
        yield back(FIRST - 1 + at)
    for _ in range(n // 2):
        yield rule(1, "stands")


def takebacks_in_and_out(n: int) -> Iterator[Step]:
    """Yield takebacks to the start and to the end again."""
    for at in range(n):
        yield back(FIRST + at - 1 if at % 2 else FIRST - 1)


def slips(n: int) -> Iterator[Step]:
    """Yield pairs of an event and its correction."""
    for at in range(n):
        yield (
            ("@takeback", "table", {"to": FIRST - 1, "slip": True})
            if at % 2
            else ("claim", SEATS[0], {"at": "B3"})
        )


def strikes_then_one_over_all(n: int) -> Iterator[Step]:
    """Yield rulings that void many stretches, then all at once, which is withdrawn again and again."""
    for at in range(n // 4):
        yield note()
        yield rule(1, "takeback", to=FIRST + 2 * at - 1)
    at = FIRST + n // 4 * 2
    while at < n + FIRST:
        yield rule(1, "takeback", to=0)
        yield rule(at, "refused")
        at += 2


def strikes_withdrawn_from_below(n: int) -> Iterator[Step]:
    """Yield rulings that void many stretches, withdrawn from the first to the last.

    Before each withdrawal, the game moves to the end of the line.
    """
    for at in range(n // 4):
        yield note()
        yield rule(1, "takeback", to=FIRST + 2 * at - 1)
    end = FIRST + n // 4 * 2 - 1
    for at in range(n // 4):
        yield rule(FIRST + 2 * at + 1, "refused")
        yield rule(2, "takeback", to=end)


def results_on_results(n: int) -> Iterator[Step]:
    """Yield results, each of which replaces the one before."""
    for at in range(n):
        yield rule(FIRST + at - 1 if at else 1, "result", result=WON)


def result_and_refused(n: int) -> Iterator[Step]:
    """Yield pairs of a result and its withdrawal."""
    for at in range(n):
        yield rule(FIRST + at - 1, "refused") if at % 2 else rule(1, "result", result=WON)


def results_then_refused_backwards(n: int) -> Iterator[Step]:
    """Yield results, then their withdrawals from the last to the first."""
    for _ in range(n // 2):
        yield rule(1, "result", result=WON)
    for at in range(n // 2, 0, -1):
        yield rule(FIRST + at - 1, "refused")


def penalties_replaced(n: int) -> Iterator[Step]:
    """Yield the largest number of penalties, each replaced by the next."""
    for at in range(n):
        yield rule(1 if at < 900 else FIRST + at - 900, "penalty", points={SEATS[0]: -1})


def claims_answered(n: int) -> Iterator[Step]:
    """Yield claims about one event, ten at a time, all answered, opened and answered again."""
    for at in range(n // 12):
        for _ in range(10):
            yield claim()
        yield rule(3, "stands")
        yield rule(FIRST + 12 * at + 10, "refused") if at % 2 else note()


def claims_one_by_one(n: int) -> Iterator[Step]:
    """Yield claims of which nine hundred stay open while others come and are answered."""
    for at in range(n):
        yield claim(None) if at < 900 or at % 2 else rule(FIRST + at - 1, "refused")


def amendments(n: int) -> Iterator[Step]:
    """Yield corrections, each with another tag up to the largest number, then new texts for one of them."""
    for at in range(n):
        yield "@amend", "arbiter", {"tags": {f"tag {at % MAX_TAGS}": str(at)}}


def substitutes(n: int) -> Iterator[Step]:
    """Yield new people at a seat, again and again."""
    for at in range(n):
        yield "@substitute", "table", {"seat": SEATS[at % 2], "name": f"player {at}"}


def pauses(n: int) -> Iterator[Step]:
    """Yield stops and restarts of the clock."""
    for at in range(n):
        yield "@clock", "table", {"running": bool(at % 2)}


def offers(n: int) -> Iterator[Step]:
    """Yield the largest number of open offers, one answered and one made in turn."""
    for at in range(n):
        if at < 900 or at % 2:
            yield "@agree", SEATS[0], {"result": WON}
        else:
            yield "@decline", SEATS[1], {"about": FIRST + (at - 900 if at < 1_800 else at - 901)}


def declared(n: int) -> Iterator[Step]:
    """Yield only declared positions."""
    for _ in range(n):
        yield DECLARED


def as_played(n: int) -> Iterator[Step]:
    """Yield illegal events that count, each taken back."""
    for at in range(n):
        yield back(FIRST - 1) if at % 2 else ("claim", SEATS[1], {"at": "I6", "as_played": True})


def lost(n: int) -> Iterator[Step]:
    """Yield events that could not be carried out, each followed by a declared position."""
    for at in range(n):
        yield DECLARED if at % 2 else LOST


def lost_and_taken_back(n: int) -> Iterator[Step]:
    """Yield events that could not be carried out, each taken back, to the first of them and back."""
    for at in range(n):
        yield LOST if at % 4 == 0 else back(FIRST if at % 4 == 2 else FIRST - 1)


def ruled_on(n: int) -> Iterator[Step]:
    """Yield illegal events that count, each ruled on and taken back."""
    for at in range(0, n, 3):
        yield "claim", SEATS[1], {"at": "I6", "as_played": True}
        yield rule(FIRST + at, "stands")
        yield back(FIRST - 1)


def table_results(n: int) -> Iterator[Step]:
    """Yield results recorded by the table."""
    for _ in range(n):
        yield "@result", "table", {"outcome": WON}


KINDS: dict[str, Callable[[int], Iterator[Step]]] = {
    kind.__name__.replace("_", " "): kind
    for kind in (
        takebacks_then_rulings, takebacks_in_and_out, strikes_then_one_over_all, strikes_withdrawn_from_below, results_on_results,
        result_and_refused, results_then_refused_backwards, penalties_replaced, claims_answered, claims_one_by_one, amendments,
        substitutes, pauses, offers, declared, slips, as_played, lost, lost_and_taken_back, ruled_on,
        table_results,
    )
}  # fmt: skip


def header(**members: Any) -> Header:
    """Return the header of a table of two that takes back anything at once."""
    people = [Seat(seat, name) for seat, name in zip(SEATS, ("Ana", "Rui"), strict=True)]
    return new_header(
        GAME,
        people,
        id="heap",
        started="2026-01-02T03:04:05Z",
        dice=DiceSpec("table"),
        takebacks="scorer",
        **members,
    )


def events(kind: Callable[[int], Iterator[Step]], n: int) -> list[Event]:
    """Return about `n` events of a kind, after the first turns of a game."""
    decode = decoder(GAME).decode
    return [
        decode(msgspec.json.encode({"do": do, "n": at, "t": at, "by": by, **members}))
        for at, (do, by, members) in enumerate((*START, *kind(n)), 1)
    ]


def fold_bytes(data: bytes) -> FoldedRecord:
    """Return the judged record, whose events must all be good."""
    done = fold_record(parse_record(data))
    verdict(done)
    failed = [
        found for found in done.findings if found.n == len(done.events) + 1 and found.severity == "error"
    ]
    assert not failed, failed[0]
    return done


def long_play(n: int) -> tuple[Header, list[Event]]:
    """Return about `n` events of play: one game that is declared back to its start before each end."""
    head, played = simulate_game(GAME, "evening", 0, players=max(GAME.seats), dice="table")
    fold = Fold(head, GAME)
    fold.extend(played)
    begun = next(
        event.n for event in played if GAME.pending(fold.states[event.n]).chance is None and event.n > 40
    )
    out: list[Event] = played[:begun]
    gap = common_events.Gap(
        0, 0, TABLE, state=describe_state(GAME, fold.states[begun]), reason="another round"
    )
    while len(out) < n:
        out += [*played[begun:-1], gap]
    return head, [structs.replace(event, n=at, t=at * 1000) for at, event in enumerate(out, 1)]


def commands(folder: Path) -> None:
    """Measure whole processes over long records."""
    print(f"\n{'command':10}{'record':28}{'events':>8}{'seconds':>9}{'MiB':>7}")
    for what, make in (
        ("a long game", long_play),
        ("takebacks then rulings", lambda n: (header(), events(takebacks_then_rulings, n))),
        ("claims answered", lambda n: (header(), events(claims_answered, n))),
        ("as played", lambda n: (header(), events(as_played, n))),
    ):
        for n in (EVENTS, 2 * EVENTS):
            path = folder / f"{what.replace(' ', '-')}-{n}.jsonl"
            head, made = make(n)
            path.write_bytes(compose(head, made)[0])
            other = path.with_suffix(
                ".other"
            )  # another sheet of the same game, by another watch from the middle on
            other.write_bytes(
                compose(
                    head, [*made[: n // 2], *(structs.replace(one, t=one.t + 1) for one in made[n // 2 :])]
                )[0]
            )
            for command, given in (
                ("validate", ["validate", str(path)]),
                ("replay", ["replay", str(path)]),
                ("replay --at", ["replay", str(path), "--at", str(n // 2)]),
                ("index", ["index", str(path), "--archive", str(path.with_suffix(".duckdb"))]),
                ("export", ["export", str(path), "-o", str(path.with_suffix(".html"))]),
                ("compare", ["compare", str(path), str(other)]),
            ):
                seconds, peak = measure_process(PROGRAM, *given)
                print(f"{command:12}{what:26}{n:8}{seconds:9.1f}{peak:7.0f}", flush=True)


def main() -> None:
    chosen = [name for name in sys.argv[1:] if name != "--commands"]
    if not chosen and "--commands" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            commands(Path(folder))
        return
    print(f"{'seconds for so many events':32}{EVENTS:>9}{2 * EVENTS:>9}{'ratio':>7}")
    for name in chosen or KINDS:
        seconds = []
        for n in (EVENTS, 2 * EVENTS):
            data = compose(header(), events(KINDS[name], n))[0]
            seconds.append(time_of(lambda: fold_bytes(data)))  # noqa: B023
        print(f"{name:32}{seconds[0]:9.2f}{seconds[1]:9.2f}{seconds[1] / seconds[0]:7.1f}", flush=True)


if __name__ == "__main__":
    main()
