"""Archives against plain validation of the same records, and as they grow.

``python -m tests.bench.archive [GAME] [--games N]`` plays N games between bots into a temporary folder, then measures each
step in a process of its own: seconds on the clock, seconds of processor (children included), and the most memory it held.
On a busy machine only the processor's seconds mean something.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gamelog.play.driver import simulate
from gamelog.play.registry import find, names
from gamelog.record.compose import compose

STEP = """
import resource, sys, time
def main():
    from pathlib import Path
    from gamelog.archive import Reader, all_questions, index, pack, unpack
    from gamelog.play.verify import validate
    shelf, archive, packed = sys.argv[1:]
    begin = time.perf_counter()
    {code}
    wall = time.perf_counter() - begin
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    print(wall, cpu, max(one.ru_maxrss for one in used) / 1024)
if __name__ == "__main__":
    main()
"""

STEPS = {
    "import alone": "pass",
    "validate": "[validate(path) for path in Path(shelf).rglob('*.jsonl')]",
    "index, 1 process": "index([shelf], archive)",
    "index again, nothing changed": "index([shelf], archive)",
    "index, 2 processes": "Path(archive).unlink(); index([shelf], archive, jobs=2)",
    "every stock question": "reader = Reader(archive); [reader.ask(name) for name in all_questions()]",
    "pack": "pack([shelf], packed)",
    "index the pack": "index([packed], archive + '2')",
    "unpack": "unpack(packed, shelf + '2')",
}


def write(game_id: str, games: int, shelf: Path) -> tuple[int, int]:
    """Records of `games` games with every number of players in turn; their events and bytes."""
    game = find(game_id)
    players = sorted(game.seats)
    total = size = 0
    for at in range(games):
        header, events = simulate(game, "bench", at, players=players[at % len(players)], bots=("random", "greedy"), dice="table")
        data, _ = compose(header, events)
        folder = shelf / f"{at // 1000:03}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{header.id}.jsonl").write_bytes(data)
        total += len(events)
        size += len(data)
    return total, size


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser()
    wanted.add_argument("game", nargs="?", default=names()[0])
    wanted.add_argument("--games", type=int, default=1000)
    asked = wanted.parse_args()
    with TemporaryDirectory() as folder:
        shelf, archive, packed = Path(folder, "records"), Path(folder, "archive"), Path(folder, "all.gamelog.parquet")
        events, size = write(asked.game, asked.games, shelf)
        print(f"{asked.game}: {asked.games:,} games, {events:,} events, {size / events:.0f} bytes an event")
        for name, code in STEPS.items():
            step = [sys.executable, "-c", STEP.format(code=code), str(shelf), str(archive), str(packed)]
            done = subprocess.run(step, capture_output=True, text=True, check=True)
            wall, cpu, memory = map(float, done.stdout.split())
            rate = f"{events / cpu:10,.0f} events/s of processor" if cpu > 1 else ""
            print(f"{name:30} {wall:8.2f} s {cpu:8.2f} s of processor {memory:6.0f} MB {rate}")
        print(f"archive {archive.stat().st_size / events:.1f} bytes an event, pack {packed.stat().st_size / events:.1f}")


if __name__ == "__main__":
    main()
