"""Records in several files: the choice of the primary file, and findings on files that differ."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

from msgspec import Struct

from gamelog.archive.indexing.store import Store
from gamelog.archive.rows.copies import FORK
from gamelog.archive.schema import tables
from gamelog.archive.sources.items import Item, read_records
from gamelog.archive.workers.batch_workers import Workers
from gamelog.archive.workers.judge_batch import Judged, judge, judge_failure
from gamelog.errors import RecordError

_CONTESTED = """
CREATE TEMP TABLE contested AS
SELECT id FROM files WHERE id IN (FROM touched) GROUP BY id HAVING count(*) > 1
  OR id NOT IN (SELECT id FROM games)
"""

_COPIES_SQL = """
SELECT id, path, size, mtime_ns, member, head FROM files WHERE id IN (FROM contested)
ORDER BY id, status IN ('torn', 'damaged'), events DESC, member <> '', path, member
"""
"""The files of each contested record, the primary file first.

Whole files come before damaged ones, long before short, and files of their own before packs.
"""


class Primary(Struct, frozen=True):
    """The primary file of a record, from which its rows are made."""

    path: Annotated[str, "path of the file"]
    member: Annotated[str, "name of the record in its pack"]


class Copy(Struct, frozen=True):
    """A file with a record, and the record's head, if the archive has it.

    A file without a head, because its game is unfinished and hides information, is not compared with other
    files. The result could confirm a guess of hidden information.
    """

    item: Item
    head: str | None


def find_contested(store: Store) -> bool:
    """Fill the table ``contested``: records of ``touched_files`` in several files or without a primary file.

    Return whether there are any.
    """
    store.sql(_CONTESTED)
    return bool(store.sql("SELECT 1 FROM contested LIMIT 1"))


def choose_primaries(store: Store, workers: Workers) -> None:
    """Choose the primary file of each record in ``touched_files`` with several files, or without its old one.

    If a file cannot be read now, the next one becomes the primary file.
    """
    if not find_contested(store):
        return
    copies: dict[str, list[Copy]] = defaultdict(list)
    for id, path, size, mtime_ns, member, head in store.sql(_COPIES_SQL):
        copies[id].append(Copy(Item(path, max(size or 0, 0), mtime_ns, member), head))
    if not copies:
        return
    primaries = [first.item for first, *_ in copies.values()]
    store.create_temporary("primaries", Primary, [Primary(item.path, item.member) for item in primaries])
    store.forget("contested")
    store.sql("DELETE FROM findings WHERE (path, member) IN (SELECT (path, member) FROM primaries)")
    to_judge = copies
    while to_judge:
        failed: set[tuple[str, str]] = set()
        for judged in workers.work(judge, judge_failure, [first.item for first, *_ in to_judge.values()]):
            store.add_judged(Judged([], judged.batches))
            failed.update(judged.failed_records)
        unread = {
            id: (first, *others)
            for id, (first, *others) in to_judge.items()
            if (first.item.name, first.item.member) in failed and others
        }
        for id, (first, *others) in unread.items():
            copies[id] = [*others, first]
        to_judge = {id: others for id, (_, *others) in unread.items()}
    for id, (primary, *others) in copies.items():
        forks = [
            finding
            for other in others
            if None not in (primary.head, other.head)
            and other.head != primary.head
            and (finding := fork_finding(id, primary.item, other.item))
        ]
        store.add("findings", forks)
    store.load()


def fork_finding(id: str, primary: Item, other: Item) -> tables.FindingRow | None:
    """Return the finding that `other` and `primary` differ.

    None if one continues the other, or if a file cannot be read any more.
    """
    primary_record, other_record = (record for item in (primary, other) for _, record in read_records([item]))
    if isinstance(primary_record, RecordError) or isinstance(other_record, RecordError):
        return None
    pairs = zip(
        [primary_record.header_head, *primary_record.heads],
        [other_record.header_head, *other_record.heads],
        strict=False,
    )
    n = next((n for n, (one, two) in enumerate(pairs) if one != two), None)
    if n is None:
        return None
    where = f"from event {n} on" if n else "from the header on"
    text = f"this file and {primary.place} both have the record id {id}, but they differ {where}"
    return tables.FindingRow(
        path=other.path, member=other.member, id=id, n=n, code=FORK, severity="error", message=text
    )
