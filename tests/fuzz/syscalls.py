"""Every system call of creating, appending and recovering fails once: EIO, ENOSPC, or a kill.

    python -m tests.fuzz.syscalls [--operation append] [--every 1]

strace injects the faults into a real process that works on a real file. A first run lists the calls that
touch the record, the files beside it, or its folder. Then the process runs again for each call and each
fault. After each run:

- the process has ended with a confirmation, an error of Gamelog's own, or the kill;
- the confirmed events, and the content from before, are at their places;
- the record is whole or torn, and after a recovery it can be appended to;
- an event that was sent again under its key is there exactly once.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from gamelog.errors import GamelogError, RecordError
from gamelog.record.envelope import Event
from gamelog.record.reading import read_record
from gamelog.record.record_file import RecordFile, compose, create_record
from gamelog.record.recovery import SavedTail, recover
from tests.record.sample import HEADER, Move, moves

STRACE = shutil.which("strace")

FAULTS = ("error=EIO", "error=ENOSPC", "signal=KILL")

BASE = 3
"""Number of events in the record before an append or a recovery."""

BASE_BYTES, _ = compose(HEADER, moves(BASE))
TAIL = compose(HEADER, moves(BASE + 1))[0][len(BASE_BYTES) :][:40]
"""The beginning of a line that was never finished."""

PROGRAM = "import sys; from tests.fuzz.syscalls import child; child(*sys.argv[1:])"

KEY = "sent once"


def recovery_event(log: RecordFile, size: int, digest: str) -> Event:
    """Return the event that records the removal of a torn end."""
    return Move(log.n + 1, log.t, "table", f"{size} torn bytes {digest}")


# --- the traced process ---


def send(path: str) -> list[tuple[int, str]]:
    """Append one event, known by its key."""
    log = RecordFile.open(path)
    with log.lock() as locked:
        acks = locked.append([Move(log.n + 1, log.t, "red", "sent", id=KEY)])
    return [(ack.n, ack.head) for ack in acks]


def begin(path: str) -> list[tuple[int, str]]:
    """Start a record."""
    return [(0, create_record(path, HEADER).head)]


def recover_record(path: str) -> list[tuple[int, str]]:
    """Recover a torn record."""
    return [
        (done.ack.n, done.ack.head) for done in recover(path, recovery_event) if isinstance(done, SavedTail)
    ]


OPERATIONS: dict[str, Callable[[str], list[tuple[int, str]]]] = {
    "append": send,
    "create": begin,
    "recover": recover_record,
}


def child(operation: str, path: str) -> None:
    """Run the operation, and print its confirmations, or the error of Gamelog's own that stopped it."""
    try:
        print(json.dumps({"acks": OPERATIONS[operation](path)}), flush=True)
    except GamelogError as error:
        print(json.dumps({"refused": error.code, "message": str(error)}), flush=True)


# --- the faults ---


class Case(Struct, frozen=True):
    """A fault: the `at`-th call of `call` meets `fault`."""

    operation: str
    call: str
    at: int
    fault: str


def prepare(folder: Path, operation: str) -> Path:
    """Prepare a record for the operation."""
    path = folder / "game.jsonl"
    if operation == "append":
        path.write_bytes(BASE_BYTES)
    elif operation == "recover":
        path.write_bytes(BASE_BYTES + TAIL)
    return path


def run_traced(path: Path, operation: str, log: Path, *injection: str) -> subprocess.CompletedProcess[str]:
    """Run the operation under strace, limited to calls on the record, its folder or files beside it."""
    assert STRACE is not None, "asked for before"
    names = [path, path.parent, *(Path(f"{path}{ending}") for ending in (".torn", ".torn.part"))]
    watched = [argument for name in names for argument in ("-P", str(name))]
    program = [
        sys.executable,
        "-c",
        PROGRAM,
        operation,
        str(path),
    ]
    command = [STRACE, "-f", "-qq", "-o", str(log), *watched, *injection, *program]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2], timeout=60
    )


def calls(folder: Path, operation: str) -> Counter[str]:
    """Return how often the operation makes each system call on the traced files."""
    path, log = prepare(folder, operation), folder.parent / "trace"
    done = run_traced(path, operation, log)
    assert "acks" in done.stdout, done.stderr
    return Counter(re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE))


