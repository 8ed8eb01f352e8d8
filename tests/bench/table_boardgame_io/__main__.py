"""The table compared with boardgame.io's server: the delay until followers see an event, and processor time.

    python -m tests.bench.table_boardgame_io [--followers 50,300] [--events 400] [--rounds 3] [--pause 0.02]
        [--modules FOLDER]

Both serve the same game (`game/marking.py`, `server.js`) to the same number of followers, with the same
events at the same pace. They run in turn, each time as a new process. The run needs node and npm.
boardgame.io is in FOLDER, or is installed into a temporary folder.

boardgame.io keeps the game in memory and sends each follower the whole state. `gamelog serve` confirms events
that are on the disk, and sends the event. One process writes and follows. The times of arrival are the
kernel's (`clients.py`), so that the speed of this process does not count.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.table import process_cost, quantile
from tests.bench.table_boardgame_io.clients import Evening, Room, Table
from tests.table.client import GAMELOG, begin, end

HERE = Path(__file__).parent
WARM = 40
"""Number of events before the measurement, because both languages begin slowly."""


class Took(NamedTuple):
    """The delays until half and until 99 % have seen an event, and the cost of the server.

    The delays are in ms since the confirmation and since the event was sent. The cost is the processor time
    for an event, and the memory at the end in MB.
    """

    half: float
    most: float
    half_sent: float
    most_sent: float
    processor: float
    memory: float


Begun = Callable[[int], "tuple[int, Evening]"]
"""A server with its followers: its process, and its clients."""


@contextmanager
def table(room: Path, followers: int) -> Iterator[tuple[int, Evening]]:
    """Start `gamelog serve`."""
    path = room / "evening.jsonl"
    subprocess.run(
        [GAMELOG, "new", "marking", path, "--seat", "red=Ana", "--seat", "blue=Rui"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    serving = begin(path)
    try:
        yield serving.process.pid, Table(serving.scorer, serving.spectator, followers)
    finally:
        end(serving)
        path.unlink()


@contextmanager
def other(room: Path, followers: int) -> Iterator[tuple[int, Evening]]:
    """Start boardgame.io."""
    process = subprocess.Popen(
        ["node", "server.js"], cwd=room, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | {"NODE_ENV": "production"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        port = next(int(line.split()[1]) for line in process.stdout if line.startswith("port "))
        yield process.pid, Room(port, followers)
    finally:
        process.terminate()
        process.communicate()


def measure(pid: int, evening: Evening, events: int, pause: float) -> Took:
    """Send the given number of events, one after the other, and return the measurements."""
    since_acknowledged: list[float] = []
    since_sent: list[float] = []
    begun = 0.0
    for n in range(1, WARM + events + 1):
        if n == WARM + 1:
            begun = process_cost(pid)[0]
        sent, acknowledged, arrived = evening.event(n)
        if n > WARM:
            since_acknowledged += (max(0.0, at - acknowledged) * 1000 for at in arrived)
            since_sent += ((at - sent) * 1000 for at in arrived)
        time.sleep(pause)
    processor, memory = process_cost(pid)
    late, later = sorted(since_acknowledged), sorted(since_sent)
    return Took(
        half=quantile(late, 0.5),
        most=quantile(late, 0.99),
        half_sent=quantile(later, 0.5),
        most_sent=quantile(later, 0.99),
        processor=(processor - begun) / events * 1000,
        memory=memory,
    )


def print_line(name: str, took: Took) -> None:
    """Return a line of the table."""
    print(
        f"  {name:14} since acknowledged: half {took.half:6.1f} ms, 99 % {took.most:6.1f} ms; since sent: "
        f"half {took.half_sent:6.1f} ms, 99 % {took.most_sent:6.1f} ms; server: {took.processor:6.2f} ms of processor time "
        f"an event, {took.memory:4.0f} MB",
        flush=True,
    )


def compare(room: Path, followers: int, events: int, rounds: int, pause: float) -> None:
    """Measure both in turn, and print the ratios."""
    print(f"{followers} followers, {events} events", flush=True)
    sides = {"gamelog serve": table, "boardgame.io": other}
    took: dict[str, list[Took]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            with side(room, followers) as (pid, evening):
                took[name].append(measure(pid, evening, events, pause))
                evening.close()
            print_line(name, took[name][-1])
    ours, theirs = (Took(*map(statistics.median, zip(*one, strict=True))) for one in took.values())
    ratios = {name: getattr(ours, name) / getattr(theirs, name) for name in Took._fields}
    print(
        f"  ratio of the middle rounds: since acknowledged half {ratios['half']:.2f}, 99 % {ratios['most']:.2f}; since sent half "
        f"{ratios['half_sent']:.2f}, 99 % {ratios['most_sent']:.2f}; processor time {ratios['processor']:.2f}; memory "
        f"{ratios['memory']:.2f}",
        flush=True,
    )


def install_server(room: Path, modules: Path | None) -> None:
    """Install boardgame.io into `room`."""
    for name in ("package.json", "server.js"):
        shutil.copy(HERE / name, room)
    if modules is None:
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"],
            cwd=room,
            check=True,
        )
    else:
        (room / "node_modules").symlink_to(modules.absolute())


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.table_boardgame_io", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--followers", default="50,300", help="numbers of followers, separated by commas")
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between two events")
    parser.add_argument("--modules", type=Path, help="a folder node_modules where boardgame.io lies already")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    os.environ["PYTHONPATH"] = str(HERE / "game")
    with TemporaryDirectory() as folder:
        install_server(Path(folder), given.modules)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        for followers in map(int, given.followers.split(",")):
            compare(Path(folder), followers, given.events, given.rounds, given.pause)


if __name__ == "__main__":
    main()
