"""Making a record whole again, asked for by name: nothing else in Gamelog changes a byte that is written.

`recover` sets the torn end of a record aside and lets the caller say so in an event, or gives a last line its
line end back. `salvage` leaves a damaged record as it is and copies its good prefix to a new file.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from itertools import count
from typing import IO

from msgspec import Struct

from gamelog.errors import RecordError, Torn, WriteFailed
from gamelog.message import Message
from gamelog.record import chain
from gamelog.record.disk import locked, sync_folder, write, write_new
from gamelog.record.envelope import Event
from gamelog.record.log import Ack, Log, WriteSession
from gamelog.record.reading import Record, parse_record, problem_error, read_bytes


class SavedTail(Struct, frozen=True):
    """A torn tail of `bytes` bytes with SHA-256 `digest`, now in the file `path`; `ack` is its event's."""

    path: str
    bytes: int
    digest: str
    ack: Ack


class LineEnd(Struct, frozen=True):
    """The last line has its line end again: event `n` stands (0: the header), and nothing was lost."""

    path: str
    n: int
    head: str


class Salvaged(Struct, frozen=True):
    """A new record: how many `events` it has, the `bytes` copied, the bytes `lost`, and the `head` it ends
    with.

    `mended` are the bytes that were put right on the way, all of them at line ends or a byte order mark at
    the beginning.
    """

    path: str
    events: int
    bytes: int
    lost: int
    head: str
    mended: int = 0


def recover(
    path: str | os.PathLike[str], event: Callable[[Log, int, str], Event]
) -> list[SavedTail | LineEnd]:
    """Move the torn end of the record at `path` to ``<path>.torn`` (``.torn.1``, …), and append an event.

    A last line of which nothing but the line end is missing or damaged (with it, the line verifies) gets it
    back instead. `event` gets the log of the good prefix, the number of bytes set aside and their digest, and
    returns the stamped event that says so; the digest has to stand in it.

    Interrupted at any point, it is run again and goes on: a tail set aside twice is kept once, and
    a file set aside whose digest stands nowhere in the record still gets its event. So the answer
    can have more than one member; it has at least one.

    Raises `RecordError` when there is nothing to do, `Torn` when the header itself is torn,
    `Damaged` or `UnknownFormat` when the record is more than torn, `NotReadable`, `WriteFailed`,
    and `Locked` when another writer keeps the lock.
    """
    name = os.fspath(path)
    with locked(path) as file:
        data = file.read()
        record = parse_record(data, name)
        if record.problem and record.problem.code != "record.torn":
            error = problem_error(record.problem, name)
            if record.header is None:
                raise error
            raise type(error)(
                Message.of(
                    "{problem}; copy what is good before that: gamelog recover {=file} --salvage -o NEW",
                    problem=error.clause,
                    file=shlex.quote(name),
                )
            )
        done: list[SavedTail | LineEnd] = []
        whole = _ended(data, record)
        if whole:
            _cut(file, record.good + len(whole) - 1, name)
            write(file, b"\n", name)
            data = data[: record.good] + whole
            record = parse_record(data, name)
            done.append(LineEnd(name, len(record.bodies), record.head or ""))
        if record.header is None:
            if parse_record(_mended(data), name).header is not None:
                raise Torn(
                    Message.of(
                        "The line ends of {=name} were rewritten; put them right in a copy: gamelog "
                        "recover {=file} --salvage -o NEW.",
                        name=name,
                        file=shlex.quote(name),
                    )
                )
            raise Torn(
                Message.of(
                    "{=name} was never more than a part of its first line, so nothing can be "
                    "recovered; delete it.",
                    name=name,
                )
            )
        tail = data[record.good :]
        good = data[: record.good]
        now = ""
        if tail:
            now = _set_aside(name, tail, good, os.fstat(file.fileno()).st_mode & 0o777)
            _cut(file, record.good, name)
        log = Log(parse_record(good, name))
        for saved, content in _untold(name, good, now):
            digest = sha256(content).hexdigest()
            [ack] = WriteSession(log, file).append([event(log, len(content), digest)])
            done.append(SavedTail(saved, len(content), digest, ack))
    if not done:
        raise RecordError(Message.of("{=name} is whole; there is nothing to recover.", name=name))
    return done


