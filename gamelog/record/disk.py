"""Files that are written safely: the lock, whole writes, the wait for the disk.

An advisory lock lies on the record's own file. Nothing here knows what a record holds.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import portalocker

from gamelog.errors import Exists, Locked, NotReadable, WriteFailed
from gamelog.message import Message
from gamelog.record.reading import compressed, regular

LOCK_WAIT_SECONDS = 10.0
"""Seconds to wait for another writer's lock. An append takes milliseconds,
so longer means that something hangs.
"""

PAUSE = 0.002
"""Seconds between two looks at a lock that somebody else holds."""


def refuse_compressed(path: str | os.PathLike[str]) -> None:
    """Raises `WriteFailed` for a ``.zst`` file: appending to one would mean to write it anew."""
    if compressed(path):
        raise WriteFailed(
            Message.of(
                "{=path} is compressed and only read; decompress it first: unzstd {=file}",
                path=str(path),
                file=shlex.quote(str(path)),
            )
        )


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """The file of an existing record, open for reading and appending, with an exclusive lock on it.

    It keeps out those who ask for it. Raises `NotReadable`, `WriteFailed` when the file may not be
    written or locked, `Locked` when somebody else keeps the lock for `LOCK_WAIT_SECONDS` seconds.
    """
    regular(path)
    refuse_compressed(path)
    lock = portalocker.Lock(Path(path), "r+b", LOCK_WAIT_SECONDS, PAUSE, buffering=0, opener=_appending)
    try:
        file = lock.acquire()
    except portalocker.AlreadyLocked:
        raise Locked(
            Message.of(
                "{=path} has been locked by another program for {=seconds} seconds; try again when it has "
                "finished.",
                path=os.fspath(path),
                seconds=f"{LOCK_WAIT_SECONDS:g}",
            )
        ) from None
    except portalocker.LockException as error:
        raise WriteFailed(
            Message.of(
                "{=path} cannot be locked, so it is not safe to write there: {=error}.",
                path=str(path),
                error=str(error),
            )
        ) from None
    except OSError as error:
        raise WriteFailed(
            Message.of("{=path} cannot be written: {=reason}.", path=str(path), reason=error.strerror)
        ) from None
    try:
        try:
            # Whoever waited may hold the lock of a file that is no longer the one of that name.
            try:
                moved = not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
            except FileNotFoundError:
                moved = True
            if moved:
                raise NotReadable(
                    Message.of("{=path} was replaced by another file just now; try again.", path=str(path))
                )
            yield file
        finally:
            lock.release()
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "{=path} failed while it was in use: {=reason}; open it again and look how far it came.",
                path=str(path),
                reason=error.strerror,
            )
        ) from None


def _appending(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_APPEND)


def write(file: IO[bytes], data: bytes, path: str | os.PathLike[str]) -> None:
    """Write all of `data` and wait until the disk has it. Raises `WriteFailed`."""
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
        os.fsync(file.fileno())
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "{=path} could not be written to the end: {=why}; put that right, then try again.",
                path=os.fspath(path),
                why=error.strerror,
            )
        ) from None


def write_new(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Make a file with `data` in it, on the disk together with its name, or leave nothing.

    Raises `Exists` when something of that name does, be it a link to nothing, and `WriteFailed`. `mode` is
    the new file's permissions, from which the process's mask is taken.
    """

    made = False

    def exclusive(name: str, flags: int) -> int:
        nonlocal made
        descriptor = os.open(name, flags, mode)
        made = True
        return descriptor

    try:
        with portalocker.Lock(
            Path(path), "xb", LOCK_WAIT_SECONDS, PAUSE, buffering=0, opener=exclusive
        ) as file:
            write(file, data, path)
            sync_folder(path)
    except BaseException as error:
        if made:
            with suppress(OSError):
                os.unlink(path)
        raise _not_created(path, error) from None


def _not_created(path: str | os.PathLike[str], error: BaseException) -> BaseException:
    """What to say of a file that could not be made."""
    match error:
        case FileExistsError():
            return Exists(
                Message.of(
                    "{=path} exists already and is not overwritten; choose another name.", path=str(path)
                )
            )
        case FileNotFoundError():
            return WriteFailed(
                Message.of(
                    "{=path} cannot be created: there is no folder {=parent}; make it first.",
                    path=str(path),
                    parent=str(Path(path).parent),
                )
            )
        case portalocker.LockException():
            return WriteFailed(
                Message.of(
                    "{=path} cannot be locked, so it is not safe to write there: {=error}.",
                    path=str(path),
                    error=str(error),
                )
            )
        case OSError():
            return WriteFailed(
                Message.of("{=path} cannot be created: {=reason}.", path=str(path), reason=error.strerror)
            )
        case ValueError():
            return WriteFailed(Message.of("{=path} cannot be the name of a file.", path=repr(str(path))))
    return error


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Wait until the disk has the name of the file at `path`. Raises OSError."""
    if os.name == "nt":  # where a folder cannot be opened, and its entries are written through
        return
    folder = os.open(Path(path).parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
