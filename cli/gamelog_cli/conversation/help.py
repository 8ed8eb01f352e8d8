"""What `help` says in the recorder."""

from __future__ import annotations

from gamelog_cli.layout import two_columns, wrapped

TYPING = (
    "Type an event as its name and its parts: attack C3 C4. Tab completes; names may be shortened, and "
    "written in any case.",
    "What is enough to tell it from all else that is legal: 16 for step p15 p16, yh6 for place yellow h6, "
    "rrb for what is drawn.",
    "Where only an end is typed, what you moved or placed last is meant: h6 for place yellow h6 behind "
    "place yellow g5. Where only one thing is legal, the prompt says it, and Enter writes it. What was "
    "understood is said behind each event.",
    "Dice are typed as 4 3 3, or 433, several hands as 6655 123; those that follow from a seed or from "
    "revealed links are "
    "written by themselves.",
)

_COMMANDS = (
    ("legal [WORDS]", "what may be played now"),
    ("board", "draws the board again"),
    ("odds [EVENT]", "of the contest that is due, or that an event would begin"),
    ("rules [ID], why", "the rules, one of them, or the one that forbade what was typed last"),
    ("who", "who sits where, with how many points, and whose turn it is"),
    ("list [N]", "the last N events, with their numbers and with what does not stand"),
    ("undo [N]", "takes the last decision back, or goes back to the position after event N"),
    (
        "fix DICE, fix N EVENT, fix before N EVENT",
        "corrects what was written wrong, or forgotten; what followed stands again",
    ),
    ("EVENT DICE", "writes it with the roll that it calls for: C3 C4 433 62"),
    ("PLAYER: EVENT", "says who does it, where several may"),
    ("EVENTxN", "writes it N times: I1x4"),
    ("played EVENT", "records an illegal event that was played"),
    ("note TEXT", "a comment"),
    ("claim PLAYER TEXT", "a player's claim; about N: TEXT names the event"),
    ("pause, resume", "the clock"),
    ("substitute SEAT NAME", "another person takes the seat"),
    ("resign PLAYER", "the player gives up"),
    ("agree PLAYER WINNERS", "the player offers to end the game; accept PLAYER, decline PLAYER answer"),
    ("result WINNERS", "the result as the table saw it"),
    ("gap POSITION REASON", "declares the position where moves were not written down"),
    ("ruling EVENT KIND by NAME: REASON", "the arbiter's decision"),
    ("quit", "stops; gamelog record FILE goes on later"),
)

NAMES = (
    "A player is named by name or seat. Where the game has an event of the same name, write @claim, "
    "@resign and so on."
)


def lines() -> list[str]:
    """The help, in lines of the terminal's width."""
    return [line for text in TYPING for line in wrapped(text)] + two_columns(_COMMANDS) + wrapped(NAMES)
