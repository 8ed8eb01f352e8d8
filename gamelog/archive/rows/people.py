"""Who is who across records: one person however a name is spelled, and by other names where somebody says so.

A person is told by an id, a bot by its name, everybody else by the name in Unicode's composed form (NFC),
without case and without spaces around it. Who has several names or ids is joined by a file of aliases,
``people.toml``::

    [people]
    "Ana Sousa" = ["Ana", "A. Sousa", "ana@club"]

It is applied when an archive is asked, so that nothing has to be indexed again when it changes: what people
are called, and which records are copies, since they tell of the same people
(`gamelog.archive.indexing.copies.recount`).
"""

from __future__ import annotations

import os
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from gamelog.errors import ArchiveError, NotReadable
from gamelog.record.envelope import Seat
from gamelog.record.names import same_name, tidy
from gamelog.record.reading import read_bytes

if TYPE_CHECKING:
    import duckdb

FILE = "people.toml"
"""Its name beside an archive."""

ALIKE = 0.8
"""How much of two names has to be the same, in its order, for them to be near (difflib's ratio)."""

_TOLD = 3
"""Names that nobody has which are told one by one."""

COMPARED = 1_500
"""Names are compared two by two, so only so many."""


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


def join(connection: duckdb.DuckDBPyConnection, file: Path | None, *, named: bool) -> tuple[str, ...]:
    """Make the table ``settled.aliases`` of a file of aliases, and say which names in it nobody has. Raises
    `ArchiveError`.

    The file is read once, for somebody may be writing it. One that nobody `named`, but that lay beside the
    archive, may go.
    """
    people = _read(file, may_go=not named) if file else {}
    joined = _aliases(file, people)
    connection.execute(
        "CREATE TABLE settled.aliases AS SELECT unnest($known::VARCHAR[]) AS person, "
        "unnest($called::VARCHAR[]) AS called, "
        "unnest($joined::VARCHAR[]) AS joined",
        {
            "known": list(joined),
            "called": list(joined.values()),
            "joined": [f"alias:{same_name(called)}" for called in joined.values()],
        },
    )
    if file is None:
        return ()
    known = {
        person
        for (person,) in connection.execute(
            "SELECT person FROM memory.main.seats UNION SELECT person FROM memory.main.stays"
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


def near(names: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """The pairs of people whose names are so near that they may be one,
    from the names that each person goes by.
    """
    plain = {person: {_plain(name) for name in some} for person, some in list(names.items())[:COMPARED]}
    for one, other in combinations(plain, 2):
        if any(_alike(a, b) for a in plain[one] for b in plain[other]):
            yield one, other


def _plain(name: str) -> str:
    """A name without case and accents."""
    apart = unicodedata.normalize("NFKD", same_name(name))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _alike(one: str, other: str) -> bool:
    """Whether two plain names are the same but for letters, or one is a part of the other,
    as a first name is.
    """
    if one == other or set(one.split()) <= set(other.split()) or set(other.split()) <= set(one.split()):
        return bool(one and other)
    match = SequenceMatcher(None, one, other)
    return match.real_quick_ratio() >= ALIKE and match.quick_ratio() >= ALIKE and match.ratio() >= ALIKE
