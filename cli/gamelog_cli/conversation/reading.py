"""What somebody typed, as an event: in the game's words, in those of `spoken`, as dice or as JSON."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import structs

from gamelog.errors import NO_JSON, AppendError, BadSetup, NotReadable
from gamelog.play.contract.game import ChanceDue, Legal
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import ARBITER, TABLE, proposal, tag_of
from gamelog.record.names import same_name
from gamelog_cli import typed_dice, typed_events, typed_members
from gamelog_cli.conversation import typed_commands, undoing
from gamelog_cli.conversation.choices import LOOKING, OF_A_PLAYER, TYPED_COMMANDS, Choices
from gamelog_cli.people import first_player

TIMES = re.compile(r"(?P<event>[^{].*?\S) ?x ?(?P<times>\d{1,2})", re.S)

MOST_TIMES = 60
"""How often a line is repeated at most."""

UNREAD = re.compile("[\ud800-\udfff]")
"""What stands for bytes that are not text."""


def event(choices: Choices, line: str, usual: str | None = None) -> dict[str, Any]:
    """The event that `line` says where `choices` are; after ``played``, as played though illegal.

    A player's name and a colon in front say whose it is: ``Rui: pass``; a decision without them is of the
    `usual` player, where one is given. Raises `Misread` with the words that would be
    understood, `BadSetup` for a name that two players have, and `Refused` for short words that the rules
    leave no meaning.
    """
    if not line.strip():
        raise typed_members.Misread("there is no event in it")
    if not line.isprintable() and UNREAD.search(line):
        raise typed_members.Misread(
            "there are characters in it that could not be read: type it again, in UTF-8"
        )
    by, said = _speaker(choices.recorder.fold, line)
    try:
        found = _event(choices, said, by, usual)
    except typed_members.Misread:
        if by is None and (nobody := _nobody(choices, line)):
            raise typed_members.Misread(nobody) from None
        if by is None and (meant := _without_colon(choices, line)):
            raise typed_members.Misread(f"write a colon behind the player's name: {meant}") from None
        if by is None and (turn := _out_of_turn(choices, line)):
            raise typed_members.Misread(turn) from None
        raise
    return found if by is None else found | {"by": by}


def repeated(choices: Choices, line: str) -> tuple[str, int]:
    """What ``I1x4`` repeats, and how often; the line itself, once, where that is a name,
    or a word that is not an event.
    """
    said = TIMES.fullmatch(line)
    fold = choices.recorder.fold
    if (
        not said
        or not fold.pending.by
        or not choices.legal.events
        or line.split(maxsplit=1)[0] in TYPED_COMMANDS
    ):
        return line, 1
    last = line.rsplit(maxsplit=1)[-1].casefold()
    if (last in choices.vocabulary and not last.isdecimal()) or not 0 < int(said["times"]) <= MOST_TIMES:
        return line, 1
    return said["event"], int(said["times"])


def with_roll(choices: Choices, line: str) -> tuple[str, str]:
    """The event and the dice of ``I2 I1 322 65``, where the event is legal and calls for a roll; else the
    line, and none.

    Raises `Misread` for dice that are not what it calls for.
    """
    words = line.split()
    count = len([*takewhile(str.isdecimal, reversed(words))])
    fold = choices.recorder.fold
    if (
        not count
        or count == len(words)
        or fold.pending.chance
        or not choices.legal.events
        or means(choices, line)
    ):
        return line, ""
    problem: typed_members.Misread | None = None
    for at in range(1, count + 1):
        said, roll = " ".join(words[:-at]), " ".join(words[-at:])
        owed = _called_for(choices, said) if means(choices, said) else None
        try:
            if owed and typed_dice.parse_dice(owed, roll, fold.session.name_of):
                return said, roll
        except typed_members.Misread as error:
            problem = error
    if problem:
        raise problem
    return line, ""


def _called_for(choices: Choices, line: str) -> ChanceDue | None:
    """The roll that the legal event `line` calls for, if it does."""
    fold = choices.recorder.fold
    return fold.game.pending(fold.game.apply(fold.state, choices.recorder.stamp(event(choices, line)))).chance


def means(choices: Choices, line: str) -> bool:
    """Whether `line` is a command, or an event that can come now."""
    if line.split(maxsplit=1)[0] in LOOKING.union(TYPED_COMMANDS):
        return True
    recorder = choices.recorder
    try:
        found = recorder.stamp(
            event(Choices(recorder), line)
        )  # where nobody is asked which of several is meant
    except typed_events.Several:
        return True
    except (typed_members.Misread, AppendError, BadSetup, NotReadable):
        return False
    return recorder.fold.judge(found) is None


def _speaker(fold: Fold, line: str) -> tuple[str | None, str]:
    """The player in front of ``Rui: pass`` (or ``table``, or ``arbiter``), None of nobody, and the rest."""
    before, _, after = line.partition(":")
    if line.startswith("{") or not after.strip():
        return None, line
    if same_name(before) in (TABLE, ARBITER):
        return same_name(before), after.strip()
    seat, rest = first_player(fold, before)
    return (seat, after.strip()) if seat and not rest else (None, line)


def _nobody(choices: Choices, line: str) -> str:
    """That nobody is called what stands in front of a colon, where an event stands behind it."""
    before, _, after = line.partition(":")
    if line.startswith("{") or not before.strip() or not after.strip():
        return ""
    begun = before.split()[0].casefold()
    if begun in LOOKING.union(TYPED_COMMANDS, _words(choices)):
        return ""
    try:
        _event(Choices(choices.recorder), after.strip(), None, None)
    except typed_members.Misread:
        return ""
    except (AppendError, BadSetup, NotReadable):
        pass  # an event all the same
    return str(choices.recorder.fold.unknown_seat(before.strip()))


def _without_colon(choices: Choices, line: str) -> str:
    """A line that begins with a player's name, with a colon behind it; empty where that cannot come now."""
    fold = choices.recorder.fold
    try:
        seat, rest = first_player(fold, line)
        found = _event(Choices(choices.recorder), rest, seat, None) | {"by": seat} if seat and rest else None
        good = found and fold.judge(choices.recorder.stamp(found)) is None
    except (typed_members.Misread, AppendError, BadSetup, NotReadable):
        return ""
    return f"{fold.session.name_of(seat)}: {rest}" if seat and good else ""


