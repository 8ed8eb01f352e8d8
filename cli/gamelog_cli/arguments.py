"""Arguments that several commands share, and functions that read them: ``red=Ana``, ``max_rounds=40``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from gamelog.errors import JSON_ERRORS, NotReadable
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.record.envelope import Seat
from gamelog.record.names import split_name
from gamelog.record.reading import is_compressed, read_bytes
from gamelog_cli import completion
from gamelog_cli.errors import Misread
from gamelog_cli.exits import usage
from gamelog_cli.printing.language import Language

if TYPE_CHECKING:
    from gamelog.archive import RecordLimits

Json = Annotated[bool, typer.Option("--json", help="Print JSON only, one object on each line.")]
ChosenLanguage = Annotated[
    Language | None,
    typer.Option(
        "--language",
        help="Language of the output. By default, the language of the environment (GAMELOG_LANGUAGE, LC_ALL, "
        "LC_MESSAGES, LANG).",
        show_default=False,
    ),
]
"""Option --language. `gamelog_cli.printing.language.chosen_language` reads it before the command runs."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file of a record.", show_default=False)]
RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A record, a record in a pack (PACK:NAME), or - for standard input.",
        show_default=False,
    ),
]
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Records, folders of records, packs, or URLs of any of these.",
        show_default=False,
    ),
]
Options = Annotated[
    list[str],
    typer.Option(
        "--option",
        help="An option of the game. NAME=@FILE reads the value from a file.",
        metavar="NAME=VALUE",
        show_default=False,
        autocompletion=completion.complete_options,
    ),
]
Headings = Annotated[
    bool,
    typer.Option("--headings/--no-headings", help="Print the column names above each table."),
]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help=(
            "Write plain CSV for other programs: no byte order mark, and no mark before text that a "
            "spreadsheet would read as a formula."
        ),
    ),
]
Tags = Annotated[
    list[str],
    typer.Option(
        "--tag",
        help="A tag for the record, for example event=league.",
        metavar="NAME=VALUE",
        show_default=False,
    ),
]
Time = Annotated[
    int | None,
    typer.Option(
        "--t",
        min=0,
        help=(
            "Time of the event, in milliseconds after the start of the record. By default, the present time."
        ),
        metavar="MS",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help=(
            "Number of processes. By default, one process, or one for each processor core if "
            "there are 200 records or more."
        ),
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address of the scheduler of a Dask cluster that does the work, for example "
        "tcp://10.0.0.1:8786. Its workers must see the same files. Anyone who can reach a scheduler can run "
        "code on its workers. So start the scheduler with --host 127.0.0.1 for one machine, otherwise with "
        "TLS (tls://…, certificates from Dask's configuration; see docs/operators.md).",
    ),
]


def _finite(seconds: float) -> float:
    if not isfinite(seconds):
        raise typer.BadParameter("type a number of seconds.")
    return seconds


