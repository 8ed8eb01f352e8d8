"""Tests of rows as columns, as Arrow arrays, and in transport to another process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Annotated, Any

import duckdb
import pytest
from msgspec import Raw, Struct

from gamelog.archive.rows.arrow import ArrowStream, Batch, batch, duckdb_rows, insert_columns
from gamelog.archive.rows.columns import Columns, as_columns
from gamelog.archive.schema.columns import Table, declared_table


class Row(Struct, kw_only=True):
    """A row with a column of every type."""

    whole: Annotated[int | None, "a number"] = None
    real: Annotated[float | None, "a number"] = None
    flag: Annotated[bool | None, "yes or no"] = None
    text: Annotated[str | None, "words"] = None
    moment: Annotated[str | None, "a time", "TIMESTAMP"] = None
    data: Annotated[Raw, "anything"] = Raw(b"null")
    members: Annotated[dict[str, str], "words by words"] = {}
    numbers: Annotated[tuple[int, ...] | None, "numbers"] = None
    words: Annotated[tuple[str, ...] | None, "words"] = None


TABLE: Table = declared_table("rows", Row)


def store_batches(*batches: Batch) -> list[tuple[Any, ...]]:
    """Return the rows of DuckDB after inserting the batches."""
    with duckdb.connect() as connection:
        connection.execute(TABLE.create)
        connection.from_arrow(duckdb_rows(batches)).project(TABLE.values).insert_into("rows")
        return connection.execute("SELECT * REPLACE (moment::VARCHAR AS moment) FROM rows").fetchall()


FULL = Row(
    whole=-(2**63), real=0.5, flag=True, text="a\0b\u2028", moment="2026-03-01 20:00:00.25", data=Raw(b'{"a":"\\u0000"}'),
    members={"\n": "'"}, numbers=(1, 2**63 - 1), words=("", "x"),
)  # fmt: skip
TOLD = (
    -(2**63),
    0.5,
    True,
    "a\0b\u2028",
    "2026-03-01 20:00:00.25",
    '{"a":"\\u0000"}',
    '{"\\n":"\'"}',
    [1, 2**63 - 1],
    ["", "x"],
)
EMPTY = Row(numbers=(), words=())
NOTHING = (None, None, None, None, None, "null", "{}")


@pytest.mark.parametrize("sent", [False, True])
def test_every_type_arrives_as_it_left(sent: bool) -> None:
    batches = [batch(TABLE, as_columns(rows)) for rows in ([FULL], [EMPTY, FULL, Row()], [Row()])]
    if sent:
        batches = pickle.loads(pickle.dumps(batches))
    assert [len(some) for some in batches] == [1, 3, 1]
    nothing = (*NOTHING, None, None)
    empty: tuple[Any, ...] = (*NOTHING, [], [])
    assert store_batches(*batches) == [TOLD, empty, TOLD, nothing, nothing]


@pytest.mark.parametrize("data", [b"{", b'"\xff"', b"", b"1 2"])
def test_invalid_json_is_refused(data: bytes) -> None:
    with pytest.raises(duckdb.Error):
        store_batches(batch(TABLE, as_columns([FULL, Row(data=Raw(data))])))


def test_no_rows_are_no_rows() -> None:
    assert store_batches(batch(TABLE, dict.fromkeys(Row.__struct_fields__, ()))) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("whole", 2**63), ("whole", "1"), ("whole", 1.5), ("real", "1"), ("flag", "yes"), ("flag", 1.5), ("text", 1),
        ("text", "\ud800"), ("text", b"a"), ("numbers", ("1",)), ("numbers", (2**64,)), ("numbers", 1), ("words", (1,)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("among", [FULL, Row()])
def test_a_value_that_a_column_cannot_hold_is_refused(column: str, value: object, among: Row) -> None:
    told: Columns = as_columns([among, FULL])
    with pytest.raises((TypeError, ValueError, OverflowError)):
        batch(TABLE, {**told, column: (*told[column], value)})


def test_an_error_of_the_reader_releases_the_writer() -> None:
    """The reader fails while the writer waits for it to take the next piece."""
    waits = Event()

    def fail(_flow: ArrowStream) -> None:
        waits.wait()
        raise OSError("the disk is full")

    def groups() -> Iterator[Columns]:
        yield as_columns([FULL])
        waits.set()
        while True:
            yield as_columns([FULL])

    with pytest.raises(OSError, match="the disk is full"):
        insert_columns(TABLE, groups(), fail)


def test_a_signal_while_the_thread_of_the_reader_starts_ends_that_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A signal is likely in `Thread.start`, which waits until the thread runs."""
    start, ended = Thread.start, Event()

    def interrupted(thread: Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    def read(flow: ArrowStream) -> None:
        while flow.readinto(bytearray(1_000)):
            pass
        ended.set()

    monkeypatch.setattr(Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        insert_columns(TABLE, iter([as_columns([FULL])]), read)
    assert ended.wait(60)


FILL = """
import resource, sys
from gamelog.archive.rows.arrow import batch
from gamelog.archive.workers.judge_batch import Judged
from gamelog.archive.schema.tables import TABLES
from gamelog.archive.indexing.store import Store
rows = 200_000
with Store(sys.argv[1]) as store:
    for at in range(24):
        columns = {"id": ["x" * 100] * rows, "turn": range(rows), "n": range(rows), "seat": ["red"] * rows}
        columns["elapsed_ms"] = range(rows)
        store.add_judged(Judged([], [{"turns": batch(TABLES["turns"], columns)}]))
        if at in (7, 23):
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def test_rows_that_are_in_leave_memory(archive: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FILL, archive], capture_output=True, text=True, check=True)
    early, late = map(int, done.stdout.split())
    assert late - early < 100, "MB; the sixteen batches between are 400"
