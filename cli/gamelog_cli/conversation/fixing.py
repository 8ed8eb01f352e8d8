"""``fix``: a line as it should read, and what followed again; what no longer fits is shown and asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamelog.errors import Conflict, Refused
from gamelog.play.correction import Correction, last_play
from gamelog.play.findings import Finding
from gamelog.play.recorder import Recorder
from gamelog.record.envelope import Event
from gamelog_cli import typed
from gamelog_cli.conversation import reading, screen
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.conversation.terminal import Place
from gamelog_cli.output import prose

PLACED = re.compile(r"(?:--)?(?P<how>at|before)\s+(?P<n>\d+)\s+(?P<event>.+)", re.S)
NUMBERED = re.compile(r"(?P<n>\d+)\s+(?P<event>.+)", re.S)

SHOWN_LEFT = 5
"""How many of the events that are left are named one by one."""


def correct(place: Place, recorder: Recorder, rest: str) -> Correction | None:
    """The correction that ``fix rest`` asks for, with the answers about what no longer fits; None when it is given up.

    Raises `Misread`, `Conflict` when somebody else has written, and `Refused` for what cannot be corrected.
    """
    at, before, text = _where(recorder, rest)
    correction = Correction(recorder.log.path, at, before=before)
    if correction.known != recorder.n:
        raise Conflict("The record has moved on.")
    choices = Choices(correction.rehearsal)
    if not _put(correction, choices, text):
        return None
    while (refused := correction.go_on()) is not None:
        event = correction.left[0]
        prose(f"{event.n}. {says(recorder, event)} does not fit any more.")
        screen.refusal(choices, Refused(refused.message, refused), {})
        try:
            answer = place.ask(lambda: "skip, stop, cancel, EVENT instead of it, or before EVENT> ").text
        except (EOFError, KeyboardInterrupt):
            return None
        match answer.split():
            case ["cancel" | "quit" | "exit"]:
                return None
            case ["stop"]:
                break
            case ["skip"]:
                correction.skip()
            case ["before", *words] if words:
                _put(correction, choices, " ".join(words))
            case [_, *_] if _put(correction, choices, answer):
                correction.skip()
    return correction


def _put(correction: Correction, choices: Choices, text: str) -> bool:
    """Whether what was typed comes next; says why when it does not."""
    try:
        event = reading.event(choices, text)
    except typed.Misread as error:
        prose(f"{error}")
        return False
    try:
        refused = correction.put(event)
    except Refused as error:
        prose(f"{error}")
        return False
    if refused:
        screen.refusal(choices, Refused(refused.message, refused), event)
    return refused is None


def _where(recorder: Recorder, rest: str) -> tuple[int, bool, str]:
    """Which event, whether before it, and what. Without a number: the last roll where dice are typed, else the last decision."""
    placed = PLACED.fullmatch(rest)
    if placed:
        return int(placed["n"]), placed["how"] == "before", placed["event"]
    if _rolls(recorder, rest):
        return last_play(recorder, chance=True), False, rest
    numbered = NUMBERED.fullmatch(rest)
    if numbered:
        return int(numbered["n"]), False, numbered["event"]
    if not rest:
        raise typed.Misread("write: fix DICE, fix N EVENT, or fix before N EVENT")
    return last_play(recorder, chance=False), False, rest


def _rolls(recorder: Recorder, text: str) -> bool:
    """Whether `text` is what the last roll, or the last draw, might have given."""
    try:
        n = last_play(recorder, chance=True)
        owed = recorder.fold.game.pending(recorder.fold.states[n - 1]).chance
        return owed is not None and bool(typed.dice(owed, text))
    except (typed.Misread, Refused):
        return False


def says(recorder: Recorder, event: Event) -> str:
    """An event of the record in a few words."""
    return f"{recorder.fold.table.name_of(event.by)}: {' '.join(typed.words(event))}"


def tell(correction: Correction, recorder: Recorder) -> None:
    """Say what a correction that has been written has done, and what is left."""
    at = correction.at
    prose(f"Back to event {at - 1}: what was written from {at} on was a slip of the pen.")
    for n in correction.put_in:
        screen.tell(correction.rehearsal, n)
    if correction.again:
        again = "event that followed stands" if correction.again == 1 else "events that followed stand"
        prose(f"{correction.again} {again} again, up to number {correction.rehearsal.n}.")
    if correction.drawn:
        prose(f"Drawn anew from the seed: {', '.join(map(str, correction.drawn))}.")
    for line in left(correction, recorder):
        prose(line)


def left(correction: Correction, recorder: Recorder) -> Iterator[str]:
    """What followed and was not written again, in lines for people."""
    events = correction.left
    if events:
        yield f"Not written again ({len(events)} in all):"
    for event in events[:SHOWN_LEFT]:
        yield f"  {event.n}. {says(recorder, event)}"
    if len(events) > SHOWN_LEFT:
        yield f"  … up to {events[-1].n}; they stay in the record: gamelog replay FILE --at N shows each"


def misfit(recorder: Recorder, event: Event, refused: Finding) -> str:
    """Why `event`, which followed, no longer fits, in a sentence."""
    return f"Event {event.n} ({says(recorder, event)}) does not fit any more: {refused.message.rstrip('.')}."
