"""The players of a site and the copies among its records, as in an archive of the same records.

The archive applies its own rules (`gamelog.archive.rows.people`, `gamelog.archive.rows.copies`), so a
site, a report and a question about the same records agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from gamelog.archive import FORK, Reader, index, read_aliases
from gamelog.record.escaping import escape_invisible
from gamelog.record.names import name_key
from gamelog_reports.site import Entry

_ARCHIVE = "site.archive"
"""The name of the temporary archive."""

_COPIES = """
SELECT files.path || if(files.member = '', '', ':' || files.member)
FROM files JOIN games USING (id)
WHERE copy_of IS NOT NULL
  OR ((games.path, games.member) <> (files.path, files.member)
    AND id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL))
"""
"""The query for copies, including equal files of one id."""

_SEATED = """
SELECT files.path || if(files.member = '', '', ':' || files.member) AS file, sat.person,
  to_n IS NULL AND coalesce(won, false)
FROM files JOIN sittings AS sat USING (id) JOIN seats ON seats.id = sat.id AND seats.seat = sat.seat
WHERE sat.person IS NOT NULL ORDER BY files.path, files.member, position, from_n
"""
"""The query for the people at the seats, and whether they won. A player who left did not win."""

NAMES = """
SELECT person, any_value(player), coalesce(mode(name ORDER BY name) FILTER (name <> ''), '')
FROM sittings WHERE person IS NOT NULL GROUP BY person ORDER BY person
"""
"""The query for the people: their names in answers, and their most frequent names."""


class Players(Struct, frozen=True):
    """The players of a site.

    Attributes:
        seated: The players of each record by its path (in a pack, with a colon and its name in the pack), and
            whether they won.
        copies: Paths of the records that are copies of other records.
        notes: Notes about the file of aliases.
    """

    seated: dict[str, dict[str, bool]]
    copies: frozenset[str]
    notes: tuple[str, ...]

    def complete(self, entry: Entry, path: str) -> Entry:
        """Return the entry of the record at `path` with its players, and whether it is a copy."""
        names = self.seated.get(path, {})
        return structs.replace(
            entry,
            players=tuple(names),
            victors=tuple(name for name, won in names.items() if won),
            copy=path in self.copies,
        )


def read_players(
    files: Sequence[Path],
    room: Path,
    *,
    jobs: int | None = None,
    people: Path | None = None,
    anonymous: bool = False,
) -> Players:
    """Return the players of these records, from an archive that is made for this purpose.

    Args:
        files: The records.
        room: A folder for the archive. It must exist.
        jobs: The number of processes that judge records; None for all processors.
        people: A file of aliases, or None.
        anonymous: Whether people are left out. The result then has no players.

    Raises:
        ArchiveError: The archive cannot be made or read.
    """
    read_aliases(people, named=True)  # find a mistake in the file before all records are read
    archive = room / _ARCHIVE
    index(files, archive, jobs=jobs)
    with Reader(archive, people=people) as reader:
        return players_in(reader, anonymous=anonymous)


def players_in(reader: Reader, *, anonymous: bool = False) -> Players:
    """Return the players of all records of an archive.

    Args:
        reader: The archive.
        anonymous: Whether people are left out. The result then has no players.

    Raises:
        ArchiveError: The archive cannot be read.
    """
    copies = frozenset(path for (path,) in reader.ask(_COPIES, {"fork": FORK}).rows)
    shown_names = {} if anonymous else names_by_person(reader.ask(NAMES).rows)
    seated: dict[str, dict[str, bool]] = defaultdict(dict)
    for path, person, won in reader.ask(_SEATED).rows if shown_names else ():
        name = shown_names[person]
        seated[path][name] = seated[path].get(name, False) or won
    return Players(seated, copies, reader.notes("SELECT 1"))


def names_by_person(rows: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Return the name of each person on a site. Two people never have the same name."""
    names = {
        person: f"{player} (bot)"
        if person.startswith("bot:")
        else player
        if person.startswith(("name:", "alias:"))
        else name or player
        for person, player, name in rows
    }
    ids = {person: player for person, player, _ in rows if person.startswith("id:")}
    same: dict[str, list[str]] = defaultdict(list)
    for person, name in names.items():
        same[name_key(name)].append(person)
    return {
        person: escape_invisible(
            f"{name} ({ids[person]})" if person in ids and len(same[name_key(name)]) > 1 else name
        )
        for person, name in names.items()
    }
