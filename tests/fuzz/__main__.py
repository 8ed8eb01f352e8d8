"""Every long run at its full size, or the named runs.

python -m tests.fuzz [NAME ...]
"""

from __future__ import annotations

import argparse

from tests.fuzz import crowd, games, machine, mutations, offline, packs, powercut, record, syscalls, table

RUNS = {
    "flips": lambda: record.main(["flips"]),
    "writers": lambda: record.main(["writers"]),
    "kills": lambda: record.main(["kills"]),
    "games": lambda: games.main([]),
    "syscalls": lambda: syscalls.main([]),
    "powercut": lambda: powercut.main([]),
    "machine": lambda: machine.main([]),
    "mutations": lambda: mutations.main([]),
    "packs": lambda: packs.main([]),
    "table": lambda: table.main([]),
    "offline": lambda: offline.main([]),
    "crowd": lambda: crowd.main([]),
}

if __name__ == "__main__":  # not in the processes that the runs start
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(RUNS)}")
    asked = parser.parse_args().names
    if strange := [name for name in asked if name not in RUNS]:
        parser.error(f"there is no run {strange[0]}; there are: {', '.join(RUNS)}")
    for name in asked or RUNS:
        RUNS[name]()
