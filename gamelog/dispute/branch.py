"""Branches: records that continue another record from one of its events.

A branch contains the lines of its parent up to the last shared event, byte for byte except for their
digests. The chain is computed again, because the header of the branch is another one: it names the parent's
id, the number of the last shared event and the parent's head at that event.

Dice of the shared events were rolled for the parent. Dice from a seed are recomputed with the parent's id
(`gamelog.play.fold.fold`), and commit-reveal dice only in the parent itself. The players may know the links
of a commit-reveal parent, so its branch continues with dice rolled at the table.
"""

from __future__ import annotations

import msgspec

from gamelog.dispute.origins import last_shared
from gamelog.errors import PlayError
from gamelog.message import Message
from gamelog.play.fold.parts.ancestry import parent_heads
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.record import chain
from gamelog.record.envelope import Header, Parent
from gamelog.record.reading import Record, parse_record


def branch(record: Record, n: int, id: str) -> bytes:
    """Return a new record with the id `id` that shares the first `n` events with `record`.

    Raises:
        PlayError: The record has no event `n`, or the event is illegal or damaged, so that no event can
            follow it.
    """
    folded = fold_record(record)
    fold = folded.fold
    if fold is None:
        raise PlayError(
            Message.of(
                "Cannot make a branch of {=path}: {problem}.",
                path=record.path,
                problem=folded.findings[0].message,
            )
        )
    if not 0 <= n <= fold.n:
        failed = _first_error(folded)
        text = "{=path} has no valid event {n}. The last valid event is {last}."
        if failed:
            text = "{=path} has no valid event {n}. The last valid event is {last}: {problem}."
        raise PlayError(Message.of(text, n=n, path=record.path, last=fold.n, problem=failed))
    parents = [*_ancestors(record, fold.header, n), Parent(fold.header.id, n, record.head_at(n))]
    members = {**record.members, "id": id, "parents": msgspec.to_builtins(parents)}
    if fold.header.dice.source == "commit-reveal":
        members["dice"] = {"source": "table"}
    data = rechain([msgspec.json.encode(members)[1:] + b"\n", *record.bodies[:n]])
    shared = fold_record(parse_record(data, record.path))
    if shared.fold is None or shared.fold.n < n:
        raise PlayError(
            Message.of(
                "The first {n} {n:event|events} of {=path} {n:is|are} not valid without the "
                "later events: {problem}.",
                n=n,
                path=record.path,
                problem=_first_error(shared),
            )
        )
    return data


def _first_error(folded: FoldedRecord) -> Message | None:
    """Return the message of the first finding that is an error, or None."""
    return next((finding.message for finding in folded.findings if finding.severity == "error"), None)


def _ancestors(record: Record, header: Header, n: int) -> list[Parent]:
    """Return the parents of a branch of `record` at event `n`.

    If a parent shares more events than `n`, the branch needs the parent's head at `n`, which is not recorded.
    The parent's header is rebuilt from the header of `record`, and the heads that follow from it are used
    if they lead to the recorded head. Otherwise the parent is left out, unless dice of the shared events
    were rolled for this parent only.

    Raises:
        PlayError: The branch would need a head that is not recorded.
    """
    parents: list[Parent] = []
    for position, parent in enumerate(header.parents):
        if last_shared(parent) <= n:
            parents.append(parent)
            continue
        heads = None if parent.merged else parent_heads(record, position)
        if heads:
            parents.append(Parent(parent.id, n, heads[n].decode()))
        elif header.dice.source == "seeded" and not any(older.n == n for older in parents):
            raise PlayError(
                Message.of(
                    "The first {n} {n:event|events} of {=path} {n:comes|come} from record "
                    "{=id}. Make the branch from that record at event {fork}.",
                    n=parent.n,
                    path=record.path,
                    id=parent.id,
                    fork=n,
                )
            )
    return parents


def rechain(bodies: list[bytes]) -> bytes:
    """Return lines with these bodies, chained from the beginning."""
    head = chain.GENESIS
    lines = []
    for body in bodies:
        line, head = chain.chained_line(head, body)
        lines.append(line)
    return b"".join(lines)
