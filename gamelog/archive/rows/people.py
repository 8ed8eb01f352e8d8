"""The rule that decides who is one person across records, and the file of aliases.

The rule is the same in archives, copies, reports, sites and `gamelog people`:

1. An id is one person, whatever the names beside it. A bot is one person, by its name.
2. A name without an id is one person, however it is spelled. Letter case, spaces and Unicode composition make
   no difference; accents do.
3. If exactly one id goes with that name in any record, the name without an id is that person. If several ids
   do, the name is another person.
4. A file of aliases, ``people.toml``, joins names and ids before the other rules apply::

    [people]
    "Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]

The file is applied when an archive is opened, so a change needs no new run of `index`. It changes the names
of people, and the records that are copies because the same people played them
(`gamelog.archive.rows.copies.apply_aliases`).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from gamelog.errors import ArchiveError, NotReadable
from gamelog.message import Message
from gamelog.record.envelope import Seat
from gamelog.record.names import name_key, tidy
from gamelog.record.reading import read_bytes

if TYPE_CHECKING:
    import duckdb

FILE = "people.toml"
"""Name of the file of aliases beside an archive, or in a folder of records."""

_MAX_LISTED_NAMES = 3
"""Number of unknown names that are listed. The others are counted."""

_MAX_COMPARED_NAMES = 1_500
"""Number of names that are compared with an unknown name."""


def person_key(seat: Seat) -> str | None:
    """Return the key of the person at `seat`, from this record alone, or None without an id and a name."""
    if seat.id:
        return f"id:{seat.id}"
    if seat.bot:
        return f"bot:{seat.bot}"
    return f"name:{name}" if (name := name_key(seat.name)) else None


def player_name(seat: Seat) -> str | None:
    """Return the name of the person at `seat` in answers, from this record alone."""
    return seat.id or seat.bot or tidy(seat.name) or None


def identify_people(
    known: Iterable[tuple[str | None, str]], aliases: Mapping[str, str] = MappingProxyType({})
) -> dict[tuple[str | None, str], str | None]:
    """Return the person for each pair of key and name, by the rule of this module.

    Args:
        known: All pairs of `person_key` and `name_key` in the records.
        aliases: The names from a file of aliases, by `person_key`.
    """
    people = {
        (key, name): f"alias:{name_key(aliases[key])}" if key and key in aliases else key
        for key, name in known
    }
    ids_by_name: dict[str, set[str]] = {}
    for (_, name), person in people.items():
        if name and person and person.startswith(("id:", "alias:")):
            ids_by_name.setdefault(name, set()).add(person)
    return {
        key_and_name: next(iter(ids_by_name[key_and_name[1]]))
        if person and person.startswith("name:") and len(ids_by_name.get(key_and_name[1], ())) == 1
        else person
        for key_and_name, person in people.items()
    }


def _names_by_key(path: Path | None, people: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the name of each `person_key` that a file of aliases lists.

    Raises:
        ArchiveError: The file cannot be read, or its content is wrong.
    """
    names_by_key: dict[str, str] = {}
    for person, other_names in people.items():
        for name in (person, *other_names):
            for key in (f"id:{name}", f"name:{name_key(name)}"):
                if names_by_key.setdefault(key, tidy(person)) != tidy(person):
                    text = (
                        '{=path}: "{=name}" is listed for {=first} and for {=second}. Delete one of the two.'
                    )
                    raise ArchiveError(
                        Message.of(text, path=str(path), name=name, first=names_by_key[key], second=person)
                    )
    return names_by_key


def _read_file(path: Path, *, optional: bool) -> dict[str, list[str]]:
    """Return the other names of each person in a file of aliases, or none if an `optional` file is missing.

    Raises:
        ArchiveError: The file cannot be read or is not a file of aliases.
    """
    try:
        people = tomllib.loads(read_bytes(path).decode()).get("people", {})
    except NotReadable as error:
        if optional and not path.exists():
            return {}
        raise ArchiveError(error.message) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        text = "{=path} is not a valid file of aliases: {=error}."
        raise ArchiveError(Message.of(text, path=str(path), error=str(error))) from None
    for others in people.values() if isinstance(people, dict) else [None]:
        if not isinstance(others, list) or not all(isinstance(name, str) for name in others):
            text = (
                "{=path} is not a valid file of aliases. Under [people], write each person like this: "
                '"Ana Sousa" = ["Ana", "ana@club"]'
            )
            raise ArchiveError(Message.of(text, path=str(path)))
    return dict(people)


def people_file(
    sources: Sequence[str | os.PathLike[str]], people: str | os.PathLike[str] | None
) -> Path | None:
    """Return the file of aliases to use: `people`, or the file beside or in the `sources`.

    A source is an archive, a record, a pack or a folder. Only local sources have such a file.

    Raises:
        ArchiveError: There are several such files.
    """
    if people is not None:
        return Path(people)
    folders = [path if path.is_dir() else path.parent for path in map(Path, sources)]
    files_by_path = {file.resolve(): file for folder in folders if (file := folder / FILE).is_file()}
    if len(files_by_path) > 1:
        raise ArchiveError(
            Message.of(
                "There are several files of aliases ({=files}). Name one of them.",
                files=", ".join(map(str, files_by_path.values())),
            )
        )
    return next(iter(files_by_path.values()), None)


def read_aliases(file: Path | None, *, named: bool) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the other names of each person in a file of aliases, and its name for each `person_key`.

    The file is read once, because another program may be writing it. A file beside the archive that the user
    did not name (`named`) may have been deleted meanwhile.

    Raises:
        ArchiveError: The file cannot be read or is not a file of aliases.
    """
    people = _read_file(file, optional=not named) if file else {}
    return people, _names_by_key(file, people)


def league_aliases(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the name of each `person_key` that the league of an archive joins with others.

    The names were read when the league was written to the archive. A file of aliases replaces them.
    """
    rows = connection.execute(
        "SELECT player, names FROM memory.main.league_people WHERE names IS NOT NULL"
    ).fetchall()
    return _names_by_key(Path("league.toml"), dict(rows))


def unknown_names(
    connection: duckdb.DuckDBPyConnection, file: Path | None, people: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return sentences on the names in a file of aliases that no person in the archive has."""
    if file is None:
        return ()
    known = {
        person
        for (person,) in connection.execute(
            "SELECT unnest([key, 'name:' || same_name]) FROM memory.main.seats "
            "UNION SELECT unnest([key, 'name:' || same_name]) FROM memory.main.stays"
        ).fetchall()
    }
    names = {person.partition(":")[2]: person for person in known if person and not person.startswith("bot:")}
    unknown = [*_find_unknown(people, known)]
    listed = unknown if len(unknown) <= _MAX_LISTED_NAMES + 1 else unknown[:_MAX_LISTED_NAMES]
    compared_names = sorted(names)[:_MAX_COMPARED_NAMES]
    more = (
        [f"{file.name}: no one in the archive has {len(unknown) - _MAX_LISTED_NAMES} more of these names."]
        if len(listed) < len(unknown)
        else []
    )
    return (*(_unknown_name(file, name, compared_names) for name in listed), *more)


def _find_unknown(people: Mapping[str, Sequence[str]], known: set[str | None]) -> Iterator[str]:
    """Yield the names in a file of aliases that no person has."""
    for others in people.values():
        yield from (name for name in others if not known & {f"id:{name}", f"name:{name_key(name)}"})


def _unknown_name(file: Path, name: str, names: list[str]) -> str:
    """Return a sentence that no one has the `name`, with the most similar of `names`."""
    close = get_close_matches(name_key(name), names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f'{file.name}: no one in the archive has the name "{name}".{hint}'
