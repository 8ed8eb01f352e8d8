"""Sentences on the comparison of two records, for the terminal and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from gamelog.dispute.compare import Comparison, Contradiction, Difference, Withheld
from gamelog.dispute.score_sheet import RecordSide, SheetEntry
from gamelog.message import Message, verbatim
from gamelog.play.rendering.sentences import with_full_stop

_MAX_SHOWN = 20
"""Maximum number of differences in the sentences. The comparison and the page list all differences."""

_MIN_UNRELATED_DIFFERENCES = 6
"""Number of differences from which on records that differ from the start are probably unrelated."""

_MAX_SHOWN_UNRELATED = 3
"""Maximum number of differences in the sentences about records that differ from the start."""

_WITHHELD: Mapping[tuple[Withheld, ...], str] = {
    ("hidden information",): (
        "The game is not over, so the comparison leaves out hidden information. To include it, reveal it."
    ),
    ("the seed of the dice",): (
        "The game is not over, so the comparison leaves out the seed of the dice. To include it, reveal it."
    ),
    ("hidden information", "the seed of the dice"): (
        "The game is not over, so the comparison leaves out hidden information and the seed of the dice. "
        "To include them, reveal them."
    ),
}
"""Sentences on the parts that a comparison leaves out."""

_AGREED = "{n} {n:decision or roll|decisions and dice}"


def comparison_words(compared: Comparison, listed: bool = True) -> list[Message]:
    """Return sentences on the events, the headers and the seals of two records.

    Args:
        compared: The comparison.
        listed: Whether to list each difference.
    """
    paths, agreed = {"a": compared.a.path, "b": compared.b.path}, Message.of(_AGREED, n=compared.agreed)
    if compared.why:
        return [
            Message.of(
                "{=a} and {=b} are records of different games: {problem}.", problem=compared.why, **paths
            )
        ]
    if compared.same:
        lines = [Message.of("{=a} and {=b}: the same game, {agreed}.", agreed=agreed, **paths)]
        lines += [
            Message.of("  {=path}: {seals}", path=side.path, seals=_seals(side))
            for side in (compared.a, compared.b)
            if side.sealed
        ]
    else:
        text = "{=a} and {=b} agree on {agreed}. Then they differ: {parting}."
        if _differ_from_start(compared):
            text = (
                "{=a} and {=b} agree on no decision and no roll. They are probably records of unrelated "
                "games. At the start, {parting}."
            )
        lines = [Message.of(text, agreed=agreed, parting=parting_clause(compared), **paths)]
        lines += [_next_event(side) for side in (compared.a, compared.b)]
        lines += _difference_list(compared) if listed else ()
        if not _differ_from_start(compared):
            lines += [
                _contradiction_text(contradiction, compared) for contradiction in compared.contradictions
            ]
    lines[1:1] = _ruling_lines(compared)
    others = [
        difference for difference in compared.headers if difference.member != "id"
    ]  # two sheets are two records
    if others:
        lines.append(Message.of("Differences in their headers:"))
        text = "  {=member}: {one} in {=a}, {other} in {=b}"
        lines += [
            Message.of(
                text,
                member=difference.member,
                one=_member_text(difference.a),
                other=_member_text(difference.b),
                **paths,
            )
            for difference in others
        ]
    if compared.later:
        lines.append(Message.of("{=path} has the later seal.", path=paths[compared.later]))
    if compared.withheld:
        lines.append(Message(_WITHHELD[compared.withheld]))
    return lines


def _differ_from_start(compared: Comparison) -> bool:
    """Return whether two records differ at the first decision or roll, and often after that."""
    return not compared.agreed and len(compared.differences) >= _MIN_UNRELATED_DIFFERENCES


def _member_text(value: object) -> Message:
    """Return a member of a header as JSON, cut if it is long."""
    if value is None:
        return Message.of("nothing")
    text = msgspec.json.encode(value).decode()
    return verbatim(text if len(text) <= 80 else text[:79] + "…")


def _ruling_lines(compared: Comparison) -> Iterator[Message]:
    """Yield the rulings that only one of the records has, by record."""
    if not compared.rulings:
        return
    yield Message.of("The rulings in force differ:")
    for of, side in (("a", compared.a), ("b", compared.b)):
        rulings = [ruling for ruling in compared.rulings if ruling.of == of]
        if not rulings:
            yield Message.of("  {=path} has no ruling that the other record lacks.", path=side.path)
        for ruling in rulings:
            text = "  {=path}, event {n}: ruling of {=name} about event {about}, {=text}. Reason: {=reason}"
            yield Message.of(
                text,
                path=side.path,
                n=ruling.n,
                name=ruling.name,
                about=ruling.about,
                text=ruling.text,
                reason=with_full_stop(ruling.reason),
            )


def _difference_list(compared: Comparison) -> list[Message]:
    """Return a line for each difference, the first one marked.

    A single difference is described only if it has several events or ends one of the records.
    """
    differences, more = compared.differences, compared.unlisted
    total = len(differences) + more
    if total == 1:
        (item,) = differences
        ended = compared.a.says is None or compared.b.says is None
        if ended or item.length > 1:
            difference = _difference_text(item, compared)
            return (
                [difference]
                if ended
                else [difference, Message.of("After this difference they agree to the end.")]
            )
        return [Message.of("After this difference they agree to the end.")]
    text = "{n} differences; between them the records agree. The first one (>) is described above:"
    lines = [Message.of(text, n=total)]
    most = _MAX_SHOWN_UNRELATED if _differ_from_start(compared) else _MAX_SHOWN
    for number, item in enumerate(differences[:most], 1):
        text = "> {number}. {difference}" if number == 1 else "  {number}. {difference}"
        lines.append(Message.of(text, number=number, difference=_difference_text(item, compared)))
    if total > most:
        text = (
            "  and {n} more; the comparison lists the first {listed}."
            if more
            else "  and {n} more; the comparison lists them."
        )
        lines.append(Message.of(text, n=total - most, listed=len(differences)))
    return lines


def _difference_text(difference: Difference, compared: Comparison) -> Message:
    """Return the sentence about one difference between two records."""
    a, b = compared.a.path, compared.b.path
    match difference.kind:
        case "missing in a":
            return _one_sided_text(difference.b, difference.length, b, a, difference.a.n, _MISSING)
        case "missing in b":
            return _one_sided_text(difference.a, difference.length, a, b, difference.b.n, _MISSING)
        case "twice in a":
            return _one_sided_text(difference.a, difference.length, a, b, difference.b.n, _TWICE)
        case "twice in b":
            return _one_sided_text(difference.b, difference.length, b, a, difference.a.n, _TWICE)
        case "in another order":
            text = "In another order: event {n} in {=a} is event {there} in {=b}: {=text}"
            return Message.of(text, n=difference.a.n, a=a, there=difference.b.n, b=b, text=difference.a.text)
        case "another":
            first = Message.of(_EVENT, path=a, n=difference.a.n, text=difference.a.text)
            return Message.of(
                "{first} {second}",
                first=first,
                second=Message.of(_EVENT, path=b, n=difference.b.n, text=difference.b.text),
            )


_EVENT = "{=path}, event {n}: {=text}"

_MISSING = (
    "{=path}, event {n}: {=text} It is missing in {=other} after event {at}.",
    "{=path}, {length} events from {n} on, the first: {=text} They are missing in {=other} after event {at}.",
)
"""Templates for one event and for several events that the other record lacks."""

_TWICE = (
    "{=path}, event {n}: {=text} The record has it a second time; {=other} has it once, up to event {at}.",
    "{=path}, {length} events from {n} on, the first: {=text} The record has them a second time; {=other} "
    "has them once, up to event {at}.",
)
"""Templates for one event and for several events that one record has twice."""


def _one_sided_text(
    entry: SheetEntry, length: int, path: str, other: str, place: int, texts: tuple[str, str]
) -> Message:
    """Return the sentence on events that only `path` has, or has twice. `place` is the place in `other`."""
    text = texts[length != 1]
    return Message.of(text, path=path, n=entry.n, length=length, text=entry.text, other=other, at=place)


def _contradiction_text(contradiction: Contradiction, compared: Comparison) -> Message:
    """Return the sentence that one record's events cannot follow the other record's events."""
    of, other = (compared.a, compared.b) if contradiction.of == "a" else (compared.b, compared.a)
    problem = contradiction.finding.message
    if contradiction.finding.rule:
        problem = Message.of("{problem} ({=rule})", problem=problem, rule=contradiction.finding.rule)
    return Message.of(
        "The events of {=path} from event {since} on cannot follow the events of {=other} up "
        'to difference {place}, because event {n}, "{=text}", is not possible there: {problem}. '
        "So one of the sheets has an error before that event.",
        path=of.path,
        since=contradiction.since,
        other=other.path,
        place=contradiction.difference,
        n=contradiction.n,
        text=contradiction.text,
        problem=problem,
    )


_PARTINGS = {
    "missing in a": "the next event of {=b} is missing in {=a}",
    "missing in b": "the next event of {=a} is missing in {=b}",
    "twice in a": "{=a} has the last event twice",
    "twice in b": "{=b} has the last event twice",
    "in another order": "two events are in another order",
    "another": "they have different events",
}
"""Clauses on the first difference of two records, by its kind."""


def parting_clause(compared: Comparison) -> Message:
    """Return a clause on the first difference."""
    return Message.of(_PARTINGS[compared.kind or "another"], a=compared.a.path, b=compared.b.path)


def _next_event(side: RecordSide) -> Message:
    """Return the event of a side at the first difference, whether its events are legal, and its seals."""
    if side.says:
        begin = Message.of(_EVENT, path=side.path, n=side.n, text=side.text)
    else:
        begin = Message.of("{=path} has no more events.", path=side.path)
    judged = Message.of("Its events are legal.")
    if side.illegal:
        text = "The record is {status} at event {n}: {problem}."
        judged = Message.of(text, status=side.status, n=side.illegal.n, problem=side.illegal.message)
    elif side.disputed:
        text = "Event {n} is illegal and was played anyway: {problem}."
        judged = Message.of(text, n=side.disputed.n, problem=side.disputed.message)
    return Message.of("  {parts}", parts=[begin, judged, *_seals(side)])


def _seals(side: RecordSide) -> list[Message]:
    """Return a sentence for each seal of a side. ``covers`` is False if there is no difference."""
    signed = "{=seat} signed all events up to event {n} on {=time}."
    covering = "{=seat} signed all events up to event {n}, this event included, on {=time}."
    return [
        Message.of(covering if seal.covers else signed, seat=seal.seat, n=seal.n, time=seal.time)
        for seal in side.sealed
    ]
