"""Two score sheets as one record: the line on which both agree, or with a choice at each difference."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from gamelog.dispute.alignment import Choice, differing
from gamelog.dispute.chosen_line import Item, chosen_line, first_illegal, stamped
from gamelog.dispute.compare import compare
from gamelog.dispute.origins import Run, runs
from gamelog.dispute.reveal_merging import are_copies, unite
from gamelog.dispute.score_sheet import ScoreSheet, numbered
from gamelog.errors import PlayError
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.common import Substitute
from gamelog.play.judging.replay import replay
from gamelog.record.envelope import MAX_LINE, Event, Parent, body
from gamelog.record.reading import Record
from gamelog.record.record_file import compose


def merge(a: Record, b: Record, id: str, sides: Sequence[Choice] = ()) -> bytes:
    """The agreed line of two records as a new one, called `id`, with the first's times and both as parents.

    It goes on after the first difference if `sides` has the side that counts for each difference, in their
    order; then the parents say which events each of them has. An end that was agreed or ruled is left for
    people to write again. Copies of one record with dice that are recomputed stay that record: see
    `gamelog.dispute.reveal_merging`. Raises `PlayError` if the records are not of the same game, if their
    dice are not the table's and they are not copies, since dice that are recomputed belong to one record, or
    if the `sides` lead to an event that cannot be played there.
    """
    if are_copies(a, b) and a.members["dice"]["source"] != "table":
        return unite(a, b)
    compared = compare(a, b)
    if compared.why:
        raise PlayError(Message.of("These are not two records of one game: {=why}.", why=compared.why))
    one, two = ScoreSheet(a), ScoreSheet(b)
    if any(sheet.header.dice.source != "table" for sheet in (one, two)):
        raise PlayError(
            "Only records of dice rolled at the table can be merged; recomputed dice belong to one record."
        )
    line = chosen_line(one, two, differing(*numbered(one.play, two.play)), sides)
    kept, events = stamped(line, one, two)
    parents = [
        Parent(sheet.header.id, n, sheet.record.head_at(n), merged=True, events=_runs(there) if sides else ())
        for sheet, n, there in (
            (one, _last([item.a for item in line]), [item.a for item in kept]),
            (two, _last([item.b for item in line]), [item.b for item in kept]),
        )
    ]
    header = structs.replace(one.header, id=id, parents=tuple(parents))
    failed = first_illegal(header, one, events) if sides else None
    if failed:
        raise PlayError(_refusal(failed, kept[(failed.n or 1) - 1], one, two, sides))
    if len(body(header)) > MAX_LINE // 2:
        raise PlayError("These two records differ in too many places to be merged by choice.")
    return compose(header, events)[0]


def substitutions_left_out(*records: Record) -> list[Message]:
    """Return a sentence on each substitution on the sheets `records`, which a merged record does not have."""
    text = "{=path}, event {n}: {=name} took the seat of {=left}, which the merged record does not say."
    found = []
    for record in records:
        fold = replay(record).fold
        for event in fold.events if fold else ():
            if fold and isinstance(event, Substitute):
                left = fold.session_at(event.n - 1).name_of(event.seat)
                found.append(Message.of(text, path=record.path, n=event.n, name=event.name, left=left))
    return found


def _last(events: Sequence[Event | None]) -> int:
    return max((event.n for event in events if event), default=0)


def _runs(events: Sequence[Event | None]) -> tuple[Run, ...]:
    return runs((here, event.n) for here, event in enumerate(events, 1) if event)


def _refusal(failed: Finding, item: Item, one: ScoreSheet, two: ScoreSheet, sides: Sequence[Choice]) -> str:
    sheet, event = (one, item.a) if item.a else (two, item.b)
    assert event is not None
    path = sheet.record.path
    rule = rulebook(one.fold.game).get(failed.rule or "")
    words = f" [{rule.id}: {rule.text}]" if rule else ""
    text = sheet.text(event)
    cannot = f'event {event.n} of {path}, "{text}", cannot follow: {failed.message}{words}.'
    if not item.after:
        return f"Both sheets have an event that cannot be played: {cannot}"
    chosen = one if sides[item.after - 1] == "a" else two
    return (
        f"Difference {item.after} cannot be decided for {chosen.record.path} with the choices before it: "
        f"{cannot} Choose the other side there or at an earlier difference."
    )
