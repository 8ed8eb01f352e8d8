"""Two records of one game, side by side: how far they agree, and what each says where they part.

Different times, notes, names, keys and spelling are not differences of play, and what a takeback
undid is not part of it. Two records are the same game when the decisions and dice that stand are
the same from the first to the last, on the same board, with the same options and seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from gamelog.dispute.alignment import ONLY_IN_A, ONLY_IN_B, Choice, Differing, Kind, Misalignment, differing
from gamelog.dispute.chosen_line import Item, chosen_line, first_illegal, stamped
from gamelog.dispute.score_sheet import RecordSide, ScoreSheet, SheetEntry, numbered
from gamelog.finding import Finding
from gamelog.record.envelope import Header
from gamelog.record.escaping import differing_excerpts, shorten
from gamelog.record.reading import Record
from gamelog.record.seal import Seal

NOT_GIVEN = "not given"

_TRIED = 100_000
"""Events that are folded, about so many, to see whether what one sheet has follows on the other's line."""

OPTIONS = 4
"""Options that differ and are named one by one."""

LISTED = 10_000
"""Differences that are listed; what is beyond is counted. People have stopped reading long before."""


class Difference(Struct, frozen=True):
    """A place where the two sides say different things; after it they are in step again.

    ``length`` is the number of events that are missing or written twice in a row, 1 for the other kinds. Of
    what was written in another order, both sides name the same event.
    """

    kind: Kind
    length: int
    a: SheetEntry
    b: SheetEntry


class Contradiction(Struct, frozen=True):
    """Events of one sheet (``of``) after ``difference`` that cannot follow the other sheet's line.

    ``since`` is the number of its first event after the difference, ``n`` that of the first event that cannot
    be played there, ``text`` this event in words, and ``finding`` the reason.
    """

    of: Choice
    difference: int
    since: int
    n: int
    text: str
    finding: Finding


class HeaderDifference(Struct, frozen=True):
    """A member of the headers (``started``, ``seats.red``) in which they differ; None where one lacks it."""

    member: str
    a: Any
    b: Any


class Comparison(Struct, frozen=True):
    """The two sides. ``agreed`` counts the decisions and dice they share from the start.

    ``first_difference`` is the place in the line of play, from 1, where they part; 0 when already
    the headers tell of different games (``why`` says how), None when nothing differs. ``kind`` says how
    they part there. ``differences`` are all of them in order, that one first, at most `LISTED`; ``unlisted``
    counts the others. ``contradictions`` has for each side the first difference after which its events
    cannot follow on the other's line. ``headers`` is what the headers say differently. ``prefix_head`` is
    the head of the last line that the files share byte for byte. ``later`` is the side with the later seal,
    ``a`` or ``b``; None where neither has one, or they are as late.
    """

    same: bool
    agreed: int
    first_difference: int | None
    why: str
    kind: Kind | None
    a: RecordSide
    b: RecordSide
    prefix_head: str | None
    later: Literal["a", "b"] | None
    differences: tuple[Difference, ...]
    unlisted: int
    contradictions: tuple[Contradiction, ...]
    headers: tuple[HeaderDifference, ...]


def compare(a: Record, b: Record, seals: Sequence[Seal] = ()) -> Comparison:
    """Compare two records: where they part, and which one the `seals` at hand support.

    Raises `PlayError` for one whose header gives nothing to fold, and `MissingExtra` where seals cannot be
    checked.
    """
    one, two = ScoreSheet(a), ScoreSheet(b)
    why = different_games(one.header, two.header)
    differences = [] if why else differing(*numbered(one.play, two.play))
    found = [difference for difference, _ in differences]
    agreed = 0 if why else min(found[0].a, found[0].b) if found else len(one.play)
    limit = agreed if found else None
    first, second = one.side(limit, seals), two.side(limit, seals)
    return Comparison(
        same=not why and not found,
        agreed=agreed,
        first_difference=0 if why else agreed + 1 if found else None,
        why=why,
        kind=found[0].kind if found else None,
        a=first,
        b=second,
        prefix_head=_shared_head(a, b),
        later=_later(first, second),
        differences=tuple(_difference(gap, one, two) for gap in found[:LISTED]),
        unlisted=len(found[LISTED:]),
        contradictions=tuple(_contradictions(one, two, differences)),
        headers=tuple(_headers(a.members, b.members)),
    )


