"""``fix``: an event is replaced or inserted, and the later events are recorded again.

The user decides about each later event that is no longer legal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from gamelog.errors import AppendError, Conflict, NotReadable, Refused
from gamelog.message import Message
from gamelog.play.recording.correction import Correction, last_play
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import as_proposal
from gamelog_cli.conversation import prompts, screen, show_commands
from gamelog_cli.conversation.terminal import LineInput
from gamelog_cli.errors import Misread
from gamelog_cli.events import reading
from gamelog_cli.events.choices import Choices
from gamelog_cli.events.corrections import changed_player, event_text, kept_player, other_player_remark
from gamelog_cli.input import typed_dice
from gamelog_cli.printing.output import print_line

_NEW_EVENTS = "Someone else has recorded new events."

PLACE_PATTERN = re.compile(r"(?:--)?(?P<how>at|before)\s+(?P<n>\d+)\s+(?P<event>.+)", re.S)
"""A correction with the place of its event: ``at N EVENT`` or ``before N EVENT``."""
_NUMBER_PATTERN = re.compile(r"(?P<n>\d+)\s+(?P<event>.+)", re.S)
"""The arguments of ``fix N EVENT``."""


@dataclass
class CorrectionDialog:
    """Arguments of ``fix``, and the answers so far.

    Attributes:
        at: Number of the wrong event, or of the event before which one is missing.
        before: Whether an event is missing.
        text: The event as it was typed.
        has_begun: Whether the user has agreed to the first event.
        puts: Events that were typed at an event that was no longer legal, by its number.
        skipped_events: Numbers of the events that are left out.
        stopped_at: Number of the event at which the rest was left out, or None.
        shifts_turns: Whether a later event that its player cannot do any more goes to the player to move.
    """

    at: int
    before: bool
    text: str
    has_begun: bool = False
    puts: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    skipped_events: set[int] = field(default_factory=set)
    stopped_at: int | None = None
    shifts_turns: bool = False


def parse_fix(recorder: EventRecorder, rest: str) -> CorrectionDialog:
    """Return the dialog for ``fix`` with the arguments `rest`.

    Raises:
        Misread: The arguments cannot be read.
        Refused: There is no event to correct.
    """
    return CorrectionDialog(*_parse_place(recorder, rest))


def correct(line_input: LineInput, recorder: EventRecorder, dialog: CorrectionDialog) -> Correction | None:
    """Return the correction for `dialog`, after questions about later events, or None if the user cancels.

    Raises:
        Misread: The event cannot be read.
        Refused: The event cannot be corrected.
        Conflict: Someone else has recorded an event. `dialog` keeps the answers for another try.
    """
    correction = Correction(recorder.file.path, dialog.at, before=dialog.before, shown_to=recorder.shown_to)
    if correction.known_count != recorder.n:
        raise Conflict(Message(_NEW_EVENTS))
    choices = Choices(correction.rehearsal, prompts.chooser(line_input))
    if not _put_typed_event(correction, choices, dialog.text, None if dialog.before else dialog.at):
        return None
    if not dialog.has_begun and not _confirm_player(
        line_input, None if dialog.before else changed_player(correction)
    ):
        return None
    dialog.has_begun = True
    correction.shifts_turns = dialog.shifts_turns
    carried_out: set[int] = set()
    while (finding := correction.repeat_later_events()) is not None:
        n = correction.remaining_events[0].n
        if n == dialog.stopped_at:
            break
        if n not in carried_out and _repeat_answers(correction, dialog, n):
            carried_out.add(n)
            continue
        carried_out.add(n)
        if recorder.file.has_grown:
            raise Conflict(Message(_NEW_EVENTS))
        text = "Event {n} is no longer legal: {=event}"
        print_line(Message.of(text, n=n, event=event_text(recorder, correction.remaining_events[0])))
        screen.print_refusal(
            choices, Refused(finding.message, finding), as_proposal(correction.remaining_events[0])
        )
        try:
            shift = other_player_remark(correction, recorder)
            answers = Message.of("skip, stop, cancel, EVENT to replace it, or before EVENT> ")
            if shift:
                print_line(Message.of("{text} To record this, type: shift", text=shift))
                answers = Message.of("skip, shift, stop, cancel, EVENT to replace it, or before EVENT> ")
            answer = _answer(line_input, choices, answers, finding.rule, recorder)
        except (EOFError, KeyboardInterrupt):
            return None
        match answer.split():
            case ["cancel" | "quit" | "exit"]:
                return None
            case ["shift"] if shift:
                dialog.shifts_turns = correction.shifts_turns = True
            case ["stop"]:
                dialog.stopped_at = n
            case ["skip"]:
                correction.skip()
                dialog.skipped_events.add(n)
            case ["before", *words] if words:
                if event := _put_typed_event(correction, choices, " ".join(words)):
                    dialog.puts.setdefault(n, []).append(event)
            case [_, *_] if event := _put_typed_event(correction, choices, answer, n):
                dialog.puts.setdefault(n, []).append(event)
                dialog.skipped_events.add(n)
                correction.skip()
    return correction


def _repeat_answers(correction: Correction, dialog: CorrectionDialog, n: int) -> bool:
    """Carry out the answers about event `n` from an earlier try. Return whether they settle it."""
    if n not in dialog.skipped_events and n not in dialog.puts:
        return False
    for event in dialog.puts.get(n, ()):
        if correction.put(event):
            dialog.puts.pop(n)
            dialog.skipped_events.discard(n)
            return False
    if n in dialog.skipped_events:
        correction.skip()
    return True


def _answer(
    line_input: LineInput, choices: Choices, prompt: Message, rule: str | None, written: EventRecorder
) -> str:
    """Return the answer to `prompt`. Commands that only show something are carried out before.

    `rule` is the rule in the last refusal; ``list`` shows the events of `written`, not of the rehearsal.
    """
    while True:
        answer = line_input.ask(lambda: prompt).text
        word, _, rest = answer.partition(" ")
        try:
            if not show_commands.run_view_command(choices, word, rest, rule, written):
                return answer
        except (Misread, AppendError, NotReadable) as error:
            print_line(error.message)


def _confirm_player(line_input: LineInput, changed: Message | None) -> bool:
    """Return whether the user agrees that the player has `changed`; without a person, print the change."""
    if not changed:
        return True
    if not line_input.is_interactive:
        print_line(changed)
        return True
    question = Message.of("{text} Is that right? [Y/n] ", text=changed)
    try:
        return prompts.ask_yes_or_no(line_input, question, True, lambda _line: False) is True
    except (EOFError, KeyboardInterrupt):
        return False


def _put_typed_event(
    correction: Correction, choices: Choices, text: str, instead: int | None = None
) -> dict[str, Any] | None:
    """Add the typed event to the correction and return it; print why if it is refused.

    `instead` is the number of the event that it replaces.
    """
    try:
        event = reading.parse_line(choices, text, kept_player(correction, instead) if instead else None)
        finding = correction.put(event)
    except (Misread, Refused, NotReadable) as error:
        print_line(error.message)
        return None
    if finding:
        screen.print_refusal(choices, Refused(finding.message, finding), event)
    return None if finding else event


def _parse_place(recorder: EventRecorder, rest: str) -> tuple[int, bool, str]:
    """Return the number of the event, whether to insert before it, and the text of the new event.

    Without a number it is the last roll if `rest` is dice, else the last decision.

    Raises:
        Misread: `rest` is empty.
    """
    placed = PLACE_PATTERN.fullmatch(rest)
    if placed:
        return int(placed["n"]), placed["how"] == "before", placed["event"]
    if _fits_last_roll(recorder, rest):
        return last_play(recorder, chance=True), False, rest
    numbered = _NUMBER_PATTERN.fullmatch(rest)
    if numbered:
        return int(numbered["n"]), False, numbered["event"]
    if not rest:
        raise Misread("Type fix DICE, fix N EVENT, or fix before N EVENT.")
    return last_play(recorder, chance=False), False, rest


def _fits_last_roll(recorder: EventRecorder, text: str) -> bool:
    """Return whether `text` can be the result of the last roll or draw."""
    try:
        n = last_play(recorder, chance=True)
        chance_due = recorder.record_view.position(n - 1).pending.chance
        return chance_due is not None and bool(typed_dice.parse_dice(chance_due, text))
    except (Misread, Refused):
        return False
