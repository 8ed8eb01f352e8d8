"""Two score sheets as one record: the events on which both agree, or those that people chose."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from gamelog.dispute.alignment import Side, align
from gamelog.dispute.chosen_line import LineItem, choose_line, first_illegal, restamp
from gamelog.dispute.compare import compare
from gamelog.dispute.origins import Run, runs
from gamelog.dispute.reveal_merging import are_copies, unite_copies
from gamelog.dispute.score_sheet import ScoreSheet, as_numbers
from gamelog.errors import PlayError
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.common_events import Substitute
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.envelope import MAX_LINE, Event, Parent, encode_body
from gamelog.record.reading import Record
from gamelog.record.record_file import compose


def merge(a: Record, b: Record, id: str, sides: Sequence[Side] = (), *, reveal: bool = True) -> bytes:
    """Return a new record with the events on which `a` and `b` agree, up to the first difference.

    The times are the times of `a`, and both records are parents. An end of the game that was agreed or ruled
    is left out, so people must record it again. Copies of one record with recomputed dice are united as this
    record (`gamelog.dispute.reveal_merging`).

    Args:
        a: The record that gives the times and the header.
        b: The other record.
        id: The id of the new record. Copies that are united keep their own id.
        sides: The side that counts for each difference, in order. With an entry for a difference, the record
            continues after it, and the parents list the events that each of them has.
        reveal: Whether the error on copies that cannot be united may describe hidden information of an
            unfinished game.

    Returns:
        The bytes of the new record.

    Raises:
        PlayError: The records are of different games; or their dice are recomputed and they are not copies of
            one record; or the `sides` lead to an event that is not possible there.
    """
    if are_copies(a, b) and a.members["dice"]["source"] != "table":
        return unite_copies(a, b, reveal=reveal)
    compared = compare(a, b)
    if compared.why:
        raise PlayError(Message.of("These records are of different games: {problem}.", problem=compared.why))
    sheet_a, sheet_b = ScoreSheet(a), ScoreSheet(b)
    if any(sheet.header.dice.source != "table" for sheet in (sheet_a, sheet_b)):
        raise PlayError(
            "Only records with dice rolled at the table can be merged. Recomputed dice belong to one record."
        )
    line = choose_line(sheet_a, sheet_b, align(*as_numbers(sheet_a.play, sheet_b.play)), sides)
    kept, events = restamp(line, sheet_a, sheet_b)
    parents = [
        Parent(sheet.header.id, n, sheet.record.head_at(n), merged=True, events=_runs(there) if sides else ())
        for sheet, n, there in (
            (sheet_a, _last_number([item.a for item in line]), [item.a for item in kept]),
            (sheet_b, _last_number([item.b for item in line]), [item.b for item in kept]),
        )
    ]
    header = structs.replace(sheet_a.header, id=id, parents=tuple(parents))
    failed = first_illegal(header, sheet_a, events) if sides else None
    if failed:
        raise PlayError(_refusal(failed, kept[(failed.n or 1) - 1], sheet_a, sheet_b, sides))
    if len(encode_body(header)) > MAX_LINE // 2:
        raise PlayError("These records differ in too many places to merge them by choosing sides.")
    return compose(header, events)[0]


def substitutions_left_out(*records: Record) -> list[Message]:
    """Return a sentence for each substitution in `records`. Merged records do not contain substitutions."""
    text = (
        "{=path}, event {n}: {=name} took the seat of {=left}. The merged record does not contain this "
        "substitution."
    )
    left_out = []
    for record in records:
        fold = fold_record(record).fold
        for event in fold.events if fold else ():
            if fold and isinstance(event, Substitute):
                left = fold.session_at(event.n - 1).name_of(event.seat)
                left_out.append(Message.of(text, path=record.path, n=event.n, name=event.name, left=left))
    return left_out


def _last_number(events: Sequence[Event | None]) -> int:
    return max((event.n for event in events if event), default=0)


def _runs(events: Sequence[Event | None]) -> tuple[Run, ...]:
    return runs((here, event.n) for here, event in enumerate(events, 1) if event)


def _refusal(
    failed: Finding, item: LineItem, sheet_a: ScoreSheet, sheet_b: ScoreSheet, sides: Sequence[Side]
) -> Message:
    """Return the message that says why the chosen events do not give a legal game.

    `failed` is the finding on `item`.
    """
    sheet, event = (sheet_a, item.a) if item.a else (sheet_b, item.b)
    assert event is not None
    members = {
        "n": event.n,
        "path": sheet.record.path,
        "text": sheet.describe(event),
        "problem": failed.message,
    }
    rule = rulebook(sheet_a.fold.game).get(failed.rule or "")
    if rule:
        text = 'event {n} of {=path}, "{=text}", cannot follow: {problem} [{=rule}: {words}]'
        problem = Message.of(text, rule=rule.id, words=Message(rule.text), **members)
    else:
        problem = Message.of('event {n} of {=path}, "{=text}", cannot follow: {problem}', **members)
    if not item.differences_before:
        return Message.of(
            "Both sheets contain an event that is not possible there: {problem}.", problem=problem
        )
    chosen = sheet_a if sides[item.differences_before - 1] == "a" else sheet_b
    return Message.of(
        "You cannot choose {=path} for difference {n} after your earlier choices: {problem}. "
        "Choose the other side for this difference or for an earlier one.",
        n=item.differences_before,
        path=chosen.record.path,
        problem=problem,
    )
