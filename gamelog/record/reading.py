"""Reading: the valid lines of a record, its header, and how the file ends.

Reading judges only bytes. It never repairs anything and never raises because of the content of a file: damage
is returned as data with its byte offset. So one bad record does not stop the reading of a folder.
"""

from __future__ import annotations

import errno
import os
import stat
from datetime import datetime
from io import BytesIO
from pathlib import Path
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

_CHUNK_BYTES = 4096
"""Number of compressed bytes to decompress at a time."""


ERROR_CLASSES: dict[str, type[RecordError]] = {
    "record.torn": Torn,
    "record.damaged": Damaged,
    "record.format": UnknownFormat,
}
"""Error classes by the code of the finding about a record's bytes."""


def problem_error(problem: Finding, path: str) -> RecordError:
    """Return `problem`, a finding about a record's bytes, as an exception for code that cannot continue."""
    members = {"path": path, "n": problem.offset, "problem": problem.message}
    if problem.code == "record.torn" and problem.offset:
        return Torn(Message("{=path}, byte {n}: {problem}. Recover the record.", members))
    return ERROR_CLASSES[problem.code](Message("{=path}, byte {n}: {problem}.", members))


class Record(Struct, frozen=True):
    """The result of reading.

    Attributes:
        header: The header, or None if the first line is missing, damaged or of another format.
        members: The header as plain data, unknown members included.
        opening: Body of the header's line, or empty.
        bodies: Body of each event.
        offsets: First byte of the line of each event.
        heads: Digest of each event.
        head: Digest of the last valid line.
        header_head: Digest of the header's line.
        valid_size: Offset after the last valid line.
    """

    path: str
    header: Header | None
    members: dict[str, Any]
    opening: bytes
    bodies: list[bytes]
    offsets: list[int]
    heads: list[bytes]
    head: str | None
    header_head: bytes
    valid_size: int
    problem: Finding | None

    def head_at(self, n: int) -> str:
        """Return the head after event `n`; 0 is the header."""
        return (self.heads[n - 1] if n else self.header_head).decode()


def parse_record(data: bytes, path: str = "<bytes>") -> Record:
    """Return the record in `data`."""
    valid = chain.verify_lines(data)
    problem = lines_problem(valid)
    if not valid.bodies:
        if not data.strip(b"\r\n"):
            if data:
                empty = "the file contains only line endings. Start a new record"
                problem = Finding.of("record.damaged", empty, offset=0)
            else:
                problem = Finding.of("record.torn", "the file is empty. Start a new record", offset=0)
        elif valid.problem == "torn" and not data.startswith(chain.OPEN[: len(data)]):
            problem = _damage_finding(chain.damage_reason(data))
        return Record(path, None, {}, b"", [], [], [], None, chain.GENESIS, 0, problem)
    header, members, trouble = read_header(valid.bodies[0])
    return Record(
        path=path,
        header=header,
        members=members,
        opening=valid.bodies[0],
        bodies=valid.bodies[1:],
        offsets=valid.offsets[1:],
        heads=valid.heads[1:],
        head=valid.heads[-1].decode(),
        header_head=valid.heads[0],
        valid_size=valid.valid_size,
        problem=trouble or problem,
    )


def lines_problem(valid: chain.ValidLines) -> Finding | None:
    """Return the finding that says why the `valid` lines end, or None if nothing follows them."""
    if valid.problem is None or valid.reason is None:
        return None
    return Finding.of(f"record.{valid.problem}", valid.reason, offset=valid.valid_size)


def _damage_finding(problem: Message | str) -> Finding:
    return Finding.of("record.damaged", problem, offset=0)


def read_header(body: bytes) -> tuple[Header | None, dict[str, Any], Finding | None]:
    """Return the header in `body`, typed and as plain data, and a finding if it is invalid."""
    problem = strict_json.line_problem(body)
    if problem:
        return None, {}, _damage_finding(Message.of("in the header, {problem}", problem=problem))
    members = _anything.decode(b"{" + body)
    version = members.get("gamelog")
    if version is None:
        return (
            None,
            members,
            _damage_finding("the first line has no member gamelog, so it is not the header of a record"),
        )
    if version != FORMAT:
        text = Message.of(
            "the record has format {=format}, but this release of Gamelog reads format {n}. "
            "Install a newer release",
            format=f"{version!r:.40}",
            n=FORMAT,
        )
        return None, members, Finding.of("record.format", text, offset=0)
    try:
        header = _header.decode(b"{" + body)
    except msgspec.ValidationError as error:
        text = Message.of("the header does not fit format {n}: {=error}", n=FORMAT, error=str(error))
        return None, members, _damage_finding(text)
    try:
        datetime.fromisoformat(header.started)
    except ValueError as error:
        text = Message.of(
            'the start time in the header (started), "{=started}", is not a valid time: {=error}',
            started=header.started,
            error=str(error),
        )
        return None, members, _damage_finding(text)
    return header, members, None


_PATH_ERRNOS = (
    errno.EACCES,
    errno.EPERM,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENXIO,
)
"""Error numbers that concern the path and not a failing disk."""


