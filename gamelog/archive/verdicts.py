"""The verdicts on many records, by the same workers that make an archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

from gamelog.archive.judging import ENDED, KILLED, assess
from gamelog.archive.sources import Item, records
from gamelog.archive.workers import work
from gamelog.errors import RecordError
from gamelog.play.findings import Finding
from gamelog.play.verify import Verdict, unread
from gamelog.record.reading import Record


def verdicts(items: Sequence[Item], jobs: int = 1, executor: Executor | None = None) -> Iterator[Verdict]:
    """The verdict on each of `items`, in order. `jobs` processes judge (1: this one does), or `executor` does.

    Raises nothing for what a record contains. A record that ends the process which judges it has a
    finding, unless that is this process.
    """
    if executor is None and jobs == 1:
        yield from (_verdict(item, record) for item, record in records(items))
    else:
        for some in work(_verdicts, _killed, items, jobs, executor):
            yield from some


def _verdicts(batch: Sequence[Item]) -> list[Verdict]:
    return [_verdict(item, record) for item, record in records(batch)]


def _verdict(item: Item, record: Record | RecordError) -> Verdict:
    if isinstance(record, RecordError):
        return unread(item.place, record)
    return assess(record)[1]


def _killed(item: Item) -> list[Verdict]:
    return [Verdict(item.place, None, None, "unknown", False, None, None, None, None, None, (Finding(KILLED, ENDED),))]
