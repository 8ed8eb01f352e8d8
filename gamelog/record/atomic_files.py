"""Files that people name for an answer: written in a place of one's own, then given their name.

Whoever may write to the same folder could have put a link there, under the name or under one that
looks temporary; what is written through it lands in somebody else's file. So what is made is made
in a new folder of a random name that nobody else may enter, and takes its name when it is whole.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree

import portalocker

from gamelog.errors import Exists, WriteFailed
from gamelog.message import Message
from gamelog.record import chain

_RECORDS = (chain.OPEN, b"PAR1", b"\x28\xb5\x2f\xfd")
"""How a record begins, a pack, and what is compressed."""


def holds_record(path: str | os.PathLike[str]) -> bool:
    """Whether the file at `path` looks like a record or several. Raises OSError where it cannot be read."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(chain.OPEN)).startswith(_RECORDS)


@contextmanager
def atomic_file(
    path: str | os.PathLike[str], *, replace: bool = True, room: str | None = None, within: Path | None = None
) -> Iterator[Path]:
    """A path to write to; when the block ends well, the file there becomes `path`, whatever had that name.

    Without `replace`, a name that is taken stays what it is. The file it becomes is a new one: a link is
    replaced, what it leads to is not touched. What is made lies under its name in a new folder beside `path`,
    called `room` (drawn by lot by whoever has to know it before) or at random, or in `within`, a `workroom`.
    Raises `Exists`, and `WriteFailed` for what the system refuses and for a pipe, a device or a folder.
    """
    target = Path(path).absolute()
    if not replace and os.path.lexists(target):
        raise _taken(path)
    _refuse_special(target)
    try:
        folder = within or target.parent / (room or f".gamelog-{token_hex(16)}")
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
        raise _taken(path) from None
    except OSError as error:
        if not target.parent.is_dir():
            raise WriteFailed(
                Message.of(
                    "{=path} cannot be written: there is no folder {=parent}; make it first.",
                    path=str(path),
                    parent=str(target.parent),
                )
            ) from None
        raise WriteFailed(
            Message.of("{=path} cannot be written: {=reason}.", path=str(path), reason=error.strerror)
        ) from None


@contextmanager
def workroom(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """A new folder in `folder` for what several processes make there. It goes when the block ends.

    Whoever is killed leaves one behind, whose lock nobody holds: such are removed first. Raises
    `WriteFailed`.
    """
    for left in Path(folder).glob(".gamelog-*/lock"):
        with suppress(OSError, portalocker.LockException), portalocker.Lock(left, "r+b", 0):
            rmtree(left.parent, ignore_errors=True)
    room = Path(folder, f".gamelog-{token_hex(16)}")
    try:
        room.mkdir(0o700)
    except OSError as error:
        raise WriteFailed(
            Message.of(
                "Nothing can be written to {=folder}: {=reason}.", folder=str(folder), reason=error.strerror
            )
        ) from None
    try:
        with portalocker.Lock(room / "lock", "xb", 0):
            yield room
    finally:
        rmtree(room, ignore_errors=True)


def write_atomically(
    path: str | os.PathLike[str], data: bytes, *, replace: bool = True, within: Path | None = None
) -> None:
    """Make `path` a file with `data` in it, and its folder where there is none. Raises as `placed` does."""
    with suppress(OSError):  # then writing says why
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path, replace=replace, within=within) as part:
        part.write_bytes(data)


def _taken(path: str | os.PathLike[str]) -> Exists:
    return Exists(
        Message.of("{=path} exists already and is not overwritten; choose another name.", path=str(path))
    )


def _refuse_special(path: Path) -> None:
    """What is there has to be a file, a link to one, or nothing: a name in ``/dev`` would be lost to all."""
    try:
        mode = os.stat(path).st_mode
        lasting = stat.S_ISREG(mode) and not (os.path.islink(path) and os.readlink(path).startswith("/proc/"))
    except OSError:  # nothing there, or nothing that can be reached: writing says why
        return
    except ValueError:
        raise WriteFailed(Message.of("{=path} cannot be the name of a file.", path=repr(str(path)))) from None
    if not lasting:
        raise WriteFailed(
            Message.of(
                "{=path} is not a file (a folder, a pipe or a device is there); name a file.", path=str(path)
            )
        )


def _link(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: the name was free a moment ago
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        os.rename(part, target)