RecordSeconds = Annotated[
    float,
    typer.Option(
        min=0.01,
        metavar="SECONDS",
        callback=_finite,
        help=(
            "Time limit for judging one record, in seconds. Each MB of the record adds 10 "
            "seconds. The limit stops installed games whose code does not end, and also "
            "applies to the processes of --jobs and of a cluster."
        ),
    ),
]
RecordMemory = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help=(
            "Memory limit for each process that judges records, for example 4GB or 500MB. "
            "This option has no effect on Windows, or if --record-seconds has no effect."
        ),
    ),
]
NoFallback = Annotated[
    bool,
    typer.Option(
        "--no-fallback",
        help="If the cluster loses all its workers, stop instead of continuing on this machine.",
    ),
]
Archive = Annotated[
    Path, typer.Option("--archive", metavar="FILE", help="The archive, a DuckDB file.", show_default=False)
]
ArchiveFiles = Annotated[
    list[Path],
    typer.Option(
        "--archive",
        help="The archive, a DuckDB file. Several archives are read as one.",
        metavar="FILE",
        show_default=False,
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help=(
            "Memory limit for a question, for example 512MB. Gamelog itself needs up to 256MB in addition."
        ),
    ),
]
Seconds = Annotated[
    float,
    typer.Option(
        metavar="SECONDS", help="Time limit for a question, in seconds.", min=0.001, callback=_finite
    ),
]
PeopleFile = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE",
        help="A file that lists the names and ids of each person. By default, people.toml next to the "
        "archive.",
    ),
]
RecordsPeopleFile = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE",
        help="A file that lists the names and ids of each person. By default, people.toml in the folder of "
        "the records.",
        show_default=False,
    ),
]
Secrets = Annotated[
    list[Path],
    typer.Option(
        "--secret",
        metavar="FILE",
        help="The secret of a seat: a file made by gamelog dice commit.",
        show_default=False,
    ),
]
BoardOption = Annotated[
    str | None,
    typer.Option(
        "--board",
        help="The name of a built-in board, or a board file.",
        metavar="NAME|FILE.json",
        autocompletion=completion.complete_boards,
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
"""Bytes of each unit in which an amount of memory can be typed."""


def limits(seconds: float, memory: str) -> RecordLimits:
    """Return the limits for judging one record.

    Raises:
        Misread: A limit is not valid.
    """
    from gamelog.archive import RecordLimits

    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([A-Za-z]*)", memory.strip())
    if not match or match[2].upper() not in _UNITS:
        text = '"{=memory}" is not an amount of memory. Type an amount like 4GB or 500MB.'
        raise Misread(Message.of(text, memory=memory))
    amount = int(float(match[1]) * _UNITS[match[2].upper()])
    if amount < _MIN_MEMORY:
        text = "A process that judges needs at least {=size} MB."
        raise Misread(Message.of(text, size=_MIN_MEMORY // 10**6))
    return RecordLimits(seconds, amount)


_MIN_MEMORY = 500 * 10**6
"""Bytes of address space that Python and the modules for judging take before the first record."""


_PAIRS = {
    "seat": "SEAT=NAME",
    "key": "SEAT=KEY.pub",
    "commitment": "SEAT=COMMITMENT",
    "number": "PLAYER=NUMBER",
    "clock": "PLAYER=12:30",
}
"""Forms of the arguments that are not ``NAME=VALUE``, by kind."""


def refuse_compressed_output(path: Path) -> None:
    """Exit if `path`, the file of a new record, has the name of a compressed record."""
    if is_compressed(path):
        text = "{=path} has the name of a compressed record. Gamelog only reads those: use {=other}."
        usage(Message.of(text, path=str(path), other=str(path.with_suffix(""))))


HIDDEN_NOTICE = Message.of(
    "The recorder shows only information that all players know. To show more, add --seat "
    "PLAYER, or --reveal for everything."
)
"""Notice for games with hidden information."""


def no_such_rule(game: AnyGame, rules: Iterable[str], id: str) -> Message:
    """Return the message that `game`, which has the ids `rules`, has no rule `id`."""
    ids = [*rules]
    text = '{=game} has no rule "{=id}". The rules are {=first} to {=last}.'
    return Message.of(text, game=game.title, id=id, first=ids[0], last=ids[-1])


def parse_pairs(given: list[str], kind: str) -> dict[str, str]:
    """Return the values of ``NAME=VALUE`` arguments, which are of one `kind`, by their names.

    Raises:
        Misread: An argument has no equals sign or no name, or a name is given twice.
    """
    values: dict[str, str] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            text = '"{=text}" has no name or no "=". Type {=form}.'
            raise Misread(Message.of(text, text=pair, form=_PAIRS.get(kind, "NAME=VALUE")))
        if name in values:
            raise Misread(Message.of('"{=name}" is given twice. Give it only once.', name=name))
        values[name] = value
    return values


def parse_options(given: list[str]) -> dict[str, Any]:
    """Return the options of a game.

    A value is JSON (``40``, ``null``), text, or for ``@FILE`` the JSON in a file.

    Raises:
        Misread: An option has another form.
        NotReadable: A file cannot be read.
    """
    return {name: _value(text) for name, text in parse_pairs(given, "option").items()}


def _value(text: str) -> Any:
    if text.startswith("@"):
        return _content(text[1:])
    try:
        return msgspec.json.decode(text.encode())
    except JSON_ERRORS:
        return text


def parse_seats(game: AnyGame, given: list[str]) -> list[Seat]:
    """Return the seats in ``SEAT=NAME`` and ``SEAT=NAME <id>`` arguments, in the game's order.

    Raises:
        Misread: An argument does not have this form, a seat is given twice, or the game has no such seat.
    """
    people = parse_pairs(given, "seat")
    known = game.seats[max(game.seats)]
    for seat, name in people.items():
        if not any(seat in seats for seats in game.seats.values()):
            example = f"{name}={seat}" if name in known else f"{known[0]}={name}"
            problem = 'There is no seat "{=seat}" in {=game}. Type SEAT=NAME, for example --seat {$example}.'
            raise Misread(Message.of(problem, seat=seat, game=game.title, example=example))
    order = game.seats.get(len(people), game.seats[max(game.seats)])
    ranked = sorted(people, key=lambda seat: order.index(seat) if seat in order else len(order))
    named = {seat: split_name(people[seat]) for seat in ranked}
    return [Seat(seat, name, id=person) for seat, (name, person) in named.items()]


def parse_board(given: str | None) -> str | dict[str, Any] | None:
    """Return the name of a built-in board, or the content of a board file.

    Raises:
        NotReadable: The file is not a board.
    """
    if given is None or not (given.endswith(".json") or "/" in given):
        return given
    data = _content(given)
    if not isinstance(data, dict):
        raise NotReadable(
            Message.of("{=path} is not a board: it does not contain a JSON object.", path=given)
        )
    return data


def _content(path: str) -> Any:
    """Return the JSON in a file.

    Raises:
        NotReadable: The file cannot be read.
    """
    try:
        return msgspec.json.decode(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise NotReadable(
            Message.of("{=path} does not contain JSON: {=error}.", path=path, error=str(error))
        ) from None
