"""Tests that no record with a whole chain, whatever its content, keeps other records out of an archive."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gamelog.archive import Reader, Update, find_items, index, verdicts
from gamelog.record import chain
from tests.shares import examples

from .conftest import Table

VALUE = re.compile(rb':("[^"]*"|-?\d+|\[[^\[\]]*\]|\{[^{}]*\})')

STRANGE = (
    rb'"\u0000"', rb'"\ud800"', b"1e999", b"1e-999", b"-0", b"0.5", b"NaN", b"9007199254740991", b"18446744073709551616",
    b"null", b"[]", b"{}", b"true", b'""', b'"' + b"x" * 70_000 + b'"', b"[" * 300 + b"]" * 300, b'{"a":1,"a":2}', b'"\xff"',
)  # fmt: skip


def bodies(path: Path) -> list[bytes]:
    return [line[chain.PREFIX_BYTES :] for line in path.read_bytes().splitlines(keepends=True)]


def chain_lines(lines: list[bytes]) -> bytes:
    head, data = chain.GENESIS, b""
    for line in lines:
        text, head = chain.chained_line(head, line)
        data += text
    return data


def test_every_value_of_a_record_may_be_anything(
    table: Table, indexed: Callable[..., Update], ask: Callable[..., list[tuple[Any, ...]]]
) -> None:
    whole = bodies(table(("left", 6, 1), ("right", 2, 2), id="whole", tags={"event": "Club night"}))
    whole.append(b'"do":"@claim","n":5,"t":9000,"by":"red","text":"unfair","intended":{"do":"pull"}}\n')
    made = 0
    for at, line in enumerate(whole):
        for spot in VALUE.finditer(line):
            for value in STRANGE:
                changed = line[: spot.start(1)] + value + line[spot.end(1) :]
                made += 1
                (table.folder / f"strange-{made:04}.jsonl").write_bytes(
                    chain_lines([*whole[:at], changed, *whole[at + 1 :]])
                )
    assert made > 500
    table(("left", 6, 1), ("right", 2, 2), id="bystander")
    assert indexed().new == made + 2
    assert ask("SELECT count(*) FROM files") == [(made + 2,)]
    assert ask("SELECT counted, events FROM games WHERE id = 'bystander'") == [(True, 4)]
    assert ask("SELECT count(*) FROM events WHERE id = 'bystander'") == [(4,)]
    assert ask("SELECT count(*) FROM (SELECT id FROM games GROUP BY id HAVING count(*) > 1)") == [(0,)]
    assert ask("SELECT count(*) > 0 FROM findings WHERE code = 'archive.crashed'") == [(True,)], (
        "a die of 2 ** 64 - 1 fits no column"
    )


SAMPLES = [
    bodies(path)
    for path in sorted((Path(__file__).parents[2] / "sample_games").rglob("*.jsonl"))
    if path.stem in ("short", "takeback", "as_played", "seeded", "signed", "negotiation", "own-board")
]

LATER = tuple(
    b'"do":"@%b,"n":%%d,"t":%d,"by":%b}\n' % (members, t, by)
    for t in (2**40, 2**53 - 1)
    for by, members in (
        (
            b'"arbiter"',
            b'ruling","about":1,"kind":"penalty","reason":"x","name":"\\u0000","points":{"red":9007199254740991}',
        ),
        (b'"arbiter"', b'ruling","about":1,"kind":"stands","reason":"x","name":"y"'),
        (
            b'"table"',
            b'amend","tags":{"\\u0000":"\\u0000"},"seats":{"red":{"name":"\\u0000","id":"\\u0000"}}',
        ),
        (b'"table"', b'substitute","seat":"red","name":"' + b"n" * 10_000 + b'"'),
        (b'"table"', b'clock","running":false'),
        (b'"red"', b'takeback","to":0'),
        (b'"red"', b'resign"'),
        (b'"red"', b'agree","result":{"winners":["red","nobody"],"reason":"\\u0000"}'),
    )
)
"""Common events that can follow any record, each with a place for ``n``."""

PLAUSIBLE = (
    b"0", b"1", b"2", b"-1", b"9007199254740991", b"-9007199254740991", b"0.5", b"1e308", b"true", b"null", b"{}", b"[]", b'""',
    b'"red"', b'"C3"', b'"\\u0000"', b'"' + b"x" * 10_000 + b'"', b'"\\u202e\\n"',
    "\"'); DROP TABLE games;--\U0001f600\"".encode(),
    b"[" * 60 + b"]" * 60, b'{"red":9007199254740991}', b'[1,"a",null]', b'"9999-12-31T23:59:59Z"', b'"0000-01-01T00:00:00Z"',
    b'"2026-02-31T25:61:61.5Z"',
)  # fmt: skip
"""Values that the format allows."""


@st.composite
def spoil_record(draw: st.DrawFn) -> bytes:
    """Return a record of a game that is cut short, has some values replaced or an event added, and is chained."""
    lines = list(draw(st.sampled_from(SAMPLES)))
    lines = lines[: draw(st.integers(1, len(lines)))]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        spots = list(VALUE.finditer(lines[at]))
        if spots:
            spot = draw(st.sampled_from(spots))
            value = draw(st.sampled_from(PLAUSIBLE) | st.sampled_from(STRANGE))
            lines[at] = lines[at][: spot.start(1)] + value + lines[at][spot.end(1) :]
    if draw(st.booleans()):
        lines.append(draw(st.sampled_from(LATER)) % len(lines))
    return chain_lines(lines)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(spoil_record(), min_size=1, max_size=12))
def test_no_record_stops_the_others_from_being_indexed(records: list[bytes]) -> None:
    with TemporaryDirectory() as room:
        table = Table(Path(room, "records"))
        table(("left", 6, 1), ("right", 2, 2), id="bystander")
        for at, data in enumerate(records):
            (table.folder / f"{at}.jsonl").write_bytes(data)
        archive = Path(room, "archive")
        for path in table.folder.iterdir():  # the time of a file without a size decides once it is settled
            os.utime(path, (1, 1))
        assert index([table.folder], archive).new == len(records) + 1
        assert index([table.folder], archive).same == len(records) + 1
        with Reader(archive) as reader:
            assert reader.ask("SELECT counted, events FROM games WHERE id = 'bystander'").rows == [(True, 4)]
            assert reader.ask("SELECT count(*) FROM files").rows == [(len(records) + 1,)]
            assert reader.ask("SELECT message FROM findings WHERE code = 'archive.crashed'").rows == []
        statuses = [str(verdict.status) for verdict in verdicts(find_items([table.folder]))]
        with Reader(archive) as reader:
            assert sorted(statuses) == sorted(
                status for (status,) in reader.ask("SELECT status FROM files").rows
            )
