"""A large archive for timing questions: a real archive, many times over.

    python -m tests.bench.replica ARCHIVE OUT --rows N

OUT gets at least N event rows. Each copy of a record has an id and a path of its own. Its seats have people
instead of bots, 5,000 in all, so that ratings have as much to do as in a league.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import duckdb

from gamelog.archive import TABLES
from gamelog.archive.schema.tables import ROW_TYPES

PLAYERS = 5_000

OWN = {
    "id": "printf('%08x', $k) || substr(id, 9)",
    "copy_of": "printf('%08x', $k) || substr(copy_of, 9)",
    "parent": "printf('%08x', $k) || substr(parent, 9)",
    "path": "path || $k",
    "player": f"'player ' || hash(id, seat, $k) % {PLAYERS}",
    "name": f"'player ' || hash(id, seat, $k) % {PLAYERS}",
}
"""The columns that differ in copy ``$k``."""


def replicate(archive: Path, out: Path, rows: int) -> int:
    """Write `out`, also over an existing file; return how many times it contains `archive`."""
    shutil.copyfile(archive, out)
    with duckdb.connect(str(out)) as connection:
        run = connection.execute
        run("SET threads = 2")
        run("SET enable_progress_bar = false")
        ((events,),) = run("SELECT count(*) FROM events").fetchall()
        copies: int = -(-rows // events)
        for table in (TABLES[name] for name in ROW_TYPES):  # the tables about a league stay as they are
            run(f"CREATE TEMP TABLE original AS FROM {table.name}")
            run(f"TRUNCATE {table.name}")
            own = ", ".join(
                f"{OWN[column.name]} AS {column.name}" for column in table.columns if column.name in OWN
            )
            for k in range(copies):
                run(f"INSERT INTO {table.name} SELECT * REPLACE ({own.replace('$k', str(k))}) FROM original")
            run("DROP TABLE original")
        run("CHECKPOINT")
    return copies


def main() -> None:
    """Run the command line."""
    wanted = argparse.ArgumentParser(prog="python -m tests.bench.replica", description=__doc__.split("\n")[0])
    wanted.add_argument("archive", type=Path)
    wanted.add_argument("out", type=Path)
    wanted.add_argument("--rows", type=int, default=50_000_000, help="of events")
    asked = wanted.parse_args()
    print(f"{replicate(asked.archive, asked.out, asked.rows)} times {asked.archive}")


if __name__ == "__main__":
    main()
