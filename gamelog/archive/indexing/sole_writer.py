"""One process at a time brings an archive up to date, though others read it meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import portalocker

from gamelog.errors import ArchiveError


@contextmanager
def sole_writer(archive: str | os.PathLike[str]) -> Iterator[None]:
    """Keep others from indexing into `archive`, by a locked file beside it; the system unlocks it when this
    process ends.

    Raises `ArchiveError` when another process does so already.
    """
    path = f"{os.fspath(archive)}.lock"
    try:
        file = open(path, "a+")  # noqa: SIM115  (closed below; the yield of the other way out stands between)
    except OSError:  # opening the archive will say why
        yield
        return
    with file:
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            file.seek(0)
            holder = file.read(20).strip()
            who = "this process" if holder == str(os.getpid()) else f"another process (PID {holder})"
            raise ArchiveError(f"{archive} is being used by {who}; try again when that is done.") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):  # Windows does not delete what is open
                os.unlink(path)
