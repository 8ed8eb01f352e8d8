"""``fix``: an event is replaced or inserted, and the later events are recorded again.

The user decides about each later event that is no longer legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gamelog.errors import AppendError, BadSetup, Conflict, NotReadable, Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.recording.correction import Correction, last_play
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.visibility import visible_in_fold
from gamelog.record.envelope import Event, as_proposal
from gamelog_cli import typed_dice, typed_members
from gamelog_cli.conversation import prompts, reading, screen, show_commands
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.conversation.terminal import Prompt
from gamelog_cli.language import clause_of, other_locale
from gamelog_cli.output import print_wrapped

_NEW_EVENTS = "Someone else has recorded new events."

PLACED = re.compile(r"(?:--)?(?P<how>at|before)\s+(?P<n>\d+)\s+(?P<event>.+)", re.S)
"""A correction with the place of its event: ``at N EVENT`` or ``before N EVENT``."""
_NUMBERED = re.compile(r"(?P<n>\d+)\s+(?P<event>.+)", re.S)

MAX_TRIED = 50
"""Maximum number of events that are no longer legal that `misfits` finds."""

MAX_LISTED = 5
"""Maximum number of remaining events that the report lists."""


@dataclass
class CorrectionDialog:
    """Arguments of ``fix``, and the answers so far by the number of the event that was no longer legal."""

    at: int
    before: bool
    text: str
    began: bool = False
    puts: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)
    stopped: int | None = None
    shifts: bool = False


def parse_fix(recorder: EventRecorder, rest: str) -> CorrectionDialog:
    """Return the dialog for ``fix`` with the arguments `rest`.

    Raises:
        Misread: The arguments cannot be read.
        Refused: There is no event to correct.
    """
    return CorrectionDialog(*_where(recorder, rest))


def correct(place: Prompt, recorder: EventRecorder, asked: CorrectionDialog) -> Correction | None:
    """Return the correction for `asked`, after questions about later events, or None if the user cancels.

    Raises:
        Misread: The event cannot be read.
        Refused: The event cannot be corrected.
        Conflict: Someone else has recorded an event. `asked` keeps the answers for another try.
    """
    correction = Correction(recorder.log.path, asked.at, before=asked.before, shown_to=recorder.shown_to)
    if correction.known != recorder.n:
        raise Conflict(Message(_NEW_EVENTS))
    choices = Choices(correction.rehearsal, prompts.chooser(place))
    if not _put(correction, choices, asked.text, None if asked.before else asked.at):
        return None
    if not asked.began and not _agreed(place, None if asked.before else changed_player(correction)):
        return None
    asked.began = True
    correction.shifts = asked.shifts
    carried_out: set[int] = set()
    while (refused := correction.repeat_later_events()) is not None:
        n = correction.left[0].n
        if n == asked.stopped:
            break
        if n not in carried_out and _answered(correction, asked, n):
            carried_out.add(n)
            continue
        carried_out.add(n)
        if recorder.log.has_grown:
            raise Conflict(Message(_NEW_EVENTS))
        text = "Event {n} is no longer legal: {=event}"
        print_wrapped(Message.of(text, n=n, event=event_text(recorder, correction.left[0])))
        screen.refusal(choices, Refused(refused.message, refused), as_proposal(correction.left[0]))
        try:
            shift = offer(correction, recorder)
            answers = Message("skip, stop, cancel, EVENT to replace it, or before EVENT> ")
            if shift:
                print_wrapped(Message.of("{text} To record this, type: shift", text=shift))
                answers = Message("skip, shift, stop, cancel, EVENT to replace it, or before EVENT> ")
            answer = _answer(place, choices, answers, refused.rule, recorder)
        except (EOFError, KeyboardInterrupt):
            return None
        match answer.split():
            case ["cancel" | "quit" | "exit"]:
                return None
            case ["shift"] if shift:
                asked.shifts = correction.shifts = True
            case ["stop"]:
                asked.stopped = n
            case ["skip"]:
                correction.skip()
                asked.skipped.add(n)
            case ["before", *words] if words:
                if event := _put(correction, choices, " ".join(words)):
                    asked.puts.setdefault(n, []).append(event)
            case [_, *_] if event := _put(correction, choices, answer, n):
                asked.puts.setdefault(n, []).append(event)
                asked.skipped.add(n)
                correction.skip()
    return correction


def _answered(correction: Correction, asked: CorrectionDialog, n: int) -> bool:
    """Carry out the answers about event `n` from an earlier try. Return whether they settle it."""
    if n not in asked.skipped and n not in asked.puts:
        return False
    for event in asked.puts.get(n, ()):
        if correction.put(event):
            asked.puts.pop(n)
            asked.skipped.discard(n)
            return False
    if n in asked.skipped:
        correction.skip()
    return True


def _answer(
    place: Prompt, choices: Choices, prompt: Message, rule: str | None, written: EventRecorder
) -> str:
    """Return the answer to `prompt`. Commands that only show something are carried out before.

    `rule` is the rule in the last refusal; ``list`` shows the events of `written`, not of the rehearsal.
    """
    while True:
        answer = place.ask(lambda: prompt).text
        word, _, rest = answer.partition(" ")
        try:
            if not show_commands.look(choices, word, rest, rule, written):
                return answer
        except (typed_members.Misread, AppendError, BadSetup, NotReadable) as error:
            print_wrapped(error.said)


def _agreed(place: Prompt, changed: Message | None) -> bool:
    """Return whether the user agrees that the player has `changed`; without a person, print the change."""
    if not changed:
        return True
    if not place.asks:
        print_wrapped(changed)
        return True
    question = Message.of("{text} Is that right? [Y/n] ", text=changed)
    try:
        return prompts.ask_yes_or_no(place, question, True, lambda _line: False) is True
    except (EOFError, KeyboardInterrupt):
        return False


def changed_player(correction: Correction) -> Message | None:
    """Return a sentence if the new event belongs to another player than the corrected event, else None."""
    if not correction.put_in:
        return None
    events, session = correction.rehearsal.events, correction.rehearsal.fold.session
    was, now = events[correction.at - 1].by, events[correction.put_in[0] - 1].by
    if was == now:
        return None
    text = "Event {n} was by {=old}; the new event is by {=new}."
    return Message.of(text, n=correction.at, old=session.name_of(was), new=session.name_of(now))


def kept_player(correction: Correction, n: int) -> str | None:
    """Return the player of event `n` if that player may also play the new event, else None."""
    by = correction.rehearsal.events[n - 1].by
    return by if by in correction.rehearsal.fold.pending.by else None


def _put(
    correction: Correction, choices: Choices, text: str, instead: int | None = None
) -> dict[str, Any] | None:
    """Add the typed event to the correction and return it; print why if it is refused.

    `instead` is the number of the event that it replaces.
    """
    try:
        event = reading.event(choices, text, kept_player(correction, instead) if instead else None)
        refused = correction.put(event)
    except (typed_members.Misread, Refused, BadSetup, NotReadable) as error:
        print_wrapped(error.said)
        return None
    if refused:
        screen.refusal(choices, Refused(refused.message, refused), event)
    return None if refused else event


def _where(recorder: EventRecorder, rest: str) -> tuple[int, bool, str]:
    """Return the number of the event, whether to insert before it, and the text of the new event.

    Without a number it is the last roll if `rest` is dice, else the last decision.
    """
    placed = PLACED.fullmatch(rest)
    if placed:
        return int(placed["n"]), placed["how"] == "before", placed["event"]
    if _rolls(recorder, rest):
        return last_play(recorder, chance=True), False, rest
    numbered = _NUMBERED.fullmatch(rest)
    if numbered:
        return int(numbered["n"]), False, numbered["event"]
    if not rest:
        raise typed_members.Misread("Type fix DICE, fix N EVENT, or fix before N EVENT.")
    return last_play(recorder, chance=False), False, rest


def _rolls(recorder: EventRecorder, text: str) -> bool:
    """Return whether `text` can be the result of the last roll or draw."""
    try:
        n = last_play(recorder, chance=True)
        owed = recorder.record_view.position(n - 1).pending.chance
        return owed is not None and bool(typed_dice.parse_dice(owed, text))
    except (typed_members.Misread, Refused):
        return False


def event_text(recorder: EventRecorder, event: Event) -> str:
    """Return an event as people type it, or as a sentence if parts of it are hidden here."""
    if visible_in_fold(recorder.fold, event, recorder.view) is not event:
        return recorder.text(event.n, locale=other_locale()).rstrip(".")
    return f"{recorder.fold.session.name_of(event.by)}: {' '.join(typed_members.event_words(event))}"


def print_correction(correction: Correction, recorder: EventRecorder) -> None:
    """Print the result of a correction, and the events that remain."""
    at = correction.at
    text = "Back to event {to}: the events from event {n} on were a slip (recording mistake)."
    print_wrapped(Message.of(text, to=at - 1, n=at))
    for n in correction.put_in:
        screen.print_event(correction.rehearsal, n)
    if correction.again:
        text = "{n} later {n:event was|events were} recorded again, up to event {last}."
        print_wrapped(Message.of(text, n=correction.again, last=correction.rehearsal.n))
    if correction.clock_start:
        text = (
            "The clock was stopped. Event {n} starts it for the correction, and the last event stops it "
            "again."
        )
        print_wrapped(Message.of(text, n=correction.clock_start))
    if correction.shifted:
        text = "{n} of them now {n:belongs|belong} to the player who was to move."
        print_wrapped(Message.of(text, n=correction.shifted))
    if correction.drawn:
        text = "The dice of these events were rolled again from the seed: {numbers}."
        print_wrapped(Message.of(text, numbers=", ".join(map(str, correction.drawn))))
    for line in left(correction, recorder):
        print_wrapped(line)


def left(correction: Correction, recorder: EventRecorder) -> Iterator[str | Message]:
    """Yield lines about the later events that were not recorded again."""
    events = correction.left
    if events:
        yield Message.of("{n} {n:event was|events were} not recorded again:", n=len(events))
    for event in events[:MAX_LISTED]:
        yield f"  {event.n}. {event_text(recorder, event)}"
    if len(events) > MAX_LISTED:
        text = "  … up to event {n}. They stay in the record. To see one, run: gamelog replay FILE --at N"
        yield Message.of(text, n=events[-1].n)


def offer(correction: Correction, recorder: EventRecorder) -> Message | None:
    """Return a remark if the next event would be legal for another player, else None."""
    if not correction.left or not correction.can_shift():
        return None
    pending, name_of = correction.rehearsal.fold.pending, recorder.fold.session.name_of
    player = name_of(pending.chance.by if pending.chance else pending.by[0])
    text = (
        "If only the order of turns has changed, this event belongs to {=player}, and the later events "
        "change players likewise."
    )
    return Message.of(text, player=player)


def misfits(correction: Correction) -> list[int]:
    """Return the numbers of the remaining events that are not legal one after the other.

    Each is tried without those before it; at most `MAX_TRIED` are found. The correction cannot be used after
    that.
    """
    numbers: list[int] = []
    while len(numbers) < MAX_TRIED and correction.repeat_later_events() is not None:
        numbers.append(correction.skip().n)
    return numbers


def misfit(recorder: EventRecorder, event: Event, refused: Finding) -> Message:
    """Return a sentence that says why the later `event` is no longer legal."""
    return Message.of(
        "Event {n} ({=event}) is no longer legal: {=problem}.",
        n=event.n,
        event=event_text(recorder, event),
        problem=clause_of(refused.sentence),
    )
