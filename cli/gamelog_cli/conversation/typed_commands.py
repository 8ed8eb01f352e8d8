"""The events beside the game in words: ``pause``, ``resign Ana``, ``result Rui draw``,
``ruling 41 stands by Lena: why``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

from gamelog.errors import NO_JSON
from gamelog.play.contract.declare import described
from gamelog.play.fold.fold import Fold
from gamelog.record.names import name_and_id, same_name
from gamelog.record.reading import read_bytes
from gamelog_cli.people import first_player, sits_there
from gamelog_cli.typed_clocks import parse_clocks
from gamelog_cli.typed_members import Misread

RULING = re.compile(
    r"(?P<about>\d+)\s+(?P<kind>\w+)\s*(?P<what>.*?)\s*\bby\s+(?P<name>[^:]+):\s*(?P<reason>.+)", re.S
)

ABOUT = re.compile(r"about\s+(?P<about>\d+):\s*(?P<text>.+)", re.S)

AT_TABLE = "table"
"""The reason of a result for which the table gives none."""

_DRAWN = frozenset({"draw", "nobody"})


def parse_spoken(fold: Fold, word: str, rest: str) -> dict[str, Any] | None:
    """The event that ``word rest`` says, None when `word` is not one of these. A game's own words are not
    looked at.

    Raises `Misread` with the words that would be understood, and `BadSetup` for a name that two players have.
    """
    spoken = WORDS.get(word.removeprefix("@"))
    if spoken is None:
        return None
    usage, say = spoken
    found = say(fold, rest.strip())
    if found is None and not usage:
        raise nothing_follows(word, rest)
    if found is None:
        raise Misread(f"write: {word}{usage}")
    return {"do": f"@{word.removeprefix('@')}", "by": "table", **found}


def nothing_follows(word: str, rest: str) -> Misread:
    """Return the error that `rest` was typed after `word`, which stands alone."""
    return Misread(f'"{rest.strip()}" is not understood after {word}; write: {word}')


def _note(_fold: Fold, rest: str) -> dict[str, Any] | None:
    said = ABOUT.fullmatch(rest)
    if said:
        return {"text": said["text"], "about": int(said["about"])}
    return {"text": rest} if rest else None


def _clock(running: bool) -> Callable[[Fold, str], dict[str, Any] | None]:
    return lambda _fold, rest: None if rest else {"do": "@clock", "running": running}


def _player(fold: Fold, rest: str, *, short: bool = True) -> tuple[str, str]:
    seat, more = first_player(fold, rest, short=short)
    if seat is None:
        there = ", ".join(f"{fold.session.name_of(seat)} ({seat})" for seat in fold.header.seat_ids)
        raise Misread(f"say which player first; there are: {there}")
    return seat, more


def _claim(fold: Fold, rest: str) -> dict[str, Any] | None:
    seat, text = _player(fold, rest, short=False)  # a claim may begin with any word
    said = _note(fold, text)
    return {"by": seat, **said} if said else None


def _resign(fold: Fold, rest: str) -> dict[str, Any] | None:
    seat, more = _player(fold, rest)
    return None if more else {"by": seat}


def _agree(fold: Fold, rest: str) -> dict[str, Any] | None:
    seat, more = _player(fold, rest)
    result = parse_outcome(fold, more, "agreed")
    return {"by": seat, "result": result} if result else None


def _answer(fold: Fold, rest: str) -> dict[str, Any] | None:
    seat, number = _player(fold, rest)
    open_ = list(fold.offers)
    if not number and len(open_) != 1:
        raise Misread(
            "say which offer, by its number; "
            + (f"open are {', '.join(map(str, open_))}" if open_ else "none is open")
        )
    if number and not number.isdecimal():
        return None
    return {"by": seat, "about": int(number) if number else open_[0]}


def _result(fold: Fold, rest: str) -> dict[str, Any] | None:
    if not rest and fold.outcome:
        return {"outcome": to_builtins(fold.outcome)}
    result = seen(fold, parse_outcome(fold, rest, AT_TABLE))
    return {"outcome": result} if result else None


def seen(fold: Fold, result: dict[str, Any] | None) -> dict[str, Any] | None:
    """A result as the table saw it: the one that the play gives where the winners are the same and nobody
    says why they are.
    """
    now = fold.outcome
    same = result and now and result["reason"] == AT_TABLE and set(result["winners"]) == set(now.winners)
    return to_builtins(now) if same else result


def parse_outcome(fold: Fold, text: str, reason: str) -> dict[str, Any] | None:
    """A result in words: the winners, or draw, and then the reason. None when nobody is named."""
    winners: list[str] = []
    first, _, after = text.strip().partition(" ")
    if same_name(first.rstrip(",:")) in _DRAWN:
        return {"winners": [], "reason": after.strip() or reason}
    rest = text
    while True:
        seat, more = first_player(
            fold, rest.removeprefix("and "), short=rest is text or rest.startswith("and ")
        )
        if seat is None:
            return {"winners": winners, "reason": more or reason} if winners else None
        winners.append(seat)
        rest = more


def _substitute(fold: Fold, rest: str) -> dict[str, Any] | None:
    seat, text = _player(fold, rest)
    name, person = name_and_id(text)
    if sits_there(fold, seat, name, person):
        raise Misread(f"{fold.session.name_of(seat)} sits there already")
    given = {"person": person} if person else {}
    return {"seat": seat, "name": name, **given} if name else None


def _gap(fold: Fold, rest: str) -> dict[str, Any] | None:
    where, _, reason = rest.partition(" ")
    if rest.startswith("{"):
        where, brace, reason = rest.rpartition("}")
        where += brace
    return (
        {"state": parse_position(fold, where), "reason": reason.strip()} if where and reason.strip() else None
    )


def parse_position(fold: Fold, text: str) -> Any:
    """The position that `text` declares: JSON, ``@FILE`` that holds it, or the number of the event after
    which it stands.

    Raises `Misread`, and `NotReadable` for the file.
    """
    if text.isdecimal():
        if int(text) > fold.n:
            raise Misread(f"event {text} is not in the record yet; the last is {fold.n}")
        return described(fold.game, fold.states[int(text)])
    try:
        data = read_bytes(str(Path(text[1:]))) if text.startswith("@") else text.encode()
        return msgspec.json.decode(data, type=dict[str, Any])
    except NO_JSON as error:
        raise Misread(
            f"a position is a JSON object, @FILE that holds one, or the number of an event: {error}"
        ) from None


def _ruling(fold: Fold, rest: str) -> dict[str, Any] | None:
    said = RULING.fullmatch(rest)
    if said is None:
        return None
    about, kind, what = int(said["about"]), said["kind"].casefold(), said["what"]
    if not about:
        about_it = f"ruling {fold.n + 1} {rest.split(maxsplit=1)[1]}"
        raise Misread(f"a ruling is about an event, from 1 on; write a note first, then: {about_it}")
    event: dict[str, Any] = {
        "by": "arbiter",
        "about": about,
        "kind": kind,
        "name": said["name"].strip(),
        "reason": said["reason"],
    }
    match kind:
        case "takeback" if what.removeprefix("to ").strip().isdecimal():
            event["to"] = int(what.removeprefix("to "))
        case "penalty":
            seat, points = _player(fold, what.replace("=", " "))
            if not points.removeprefix("-").removeprefix("+").isdecimal():
                return None
            event["points"] = {seat: int(points)}
        case "clock":
            pairs = [one.replace("=", " ").rpartition(" ") for one in what.split(",")]
            event["clock"] = parse_clocks(fold, [(name.strip(), text) for name, _, text in pairs])
        case "warning":
            seat, more = _player(fold, what)
            if more:
                return None
            event["warned"] = [seat]
        case "result" | "forfeit":
            event["result"] = parse_outcome(fold, what, kind)
            if event["result"] is None:
                return None
        case "stands" | "takeback" | "refused" | "upheld" if not what:
            pass
        case _:
            return None
    return event


_Say = Callable[[Fold, str], dict[str, Any] | None]

WORDS: dict[str, tuple[str, _Say]] = {
    "note": (" TEXT, or about N: TEXT", _note),
    "claim": (" PLAYER TEXT, or PLAYER about N: TEXT", _claim),
    "pause": ("", _clock(False)),
    "resume": ("", _clock(True)),
    "resign": (" PLAYER", _resign),
    "agree": (" PLAYER WINNERS [REASON], draw for no winner: agree Ana draw", _agree),
    "accept": (" PLAYER [NUMBER OF THE OFFER]", _answer),
    "decline": (" PLAYER [NUMBER OF THE OFFER]", _answer),
    "result": (" WINNERS [REASON], draw for no winner: result Ana", _result),
    "substitute": (" SEAT NAME", _substitute),
    "gap": (" POSITION REASON; the position is JSON, @FILE, or the number of the event after which it "
            "stands", _gap),
    "ruling": (
        " EVENT stands|takeback [EVENT]|refused|upheld|penalty PLAYER POINTS|warning PLAYER|"
        "clock PLAYER 12:30|result WINNERS|forfeit WINNERS by NAME: REASON",
        _ruling,
    ),
}  # fmt: skip
"""Each word with what follows it, and what it means."""

ALONE = frozenset(word for word, (usage, _) in WORDS.items() if not usage)
"""The words after which nothing follows."""
