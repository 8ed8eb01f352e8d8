"""A run's journal, for whoever watches it at night: one JSON object a line, flushed at once."""

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
    """Something that notes an action and what there is to say of it, added to the file at `path`.

    Each object has ``run`` (an id of this run), ``at`` (UTC), ``seconds`` since the action before and
    ``action``. The last of a run is ``end``, or ``failed`` with the error. Raises `OSError` when the file
    cannot be written.
    """
    run, before = uuid4().hex, monotonic()
    with path.open("ab", buffering=0) as file:

        def note(action: str, told: dict[str, object]) -> None:
            nonlocal before
            now = monotonic()
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            head = {"run": run, "at": at, "action": action, "seconds": round(now - before, 3)}
            file.write(msgspec.json.encode({**head, **told}) + b"\n")
            before = now

        note("start", {})
        try:
            yield note
        except BaseException as error:
            note("failed", {"error": f"{type(error).__name__}: {error}"})
            raise
