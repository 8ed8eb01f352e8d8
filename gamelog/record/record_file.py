"""The file of a record: the only code that appends to records.

An append locks the record's file, verifies the lines that others have added, writes whole lines and waits
until they are on the disk. Only then it confirms them::

    file = RecordFile.open("game.jsonl")
    with file.lock() as locked:
        fold(locked.new_bodies)                    # take in other writers' events before judging
        event = Move(file.n + 1, max(now, file.t), "red", "C3", "C4")
        [ack] = locked.append([event])

The cost of an append does not grow with the record, because only the last known line and newer lines are
read. A failed write ends the handle, because the content of the disk is then unknown. To continue, open the
record again; `gamelog.record.recovery` repairs a torn end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

import msgspec
from msgspec import Struct, structs

from gamelog.errors import AppendError, Conflict, Damaged, RecordError, WriteFailed
from gamelog.message import Message
from gamelog.record import chain, envelope
from gamelog.record.disk import open_locked, refuse_compressed, write, write_new
from gamelog.record.encoding import Line, encode_line, header_line
from gamelog.record.envelope import MAX_RECORD, Envelope, Event, Header
from gamelog.record.names import file_name_problem
from gamelog.record.reading import Record, lines_problem, parse_record, problem_error

_envelope: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope)


class Ack(Struct, frozen=True):
    """The confirmation that an event is on the disk as number `n`.

    `head` is the record's digest up to the event.
    """

    n: int
    head: str

    @classmethod
    def of(cls, line: Line) -> Ack:
        """Return the confirmation of `line`."""
        return cls(line.event.n, line.head.decode())


@dataclass
class VerifiedLines:
    """The lines of a file that are verified, as far as a writer has to know them.

    Attributes:
        path: The file.
        head: The digest of the last line, which is the header if there is no event.
        n: The number of the last event; 0 if there is none.
        t: The time of that event, in ms.
        head_before: The digest of the line before the last.
        last_offset: The first byte of the last line.
        size: The number of bytes of all lines.
        keys: The key of each event that has one, with its confirmation and its body.
        is_unknown: Whether a write failed, so that the content of the disk is unknown.
    """

    path: str
    head: bytes
    n: int = 0
    t: int = 0
    head_before: bytes = chain.GENESIS
    last_offset: int = 0
    size: int = 0
    keys: dict[str, tuple[Ack, bytes]] = field(default_factory=dict)
    is_unknown: bool = False

    def advance(self, valid: chain.ValidLines) -> None:
        """Advance past `valid`, verified lines of events that follow the last line.

        If this raises an error, nothing changes.

        Raises:
            Damaged: A line with a key, or the last line, is not the next event.
        """
        n, t, keys = self.n + len(valid.bodies), self.t, dict[str, tuple[Ack, bytes]]()
        for at, (offset, body, head) in enumerate(
            zip(valid.offsets, valid.bodies, valid.heads, strict=True), self.n + 1
        ):
            # Only lines with a key and the last line, whose time is needed, have to be decoded.
            if at == n or b'"id"' in body or b"\\u" in body:
                event = self._read(body, offset, at)
                t = event.t
                if event.id is not None and event.id not in self.keys:
                    keys.setdefault(event.id, (Ack(at, head.decode()), body))
        self.size = valid.valid_size
        if valid.bodies:
            self.head_before = valid.heads[-2] if len(valid.heads) > 1 else self.head
            self.n, self.t, self.head, self.last_offset = n, t, valid.heads[-1], valid.offsets[-1]
            self.keys |= keys

    def _read(self, body: bytes, offset: int, at: int) -> Envelope:
        """Return the envelope in `body`, which begins at byte `offset` and must be of event `at`.

        Raises:
            Damaged: It is not.
        """
        try:
            event = _envelope.decode(b"{" + body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Damaged(
                Message.of(
                    "{=path}, byte {byte}: the line is not an event ({=error}).",
                    path=self.path,
                    byte=offset,
                    error=str(error),
                )
            ) from None
        if event.n != at:
            raise Damaged(
                Message.of(
                    "{=path}, byte {byte}: the line should be event {at}, but has the number {n}.",
                    path=self.path,
                    byte=offset,
                    at=at,
                    n=event.n,
                )
            )
        return event


class RecordFile:
    """A record open for appending.

    The file does not stay open between two locks. Several handles, threads and processes may append to one
    record; each sees the others' events at its next lock.

    Nothing here checks whether events fit the game or its seats, or whether lines of other writers
    contain events that this release knows (`gamelog.play.judging.fold_record` judges that).

    Attributes:
        path: The file.
        header: The header of the record.
        verified: The lines of the file when it was locked last.
    """

    def __init__(self, record: Record) -> None:
        """Start after the last event of `record`.

        Raises:
            Torn: The last line is not complete.
            Damaged: A line does not verify.
            UnknownFormat: This release does not read the format.
        """
        if record.problem:
            raise problem_error(record.problem, record.path)
        assert record.header is not None  # or there would be a problem
        self.path = record.path
        self.header: Header = record.header
        self.verified = VerifiedLines(record.path, record.header_head)
        self.verified.advance(
            chain.ValidLines(record.offsets, record.bodies, record.heads, record.valid_size)
        )

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> RecordFile:
        """Return the file of the record at `path`, verified from its first byte.

        Raises:
            NotReadable: The file cannot be read.
            Torn: The last line is not complete.
            Damaged: A line does not verify.
            UnknownFormat: This release does not read the format.
            WriteFailed: The file may not be written, or is a ``.zst`` file.
            Locked: Another writer holds the lock.
        """
        return cls(read_under_lock(path))

    @property
    def n(self) -> int:
        """The number of the last event when the file was locked last; 0 if there was none."""
        return self.verified.n

    @property
    def t(self) -> int:
        """The time of the last event when the file was locked last, in ms."""
        return self.verified.t

    @property
    def head(self) -> str:
        """The digest of the last line when the file was locked last."""
        return self.verified.head.decode()

    @property
    def size(self) -> int:
        """The size of the file when it was locked last, in bytes."""
        return self.verified.size

    @contextmanager
    def lock(self) -> Iterator[LockedFile]:
        """Hold the record's lock during a ``with`` block.

        Raises:
            NotReadable: The file cannot be read.
            WriteFailed: The file may not be written, or an earlier write failed.
            Locked: Another program holds the lock.
            Torn: The last line is not complete.
            Damaged: A new line does not verify, or the last known line was changed or cut off.
        """
        with open_locked(self.path) as file:
            yield LockedFile(self.verified, file)

    @property
    def has_grown(self) -> bool:
        """Whether the size of the file has changed because others wrote to it. Takes no lock."""
        try:
            return os.stat(self.path).st_size != self.verified.size
        except OSError:
            return True


class LockedFile:
    """A record's file that is locked.

    Several appends are possible under one lock.

    Attributes:
        new_bodies: The bodies of the events that others appended since the file was locked last.
        new_heads: The digests of their lines.
    """

    def __init__(self, verified: VerifiedLines, file: IO[bytes]) -> None:
        """Read the lines that others added to the `verified` lines. `file` was opened by `open_locked`.

        If this raises an error, `verified` stays as it is.

        Raises:
            WriteFailed: An earlier write failed.
            Torn: The last line is not complete.
            Damaged: A new line does not verify, or the last known line was changed or cut off.
        """
        self._verified, self._file = verified, file
        self._check_usable()
        file.seek(verified.last_offset)
        valid = chain.verify_lines(file.read(), verified.head_before, verified.last_offset)
        if not valid.heads or valid.heads[0] != verified.head:
            raise Damaged(
                Message.of(
                    "{=path}, byte {byte}: event {n} was changed or cut off after it was recorded. "
                    "Keep a copy of the file and compare it with another copy of the record.",
                    path=verified.path,
                    byte=verified.last_offset,
                    n=verified.n,
                )
            )
        problem = lines_problem(valid)
        if problem:
            raise problem_error(problem, verified.path)
        self.new_bodies, self.new_heads = valid.bodies[1:], valid.heads[1:]
        verified.advance(
            chain.ValidLines(valid.offsets[1:], self.new_bodies, self.new_heads, valid.valid_size)
        )

    def _check_usable(self) -> None:
        if self._verified.is_unknown:
            raise WriteFailed(
                Message.of(
                    "Cannot write {=path}: an earlier write failed. Open the record again.",
                    path=self._verified.path,
                )
            )

    def expect(self, n: int) -> None:
        """Check that event `n` is the last event.

        A writer who decided knowing only the events up to `n` calls this first.

        For an event with a key, call `find_ack` first: if its own first attempt added the new event, there is
        no conflict.

        Raises:
            Conflict: The last event has another number.
        """
        if self._verified.n != n:
            raise Conflict(
                Message.of(
                    "New events were recorded in {=path}: the last event is {n}, not {expected}. "
                    "Look at the new events and decide again.",
                    path=self._verified.path,
                    n=self._verified.n,
                    expected=n,
                ),
                expected=n,
                found=self._verified.n,
            )

    def find_ack(self, event: Event, unwritten: Mapping[str, Line] | None = None) -> Ack | None:
        """Return the confirmation of `event` if its key ``id`` is used already, or None if the key is new.

        ``n`` and ``t`` are not compared.

        Args:
            event: The event.
            unwritten: Lines that are to be written before the event, by the keys of their events.

        Raises:
            Conflict: The key was used for an event with other content.
        """
        if event.id is None:
            return None
        if event.id in self._verified.keys:
            ack, body = self._verified.keys[event.id]
        elif unwritten and event.id in unwritten:
            line = unwritten[event.id]
            ack, body = Ack.of(line), line.body
        else:
            return None
        kind = type(event)
        # Compare decoded events, so that spelling and the order of members do not matter.
        try:
            recorded = msgspec.json.decode(b"{" + body, type=kind)
            same = recorded == msgspec.json.decode(
                b"{" + encode_line(structs.replace(event, n=recorded.n, t=recorded.t), b"").body, type=kind
            )
        except msgspec.DecodeError:
            same = False
        if not same:
            raise Conflict(
                Message.of(
                    'The key "{=key}" has already been used for event {n}, which has other '
                    "content. Use a new key for this event.",
                    key=event.id,
                    n=ack.n,
                )
            )
        return ack

    def check_next(self, event: Event, before: Line | None = None) -> None:
        """Check that the number and the time of `event` can be next.

        Args:
            event: The event.
            before: The unwritten line before the event; None if the event follows the last line of the file.

        Raises:
            Conflict: The number is not the next one.
            AppendError: The time is before the time of the last event.
        """
        last = before.event if before else self._verified
        n, t = last.n, last.t
        if event.n != n + 1:
            raise Conflict(
                Message.of(
                    "{=path} has {n} {n:event|events}, so the next event has the number "
                    "{next}, not {found}. Look at the new events and decide again.",
                    path=self._verified.path,
                    n=n,
                    next=n + 1,
                    found=event.n,
                ),
                expected=event.n - 1,
                found=n,
            )
        if event.t < t:
            text = (
                "The time of event {n}, {t} ms, is before the time of event {last}, {before} ms. Use a "
                "later time."
            )
            raise AppendError(Message.of(text, n=event.n, t=event.t, last=n, before=t))

    def append(self, events: Sequence[Event]) -> list[Ack]:
        """Append `events`, all or none, and return when they are on the disk.

        If the record already contains the key of an event, the event is confirmed again with its stored
        number and not written.

        Raises:
            Conflict: A number is not the next one, or a key was used for another event.
            AppendError: A time is before the time of the last event, or an event cannot be written as a line.
            WriteFailed: The system refused the write. This file cannot be used any more.
        """
        self._check_usable()
        lines, keyed, acks, head = list[Line](), dict[str, Line](), list[Ack](), self._verified.head
        for event in events:
            ack = self.find_ack(event, keyed)
            if ack is None:
                self.check_next(event, lines[-1] if lines else None)
                line = encode_line(event, head)
                head, ack = line.head, Ack.of(line)
                lines.append(line)
                if event.id is not None:
                    keyed[event.id] = line
            acks.append(ack)
        self.write(lines)
        return acks

    def write(self, lines: Sequence[Line]) -> None:
        """Append `lines`, all or none, and return when they are on the disk.

        Each event has passed `check_next`, and each line follows the line before. After `WriteFailed` the
        file may contain whole lines and a torn line; after any other error it is unchanged.

        Raises:
            AppendError: The record becomes too long.
            WriteFailed: The system refused the write. This file cannot be used any more.
        """
        self._check_usable()
        verified, offsets = self._verified, list[int]()
        head, size = verified.head, verified.size
        for line in lines:
            assert line.previous == head, "the digest of a line covers the line before"
            head = line.head
            offsets.append(size)
            size += chain.PREFIX_BYTES + len(line.body)
        if size > MAX_RECORD:
            raise AppendError(
                Message.of(
                    "With this event {=path} would have {=size} bytes, but a record can have "
                    "at most {=most} bytes. Start another record.",
                    path=verified.path,
                    size=f"{size:,}",
                    most=f"{MAX_RECORD:,}",
                )
            )
        # Sync even if nothing is new: the process that wrote a repeated event may have died before its sync.
        verified.is_unknown = True
        write(self._file, b"".join([line.data for line in lines]), verified.path)
        verified.is_unknown = False
        verified.advance(
            chain.ValidLines(offsets, [line.body for line in lines], [line.head for line in lines], size)
        )


def read_under_lock(path: str | os.PathLike[str]) -> Record:
    """Return the record at `path`, read under the lock so that a running append does not make it look torn.

    Raises:
        NotReadable: The file cannot be read.
        WriteFailed: The file may not be written, or is a ``.zst`` file.
        Locked: Another writer holds the lock.
    """
    with open_locked(path) as file:
        return parse_record(file.read(), str(path))


def create_record(path: str | os.PathLike[str], header: Header) -> RecordFile:
    """Start a record and return its file. If this fails, no file is left behind.

    Raises:
        Exists: The name is in use; a record is never overwritten.
        RecordError: The header is invalid, or some systems do not accept the file name.
        WriteFailed: The system refused the write.
    """
    refuse_compressed(path)
    if trouble := file_name_problem(os.path.basename(path)):
        raise RecordError(
            Message.of(
                "A record cannot have the name {=path}: {trouble}. Choose another name.",
                path=os.fspath(path),
                trouble=trouble,
            )
        )
    data = header_line(header)
    write_new(path, data)
    return RecordFile(parse_record(data, str(path)))


def compose(header: Header, events: Iterable[Event]) -> tuple[bytes, str]:
    """Return the bytes of a whole record and its head. `events` are stamped. Nothing is checked."""
    first, head = chain.chained_line(chain.GENESIS, envelope.encode_body(header))
    lines = [first]
    for event in events:
        line, head = chain.chained_line(head, envelope.encode_body(event))
        lines.append(line)
    return b"".join(lines), head.decode()
