"""Checks that a record continues, or was merged from, the parents that its header names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs

from gamelog.dispute.game_difference import game_difference
from gamelog.dispute.origins import first_without_origin, in_order
from gamelog.errors import PlayError
from gamelog.message import Message
from gamelog.play.judging.digest import played_structs
from gamelog.record.envelope import Parent
from gamelog.record.escaping import shorten
from gamelog.record.reading import Record

_DIFFERS, _UNCHECKED = "parent.differs", "parent.unchecked"
"""Codes of objections: the parent differs from the header, or it was not checked."""

MAX_PARENTS = 64
"""Maximum number of parents that are checked, so that a header with thousands of them takes no more time."""


class ParentCheck(Struct, frozen=True):
    """The check of one parent.

    Attributes:
        shared: Shared events.
        objection: The reason why the parent cannot be right, or None.
        code: Code of the objection.
    """

    id: str
    n: int
    head: str
    shared: Message | None = None
    objection: Message | None = None
    code: str | None = None

    def plain(self) -> dict[str, Any]:
        """Return the check as plain data, with its messages as English text."""
        members: dict[str, Any] = structs.asdict(self)
        return {name: str(value) if isinstance(value, Message) else value for name, value in members.items()}


def compare_parents(child: Record, parents: Sequence[Record]) -> list[tuple[ParentCheck, Record | None]]:
    """Check each parent that the header of `child` names, and that it names each of `parents`.

    Each check comes with the record of the parent if the parent has no objection. A parent that is not in
    `parents` cannot be checked, so it gets an objection.
    """
    checks: list[tuple[ParentCheck, Record | None]] = []
    claimed_parents = child.header.parents if child.header else ()
    for claimed in claimed_parents[:MAX_PARENTS]:
        candidates = [
            (_compare_claim(child, given_parent, claimed), given_parent)
            for given_parent in parents
            if given_parent.header and given_parent.header.id == claimed.id
        ]
        shared = next((pair for pair in candidates if not pair[0].objection), None)
        if shared:
            checks.append(shared)
        else:
            checks.append((candidates[0][0] if candidates else _missing_parent(claimed), None))
    for claimed in claimed_parents[MAX_PARENTS : MAX_PARENTS + 1]:
        text = "the header names {n} parents, and only the first {most} are checked"
        unchecked = _unconfirmed(
            claimed, Message.of(text, n=len(claimed_parents), most=MAX_PARENTS), _UNCHECKED
        )
        checks.append((unchecked, None))
    for parent in parents if child.header else ():
        checked = compare_parent(child, parent)
        if checked.objection and all(checked != known for known, _ in checks):
            checks.append((checked, None))
    return checks


def compare_parent(child: Record, parent: Record) -> ParentCheck:
    """Check by the header of `child` that it continues `parent`: id, number and head of the last event.

    A branch shares all lines up to this event, and a merged record shares the plays. The check does not
    judge the records by the rules.
    """
    assert child.header is not None and parent.header is not None, "callers report records without a header"
    claims = [item for item in child.header.parents[:MAX_PARENTS] if item.id == parent.header.id]
    checks = [_compare_claim(child, parent, item) for item in claims]
    if not checks:
        known = ", ".join(item.id for item in child.header.parents)
        text = "{=path} is record {=id}, and this record has no parents"
        if known:
            text = "{=path} is record {=id}, which is not a parent of this record; its parents are {=parents}"
        objection = Message.of(text, path=parent.path, id=parent.header.id, parents=known)
        return _unconfirmed(Parent(parent.header.id, 0, ""), objection)
    return next((item for item in checks if not item.objection), checks[0])


def _compare_claim(child: Record, parent: Record, claimed: Parent) -> ParentCheck:
    assert child.header is not None and parent.header is not None, "callers check both headers"
    why = game_difference(child.header, parent.header)
    if why:
        text = "{=path} is a record of another game: {problem}"
        return _unconfirmed(claimed, Message.of(text, path=parent.path, problem=why))
    try:
        return _compare_lines(child, parent, claimed)
    except PlayError as error:
        return _unconfirmed(claimed, error.clause, _UNCHECKED)


def _changed_members(branch: Record, parent: Record) -> str | None:
    """Return the first member of the header that differs from `parent` and must be the same, or None."""
    may_differ = {"id", "parents"}
    sources = [record.header.dice.source for record in (branch, parent) if record.header]
    if sources == ["table", "commit-reveal"]:
        may_differ.add("dice")  # a branch of a commit-reveal record continues with dice rolled at the table
    names = dict.fromkeys((*branch.members, *parent.members))
    return next(
        (
            name
            for name in names
            if name not in may_differ and branch.members.get(name) != parent.members.get(name)
        ),
        None,
    )


def _missing_parent(claimed: Parent) -> ParentCheck:
    """Return the result for a parent that was not given, with the advice to give it."""
    text = (
        "this record continues record {=id} after event {n} (head {=head}), which was not given; to check "
        "it, give that record too"
    )
    if claimed.merged:
        text = (
            "this record was merged from record {=id} up to event {n} (head {=head}), which was not given; "
            "to check it, give that record too"
        )
    return _unconfirmed(claimed, Message.of(text, id=claimed.id, n=claimed.n, head=claimed.head), _UNCHECKED)


def _compare_lines(child: Record, parent: Record, claimed: Parent) -> ParentCheck:
    """Return the result of comparing the lines of `child` and `parent` with the header's claim."""
    n, path, last = claimed.n, parent.path, len(parent.bodies)
    if n > last and parent.problem:
        text = "{=path} is damaged after event {n}: {problem}"
        objection = Message.of(text, path=path, n=last, problem=parent.problem.message)
        return _unconfirmed(claimed, objection, _UNCHECKED)
    if n > last:
        text = (
            "the header names event {n} of {=path}, but {=path} ends with event {last}: the "
            "file was cut off, or is an older copy"
        )
        return _unconfirmed(claimed, Message.of(text, n=n, path=path, last=last))
    head = parent.head_at(n)
    if head != claimed.head:
        text = (
            "the head at event {n} is {=expected}… in the header and {=head}… in {=path}: one of the records "
            "was changed"
        )
        return _unconfirmed(
            claimed, Message.of(text, n=n, expected=claimed.head[:8], head=head[:8], path=path)
        )
    if not claimed.merged:
        return _compare_branch(child, parent, claimed)
    return _compare_runs(child, parent, claimed) if claimed.events else _compare_plays(child, parent, claimed)


