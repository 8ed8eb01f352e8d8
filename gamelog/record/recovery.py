"""Repair of records, on request only. No other code in Gamelog changes bytes that are already written.

`recover` moves the torn end of a record to another file and lets the caller record this as an event, or
restores the line end of the last line. `salvage` leaves a damaged record unchanged and copies its valid lines
to a new file.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from itertools import count
from typing import IO

from msgspec import Struct, field

from gamelog.errors import RecordError, Torn, WriteFailed
from gamelog.message import Message
from gamelog.record import chain
from gamelog.record.disk import open_locked, sync_folder, write, write_new
from gamelog.record.envelope import Event
from gamelog.record.reading import Record, parse_record, problem_error, read_bytes
from gamelog.record.record_file import Ack, LockedFile, RecordFile


class SavedTail(Struct, frozen=True):
    """A torn end that was moved to a file of its own.

    Attributes:
        path: Path of that file.
        bytes: Number of bytes.
        digest: SHA-256 of the bytes.
        ack: Confirmation of the event that describes the repair.
    """

    path: str
    bytes: int
    digest: str
    ack: Ack


class LineEnd(Struct, frozen=True):
    """A last line, of event `n` (0: the header), whose line end was restored. Nothing was lost."""

    path: str
    n: int
    head: str


class SalvagedRecord(Struct, frozen=True):
    """A new record with the valid lines of a damaged one.

    Attributes:
        events: The number of events in it.
        head: The digest of its last line.
        bytes: The number of bytes that were copied.
        lost: The number of bytes that were left behind.
        repaired: The number of lines that were repaired: their line end, or a byte order mark before the
            first one.
    """

    path: str
    events: int
    bytes: int
    lost: int
    head: str
    repaired: int = field(name="mended", default=0)


def recover(
    path: str | os.PathLike[str], event: Callable[[RecordFile, int, str], Event]
) -> list[SavedTail | LineEnd]:
    """Move the torn end of the record at `path` to ``<path>.torn`` (``.torn.1``, …), and append an event.

    If only the line end of the last line is missing or damaged, and the line verifies with it, the line end
    is restored instead. `event` gets the file of the valid lines, the number of bytes moved and their digest,
    and returns the stamped event to append, which must contain the digest.

    If a run is interrupted at any point, run it again. An end that was moved twice is kept once, and an end
    that was moved without an event gets its event. So the result can have more than one member; it has at
    least one.

    Raises:
        RecordError: There is nothing to recover.
        Torn: The header itself is torn.
        Damaged: The record has a damaged line.
        UnknownFormat: This release does not read the format.
        NotReadable: The file cannot be read.
        WriteFailed: The system refused a write.
        Locked: Another writer holds the lock.
    """
    name = os.fspath(path)
    with open_locked(path) as file:
        data = file.read()
        record = parse_record(data, name)
        if record.problem and record.problem.code != "record.torn":
            error = problem_error(record.problem, name)
            if record.header is None:
                raise error
            raise type(error)(
                Message.of(
                    "{problem}. Make a repaired copy, which keeps the lines before the damage.",
                    problem=error.clause,
                    path=name,  # for the sentence of the command line, which names the command to run
                )
            )
        repairs: list[SavedTail | LineEnd] = []
        completed = _completed_last_line(data, record)
        if completed:
            _truncate(file, record.valid_size + len(completed) - 1, name)
            write(file, b"\n", name)
            data = data[: record.valid_size] + completed
            record = parse_record(data, name)
            repairs.append(LineEnd(name, len(record.bodies), record.head or ""))
        if record.header is None:
            if parse_record(_with_original_line_ends(data), name).header is not None:
                raise Torn(
                    Message.of(
                        "Another program changed the line endings of {=name}. Make a repaired copy of it.",
                        name=name,
                    )
                )
            raise Torn(
                Message.of(
                    "{=name} contains only a part of its first line, so nothing can be recovered. "
                    "Delete the file.",
                    name=name,
                )
            )
        tail = data[record.valid_size :]
        good = data[: record.valid_size]
        new_tail = ""
        if tail:
            new_tail = _save_tail(name, tail, good, os.fstat(file.fileno()).st_mode & 0o777)
            _truncate(file, record.valid_size, name)
        valid = RecordFile(parse_record(good, name))
        for saved, content in _unrecorded_tails(name, good, new_tail):
            digest = sha256(content).hexdigest()
            [ack] = LockedFile(valid.verified, file).append([event(valid, len(content), digest)])
            repairs.append(SavedTail(saved, len(content), digest, ack))
    if not repairs:
        raise RecordError(Message.of("{=name} is not torn, so there is nothing to recover.", name=name))
    return repairs


def _completed_last_line(data: bytes, record: Record) -> bytes | None:
    """Return the last line with its line end if it lacks only that, or None."""
    if record.problem:
        return chain.with_line_end(
            data[record.valid_size :], (record.head or chain.GENESIS.decode()).encode()
        )
    return None


def _tail_names(name: str) -> Iterator[str]:
    yield f"{name}.torn"
    yield from (f"{name}.torn.{k}" for k in count(1))


def _unrecorded_tails(name: str, good: bytes, new_tail: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield the saved ends that the valid lines do not mention, with their contents.

    The file `new_tail` is always included.
    """
    counts: Counter[str] = Counter()
    for saved in _tail_names(name):
        if not os.path.lexists(saved):
            return
        content = read_bytes(saved)
        digest = sha256(content).hexdigest()
        counts[digest] += 1
        # A torn end has no line end, but an unrelated file with this name most likely has one.
        plausible = content and b"\n" not in content
        if saved == new_tail or (plausible and counts[digest] > good.count(digest.encode())):
            yield saved, content


