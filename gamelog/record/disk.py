"""Safe writing: the lock, complete writes and the sync to disk.

An advisory lock is held on the record's own file. This module does not know the content of a record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from gamelog.errors import Exists, Locked, NotReadable, WriteFailed
from gamelog.message import Message
from gamelog.record.reading import check_regular_file, is_compressed

LOCK_WAIT_SECONDS = 10.0
"""Maximum wait for another writer's lock. An append takes milliseconds, so a longer wait means that the other
program hangs.
"""

_LOCK_RETRY_SECONDS = 0.002
"""Seconds between two attempts to get a lock."""


def refuse_compressed(path: str | os.PathLike[str]) -> None:
    """Raise `WriteFailed` for a ``.zst`` file, because each append would compress the whole file again."""
    if is_compressed(path):
        raise WriteFailed(
            Message.of(
                "{=path} is compressed, so nothing can be added to it. Decompress it first: unzstd {$path}",
                path=str(path),
            )
        )


@contextmanager
def open_locked(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open an existing record for reading and appending, with an exclusive lock.

    The lock stops only programs that ask for it.

    Raises:
        NotReadable: The file cannot be read.
        WriteFailed: The file may not be written or locked.
        Locked: Another program held the lock for `LOCK_WAIT_SECONDS` seconds.
    """
    import portalocker  # only when a file is written: its import takes a tenth of a quick command

    check_regular_file(path)
    refuse_compressed(path)
    lock = portalocker.Lock(
        Path(path), "r+b", LOCK_WAIT_SECONDS, _LOCK_RETRY_SECONDS, buffering=0, opener=_open_appending
    )
    try:
        file = lock.acquire()
    except portalocker.AlreadyLocked:
        raise Locked(
            Message.of(
                "Another program has locked {=path} for {=seconds} seconds. Try again when that "
                "program has finished.",
                path=os.fspath(path),
                seconds=f"{LOCK_WAIT_SECONDS:g}",
            )
        ) from None
    except portalocker.LockException as error:
        raise WriteFailed(
            Message.of(
                "Cannot lock {=path}: {=error}. Writing without a lock is not safe. Copy the "
                "record to a local disk.",
                path=str(path),
                error=str(error),
            )
        ) from None
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "Cannot write {=path}: {=error}. Check the folder and your access to it, then try again.",
                path=str(path),
                error=error.strerror,
            )
        ) from None
    try:
        try:
            # During the wait another file may have taken this name; then the lock is on the old file.
            try:
                moved = not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
            except FileNotFoundError:
                moved = True
            if moved:
                raise NotReadable(
                    Message.of("Another file has just replaced {=path}. Try again.", path=str(path))
                )
            yield file
        finally:
            lock.release()
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "{=path} failed while the record was open: {=error}. Open the record again "
                "and check which event is the last.",
                path=str(path),
                error=error.strerror,
            )
        ) from None


def _open_appending(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_APPEND)


def write(file: IO[bytes], data: bytes, path: str | os.PathLike[str]) -> None:
    """Write all of `data` and wait until it is on the disk.

    Raises:
        WriteFailed: The system refused the write.
    """
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
        os.fsync(file.fileno())
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "{=path} was not written completely: {=error}. Solve this problem, then try again.",
                path=os.fspath(path),
                error=error.strerror,
            )
        ) from None


def write_new(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Create a file with `data` and sync it and its name to the disk, or leave nothing behind.

    `mode` contains the permissions before the process's mask is applied.

    Raises:
        Exists: The name is in use, even by a link that leads nowhere.
        WriteFailed: The system refused the write.
    """
    import portalocker

    is_created = False

    def exclusive(name: str, flags: int) -> int:
        nonlocal is_created
        descriptor = os.open(name, flags, mode)
        is_created = True
        return descriptor

    try:
        with portalocker.Lock(
            Path(path), "xb", LOCK_WAIT_SECONDS, _LOCK_RETRY_SECONDS, buffering=0, opener=exclusive
        ) as file:
            write(file, data, path)
            sync_folder(path)
    except BaseException as error:
        if is_created:
            with suppress(OSError):
                os.unlink(path)
        raise _creation_error(path, error) from None


def _creation_error(path: str | os.PathLike[str], error: BaseException) -> BaseException:
    """Return the Gamelog error for a file that could not be created."""
    import portalocker

    match error:
        case FileExistsError():
            return Exists(
                Message.of(
                    "{=path} already exists. Gamelog does not overwrite files. Choose another name.",
                    path=str(path),
                )
            )
        case FileNotFoundError():
            return WriteFailed(
                Message.of(
                    "Cannot create {=path}: the folder {=parent} does not exist. Create the folder first.",
                    path=str(path),
                    parent=str(Path(path).parent),
                )
            )
        case portalocker.LockException():
            return WriteFailed(
                Message.of(
                    "Cannot lock {=path}: {=error}. Writing without a lock is not safe. Copy "
                    "the record to a local disk.",
                    path=str(path),
                    error=str(error),
                )
            )
        case OSError():
            return WriteFailed(
                Message.of(
                    "Cannot create {=path}: {=error}. Check the folder and your access to it, then "
                    "try again.",
                    path=str(path),
                    error=error.strerror,
                )
            )
        case ValueError():
            return WriteFailed(
                Message.of("{=path} is not a valid file name. Choose another name.", path=repr(str(path)))
            )
    return error


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Wait until the name of the file at `path` is on the disk.

    Raises:
        OSError: The system refused the sync.
    """
    if os.name == "nt":  # Windows cannot open a folder and writes its entries immediately
        return
    folder = os.open(Path(path).parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
