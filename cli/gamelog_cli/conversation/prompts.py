"""The recorder's prompt, and its questions: yes or no, and which. Nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.messages import game_over
from gamelog.record.envelope import Event
from gamelog_cli import typed_dice, typed_events, typed_members
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.conversation.terminal import Prompt
from gamelog_cli.output import print_wrapped

YES, NO = frozenset({"y", "yes"}), frozenset({"n", "no"})


def yes(place: Prompt, question: str, default: bool, means: Callable[[str], bool]) -> bool | str:
    """The answer to `question`, asked again until it is one; or the line that was typed instead, where it
    `means` something.

    Raises what `place.ask` raises.
    """
    while True:
        answer = place.ask(lambda: question).text
        said = answer.casefold()
        if not said:
            return default
        if said in YES | NO:
            return said in YES
        if means(answer):
            return answer
        print_wrapped(f'"{answer}" is not an answer: type yes or no.')


def chooser(place: Prompt) -> typed_events.Choose | None:
    """What asks at `place` which of several events was meant; None where nobody can be asked."""

    def choose(events: Sequence[Event]) -> Event:
        for number, event in enumerate(events, 1):
            print_wrapped(f"{number}. {' '.join(typed_members.event_words(event))}", "   ")
        while True:
            try:
                answer = place.ask(lambda: f"Which, 1 to {len(events)}? Enter: none of them> ").text
            except (EOFError, KeyboardInterrupt):
                answer = ""
            if not answer:
                raise typed_members.Misread("Nothing is written.")
            if answer.isdecimal() and 1 <= int(answer) <= len(events):
                return events[int(answer) - 1]
            print_wrapped(f'"{answer}" is not a number from 1 to {len(events)}.')

    return choose if place.asks else None


TIME_IS_UP = (
    "Nothing is written. If the clock ran on while nobody played, the arbiter corrects it: ruling N clock "
    "PLAYER 12:30 by NAME: REASON, where N is the last event."
)
"""What is said to Enter alone when the game's clock has run out."""


def prompt(recorder: EventRecorder, choices: Choices, confirmed: bool, asks: bool) -> str:
    """Who is asked for what; `confirmed`: the result has been found right; `asks`: somebody sits there and
    can press Enter.
    """
    fold = recorder.fold
    pending, name_of = fold.pending, fold.session.name_of
    failed, alarm = recorder.failed, choices.timeout
    if failed:
        return (
            f"event {failed.n} waits for a ruling ({failed.message}): ruling {failed.n} KIND by NAME: "
            "REASON> "
        )
    if alarm:
        return f"the clock has run out: type {' '.join(typed_members.event_words(alarm))}, or help> "
    if fold.reveals and fold.reveals.missing:
        names = ", ".join(map(name_of, fold.reveals.missing))
        return f"links of {names} (gamelog dice reveal; Enter looks again)> "
    if fold.reveals and fold.reveals.lies_closed:
        return "the secret of whoever deals (gamelog dice reveal; Enter looks again)> "
    if pending.outcome:
        over = game_over(fold.game, pending.outcome, name_of)
        return f"{over}> " if confirmed else f"{over} Is that right? Enter: yes. If not: undo, or fix> "
    stands = "clock stopped; " if fold.session.paused_at is not None and not fold.reveals else ""
    owed = (
        f"{name_of(choices.chance.by)}, {typed_dice.dice_prompt(choices.chance, name_of)}"
        if choices.chance
        else ""
    )
    asked = f"{' or '.join(map(name_of, pending.by))}: {choices.due()}" if pending.by else ""
    if asks and choices.forced:
        words = " ".join(typed_members.event_words(choices.forced))
        asked = f"{name_of(choices.forced.by)}: {words} (Enter writes it)"
    return f"{stands}{'; or '.join(filter(None, (owed, asked)))}> "
