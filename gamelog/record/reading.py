"""A record as it lies on disk: the good prefix of its lines, its header, and how the file ends.

Reading judges bytes and nothing else. It never repairs and never raises for what a file
contains: damage comes back as data, with its byte offset, so that a folder with one bad record
is still read to its end.
"""

from __future__ import annotations

import errno
import os
import stat
from datetime import datetime
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.errors import Damaged, NotReadable, ReadFailed, RecordError, Torn, UnknownFormat
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.record import chain, strict_json
from gamelog.record.envelope import FORMAT, MAX_LINE, MAX_RECORD, Header

_header: msgspec.json.Decoder[Header] = msgspec.json.Decoder(Header)
_anything: msgspec.json.Decoder[Any] = msgspec.json.Decoder()

PIECE = 4096
"""Bytes of compressed data that are decompressed at a time."""


KINDS: dict[str, type[RecordError]] = {
    "record.torn": Torn,
    "record.damaged": Damaged,
    "record.format": UnknownFormat,
}
"""Errors by the code of the finding that says why a record's bytes are not all good."""


def problem_error(problem: Finding, path: str) -> RecordError:
    """Return `problem`, a finding of a record's bytes, as an exception, for callers that cannot go on."""
    members = {"path": path, "n": problem.offset, "problem": problem.sentence}
    if problem.code == "record.torn" and problem.offset:
        text = "{=path}, byte {n}: {problem}; make it whole with: gamelog recover {quoted}."
        return Torn(Message(text, {**members, "quoted": Message(quote(path))}))
    return KINDS[problem.code](Message("{=path}, byte {n}: {problem}.", members))


class Record(Struct, frozen=True):
    """What reading gives.

    ``header`` is None when the first line is missing, damaged or of another format;
    ``bodies[k]`` is the body of event ``k + 1``, ``offsets[k]`` the byte where its line begins;
    ``head`` is the digest of the last good line and ``heads[k]`` that of event ``k + 1``;
    ``good`` is the offset behind the last good line. ``members`` is the header as plain data,
    unknown members included; ``opening`` is the body of its line, empty where there is none.
    """

    path: str
    header: Header | None
    members: dict[str, Any]
    opening: bytes
    bodies: list[bytes]
    offsets: list[int]
    heads: list[bytes]
    head: str | None
    first: bytes
    good: int
    problem: Finding | None

    def head_at(self, n: int) -> str:
        """The head after event `n`; 0 is the header's."""
        return (self.heads[n - 1] if n else self.first).decode()


def parse_record(data: bytes, path: str = "<bytes>") -> Record:
    """The record in `data`."""
    links = chain.walk(data)
    problem = links_problem(links)
    if not links.bodies:
        if not data.strip(b"\r\n"):
            if data:
                empty = "the file holds nothing but line ends; start a record with: gamelog new"
                problem = Finding.of("record.damaged", empty, offset=0)
            else:
                problem = Finding.of(
                    "record.torn", "the file is empty; start a record with: gamelog new", offset=0
                )
        elif links.problem == "torn" and not data.startswith(chain.OPEN[: len(data)]):
            problem = _damaged(chain.explain(data, chain.GENESIS))
        return Record(path, None, {}, b"", [], [], [], None, chain.GENESIS, 0, problem)
    header, members, trouble = read_header(links.bodies[0])
    return Record(
        path=path,
        header=header,
        members=members,
        opening=links.bodies[0],
        bodies=links.bodies[1:],
        offsets=links.offsets[1:],
        heads=links.heads[1:],
        head=links.heads[-1].decode(),
        first=links.heads[0],
        good=links.good,
        problem=trouble or problem,
    )


def links_problem(links: chain.Links) -> Finding | None:
    """Return why `links` end where they do, or None if nothing follows them."""
    if links.problem is None or links.why is None:
        return None
    return Finding.of(f"record.{links.problem}", links.why, offset=links.good)


def _damaged(said: Message | str) -> Finding:
    return Finding.of("record.damaged", said, offset=0)


def read_header(body: bytes) -> tuple[Header | None, dict[str, Any], Finding | None]:
    """The header in `body`, typed and as plain data, or what is wrong with it."""
    problem = strict_json.check_line(body)
    if problem:
        return None, {}, _damaged(Message.of("in the header, {problem}", problem=problem))
    members = _anything.decode(b"{" + body)
    version = members.get("gamelog")
    if version is None:
        return (
            None,
            members,
            _damaged("the first line has no member gamelog, so it is not a header of a record"),
        )
    if version != FORMAT:
        text = Message.of(
            "the record is of format {=format}; this release reads format {n}. Install a newer Gamelog",
            format=f"{version!r:.40}",
            n=FORMAT,
        )
        return None, members, Finding.of("record.format", text, offset=0)
    try:
        header = _header.decode(b"{" + body)
    except msgspec.ValidationError as error:
        text = Message.of("the header does not fit format {n}: {=error}", n=FORMAT, error=str(error))
        return None, members, _damaged(text)
    try:
        datetime.fromisoformat(header.started)
    except ValueError as error:
        text = Message.of(
            "in the header, started, {=started}, is not a time: {=error}",
            started=header.started,
            error=str(error),
        )
        return None, members, _damaged(text)
    return header, members, None