def _out_of_turn(choices: Choices, line: str) -> str:
    """That it is somebody else's turn, where a line names a player and what he may not decide now."""
    fold = choices.recorder.fold
    begun = line.split(maxsplit=1)[0].casefold()
    try:
        seat, rest = first_player(fold, line)
        if not (seat and rest and fold.pending.by) or seat in fold.pending.by or begun in _words(choices):
            return ""
        _event(Choices(choices.recorder), rest, seat, None)
    except (typed_members.Misread, AppendError, BadSetup, NotReadable):
        return ""
    name_of = fold.session.name_of
    turn = " or ".join(f"{name_of(one)}'s" for one in fold.pending.by)
    return f"it is {turn} turn, not {name_of(seat)}'s"


def _words(choices: Choices) -> set[str]:
    """The words of what is legal, without case."""
    return {word.casefold() for one in choices.legal.events for word in typed_members.event_words(one)}


def _not_now(fold: Fold) -> str:
    """Why nothing can be decided now, in the words of the prompt; empty where something can be."""
    if fold.pending.outcome:
        return "the game is over"
    chance, name_of = fold.pending.chance, fold.session.name_of
    return (
        f"this is due: {name_of(chance.by)}, {typed_dice.dice_prompt(chance, name_of)}"
        if chance and not fold.pending.by
        else ""
    )


