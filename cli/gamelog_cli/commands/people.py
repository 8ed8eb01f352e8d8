"""`gamelog people`: who is who in an archive."""

from __future__ import annotations

from itertools import groupby
from json import dumps as json_text
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer

from gamelog_cli.arguments import Json, PeopleFile
from gamelog_cli.output import emit, print_table, say, warn

_WHO = """
SELECT player, count(DISTINCT id) AS games, list(DISTINCT name ORDER BY name) FILTER (name <> '') AS names
FROM seats WHERE player IS NOT NULL AND bot IS NULL GROUP BY player ORDER BY games DESC, player
"""


def people(
    archive: Annotated[
        list[Path], typer.Argument(help="The archive, a DuckDB file; several are one.", show_default=False)
    ],
    people: PeopleFile = None,
    json: Json = False,
) -> None:
    """List who is who in an archive: in how many games, under which names, and who has nearly the same name.

    Names are one person whatever their capitals, accents' encoding and spaces; people with ids are told apart
    by these. Who has several names is joined by a file, people.toml beside the archive: a table "people" with
    lines like "Ana Sousa" = ["Ana", "ana@club"].
    """
    from gamelog.archive import Confined
    from gamelog.archive.rows.people import near

    with Confined(archive, people=people) as reader:
        for note in reader.notes(_WHO):
            warn(note)
        rows = reader.ask(_WHO).dicts()
    pairs = list(near({row["player"]: row["names"] or [row["player"]] for row in rows}))
    for row in rows:
        row["names"] = row["names"] or []
        row["near"] = [
            other for pair in pairs if row["player"] in pair for other in pair if other != row["player"]
        ]
    if json:
        for row in rows:
            emit(row)
        return
    heads = ("who", "games", "written as", "near")
    print_table(
        heads,
        [(row["player"], row["games"], ", ".join(row["names"]), ", ".join(row["near"])) for row in rows],
    )
    if pairs:
        say(
            "Where these are one person, say so in people.toml beside the archive; leave out who is "
            "somebody else:"
        )
        say("[people]")
        for one, others in groupby(pairs, key=itemgetter(0)):
            say(f"{_text(one)} = [{', '.join(_text(other) for _, other in others)}]")


def _text(name: str) -> str:
    """A name as TOML writes it."""
    return json_text(name, ensure_ascii=False).replace("\x7f", "\\u007f")
