"""What a comparison of two records says, in sentences, as the terminal and the page beside it tell it."""

from __future__ import annotations

import msgspec

from gamelog.dispute.compare import Comparison, Contradiction, Difference
from gamelog.dispute.sheet import Said, Side
from gamelog.record.counting import many

_SHOWN = 20
"""Differences that people are shown in sentences; --json and the page list them all."""


def comparison_words(compared: Comparison, listed: bool = True) -> list[str]:
    """How far both agree and where they part; each difference where they are `listed`; headers and seals."""
    a, b, shared = compared.a, compared.b, many(compared.agreed, "decision or roll", "decisions and dice")
    if compared.why:
        return [f"{a.path} and {b.path} are not of one game: {compared.why}."]
    if compared.same:
        lines = [f"{a.path} and {b.path}: the same game, {shared}."]
        lines += [f"  {side.path}:{_sealed(side)}" for side in (a, b) if side.sealed]
    else:
        lines = [f"{a.path} and {b.path} agree on {shared}, and then part: {parting(compared)}."]
        lines += [_says(side) for side in (a, b)]
        lines += _listed(compared) if listed else ()
        lines += [_contradiction(one, compared) for one in compared.contradictions]
    others = [one for one in compared.headers if one.member != "id"]  # two sheets are two records
    if others:
        lines.append("What their headers say differently:")
        lines += [
            f"  {one.member}: {_brief(one.a)} in {a.path}, {_brief(one.b)} in {b.path}" for one in others
        ]
    if compared.later:
        lines.append(f"The later seal is that of {getattr(compared, compared.later).path}.")
    return lines


def _brief(value: object) -> str:
    """A header's member, cut where it is long."""
    if value is None:
        return "nothing"
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else text[:79] + "…"


def _listed(compared: Comparison) -> list[str]:
    """All differences, the first one marked; of a single one its length, and whether they agree after it."""
    found, more = compared.differences, compared.unlisted
    total = len(found) + more
    if total == 1:
        (one,) = found
        ended = compared.a.says is None or compared.b.says is None
        if ended or one.length > 1:
            told = _difference(one, compared.a.path, compared.b.path)
            return [told] if ended else [told, "After that they agree to the end."]
        return ["After it they agree to the end."]
    lines = [f"{total} differences, between which they are in step; the first (>) is the one above:"]
    a, b = compared.a.path, compared.b.path
    lines += [
        f"{'>' if at == 1 else ' '} {at}. {_difference(one, a, b)}"
        for at, one in enumerate(found[:_SHOWN], 1)
    ]
    if total > _SHOWN:
        lines.append(
            f"  and {total - _SHOWN} more; --json lists {'them' if not more else f'the first {len(found)}'}."
        )
    return lines


def _difference(one: Difference, a: str, b: str) -> str:
    match one.kind:
        case "missing in a":
            return f"{_events(one.b, one.length, b)} missing in {a} after event {one.a.n}."
        case "missing in b":
            return f"{_events(one.a, one.length, a)} missing in {b} after event {one.b.n}."
        case "twice in a":
            return (
                f"{_events(one.a, one.length, a)} there a second time; {b} has this once, up to event "
                f"{one.b.n}."
            )
        case "twice in b":
            return (
                f"{_events(one.b, one.length, b)} there a second time; {a} has this once, up to event "
                f"{one.a.n}."
            )
        case "in another order":
            return f"In another order: event {one.a.n} in {a} is event {one.b.n} in {b}: {one.a.text}"
        case "another":
            return f"{a}, event {one.a.n}: {one.a.text} {b}, event {one.b.n}: {one.b.text}"


def _contradiction(one: Contradiction, compared: Comparison) -> str:
    of, other = (compared.a, compared.b) if one.of == "a" else (compared.b, compared.a)
    rule = f" ({one.finding.rule})" if one.finding.rule else ""
    return (
        f"The events that {of.path} has from {one.since} on cannot follow on the line of {other.path} up to "
        f'difference {one.difference}: event {one.n}, "{one.text}", cannot be played there: '
        f"{one.finding.message}{rule}. This proves an error in one of the sheets before that event."
    )


def _events(said: Said, length: int, path: str) -> str:
    if length == 1:
        return f"{path}, event {said.n}: {said.text} It is"
    return f"{path}, {length} events from {said.n} on, the first: {said.text} They are"


def parting(compared: Comparison) -> str:
    """How two records part at the first difference."""
    a, b = compared.a.path, compared.b.path
    return {
        "missing in a": f"what {b} has next is missing in {a}",
        "missing in b": f"what {a} has next is missing in {b}",
        "twice in a": f"{a} has the last of them twice",
        "twice in b": f"{b} has the last of them twice",
        "in another order": "two events stand in another order",
        "another": "they say different things",
    }[compared.kind or "another"]


def _says(side: Side) -> str:
    what = f", event {side.n}: {side.text}" if side.says else " has no more events."
    judged = (
        f" It is {side.status}: event {side.illegal.n}, {side.illegal.message}."
        if side.illegal
        else " Its line is legal."
    )
    return f"  {side.path}{what}{judged}{_sealed(side)}"


def _sealed(side: Side) -> str:
    covers = {True: ", this event included", False: ""}
    return "".join(
        f" {one.seat} has signed up to event {one.n} on {one.time}{covers[one.covers]}."
        for one in side.sealed
    )
