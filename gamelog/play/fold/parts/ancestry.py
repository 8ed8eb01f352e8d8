"""The parents of a record, as far as the record itself proves them.

A branch names its parent's id, the number of the last shared event and the parent's head there. The parent's
header equals the branch's header except for the id and the parents, so it can be rebuilt. If its lines then
lead to the named head, the head of every shared line is known, and signatures over these heads can be
checked. A header that was changed in another way, or invented, proves nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

import msgspec

from gamelog.message import Message
from gamelog.record import chain
from gamelog.record.envelope import Header, Parent
from gamelog.record.reading import Record

_MAX_ANCESTORS = 16
"""Maximum number of parents whose lines are chained again to check signatures. Further parents stay
unproved.
"""


def parent_problem(record: Record) -> Message | None:
    """Return the message that says why a parent of `record` is impossible, or None.

    A record cannot share more events than it has.
    """
    last = len(record.bodies)
    beyond = record.header and next(
        (parent for parent in record.header.parents if not parent.merged and parent.n > last), None
    )
    if beyond:
        return Message.of(
            "the record claims to share {n} {n:event|events} with record {=id}, but has only "
            "{last} {last:event|events}",
            n=beyond.n,
            id=beyond.id[:100],
            last=last,
        )
    return None


def parent_heads(record: Record, index: int) -> list[bytes] | None:
    """Return the heads of parent `index` of `record` up to the last shared event, or None if unproved."""
    if record.header is None:
        return None
    *older, parent = record.header.parents[: index + 1]
    members = {**record.members, "id": parent.id}
    without = {name: value for name, value in members.items() if name != "parents"}
    for header_members in (members | {"parents": msgspec.to_builtins(older)}, *([] if older else [without])):
        heads = [chain.chained_digest(chain.GENESIS, msgspec.json.encode(header_members)[1:] + b"\n")]
        for body in record.bodies[: parent.n]:
            heads.append(chain.chained_digest(heads[-1], body))
        if heads[-1].decode() == parent.head:
            return heads
    return None


def last_inherited(header: Header) -> int:
    """Return the number of the last event that a branch shares with a parent.

    These events were signed for the parent, and their dice were rolled for it.
    """
    return max((parent.n for parent in header.parents if not parent.merged), default=0)


class Ancestry:
    """The parents for which shared lines were written, with their heads, as far as a record proves them."""

    def __init__(self, header: Header, record: Record | None = None) -> None:
        self._record = record
        self._parents = [(index, parent) for index, parent in enumerate(header.parents) if not parent.merged]
        self._ends = [*accumulate((parent.n for _, parent in self._parents), max)]
        self._proven: dict[int, list[bytes] | None] = {}

    def origin(self, n: int) -> Parent | None:
        """Return the parent for which event `n` was recorded, or None if it is the record's own or merged."""
        return self._parents[bisect_left(self._ends, n)][1] if self._ends and n <= self._ends[-1] else None

    def head_before(self, n: int) -> bytes | None:
        """Return the parent's head before the shared event `n`, or None if unproved."""
        index = self._parents[bisect_left(self._ends, n)][0]
        if index not in self._proven and len(self._proven) < _MAX_ANCESTORS:
            self._proven[index] = parent_heads(self._record, index) if self._record else None
        heads = self._proven.get(index)
        return heads[n - 1] if heads else None
