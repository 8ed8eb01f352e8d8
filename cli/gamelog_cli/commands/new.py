"""`gamelog new`: start a record."""

from __future__ import annotations

import secrets
import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from gamelog.play import setup
from gamelog.play.registry import find
from gamelog.record.envelope import DiceSpec
from gamelog.record.log import create
from gamelog_cli import arguments
from gamelog_cli.arguments import BoardOption, File, Json, Options, Tags
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, say


def new(
    game: Annotated[str, typer.Argument(help="A game's id; gamelog games lists them.")],
    file: File,
    seat: Annotated[list[str], typer.Option("--seat", help="Who sits where, as SEAT=NAME or SEAT='NAME <id>'.")] = [],  # noqa: B006 - Typer copies it
    option: Options = [],  # noqa: B006
    tag: Tags = [],  # noqa: B006
    board: BoardOption = None,
    dice: Annotated[Literal["table", "seeded"], typer.Option(help="Where dice come from.")] = "table",
    seed: Annotated[str | None, typer.Option(help="The seed of seeded dice; drawn if left out.")] = None,
    takebacks: Annotated[Literal["scorer", "agreed", "arbiter"], typer.Option(help="When a takeback takes effect.")] = "scorer",
    started: Annotated[str | None, typer.Option(help="When the game began, RFC 3339 in UTC; now if left out.")] = None,
    json: Json = False,
) -> None:
    """Start a record of GAME in FILE. An existing file is never overwritten."""
    if seed is not None and dice != "seeded":
        usage("--seed goes with --dice seeded.")
    found = find(game)
    header = setup.header(
        found,
        arguments.seats(found, seat),
        id=str(uuid.uuid4()),
        started=started or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=arguments.options(option),
        board=arguments.board(board),
        dice=DiceSpec("seeded", seed or secrets.token_hex(16)) if dice == "seeded" else DiceSpec("table"),
        tags=arguments.pairs(tag, "tag"),
        takebacks=takebacks,
    )
    log = create(file, header)
    if json:
        emit({"path": str(file), "id": header.id, "head": log.head})
    else:
        say(f"{file}: {found.title}, {len(header.seats)} players. Go on with: gamelog record {file}")
