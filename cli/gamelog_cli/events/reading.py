"""Events from typed lines: in words of the game, as commands, as dice or as JSON."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import structs

from gamelog.errors import JSON_ERRORS, AppendError, NotReadable, Refused
from gamelog.message import Message
from gamelog.play.contract.game import ChanceDue, Legal
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.session_view import SessionView
from gamelog.play.visibility.viewer import observe_as, pending_for
from gamelog.record.envelope import ARBITER, TABLE, as_proposal, tag_of
from gamelog.record.names import name_key
from gamelog_cli.errors import Misread, json_problem
from gamelog_cli.events import typed_commands
from gamelog_cli.events.choices import PLAYER_COMMANDS, TYPED_COMMANDS, VIEW_COMMANDS, Choices
from gamelog_cli.input import typed_dice, typed_events, typed_members
from gamelog_cli.input.people import UnknownPlayer, first_player, person
from gamelog_cli.printing.language import alternatives

_REPEATED_EVENT = re.compile(r"(?P<event>[^{].*?\S) ?x ?(?P<times>\d{1,2})", re.S)
"""An event with the number of its repetitions: ``I1x4``."""

_MAX_TIMES = 60
"""Maximum number of repetitions of a line."""

SURROGATES = re.compile("[\ud800-\udfff]")
"""Characters that replace bytes that are not UTF-8."""


def parse_line(choices: Choices, line: str, usual: str | None = None) -> dict[str, Any]:
    """Return the event that `line` proposes at the position of `choices`.

    A line may begin with a player's name and a colon: ``Rui: pass``. A decision without them belongs to the
    `usual` player, if one is given. After ``played`` the event is marked as played although it is illegal.

    Raises:
        Misread: The line cannot be read. The message says what to type.
        UnknownPlayer: Several players match the name.
        Refused: The rules allow none of the events that short words can mean.
    """
    if not line.strip():
        raise Misread("The line is empty. Type an event.")
    if not line.isprintable() and SURROGATES.search(line):
        raise Misread("The line has characters that are not UTF-8. Type the line again.")
    by, rest = _split_player(choices.recorder.record_view, line)
    try:
        proposal = _event(choices, rest, by, usual)
    except Misread:
        problem = _player_problem(choices, line) if by is None else None
        if problem:
            raise Misread(problem) from None
        raise
    return proposal if by is None else proposal | {"by": by}


def split_repetition(choices: Choices, line: str) -> tuple[str, int]:
    """Return the event in ``I1x4`` and its number of repetitions.

    Return the whole line and 1 if ``I1x4`` is itself a name, or if the line is not an event.
    """
    match = _REPEATED_EVENT.fullmatch(line)
    shown = choices.visible_choices
    if (
        not match
        or not choices.recorder.record_view.pending.by
        or (shown.legal.complete and not shown.legal.events)
        or line.split(maxsplit=1)[0] in TYPED_COMMANDS
    ):
        return line, 1
    last = line.rsplit(maxsplit=1)[-1].casefold()
    if (last in shown.vocabulary and not last.isdecimal()) or not 0 < int(match["times"]) <= _MAX_TIMES:
        return line, 1
    return match["event"], int(match["times"])


def split_roll(choices: Choices, line: str) -> tuple[str, str]:
    """Return the event and the dice in ``I2 I1 322 65`` if the event is legal and its roll is due next.

    Otherwise return the line and no dice. The same holds if something is hidden from the people present,
    because dice that do not fit would show whether the event is legal.

    Raises:
        Misread: The dice do not fit the roll.
    """
    words = line.split()
    count = len([*takewhile(str.isdecimal, reversed(words))])
    view = choices.recorder.record_view
    if (
        not count
        or count == len(words)
        or view.pending.chance
        or not choices.knows_all
        or not choices.legal.events
        or may_be_input(choices, line)
    ):
        return line, ""
    problem: Misread | None = None
    for length in range(1, count + 1):
        text, roll = " ".join(words[:-length]), " ".join(words[-length:])
        chance_due = _roll_after(choices, text) if may_be_input(choices, text) else None
        try:
            if chance_due and typed_dice.parse_dice(chance_due, roll, view.name_of):
                return text, roll
        except Misread as error:
            problem = error
    if problem:
        raise problem
    return line, ""


def _roll_after(choices: Choices, line: str) -> ChanceDue | None:
    """Return the roll that is due after the legal event in `line`, as far as it may be shown here."""
    recorder, view = choices.recorder, choices.recorder.record_view
    game = view.game
    after = game.apply(view.current.state, recorder.stamp(parse_line(choices, line)))
    return pending_for(game, after, game.pending(after), observe_as(game, after, view.viewer)).chance


def may_be_input(choices: Choices, line: str) -> bool:
    """Return whether `line` is a command or an event that may be legal, as far as the people present know."""
    if line.split(maxsplit=1)[0] in VIEW_COMMANDS.union(TYPED_COMMANDS):
        return True
    recorder = choices.recorder
    try:
        proposal = recorder.stamp(parse_line(choices.visible_choices, line))
    except typed_events.AmbiguousEvent:
        return True
    except (Misread, AppendError, NotReadable):
        return False
    return recorder.record_view.may_be_legal(proposal)


def _split_player(view: SessionView, line: str) -> tuple[str | None, str]:
    """Return the seat (or ``table``, ``arbiter``) in ``Rui: pass``, and the rest, or None for no player."""
    before, _, after = line.partition(":")
    if line.startswith("{") or not after.strip():
        return None, line
    if name_key(before) in (TABLE, ARBITER):
        return name_key(before), after.strip()
    seat, rest = first_player(view, before)
    return (seat, after.strip()) if seat and not rest else (None, line)


def _player_problem(choices: Choices, line: str) -> Message | None:
    """Return the problem with the player in `line`, which cannot be read, or None."""
    unknown = _unknown_player(choices, line)
    if unknown:
        return unknown
    corrected = _insert_colon(choices, line)
    if corrected:
        return Message.of("Type a colon after the player's name: {=line}", line=corrected)
    return _out_of_turn(choices, line)


def _unknown_player(choices: Choices, line: str) -> Message | None:
    """Return the message that no player has the name before the colon, if an event follows the colon."""
    before, _, after = line.partition(":")
    if line.startswith("{") or not before.strip() or not after.strip():
        return None
    first_word = before.split()[0].casefold()
    if first_word in VIEW_COMMANDS.union(TYPED_COMMANDS, _words(choices)):
        return None
    view = choices.recorder.record_view
    try:
        _event(choices.visible_choices, after.strip(), None, next(iter(view.pending.by), None))
    except (UnknownPlayer, AppendError, NotReadable):
        pass  # the text is an event, although an illegal one
    except Misread:
        return None
    return Message.of("{problem}.", problem=view.unknown_seat(before.strip()))


def _insert_colon(choices: Choices, line: str) -> str:
    """Return `line` with a colon after the player's name; empty if the result cannot be a legal event."""
    recorder, view = choices.recorder, choices.recorder.record_view
    try:
        seat, rest = first_player(view, line)
        typed_event = (
            _event(choices.visible_choices, rest, seat, None) | {"by": seat} if seat and rest else None
        )
        good = typed_event and view.may_be_legal(recorder.stamp(typed_event))
    except (Misread, AppendError, NotReadable):
        return ""
    return f"{view.name_of(seat)}: {rest}" if seat and good else ""


