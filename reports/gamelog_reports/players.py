"""The players of a site and the copies among its records, as in an archive of the same records.

The archive applies its own rules (`gamelog.archive.rows.people`, `gamelog.archive.rows.copies`), so a
site, a report and a question about the same records agree.
"""

from __future__ import annotations

import os
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
SELECT files.path FROM files JOIN games USING (id)
WHERE copy_of IS NOT NULL
  OR (games.path <> files.path AND id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL))
"""
"""The query for copies, including equal files of one id."""

_SEATED = """
SELECT files.path, sat.person, to_n IS NULL AND coalesce(won, false)
FROM files JOIN sittings AS sat USING (id) JOIN seats ON seats.id = sat.id AND seats.seat = sat.seat
WHERE sat.person IS NOT NULL ORDER BY files.path, position, from_n
"""
"""The query for the people at the seats, and whether they won. A player who left did not win."""

_NAMES = """
SELECT person, any_value(player), coalesce(mode(name ORDER BY name) FILTER (name <> ''), '')
FROM sittings WHERE person IS NOT NULL GROUP BY person ORDER BY person
"""


class Players(Struct, frozen=True):
    """The players of a site.

    Attributes:
        seated: The players of each record by its path, and whether they won.
        copies: Paths of the records that are copies of other records.
        notes: Notes about the file of aliases.
    """

    seated: dict[str, dict[str, bool]]
    copies: frozenset[str]
    notes: tuple[str, ...]

    def complete(self, entry: Entry, file: Path) -> Entry:
        """Return the entry of the record `file` with its players, and whether it is a copy."""
        path = os.path.abspath(file)
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
        copies = frozenset(path for (path,) in reader.ask(_COPIES, {"fork": FORK}).rows)
        names_by_person = {} if anonymous else _names_of(reader.ask(_NAMES).rows)
        seated: dict[str, dict[str, bool]] = defaultdict(dict)
        for path, person, won in reader.ask(_SEATED).rows if names_by_person else ():
            name = names_by_person[person]
            seated[path][name] = seated[path].get(name, False) or won
        notes = reader.notes("SELECT 1")
    return Players(seated, copies, notes)


def _names_of(rows: Sequence[tuple[str, str, str]]) -> dict[str, str]:
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