def _difference(gap: Misalignment, one: ScoreSheet, two: ScoreSheet) -> Difference:
    return Difference(
        gap.kind,
        gap.length,
        one.said(gap.a, gap.kind not in ONLY_IN_B),
        two.said(gap.b, gap.kind not in ONLY_IN_A),
    )


def _contradictions(one: ScoreSheet, two: ScoreSheet, found: Sequence[Differing]) -> Iterator[Contradiction]:
    """Yield for each sheet the first difference after which its events cannot follow the other's line.

    Nothing follows by the rules from dice that are recomputed for one line, or from a declared position.
    """
    if any(sheet.header.dice.source != "table" or sheet.has_declared_positions for sheet in (one, two)):
        return
    most = min(len(found) - 1, _TRIED // (len(one.play) + len(two.play) + 1))
    sides: list[Choice] = ["a", "b"]
    for of, other, sheet, against in zip(sides, reversed(sides), (one, two), (two, one), strict=True):
        for difference in range(1, most + 1):
            chosen = (other,) * difference + (of,) * (len(found) - difference)
            line = chosen_line(one, two, found, chosen)
            if of == "b":
                line = [Item(item.b, item.a, item.after) for item in line]
            kept, events = stamped(line, sheet, against)
            failed = first_illegal(sheet.header, sheet, events)
            if failed:
                rest = [item.a for item in kept if item.after >= difference]
                at = (failed.n or 1) - 1 - (len(kept) - len(rest))
                event = rest[at] if at >= 0 else None
                if event and sheet.has_legal(event):
                    since = next(own.n for own in rest if own)
                    yield Contradiction(of, difference, since, event.n, sheet.text(event), failed.plain)
                break


def _headers(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[HeaderDifference]:
    """Yield the members in which two headers differ, seats and tags one by one."""
    one, two = _spread(a), _spread(b)
    for member in (*one, *(name for name in two if name not in one)):
        if one.get(member) != two.get(member):
            yield HeaderDifference(member, one.get(member), two.get(member))


def _spread(members: Mapping[str, Any]) -> dict[str, Any]:
    """Return a header's members, with a member for each seat and each tag."""
    spread = {name: value for name, value in members.items() if name not in ("seats", "tags")}
    spread |= {f"seats.{seat['seat']}": seat for seat in members["seats"]}
    return spread | {f"tags.{tag}": value for tag, value in members.get("tags", {}).items()}


def _later(a: RecordSide, b: RecordSide) -> Literal["a", "b"] | None:
    times = [max((sealed.time for sealed in side.sealed), default="") for side in (a, b)]
    return None if times[0] == times[1] else "a" if times[0] > times[1] else "b"


def different_games(a: Header, b: Header) -> str:
    """Return why the headers belong to different games; empty if they do not."""
    for name, several in (("game", "games"), ("rules", "rules"), ("board", "boards")):
        if getattr(a, name) != getattr(b, name):
            return f"their {several} differ: {_apart(getattr(a, name), getattr(b, name))}"
    names = {**a.options, **b.options}
    one, two = (dict.fromkeys(names, NOT_GIVEN) | header.options for header in (a, b))
    if one != two:
        told = [f"{shorten(name)} {_apart(one[name], two[name])}" for name in names if one[name] != two[name]]
        return f"their options differ: {'; '.join(told[:OPTIONS])}{'; …' if len(told) > OPTIONS else ''}"
    if a.seat_ids != b.seat_ids:
        return f"their seats differ: {', '.join(a.seat_ids)} and {', '.join(b.seat_ids)}"
    return ""


def _apart(one: Any, two: Any) -> str:
    """Return two values as far as they differ."""
    return " and ".join(
        differing_excerpts(msgspec.json.encode(one).decode(), msgspec.json.encode(two).decode())
    )


def _shared_head(a: Record, b: Record) -> str | None:
    """Return the head of the last line that both files begin with."""
    shared = None
    for x, y in zip((a.first, *a.heads), (b.first, *b.heads), strict=False):
        if x != y:
            break
        shared = x.decode()
    return shared
