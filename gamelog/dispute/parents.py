"""Is this record the branch, or the merger, of the record that its header names as parent?"""

from __future__ import annotations

from msgspec import Struct

from gamelog.dispute.compare import different_games
from gamelog.dispute.sheet import standing_plays
from gamelog.record.counting import many
from gamelog.record.envelope import Parent
from gamelog.record.reading import Record


class Descent(Struct, frozen=True):
    """What `parent` shows of one of a record's ``parents``: what is `shared` with it, or the `objection`."""

    id: str
    n: int
    head: str
    shared: str | None = None
    objection: str | None = None


def descent(child: Record, parent: Record) -> Descent:
    """Whether `child` goes on from `parent` as its header says: id, number and head of the last shared event,
    and what is shared.

    A branch shares the lines up to there, a merger what was played. Neither record is judged by
    the rules. Raises `PlayError` for a record that cannot be folded.
    """
    assert child.header is not None and parent.header is not None, (
        "records without a header are told of before"
    )
    named = [one for one in child.header.parents if one.id == parent.header.id]
    if not named:
        known = ", ".join(one.id for one in child.header.parents) or "none"
        text = f"{parent.path} is record {parent.header.id}, and no parent of this one; its parents: {known}"
        return Descent(parent.header.id, 0, "", objection=text)
    (claimed, *_) = named
    why = different_games(child.header, parent.header)
    if why:
        return Descent(claimed.id, claimed.n, claimed.head, objection=f"it is not of the same game: {why}")
    return _checked(child, parent, claimed)


def _checked(child: Record, parent: Record, claimed: Parent) -> Descent:
    n = claimed.n
    told = Descent(claimed.id, n, claimed.head)
    if n > len(parent.bodies):
        return _but(
            told,
            f"it goes on from event {n}, but {parent.path} ends with event {len(parent.bodies)}: it was "
            "cut, or is older",
        )
    if parent.head_at(n) != claimed.head:
        text = (
            f"it names the head {claimed.head[:8]}… at event {n}, {parent.path} has {parent.head_at(n)[:8]}…"
        )
        return _but(told, f"{text}: one of them was changed")
    if not claimed.merged:
        differing = next(
            (at for at, (x, y) in enumerate(zip(child.bodies[:n], parent.bodies, strict=False), 1) if x != y),
            None,
        )
        if differing is None and len(child.bodies) >= n:
            return Descent(claimed.id, n, claimed.head, shared=f"its first {many(n, 'event')}, byte for byte")
        return _but(
            told,
            f"event {differing or len(child.bodies) + 1} is not that of {parent.path}: what was shared was "
            "changed here",
        )
    first, second = standing_plays(parent, n), standing_plays(child)
    if second[: len(first)] == first:
        agreed = many(len(first), "decision or roll", "decisions and dice")
        return Descent(
            claimed.id,
            n,
            claimed.head,
            shared=f"the {agreed} of its first {many(n, 'event')}",
        )
    differing = next(
        (at for at, (x, y) in enumerate(zip(first, second, strict=False), 1) if x != y), len(second) + 1
    )
    return _but(
        told, f"decision or roll {differing} is not that of {parent.path}: what was shared was changed here"
    )


def _but(told: Descent, text: str) -> Descent:
    return Descent(told.id, told.n, told.head, objection=text)
