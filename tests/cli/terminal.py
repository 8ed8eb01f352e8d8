"""A person at a terminal: `gamelog` on a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

PROGRAM = str(Path(sys.executable).parent / "gamelog")
PATIENCE = 120.0
"""Maximum seconds for any answer on a busy machine."""

STEERING = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>78]|\x1b\][^\x07]*\x07|\r")


class Terminal:
    """A terminal: ``with Terminal("record", path) as screen: screen.sees(">"); screen.types("pass\\r")``."""

    def __init__(self, *args: object, **environment: str) -> None:
        self._main, end = pty.openpty()
        env = {
            **os.environ,
            "TERM": "xterm",
            "COLUMNS": "100",
            "LINES": "40",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **environment,
        }
        self._process = subprocess.Popen(
            [PROGRAM, *map(str, args)],
            stdin=end,
            stdout=end,
            stderr=end,
            env=env,
            start_new_session=True,
            close_fds=True,
        )
        os.close(end)
        self.text = ""
        self._read = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._main)

    def limit_files(self, size: int) -> None:
        """Refuse any write that makes a file larger than `size` bytes, as a full disk does (-1: no limit)."""
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def types(self, text: str) -> None:
        """Press these keys."""
        os.write(self._main, text.encode())

    def sees(self, *wanted: str, within: float = PATIENCE) -> str:
        """Read until all of `wanted` have appeared in this order since the last call. Return the new text.

        A prompt is drawn again with each letter, so `wanted` should include the text before the next prompt.
        """
        end = time.monotonic() + within
        while True:
            fresh = self.text[self._read :]
            if _in_order(wanted, fresh):
                self._read = len(self.text)
                return fresh
            left = end - time.monotonic()
            if left <= 0 or not self._more(left):
                raise AssertionError(f"{wanted} not in:\n{fresh}")

    def ends(self) -> int:
        """Read to the end, and return the exit status."""
        while self._more(PATIENCE):
            pass
        return self._process.wait(PATIENCE)

    def _more(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._main], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._main, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += STEERING.sub("", data.decode("utf-8", "replace"))
        return bool(data)


def _in_order(wanted: tuple[str, ...], text: str) -> bool:
    """Return whether `text` contains all of `wanted` in this order."""
    place = 0
    for part in wanted:
        place = text.find(part, place) + len(part)
        if place < len(part):
            return False
    return True
