"""Atomic output files: written under a private name, then renamed.

Anyone who can write to the same folder could place a link there, under the final name or under a name that
looks temporary. Data written through that link would end up in another file. So Gamelog writes into a new
folder with a random name that no other user may enter, and renames the file when it is complete.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree

from gamelog.errors import Exists, WriteFailed
from gamelog.message import Message
from gamelog.record import chain

_RECORDS = (chain.OPEN, b"PAR1", b"\x28\xb5\x2f\xfd")
"""First bytes of a record, of a pack and of compressed data."""


def looks_like_record(path: str | os.PathLike[str]) -> bool:
    """Return whether the file at `path` looks like one or several records.

    Raises:
        OSError: The file cannot be read.
    """
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(chain.OPEN)).startswith(_RECORDS)


@contextmanager
def atomic_file(
    path: str | os.PathLike[str],
    *,
    replace: bool = True,
    temp_folder: str | None = None,
    within: Path | None = None,
) -> Iterator[Path]:
    """Yield a path to write to. If the block succeeds, the file at that path replaces `path`.

    The result is always a new file. If `path` is a link, the link is replaced and its target is untouched.

    Args:
        path: Path of the complete file.
        replace: Whether to replace an existing file.
        temp_folder: Name of the new folder beside `path` for the unfinished file, if the caller must know it
            in advance. The default is a random name.
        within: A folder from `shared_temporary_folder` for the unfinished file, instead of a new folder.

    Raises:
        Exists: `path` exists and `replace` is false.
        WriteFailed: The system refused the write, or `path` is a pipe, a device or a folder.
    """
    target = Path(path).absolute()
    if not replace and os.path.lexists(target):
        raise _name_in_use(path)
    _refuse_special(target)
    try:
        folder = within or target.parent / (temp_folder or f".gamelog-{token_hex(16)}")
        part = folder / (f"{os.getpid()}-{target.name}.part" if within else target.name)
        if not within:
            folder.mkdir(0o700)
        try:
            yield part
            if replace:
                os.replace(part, target)
            else:
                _link(part, target)
        finally:
            if within:
                part.unlink(missing_ok=True)
            else:
                rmtree(folder, ignore_errors=True)
    except FileExistsError:
        raise _name_in_use(path) from None
    except OSError as error:
        if not target.parent.is_dir():
            raise WriteFailed(
                Message.of(
                    "Cannot write {=path}: the folder {=parent} does not exist. Create the folder first.",
                    path=str(path),
                    parent=str(target.parent),
                )
            ) from None
        raise WriteFailed(
            Message.of(
                "Cannot write {=path}: {=error}. Check the folder and your access to it, then try again.",
                path=str(path),
                error=error.strerror,
            )
        ) from None


@contextmanager
def shared_temporary_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new folder in `folder` for the unfinished files of several processes, and remove it at the end.

    A killed process leaves its folder behind, with a lock file that is not locked. Such folders are removed
    first.

    Raises:
        WriteFailed: The folder cannot be created.
    """
    import portalocker  # only when a file is written: its import takes a tenth of a quick command

    for old_lock in Path(folder).glob(".gamelog-*/lock"):
        with suppress(OSError, portalocker.LockException), portalocker.Lock(old_lock, "r+b", 0):
            rmtree(old_lock.parent, ignore_errors=True)
    temp_folder = Path(folder, f".gamelog-{token_hex(16)}")
    try:
        temp_folder.mkdir(0o700)
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "Cannot write to the folder {=folder}: {=error}. Check the folder and your access to it, "
                "then try again.",
                folder=str(folder),
                error=error.strerror,
            )
        ) from None
    try:
        with portalocker.Lock(temp_folder / "lock", "xb", 0):
            yield temp_folder
    finally:
        rmtree(temp_folder, ignore_errors=True)


def write_atomically(
    path: str | os.PathLike[str], data: bytes, *, replace: bool = True, within: Path | None = None
) -> None:
    """Write `data` to the file `path`, and create its folder if necessary.

    Args:
        path: The file. If it is a link, the link is replaced.
        data: The whole content.
        replace: Whether to replace an existing file.
        within: A folder from `shared_temporary_folder` for the unfinished file, or None for a new folder.

    Raises:
        Exists: `path` exists and `replace` is false.
        WriteFailed: The system refused the write, or `path` is a pipe, a device or a folder.
    """
    with suppress(OSError):  # if this fails, the write below reports the reason
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path, replace=replace, within=within) as part:
        part.write_bytes(data)


def _name_in_use(path: str | os.PathLike[str]) -> Exists:
    return Exists(
        Message.of(
            "{=path} already exists. Gamelog does not overwrite files. Choose another name.", path=str(path)
        )
    )


def _refuse_special(path: Path) -> None:
    """Raise `WriteFailed` unless `path` is a file, a link to a file, or free.

    Renaming over a name in ``/dev`` would remove a device that other programs use.
    """
    try:
        mode = os.stat(path).st_mode
        lasting = stat.S_ISREG(mode) and not (os.path.islink(path) and os.readlink(path).startswith("/proc/"))
    except OSError:  # the name is free or unreachable; the write reports the reason
        return
    except ValueError:
        raise WriteFailed(
            Message.of("{=path} is not a valid file name. Choose another name.", path=repr(str(path)))
        ) from None
    if not lasting:
        raise WriteFailed(
            Message.of("{=path} is a folder, a pipe or a device. Give the name of a file.", path=str(path))
        )


def _link(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # this file system has no hard links
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        os.rename(part, target)
