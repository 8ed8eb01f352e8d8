"""The one writer of records.

An append takes the lock on the record's own file, reads and verifies what others have added
since, writes whole lines, waits until the disk has them, and only then acknowledges them::

    log = Log.open("game.jsonl")
    with log.locked() as session:
        fold(session.new)                          # what others have added, before judging one's own
        event = Move(log.n + 1, max(now, log.t), "red", "C3", "C4")
        [ack] = session.append([event])

What an append costs does not grow with the record: only its last line and what others added is
read. A write that fails ends the handle, because nobody can tell what the disk now holds; opening
the record again reads it afresh, and `gamelog.record.recovery` deals with a torn tail.
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
from gamelog.record.disk import locked, refuse_compressed, write, write_new
from gamelog.record.encoding import encode, header_line
from gamelog.record.envelope import MAX_RECORD, Envelope, Event, Header
from gamelog.record.names import file_name_trouble
from gamelog.record.reading import Record, links_problem, parse_record, problem_error

_envelope: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope)


class Ack(Struct, frozen=True):
    """An event is on the disk as number `n`, and `head` (43 characters) is the record's digest up to it."""

    n: int
    head: str


class Log:
    """A record open for appending.

    ``header`` is the record's; ``n`` the number of its last event (0: none yet), ``t`` that
    event's milliseconds, ``head`` the digest of the last line and ``good`` the bytes of the
    file, all as of the last `WriteSession`. No file stays open between sessions. Several handles, threads and
    processes may append to one record; each sees the others' events in its next session.

    What is *not* checked: that events fit the game or its seats, or that lines which others have
    written hold events this release knows (`gamelog.play.judging.replay` judges that).
    """

    def __init__(self, record: Record) -> None:
        """Raises what is wrong with `record`: `Torn`, `Damaged` or `UnknownFormat`."""
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
        self._take(record.offsets, record.bodies, record.heads, record.good, record.first)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Log:
        """The log of the record at `path`, verified from its first byte.

        Raises `NotReadable`, `Torn`, `Damaged` or `UnknownFormat`; `WriteFailed` when the file may
        not be written (and for ``.zst`` files, which never are); `Locked` when another writer
        does not let go of the lock.
        """
        return cls(read_locked(path))

    @contextmanager
    def locked(self) -> Iterator[WriteSession]:
        """Hold the record's lock for a ``with`` block. Raises what `WriteSession` and `locked` raise."""
        with locked(self.path) as file:
            yield WriteSession(self, file)

    @property
    def has_grown(self) -> bool:
        """Whether the file is of another size than the log knows: others have written. Takes no lock."""
        try:
            return os.stat(self.path).st_size != self.good
        except OSError:
            return True

    def _alive(self) -> None:
        if self._dead:
            raise WriteFailed(
                Message.of(
                    "{=path}: an earlier write failed and this handle writes no more; open the record again.",
                    path=str(self.path),
                )
            )

    def _take(
        self, offsets: list[int], bodies: list[bytes], heads: list[bytes], good: int, before: bytes
    ) -> None:
        """Go on to behind `bodies`, verified lines that follow the last known one, whose head is `before`."""
        keys: dict[str, tuple[Ack, bytes]] = {}
        n = self.n + len(bodies)
        t = self.t
        for at, body in enumerate(bodies, self.n + 1):
            # Few lines have a key, and only the last one's time matters: the others are not decoded.
            if at == n or b'"id"' in body or b"\\u" in body:
                k = at - self.n - 1
                try:
                    event = _envelope.decode(b"{" + body)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    raise Damaged(
                        Message.of(
                            "{=path}, byte {byte}: the line holds no event ({=error}).",
                            path=str(self.path),
                            byte=offsets[k],
                            error=str(error),
                        )
                    ) from None
                if event.n != at:
                    raise Damaged(
                        Message.of(
                            "{=path}, byte {byte}: event {at} says that it is number {n}.",
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


class WriteSession:
    """The time during which a log holds its record's lock.

    ``new`` are the bodies of the events that others have appended since the log last looked, in
    order; ``log`` is already behind them. Several appends may follow one another in one session.
    """

    def __init__(self, log: Log, file: IO[bytes]) -> None:
        """Look at what others added. `file` is the record's, held by `locked`.

        Raises `WriteFailed` when the log has failed before, `Torn` or `Damaged` for what others
        added, and `Damaged` when the last line that the log knows has been changed or cut off. The
        log then stays where it was.
        """
        log._alive()
        self.log = log
        self._file = file
        file.seek(log._last)
        links = chain.walk(file.read(), log._before, log._last)
        if not links.heads or links.heads[0].decode() != log.head:
            raise Damaged(
                Message.of(
                    "{=path}, byte {byte}: event {n}, which was there, has been changed or cut off; "
                    "keep a copy of the file and compare it with another one of the same record.",
                    path=log.path,
                    byte=log._last,
                    n=log.n,
                )
            )
        problem = links_problem(links)
        if problem:
            raise problem_error(problem, log.path)
        log._take(links.offsets[1:], links.bodies[1:], links.heads[1:], links.good, links.heads[0])
        self.new = links.bodies[1:]

    def expect(self, n: int) -> None:
        """Raises `Conflict` unless the last event is number `n`: for who decided knowing no more than that.

        An event with a key should be asked after with `seen` first: when its own first attempt
        is what moved the record on, there is no conflict.
        """
        if self.log.n != n:
            raise Conflict(
                Message.of(
                    "{=path} has moved on to event {n} while event {expected} was "
                    "expected to be the last; look at what was added and decide again.",
                    path=self.log.path,
                    n=self.log.n,
                    expected=n,
                ),
                expected=n,
                found=self.log.n,
            )

    def seen(self, event: Event) -> Ack | None:
        """The acknowledgement that the record already holds `event`, known by its key ``id``, or None.

        ``n`` and ``t`` are not compared. Raises `Conflict` when the key was used for another event.
        """
        return self._known(event, self.log._keys)

    def append(self, events: Sequence[Event]) -> list[Ack]:
        """Append `events`, all or none, and return when they are on the disk.

        Each carries the number it is to have, the record's next. One whose key the record already
        holds is acknowledged again as it stands there, whatever its number, and not written.

        Raises `Conflict` for a number that is not the next (somebody else was first) and for a
        key that was used for another event; `AppendError` for a time before the last event's, and
        for what cannot be written as a line of a record; `WriteFailed` when the system refuses,
        and then this log is of no more use. Nothing is written but in the last case, where whole
        lines and a torn one may be left.
        """
        log = self.log
        log._alive()
        n, t, head = log.n, log.t, log.head.encode()
        acks: list[Ack] = []
        offsets, bodies, heads = [], [], []
        pieces: list[bytes] = []
        end = log.good
        fresh: dict[str, tuple[Ack, bytes]] = {}
        for event in events:
            ack = self.seen(event) or self._known(event, fresh)
            if ack is None:
                self._check_stamp(event, n, t)
                body = encode(event)
                piece, head = chain.line(head, body)
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
                    "{=path} would have {=size} bytes, and a record has at most {=most}; start another one.",
                    path=log.path,
                    size=f"{end:,}",
                    most=f"{MAX_RECORD:,}",
                )
            )
        # Also when nothing is written: whoever wrote an event that is seen again may have died before it was
        # synced.
        log._dead = True
        write(self._file, b"".join(pieces), log.path)
        log._dead = False
        log._take(offsets, bodies, heads, end, log.head.encode())
        return acks

    def _check_stamp(self, event: Event, n: int, t: int) -> None:
        """Raise `Conflict` or `AppendError` unless `event` may come after event `n` at `t` ms."""
        if event.n != n + 1:
            raise Conflict(
                Message.of(
                    "{=path} holds {n} events, so the next one has number {next}, not {found}; look at what "
                    "was added and decide again.",
                    path=self.log.path,
                    n=n,
                    next=n + 1,
                    found=event.n,
                ),
                expected=event.n - 1,
                found=n,
            )
        if event.t < t:
            text = "Event {n} is at {t} ms, before event {last} at {before} ms; time only goes on."
            raise AppendError(Message.of(text, n=event.n, t=event.t, last=n, before=t))

    def _known(self, event: Event, keys: dict[str, tuple[Ack, bytes]]) -> Ack | None:
        if event.id is None or event.id not in keys:
            return None
        ack, body = keys[event.id]
        kind = type(event)
        # Both are compared as read back, so that neither spelling nor the order of members counts.
        try:
            there = msgspec.json.decode(b"{" + body, type=kind)
            same = there == msgspec.json.decode(
                b"{" + encode(structs.replace(event, n=there.n, t=there.t)), type=kind
            )
        except msgspec.DecodeError:
            same = False
        if not same:
            raise Conflict(
                Message.of(
                    'The key "{=key}" was used for another event, number {n}; '
                    "give this one a key of its own.",
                    key=event.id,
                    n=ack.n,
                )
            )
        return ack


