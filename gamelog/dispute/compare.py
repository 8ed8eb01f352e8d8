"""The comparison of two records of one game: the events on which they agree, and all differences.

Two records are the same game if all decisions and dice of their main lines are the same, on the same board,
with the same options and seats. Times, notes, names, keys and spelling may differ. Events that a takeback
undid do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.dispute.alignment import (
    ONLY_IN_A,
    ONLY_IN_B,
    DifferenceStretches,
    Kind,
    Misalignment,
    Side,
    align,
)
from gamelog.dispute.chosen_line import LineItem, choose_line, first_illegal, restamp
from gamelog.dispute.game_difference import game_difference
from gamelog.dispute.ruling_differences import RulingDifference, ruling_differences
from gamelog.dispute.score_sheet import RecordSide, ScoreSheet, SheetEntry, as_numbers, score_sheets
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.record.reading import Record
from gamelog.record.seal import Seal

_MAX_FOLDED = 100_000
"""Approximate number of events that are folded to find out whether events can follow the other sheet."""

MAX_LISTED = 10_000
"""Maximum number of differences in the list. Further differences are only counted."""


Withheld = Literal["hidden information", "the seed of the dice"]
"""A part that a comparison of unfinished games leaves out."""


class Difference(Struct, frozen=True):
    """A place where the two sides differ. After it they agree again.

    Attributes:
        length: Number of events that are missing or repeated; 1 for the other kinds.
        a: Event of the first side. If the events are in another order, it is the same event as ``b``.
        b: Event of the second side.
    """

    kind: Kind
    length: int
    a: SheetEntry
    b: SheetEntry


class Contradiction(Struct, frozen=True):
    """Events of one sheet that cannot follow the events of the other sheet.

    Attributes:
        of: The sheet.
        difference: Difference after which the events are.
        since: Number of the first event after the difference.
        n: Number of the first event that is not possible there.
        text: Description of this event.
        finding: The reason.
    """

    of: Side
    difference: int
    since: int
    n: int
    text: str
    finding: Finding


class HeaderDifference(Struct, frozen=True):
    """A member of the headers that differs, such as ``seats.red``. The value is None if it is missing."""

    member: str
    a: Any
    b: Any


class Comparison(Struct, frozen=True):
    """The comparison of two records, with both sides.

    Attributes:
        same: Whether nothing differs.
        agreed: Number of decisions and dice that both have from the start.
        first_difference: Place of the first difference in the main line, from 1; 0 if the headers belong to
            different games, None if nothing differs.
        why: The reason why the headers belong to different games.
        kind: Kind of the first difference.
        a: The first record.
        b: The second record.
        prefix_head: Head of the last line that the files share byte for byte.
        later: The side with the later seal, ``a`` or ``b``, or None.
        differences: Differences in order, at most `MAX_LISTED`.
        unlisted: Number of the other differences.
        contradictions: For each side the first difference after which its events cannot follow the events of
            the other side.
        rulings: Rulings in force that only one side has.
        headers: Differences of the headers.
        withheld: Names of the parts that the comparison leaves out while a game is unfinished. If hidden
            information is left out, events are compared only as far as all players know them.
    """

    same: bool
    agreed: int
    first_difference: int | None
    why: Message | None
    kind: Kind | None
    a: RecordSide
    b: RecordSide
    prefix_head: str | None
    later: Literal["a", "b"] | None
    differences: tuple[Difference, ...]
    unlisted: int
    contradictions: tuple[Contradiction, ...]
    rulings: tuple[RulingDifference, ...]
    headers: tuple[HeaderDifference, ...]
    withheld: tuple[Withheld, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the comparison as plain data, with ``why`` as English text."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        return members | {"why": str(self.why or "")}


def compare(
    a: Record, b: Record, seals: Sequence[Seal] = (), language: str = "en", *, reveal: bool = True
) -> Comparison:
    """Compare two records, and check which record the `seals` support.

    Args:
        a: The first record. It may be damaged; its good events are compared.
        b: The second record.
        seals: Seals of either record. A seal of another record supports neither.
        language: The language of the sentences on events.
        reveal: Whether the comparison of unfinished games has the seed of the dice and what not all players
            know. If not, it depends only on the rest.

    Raises:
        PlayError: A record cannot be folded, because of its header.
        MissingExtra: The package that checks seals is not installed.
    """
    sheet_a, sheet_b = score_sheets(a, b, language, reveal=reveal)
    withheld = _withheld(sheet_a, sheet_b, reveal)
    why = game_difference(sheet_a.header, sheet_b.header)
    differences = [] if why else align(*as_numbers(sheet_a.shown_plays, sheet_b.shown_plays))
    listed = [difference for difference, _ in differences]
    agreed = 0 if why else min(listed[0].a, listed[0].b) if listed else len(sheet_a.play)
    limit = agreed if listed else None
    first, second = sheet_a.side(limit, seals), sheet_b.side(limit, seals)
    return Comparison(
        same=not why and not listed,
        agreed=agreed,
        first_difference=0 if why else agreed + 1 if listed else None,
        why=why,
        kind=listed[0].kind if listed else None,
        a=first,
        b=second,
        prefix_head=None if sheet_a.is_limited else _shared_head(a, b),
        later=_side_with_later_seal(first, second),
        differences=tuple(_difference(gap, sheet_a, sheet_b) for gap in listed[:MAX_LISTED]),
        unlisted=len(listed[MAX_LISTED:]),
        contradictions=tuple(_contradictions(sheet_a, sheet_b, differences)),
        rulings=() if why else tuple(ruling_differences(sheet_a, sheet_b)),
        headers=tuple(
            _header_differences(a.members, b.members, seeded="the seed of the dice" not in withheld)
        ),
        withheld=withheld,
    )


def _withheld(sheet_a: ScoreSheet, sheet_b: ScoreSheet, reveal: bool) -> tuple[Withheld, ...]:
    """Return the part that the comparison of two sheets leaves out."""
    parts: list[Withheld] = ["hidden information"] if sheet_a.is_limited else []
    is_running = sheet_a.is_running or sheet_b.is_running
    if not reveal and is_running and any(sheet.header.dice.seed is not None for sheet in (sheet_a, sheet_b)):
        parts.append("the seed of the dice")
    return tuple(parts)


def _difference(gap: Misalignment, sheet_a: ScoreSheet, sheet_b: ScoreSheet) -> Difference:
    return Difference(
        gap.kind,
        gap.length,
        sheet_a.entry(gap.a, gap.kind not in ONLY_IN_B),
        sheet_b.entry(gap.b, gap.kind not in ONLY_IN_A),
    )


def _contradictions(
    sheet_a: ScoreSheet, sheet_b: ScoreSheet, differences: Sequence[DifferenceStretches]
) -> Iterator[Contradiction]:
    """Yield for each sheet the first difference after which its events cannot follow the other sheet.

    If dice are recomputed for one record, if a position is declared, or if the sheets hide information,
    nothing can be concluded.
    """
    if sheet_a.is_limited or any(
        sheet.header.dice.source != "table" or sheet.has_declared_positions for sheet in (sheet_a, sheet_b)
    ):
        return
    most = min(len(differences) - 1, _MAX_FOLDED // (len(sheet_a.play) + len(sheet_b.play) + 1))
    sides: list[Side] = ["a", "b"]
    for of, other, sheet, against in zip(
        sides, reversed(sides), (sheet_a, sheet_b), (sheet_b, sheet_a), strict=True
    ):
        for difference in range(1, most + 1):
            chosen = (other,) * difference + (of,) * (len(differences) - difference)
            line = choose_line(sheet_a, sheet_b, differences, chosen)
            if of == "b":
                line = [LineItem(item.b, item.a, item.differences_before) for item in line]
            kept, events = restamp(line, sheet, against)
            failed = first_illegal(sheet.header, sheet, events)
            if failed:
                rest = [item.a for item in kept if item.differences_before >= difference]
                index = (failed.n or 1) - 1 - (len(kept) - len(rest))
                event = rest[index] if index >= 0 else None
                if event and sheet.has_legal(event):
                    since = next(own.n for own in rest if own)
                    yield Contradiction(
                        of, difference, since, event.n, sheet.describe(event), sheet.plain_finding(failed)
                    )
                break


def _header_differences(
    a: Mapping[str, Any], b: Mapping[str, Any], *, seeded: bool
) -> Iterator[HeaderDifference]:
    """Yield the members in which two headers differ, with each seat and tag as one member.

    The seed of the dice is left out unless they are `seeded`.
    """
    members_a, members_b = _flat_members(a), _flat_members(b)
    if not seeded:
        for flat in (members_a, members_b):
            flat["dice"] = {name: value for name, value in flat["dice"].items() if name != "seed"}
    for member in (*members_a, *(name for name in members_b if name not in members_a)):
        if members_a.get(member) != members_b.get(member):
            yield HeaderDifference(member, members_a.get(member), members_b.get(member))


def _flat_members(members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a header, with a member for each seat and each tag."""
    flat = {name: value for name, value in members.items() if name not in ("seats", "tags")}
    flat |= {f"seats.{seat['seat']}": seat for seat in members["seats"]}
    return flat | {f"tags.{tag}": value for tag, value in members.get("tags", {}).items()}


def _side_with_later_seal(a: RecordSide, b: RecordSide) -> Literal["a", "b"] | None:
    times = [max((sealed.time for sealed in side.sealed), default="") for side in (a, b)]
    return None if times[0] == times[1] else "a" if times[0] > times[1] else "b"


def _shared_head(a: Record, b: Record) -> str | None:
    """Return the head of the last line of the beginning that both files share."""
    shared = None
    for x, y in zip((a.header_head, *a.heads), (b.header_head, *b.heads), strict=False):
        if x != y:
            break
        shared = x.decode()
    return shared
