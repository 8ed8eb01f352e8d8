"""A comparison of two records in sentences, for the terminal and the page beside it."""

from __future__ import annotations

import msgspec

from gamelog.dispute.compare import Comparison, Contradiction, Difference
from gamelog.dispute.score_sheet import RecordSide, SheetEntry
from gamelog.message import Message, verbatim

_SHOWN = 20
"""Differences that people are shown in sentences; --json and the page list them all."""

_AGREED = "{n} {n:decision or roll|decisions and dice}"


def comparison_words(compared: Comparison, listed: bool = True) -> list[Message]:
    """Return sentences on how far two records agree and where they part, on their headers and seals.

    Args:
        compared: The comparison.
        listed: Whether to name each difference.
    """
    paths, agreed = {"a": compared.a.path, "b": compared.b.path}, Message.of(_AGREED, n=compared.agreed)
    if compared.why:
        return [Message.of("{=a} and {=b} are not of one game: {=why}.", why=compared.why, **paths)]
    if compared.same:
        lines = [Message.of("{=a} and {=b}: the same game, {agreed}.", agreed=agreed, **paths)]
        lines += [
            Message.of("  {=path}: {seals}", path=side.path, seals=_seals(side))
            for side in (compared.a, compared.b)
            if side.sealed
        ]
    else:
        text = "{=a} and {=b} agree on {agreed}, and then part: {parting}."
        lines = [Message.of(text, agreed=agreed, parting=parting(compared), **paths)]
        lines += [_next_event(side) for side in (compared.a, compared.b)]
        lines += _listed(compared) if listed else ()
        lines += [_contradiction(one, compared) for one in compared.contradictions]
    others = [one for one in compared.headers if one.member != "id"]  # two sheets are two records
    if others:
        lines.append(Message("What their headers say differently:"))
        text = "  {=member}: {one} in {=a}, {other} in {=b}"
        lines += [
            Message.of(text, member=one.member, one=_brief(one.a), other=_brief(one.b), **paths)
            for one in others
        ]
    if compared.later:
        lines.append(Message.of("The later seal is that of {=path}.", path=paths[compared.later]))
    return lines


def _brief(value: object) -> Message:
    """Return a member of a header, cut if it is long."""
    if value is None:
        return Message("nothing")
    text = msgspec.json.encode(value).decode()
    return verbatim(text if len(text) <= 80 else text[:79] + "…")


def _listed(compared: Comparison) -> list[Message]:
    """Return all differences, the first one marked; of a single one its length, and whether it is the end."""
    found, more = compared.differences, compared.unlisted
    total = len(found) + more
    if total == 1:
        (one,) = found
        ended = compared.a.says is None or compared.b.says is None
        if ended or one.length > 1:
            difference = _difference(one, compared)
            return [difference] if ended else [difference, Message("After that they agree to the end.")]
        return [Message("After it they agree to the end.")]
    text = "{n} differences, between which they are in step; the first (>) is the one above:"
    lines = [Message.of(text, n=total)]
    for at, one in enumerate(found[:_SHOWN], 1):
        text = "> {at}. {difference}" if at == 1 else "  {at}. {difference}"
        lines.append(Message.of(text, at=at, difference=_difference(one, compared)))
    if total > _SHOWN:
        text = (
            "  and {n} more; --json lists the first {listed}."
            if more
            else "  and {n} more; --json lists them."
        )
        lines.append(Message.of(text, n=total - _SHOWN, listed=len(found)))
    return lines


def _difference(one: Difference, compared: Comparison) -> Message:
    a, b = compared.a.path, compared.b.path
    match one.kind:
        case "missing in a":
            return _only(one.b, one.length, b, a, one.a.n, _MISSING)
        case "missing in b":
            return _only(one.a, one.length, a, b, one.b.n, _MISSING)
        case "twice in a":
            return _only(one.a, one.length, a, b, one.b.n, _TWICE)
        case "twice in b":
            return _only(one.b, one.length, b, a, one.a.n, _TWICE)
        case "in another order":
            text = "In another order: event {n} in {=a} is event {other} in {=b}: {=text}"
            return Message.of(text, n=one.a.n, a=a, other=one.b.n, b=b, text=one.a.text)
        case "another":
            first = Message.of(_EVENT, path=a, n=one.a.n, text=one.a.text)
            return Message.of(
                "{first} {second}", first=first, second=Message.of(_EVENT, path=b, n=one.b.n, text=one.b.text)
            )


_EVENT = "{=path}, event {n}: {=text}"

_MISSING = (
    "{=path}, event {n}: {=text} It is missing in {=other} after event {at}.",
    "{=path}, {length} events from {n} on, the first: {=text} They are missing in {=other} after event {at}.",
)
"""An event, and several, that the other record lacks."""

_TWICE = (
    "{=path}, event {n}: {=text} It is there a second time; {=other} has this once, up to event {at}.",
    "{=path}, {length} events from {n} on, the first: {=text} They are there a second time; {=other} has "
    "this once, up to event {at}.",
)
"""An event, and several, that one record has twice."""


def _only(entry: SheetEntry, length: int, path: str, other: str, at: int, texts: tuple[str, str]) -> Message:
    """Return the sentence on events that only `path` has, or has twice; `at` is the place in `other`."""
    text = texts[length != 1]
    return Message.of(text, path=path, n=entry.n, length=length, text=entry.text, other=other, at=at)


def _contradiction(one: Contradiction, compared: Comparison) -> Message:
    of, other = (compared.a, compared.b) if one.of == "a" else (compared.b, compared.a)
    reason = one.finding.sentence
    if one.finding.rule:
        reason = Message.of("{remark} ({=rule})", remark=reason, rule=one.finding.rule)
    return Message.of(
        "The events that {=path} has from {since} on cannot follow on the line of {=other} up to difference "
        '{difference}: event {n}, "{=text}", cannot be played there: {reason}. This proves an error in one '
        "of the sheets before that event.",
        path=of.path,
        since=one.since,
        other=other.path,
        difference=one.difference,
        n=one.n,
        text=one.text,
        reason=reason,
    )


_PARTING = {
    "missing in a": "what {=b} has next is missing in {=a}",
    "missing in b": "what {=a} has next is missing in {=b}",
    "twice in a": "{=a} has the last of them twice",
    "twice in b": "{=b} has the last of them twice",
    "in another order": "two events stand in another order",
    "another": "they say different things",
}
"""Clauses on how two records part, by the kind of the first difference."""


def parting(compared: Comparison) -> Message:
    """Return how two records part at the first difference."""
    return Message.of(_PARTING[compared.kind or "another"], a=compared.a.path, b=compared.b.path)


def _next_event(side: RecordSide) -> Message:
    """Return what a side has where the records part, whether it is legal, and its seals."""
    if side.says:
        begin = Message.of(_EVENT, path=side.path, n=side.n, text=side.text)
    else:
        begin = Message.of("{=path} has no more events.", path=side.path)
    judged = Message("Its line is legal.")
    if side.illegal:
        text = "It is {status}: event {n}, {reason}."
        judged = Message.of(text, status=side.status, n=side.illegal.n, reason=side.illegal.sentence)
    return Message.of("  {parts}", parts=[begin, judged, *_seals(side)])


def _seals(side: RecordSide) -> list[Message]:
    """Return a sentence for each seal of a side; ``covers`` is unknown if the records do not part."""
    signed = "{=seat} has signed up to event {n} on {=time}."
    covering = "{=seat} has signed up to event {n} on {=time}, this event included."
    return [
        Message.of(covering if one.covers else signed, seat=one.seat, n=one.n, time=one.time)
        for one in side.sealed
    ]