def cases(folder: Path, operation: str) -> list[Case]:
    """Return all cases of an operation."""
    counted = calls(folder, operation)
    return [
        Case(operation, call, at, fault)
        for call, count in counted.items()
        for at in range(1, count + 1)
        for fault in FAULTS
    ]


def run_case(folder: Path, case: Case) -> str:
    """Run one case, check the promises, and return how it ended: ``acks``, ``refused`` or ``killed``."""
    path, log = prepare(folder, case.operation), folder.parent / "trace"
    done = run_traced(path, case.operation, log, "-e", f"inject={case.call}:{case.fault}:when={case.at}")
    assert "Traceback" not in done.stderr, f"{case}: {done.stderr}"
    if case.fault.startswith("signal"):
        assert not done.stdout or "acks" in done.stdout, (case, done.stdout)
        ended = "acks" if done.stdout else "killed"
    else:
        assert done.returncode == 0, (case, done)
        ended = "acks" if "acks" in done.stdout else "refused"
    if case.operation == "create" and ended == "refused":
        assert not path.exists(), (case, "a refused record leaves no file")
    acks = json.loads(done.stdout).get("acks", []) if done.stdout else []
    check_promises(path, case, acks)
    return ended


def check_promises(path: Path, case: Case, acks: list[tuple[int, str]]) -> None:
    """Check that nothing old or confirmed is lost, and that the record can be continued."""
    if case.operation == "create" and not acks:
        if path.exists() and not path.read_bytes().endswith(b"\n"):
            path.unlink()  # never more than a part of a header; `recover` advises to delete it
        if not path.exists():
            create_record(path, HEADER)
    record = read_record(path)
    assert record.problem is None or record.problem.code == "record.torn", (case, record.problem)
    for n, head in acks:
        assert record.head_at(n) == head, case
    if case.operation != "create":
        assert path.read_bytes().startswith(BASE_BYTES), case
    asides = [] if record.problem is None and case.operation != "recover" else _recovered(path)
    again = send(str(path))
    record = read_record(path)
    assert record.problem is None, case
    assert record.head_at(again[0][0]) == again[0][1], case
    text = b"".join(record.bodies)
    assert text.count(b'"sent once"') == 1, case
    if case.operation == "recover":
        assert text.count(b"torn bytes") == 1, (case, "the recovery is recorded once")
        assert [path for path in path.parent.glob("*.torn*") if path.read_bytes() == TAIL], case
        assert len(asides) <= 1, case


def _recovered(path: Path) -> list[object]:
    """Recover the record, if that is not finished already."""
    try:
        return list(recover(path, recovery_event))
    except RecordError as error:
        if "there is nothing to recover" in str(error):
            return []
        raise


def missing_reason() -> str | None:
    """Return why no system call can be made to fail on this machine, or None."""
    if STRACE is None:
        return "strace is not installed, so no system call can be made to fail here"
    if subprocess.run([STRACE, "-o", "/dev/null", "true"], capture_output=True, check=False).returncode:
        return (
            "strace may not trace here (a container without ptrace?), so no system call can be made to fail"
        )
    return None


class Done(Struct):
    """The result: cases by how they ended, and the calls that were made to fail."""

    operation: str
    cases: int
    ended: dict[str, int]
    calls: dict[str, int]
    seconds: float


def run_faults(operation: str, every: int = 1, first: int = 0) -> Done:
    """Run all cases of an operation, or each `every`-th from the `first`."""
    begin_at = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        counted = calls(_fresh(folder), operation)
        chosen = cases(_fresh(folder), operation)[first::every]
        ended = Counter(run_case(_fresh(folder), case) for case in chosen)
    return Done(operation, len(chosen), dict(ended), dict(counted), time.monotonic() - begin_at)


def _fresh(folder: str) -> Path:
    """Return an empty folder of the same name as before, so that the calls are the same."""
    inner = Path(folder) / "records"
    shutil.rmtree(inner, ignore_errors=True)
    inner.mkdir()
    return inner


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.syscalls", description=__doc__.split("\n")[0])
    parser.add_argument("--operation", choices=OPERATIONS, action="append")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args(arguments)
    reason = missing_reason()
    if reason:
        sys.exit(f"{reason}.")
    for operation in given.operation or OPERATIONS:
        print(run_faults(operation, given.every))


if __name__ == "__main__":
    main()
