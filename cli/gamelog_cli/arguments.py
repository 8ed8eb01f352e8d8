"""Arguments that several commands share, and how people write them: ``red=Ana``, ``max_rounds=40``."""

from __future__ import annotations

import re
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gamelog.errors import NO_JSON, BadSetup, NotReadable
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Seat
from gamelog.record.names import split_name
from gamelog.record.reading import read_bytes
from gamelog_cli import completion

if TYPE_CHECKING:
    from gamelog.archive import Bounds

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line and nothing else.")]
File = Annotated[Path, typer.Argument(help="A record.", show_default=False)]
RecordFile = Annotated[
    Path,
    typer.Argument(help="A record, one in a pack (PACK:NAME), or - for standard input.", show_default=False),
]
Paths = Annotated[
    list[str], typer.Argument(help="Records, folders or packs of them, or their URLs.", show_default=False)
]
Options = Annotated[
    list[str],
    typer.Option(
        "--option",
        help="An option of the game; @FILE reads it.",
        metavar="NAME=VALUE",
        show_default=False,
        autocompletion=completion.complete_options,
    ),
]
Headings = Annotated[
    bool,
    typer.Option("--headings/--no-headings", help="Whether a table begins with the names of its columns."),
]
Tags = Annotated[list[str], typer.Option("--tag", help="A tag.", metavar="NAME=VALUE", show_default=False)]
Time = Annotated[
    int | None,
    typer.Option("--t", min=0, help="When it was, in ms after the start; now, unless you say.", metavar="MS"),
]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, help="How many processes share the work; from 200 records on all cores by default."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="Let a Dask cluster work: its scheduler, tcp://10.0.0.1:8786 say. Its workers must see the "
        "same files. Whoever "
        "reaches a scheduler runs code on its workers: start it with --host 127.0.0.1 for one machine, "
        "else with TLS "
        "(tls://…, certificates from Dask's configuration; see docs/operators.md)."
    ),
]


def _finite(seconds: float) -> float:
    if not isfinite(seconds):
        raise typer.BadParameter("it has to be a number of seconds.")
    return seconds


RecordSeconds = Annotated[
    float,
    typer.Option(
        min=0.01,
        callback=_finite,
        help="Seconds that judging one record may take, and 10 more for each MB of it. Bounds the games of "
        "others, which may do "
        "anything, and every process of --jobs and of a cluster.",
    ),
]
RecordMemory = Annotated[
    str,
    typer.Option(
        help="Memory of a process that judges: 4GB, 500MB. Not bounded on Windows, nor where "
        "--record-seconds does nothing."
    ),
]
NoFallback = Annotated[
    bool,
    typer.Option(
        "--no-fallback", help="When a cluster has lost all its workers, stop instead of going on here."
    ),
]
Archive = Annotated[Path, typer.Option("--archive", help="The archive, a DuckDB file.", show_default=False)]
ArchiveFiles = Annotated[
    list[Path],
    typer.Option(
        "--archive",
        help="The archive, a DuckDB file; several are asked as one.",
        metavar="FILE",
        show_default=False,
    ),
]
Memory = Annotated[
    str, typer.Option(help="The most memory to use, 512MB say, beside 256 MB for the programs themselves.")
]
Seconds = Annotated[
    float, typer.Option(help="The most time for a question, in seconds.", min=0.001, callback=_finite)
]
PeopleFile = Annotated[
    Path | None,
    typer.Option("--people", help="A file that says who is who; people.toml beside the archive by default."),
]
Secrets = Annotated[
    list[Path],
    typer.Option("--secret", help="A seat's secret, as gamelog dice commit makes it.", show_default=False),
]
BoardOption = Annotated[
    str | None,
    typer.Option(
        "--board",
        help="A built-in board's name, or a board file.",
        metavar="NAME|FILE.json",
        autocompletion=completion.boards,
    ),
]


_UNITS = {
    "": 1,
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KIB": 1 << 10,
    "MIB": 1 << 20,
    "GIB": 1 << 30,
}


def bounds(seconds: float, memory: str) -> Bounds:
    """What a record may cost, as options say it. Raises `BadSetup`."""
    from gamelog.archive import Bounds

    said = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Za-z]*)", memory.strip())
    if not said or said[2].upper() not in _UNITS:
        raise BadSetup(f'"{memory}" is not an amount of memory; write it like 4GB or 500MB.')
    amount = int(float(said[1]) * _UNITS[said[2].upper()])
    if amount < LEAST_MEMORY:
        raise BadSetup(f"A process that judges needs {LEAST_MEMORY // 10**6} MB at least.")
    return Bounds(seconds, amount)


LEAST_MEMORY = 500 * 10**6
"""Bytes of addresses that Python with all that judging imports has taken before it begins."""


PAIRS = {
    "seat": "SEAT=NAME",
    "key": "SEAT=KEY.pub",
    "commitment": "SEAT=COMMITMENT",
    "number": "PLAYER=NUMBER",
    "clock": "PLAYER=12:30",
}
"""How an argument of each kind is written that is not ``NAME=VALUE``."""


def parse_pairs(given: list[str], what: str) -> dict[str, str]:
    """``NAME=VALUE`` arguments. Raises `BadSetup` for one without the equals sign or a name given twice."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadSetup(
                f'"{text}" names nothing or has no "="; write it as {PAIRS.get(what, "NAME=VALUE")}.'
            )
        if name in found:
            raise BadSetup(f'The {what} "{name}" is given twice.')
        found[name] = value
    return found


def parse_options(given: list[str]) -> dict[str, Any]:
    """Options of a game: each value as JSON where it is (``40``, ``null``), a file's for ``@FILE``, or text.

    Raises `BadSetup` and `NotReadable`.
    """
    return {name: _value(text) for name, text in parse_pairs(given, "option").items()}


def _value(text: str) -> Any:
    if text.startswith("@"):
        return _content(text[1:])
    try:
        return msgspec.json.decode(text.encode())
    except NO_JSON:
        return text


def parse_seats(game: AnyGame, given: list[str]) -> list[Seat]:
    """``SEAT=NAME`` or ``SEAT=NAME <id>``; the order is the game's, not the order of typing."""
    people = parse_pairs(given, "seat")
    known = game.seats[max(game.seats)]
    for seat, name in people.items():
        if not any(seat in seats for seats in game.seats.values()):
            meant = f"{name}={seat}" if name in known else f"{known[0]}={name}"
            raise BadSetup(
                f'There is no seat "{seat}" in {game.title}; write SEAT=NAME, for example --seat {meant}.'
            )
    order = game.seats.get(len(people), game.seats[max(game.seats)])
    ranked = sorted(people, key=lambda seat: order.index(seat) if seat in order else len(order))
    said = {seat: split_name(people[seat]) for seat in ranked}
    return [Seat(seat, name, id=person) for seat, (name, person) in said.items()]


def parse_board(given: str | None) -> str | dict[str, Any] | None:
    """A built-in board's name, or a file's content. Raises `NotReadable` for a file that is not a board."""
    if given is None or not (given.endswith(".json") or "/" in given):
        return given
    data = _content(given)
    if not isinstance(data, dict):
        raise NotReadable(f"{given} is not a board: it does not hold a JSON object.")
    return data


def _content(path: str) -> Any:
    """The JSON in a file. Raises `NotReadable`."""
    try:
        return msgspec.json.decode(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"{path} does not hold JSON: {error}.") from None
