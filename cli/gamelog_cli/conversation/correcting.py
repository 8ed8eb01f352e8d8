"""``fix``: a line as it should read, and what followed again;
what no longer fits is shown and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gamelog.errors import AppendError, BadSetup, Conflict, NotReadable, Refused
from gamelog.finding import Finding
from gamelog.play.recording.correction import Correction, last_play
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.seeing import seen_in
from gamelog.record.envelope import Event
from gamelog_cli import typed_dice, typed_members
from gamelog_cli.conversation import looking, prompts, reading, screen
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.conversation.terminal import Prompt
from gamelog_cli.output import print_wrapped

PLACED = re.compile(r"(?:--)?(?P<how>at|before)\s+(?P<n>\d+)\s+(?P<event>.+)", re.S)
_NUMBERED = re.compile(r"(?P<n>\d+)\s+(?P<event>.+)", re.S)

TRIED = 50
"""How many events that do not fit are looked for."""

SHOWN_LEFT = 5
"""How many of the events that are left are named one by one."""


@dataclass
class CorrectionDialog:
    """What ``fix`` was asked for, with the answers given so far,
    each under the number of the event that did not fit.
    """

    at: int
    before: bool
    text: str
    began: bool = False
    puts: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)
    stopped: int | None = None
    shifts: bool = False


def parse_fix(recorder: EventRecorder, rest: str) -> CorrectionDialog:
    """What ``fix rest`` asks for. Raises `Misread`, and `Refused` where there is nothing to correct."""
    return CorrectionDialog(*_where(recorder, rest))


def correct(place: Prompt, recorder: EventRecorder, asked: CorrectionDialog) -> Correction | None:
    """The correction that was `asked` for, with the answers about what no longer fits; None when it is given
    up.

    Raises `Misread`, `Refused` for what cannot be corrected, and `Conflict` when somebody else has written:
    the answers are kept in `asked`, for another try.
    """
    correction = Correction(recorder.log.path, asked.at, before=asked.before)
    correction.rehearsal.shown_to = recorder.shown_to
    if correction.known != recorder.n:
        raise Conflict("The record has moved on.")
    choices = Choices(correction.rehearsal, prompts.chooser(place))
    if not _put(correction, choices, asked.text, None if asked.before else asked.at):
        return None
    if not asked.began and not _agreed(place, "" if asked.before else changed_player(correction)):
        return None
    asked.began = True
    correction.shifts = asked.shifts
    carried_out: set[int] = set()
    while (refused := correction.go_on()) is not None:
        n = correction.left[0].n
        if n == asked.stopped:
            break
        if n not in carried_out and _answered(correction, asked, n):
            carried_out.add(n)
            continue
        carried_out.add(n)
        if recorder.log.has_grown:
            raise Conflict("The record has moved on.")
        print_wrapped(f"{n}. {says(recorder, correction.left[0])} does not fit any more.")
        screen.refusal(choices, Refused(refused.message, refused), {})
        try:
            shift = offer(correction, recorder)
            if shift:
                print_wrapped(f"{shift} shift writes it so.")
            answers = (
                f"skip, {'shift, ' if shift else ''}stop, cancel, EVENT instead of it, or before EVENT> "
            )
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
    """Whether there are answers about event `n` from an earlier try, which are carried out."""
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


def _answer(place: Prompt, choices: Choices, prompt: str, rule: str | None, written: EventRecorder) -> str:
    """What is typed at `prompt`; what only looks is shown, and asks again.
    `rule` forbade what is asked about; ``list`` shows the events of `written`, not those of the rehearsal.
    """
    while True:
        answer = place.ask(partial(str, prompt)).text
        word, _, rest = answer.partition(" ")
        try:
            if not looking.look(choices, word, rest, rule, written):
                return answer
        except (typed_members.Misread, AppendError, BadSetup, NotReadable) as error:
            print_wrapped(f"{error}")


def _agreed(place: Prompt, changed: str) -> bool:
    """Whether somebody who can be asked agrees to a player that has `changed`;
    where nobody can be, it is only said.
    """
    if not place.asks or not changed:
        if changed:
            print_wrapped(changed)
        return True
    try:
        return prompts.yes(place, f"{changed} Is that right? [Y/n] ", True, lambda _answer: False) is True
    except (EOFError, KeyboardInterrupt):
        return False


def changed_player(correction: Correction) -> str:
    """That the event put in the place of the one corrected is another player's, in a sentence;
    empty where it is not.
    """
    if not correction.put_in:
        return ""
    events, session = correction.rehearsal.events, correction.rehearsal.fold.session
    was, now = events[correction.at - 1].by, events[correction.put_in[0] - 1].by
    return (
        ""
        if was == now
        else f"Event {correction.at} was {session.name_of(was)}'s, and becomes {session.name_of(now)}'s."
    )


def kept_player(correction: Correction, n: int) -> str | None:
    """Whose event `n` was, where that player may decide what comes in its place."""
    by = correction.rehearsal.events[n - 1].by
    return by if by in correction.rehearsal.fold.pending.by else None


def _put(
    correction: Correction, choices: Choices, text: str, instead: int | None = None
) -> dict[str, Any] | None:
    """The event that was typed, which comes next, or `instead` of an event; says why when it does not."""
    try:
        event = reading.event(choices, text, kept_player(correction, instead) if instead else None)
        refused = correction.put(event)
    except (typed_members.Misread, Refused, BadSetup, NotReadable) as error:
        print_wrapped(f"{error}")
        return None
    if refused:
        screen.refusal(choices, Refused(refused.message, refused), event)
    return None if refused else event


def _where(recorder: EventRecorder, rest: str) -> tuple[int, bool, str]:
    """Which event, whether before it, and what.
    Without a number: the last roll where dice are typed, else the last decision.
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
        raise typed_members.Misread("write: fix DICE, fix N EVENT, or fix before N EVENT")
    return last_play(recorder, chance=False), False, rest


