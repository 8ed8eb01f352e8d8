"""The verdicts on many records, by the same workers that make an archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

from gamelog.archive.judging.worker import assess, why_failed
from gamelog.archive.judging.workers import Bounds, Workers
from gamelog.archive.sources.items import Item, records
from gamelog.errors import RecordError
from gamelog.finding import Finding
from gamelog.play.judging.verdict import Verdict, unread
from gamelog.record.reading import Record


def verdicts(
    items: Sequence[Item],
    jobs: int | None = 1,
    executor: Executor | None = None,
    bounds: Bounds | None = None,
) -> Iterator[Verdict]:
    """The verdict on each of `items`, in order. `jobs` processes judge (1: this one does; None: on all cores
    from 200 items on), or `executor` does.

    Raises nothing for what a record contains. A record that ends the process which judges it, or takes more
    time or memory than `bounds` allow, has a finding; without `bounds`, 1 job and no executor there are none,
    and this process judges.
    """
    with Workers(jobs, executor, bounds) as workers:
        yield from workers.each(_verdicts, _failed, items)


def _verdicts(batch: Sequence[Item]) -> Iterator[Verdict]:
    return (_verdict(item, record) for item, record in records(batch))


def _verdict(item: Item, record: Record | RecordError) -> Verdict:
    if isinstance(record, RecordError):
        return unread(item.place, record)
    return assess(record)[1]


def _failed(item: Item, error: Exception) -> Verdict:
    found = Finding(*why_failed(item, error))
    return Verdict(item.place, None, None, "unknown", False, None, None, None, None, None, (found,))
