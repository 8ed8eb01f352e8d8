"""Records that lie in several files: which file speaks for the record, and where two part."""

from __future__ import annotations

from collections import defaultdict
from itertools import zip_longest

import msgspec
from msgspec import Struct

from gamelog.archive import schema
from gamelog.archive.judging import Item
from gamelog.archive.store import FORK, Store
from gamelog.archive.workers import work
from gamelog.errors import RecordError
from gamelog.record.reading import read

CONTESTED = """
CREATE TEMP TABLE contested AS
SELECT id FROM files WHERE id IN (FROM touched) GROUP BY id HAVING count(*) > 1 OR id NOT IN (SELECT id FROM games)
"""

HOLDERS = """
SELECT id, path, size, mtime_ns, head FROM files WHERE id IN (FROM contested)
ORDER BY id, status IN ('torn', 'damaged'), events DESC, path, member
"""
"""The files of each contested record, the one that speaks for it first: whole before damaged, then long before short."""


class Holder(Struct):
    """A file that holds a record."""

    item: Item
    head: str


def settle(store: Store, jobs: int) -> None:
    """Let one file speak for each record of the table ``touched`` that lies in several, or whose speaker has left."""
    store.sql(CONTESTED)
    holders: dict[str, list[Holder]] = defaultdict(list)
    for id, path, size, mtime_ns, head in store.sql(HOLDERS):
        holders[id].append(Holder(Item(path, size, mtime_ns), head))
    if not holders:
        return
    store.forget("contested")
    for id, (speaker, *others) in holders.items():
        store.sql("DELETE FROM findings WHERE path = $path", path=speaker.item.path)
        forks = [finding for other in others if other.head != speaker.head and (finding := fork(id, speaker.item, other.item))]
        store.add("findings", msgspec.json.Encoder().encode_lines(forks))
    for judged in work([speakers[0].item for speakers in holders.values()], jobs):
        for table, lines in judged.lines.items():
            store.add(table, lines)
    store.load()


def fork(id: str, speaker: Item, other: Item) -> schema.Finding | None:
    """The finding that `other` and `speaker` part; None when one extends the other, or a file cannot be read any more."""
    try:
        ours, theirs = read(speaker.path), read(other.path)
    except RecordError:
        return None
    pairs = zip_longest([ours.first, *ours.heads], [theirs.first, *theirs.heads])
    n = next((n for n, (one, two) in enumerate(pairs) if one and two and one != two), None)
    if n is None:
        return None
    where = f"from event {n} on" if n else "from the header on"
    text = f"this file and {speaker.path} are both record {id}, but they differ {where}"
    return schema.Finding(path=other.path, id=id, n=n, code=FORK, severity="error", message=text)