def _event(choices: Choices, line: str, by: str | None, usual: str | None) -> dict[str, Any]:
    fold = choices.recorder.fold
    word, _, rest = line.partition(" ")
    own = [tag_of(kind) for kind in fold.game.events]
    if word == "played" and word not in own:
        if not rest:
            raise typed_members.Misread("played what? write: played EVENT")
        return {**event(choices, rest.strip(), usual), "as_played": True}
    if line.startswith("{"):
        return _json(line)
    if by and word == "undo" and word not in own:
        return undoing.parse_undo(choices.recorder, rest)
    if by and word.removeprefix("@") in OF_A_PLAYER:
        rest = f"{by} {rest}"
    said = None if word in own else typed_commands.parse_spoken(fold, word, rest)
    if said:
        return said
    chance = fold.pending.chance
    if (
        chance
        and not any(line.casefold().startswith(tag) for tag in own)
        and not (fold.pending.by and _decides(choices, line, by or usual))
    ):
        return proposal(
            fold.game.chance(fold.state, typed_dice.parse_dice(chance, line, fold.session.name_of))
        )
    try:
        found = _own(choices, line, by or usual)
    except typed_members.Misread as error:
        if word in own and word in typed_commands.WORDS:
            raise typed_members.Misread(
                f"{error}; for a {word} beside the game write @{word}{typed_commands.WORDS[word][0]}"
            ) from None
        reason = _not_now(fold)
        if reason and any(tag.startswith(word.casefold()) for tag in own):
            raise typed_members.Misread(f'"{line}" cannot come now: {reason}') from None
        raise
    if usual:
        return found | {"by": usual}
    if not by and "by" not in found and len(fold.pending.by) > 1:
        raise typed_members.Misread(_who(fold, line))
    return found


def _who(fold: Fold, line: str) -> str:
    """Return how to say which of those who are to act does what `line` says."""
    people = " or ".join(f"{fold.session.name_of(seat)}: {line}" for seat in fold.pending.by)
    return f"say who: {people}"


def _own(choices: Choices, line: str, by: str | None) -> dict[str, Any]:
    """An event of the game's own, of what player `by` may play if he may play anything that it can be.
    Raises `Misread`, which names nothing that is hidden from those who look on.
    """
    try:
        return _of_player(choices, line, by, choices.legal)
    except typed_members.Misread:
        if choices.shown is choices.legal:
            raise
    try:
        return _of_player(choices, line, by, choices.shown)
    except typed_events.Several:
        fold = choices.recorder.fold
        if not by and len(fold.pending.by) > 1:
            raise typed_events.Several(_who(fold, line)) from None
        raise typed_events.Several(f'"{line}" may be several things: write more of it') from None


def _of_player(choices: Choices, line: str, by: str | None, legal: Legal) -> dict[str, Any]:
    """The event that `line` says of those that are `legal`, of player `by` if he may play anything of it."""
    fold = choices.recorder.fold
    choose = choices.choose if choices.shown is choices.legal else None
    theirs = structs.replace(legal, events=tuple(event for event in legal.events if event.by == by))

    def read(among: Legal) -> dict[str, Any]:
        name_of = fold.session.name_of
        return typed_events.parse_event(
            fold.game, fold.state, line, among, choices.vocabulary, name_of, choose, choices.kept
        )

    if theirs.events:
        try:
            return read(theirs)
        except typed_events.Several:
            raise
        except typed_members.Misread:
            pass  # it may be what another player may play, and the judge says so
    return read(legal)


def _decides(choices: Choices, line: str, by: str | None) -> bool:
    """Whether `line` is a decision of the game that can be read here."""
    try:
        return bool(_own(choices, line, by))
    except typed_members.Misread:
        return False


def _json(text: str) -> dict[str, Any]:
    try:
        return {
            name: value
            for name, value in msgspec.json.decode(text, type=dict[str, Any]).items()
            if name not in ("h", "n")
        }
    except NO_JSON as error:
        raise typed_members.Misread(f"that is not an event as JSON: {error}") from None
