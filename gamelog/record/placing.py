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
from tempfile import TemporaryDirectory

from gamelog.errors import Exists, WriteFailed


@contextmanager
def placed(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[Path]:
    """A path to write to; when the block ends well, the file there becomes `path`, whatever file or link had that name.

    Without `replace`, a name that is taken stays what it is. The file it becomes is a new one: a link is replaced, what it
    leads to is not touched. Raises `Exists`, and `WriteFailed` for what the system refuses and for a pipe, a device or a folder.
    """
    target = Path(path)
    _refuse_special(target)
    if not replace and os.path.lexists(target):
        raise _taken(target)
    try:
        with TemporaryDirectory(prefix=".gamelog-", dir=target.parent) as folder:
            part = Path(folder, "part")
            yield part
            if replace:
                os.replace(part, target)
            else:
                _link(part, target)
    except FileExistsError:
        raise _taken(target) from None
    except FileNotFoundError as error:
        if target.parent.is_dir():
            raise WriteFailed(f"{path} cannot be written: {error.strerror}.") from None
        raise WriteFailed(f"{path} cannot be written: there is no folder {target.parent}; make it first.") from None
    except ValueError:
        raise WriteFailed(f"{str(path)!r} cannot be the name of a file.") from None
    except OSError as error:
        raise WriteFailed(f"{path} cannot be written: {error.strerror}.") from None


def place(path: str | os.PathLike[str], data: bytes) -> None:
    """Make `path` a file with `data` in it, and its folder where there is none. Raises `WriteFailed`."""
    with suppress(OSError):  # then writing says why
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    with placed(path) as part:
        part.write_bytes(data)


def _taken(path: Path) -> Exists:
    return Exists(f"{path} exists already and is not overwritten; choose another name.")


def _refuse_special(path: Path) -> None:
    """What is there has to be a file, a link to one, or nothing: a name in ``/dev`` would be lost to everybody."""
    try:
        mode = os.stat(path).st_mode
        lasting = stat.S_ISREG(mode) and not (os.path.islink(path) and os.readlink(path).startswith("/proc/"))
    except (OSError, ValueError):  # nothing there, or nothing that can be: writing says why
        return
    if not lasting:
        raise WriteFailed(f"{path} is not a file (a folder, a pipe or a device is there); name a file.")


def _link(part: Path, target: Path) -> None:
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: the name was free a moment ago
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        os.rename(part, target)
