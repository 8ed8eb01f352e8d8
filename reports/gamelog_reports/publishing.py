"""Many pages at once: the site's pages written by several processes, the same bytes in the same order as by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from gamelog.archive.judging.workers import Workers
from gamelog.archive.sources.items import Item
from gamelog_reports.replay.page import Around
from gamelog_reports.site import Entry, publish


class PageTask(Item, frozen=True):
    """A record's file, the name of its page, and what that leads to."""

    page: str = ""
    around: Around = Around()


def publish_all(
    files: Sequence[Path],
    names: Sequence[str],
    around: Sequence[Around],
    site: Path,
    jobs: int | None,
    *,
    anonymous: bool,
    language: str,
    single: bool = False,
) -> Iterator[Entry]:
    """Write the page of each of `files` into `site` and say what is in it, in their order.

    A record that ends the process that writes its page has none. Raises `OSError` when a page cannot be written.
    """
    tasks = [
        PageTask(str(file), _size(file), 0, page=name, around=leads)
        for file, name, leads in zip(files, names, around, strict=True)
    ]
    write = partial(_publish, site=site, anonymous=anonymous, language=language, single=single)
    with Workers(jobs) as workers:
        yield from workers.each(write, partial(_lost, anonymous=anonymous), tasks)


def _publish(batch: Sequence[Item], *, site: Path, anonymous: bool, language: str, single: bool) -> Iterator[Entry]:
    return (
        publish(task.path, site, name=task.page, anonymous=anonymous, language=language, single=single, around=task.around)
        for task in batch
        if isinstance(task, PageTask)
    )


def _lost(item: Item, _: Exception, *, anonymous: bool) -> Entry:
    problem = "writing its page ended the process that did it"
    return Entry("" if anonymous else item.path, problem="" if anonymous else problem, untold=f"{item.name}: {problem}.")


def _size(file: Path) -> int:
    try:
        return os.stat(file).st_size
    except OSError:  # reading it will say what is wrong
        return 0
