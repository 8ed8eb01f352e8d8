"""Whatever a record holds, whole chain and all, its archive is made, and the others' rows are in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamelog.archive import Update
from gamelog.record import chain

from .conftest import Table

VALUE = re.compile(rb':("[^"]*"|-?\d+|\[[^\[\]]*\]|\{[^{}]*\})')

STRANGE = (
    rb'"\u0000"', rb'"\ud800"', b"1e999", b"1e-999", b"-0", b"0.5", b"NaN", b"9007199254740991", b"18446744073709551616",
    b"null", b"[]", b"{}", b"true", b'""', b'"' + b"x" * 70_000 + b'"', b"[" * 300 + b"]" * 300, b'{"a":1,"a":2}', b'"\xff"',
)  # fmt: skip


def bodies(path: Path) -> list[bytes]:
    return [line[chain.PREFIX :] for line in path.read_bytes().splitlines(keepends=True)]


def chained(lines: list[bytes]) -> bytes:
    head, data = chain.GENESIS, b""
    for line in lines:
        text, head = chain.line(head, line)
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
                (table.folder / f"strange-{made:04}.jsonl").write_bytes(chained([*whole[:at], changed, *whole[at + 1 :]]))
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
