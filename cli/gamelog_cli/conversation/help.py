"""Text of ``help`` in the recorder: the game's own events, how to type them, and the commands."""

from __future__ import annotations

import os
import pydoc
import sys
from collections.abc import Iterator

from gamelog.message import Message
from gamelog.play.rendering.sentences import sentence
from gamelog.record.envelope import Event, tag_of
from gamelog_cli.events.choices import Choices
from gamelog_cli.input.typed_members import event_words, placeholders
from gamelog_cli.printing.language import current_locale, text_of, use_game
from gamelog_cli.printing.layout import terminal_height, two_columns, wrap
from gamelog_cli.printing.output import print_lines, safe_line

_HOW_TO_TYPE = (
    Message.of(
        "You may shorten names and type them in any case. Tab completes words. You may type only enough to "
        "identify a legal event, for example the end of its last name. If several events fit, the recorder "
        "asks which event you mean."
    ),
    Message.of(
        "If only one event is legal, the prompt shows it. Press Enter to record it. The recorder prints the "
        "full event after each short form."
    ),
    Message.of(
        "Type dice as 4 3 3 or 433, and several rolls as 6655 123. Dice from a seed or from revealed links "
        "need no typing."
    ),
)
"""Explanation of how to type events."""

_COMMANDS = (
    (Message.of("legal [WORDS]"), Message.of("list the legal events")),
    (Message.of("board"), Message.of("draw the whole board")),
    (
        Message.of("odds [EVENT]"),
        Message.of("show the odds of the contest that is due, or that EVENT begins"),
    ),
    (
        Message.of("rules [ID], why"),
        Message.of("show all rules, one rule, or the rule behind the last refusal"),
    ),
    (Message.of("who"), Message.of("show the players, their points and who is to move")),
    (Message.of("list [N]"), Message.of("list the last N events and which of them do not count")),
    (
        Message.of("undo [N]"),
        Message.of("take the last decision back, or return to the position after event N"),
    ),
    (
        Message.of("fix DICE, fix N EVENT, fix before N EVENT"),
        Message.of("correct a slip, or insert a forgotten event; later events are recorded again"),
    ),
    (Message.of("EVENT DICE"), Message.of("record an event and its roll together")),
    (Message.of("PLAYER: EVENT"), Message.of("if several players can move, type the player's name first")),
    (Message.of("EVENTxN"), Message.of("record an event N times, for example four times: EVENTx4")),
    (Message.of("played EVENT"), Message.of("record an illegal event that was played anyway")),
    (Message.of("note TEXT"), Message.of("record a comment")),
    (Message.of("claim PLAYER TEXT"), Message.of("record a claim; to name the event, type: about N: TEXT")),
    (
        Message.of("withdraw [N]"),
        Message.of("record that its author withdraws the open claim or offer, or the one in event N"),
    ),
    (Message.of("pause, resume"), Message.of("stop or start the clock")),
    (Message.of("substitute SEAT NAME"), Message.of("let another person take the seat")),
    (Message.of("amend PLAYER NAME"), Message.of("correct the name of a player")),
    (Message.of("resign PLAYER"), Message.of("record that the player gives up")),
    (
        Message.of("agree PLAYER WINNERS"),
        Message.of("record an offer to end the game; answer with accept PLAYER or decline PLAYER"),
    ),
    (Message.of("result WINNERS"), Message.of("record the result that the table saw")),
    (Message.of("gap POSITION REASON"), Message.of("declare the position, if moves were not recorded")),
    (
        Message.of("ruling EVENT KIND by NAME: REASON"),
        Message.of("record the arbiter's decision; several parts have semicolons between them: KIND; KIND"),
    ),
    (Message.of("quit"), Message.of("end the conversation; to continue later, run gamelog record FILE")),
)

_HOW_TO_NAME = Message.of(
    "Type a player's name or seat. If the game has an event with the name of a command, type the command as "
    "@claim, @resign and so on."
)
"""Explanation of names."""


def show(choices: Choices) -> None:
    """Print the help, in a pager if it is longer than the terminal."""
    shown = lines(choices)
    if not sys.stdout.isatty() or not sys.stdin.isatty() or len(shown) < terminal_height():
        print_lines(shown)
        return
    hint = text_of(Message.of("Space: next page. q: back to the game"))
    os.environ.setdefault("LESS", f"FRXPs{hint.replace(':', chr(92) + ':').replace('.', chr(92) + '.')}$")
    pydoc.pager("\n".join(map(safe_line, shown)) + "\n")


def lines(choices: Choices) -> list[str]:
    """Return the help as lines of the terminal's width, in the language in use."""
    game = choices.recorder.record_view.game
    use_game(game)
    commands = [(text_of(words), text_of(meaning)) for words, meaning in _COMMANDS]
    head = Message.of(
        "Events of {=game}, each as its name and its values. For its rules, type: rules", game=game.title
    )
    typing = [line for text in _HOW_TO_TYPE for line in wrap(text_of(text))]
    naming = wrap(text_of(_HOW_TO_NAME))
    return [
        *wrap(text_of(head)),
        *two_columns(_own_events(choices)),
        *typing,
        *two_columns(commands),
        *naming,
    ]


def _own_events(choices: Choices) -> Iterator[tuple[str, str]]:
    """Yield the form of each decision of the game, and an example if it is legal now."""
    game = choices.recorder.record_view.game
    legal: dict[str, Event] = {}
    for event in choices.visible_choices.legal.events:
        legal.setdefault(tag_of(type(event)), event)
    for kind in game.events:
        if kind not in game.chance_events:
            tag = tag_of(kind)
            example = legal.get(tag)
            meaning = text_of(_example(choices, example)) if example else ""
            if example is None and choices.visible_choices.legal.complete:
                meaning = text_of(Message.of("not possible now"))
            yield " ".join([tag, *placeholders(kind)]), meaning


def _example(choices: Choices, event: Event) -> Message:
    """Return the typed words of a legal event and, if nothing is hidden here, its sentence."""
    view = choices.recorder.record_view
    game, state = view.game, view.state(view.last_played)
    typed = " ".join(event_words(event))
    if not view.knows_all:
        return Message.of("for example: {=typed}", typed=typed)
    effects = game.effects(state, event, game.apply(state, event))
    text = sentence(game, event, effects, view.name_of, None, current_locale())
    return Message.of("for example: {=typed} ({=text})", typed=typed, text=text)
