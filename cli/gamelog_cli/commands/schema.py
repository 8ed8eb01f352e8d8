"""`gamelog schema`: JSON Schema of records."""

from __future__ import annotations

from typing import Annotated

import typer

from gamelog.play.contract.registry import find
from gamelog.play.recording.schema import schema_text
from gamelog_cli import completion
from gamelog_cli.printing.output import write_json


def schema(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help=("Id of a game. Without a game, the schema contains only the parts that all records share."),
            autocompletion=completion.complete_games,
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of a line of a record."""
    write_json(schema_text(find(game), with_shared=True) if game else schema_text())