def _rolls(recorder: EventRecorder, text: str) -> bool:
    """Whether `text` is what the last roll, or the last draw, might have given."""
    try:
        n = last_play(recorder, chance=True)
        owed = recorder.fold.game.pending(recorder.fold.states[n - 1]).chance
        return owed is not None and bool(typed_dice.parse_dice(owed, text))
    except (typed_members.Misread, Refused):
        return False


def says(recorder: EventRecorder, event: Event) -> str:
    """An event of the record in a few words, as far as it may be told here."""
    if seen_in(recorder.fold, event, recorder.view) is not event:
        return recorder.text(event.n).rstrip(".")
    return f"{recorder.fold.session.name_of(event.by)}: {' '.join(typed_members.event_words(event))}"


def tell_correction(correction: Correction, recorder: EventRecorder) -> None:
    """Say what a correction that has been written has done, and what is left."""
    at = correction.at
    print_wrapped(f"Back to event {at - 1}: what was written from {at} on was a slip of the pen.")
    for n in correction.put_in:
        screen.tell_event(correction.rehearsal, n)
    if correction.again:
        again = "event that followed stands" if correction.again == 1 else "events that followed stand"
        print_wrapped(f"{correction.again} {again} again, up to number {correction.rehearsal.n}.")
    if correction.shifted:
        many = correction.shifted > 1
        print_wrapped(
            f"{correction.shifted} of them {'are' if many else 'is'} now whoever's turn it was then."
        )
    if correction.drawn:
        print_wrapped(f"Drawn anew from the seed: {', '.join(map(str, correction.drawn))}.")
    for line in left(correction, recorder):
        print_wrapped(line)


def left(correction: Correction, recorder: EventRecorder) -> Iterator[str]:
    """What followed and was not written again, in lines for people."""
    events = correction.left
    if events:
        yield f"Not written again ({len(events)} in all):"
    for event in events[:SHOWN_LEFT]:
        yield f"  {event.n}. {says(recorder, event)}"
    if len(events) > SHOWN_LEFT:
        yield f"  … up to {events[-1].n}; they stay in the record: gamelog replay FILE --at N shows each"


def offer(correction: Correction, recorder: EventRecorder) -> str:
    """What may have happened where the first event left would fit if it were another player's;
    empty where it would not.
    """
    if not correction.left or not correction.can_shift():
        return ""
    pending, name_of = correction.rehearsal.fold.pending, recorder.fold.session.name_of
    player = name_of(pending.chance.by if pending.chance else pending.by[0])
    return f"If only the turns have moved on, it is {player}'s now, and what follows moves on likewise."


def misfits(correction: Correction) -> list[int]:
    """The numbers of the events left that do not fit one after the other, the first of them and those behind
    it that fail when it is left out; at most `TRIED`. The correction is of no more use.
    """
    numbers: list[int] = []
    while len(numbers) < TRIED and correction.go_on() is not None:
        numbers.append(correction.skip().n)
    return numbers


def misfit(recorder: EventRecorder, event: Event, refused: Finding) -> str:
    """Why `event`, which followed, no longer fits, in a sentence."""
    return f"Event {event.n} ({says(recorder, event)}) does not fit any more: {refused.message.rstrip('.')}."