_OF_THE_PATH = (
    errno.EACCES,
    errno.EPERM,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENXIO,
)
"""What the system says of a path, not of a disk that fails."""


def cannot_read(path: str | os.PathLike[str], error: OSError) -> NotReadable:
    """What an error of the system means: the path leads to no file that may be read, or reading it failed."""
    if isinstance(error, FileNotFoundError):
        return NotReadable(Message.of("{=path} does not exist.", path=str(path)))
    if error.errno in _OF_THE_PATH:
        return NotReadable(
            Message.of("{=path} cannot be read: {=reason}.", path=str(path), reason=error.strerror)
        )
    return ReadFailed(
        Message.of(
            "{=path} was not read: {=reason}. Nothing is known of its content; try again.",
            path=str(path),
            reason=error.strerror,
        )
    )


def regular(path: str | os.PathLike[str]) -> None:
    """Raises `NotReadable` unless `path` leads to a file, links followed, of a size that a record can have.

    Opening anything else could block for ever (a pipe) or never end (a device).
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError:
        raise NotReadable(Message.of("{=path} cannot be the name of a file.", path=repr(str(path)))) from None
    if stat.S_ISDIR(status.st_mode):
        searchable(path)
        raise NotReadable(Message.of("{=path} is a folder, not a record.", path=str(path)))
    if not stat.S_ISREG(status.st_mode):
        raise NotReadable(
            Message.of(
                "{=path} is a pipe or a device, not a file; save its content to a file first.", path=str(path)
            )
        )
    if status.st_size > MAX_RECORD:
        raise NotReadable(
            Message.of(
                "{=path} has {=size} bytes, a record has at most {=most}.",
                path=str(path),
                size=f"{status.st_size:,}",
                most=f"{MAX_RECORD:,}",
            )
        )


def searchable(folder: str | os.PathLike[str]) -> None:
    """Raises `NotReadable` unless what is in `folder` can be listed."""
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise NotReadable(
            Message.of("{=folder} cannot be searched: {=reason}.", folder=str(folder), reason=error.strerror)
        ) from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a record's file, ``.zst`` decompressed. Raises `NotReadable` or `Damaged`."""
    regular(path)
    try:
        with open(path, "rb", buffering=0, opener=_not_waiting) as file:
            # What says it is empty may go on for ever (in /proc).
            data = file.readall() if os.fstat(file.fileno()).st_size else file.read(MAX_LINE)
    except OSError as error:
        raise cannot_read(path, error) from None
    return decompress(data, str(path)) if compressed(path) else data


def read_opening(path: str | os.PathLike[str]) -> Record:
    """The record in a file as if it had its first line alone. Raises `NotReadable` or `Damaged`."""
    if compressed(path):
        first = BytesIO(read_bytes(path)).readline()
    else:
        regular(path)
        try:
            with open(path, "rb", opener=_not_waiting) as file:
                first = file.readline(MAX_LINE)
        except OSError as error:
            raise cannot_read(path, error) from None
    return parse_record(first, str(path))


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def compressed(path: str | os.PathLike[str]) -> bool:
    """Whether the file's name says that it is compressed. Such a record is read and never written."""
    return Path(path).suffix == ".zst"


def decompress(data: bytes, path: str) -> bytes:
    """The content of a ``.zst`` file; several frames may follow one another.

    Raises `Damaged` when the last frame is not whole, and `NotReadable` when the content is larger than a
    record can be.
    """
    import zstandard

    content = BytesIO()
    decompressor = zstandard.ZstdDecompressor()
    frame = decompressor.decompressobj()
    try:
        # In small pieces: four bytes can stand for 128 KiB, and the limit has to be seen before memory is
        # gone.
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            while piece:
                if frame.eof:
                    frame = decompressor.decompressobj()
                content.write(frame.decompress(piece))
                piece = frame.unused_data
                if content.tell() > MAX_RECORD:
                    raise NotReadable(
                        Message.of(
                            "{=path} holds more than {=most} bytes, the most a record has.",
                            path=str(path),
                            most=f"{MAX_RECORD:,}",
                        )
                    )
    except zstandard.ZstdError as error:
        raise Damaged(
            Message.of(
                "{=path} is not a zstd file or is damaged: {=error}.", path=str(path), error=str(error)
            )
        ) from None
    if not frame.eof:
        raise Damaged(
            Message.of(
                "{=path} ends in the middle of its compressed data; copy it again from where it came.",
                path=str(path),
            )
        )
    return content.getvalue()


def read_record(path: str | os.PathLike[str]) -> Record:
    """The record in the file at `path`.

    Raises `NotReadable` for the file and `Damaged` for a ``.zst`` file that does not decompress,
    nothing else for the content. No lock is taken: a record that is being written at this moment
    may look torn, and is whole when read again.
    """
    return parse_record(read_bytes(path), str(path))