def _out_of_turn(choices: Choices, line: str) -> Message | None:
    """Return the message that the player named in `line` is not to move, if that is the problem."""
    view = choices.recorder.record_view
    first_word = line.split(maxsplit=1)[0].casefold()
    try:
        seat, rest = first_player(view, line)
        if (
            not (seat and rest and view.pending.by)
            or seat in view.pending.by
            or first_word in _words(choices)
        ):
            return None
        _event(choices.visible_choices, rest, seat, None)
    except (Misread, AppendError, NotReadable):
        return None
    name_of, acting = view.name_of, view.pending.by
    text = "{=players} {n:is|are} to move, not {=other}."
    return Message.of(text, players=", ".join(map(name_of, acting)), n=len(acting), other=name_of(seat))


def _words(choices: Choices) -> set[str]:
    """Return the words of the legal events that may be shown, in lower case."""
    return {
        word.casefold()
        for legal_event in choices.visible_choices.legal.events
        for word in typed_members.event_words(legal_event)
    }


def _no_decision_reason(choices: Choices, line: str) -> Message | None:
    """Return the message that says why no decision is possible now, or None if one is."""
    view = choices.recorder.record_view
    if view.pending.outcome:
        return Message.of('"{=line}" is not possible now: the game is over.', line=line)
    chance, name_of = choices.chance, view.name_of
    if chance is None or view.pending.by:
        return None
    return Message.of(
        '"{=line}" is not possible now. Due now: {@player}, {dice}.',
        line=line,
        player=person(name_of, chance.by),
        dice=typed_dice.dice_prompt(chance, name_of),
    )


