"""Every long run at its full size."""

from __future__ import annotations

from tests.fuzz import games, machine, mutations, packs, powercut, record, syscalls

if __name__ == "__main__":  # not in the processes that the runs start
    for command in ("flips", "writers", "kills"):
        record.main([command])
    games.main([])
    for module in (syscalls, powercut, machine, mutations, packs):
        module.main([])
