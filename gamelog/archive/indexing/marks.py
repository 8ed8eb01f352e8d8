"""Marks of copies, people and the records that count, stored in an archive."""

from __future__ import annotations

from gamelog.archive.indexing.store import Store
from gamelog.archive.rows.copies import FORK, SEATED_TABLES, SQL, ReassignedPerson, find_copies, moved_people


def mark_copies(store: Store) -> None:
    """Store the people across records, their names, the copies, and the records that count in an archive."""
    known = store.sql(SQL.text("known_people", schema=""))
    store.create_temporary("moved", ReassignedPerson, moved_people(known, {}))
    seated = [table for table in SEATED_TABLES if store.sql(f"SELECT 1 FROM {table} LIMIT 1")]
    for table in seated:
        for statement in SQL.text("persons", table=table).split(";"):
            store.sql(statement)
    for table in seated:
        store.sql(SQL.text("spelling", table=table, sitters=SQL.text("sitting")))
    find_copies(store.sql)
    store.sql(SQL.text("count"), fork=FORK)


def count_records(store: Store) -> tuple[int, int, int, int]:
    """Return the numbers of records in the archive: all, those that count, copies, and forks."""
    ((records, counted, copies, forks),) = store.sql(SQL.text("numbers"), fork=FORK)
    return records, counted, copies, forks