def _event(choices: Choices, line: str, by: str | None, usual: str | None) -> dict[str, Any]:
    """Return the event that `line` means, by the player `by` or, if none is named, `usual`.

    Raises:
        Misread: The line is not an event that can be recorded now.
    """
    recorder, view = choices.recorder, choices.recorder.record_view
    word, _, rest = line.partition(" ")
    own = [tag_of(kind) for kind in view.game.events]
    if word == "played" and word not in own:
        if not rest:
            raise Misread("Type the event that was played: played EVENT")
        return {**parse_line(choices, rest.strip(), usual), "as_played": True}
    if line.startswith("{"):
        return _json(line)
    if by and word == "undo" and word not in own:
        return typed_commands.parse_undo(choices.recorder, rest)
    if by and word.removeprefix("@") in PLAYER_COMMANDS:
        rest = f"{by} {rest}"
    proposal = None if word in own else typed_commands.parse_command(recorder, word, rest)
    if proposal:
        return proposal
    chance = choices.chance
    if (
        chance
        and not any(line.casefold().startswith(tag) for tag in own)
        and not (view.pending.by and _is_decision(choices, line, by or usual))
    ):
        results = typed_dice.parse_dice(chance, line, view.name_of)
        return as_proposal(view.game.chance(recorder.fold.state, results))  # in the whole state
    try:
        proposal = _parse_game_event(choices, line, by or usual)
    except Misread as error:
        if word in own and word in typed_commands.COMMANDS:
            usage = typed_commands.COMMANDS[word][0]
            text = "{problem} (For the command {=word}, type: @{=word} {usage})"
            raise Misread(Message.of(text, problem=error.message, word=word, usage=usage)) from None
        reason = _no_decision_reason(choices, line)
        if reason and any(tag.startswith(word.casefold()) for tag in own):
            raise Misread(reason) from None
        raise
    if usual:
        return proposal | {"by": usual}
    if not by and "by" not in proposal and len(view.pending.by) > 1:
        raise Misread(_name_player(view, line))
    return proposal


def _name_player(view: RecordView, line: str) -> Message:
    """Return the instruction to type `line` after the name of one of the players to move."""
    people = [f"{view.name_of(seat)}: {line}" for seat in view.pending.by]
    return Message.of("Begin with the name of the player: {typed}", typed=alternatives(people))


def _parse_game_event(choices: Choices, line: str, by: str | None) -> dict[str, Any]:
    """Return the game's event in `line`, preferably one that is legal for player `by`.

    Raises:
        Misread: The line cannot be read. The message names nothing that is hidden from the people present.
    """
    try:
        return _parse_for_player(choices, line, by)
    except (Misread, Refused):
        if choices.may_be_shown:
            raise
    try:
        return _parse_for_player(choices.visible_choices, line, by)
    except typed_events.AmbiguousEvent:
        view = choices.recorder.record_view
        if not by and len(view.pending.by) > 1:
            raise typed_events.AmbiguousEvent(_name_player(view, line)) from None
        text = '"{=line}" matches several events. Type more of the event.'
        raise typed_events.AmbiguousEvent(Message.of(text, line=line)) from None


def _parse_for_player(choices: Choices, line: str, by: str | None) -> dict[str, Any]:
    """Return the event in `line`, preferably one of the legal events of player `by`."""
    legal, name_of = choices.legal, choices.recorder.record_view.name_of
    state = choices.recorder.fold.state  # typed words are read with all choices
    choose = choices.choose if choices.may_be_shown else None
    theirs = structs.replace(legal, events=tuple(event for event in legal.events if event.by == by))

    def read(among: Legal) -> dict[str, Any]:
        return typed_events.parse_event(choices.game, state, line, among, choices.vocabulary, name_of, choose)

    if theirs.events:
        try:
            return read(theirs)
        except typed_events.AmbiguousEvent:
            raise
        except Misread:
            pass  # the event may be legal for another player: then the judge explains the refusal
    return read(legal)


def _is_decision(choices: Choices, line: str, by: str | None) -> bool:
    """Return whether `line` can be read as a decision of the game."""
    try:
        return bool(_parse_game_event(choices, line, by))
    except Misread:
        return False


def _json(text: str) -> dict[str, Any]:
    try:
        return {
            name: value
            for name, value in msgspec.json.decode(text, type=dict[str, Any]).items()
            if name not in ("h", "n")
        }
    except JSON_ERRORS as error:
        text = "The line is not an event: {problem}. Type a JSON object."
        raise Misread(Message.of(text, problem=json_problem(error))) from None
