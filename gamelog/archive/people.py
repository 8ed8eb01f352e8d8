"""Who is who across records: one person however a name is spelled, and by other names where somebody says so.

A person is told by an id, a bot by its name, everybody else by the name in Unicode's composed form (NFC), without case
and without spaces around it. Who has several names or ids is joined by a file of aliases, ``people.toml``::

    [people]
    "Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]

It is applied when an archive is asked, so that nothing has to be indexed again when it changes.
"""

from __future__ import annotations

import os
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from gamelog.errors import ArchiveError
from gamelog.record.envelope import Seat

if TYPE_CHECKING:
    import duckdb

FILE = "people.toml"
"""Its name beside an archive."""

ALIKE = 0.8
"""How much of two names has to be the same, in its order, for them to be near (difflib's ratio)."""

COMPARED = 1_500
"""Names are compared two by two, so only so many."""


def tidy(name: str) -> str:
    """`name` in composed form, with single spaces and none around it."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def same_name(name: str) -> str:
    """What all spellings of a name have in common."""
    return unicodedata.normalize("NFC", tidy(name).casefold())


def key(seat: Seat) -> str | None:
    """Who sits at `seat`, across records: None where nothing is known."""
    if seat.id:
        return f"id:{seat.id}"
    if seat.bot:
        return f"bot:{seat.bot}"
    return f"name:{name}" if (name := same_name(seat.name)) else None


def called(seat: Seat) -> str | None:
    """What they are called, as long as no other spelling is known."""
    return seat.id or seat.bot or tidy(seat.name) or None


def aliases(path: str | os.PathLike[str]) -> dict[str, str]:
    """What each person's `key` is called, from a file of aliases. Raises `ArchiveError` for a file that is none."""
    try:
        people = tomllib.loads(Path(path).read_text("utf-8")).get("people", {})
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{path} is not a file of aliases: {error}.") from None
    found: dict[str, str] = {}
    for person, others in people.items() if isinstance(people, dict) else [("", None)]:
        if not isinstance(others, list) or not all(isinstance(name, str) for name in others):
            raise ArchiveError(f'{path}: under [people], write each person as "Ana Sousa" = ["Ana", "ana@club"].')
        for name in (person, *others):
            for known in (f"id:{name}", f"name:{same_name(name)}"):
                if found.setdefault(known, tidy(person)) != tidy(person):
                    raise ArchiveError(f'{path}: "{name}" stands for {found[known]} and for {person}; leave one out.')
    return found


def join(connection: duckdb.DuckDBPyConnection, archives: Sequence[Path], people: str | os.PathLike[str] | None) -> None:
    """Let ``seats`` say who is who by a file of aliases, on this connection alone; by the one beside the archives if it is None.

    Raises `ArchiveError`, also where several lie beside several archives.
    """
    beside = {file.resolve(): file for archive in archives if (file := archive.parent / FILE).is_file()}
    if people is None and len(beside) > 1:
        raise ArchiveError(f"Several files say who is who ({', '.join(map(str, beside.values()))}); name one with --people.")
    if people is None and not beside:
        return
    joined = aliases(people or next(iter(beside.values())))
    connection.execute(
        "CREATE TEMP TABLE aliases AS SELECT unnest($known::VARCHAR[]) AS person, unnest($called::VARCHAR[]) AS called",
        {"known": list(joined), "called": list(joined.values())},
    )
    connection.execute(
        "CREATE TEMP VIEW seats AS SELECT told.* REPLACE ("
        "CASE WHEN called IS NULL THEN told.person ELSE 'name:' || lower(called) END AS person, "
        "coalesce(called, told.player) AS player) FROM memory.main.seats AS told LEFT JOIN aliases USING (person)"
    )


def near(names: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """The pairs of people whose names are so near that they may be one, from the names that each person goes by."""
    plain = {person: {_plain(name) for name in some} for person, some in list(names.items())[:COMPARED]}
    for one, other in combinations(plain, 2):
        if any(_alike(a, b) for a in plain[one] for b in plain[other]):
            yield one, other


def _plain(name: str) -> str:
    """A name without case and accents."""
    apart = unicodedata.normalize("NFKD", same_name(name))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _alike(one: str, other: str) -> bool:
    """Whether two plain names are the same but for letters, or one is a part of the other, as a first name is."""
    if one == other or set(one.split()) <= set(other.split()) or set(other.split()) <= set(one.split()):
        return bool(one and other)
    match = SequenceMatcher(None, one, other)
    return match.real_quick_ratio() >= ALIKE and match.quick_ratio() >= ALIKE and match.ratio() >= ALIKE
