"""Text of ``help`` in the recorder."""

from __future__ import annotations

from gamelog.message import Message
from gamelog_cli.language import text_of
from gamelog_cli.layout import two_columns, wrapped

_HOW_TO_TYPE = (
    Message(
        "Type an event as its name and its values: attack C3 C4. Tab completes words. You may shorten names "
        "and type them in any case."
    ),
    Message(
        "You may type only enough to identify a legal event: 16 for step p15 p16, yh6 for "
        "place yellow h6, rrb for a draw."
    ),
    Message(
        "If you type only the end, the recorder adds what you moved or placed last: h6 means place yellow h6 "
        "after place yellow g5. If only one event is legal, the prompt shows it. Press Enter to record it. "
        "The recorder prints the full event after each short form."
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
    (Message("EVENT DICE"), Message("record an event and its roll together: C3 C4 433 62")),
    (Message("PLAYER: EVENT"), Message("if several players can move, type the player's name first")),
    (Message("EVENTxN"), Message("record an event N times: I1x4")),
    (Message("played EVENT"), Message("record an illegal event that was played anyway")),
    (Message("note TEXT"), Message("record a comment")),
    (Message("claim PLAYER TEXT"), Message("record a claim; to name the event, type: about N: TEXT")),
    (Message("pause, resume"), Message("stop or start the clock")),
    (Message("substitute SEAT NAME"), Message("let another person take the seat")),
    (Message("resign PLAYER"), Message("record that the player gives up")),
    (
        Message("agree PLAYER WINNERS"),
        Message("record an offer to end the game; answer with accept PLAYER or decline PLAYER"),
    ),
    (Message("result WINNERS"), Message("record the result that the table saw")),
    (Message("gap POSITION REASON"), Message("declare the position, if moves were not recorded")),
    (Message("ruling EVENT KIND by NAME: REASON"), Message("record the arbiter's decision")),
    (Message("quit"), Message("end the conversation; to continue later, run gamelog record FILE")),
)

_HOW_TO_NAME = Message(
    "Type a player's name or seat. If the game has an event with the name of a command, type the command as "
    "@claim, @resign and so on."
)
"""Explanation of names."""


def lines() -> list[str]:
    """Return the help as lines of the terminal's width, in the language in use."""
    commands = [(text_of(words), text_of(meaning)) for words, meaning in _COMMANDS]
    typing = [line for text in _HOW_TO_TYPE for line in wrapped(text_of(text))]
    return [*typing, *two_columns(commands), *wrapped(text_of(_HOW_TO_NAME))]
