"""Tests of the start of worker processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
from threading import Event, Thread
from gamelog.archive.workers.process_pool import start_pool, terminate
known = []
def what_is_known():
    return known
if __name__ == "__main__":
    known.append("all that the first process knows")
    for _ in range(2):
        some = start_pool(1, 4 << 30)
        print(some.schedule(what_is_known).result())
        terminate(some)
        Thread(target=Event().wait, daemon=True).start()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every process is a fresh one")
def test_a_process_without_other_threads_is_forked_and_one_that_has_some_is_not(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['all that the first process knows']\n[]\n", "")


INTERRUPTED = """
import os, signal
from gamelog.archive.workers.process_pool import start_pool, terminate
if __name__ == "__main__":
    os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
    some = start_pool(1, 4 << 30)
    try:
        some.schedule(int)
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        terminate(some)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is forked")
def test_an_interrupt_in_the_middle_of_a_fork_is_not_lost(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


PREPARED = """
import os, resource, signal
from gamelog.archive.workers.process_pool import start_pool
if __name__ == "__main__":
    some = start_pool(1, 1 << 33)
    some.schedule(print, args=["a game speaks"]).result()
    limit, _ = some.schedule(resource.getrlimit, args=[resource.RLIMIT_AS]).result()
    print(limit == 1 << 33, some.schedule(os.getpid).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited")
def test_a_process_is_limited_keeps_its_words_out_of_the_answer_and_ends_with_its_parent(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(PREPARED)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True
    )  # reads until all have ended
    is_limited, pid = done.stdout.split()
    assert (is_limited, done.stderr.splitlines()[0]) == ("True", "a game speaks")
    assert not Path(f"/proc/{pid}").exists() or "zombie" in Path(f"/proc/{pid}/status").read_text()
