"""`gamelog new`: start a record."""

from __future__ import annotations

import secrets
import shlex
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import structs

from gamelog.chance.commit import FORFEITS
from gamelog.errors import BadSetup
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, installed, names
from gamelog.play.fold import start
from gamelog.play.recording.header import new_header
from gamelog.record.envelope import TABLE, DiceSpec, Header, Seat
from gamelog.record.names import name_key
from gamelog.record.record_file import create_log
from gamelog.record.seal import Key, read_small_file
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, File, Json, Options, Tags
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line, print_warnings

EXAMPLES = ("Ana", "Rui", "Mei", "Zé", "Lena", "Omar")


def new(
    game: Annotated[
        str,
        typer.Argument(
            help="A game's id; gamelog games lists them.", autocompletion=completion.complete_games
        ),
    ],
    file: File,
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            help="Who sits where; SEAT='NAME <id>' gives an id too.",
            metavar="SEAT=NAME",
            autocompletion=completion.sitting,
        ),
    ] = [],
    option: Options = [],
    tag: Tags = [],
    board: BoardOption = None,
    dice: Annotated[
        Literal["table", "seeded", "commit-reveal"], typer.Option(help="Where dice come from.")
    ] = "table",
    seed: Annotated[str | None, typer.Option(help="The seed of seeded dice; drawn if left out.")] = None,
    commit: Annotated[
        list[str],
        typer.Option(
            "--commit", help="What gamelog dice commit has printed for a seat.", metavar="SEAT=COMMITMENT"
        ),
    ] = [],
    id: Annotated[
        str | None,
        typer.Option(help="The record's id, which the seats have committed for; made if left out."),
    ] = None,
    key: Annotated[
        list[str],
        typer.Option("--key", help="The public key with which a seat signs.", metavar="SEAT=KEY.pub"),
    ] = [],
    takebacks: Annotated[
        Literal["scorer", "agreed", "arbiter"] | None,
        typer.Option(help="When a takeback takes effect: scorer unless dice are committed to, then agreed."),
    ] = None,
    started: Annotated[
        str | None,
        typer.Option(help="When the game began, in UTC; now if left out.", metavar="2026-11-20T19:30:00Z"),
    ] = None,
    json: Json = False,
) -> None:
    """Start a record of GAME in FILE. An existing file is never overwritten."""
    if file == Path():
        usage("The record needs a file: name one after the game.")
    if seed is not None and dice != "seeded":
        usage("--seed goes with --dice seeded.")
    if (commit or id) and dice != "commit-reveal":
        usage("--id and --commit go with --dice commit-reveal.")
    if dice == "commit-reveal" and not id:
        usage("Commitments are made for one record: give its --id, as gamelog dice commit has printed it.")
    if started is not None:
        _check_time(started)
    found = find(_meant(game))
    people = arguments.parse_seats(found, seat or _asked(found, json))
    specs = {
        "table": DiceSpec("table"),
        "seeded": DiceSpec("seeded", seed or secrets.token_hex(16)),
        "commit-reveal": DiceSpec(
            "commit-reveal", commitments=arguments.parse_pairs(commit, "commitment"), forfeit=FORFEITS[0]
        ),
    }
    header = new_header(
        found,
        _with_keys(people, arguments.parse_pairs(key, "key")),
        id=id or str(uuid.uuid4()),
        started=started or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=arguments.parse_options(option),
        board=arguments.parse_board(board),
        dice=specs[dice],
        tags=arguments.parse_pairs(tag, "tag"),
        takebacks=takebacks or ("agreed" if dice == "commit-reveal" else "scorer"),
    )
    log = create_log(file, header)
    path = shlex.quote(str(file))
    if found.hides and found.chance_events and dice != "table":
        print_warnings([_who_can_read(file, header)])
    for name, at in _twice(people).items():
        warning = (
            f"{name} sits at {' and '.join(at)}, so one person has two seats; who is somebody else gets an "
            f"id: gamelog amend {path} --seat {shlex.quote(f'{at[-1]}={name} <id>')}"
        )
        print_warnings([warning])
    if json:
        emit({"path": str(file), "id": header.id, "head": log.head})
    else:
        print_line(f"{file}: {found.title}, {len(header.seats)} players. Go on with: gamelog record {path}")


def _check_time(text: str) -> None:
    """End with a sentence unless `text` is a time as headers have it; the rest the header's judge sees to."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        text = ""
    if not text.endswith("Z") or "T" not in text:
        usage("--started is a day and a time in UTC, written as 2026-11-20T19:30:00Z.")


def _who_can_read(file: Path, header: Header) -> str:
    """What is not hidden from whom, where a game deals cards that some may not see."""
    if TABLE in (header.dice.commitments or {}):
        return (
            f"{file} shows what is dealt: it is for somebody who does not play, and players follow at "
            "gamelog serve or with replay --seat. When the game is over, gamelog dice reveal with the "
            "table's secret lets everybody check it."
        )
    when = "from its seed" if header.dice.source == "seeded" else "once its links are revealed"
    way = (
        ""
        if header.dice.source == "seeded"
        else "; where somebody who does not play commits as table, nobody else can"
    )
    return (
        f"whoever can read {file}, its players too, can reckon every draw {when}, those dealt to one "
        f"seat alone as well{way}."
    )


def _meant(text: str) -> str:
    """The id of the game that `text` names, by id in any case or by title; else `text` itself."""
    wanted = name_key(text)
    by_id = [name for name in names() if name.casefold() == wanted]
    return next(
        iter(by_id or [one.name for one in installed() if one.game and name_key(one.game.title) == wanted]),
        text,
    )


def _with_keys(people: list[Seat], files: dict[str, str]) -> list[Seat]:
    """`people`, each with the key in the file that is named for the seat."""
    unseated = set(files) - {person.seat for person in people}
    if unseated:
        raise BadSetup(f'--key names a seat "{min(unseated)}" at which nobody sits.')
    keys = {seat: str(Key.read(read_small_file(path))) for seat, path in files.items()}
    return [structs.replace(person, key=keys.get(person.seat)) for person in people]


def _asked(game: AnyGame, json: bool) -> list[str]:
    """Who plays, as --seat would say it: asked on a terminal, else an error that says how to."""
    players = start.players_in_words(game)
    if json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        seats = " ".join(
            f"--seat {seat}={name}" for seat, name in zip(game.seats[min(game.seats)], EXAMPLES, strict=False)
        )
        usage(f"Who plays? Name everybody: {seats} ({game.title} is for {players} players).")
    count = (
        typer.prompt(f"How many play: {players}?", type=int, prompt_suffix=" ")
        if len(game.seats) > 1
        else min(game.seats)
    )
    start.check_players(game, count)
    return [f"{seat}={typer.prompt(f'Who is {seat}?', prompt_suffix=' ')}" for seat in game.seats[count]]


def _twice(people: list[Seat]) -> dict[str, list[str]]:
    """The seats of each person who has more than one: same name, and no ids that tell them apart."""
    seats: dict[tuple[str, str | None], list[Seat]] = {}
    for person in people:
        if person.name:
            seats.setdefault((name_key(person.name), person.id), []).append(person)
    return {(same[0].name or ""): [one.seat for one in same] for same in seats.values() if len(same) > 1}
