"""Branches: a record that goes on from an earlier point of another.

The branch holds the parent's lines up to there, byte for byte but for their digests, which are
chained anew under a header that names the parent's id, the number of the last shared event and the
parent's head at that event. Dice of the shared part were rolled for the parent: those from a seed are
recomputed under its id (`gamelog.play.fold.fold`), those of commit-reveal only in the parent itself. The
links of such a record may be known by now, so its branch goes on with dice rolled at the table.
"""

from __future__ import annotations

import msgspec

from gamelog.dispute.origins import last_shared
from gamelog.errors import PlayError
from gamelog.message import Message
from gamelog.play.fold.ancestry import heads_of
from gamelog.play.judging.replay import FoldedRecord, replay
from gamelog.record import chain
from gamelog.record.envelope import Header, Parent
from gamelog.record.reading import Record, parse_record


def branch(record: Record, n: int, id: str) -> bytes:
    """Return a new record, called `id`, that shares the first `n` events with `record`.

    Raises `PlayError` when there is no good event `n`: what the rules forbid, or what is damaged,
    cannot be gone on from.
    """
    replayed = replay(record)
    fold = replayed.fold
    if fold is None:
        raise PlayError(
            Message.of(
                "{=path} cannot be branched: {problem}.",
                path=record.path,
                problem=replayed.findings[0].sentence,
            )
        )
    if not 0 <= n <= fold.n:
        text, failed = "There is no good event {n} in {=path}; the last is {last}.", _error(replayed)
        if failed:
            text = "There is no good event {n} in {=path}; the last is {last}: {problem}."
        raise PlayError(Message.of(text, n=n, path=record.path, last=fold.n, problem=failed))
    parents = [*_ancestors(record, fold.header, n), Parent(fold.header.id, n, record.head_at(n))]
    members = {**record.members, "id": id, "parents": msgspec.to_builtins(parents)}
    if fold.header.dice.source == "commit-reveal":
        members["dice"] = {"source": "table"}
    made = rechain([msgspec.json.encode(members)[1:] + b"\n", *record.bodies[:n]])
    shared = replay(parse_record(made, record.path))
    if shared.fold is None or shared.fold.n < n:
        raise PlayError(
            Message.of(
                "What stands up to event {n} of {=path} does not hold without what comes later: {problem}.",
                n=n,
                path=record.path,
                problem=_error(shared),
            )
        )
    return made


def _error(replayed: FoldedRecord) -> Message | None:
    """Return why the record does not hold: its first finding that is an error, or None."""
    return next((found.sentence for found in replayed.findings if found.severity == "error"), None)


def _ancestors(record: Record, header: Header, n: int) -> list[Parent]:
    """Return the parents that a branch of `record` at event `n` has.

    Where one shares more than that, its head at `n` is needed, which nobody has written down: its header
    is made again from the branch's, and believed if it leads to the head that is known. Otherwise
    that parent is left out, unless dice of the shared part were rolled for it alone.
    """
    found: list[Parent] = []
    for at, parent in enumerate(header.parents):
        if last_shared(parent) <= n:
            found.append(parent)
            continue
        heads = None if parent.merged else heads_of(record, at)
        if heads:
            found.append(Parent(parent.id, n, heads[n].decode()))
        elif header.dice.source == "seeded" and not any(older.n == n for older in found):
            raise PlayError(
                Message.of(
                    "Up to event {n}, {=path} is record {=id}; branch that one at event {at}.",
                    n=parent.n,
                    path=record.path,
                    id=parent.id,
                    at=n,
                )
            )
    return found


def rechain(bodies: list[bytes]) -> bytes:
    """Lines with these bodies, chained from the beginning."""
    head = chain.GENESIS
    lines = []
    for body in bodies:
        line, head = chain.line(head, body)
        lines.append(line)
    return b"".join(lines)
