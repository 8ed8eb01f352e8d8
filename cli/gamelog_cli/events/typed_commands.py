"""Commands for events that every game has: ``pause``, ``resign Ana``, ``ruling 41 stands by Lena: why``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

from gamelog.errors import JSON_ERRORS
from gamelog.message import Message
from gamelog.play.contract.declare import describe_state
from gamelog.play.recording import ruling_parts
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import ARBITER, TABLE
from gamelog.record.names import name_key, split_name
from gamelog.record.reading import read_bytes
from gamelog_cli.errors import Misread, json_problem
from gamelog_cli.input.people import first_player, is_seated
from gamelog_cli.input.typed_clocks import parse_clocks

_TYPED_RULING = re.compile(
    r"(?P<about>\d+)\s+(?P<parts>\w.*?)\s*\bby\s+(?P<name>[^:]+):\s*(?P<reason>.+)", re.S
)
"""The arguments of ``ruling``: the event, the parts, the name and the reason."""

_TYPED_ABOUT = re.compile(r"about\s+(?P<about>\d+):\s*(?P<text>.+)", re.S)
"""A note or claim about an event: ``about N: TEXT``."""

DEFAULT_REASON = "table"
"""Reason of a result that was typed without a reason."""

_OFFER_PROBLEMS = ("There is no open offer.", "Type the number of the offer. Open offers: {=numbers}.")
_WITHDRAWAL_PROBLEMS = (
    "There is no open claim or offer.",
    "Type the number of the claim or offer. Open: {=numbers}.",
)

_DRAW_WORDS = frozenset({"draw", "nobody"})
"""Words for a result without winners."""


def parse_command(recorder: EventRecorder, word: str, rest: str) -> dict[str, Any] | None:
    """Return the event that the command `word` with the arguments `rest` records.

    Return None if `word` is not a command; events of the game are not considered.

    Raises:
        Misread: The arguments cannot be read. The message says what to type.
        UnknownPlayer: Several players match the name.
    """
    command = COMMANDS.get(word.removeprefix("@"))
    if command is None:
        return None
    usage, parse = command
    members = parse(recorder, rest.strip())
    if members is None and not usage:
        raise nothing_follows(word, rest)
    if members is None:
        raise Misread(Message.of("Type: {=word} {usage}", word=word, usage=usage))
    return {"do": f"@{word.removeprefix('@')}", "by": "table", **members}


def parse_undo(recorder: EventRecorder, rest: str) -> dict[str, Any]:
    """Return the takeback that ``undo`` and `rest` propose.

    Raises:
        Misread: `rest` does not name an event, or nothing can be taken back.
    """
    if rest and not rest.isdecimal():
        raise Misread("Type undo, or undo N to go back to the position after event N.")
    view = recorder.record_view
    if not rest and not view.undone_by_return(0):
        raise Misread("There is no event to undo.")
    return {"do": "@takeback", "by": TABLE, "to": int(rest) if rest else view.before_last_step()}


def nothing_follows(word: str, rest: str) -> Misread:
    """Return the error for the text `rest` after the command `word`, which takes no arguments."""
    return Misread(Message.of('Type {=word} alone, without "{=rest}".', word=word, rest=rest.strip()))


def _note(_recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    match = _TYPED_ABOUT.fullmatch(rest)
    if match:
        return {"text": match["text"], "about": int(match["about"])}
    return {"text": rest} if rest else None


def _clock(running: bool) -> Callable[[EventRecorder, str], dict[str, Any] | None]:
    return lambda _recorder, rest: None if rest else {"do": "@clock", "running": running}


def _player(recorder: EventRecorder, rest: str, *, short: bool = True) -> tuple[str, str]:
    view = recorder.record_view
    seat, more = first_player(view, rest, short=short)
    if seat is None:
        players = ", ".join(f"{view.name_of(seat)} ({seat})" for seat in view.header.seat_ids)
        raise Misread(Message.of("Name a player first: {=players}.", players=players))
    return seat, more


def _claim(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    seat, text = _player(recorder, rest, short=False)  # a claim may begin with any word
    members = _note(recorder, text)
    return {"by": seat, **members} if members else None


def _withdraw(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    """Return the withdrawal of a claim or offer by its author, or None if `rest` is not its number.

    Raises:
        Misread: There is no open claim or offer, or its number is missing.
    """
    if rest and not rest.isdecimal():
        return None
    view = recorder.record_view
    return withdrawal(
        recorder, int(rest) if rest else _only_number([*view.open_claims, *view.offers], _WITHDRAWAL_PROBLEMS)
    )


def withdrawal(recorder: EventRecorder, about: int) -> dict[str, Any]:
    """Return the members of the withdrawal of the claim or offer `about` by its author."""
    view = recorder.record_view
    is_known = 0 < about <= view.last_played
    return {"by": view.event(about)["by"] if is_known else TABLE, "about": about}


def _only_number(numbers: Collection[int], texts: tuple[str, str]) -> int:
    """Return the only one of `numbers`.

    Raises:
        Misread: There is none, or there are several. `texts` say so.
    """
    if len(numbers) == 1:
        return next(iter(numbers))
    raise Misread(Message.of(texts[bool(numbers)], numbers=", ".join(map(str, numbers))))


def _resign(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    seat, more = _player(recorder, rest)
    return None if more else {"by": seat}


def _agree(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    seat, more = _player(recorder, rest)
    result = parse_outcome(recorder, more, "agreed")
    return {"by": seat, "result": result} if result else None


def _answer(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    """Return the members of an answer to an offer, or None if its number is not one.

    Raises:
        Misread: There is no open offer, or its number is missing.
    """
    seat, number = _player(recorder, rest)
    if number and not number.isdecimal():
        return None
    return {
        "by": seat,
        "about": int(number) if number else _only_number(recorder.record_view.offers, _OFFER_PROBLEMS),
    }


def _result(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    outcome = recorder.record_view.outcome
    if not rest and outcome:
        return {"outcome": to_builtins(outcome)}
    result = table_result(recorder, parse_outcome(recorder, rest, DEFAULT_REASON))
    return {"outcome": result} if result else None


def table_result(recorder: EventRecorder, result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the result that the table saw.

    This is the result according to the rules, if the winners are the same and no reason was typed.
    """
    now = recorder.record_view.outcome
    same = (
        result and now and result["reason"] == DEFAULT_REASON and set(result["winners"]) == set(now.winners)
    )
    return to_builtins(now) if same else result