def _save_tail(name: str, tail: bytes, good: bytes, mode: int) -> str:
    """Save `tail` next to the record, or reuse the file of an interrupted run. Return the file's name.

    Raises:
        WriteFailed: The system refused to write the file.
    """
    for saved, content in _unrecorded_tails(name, good):
        if content == tail:
            return saved
    part = f"{name}.torn.part"
    place = next(saved for saved in _tail_names(name) if not os.path.lexists(saved))
    try:
        with suppress(FileNotFoundError):
            os.unlink(part)
        write_new(part, tail, mode)
        # This replaces no file: the name was free, and only the holder of the lock uses such names.
        os.rename(part, place)
        sync_folder(name)
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "Cannot save the torn end of {=name} to a file next to the record: {=error}. "
                "Nothing was changed. Solve this problem, then recover the record again.",
                name=name,
                error=error.strerror,
            )
        ) from None
    return place


def _truncate(file: IO[bytes], size: int, name: str) -> None:
    """Cut the file to `size` bytes, and sync it to the disk.

    Raises:
        WriteFailed: The system refused to change the file.
    """
    try:
        os.ftruncate(file.fileno(), size)
        os.fsync(file.fileno())
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "Cannot remove the torn end of {=name}: {=error}. Solve this problem, then "
                "recover the record again.",
                name=name,
                error=error.strerror,
            )
        ) from None


def salvage(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> SalvagedRecord:
    """Copy the valid lines of the damaged record at `path` to a new record at `out`, and change nothing else.

    Changed line ends (CR LF) and a byte order mark are repaired in the copy if the chain then verifies. Lines
    that do not verify are left behind.

    Raises:
        RecordError: `path` is a whole record.
        Exists: `out` exists.
        Damaged: The header is damaged.
        Torn: The header is torn.
        UnknownFormat: This release does not read the format.
        NotReadable: The file cannot be read.
        WriteFailed: The system refused the write.
    """
    data = read_bytes(path)
    record = parse_record(data, os.fspath(path))
    problem = record.problem
    if not problem:
        raise RecordError(
            Message.of(
                "{=path} is not damaged, so there is nothing to salvage. Copy the file instead.",
                path=str(path),
            )
        )
    copy = data
    repaired = _with_original_line_ends(data)
    repaired_record = parse_record(repaired, os.fspath(path))
    if _line_count(repaired_record) > _line_count(record):
        copy, record = repaired, repaired_record
    if record.header is None or record.head is None:
        raise problem_error(problem, f"Nothing of {path} can be salvaged")
    good = copy[: record.valid_size]
    changed = copied_bytes = 0
    for new, old in zip(BytesIO(good), BytesIO(data), strict=False):
        changed += new != old
        copied_bytes += len(old)
    write_new(out, good)
    return SalvagedRecord(
        os.fspath(out), len(record.bodies), record.valid_size, len(data) - copied_bytes, record.head, changed
    )


def _line_count(record: Record) -> int:
    return len(record.bodies) + (record.head is not None)


def _with_original_line_ends(data: bytes) -> bytes:
    """Return `data` with its original line ends if the chain proves them."""
    restored = data.removeprefix(b"\xef\xbb\xbf")
    for end in (b"\r\r\n", b"\r\n", b"\r"):
        restored = restored.replace(end, b"\n")
    record = parse_record(restored)
    return restored[: record.valid_size] + (
        _completed_last_line(restored, record) or restored[record.valid_size :]
    )
