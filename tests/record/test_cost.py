"""Tests of the cost of reading any file: memory by allocations, time by counted steps.

`tests.bench.reading` measures both.
"""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from gamelog.play.judging import event_decoding
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.record import strict_json
from gamelog.record.envelope import encode_body as encode
from gamelog.record.reading import decompress, parse_record
from tests.bench.reading import BUDGET, KINDS, ONE_LINE

SIZE = 1 << 20


@pytest.mark.parametrize("kind", [kind for kind, (_, _, size) in KINDS.items() if size > SIZE])
def test_no_file_costs_more_than_the_budget(kind: str) -> None:
    ending, make, _ = KINDS[kind]
    data = make(SIZE)
    assert peak(data, ending) < BUDGET * SIZE


@pytest.mark.parametrize("kind", [kind for kind, (_, _, size) in KINDS.items() if size < SIZE])
def test_one_line_costs_no_more_than_its_share(kind: str) -> None:
    ending, make, size = KINDS[kind]
    data = make(size)
    assert peak(data, ending) < ONE_LINE


@pytest.mark.grid
@pytest.mark.parametrize(
    "kind",
    [
        "short claims of brackets",
        "claims of mappings",
        "claims of letters",
        "letters in a game's events",
        "lists in events",
    ],
)
def test_the_memory_of_lists_in_events_is_bounded_too(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_decoding, "STRETCH_BYTES", 1 << 15)
    _, make, _ = KINDS[kind]
    size = SIZE if len(make(0)) < 100_000 else 4 * SIZE
    record = parse_record(make(size))
    tracemalloc.start()
    try:
        judged = fold_record(record)
        assert verdict(judged).events == len(record.bodies)
        assert tracemalloc.get_traced_memory()[1] < (BUDGET - 4) * size + (0 if size == SIZE else ONE_LINE)
    finally:
        tracemalloc.stop()
    if judged.events:
        assert encode(judged.events[0]) == record.bodies[0]
        assert [event.n for event in judged.events] == list(range(1, len(judged.events) + 1))


def test_lines_full_of_lists_are_not_searched_for_cycles_repeatedly() -> None:
    """Each search visits every object, and a megabyte of brackets makes half a million of them."""
    record = parse_record(KINDS["short claims of brackets"][1](SIZE))
    searches: list[int] = []

    def seen(_phase: str, info: dict[str, int]) -> None:
        searches.append(info["generation"])

    gc.callbacks.append(seen)
    try:
        assert verdict(fold_record(record)).events
    finally:
        gc.callbacks.remove(seen)
    assert len(searches) < 5
    assert gc.isenabled()


def peak(data: bytes, ending: str) -> int:
    """Return the most memory that reading takes, in bytes, including the content of a compressed file."""
    tracemalloc.start()
    try:
        parse_record(decompress(data, "x") if ending.endswith(".zst") else data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Name(str):
    """A member's name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_duplicate_member_is_found_in_one_pass() -> None:
    count = 2_000
    Name.compared = 0
    with pytest.raises(ValueError, match="is listed twice"):
        strict_json._unique_members([(Name(f"{k % (count - 1)}"), 0) for k in range(1, count + 1)])
    assert Name.compared < 10 * count


def test_an_endless_string_is_searched_once() -> None:
    """A search from each of its quotes to its end would read a megabyte half a million times."""
    assert (
        strict_json.line_problem(b'"a":' + b"[" * 40 + b"{" * 40 + b'"' + b'\\"' * 500_000 + b"\n")
        is not None
    )