def parse_outcome(recorder: EventRecorder, text: str, reason: str) -> dict[str, Any] | None:
    """Return the result in `text`: the winners or ``draw``, then the reason. None if no winner is named."""
    winners: list[str] = []
    first, _, after = text.strip().partition(" ")
    if name_key(first.rstrip(",:")) in _DRAW_WORDS:
        return {"winners": [], "reason": after.strip() or reason}
    rest = text
    while True:
        short = rest is text or rest.startswith("and ")
        seat, more = first_player(recorder.record_view, rest.removeprefix("and "), short=short)
        if seat is None:
            return {"winners": winners, "reason": more or reason} if winners else None
        winners.append(seat)
        rest = more


def _substitute(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    """Return the members of a substitution, or None without a name.

    Raises:
        Misread: The person already sits at this seat.
    """
    seat, text = _player(recorder, rest)
    name, person = split_name(text)
    if is_seated(recorder.record_view, seat, name, person):
        text = "{=name} already sits at this seat. Name another person."
        raise Misread(Message.of(text, name=recorder.record_view.name_of(seat)))
    given = {"person": person} if person else {}
    return {"seat": seat, "name": name, **given} if name else None


def _gap(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    where, _, reason = rest.partition(" ")
    if rest.startswith("{"):
        where, brace, reason = rest.rpartition("}")
        where += brace
    if not where or not reason.strip():
        return None
    return {"state": parse_position(recorder, where), "reason": reason.strip()}


def parse_position(recorder: EventRecorder, text: str) -> Any:
    """Return the position that `text` declares: JSON, ``@FILE``, or the number of the event before it.

    Raises:
        Misread: `text` is not a position.
        NotReadable: The file cannot be read.
    """
    if text.isdecimal():
        fold = recorder.fold  # the position is recorded, so it is the whole one
        if int(text) > fold.n:
            problem = "There is no event {n} yet. The last event is event {last}."
            raise Misread(Message.of(problem, n=int(text), last=fold.n))
        return describe_state(fold.game, fold.states[int(text)])
    try:
        data = read_bytes(str(Path(text[1:]))) if text.startswith("@") else text.encode()
        return msgspec.json.decode(data, type=dict[str, Any])
    except JSON_ERRORS as error:
        problem = "Cannot read the position: {problem}. Type a JSON object, @FILE or the number of an event."
        raise Misread(Message.of(problem, problem=json_problem(error))) from None


def _amend(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    """Return the members of a correction of a name, or None without a name."""
    seat, text = _player(recorder, rest)
    name, person = split_name(text)
    return (
        {"by": ARBITER, "seats": {seat: {"name": name} | ({"id": person} if person else {})}}
        if name
        else None
    )


def _ruling(recorder: EventRecorder, rest: str) -> dict[str, Any] | None:
    """Return the members of a ruling of one part, or None if the text has another form.

    Raises:
        Misread: The ruling has several parts, or is about event 0.
    """
    parts = parse_ruling(recorder, rest)
    if parts and len(parts) > 1:
        raise Misread("A ruling of several parts cannot be recorded here. Record one part after the other.")
    return parts[0] if parts else None


def parse_ruling(recorder: EventRecorder, rest: str) -> list[dict[str, Any]] | None:
    """Return the members of each part of a ruling, or None if the text has another form.

    The parts have semicolons between them. Only one of them can be a decision other than a warning, a
    penalty or a clock; it is the last one.

    Raises:
        Misread: The ruling is about event 0, or its parts do not fit together.
    """
    match = _TYPED_RULING.fullmatch(rest)
    if match is None:
        return None
    if not int(match["about"]):
        text = (
            "A ruling is about an event, and the first is event 1. Record a note first, then type: {=command}"
        )
        command = f"ruling {recorder.record_view.last_played + 1} {rest.split(maxsplit=1)[1]}"
        raise Misread(Message.of(text, command=command))
    members: dict[str, dict[str, Any]] = {}
    for part in match["parts"].split(";"):
        kind, _, what = part.strip().partition(" ")
        parsed = _ruling_part(recorder, kind.casefold(), what.strip())
        if parsed is None:
            return None
        if kind.casefold() in members:
            text = "The ruling has two parts of the kind {=kind}. Record the second one as another ruling."
            raise Misread(Message.of(text, kind=kind))
        members[kind.casefold()] = parsed
    others = ruling_parts.decisions(members)
    if len(others) > 1:
        text = "A ruling has only one of these parts: {=kinds}. You can add a warning, a penalty and a clock."
        raise Misread(Message.of(text, kinds=", ".join(others)))
    same = {
        "by": ARBITER,
        "about": int(match["about"]),
        "name": match["name"].strip(),
        "reason": match["reason"],
    }
    kinds = [kind for kind in (*ruling_parts.ADDED_KINDS, *others) if kind in members]
    return [{**same, "kind": kind, **members[kind]} for kind in kinds]


def _ruling_part(recorder: EventRecorder, kind: str, what: str) -> dict[str, Any] | None:
    """Return the members that only a ruling of this kind has, or None if `what` does not fit."""
    match kind:
        case "takeback" if what.removeprefix("to ").strip().isdecimal():
            return {"to": int(what.removeprefix("to "))}
        case "penalty":
            seat, points = _player(recorder, what.replace("=", " "))
            whole = points.removeprefix("-").removeprefix("+").isdecimal()
            return {"points": {seat: int(points)}} if whole else None
        case "clock":
            parts = [typed_clock.replace("=", " ").rpartition(" ") for typed_clock in what.split(",")]
            clocks = [(name.strip(), text) for name, _, text in parts]
            return {"clock": parse_clocks(recorder.record_view, clocks)}
        case "warning":
            seat, more = _player(recorder, what)
            return None if more else {"warned": [seat]}
        case "result" | "forfeit":
            result = parse_outcome(recorder, what, kind)
            return {"result": result} if result else None
        case "stands" | "takeback" | "refused" | "upheld" if not what:
            return {}
    return None


_Parse = Callable[[EventRecorder, str], dict[str, Any] | None]

COMMANDS: dict[str, tuple[Message | None, _Parse]] = {
    "note": (Message.of("TEXT, or about N: TEXT"), _note),
    "claim": (Message.of("PLAYER TEXT, or PLAYER about N: TEXT"), _claim),
    "withdraw": (Message.of("[NUMBER OF THE CLAIM OR OFFER]"), _withdraw),
    "pause": (None, _clock(False)),
    "resume": (None, _clock(True)),
    "resign": (Message.of("PLAYER"), _resign),
    "agree": (
        Message.of("PLAYER WINNERS [REASON] (draw if no one wins), for example: agree Ana draw"),
        _agree,
    ),
    "accept": (Message.of("PLAYER [NUMBER OF THE OFFER]"), _answer),
    "decline": (Message.of("PLAYER [NUMBER OF THE OFFER]"), _answer),
    "result": (Message.of("WINNERS [REASON] (draw if no one wins), for example: result Ana"), _result),
    "substitute": (Message.of("SEAT NAME"), _substitute),
    "amend": (Message.of("PLAYER NAME (the corrected name, or NAME <ID>)"), _amend),
    "gap": (
        Message.of("POSITION REASON (the position is JSON, @FILE, or the number of the event before it)"),
        _gap,
    ),
    "ruling": (
        Message.of(
            "EVENT stands|takeback [EVENT]|refused|upheld|penalty PLAYER POINTS|warning PLAYER|"
            "clock PLAYER 12:30|result WINNERS|forfeit WINNERS by NAME: REASON. Several parts have "
            "semicolons between them."
        ),
        _ruling,
    ),
}
"""The commands, each with its arguments and the function that reads them."""

COMMANDS_WITHOUT_WORDS = frozenset(word for word, (usage, _) in COMMANDS.items() if not usage)
"""Commands without arguments."""
