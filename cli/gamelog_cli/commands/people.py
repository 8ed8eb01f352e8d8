"""`gamelog people`: who is who in an archive."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog_cli.arguments import Json, PeopleFile
from gamelog_cli.output import emit, print_line, print_table, warn

if TYPE_CHECKING:
    from gamelog.archive.rows.near_names import Suggestion


def people(
    archive: Annotated[
        list[Path], typer.Argument(help="The archive, a DuckDB file; several are one.", show_default=False)
    ],
    people: PeopleFile = None,
    json: Json = False,
) -> None:
    """List who is who in an archive: in how many games that count, under which names, and who may be one.

    An id is one person. A name without an id is one person however it is spelled, and if exactly one id goes
    with that name in the archive, it is that person. To join people who have several names or ids, write them
    into a file people.toml beside the archive: a table "people" with lines like "Ana Sousa" = ["ana@club"].
    """
    from gamelog.archive import SubprocessReader
    from gamelog.archive.rows.near_names import PEOPLE, KnownPerson, near_people, suggestions
    from gamelog.archive.rows.people import people_file

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
    heads = ("who", "games", "written as", "near")
    print_table(
        heads,
        [(row["player"], row["games"], ", ".join(row["names"]), ", ".join(row["near"])) for row in rows],
    )
    _suggest(
        [*suggestions(persons, near, {name: _text(name) for name in called.values()})],
        people_file(archive, people),
    )


def _suggest(found: Sequence[Suggestion], file: Path | None) -> None:
    """Print lines for the file of aliases; remarks are comments of it, so that all can be pasted."""
    if not found:
        return
    if file:
        print_line(f"If these are one person, add the lines to {file}; leave out who is somebody else:")
    else:
        print_line(
            "If these are one person, write it into people.toml beside the archive; leave out who is "
            "somebody else:"
        )
        print_line("[people]")
    for one in found:
        print_line(one.line or f"# {_text(one.remark)[1:-1]}")


def _text(name: str) -> str:
    """A name as TOML writes it."""
    return json_text(name, ensure_ascii=False).replace("\x7f", "\\u007f")
