"""The cost of an archive in addition to judging its records, in chess moves, and of packs beside judging.

    python -m tests.bench.index [GAME ...] [--dice table,seeded] [--events N] [--rounds N]

The unit is a move of chess that python-chess checks and pushes. The run plays games with bots. Then it times
these works in turn and in one process:

- judging the records as `validate` does, and indexing them;
- of one batch: making rows, gathering them and making them Arrow (the rest is the database's);
- copying the finished tables within DuckDB;
- packing.

Each figure is the least processor time of several rounds, over all threads. Compare the ratios, because the
times depend on the machine.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from msgspec import Struct

from gamelog.archive import index, pack
from gamelog.archive.rows.record_rows import RecordRows, RowBatch, record_rows
from gamelog.archive.schema.tables import RECORD_TABLES
from gamelog.archive.sources.items import Item, find_items, read_records
from gamelog.archive.workers.batch_workers import divide
from gamelog.archive.workers.judge_batch import assess, verdicts
from gamelog.errors import RecordError
from gamelog.play.contract.registry import names
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.judging.verdict import Verdict
from tests.bench.played import play
from tests.bench.verify import best_of, chess_games, push_all

EVENTS, MOVES, ROUNDS = 300_000, 8_000, 3
"""The least numbers of events for each kind of record and of moves, and the number of rounds."""

OWN, PACK_TABLE = 0.4, 1.1
"""Goals: chess moves an event for indexing in addition to judging, and the time of packing over judging."""


class Cost(Struct, frozen=True):
    """The work for each event, in chess moves.

    ``index`` and ``pack`` include ``judge``; ``rows``, ``columns`` and ``arrow`` are parts of ``index``.
    ``copy`` is DuckDB's share when the tables are finished.
    """

    events: int
    judge: float
    index: float
    rows: float
    columns: float
    arrow: float
    copy: float
    pack: float

    @property
    def own(self) -> float:
        """The cost of indexing in addition to judging."""
        return self.index - self.judge

    @property
    def line(self) -> str:
        """Return the cost as a line of the table."""
        parts = (self.rows, self.columns, self.arrow, self.own - self.rows - self.columns - self.arrow)
        shares = "".join(f"{part / self.own:9.0%}" for part in parts)
        return f"{self.judge:8.2f}{self.index:8.2f}{self.own:8.2f}{shares}{self.copy:8.2f}{self.pack / self.judge:8.2f}"


Works = dict[str, Callable[[], object]]


def whole_works(folder: Path, room: Path) -> Works:
    """Return the works that are timed over all the records in `folder`."""
    items = find_items([folder])
    archive = room / "archive"
    index([folder], archive)

    def packed() -> None:
        (room / "packed").unlink(missing_ok=True)
        pack([folder], room / "packed")

    def indexed() -> None:
        archive.unlink()
        index([folder], archive)

    return {
        "judge": lambda: deque(verdicts(items), 0),
        "index": indexed,
        "copy": lambda: _copy(archive, room / "copy"),
        "pack": packed,
    }


def part_works(batch: Sequence[Item]) -> tuple[Works, int]:
    """Return the works that are timed over one batch, and the number of its events."""
    judged = [assess(record) for _, record in read_records(batch) if not isinstance(record, RecordError)]
    told = [*_told(judged)]
    pile = _pile(told)
    works: Works = {
        "rows": lambda: deque(_told(judged), 0),
        "columns": lambda: _pile(told),
        "arrow": pile.batches,
    }
    return works, sum(len(folded.record.bodies) for folded, _ in judged)


def _told(judged: list[tuple[FoldedRecord, Verdict]]) -> Iterator[RecordRows]:
    return (record_rows(folded, verdict, verdict.path) for folded, verdict in judged)


def _pile(told: list[RecordRows]) -> RowBatch:
    pile = RowBatch()
    for one in told:
        pile.add(one)
    return pile


def _copy(archive: Path, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    with duckdb.connect(copy) as connection:
        connection.execute("SET threads = 1")
        connection.execute(f"ATTACH '{archive}' AS made (READ_ONLY)")
        for table in RECORD_TABLES:
            connection.execute(f"CREATE TABLE {table} AS FROM made.{table}")


def measure(game: str, dice: str, events: int = EVENTS, rounds: int = ROUNDS) -> Cost:
    """Return the cost of games between bots, with every number of players in turn."""
    yardstick = chess_games(MOVES)
    with TemporaryDirectory() as room:
        folder = Path(room, "records")
        total = play(game, folder, count(), dice, events)
        whole = whole_works(folder, Path(room))
        parts, some = part_works(next(divide(find_items([folder]), 1)))
        gc.freeze()  # so that the collector does not search the kept objects in every round
        best = best_of({"chess": lambda: push_all(yardstick), **whole, **parts}, rounds)
        gc.unfreeze()
    move = best.pop("chess") / sum(map(len, yardstick))
    return Cost(
        total, **{what: seconds / (some if what in parts else total) / move for what, seconds in best.items()}
    )


def mean(costs: list[Cost]) -> Cost:
    """Return the cost of an event if each kind of record has the same number."""
    over = [what for what in Cost.__struct_fields__ if what != "events"]
    return Cost(
        sum(cost.events for cost in costs),
        **{what: sum(getattr(cost, what) for cost in costs) / len(costs) for what in over},
    )


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.bench.index", description=(__doc__ or "").split("\n")[0]
    )
    wanted.add_argument("games", nargs="*", help="all of them if none is named")
    wanted.add_argument("--dice", default="table,seeded", help="sources of dice parted by commas")
    wanted.add_argument("--events", type=int, default=EVENTS)
    wanted.add_argument("--rounds", type=int, default=ROUNDS)
    asked = wanted.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f}. judge, index, own, copy: chess moves an event. own: index without judge, of which are"
    )
    print(
        "rows, columns, Arrow, and the database. copy: the finished tables, within DuckDB. pack: over judge."
    )
    columns = "".join(f"{column:>8}" for column in ("judge", "index", "own"))
    parts = "".join(f"{column:>9}" for column in ("rows", "columns", "arrow", "database"))
    print(f"{'records':34}{'events':>8}{columns}{parts}{'copy':>8}{'pack':>8}")
    for dice in asked.dice.split(","):
        costs = []
        for game in asked.games or names():
            costs.append(measure(game, dice, asked.events, asked.rounds))
            print(f"{f'{game}, {dice}':34}{costs[-1].events:8}{costs[-1].line}", flush=True)
        print(f"{f'all of these, {dice}':34}{mean(costs).events:8}{mean(costs).line}")


if __name__ == "__main__":
    main()
