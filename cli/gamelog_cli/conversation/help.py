"""Text of ``help`` in the recorder: the game's own events, how to type them, and the commands."""

from __future__ import annotations

import os
import pydoc
import sys
from collections.abc import Iterator

from gamelog.message import Message
from gamelog.play.telling.events import consequences
from gamelog.play.telling.sentences import sentence
from gamelog.record.envelope import Event, tag_of
from gamelog_cli.events.choices import Choices
from gamelog_cli.language import other_locale, text_of, use_game
from gamelog_cli.layout import terminal_height, two_columns, wrapped
from gamelog_cli.output import print_lines, safe_line
from gamelog_cli.typed_members import blanks, event_words

_HOW_TO_TYPE = (
    Message(
        "You may shorten names and type them in any case. Tab completes words. You may type only enough to "
        "identify a legal event, for example the end of its last name. If several events fit, the recorder "
        "asks which event you mean."
    ),
    Message(
        "If only one event is legal, the prompt shows it. Press Enter to record it. The recorder prints the "
        "full event after each short form."
    ),
    Message(
        "Type dice as 4 3 3 or 433, and several rolls as 6655 123. Dice from a seed or from revealed links "
        "need no typing."
    ),
)
"""Explanation of how to type events."""

_COMMANDS = (
    (Message("legal [WORDS]"), Message("list the legal events")),
    (Message("board"), Message("draw the whole board")),
    (Message("odds [EVENT]"), Message("show the odds of the contest that is due, or that EVENT begins")),
    (Message("rules [ID], why"), Message("show all rules, one rule, or the rule behind the last refusal")),
    (Message("who"), Message("show the players, their points and who is to move")),
    (Message("list [N]"), Message("list the last N events and which of them do not count")),
    (Message("undo [N]"), Message("take the last decision back, or return to the position after event N")),
    (
        Message("fix DICE, fix N EVENT, fix before N EVENT"),
        Message("correct a slip, or insert a forgotten event; later events are recorded again"),
    ),
    (Message("EVENT DICE"), Message("record an event and its roll together")),
    (Message("PLAYER: EVENT"), Message("if several players can move, type the player's name first")),
    (Message("EVENTxN"), Message("record an event N times, for example four times: EVENTx4")),
    (Message("played EVENT"), Message("record an illegal event that was played anyway")),
    (Message("note TEXT"), Message("record a comment")),
    (Message("claim PLAYER TEXT"), Message("record a claim; to name the event, type: about N: TEXT")),
    (Message("pause, resume"), Message("stop or start the clock")),
    (Message("substitute SEAT NAME"), Message("let another person take the seat")),
    (Message("amend PLAYER NAME"), Message("correct the name of a player")),
    (Message("resign PLAYER"), Message("record that the player gives up")),
    (
        Message("agree PLAYER WINNERS"),
        Message("record an offer to end the game; answer with accept PLAYER or decline PLAYER"),
    ),
    (Message("result WINNERS"), Message("record the result that the table saw")),
    (Message("gap POSITION REASON"), Message("declare the position, if moves were not recorded")),
    (
        Message("ruling EVENT KIND by NAME: REASON"),
        Message("record the arbiter's decision; several parts have semicolons between them: KIND; KIND"),
    ),
    (Message("quit"), Message("end the conversation; to continue later, run gamelog record FILE")),
)

_HOW_TO_NAME = Message(
    "Type a player's name or seat. If the game has an event with the name of a command, type the command as "
    "@claim, @resign and so on."
)
"""Explanation of names."""


def show(choices: Choices) -> None:
    """Print the help, in a pager if it is longer than the terminal."""
    found = lines(choices)
    if not sys.stdout.isatty() or not sys.stdin.isatty() or len(found) < terminal_height():
        print_lines(found)
        return
    hint = text_of(Message("Space: next page. q: back to the game"))
    os.environ.setdefault("LESS", f"FRXPs{hint.replace(':', chr(92) + ':').replace('.', chr(92) + '.')}$")
    pydoc.pager("\n".join(map(safe_line, found)) + "\n")


def lines(choices: Choices) -> list[str]:
    """Return the help as lines of the terminal's width, in the language in use."""
    game = choices.recorder.record_view.game
    use_game(game)
    commands = [(text_of(words), text_of(meaning)) for words, meaning in _COMMANDS]
    head = Message.of(
        "Events of {=game}, each as its name and its values. For its rules, type: rules", game=game.title
    )
    typing = [line for text in _HOW_TO_TYPE for line in wrapped(text_of(text))]
    naming = wrapped(text_of(_HOW_TO_NAME))
    return [
        *wrapped(text_of(head)),
        *two_columns(_own_events(choices)),
        *typing,
        *two_columns(commands),
        *naming,
    ]


def _own_events(choices: Choices) -> Iterator[tuple[str, str]]:
    """Yield the form of each decision of the game, and an example if it is legal now."""
    game = choices.recorder.record_view.game
    legal: dict[str, Event] = {}
    for event in choices.visible.legal.events:
        legal.setdefault(tag_of(type(event)), event)
    for kind in game.events:
        if kind not in game.chance_events:
            tag = tag_of(kind)
            example = legal.get(tag)
            meaning = text_of(_example(choices, example)) if example else ""
            if example is None and choices.visible.legal.complete:
                meaning = text_of(Message("not possible now"))
            yield " ".join([tag, *blanks(kind)]), meaning


def _example(choices: Choices, event: Event) -> Message:
    """Return the typed words of a legal event and, if nothing is hidden here, its sentence."""
    view = choices.recorder.record_view
    game, state = view.game, view.state(view.last_played)
    typed = " ".join(event_words(event))
    if not view.knows_all:
        return Message.of("for example: {=typed}", typed=typed)
    effects = consequences(game, state, event, game.apply(state, event), illegal=False)
    text = sentence(game, event, effects, view.name_of, None, other_locale())
    return Message.of("for example: {=typed} ({=text})", typed=typed, text=text)
