"""Prompts of the recorder and its questions: yes or no, and which of several events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from gamelog.message import Message, with_names
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.rendering.sentences import game_over_message
from gamelog.record.envelope import Event
from gamelog_cli.conversation.terminal import LineInput
from gamelog_cli.errors import Misread
from gamelog_cli.events.choices import Choices
from gamelog_cli.input import typed_dice, typed_events, typed_members
from gamelog_cli.input.people import person
from gamelog_cli.printing.language import alternatives, current_language
from gamelog_cli.printing.output import print_line

_YES: Mapping[str, tuple[str, ...]] = {"en": ("y", "yes"), "pt": ("s", "sim", "y", "yes")}
"""Words for yes in each language."""
_NO: Mapping[str, tuple[str, ...]] = {"en": ("n", "no"), "pt": ("n", "não", "nao", "no")}
"""Words for no in each language."""


def yes_or_no(answer: str) -> bool | None:
    """Return whether `answer` is a yes (True) or a no (False) in the language in use, else None."""
    word, language = answer.casefold(), current_language()
    return True if word in _YES[language] else False if word in _NO[language] else None


def ask_yes_or_no(
    line_input: LineInput,
    question: Message,
    default: bool,
    accepts: Callable[[str], bool],
    commands: Mapping[str, bool] = MappingProxyType({}),
) -> bool | str:
    """Return the answer to `question`, or a line that was typed instead.

    Any other line repeats the question.

    Args:
        line_input: The input to ask at.
        question: The question.
        default: The answer of an empty line.
        accepts: A function that returns whether a line is accepted instead of an answer.
        commands: Words that are answers, in addition to yes and no.

    Raises:
        EOFError: The input has ended.
        KeyboardInterrupt: The person pressed Ctrl-C.
    """
    while True:
        line = line_input.ask(lambda: question).text
        if not line:
            return default
        answer = commands.get(line.casefold(), yes_or_no(line))
        if answer is not None:
            return answer
        if accepts(line):
            return line
        print_line(Message.of('"{=line}" is not an answer. Type yes or no.', line=line))


def chooser(line_input: LineInput) -> typed_events.Choose | None:
    """Return a function that asks a person which of several events was typed, or None without a person."""

    def choose(events: Sequence[Event]) -> Event:
        """Return the event that the person chooses by its number.

        Raises:
            Misread: The person chose none.
        """
        for number, event in enumerate(events, 1):
            print_line(f"{number}. {' '.join(typed_members.event_words(event))}", "   ")
        question = Message.of("Which event, 1 to {n}? Press Enter for none> ", n=len(events))
        while True:
            try:
                answer = line_input.ask(lambda: question).text
            except (EOFError, KeyboardInterrupt):
                answer = ""
            if not answer:
                raise Misread("Nothing is recorded.")
            if answer.isdecimal() and 1 <= int(answer) <= len(events):
                return events[int(answer) - 1]
            text = '"{=line}" is not a number from 1 to {n}.'
            print_line(Message.of(text, line=answer, n=len(events)))

    return choose if line_input.is_interactive else None


TIME_IS_UP = Message.of(
    "Nothing is recorded. If the clock ran while no one played, the arbiter can correct the clock. Type: "
    "ruling N clock PLAYER 12:30 by NAME: REASON, where N is the last event."
)
"""Answer to Enter when the game's clock has run out."""


def prompt(recorder: EventRecorder, choices: Choices, confirmed: bool, is_interactive: bool) -> Message:
    """Return the prompt: which player is to move, and what is expected.

    Args:
        recorder: The recorder of the record.
        choices: The legal events as people type them.
        confirmed: Whether the result is recorded.
        is_interactive: Whether a person is at the terminal and can press Enter.
    """
    return Message.of("{text}> ", text=_expected(recorder, choices, confirmed, is_interactive))


def _expected(recorder: EventRecorder, choices: Choices, confirmed: bool, is_interactive: bool) -> Message:
    """Return the text of the prompt: a problem, the event that is due, the result, or the player to move."""
    view = recorder.record_view
    pending, name_of = view.pending, view.name_of
    failed, alarm = recorder.failed_finding, choices.timeout
    if failed:
        shown = view.shown_finding(failed)
        text = "event {n} needs a ruling ({problem}). Type: ruling {n} KIND by NAME: REASON"
        return Message.of(text, n=failed.n, problem=shown.message)
    if unknown := view.unknown_since:
        text = "the effect of event {n} is unknown. To declare the position, type: gap POSITION REASON"
        return Message.of(text, n=unknown)
    if alarm:
        typed = " ".join(typed_members.event_words(alarm))
        return Message.of("the clock has run out. Type {=event} to record this, or type help", event=typed)
    if view.missing_links:
        names = ", ".join(map(name_of, view.missing_links))
        return Message.of(
            "waiting for the links of {=players} (gamelog dice reveal). Press Enter to look again",
            players=names,
        )
    if view.due_from_dealer == "secret":
        return Message.of("waiting for the dealer's secret (gamelog dice reveal). Press Enter to look again")
    if pending.outcome:
        over = with_names(game_over_message(pending.outcome), name_of)
        text = "{over} Is that right? Press Enter for yes. If not, type undo or fix"
        return over if confirmed else Message.of(text, over=over)
    return _moves(recorder, choices, is_interactive)


def _moves(recorder: EventRecorder, choices: Choices, is_interactive: bool) -> Message:
    """Return the roll that is due and the decisions that are legal."""
    view, chance, forced = recorder.record_view, choices.chance, choices.only_legal_event
    pending, name_of = view.pending, view.name_of
    asked = None
    if is_interactive and forced:
        typed = " ".join(typed_members.event_words(forced))
        text = "{=player}: {=event} (Enter records this)"
        asked = Message.of(text, player=name_of(forced.by), event=typed)
    elif pending.by:
        players = alternatives([name_of(seat) for seat in pending.by])
        asked = Message.of("{players}: {due}", players=players, due=choices.due_text())
    if chance:
        dice = typed_dice.dice_prompt(chance, name_of)
        roll = Message.of("{@player}, {dice}", player=person(name_of, chance.by), dice=dice)
        asked = Message.of("{roll}; or {decision}", roll=roll, decision=asked) if asked else roll
    stopped = not view.is_running and view.revealed_links is None
    return Message.of("clock stopped; {moves}" if stopped else "{moves}", moves=asked or "")
