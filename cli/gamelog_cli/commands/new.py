"""`gamelog new`: start a record."""

from __future__ import annotations

import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import structs

from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, installed_games, names
from gamelog.play.fold import start
from gamelog.play.recording.header import start_header
from gamelog.record.envelope import TABLE, Header, Seat
from gamelog.record.names import name_key
from gamelog.record.record_file import create_record
from gamelog.record.seal import Key, read_small_file
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import BoardOption, Json, Options, Tags
from gamelog_cli.errors import Misread
from gamelog_cli.exits import usage
from gamelog_cli.printing.output import emit, print_line, print_warnings

EXAMPLE_NAMES = ("Ana", "Rui", "Mei", "Zé", "Lena", "Omar")
"""Names of players in the example of a command."""


def new(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Id of a game. To list them, run gamelog games.",
            autocompletion=completion.complete_games,
        ),
    ],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Output file for the new record.", show_default=False)
    ],
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            help="A player and their seat; SEAT='NAME <id>' also gives the player's id.",
            metavar="SEAT=NAME",
            autocompletion=completion.complete_players,
        ),
    ] = [],
    option: Options = [],
    tag: Tags = [],
    board: BoardOption = None,
    dice: Annotated[
        Literal["table", "seeded", "commit-reveal"], typer.Option(help="Source of the dice.")
    ] = "table",
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Seed for seeded dice. By default, a random seed.")
    ] = None,
    commit: Annotated[
        list[str],
        typer.Option(
            "--commit", help="The commitment of a seat, from gamelog dice commit.", metavar="SEAT=COMMITMENT"
        ),
    ] = [],
    id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Id of the record, as in gamelog dice commit. By default, a new id."),
    ] = None,
    key: Annotated[
        list[str],
        typer.Option("--key", help="The public key of a seat, for its signatures.", metavar="SEAT=KEY.pub"),
    ] = [],
    takebacks: Annotated[
        Literal["scorer", "agreed", "arbiter"] | None,
        typer.Option(
            help="Who must agree to a takeback: no one (scorer), the other players (agreed) or the arbiter "
            "(arbiter). By default, agreed for commit-reveal dice and with --rolls players, otherwise "
            "scorer."
        ),
    ] = None,
    rolls: Annotated[
        Literal["scorer", "players"],
        typer.Option(
            help="Role that enters dice and draws at gamelog serve: only the scorer, or the players, "
            "each for their own seat."
        ),
    ] = "scorer",
    started: Annotated[
        str | None,
        typer.Option(help="Start of the game in UTC. By default, now.", metavar="2026-11-20T19:30:00Z"),
    ] = None,
    json: Json = False,
) -> None:
    """Start a record of GAME in FILE. Gamelog never overwrites an existing file."""
    if file == Path():
        usage(f"The record needs a file, for example: gamelog new {game} evening.jsonl")
    if seed is not None and dice != "seeded":
        usage("--seed works only with --dice seeded. Add --dice seeded, or leave out --seed.")
    if (commit or id) and dice != "commit-reveal":
        usage(
            "--id and --commit work only with --dice commit-reveal. Add --dice commit-reveal, or leave "
            "out --id and --commit."
        )
    if dice == "commit-reveal" and not id:
        usage("Commitments are for one record. Give its id with --id, as gamelog dice commit has printed it.")
    if started is not None:
        _check_time(started)
    chosen_game = find(_game_id(game))
    people = arguments.parse_seats(chosen_game, seat or _ask_seats(chosen_game, json))
    commitments = arguments.parse_pairs(commit, "commitment")
    header = start_header(
        chosen_game,
        _add_keys(people, arguments.parse_pairs(key, "key")),
        id=id,
        started=started,
        options=arguments.parse_options(option),
        board=arguments.parse_board(board),
        dice=dice,
        seed=seed,
        commitments=commitments,
        tags=arguments.parse_pairs(tag, "tag"),
        takebacks=takebacks,
        rolls=rolls,
    )
    log = create_record(file, header)
    path = shlex.quote(str(file))
    if chosen_game.hides and chosen_game.chance_events and dice != "table":
        print_warnings([_secrecy_warning(file, header)])
    for name, places in _seats_of_same_people(people).items():
        warning = (
            f"{name} sits at {' and '.join(places)}, so one person has several seats. If they are different "
            f"people, give one an id: gamelog amend {path} --seat {shlex.quote(f'{places[-1]}={name} <id>')}"
        )
        print_warnings([warning])
    if json:
        emit({"path": str(file), "id": header.id, "head": log.head})
    else:
        print_line(
            f"{file}: {chosen_game.title}, {len(header.seats)} players. To record, run: gamelog record {path}"
        )