def read_locked(path: str | os.PathLike[str]) -> Record:
    """The record at `path`, read while nobody writes, so that it does not look torn in an append.

    Raises what `locked` raises, and nothing for what the file contains.
    """
    with locked(path) as file:
        return parse_record(file.read(), str(path))


def create_log(path: str | os.PathLike[str], header: Header) -> Log:
    """Start a record and return its log.

    Raises `Exists` when something of that name does (a record is never overwritten), `RecordError` when
    the header is not sound or some system takes no file of that name, `WriteFailed` when the system refuses;
    then nothing is left behind.
    """
    refuse_compressed(path)
    if trouble := file_name_trouble(os.path.basename(path)):
        raise RecordError(
            Message.of(
                "No record can be called {=path}: {trouble}. Choose another name.",
                path=os.fspath(path),
                trouble=trouble,
            )
        )
    data = header_line(header)
    write_new(path, data)
    return Log(parse_record(data, str(path)))


def compose(header: Header, events: Iterable[Event]) -> tuple[bytes, str]:
    """Return the bytes of a whole record and its head. `events` are stamped; nothing is checked."""
    first, head = chain.line(chain.GENESIS, envelope.body(header))
    lines = [first]
    for event in events:
        line, head = chain.line(head, envelope.body(event))
        lines.append(line)
    return b"".join(lines), head.decode()
