"""The events beside the game: `note`, `claim`, `takeback`, `accept`, `decline`, `substitute`, `amend`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from gamelog.play.recorder import Recorder
from gamelog_cli import arguments
from gamelog_cli.arguments import File, Json, Tags
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, say

About = Annotated[int | None, typer.Option(help="The event it is about.")]
Answered = Annotated[int, typer.Option(help="The number of the offer that is answered.")]
By = Annotated[str, typer.Option(help="Who: a seat, table or arbiter.")]
BySeat = Annotated[str, typer.Option(help="Whose seat.")]
Text = Annotated[str, typer.Argument(help="The words.")]


def note(file: File, text: Text, about: About = None, by: By = "table", json: Json = False) -> None:
    """Write a comment into the record."""
    _write(file, {"do": "@note", "by": by, "text": text, "about": about}, json)


def claim(
    file: File,
    text: Text,
    by: BySeat,
    about: About = None,
    intended: Annotated[str | None, typer.Option(help="The event that the player means to play, as JSON.")] = None,
    json: Json = False,
) -> None:
    """Write a player's claim, which stays open until it is ruled on."""
    try:
        event = msgspec.json.decode(intended.encode(), type=dict[str, Any]) if intended else None
    except msgspec.DecodeError as error:
        usage(f"--intended is no JSON object: {error}.")
    _write(file, {"do": "@claim", "by": by, "text": text, "about": about, "intended": event}, json)


def takeback(
    file: File,
    to: Annotated[int, typer.Option(min=0, help="The event after which the game goes on; 0 is the start.")],
    by: By = "table",
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
    json: Json = False,
) -> None:
    """Take the game back to an earlier event; what is undone stays in the record."""
    _write(file, {"do": "@takeback", "by": by, "to": to, "reason": reason}, json)


def accept(file: File, about: Answered, by: By, json: Json = False) -> None:
    """Accept a takeback or an agreement."""
    _write(file, {"do": "@accept", "by": by, "about": about}, json)


def decline(file: File, about: Answered, by: By, json: Json = False) -> None:
    """Decline a takeback or an agreement."""
    _write(file, {"do": "@decline", "by": by, "about": about}, json)


def substitute(
    file: File,
    seat: Annotated[str, typer.Option(help="The seat that changes hands.")],
    name: Annotated[str, typer.Option(help="Who sits there from now on.")],
    person: Annotated[str | None, typer.Option(help="That person's id.")] = None,
    by: By = "table",
    json: Json = False,
) -> None:
    """Let another person take a seat."""
    _write(file, {"do": "@substitute", "by": by, "seat": seat, "name": name, "person": person}, json)


def amend(
    file: File,
    tag: Tags = [],
    seat: Annotated[list[str], typer.Option("--seat", help="A corrected name, as SEAT=NAME.")] = [],
    by: By = "arbiter",
    json: Json = False,
) -> None:
    """Correct names and tags; options, board and dice never change."""
    if not tag and not seat:
        usage("Nothing to amend: give --tag NAME=VALUE or --seat SEAT=NAME.")
    names = {where: {"name": name} for where, name in arguments.pairs(seat, "seat").items()}
    _write(file, {"do": "@amend", "by": by, "tags": arguments.pairs(tag, "tag"), "seats": names}, json)


def _write(file: Path, proposal: dict[str, Any], json: bool) -> None:
    given = {name: value for name, value in proposal.items() if value is not None}
    ack = Recorder(file).append([given])[0]
    if json:
        emit(ack)
    else:
        say(f"{ack.n} {ack.head}")
