"""Files of analyses beside records, as a run finds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from gamelog.analysis.analysis_path import ANALYSIS_ENDING, analysis_name, analysis_path
from gamelog.archive.sources import remote
from gamelog.archive.sources.items import Item
from gamelog.archive.sources.packed_list import PackedList
from gamelog.errors import RecordError
from gamelog.record.discovery import ENDINGS


def analyses_beside(paths: Iterable[str]) -> Iterator[str]:
    """Yield the existing analyses of records that `paths` name directly. A scan finds those in folders."""
    for path in paths:
        if remote.is_remote(path):
            if path.endswith(ENDINGS):
                folder, slash, name = path.rpartition("/")
                beside = folder + slash + analysis_name(name)
                with suppress(RecordError):
                    remote.file_facts(beside)
                    yield beside
        elif os.path.isfile(path) and os.path.lexists(beside := os.fspath(analysis_path(path))):
            yield beside


def split_analyses(items: Iterable[Item]) -> tuple[PackedList[Item], list[Item]]:
    """Return the items that are records, and the items that are analyses."""
    records: PackedList[Item] = PackedList()
    analyses: list[Item] = []
    for item in items:
        (analyses if item.path.endswith(ANALYSIS_ENDING) else records).append(item)
    return records, analyses
