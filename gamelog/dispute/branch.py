"""Branches: a record that goes on from an earlier point of another.

The branch holds the parent's lines up to there, byte for byte but for their digests, which are
chained anew under a header that names the parent's id, the number of the last shared event and the
parent's head at that event. Dice of the shared part were rolled for the parent: those from a seed are
recomputed under its id (`gamelog.play.fold`), those of commit-reveal only in the parent itself. The
links of such a record may be known by now, so its branch goes on with dice rolled at the table.
"""

from __future__ import annotations

import msgspec

from gamelog.errors import PlayError
from gamelog.play.verify import replay
from gamelog.record import chain
from gamelog.record.envelope import Parent
from gamelog.record.reading import Record


def branch(record: Record, n: int, id: str) -> bytes:
    """A new record, called `id`, that shares the first `n` events with `record`.

    Raises `PlayError` when there is no good event `n`: what the rules forbid, or what is damaged,
    cannot be gone on from.
    """
    replayed = replay(record)
    fold = replayed.fold
    if fold is None:
        raise PlayError(f"{record.path} cannot be branched: {replayed.findings[0].message}.")
    if not 0 <= n <= fold.n:
        failed = next((found for found in replayed.findings if found.severity == "error"), None)
        reason = f": {failed.message}" if failed else ""
        raise PlayError(f"There is no good event {n} in {record.path}; the last is {fold.n}{reason}.")
    earlier = [Parent(parent.id, min(parent.n, n), parent.head) for parent in fold.header.parents]
    parents = [*earlier, Parent(fold.header.id, n, record.head_at(n))]
    members = {name: value for name, value in record.members.items() if name != "h"}
    members |= {"id": id, "parents": msgspec.to_builtins(parents)}
    if fold.header.dice.source == "commit-reveal":
        members["dice"] = {"source": "table"}
    return rechain([msgspec.json.encode(members)[1:] + b"\n", *record.bodies[:n]])


def rechain(bodies: list[bytes]) -> bytes:
    """Lines with these bodies, chained from the beginning."""
    head = chain.GENESIS
    lines = []
    for body in bodies:
        line, head = chain.line(head, body)
        lines.append(line)
    return b"".join(lines)