def _compare_branch(child: Record, parent: Record, claimed: Parent) -> ParentCheck:
    """Check that a branch has the header and the lines of its parent."""
    n, path = claimed.n, parent.path
    changed = _changed_members(child, parent)
    if changed:
        text = "{=member} in the header is not the same as in {=path}: this record was changed"
        return _unconfirmed(claimed, Message.of(text, member=shorten(changed), path=path))
    pairs = enumerate(zip(child.bodies[:n], parent.bodies, strict=False), 1)
    different = next(
        (number for number, (child_body, parent_body) in pairs if child_body != parent_body), None
    )
    if different is None and len(child.bodies) >= n:
        return _confirmed(claimed, Message.of("the first {n} {n:event|events}, byte for byte", n=n))
    text = "event {n} is not the same as in {=path}: a shared event was changed in this record"
    return _unconfirmed(claimed, Message.of(text, n=different or len(child.bodies) + 1, path=path))


def _compare_plays(child: Record, parent: Record, claimed: Parent) -> ParentCheck:
    """Check that a merged record begins with the plays of its parent."""
    from gamelog.dispute.score_sheet import counted_plays  # its sentences are needed for merged records only

    first, second = counted_plays(parent, claimed.n), counted_plays(child)
    if second[: len(first)] == first:
        agreed = Message.of("{n} {n:decision or roll|decisions and dice}", n=len(first))
        text = "the {agreed} of the first {n} {n:event|events}"
        return _confirmed(claimed, Message.of(text, agreed=agreed, n=claimed.n))
    pairs = enumerate(zip(first, second, strict=False), 1)
    different = next(
        (number for number, (parent_play, child_play) in pairs if parent_play != child_play), len(second) + 1
    )
    text = "decision or roll {n} is not the same as in {=path}: a shared event was changed in this record"
    return _unconfirmed(claimed, Message.of(text, n=different, path=parent.path))


def _compare_runs(child: Record, parent: Record, claimed: Parent) -> ParentCheck:
    """Check that a merged record has the runs of events that it shares with a parent."""
    from gamelog.dispute.score_sheet import ScoreSheet

    assert child.header is not None, "callers check the header"
    if not all(in_order(named_parent.events) for named_parent in child.header.parents):
        return _unconfirmed(
            claimed, Message.of("the runs of events in the header overlap or are out of order")
        )
    absent = first_without_origin(child.header)
    if absent:
        text = "event {n} comes from no parent, although it was merged"
        return _unconfirmed(claimed, Message.of(text, n=absent))
    last = max(in_parent + length - 1 for _, in_parent, length in claimed.events)
    if last != claimed.n:
        text = "the shared runs of events end with event {last}, not with event {n}"
        return _unconfirmed(claimed, Message.of(text, last=last, n=claimed.n))
    parent_sheet, child_sheet = ScoreSheet(parent, claimed.n), ScoreSheet(child)
    plays = {event.n: play for event, play in zip(parent_sheet.events, parent_sheet.play, strict=True)}
    for here, in_parent, length in claimed.events:
        events = child_sheet.folded.readable_events[here - 1 : here - 1 + length]
        shared = [plays.get(n) for n in range(in_parent, in_parent + len(events))]
        for number, (play, shared_play) in enumerate(
            zip(played_structs(child_sheet.fold, events), shared, strict=True)
        ):
            if play is None or play != shared_play:
                text = "event {n} is not event {there} of {=path}"
                return _unconfirmed(
                    claimed, Message.of(text, n=here + number, there=in_parent + number, path=parent.path)
                )
        if len(events) < length:
            text = "this record ends before event {n}, which it shares with {=path}"
            return _unconfirmed(claimed, Message.of(text, n=here + length - 1, path=parent.path))
    count = sum(length for *_, length in claimed.events)
    text = "{count} {count:event|events} of the first {n} of the parent, as the header lists them"
    return _confirmed(claimed, Message.of(text, count=count, n=claimed.n))


def _confirmed(claimed: Parent, shared: Message) -> ParentCheck:
    return ParentCheck(claimed.id, claimed.n, claimed.head, shared=shared)


def _unconfirmed(claimed: Parent, objection: Message, code: str = _DIFFERS) -> ParentCheck:
    return ParentCheck(claimed.id, claimed.n, claimed.head, objection=objection, code=code)
