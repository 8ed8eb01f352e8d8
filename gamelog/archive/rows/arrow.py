"""Columns as Arrow arrays, which DuckDB reads directly, in half the time that JSON lines take."""

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
    """Rows of one table as an Arrow array. Other processes get the array as Arrow's stream of bytes."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __reduce__(self) -> tuple[Callable[[bytes], Batch], tuple[bytes]]:
        out = BytesIO()
        with StreamWriter.from_writable(out) as writer:
            writer.write_array(self.array)
        return _read_batch, (out.getvalue(),)


def _read_batch(stream: bytes) -> Batch:
    return Batch(na.ArrayStream.from_readable(stream).read_all())


def duckdb_rows(batches: Sequence[Batch]) -> Any:
    """Return one or more batches of one table as an object that DuckDB can read."""
    return na.Array.from_chunks([batch.array for batch in batches])


class ArrowStream(RawIOBase):
    """Rows of a table that DuckDB reads while they are made (see `insert_columns`)."""

    def __init__(self, table: Table) -> None:
        self._schema = batch(table, {column.name: [] for column in table.columns}).array.schema
        self._pieces: SimpleQueue[bytes] = SimpleQueue()
        self._slots = Semaphore(1)  # one piece waits while another is read
        self._unread = memoryview(b"")

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return InputStream.from_readable(self).__arrow_c_stream__(requested_schema)

    def put(self, piece: bytes) -> None:
        """Append a piece to the stream, and wait until it is the next to be read."""
        self._slots.acquire()
        self._pieces.put(piece)

    def end(self, _reader: object = None) -> None:
        """End the stream, and release threads that wait."""
        self._pieces.put(b"")
        self._slots.release(2)

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        """Fill `room` with as many bytes as are available, and return their number."""
        if not self._unread:
            piece = self._pieces.get()
            if not piece:
                self.end()  # for the next read
            self._unread = memoryview(piece)
            self._slots.release()
        length = min(len(room), len(self._unread))
        memoryview(room).cast("B")[:length] = self._unread[:length]
        self._unread = self._unread[length:]
        return length


def insert_columns(table: Table, groups: Iterator[Columns], read: Callable[[ArrowStream], object]) -> None:
    """Stream `groups` of columns, each with one row or more, to `read`, which runs in a thread of its own.

    If an error or Ctrl-C ends `groups`, it is not raised inside `read`. There the rows only end early, so the
    result must not be used. Raises the errors of `groups` and `read`.
    """
    flow = ArrowStream(table)
    with ThreadPoolExecutor(1) as thread:
        try:
            reader = thread.submit(read, flow)  # a signal can interrupt this after the thread has begun
            reader.add_done_callback(flow.end)
            for piece in _pieces(table, groups):
                if reader.done():
                    break
                flow.put(piece)
        finally:
            flow.end()
        reader.result()


def _pieces(table: Table, groups: Iterator[Columns]) -> Iterator[bytes]:
    out = BytesIO()
    with StreamWriter.from_writable(out) as writer:
        for columns in groups:
            writer.write_array(batch(table, columns).array)
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def batch(table: Table, columns: Columns) -> Batch:
    """Return the `columns` of `table` as Arrow.

    Raises:
        ValueError, TypeError, OverflowError: A column cannot hold one of its values.
        KeyError: A column is missing.
    """
    arrays = {column.name: _MAKERS[column.sql](columns[column.name]) for column in table.columns}
    schema = na.struct({name: values.schema for name, values in arrays.items()})
    length = len(columns[table.columns[0].name])
    return Batch(na.c_array_from_buffers(schema, length, [None], children=list(arrays.values())))


def _integer_array(values: Sequence[Any]) -> Any:
    try:
        integers = array("q", values)
    except TypeError:  # some are missing
        return na.c_array(values, na.int64())
    return na.c_array(integers) if integers else na.c_array([], na.int64())


def _boolean_array(values: Sequence[Any]) -> Any:
    try:
        return na.c_array(array("b", values)) if values else na.c_array([], na.int8())
    except TypeError:
        if not {*map(type, values)} <= {bool, NoneType}:
            raise
        return na.c_array(values, na.int8())


def _float_array(values: Sequence[Any]) -> Any:
    return na.c_array(values, na.float64())


def _text_array(values: Sequence[Any]) -> Any:
    return na.c_array(values, na.string())


def _json_array(values: Sequence[Any]) -> Any:
    if {*map(type, values)} != {bytes}:
        values = [value if isinstance(value, bytes) else msgspec.json.encode(value) for value in values]
    return na.c_array(values, na.binary())


def _list_array_maker(make: Callable[[Sequence[Any]], Any]) -> Callable[[Sequence[Any]], Any]:
    """Return a function that makes arrays of lists. It keeps None and an empty list apart."""

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
    "BIGINT": _integer_array,
    "DOUBLE": _float_array,
    "BOOLEAN": _boolean_array,
    "VARCHAR": _text_array,
    "TIMESTAMP": _text_array,
    "DATE": _text_array,
    "JSON": _json_array,
    "BIGINT[]": _list_array_maker(_integer_array),
    "DOUBLE[]": _list_array_maker(_float_array),
    "VARCHAR[]": _list_array_maker(_text_array),
}
"""For each SQL type, the function that makes an array of its values."""