def _ended(data: bytes, record: Record) -> bytes | None:
    """The last line with its line end, where that is all it lacks."""
    if record.problem:
        return chain.ended(data[record.good :], (record.head or chain.GENESIS.decode()).encode())
    return None


def _names(name: str) -> Iterator[str]:
    yield f"{name}.torn"
    yield from (f"{name}.torn.{k}" for k in count(1))


def _untold(name: str, good: bytes, now: str = "") -> Iterator[tuple[str, bytes]]:
    """The files set aside that the good prefix does not tell of, that of `now` too, with contents."""
    alike: Counter[str] = Counter()
    for saved in _names(name):
        if not os.path.lexists(saved):
            return
        content = read_bytes(saved)
        digest = sha256(content).hexdigest()
        alike[digest] += 1
        # A torn tail holds no line end; another file that happens to have the name most likely does.
        plausible = content and b"\n" not in content
        if saved == now or (plausible and alike[digest] > good.count(digest.encode())):
            yield saved, content


def _set_aside(name: str, tail: bytes, good: bytes, mode: int) -> str:
    """Have `tail` on the disk beside the record, unless an interrupted run had put it there. Says where."""
    for saved, content in _untold(name, good):
        if content == tail:
            return saved
    part = f"{name}.torn.part"
    place = next(saved for saved in _names(name) if not os.path.lexists(saved))
    try:
        with suppress(FileNotFoundError):
            os.unlink(part)
        write_new(part, tail, mode)
        # Renaming replaces, but every recovery of this record holds its lock, and the name was free under it.
        os.rename(part, place)
        sync_folder(name)
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "The torn end of {=name} could not be put beside it: {=reason}; nothing was changed.",
                name=name,
                reason=error.strerror,
            )
        ) from None
    return place


def _cut(file: IO[bytes], size: int, name: str) -> None:
    try:
        os.ftruncate(file.fileno(), size)
        os.fsync(file.fileno())
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "{=name} could not be cut back to its good lines: {=reason}; recover it again.",
                name=name,
                reason=error.strerror,
            )
        ) from None


def salvage(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> Salvaged:
    """Copy the good prefix of the bad record at `path` to a new record at `out`, and change nothing else.

    Line ends that something rewrote (CR LF), and a byte order mark, are put right in the copy wherever the
    chain then verifies; what it does not prove is left behind. Raises `RecordError` when `path` is whole,
    `Exists` when `out` does, `Damaged`, `Torn` or `UnknownFormat` when not even the header is good,
    `NotReadable`, and `WriteFailed`.
    """
    data = read_bytes(path)
    record = parse_record(data, os.fspath(path))
    problem = record.problem
    if not problem:
        raise RecordError(
            Message.of("{=path} is whole; there is nothing to salvage, copy the file.", path=str(path))
        )
    copy = data
    mended = _mended(data)
    again = parse_record(mended, os.fspath(path))
    if _lines(again) > _lines(record):
        copy, record = mended, again
    if record.header is None or record.head is None:
        raise problem_error(problem, f"Nothing of {path} can be salvaged")
    good = copy[: record.good]
    changed = taken = 0
    for new, old in zip(BytesIO(good), BytesIO(data), strict=False):
        changed += new != old
        taken += len(old)
    write_new(out, good)
    return Salvaged(os.fspath(out), len(record.bodies), record.good, len(data) - taken, record.head, changed)


def _lines(record: Record) -> int:
    return len(record.bodies) + (record.head is not None)


def _mended(data: bytes) -> bytes:
    """`data` as it was before its line ends were rewritten, if they were: the chain has to prove it."""
    plain = data.removeprefix(b"\xef\xbb\xbf")
    for end in (b"\r\r\n", b"\r\n", b"\r"):
        plain = plain.replace(end, b"\n")
    record = parse_record(plain)
    return plain[: record.good] + (_ended(plain, record) or plain[record.good :])
