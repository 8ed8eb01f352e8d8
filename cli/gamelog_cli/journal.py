"""Journal of a run of `gamelog index`: one JSON object a line, written at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from uuid import uuid4

import msgspec


@contextmanager
def journal(path: Path) -> Iterator[Callable[[str, dict[str, object]], None]]:
    """Yield a function that adds an action and its members to the file at `path`.

    Each object has ``run`` (an id of this run), ``at`` (UTC), ``seconds`` since the previous action, and
    ``action``. The last action of a run is ``end``, or ``failed`` with the error.

    Raises:
        OSError: The file cannot be written.
    """
    run, before = uuid4().hex, monotonic()
    with path.open("ab", buffering=0) as file:

        def add_entry(action: str, members: dict[str, object]) -> None:
            nonlocal before
            now = monotonic()
            time = datetime.now(UTC).isoformat(timespec="milliseconds")
            first_members = {"run": run, "at": time, "action": action, "seconds": round(now - before, 3)}
            file.write(msgspec.json.encode({**first_members, **members}) + b"\n")
            before = now

        add_entry("start", {})
        try:
            yield add_entry
        except BaseException as error:
            add_entry("failed", {"error": f"{type(error).__name__}: {error}"})
            raise
