"""Who is who across records: the one rule, for archives, copies, reports, sites and `gamelog people`.

1. An id is one person, whatever the names beside it. A bot is one by its name.
2. A name without an id is one person however it is spelled: letter case, spaces and Unicode's ways to write
   an accent do not matter; accents do.
3. If exactly one id goes with that name in any record, the name without an id is that person, who left the
   id out. If several ids do, the name is another person.
4. A file of aliases, ``people.toml``, joins names and ids, before all of this::

    [people]
    "Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]

It is applied when an archive is asked, so that nothing has to be indexed again when it changes: what people
are called, and which records are copies, since they tell of the same people
(`gamelog.archive.indexing.copies.recount`).
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
from gamelog.record.envelope import Seat
from gamelog.record.names import same_name, tidy
from gamelog.record.reading import read_bytes

if TYPE_CHECKING:
    import duckdb

FILE = "people.toml"
"""Its name beside an archive."""

_TOLD = 3
"""Names that nobody has which are told one by one."""

COMPARED = 1_500
"""So many names are looked through for one that may be meant."""


def person_key(seat: Seat) -> str | None:
    """Who sits at `seat`, across records: None where nothing is known."""
    if seat.id:
        return f"id:{seat.id}"
    if seat.bot:
        return f"bot:{seat.bot}"
    return f"name:{name}" if (name := same_name(seat.name)) else None


def called(seat: Seat) -> str | None:
    """What they are called, as long as no other spelling is known."""
    return seat.id or seat.bot or tidy(seat.name) or None


def who_is_who(
    known: Iterable[tuple[str | None, str]], aliases: Mapping[str, str] = MappingProxyType({})
) -> dict[tuple[str | None, str], str | None]:
    """Return who each of these is, by the rule of this module.

    Args:
        known: all there are, each by its `person_key` and the name as `same_name` has it.
        aliases: what a file calls a `person_key`, by that.
    """
    people = {
        (key, name): f"alias:{same_name(aliases[key])}" if key and key in aliases else key
        for key, name in known
    }
    named: dict[str, set[str]] = {}
    for (_, name), person in people.items():
        if name and person and person.startswith(("id:", "alias:")):
            named.setdefault(name, set()).add(person)
    return {
        one: next(iter(named[one[1]]))
        if person and person.startswith("name:") and len(named.get(one[1], ())) == 1
        else person
        for one, person in people.items()
    }


def _aliases(path: Path | None, people: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What each person's `person_key` is called, by the `people` of a file of aliases.
    Raises `ArchiveError`.
    """
    found: dict[str, str] = {}
    for person, others in people.items():
        for name in (person, *others):
            for known in (f"id:{name}", f"name:{same_name(name)}"):
                if found.setdefault(known, tidy(person)) != tidy(person):
                    raise ArchiveError(
                        f'{path}: "{name}" stands for {found[known]} and for {person}; leave one out.'
                    )
    return found


def _read(path: Path, *, may_go: bool) -> dict[str, list[str]]:
    """The other names of each person in a file of aliases; none in one that has gone, if it `may_go`.
    Raises `ArchiveError`.
    """
    try:
        people = tomllib.loads(read_bytes(path).decode()).get("people", {})
    except NotReadable as error:
        if may_go and not path.exists():
            return {}
        raise ArchiveError(str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArchiveError(f"{path} is not a file of aliases: {error}.") from None
    for others in people.values() if isinstance(people, dict) else [None]:
        if not isinstance(others, list) or not all(isinstance(name, str) for name in others):
            raise ArchiveError(
                f'{path}: under [people], write each person as "Ana Sousa" = ["Ana", "ana@club"].'
            )
    return dict(people)


def chosen(archives: Sequence[Path], people: str | os.PathLike[str] | None) -> Path | None:
    """The file of aliases that is meant: `people`, or the one beside the archives.
    Raises `ArchiveError` for several of these.
    """
    if people is not None:
        return Path(people)
    beside = {file.resolve(): file for archive in archives if (file := archive.parent / FILE).is_file()}
    if len(beside) > 1:
        raise ArchiveError(
            f"Several files say who is who ({', '.join(map(str, beside.values()))}); name one with --people."
        )
    return next(iter(beside.values()), None)


def read_aliases(file: Path | None, *, named: bool) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the other names of each person in a file, and what it calls each `person_key`.

    The file is read once, for somebody may be writing it. One that nobody `named`, but that lay beside the
    archive, may go. Raises `ArchiveError`.
    """
    people = _read(file, may_go=not named) if file else {}
    return people, _aliases(file, people)


def unknown_names(
    connection: duckdb.DuckDBPyConnection, file: Path | None, people: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return sentences on which names in a file of aliases nobody has."""
    if file is None:
        return ()
    known = {
        person
        for (person,) in connection.execute(
            "SELECT key FROM memory.main.seats UNION SELECT key FROM memory.main.stays"
        ).fetchall()
    }
    names = {person.partition(":")[2]: person for person in known if person and not person.startswith("bot:")}
    strangers = [*_strangers(people, known)]
    told = strangers if len(strangers) <= _TOLD + 1 else strangers[:_TOLD]
    near = sorted(names)[:COMPARED]
    more = (
        [f"{file.name}: {len(strangers) - _TOLD} more names are nobody's there."]
        if len(told) < len(strangers)
        else []
    )
    return (*(_stranger(file, name, near) for name in told), *more)


def _strangers(people: Mapping[str, Sequence[str]], known: set[str | None]) -> Iterator[str]:
    """The names in a file of aliases that nobody has."""
    for others in people.values():
        yield from (name for name in others if not known & {f"id:{name}", f"name:{same_name(name)}"})


def _stranger(file: Path, name: str, names: list[str]) -> str:
    """That nobody has a `name`, in a sentence, with the one of `names` that may be meant."""
    close = get_close_matches(same_name(name), names, n=1)
    hint = f"; did you mean {close[0]}?" if close else "."
    return f'{file.name}: nobody in the archive is called "{name}"{hint}'
