"""The file of a record: the only code that appends to records.

An append locks the record's file, verifies the lines that others have added, writes whole lines and waits
until they are on the disk. Only then it confirms them::

    file = RecordFile.open("game.jsonl")
    with file.lock() as locked:
        fold(locked.new)                           # take in other writers' events before judging
        event = Move(file.n + 1, max(now, file.t), "red", "C3", "C4")
        [ack] = locked.append([event])

The cost of an append does not grow with the record, because only the last known line and newer lines are
read. A failed write ends the handle, because the content of the disk is then unknown. To continue, open the
record again; `gamelog.record.recovery` repairs a torn end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import msgspec
from msgspec import Struct, structs

from gamelog.errors import AppendError, Conflict, Damaged, RecordError, WriteFailed
from gamelog.message import Message
from gamelog.record import chain, envelope
from gamelog.record.disk import open_locked, refuse_compressed, write, write_new
from gamelog.record.encoding import encode, header_line
from gamelog.record.envelope import MAX_RECORD, Envelope, Event, Header
from gamelog.record.names import file_name_problem
from gamelog.record.reading import Record, links_problem, parse_record, problem_error

_envelope: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope)


class Ack(Struct, frozen=True):
    """The confirmation that an event is on the disk as number `n`.

    `head` is the record's digest up to the event.
    """

    n: int
    head: str


class RecordFile:
    """A record open for appending.

    The file does not stay open between two locks. Several handles, threads and processes may append to one
    record; each sees the others' events at its next lock.

    Nothing here checks whether events fit the game or its seats, or whether lines of other writers
    contain events that this release knows (`gamelog.play.judging.fold_record` judges that).

    Attributes:
        header: The header of the record.
        n: The number of the last event when the file was locked last; 0 if there was none.
        t: The time of that event, in ms.
        head: The digest of its line.
        good: The size of the file then.
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
        self.n = 0
        self.t = 0
        self.head = record.first.decode()
        self._last = 0
        self._before = chain.GENESIS
        self._keys: dict[str, tuple[Ack, bytes]] = {}
        self._dead = False
        self._advance(record.offsets, record.bodies, record.heads, record.good, record.first)

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
            yield LockedFile(self, file)

    @property
    def has_grown(self) -> bool:
        """Whether the size of the file has changed because others wrote to it. Takes no lock."""
        try:
            return os.stat(self.path).st_size != self.good
        except OSError:
            return True

    def _check_usable(self) -> None:
        if self._dead:
            raise WriteFailed(
                Message.of(
                    "Cannot write {=path}: an earlier write failed. Open the record again.",
                    path=str(self.path),
                )
            )

    def _advance(
        self, offsets: list[int], bodies: list[bytes], heads: list[bytes], good: int, before: bytes
    ) -> None:
        """Advance past `bodies`, verified lines that follow the last known line with head `before`."""
        keys: dict[str, tuple[Ack, bytes]] = {}
        n = self.n + len(bodies)
        t = self.t
        for at, body in enumerate(bodies, self.n + 1):
            # Only lines with a key and the last line, whose time is needed, have to be decoded.
            if at == n or b'"id"' in body or b"\\u" in body:
                k = at - self.n - 1
                try:
                    event = _envelope.decode(b"{" + body)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    raise Damaged(
                        Message.of(
                            "{=path}, byte {byte}: the line is not an event ({=error}).",
                            path=str(self.path),
                            byte=offsets[k],
                            error=str(error),
                        )
                    ) from None
                if event.n != at:
                    raise Damaged(
                        Message.of(
                            "{=path}, byte {byte}: the line should be event {at}, but has the number {n}.",
                            path=str(self.path),
                            byte=offsets[k],
                            at=at,
                            n=event.n,
                        )
                    )
                t = event.t
                if event.id is not None and event.id not in self._keys:
                    keys.setdefault(event.id, (Ack(at, heads[k].decode()), body))
        self.good = good
        if bodies:
            self.n, self.t, self.head, self._last = n, t, heads[-1].decode(), offsets[-1]
            self._before = heads[-2] if len(heads) > 1 else before
            self._keys |= keys