def read_error(path: str | os.PathLike[str], error: OSError) -> NotReadable:
    """Return the error for `error`: the path leads to no readable file, or reading it failed."""
    if isinstance(error, FileNotFoundError):
        return NotReadable(Message.of("{=path} does not exist.", path=str(path)))
    if error.errno in _PATH_ERRNOS:
        return NotReadable(
            Message.of(
                "Cannot read {=path}: {=error}. Check the file and your access to it, then try again.",
                path=str(path),
                error=error.strerror,
            )
        )
    return ReadFailed(
        Message.of(
            "Cannot read all of {=path}: {=error}. Check the disk or the network, then try again.",
            path=str(path),
            error=error.strerror,
        )
    )


def check_regular_file(path: str | os.PathLike[str]) -> None:
    """Check that `path` leads to a file, through links if any, no larger than a record can be.

    Opening anything else could block for ever (a pipe) or never end (a device).

    Raises:
        NotReadable: `path` is not such a file.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise read_error(path, error) from None
    except ValueError:
        raise NotReadable(
            Message.of("{=path} is not a valid file name. Choose another name.", path=repr(str(path)))
        ) from None
    if stat.S_ISDIR(status.st_mode):
        check_listable(path)
        raise NotReadable(
            Message.of("{=path} is a folder, not a record. Give the name of a file.", path=str(path))
        )
    if not stat.S_ISREG(status.st_mode):
        raise NotReadable(
            Message.of("{=path} is a pipe or a device. Save its content to a file first.", path=str(path))
        )
    if status.st_size > MAX_RECORD:
        raise NotReadable(
            Message.of(
                "{=path} has {=size} bytes, so it is not a record. A record can have at most {=most} bytes.",
                path=str(path),
                size=f"{status.st_size:,}",
                most=f"{MAX_RECORD:,}",
            )
        )


def check_listable(folder: str | os.PathLike[str]) -> None:
    """Check that the content of `folder` can be listed.

    Raises:
        NotReadable: The folder cannot be listed.
    """
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise NotReadable(
            Message.of(
                "Cannot search the folder {=folder}: {=error}. Check the folder and your access to it, "
                "then try again.",
                folder=str(folder),
                error=error.strerror,
            )
        ) from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a record's file, decompressed if it is a ``.zst`` file.

    Raises:
        NotReadable: The file cannot be read.
        Damaged: The file does not decompress.
    """
    check_regular_file(path)
    try:
        with open(path, "rb", buffering=0, opener=_open_nonblocking) as file:
            # A file that reports the size 0 may be endless (in /proc).
            data = file.readall() if os.fstat(file.fileno()).st_size else file.read(MAX_LINE)
    except OSError as error:
        raise read_error(path, error) from None
    return decompress(data, str(path)) if is_compressed(path) else data


def read_opening(path: str | os.PathLike[str]) -> Record:
    """Return the record in a file as if the file had only its first line.

    Raises:
        NotReadable: The file cannot be read.
        Damaged: The file does not decompress.
    """
    if is_compressed(path):
        first = BytesIO(read_bytes(path)).readline()
    else:
        check_regular_file(path)
        try:
            with open(path, "rb", opener=_open_nonblocking) as file:
                first = file.readline(MAX_LINE)
        except OSError as error:
            raise read_error(path, error) from None
    return parse_record(first, str(path))


def _open_nonblocking(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def is_compressed(path: str | os.PathLike[str]) -> bool:
    """Return whether the file's name marks it as compressed. Such a record is read and never written."""
    return Path(path).suffix == ".zst"


def decompress(data: bytes, path: str) -> bytes:
    """Return the content of a ``.zst`` file, which may have several frames.

    Raises:
        Damaged: The last frame is not complete.
        NotReadable: The content is larger than a record can be.
    """
    import zstandard

    content = BytesIO()
    decompressor = zstandard.ZstdDecompressor()
    frame = decompressor.decompressobj()
    try:
        # Four bytes can expand to 128 KiB, so small pieces are needed to stop before memory is exhausted.
        for start in range(0, len(data), _CHUNK_BYTES):
            piece = data[start : start + _CHUNK_BYTES]
            while piece:
                if frame.eof:
                    frame = decompressor.decompressobj()
                content.write(frame.decompress(piece))
                piece = frame.unused_data
                if content.tell() > MAX_RECORD:
                    raise NotReadable(
                        Message.of(
                            "{=path} has more than {=most} bytes when decompressed, so it is not a record.",
                            path=str(path),
                            most=f"{MAX_RECORD:,}",
                        )
                    )
    except zstandard.ZstdError as error:
        raise Damaged(
            Message.of(
                "Cannot decompress {=path}: {=error}. The file is damaged or is not a zstd "
                "file. Copy the file again from its source.",
                path=str(path),
                error=str(error),
            )
        ) from None
    if not frame.eof:
        raise Damaged(
            Message.of(
                "{=path} ends in the middle of its compressed data. Copy the file again from its source.",
                path=str(path),
            )
        )
    return content.getvalue()


def read_record(path: str | os.PathLike[str]) -> Record:
    """Return the record in the file at `path`.

    No lock is taken. A record that is being written may look torn; read it again later.

    Raises:
        NotReadable: The file cannot be read.
        Damaged: A ``.zst`` file does not decompress. No other content raises an error.
    """
    return parse_record(read_bytes(path), str(path))