def _check_time(text: str) -> None:
    """Exit with a message if `text` does not look like a time in UTC. The header is checked in full later."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        text = ""
    if not text.endswith("Z") or "T" not in text:
        usage("--started is a day and a time in UTC. Type it like 2026-11-20T19:30:00Z.")


def _secrecy_warning(file: Path, header: Header) -> str:
    """Return a warning about the people who can compute hidden draws of the game."""
    if TABLE in (header.dice.commitments or {}):
        return (
            f"{file} shows all draws, so only a person who does not play may have it. Players follow the "
            "game with gamelog serve or gamelog replay --seat. After the game, run gamelog dice reveal with "
            "the table's secret, so that everyone can check the draws."
        )
    if header.dice.source == "seeded":
        return f"anyone who can read {file} can compute all draws from its seed, hidden draws too."
    return (
        f"anyone who can read {file} can compute all draws after the links are revealed, hidden draws too. "
        "To prevent this, let a person who does not play commit with --seat table."
    )


def _game_id(text: str) -> str:
    """Return the id of the game that `text` names, by id in any case or by title; else `text` itself."""
    wanted = name_key(text)
    by_id = [name for name in names() if name.casefold() == wanted]
    return next(
        iter(
            by_id
            or [
                entry.name
                for entry in installed_games()
                if entry.game and name_key(entry.game.title) == wanted
            ]
        ),
        text,
    )


def _add_keys(people: list[Seat], files: dict[str, str]) -> list[Seat]:
    """Return `people` with the keys in the `files`, by seat."""
    unseated = set(files) - {person.seat for person in people}
    if unseated:
        raise Misread(
            Message.of(
                '--key names the seat "{=seat}", but no player sits there. Add --seat {=seat}=NAME, or '
                "correct the seat in --key.",
                seat=min(unseated),
            )
        )
    keys = {seat: str(Key.parse(read_small_file(path))) for seat, path in files.items()}
    return [structs.replace(person, key=keys.get(person.seat)) for person in people]


def _ask_seats(game: AnyGame, json: bool) -> list[str]:
    """Ask on the terminal for the players, and return them as values of --seat. Without a terminal, exit."""
    players = start.players_in_words(game)
    if json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        seats = " ".join(
            f"--seat {seat}={name}"
            for seat, name in zip(game.seats[min(game.seats)], EXAMPLE_NAMES, strict=False)
        )
        usage(f"{game.title} is for {players} players. Name the players, for example: {seats}")
    count = (
        typer.prompt(f"Number of players ({players}):", type=int, prompt_suffix=" ")
        if len(game.seats) > 1
        else min(game.seats)
    )
    start.check_players(game, count)
    return [f"{seat}={typer.prompt(f'Name of {seat}:', prompt_suffix=' ')}" for seat in game.seats[count]]


def _seats_of_same_people(people: list[Seat]) -> dict[str, list[str]]:
    """Return the seats of each person with several seats: the same name, and the same id or no id."""
    seats: dict[tuple[str, str | None], list[Seat]] = {}
    for person in people:
        if person.name:
            seats.setdefault((name_key(person.name), person.id), []).append(person)
    return {(same[0].name or ""): [seat.seat for seat in same] for same in seats.values() if len(same) > 1}
