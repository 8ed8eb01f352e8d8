"""Questions beside the prompt: yes or no, and which; nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamelog.record.envelope import Event
from gamelog_cli import typed_events, typed_members
from gamelog_cli.conversation.terminal import Place
from gamelog_cli.output import prose

YES, NO = frozenset({"y", "yes"}), frozenset({"n", "no"})


def yes(place: Place, question: str, default: bool, means: Callable[[str], bool]) -> bool | str:
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
        prose(f'"{answer}" is not an answer: type yes or no.')


def chooser(place: Place) -> typed_events.Choose | None:
    """What asks at `place` which of several events was meant; None where nobody can be asked."""

    def choose(events: Sequence[Event]) -> Event:
        for number, event in enumerate(events, 1):
            prose(f"{number}. {' '.join(typed_members.event_words(event))}", "   ")
        while True:
            try:
                answer = place.ask(lambda: f"Which, 1 to {len(events)}? Enter: none of them> ").text
            except (EOFError, KeyboardInterrupt):
                answer = ""
            if not answer:
                raise typed_members.Misread("Nothing is written.")
            if answer.isdecimal() and 1 <= int(answer) <= len(events):
                return events[int(answer) - 1]
            prose(f'"{answer}" is not a number from 1 to {len(events)}.')

    return choose if place.asks else None
