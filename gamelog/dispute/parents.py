"""Checks that a record is a branch, or a merger, of the parents that its header names."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from gamelog.dispute.compare import different_games
from gamelog.dispute.origins import first_without_origin, in_order
from gamelog.dispute.score_sheet import ScoreSheet, standing_plays
from gamelog.errors import PlayError
from gamelog.message import many
from gamelog.play.judging.digest import played_structs
from gamelog.record.envelope import Parent
from gamelog.record.escaping import shorten
from gamelog.record.reading import Record

DIFFERS, UNCHECKED = "parent.differs", "parent.unchecked"
"""Codes of objections: the parent is another than the header says, or it could not be checked."""


MOST_PARENTS = 64
"""Parents of a header that are checked, so that a header of thousands costs no more."""


class Descent(Struct, frozen=True):
    """One of a record's ``parents``: what is `shared` with it, or the `objection` and its `code`."""

    id: str
    n: int
    head: str
    shared: str | None = None
    objection: str | None = None
    code: str | None = None


def descents(child: Record, parents: Sequence[Record]) -> list[tuple[Descent, Record | None]]:
    """Check every parent that the header of `child` names, and that each of `parents` is one of them.

    Each answer comes with the record that is shared, if one is. A parent that is not among `parents`
    cannot be checked, so it gets an objection.
    """
    found: list[tuple[Descent, Record | None]] = []
    named = child.header.parents if child.header else ()
    for claimed in named[:MOST_PARENTS]:
        tried = [
            (_descent(child, one, claimed), one)
            for one in parents
            if one.header and one.header.id == claimed.id
        ]
        shared = next((pair for pair in tried if not pair[0].objection), None)
        if shared:
            found.append(shared)
        else:
            found.append((tried[0][0] if tried else _absent(claimed), None))
    for claimed in named[MOST_PARENTS : MOST_PARENTS + 1]:
        text = f"it names {len(named)} parents, of which only the first {MOST_PARENTS} are checked"
        told = Descent(claimed.id, claimed.n, claimed.head, objection=text, code=UNCHECKED)
        found.append((told, None))
    for parent in parents if child.header else ():
        told = descent(child, parent)
        if told.objection and all(told != known for known, _ in found):
            found.append((told, None))
    return found


def descent(child: Record, parent: Record) -> Descent:
    """Check that `child` continues `parent` as its header says: id, number and head of the last shared event.

    A branch shares the lines up to there, a merger what was played. Neither record is judged by
    the rules.
    """
    assert child.header is not None and parent.header is not None, "callers report records without a header"
    named = [one for one in child.header.parents[:MOST_PARENTS] if one.id == parent.header.id]
    tried = [_descent(child, parent, one) for one in named]
    if not tried:
        known = ", ".join(one.id for one in child.header.parents) or "none"
        text = f"{parent.path} is record {parent.header.id}, and no parent of this one; its parents: {known}"
        return Descent(parent.header.id, 0, "", objection=text, code=DIFFERS)
    return next((one for one in tried if not one.objection), tried[0])


def _descent(child: Record, parent: Record, claimed: Parent) -> Descent:
    assert child.header is not None and parent.header is not None, "checked by those who call"
    why = different_games(child.header, parent.header)
    if why:
        return _but(Descent(claimed.id, claimed.n, claimed.head), f"it is not of the same game: {why}")
    try:
        return _checked(child, parent, claimed)
    except PlayError as error:
        told = Descent(claimed.id, claimed.n, claimed.head)
        return structs.replace(_but(told, str(error.clause)), code=UNCHECKED)


def _changed_members(branch: Record, parent: Record) -> str | None:
    """Return the first member of the header in which `branch` differs from `parent` and may not."""
    own = {"id", "parents"}
    sources = [one.header.dice.source for one in (branch, parent) if one.header]
    if sources == ["table", "commit-reveal"]:
        own.add("dice")  # a branch of committed dice goes on with dice rolled at the table
    names = dict.fromkeys((*branch.members, *parent.members))
    return next(
        (name for name in names if name not in own and branch.members.get(name) != parent.members.get(name)),
        None,
    )


def _absent(claimed: Parent) -> Descent:
    what = "it was merged from" if claimed.merged else "it goes on from"
    text = (
        f"{what} event {claimed.n} of record {claimed.id}, head {claimed.head}, which was not given; check "
        "that with --parent RECORD"
    )
    return Descent(claimed.id, claimed.n, claimed.head, objection=text, code=UNCHECKED)


def _checked(child: Record, parent: Record, claimed: Parent) -> Descent:
    n = claimed.n
    told = Descent(claimed.id, n, claimed.head)
    if n > len(parent.bodies) and parent.problem:
        text = f"{parent.path} is damaged after event {len(parent.bodies)}: {parent.problem.message}"
        return structs.replace(_but(told, text), code=UNCHECKED)
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
        changed = _changed_members(child, parent)
        if changed:
            return _but(
                told, f"{shorten(changed)} in the header is not that of {parent.path}: it was changed here"
            )
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
    if claimed.events:
        return _checked_runs(child, parent, claimed)
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


def _checked_runs(child: Record, parent: Record, claimed: Parent) -> Descent:
    """Check the runs of events that a merged record says its parent has, too."""
    told = Descent(claimed.id, claimed.n, claimed.head)
    assert child.header is not None, "checked by those who call"
    if not all(in_order(one.events) for one in child.header.parents):
        return _but(told, "its header names runs of events that overlap or are out of order")
    absent = first_without_origin(child.header)
    if absent:
        return _but(told, f"event {absent} is from no parent, though it was merged")
    last = max(there + length - 1 for _, there, length in claimed.events)
    if last != claimed.n:
        return _but(told, f"the runs of events that it shares end with event {last}, not {claimed.n}")
    sheet, own = ScoreSheet(parent, claimed.n), ScoreSheet(child)
    plays = {event.n: play for event, play in zip(sheet.standing, sheet.play, strict=True)}
    for here, there, length in claimed.events:
        events = own.replayed.readable[here - 1 : here - 1 + length]
        shared = [plays.get(n) for n in range(there, there + len(events))]
        for at, (play, other) in enumerate(zip(played_structs(own.fold, events), shared, strict=True)):
            if play is None or play != other:
                return _but(told, f"event {here + at} is not event {there + at} of {parent.path}")
        if len(events) < length:
            return _but(told, f"it ends before event {here + length - 1}, which it shares with {parent.path}")
    count = many(sum(length for *_, length in claimed.events), "event")
    return structs.replace(told, shared=f"{count} of its first {claimed.n}, those that the header names")


def _but(told: Descent, text: str) -> Descent:
    return structs.replace(told, objection=text, code=DIFFERS)