class LockedFile:
    """A record's file that is locked.

    Several appends are possible under one lock.

    Attributes:
        new: The bodies of the events that others appended since the file was locked last.
    """

    def __init__(self, record: RecordFile, file: IO[bytes]) -> None:
        """Read the lines that others added. `file` was opened by `open_locked`.

        If this raises an error, `record` stays at its old position.

        Raises:
            WriteFailed: An earlier write failed.
            Torn: The last line is not complete.
            Damaged: A new line does not verify, or the last known line was changed or cut off.
        """
        record._check_usable()
        self._record = record
        self._file = file
        file.seek(record._last)
        links = chain.verify_lines(file.read(), record._before, record._last)
        if not links.heads or links.heads[0].decode() != record.head:
            raise Damaged(
                Message.of(
                    "{=path}, byte {byte}: event {n} was changed or cut off after it was recorded. "
                    "Keep a copy of the file and compare it with another copy of the record.",
                    path=record.path,
                    byte=record._last,
                    n=record.n,
                )
            )
        problem = links_problem(links)
        if problem:
            raise problem_error(problem, record.path)
        record._advance(links.offsets[1:], links.bodies[1:], links.heads[1:], links.good, links.heads[0])
        self.new = links.bodies[1:]

    def expect(self, n: int) -> None:
        """Check that event `n` is the last event.

        A writer who decided knowing only the events up to `n` calls this first.

        For an event with a key, call `find_ack` first: if its own first attempt added the new event, there is
        no conflict.

        Raises:
            Conflict: The last event has another number.
        """
        if self._record.n != n:
            raise Conflict(
                Message.of(
                    "New events were recorded in {=path}: the last event is {n}, not {expected}. "
                    "Look at the new events and decide again.",
                    path=self._record.path,
                    n=self._record.n,
                    expected=n,
                ),
                expected=n,
                found=self._record.n,
            )

    def find_ack(self, event: Event) -> Ack | None:
        """Return the confirmation of `event` if the record already contains its key ``id``, or None.

        ``n`` and ``t`` are not compared.

        Raises:
            Conflict: The key was used for another event.
        """
        return self._find_ack(event, self._record._keys)

    def append(self, events: Sequence[Event]) -> list[Ack]:
        """Append `events`, all or none, and return when they are on the disk.

        Each event carries the next number of the record. If the record already contains the key of an event,
        the event is confirmed again with its stored number and not written. After `WriteFailed` the file may
        contain whole lines and a torn line; after any other error it is unchanged.

        Raises:
            Conflict: A number is not the next one, or a key was used for another event.
            AppendError: A time is before the time of the last event, or an event cannot be written as a line.
            WriteFailed: The system refused the write. This file cannot be used any more.
        """
        record = self._record
        record._check_usable()
        n, t, head = record.n, record.t, record.head.encode()
        acks: list[Ack] = []
        offsets, bodies, heads = [], [], []
        pieces: list[bytes] = []
        end = record.good
        fresh: dict[str, tuple[Ack, bytes]] = {}
        for event in events:
            ack = self.find_ack(event) or self._find_ack(event, fresh)
            if ack is None:
                self._check_stamp(event, n, t)
                body = encode(event)
                piece, head = chain.chained_line(head, body)
                n, t, ack = event.n, event.t, Ack(event.n, head.decode())
                offsets.append(end)
                bodies.append(body)
                heads.append(head)
                pieces.append(piece)
                end += len(piece)
                if event.id is not None:
                    fresh[event.id] = ack, body
            acks.append(ack)
        if end > MAX_RECORD:
            raise AppendError(
                Message.of(
                    "With this event {=path} would have {=size} bytes, but a record can have "
                    "at most {=most} bytes. Start another record.",
                    path=record.path,
                    size=f"{end:,}",
                    most=f"{MAX_RECORD:,}",
                )
            )
        # Sync even if nothing is new: the process that wrote a repeated event may have died before its sync.
        record._dead = True
        write(self._file, b"".join(pieces), record.path)
        record._dead = False
        record._advance(offsets, bodies, heads, end, record.head.encode())
        return acks

    def _check_stamp(self, event: Event, n: int, t: int) -> None:
        """Raise `Conflict` or `AppendError` unless `event` may follow event `n` at `t` ms."""
        if event.n != n + 1:
            raise Conflict(
                Message.of(
                    "{=path} has {n} {n:event|events}, so the next event has the number "
                    "{next}, not {found}. Look at the new events and decide again.",
                    path=self._record.path,
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

    def _find_ack(self, event: Event, keys: dict[str, tuple[Ack, bytes]]) -> Ack | None:
        """Return the receipt of the earlier append with the key of `event`, or None if the key is new.

        Raises:
            Conflict: The key was used for an event with other content.
        """
        if event.id is None or event.id not in keys:
            return None
        ack, body = keys[event.id]
        kind = type(event)
        # Compare decoded events, so that spelling and the order of members do not matter.
        try:
            recorded = msgspec.json.decode(b"{" + body, type=kind)
            same = recorded == msgspec.json.decode(
                b"{" + encode(structs.replace(event, n=recorded.n, t=recorded.t)), type=kind
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
