"""Columns as Arrow, which DuckDB takes in as it is:
in half the time of rows written as JSON lines and read again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO, RawIOBase
from itertools import accumulate, chain
from queue import SimpleQueue
from threading import Semaphore
from types import NoneType
from typing import Any

import msgspec
import nanoarrow as na
from nanoarrow.ipc import InputStream, StreamWriter

from gamelog.archive.rows.columns import Columns
from gamelog.archive.schema.columns import Table


class Batch:
    """Rows of one table as an Arrow array, which travels between processes as Arrow's own stream of bytes."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __reduce__(self) -> tuple[Callable[[bytes], Batch], tuple[bytes]]:
        out = BytesIO()
        with StreamWriter.from_writable(out) as writer:
            writer.write_array(self.array)
        return _received, (out.getvalue(),)


def _received(stream: bytes) -> Batch:
    return Batch(na.ArrayStream.from_readable(stream).read_all())


def opened(batches: Sequence[Batch]) -> Any:
    """Batches of one table, one at least, as DuckDB reads them."""
    return na.Array.from_chunks([batch.array for batch in batches])


class ArrowStream(RawIOBase):
    """Rows of a table that DuckDB reads while they are made (see `pour`)."""

    def __init__(self, table: Table) -> None:
        self._schema = batch(table, {column.name: [] for column in table.columns}).array.schema
        self._pieces: SimpleQueue[bytes] = SimpleQueue()
        self._room = Semaphore(1)  # for a piece that waits while another is read
        self._left = memoryview(b"")

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return InputStream.from_readable(self).__arrow_c_stream__(requested_schema)

    def put(self, piece: bytes) -> None:
        """Let `piece` be read; wait until it is the next."""
        self._room.acquire()
        self._pieces.put(piece)

    def end(self, _reader: object = None) -> None:
        """Nothing comes any more, and nobody waits."""
        self._pieces.put(b"")
        self._room.release(2)

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        """Fill `room` as far as what is made reaches."""
        if not self._left:
            piece = self._pieces.get()
            if not piece:
                self.end()  # for whoever reads on
            self._left = memoryview(piece)
            self._room.release()
        length = min(len(room), len(self._left))
        memoryview(room).cast("B")[:length] = self._left[:length]
        self._left = self._left[length:]
        return length


def insert_columns(table: Table, groups: Iterator[Columns], read: Callable[[ArrowStream], object]) -> None:
    """Make `groups` of columns, each one row at least, while `read` takes them in, in a thread of its own.

    So nothing that ends the making, Ctrl-C among it, comes up inside of what reads: that sees the rows end
    there, and what it made of them is not to be used. Raises what they raise, and what `read` raises.
    """
    flow = ArrowStream(table)
    with ThreadPoolExecutor(1) as thread:
        reader = thread.submit(read, flow)
        reader.add_done_callback(flow.end)
        try:
            for piece in _streamed(table, groups):
                if reader.done():
                    break
                flow.put(piece)
        finally:
            flow.end()
        reader.result()


def _streamed(table: Table, groups: Iterator[Columns]) -> Iterator[bytes]:
    out = BytesIO()
    with StreamWriter.from_writable(out) as writer:
        for columns in groups:
            writer.write_array(batch(table, columns).array)
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def batch(table: Table, columns: Columns) -> Batch:
    """`columns` of `table` as Arrow.

    Raises `ValueError`, `TypeError` or `OverflowError` for a value that its column cannot hold, and
    `KeyError` for a column that is missing.
    """
    arrays = {column.name: _MAKERS[column.sql](columns[column.name]) for column in table.columns}
    schema = na.struct({name: values.schema for name, values in arrays.items()})
    length = len(columns[table.columns[0].name])
    return Batch(na.c_array_from_buffers(schema, length, [None], children=list(arrays.values())))


def _whole(values: Sequence[Any]) -> Any:
    try:
        plain = array("q", values)
    except TypeError:  # some are missing
        return na.c_array(values, na.int64())
    return na.c_array(plain) if plain else na.c_array([], na.int64())


def _flags(values: Sequence[Any]) -> Any:
    try:
        return na.c_array(array("b", values)) if values else na.c_array([], na.int8())
    except TypeError:
        if not {*map(type, values)} <= {bool, NoneType}:
            raise
        return na.c_array(values, na.int8())


def _real(values: Sequence[Any]) -> Any:
    return na.c_array(values, na.float64())


def _texts(values: Sequence[Any]) -> Any:
    return na.c_array(values, na.string())


def _json(values: Sequence[Any]) -> Any:
    if {*map(type, values)} != {bytes}:
        values = [value if isinstance(value, bytes) else msgspec.json.encode(value) for value in values]
    return na.c_array(values, na.binary())


def _lists(make: Callable[[Sequence[Any]], Any]) -> Callable[[Sequence[Any]], Any]:
    """Makes arrays of lists; None is told from an empty list."""

    def lists(values: Sequence[Any]) -> Any:
        known = None
        if NoneType in {*map(type, values)}:
            known = na.c_buffer([value is not None for value in values], na.bool_())
            values = [value or () for value in values]
        ends = na.c_buffer(array("i", accumulate(map(len, values), initial=0)))
        inner = make([*chain.from_iterable(values)])
        return na.c_array_from_buffers(na.list_(inner.schema), len(values), [known, ends], children=[inner])

    return lists


_MAKERS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "BIGINT": _whole,
    "DOUBLE": _real,
    "BOOLEAN": _flags,
    "VARCHAR": _texts,
    "TIMESTAMP": _texts,
    "JSON": _json,
    "BIGINT[]": _lists(_whole),
    "VARCHAR[]": _lists(_texts),
}
"""How the values of each SQL type become an array."""
