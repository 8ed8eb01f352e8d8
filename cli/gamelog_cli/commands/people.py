"""`gamelog people`: the people in an archive."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog_cli.arguments import Json, PeopleFile
from gamelog_cli.printing.output import emit, print_line, print_table, warn

if TYPE_CHECKING:
    from gamelog.archive import AliasSuggestion


def people(
    archive: Annotated[
        list[Path],
        typer.Argument(
            metavar="ARCHIVE...",
            help="The archive, a DuckDB file. Several archives are read as one.",
            show_default=False,
        ),
    ],
    people: PeopleFile = None,
    json: Json = False,
) -> None:
    """List the people in an archive: number of counted games, names, and people with similar names.

    An id is one person. A name without an id is one person in any spelling. If the archive has the name with
    exactly one id, it is the person with this id. To join several names or ids of a person, list them in a
    file people.toml next to the archive: a table "people" with lines like "Ana Sousa" = ["ana@club"].
    """
    from gamelog.archive import (
        PEOPLE,
        KnownPerson,
        SubprocessReader,
        alias_suggestions,
        near_people,
        people_file,
    )

    with SubprocessReader(archive, people=people) as reader:
        for note in reader.notes(PEOPLE):
            warn(note)
        rows = reader.ask(PEOPLE).dicts()
    persons = [KnownPerson(**row) for row in rows]
    called = {person.person: person.player for person in persons}
    near = near_people(persons)
    for row in rows:
        row["near"] = sorted(called[other] for other in near.get(row.pop("person"), ()))
    if json:
        for row in rows:
            emit(row)
        return
    heads = ("person", "games", "names", "similar")
    print_table(
        heads,
        [(row["player"], row["games"], ", ".join(row["names"]), ", ".join(row["near"])) for row in rows],
    )
    _suggest(
        [*alias_suggestions(persons, near, {name: _text(name) for name in called.values()})],
        people_file(archive, people),
    )


def _suggest(suggestions: Sequence[AliasSuggestion], file: Path | None) -> None:
    """Print lines for people.toml. Remarks are TOML comments, so that the user can copy everything."""
    if not suggestions:
        return
    if file:
        print_line(
            f"If the names in a line belong to one person, add that line to {file}. Leave out the other "
            "lines:"
        )
    else:
        print_line(
            "If the names in a line belong to one person, copy that line into people.toml next to the "
            "archive. Leave out the other lines:"
        )
        print_line("[people]")
    for suggestion in suggestions:
        print_line(suggestion.line or f"# {_text(suggestion.remark)[1:-1]}")


def _text(name: str) -> str:
    """Return a name as a TOML string."""
    return json_text(name, ensure_ascii=False).replace("\x7f", "\\u007f")
