"""What somebody typed, as an event: in the game's words, in those of `spoken`, as dice or as JSON."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from gamelog.play.narrate import tag_of
from gamelog.record.envelope import proposal
from gamelog_cli import typed
from gamelog_cli.conversation import spoken
from gamelog_cli.conversation.choices import Choices

UNREAD = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are no text."""


def event(choices: Choices, line: str) -> dict[str, Any]:
    """The event that `line` says where `choices` are; after ``played``, as played though illegal.

    Raises `Misread` with the words that would be understood, and `BadSetup` for a name that two players have.
    """
    if not line.isprintable() and UNREAD.search(line):
        raise typed.Misread("there are characters in it that could not be read: type it again, in UTF-8")
    fold = choices.recorder.fold
    word, _, rest = line.partition(" ")
    own = [tag_of(kind) for kind in fold.game.events]
    if word == "played" and word not in own:
        if not rest:
            raise typed.Misread("played what? write: played EVENT")
        return {**event(choices, rest.strip()), "as_played": True}
    if line.startswith("{"):
        return _json(line)
    said = None if word in own else spoken.proposal(fold, word, rest)
    if said:
        return said
    chance = fold.pending.chance
    if chance and not any(line.casefold().startswith(tag) for tag in own):
        return proposal(fold.game.chance(fold.state, typed.dice(chance, line, fold.table.name_of)))
    try:
        return typed.parse(fold.game, line, choices.legal.events, choices.vocabulary)
    except typed.Misread as error:
        if word in own and word in spoken.WORDS:
            raise typed.Misread(f"{error}; for a {word} beside the game write @{word}{spoken.WORDS[word][0]}") from None
        raise


def _json(text: str) -> dict[str, Any]:
    try:
        return {name: value for name, value in msgspec.json.decode(text, type=dict[str, Any]).items() if name not in ("h", "n")}
    except (msgspec.DecodeError, RecursionError) as error:
        raise typed.Misread(f"that is not an event as JSON: {error}") from None
