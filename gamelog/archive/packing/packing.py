"""Writing records to a pack."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

from msgspec import Struct, structs

from gamelog.archive.packing.pack_rows import PACK_TABLE, PackRow, copy_statement, group_rows
from gamelog.archive.packing.pseudonyms import Person, Pseudonyms, anonymise, people_of
from gamelog.archive.rows.arrow import ArrowStream, insert_columns
from gamelog.archive.rows.columns import Columns
from gamelog.archive.rows.people import identify_people, people_file, read_aliases
from gamelog.archive.rows.record_rows import game_row
from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.archive.sources.compact_records import compact_record
from gamelog.archive.sources.items import NAMELESS, Item, find_items, read_contents, read_records
from gamelog.archive.sources.packs import ENDING
from gamelog.archive.workers.batch_workers import RecordLimits, Workers
from gamelog.archive.workers.judge_batch import assess
from gamelog.errors import ArchiveError, Exists, NotReadable, RecordError, WriteFailed
from gamelog.record.atomic_files import atomic_file
from gamelog.record.reading import Record, parse_record


class _NamedItem(Item, frozen=True):
    """A record with its name in the pack."""

    pack_name: str = ""


class Packing(Struct, frozen=True):
    """The result of packing.

    Attributes:
        records: The number of records in the pack.
        left_out: The number of records that were left out because they cannot be anonymous.
        size: The size of the pack in bytes.
        unreadable: For each record that could not be read, a sentence with its path and the reason.
    """

    records: int
    left_out: int
    size: int
    unreadable: tuple[str, ...] = ()


def pack(
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    anonymous: bool = False,
    people: str | os.PathLike[str] | None = None,
    jobs: int | None = 1,
    limits: RecordLimits | None = None,
    progress: Callable[[int, int], None] = lambda _finished, _total: None,
) -> Packing:
    """Write the records under `paths` to a new pack at `out`.

    The name of a record is its path below the common folder of all records, without ``.zst``. A record from a
    pack has the name of that pack before its own name. Records that cannot be read are reported, and the
    others are packed. The bytes of the pack do not depend on `jobs`, unless the pack is anonymous.

    Args:
        paths: Files, folders, packs or URLs.
        out: The path or URL of the pack.
        anonymous: Whether to replace people by pseudonyms (`gamelog.archive.packing.pseudonyms`) and the
            names of records by numbers, in random order. Records that cannot be read to their end are left
            out, as well as records that would get another verdict, for example because of a forged signature.
        people: A file of aliases for an anonymous pack (`gamelog.archive.rows.people`). By default,
            ``people.toml`` in the folder of the records, if it exists.
        jobs: The number of processes, as for `verdicts`.
        limits: Limits for each record, as for `verdicts`.
        progress: A function that gets the number of packed records and of all records.

    Raises:
        NotReadable: There is no record, or none can be read or be anonymous.
        ArchiveError: `out` exists, two records would have the same name, or the file of aliases is wrong.
    """
    if not remote.is_remote(out) and os.path.lexists(out):
        raise _pack_exists(out)
    items = find_items(paths)
    if not items:
        raise NotReadable("There are no records under these paths.")
    due = _with_names(items)
    aliases: Mapping[str, str] | None = None
    if anonymous:
        file = people_file(paths, people)
        aliases = read_aliases(file, named=people is not None)[1]
        due = [
            structs.replace(item, pack_name=name)
            for item, name in zip(due, _random_numbers(len(due)), strict=True)
        ]
    nameless = [] if anonymous else [item for item in due if item.name != item.path]
    due = due if anonymous else [item for item in due if item.name == item.path]
    rows = _PackedRows(due, aliases, progress)
    rows.unreadable_files += [NotReadable(f"{item.name}: {NAMELESS}.") for item in nameless]
    groups = group_rows(rows.rows(jobs, limits))
    first = next(groups)  # processes have to be forked before DuckDB starts threads
    size = _write(chain([first], groups), os.fspath(out), sort=anonymous)
    return Packing(
        rows.count,
        len(due) + len(nameless) - rows.count - len(rows.unreadable_files),
        size,
        tuple(map(str, rows.unreadable_files)),
    )


class _PackedRows:
    """The rows of the records of a pack.

    Attributes:
        count: The number of rows so far.
        unreadable_files: The errors of the records that could not be read.
    """

    def __init__(
        self,
        due: list[_NamedItem],
        aliases: Mapping[str, str] | None,
        progress: Callable[[int, int], None],
    ) -> None:
        """Prepare the rows of the records in `due`, with pseudonyms if there are `aliases`."""
        self._items, self._aliases, self._progress = due, aliases, progress
        self.count = 0
        self.unreadable_files: list[RecordError] = []

    def rows(self, jobs: int | None, limits: RecordLimits | None) -> Iterator[PackRow]:
        """Yield the rows. `jobs` and `limits` have the same meaning as in `pack`.

        Raises:
            NotReadable: No record can be packed.
            RecordError: No record can be read.
        """
        due, is_anonymous, done_count = self._items, self._aliases is not None, 0
        with Workers(jobs, limits=limits) as workers:
            for batch in workers.work(
                self._function(workers), _leave_out if is_anonymous else _pack_unjudged, due
            ):
                done_count += len(batch)
                for item in batch:
                    if isinstance(item, PackRow):
                        self.count += 1
                        yield item
                    elif item is not None:
                        self.unreadable_files.append(item)
                self._progress(done_count, len(due))
        if not self.count and self.unreadable_files and not is_anonymous:
            raise self.unreadable_files[0]
        if not self.count:
            raise NotReadable(
                "None of these records can be anonymous: they cannot be read to their end, or would get "
                "another verdict."
            )

    def _function(self, workers: Workers) -> Callable[[Sequence[Item]], _PackResults]:
        """Return the function that packs a batch of records."""
        if self._aliases is None:
            return _pack_batch
        return partial(_pack_anonymous, people=_pseudonyms(workers, self._items, self._aliases))


def _random_numbers(count: int) -> list[str]:
    """Return file names with the numbers from 1 to `count` in random order.

    Otherwise, anyone who has the files could match them by the order of their names.
    """
    numbers = list(range(1, count + 1))
    SystemRandom().shuffle(numbers)
    return [f"{number:0{len(str(count))}}.jsonl" for number in numbers]


_PackResults = list[PackRow | RecordError | None]
"""The results for some records. None is a record that cannot be anonymous."""


def _pack_batch(batch: Sequence[Item]) -> _PackResults:
    results: dict[Item, PackRow | RecordError] = {}
    for item, data in read_contents(batch):
        results[item] = data if isinstance(data, RecordError) else _pack_row(item, data)
    return [results[item] for item in batch]


def _pack_unjudged(item: Item, _error: Exception) -> _PackResults:
    """Return the row of a record whose judge failed.

    It is packed anyway, without columns from the verdict.
    """
    [data] = [data for _, data in read_contents([item])]
    return [data if isinstance(data, RecordError) else _pack_row(item, data, judged=False)]


def _leave_out(_item: Item, _error: Exception) -> _PackResults:
    return [None]


def _pseudonyms(workers: Workers, due: list[_NamedItem], aliases: Mapping[str, str]) -> Pseudonyms:
    known = {person for people in workers.work(_read_people, _no_people, due) for person in people}
    people = identify_people(known, aliases)
    return Pseudonyms(
        {known_person: person for known_person, person in people.items() if person != known_person[0]}
    )


def _no_people(_item: Item, _error: Exception) -> list[Person]:
    return []


def _read_people(batch: Sequence[Item]) -> list[Person]:
    return [
        person
        for _, record in read_records(batch)
        if not isinstance(record, RecordError)
        for person in people_of(record)
    ]


def _pack_anonymous(batch: Sequence[Item], people: Pseudonyms) -> _PackResults:
    """Return the rows of the records without people, or None for a record that cannot be anonymous."""
    results: dict[Item, PackRow] = {}
    for item, record in read_records(batch):
        data = None if isinstance(record, RecordError) else anonymise(record, people)
        if (
            data is not None
            and not isinstance(record, RecordError)
            and _status(parse_record(data)) == _status(record)
        ):
            results[item] = _pack_row(item, data)
    return [results.get(item) for item in batch]


def _status(record: Record) -> str | None:
    return assess(record)[1].status


class _SourceError(Exception):
    """An error of the system that occurred while rows were made, not while they were written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.error = error


def _mark_errors(rows: Iterator[Columns]) -> Iterator[Columns]:
    """Yield `rows`.

    Raises:
        _SourceError: The source of the rows raised an `OSError`.
    """
    try:
        yield from rows
    except OSError as error:
        raise _SourceError(error) from None


def _write(rows: Iterator[Columns], out: str, *, sort: bool = False) -> int:
    """Write `rows` to a pack while they are made, and return its size. After an error there is no pack.

    If `sort`, the rows are sorted by name. Otherwise, they are sorted already.

    Raises:
        ArchiveError: The pack exists or cannot be written.
        OSError: `rows` raised it. It concerns another file than the pack.
    """
    import duckdb

    to_store = remote.is_remote(out)
    try:
        with (
            TemporaryDirectory(prefix="gamelog-") as folder,
            nullcontext(Path(folder, "pack")) if to_store else atomic_file(out, replace=False) as part,
            duckdb.connect() as connection,
        ):
            # With one thread, DuckDB has only one row group in memory at a time.
            connecting.disable_progress_bar(connection)
            connection.execute("SET threads = 1")
            connection.execute(f"SET temp_directory = {connecting.quote_path(Path(folder, 'sorting'))}")

            def read(flow: ArrowStream) -> None:
                connection.register("flow", flow)
                connection.execute(copy_statement(connecting.quote_path(part), sort=sort))

            insert_columns(PACK_TABLE, _mark_errors(rows), read)
            size = part.stat().st_size
            if to_store:
                remote.upload(part, out)
    except _SourceError as failed:
        raise failed.error from None
    except (FileExistsError, Exists):
        raise _pack_exists(out) from None
    except WriteFailed as error:
        raise ArchiveError(str(error)) from None
    except (OSError, duckdb.Error) as error:
        raise ArchiveError(f"Cannot write {out}: {connecting.write_failure(error)}.") from None
    return size


def _pack_exists(out: str | os.PathLike[str]) -> ArchiveError:
    return ArchiveError(f"{out} exists already. Name another file, because packs are never overwritten.")


def _with_names(items: list[Item]) -> list[_NamedItem]:
    """Return the records with their names in the pack, sorted by name.

    Raises:
        ArchiveError: Two records would have the same name.
    """
    paths = [item.path if remote.is_remote(item.path) else os.path.abspath(item.path) for item in items]
    common = (
        os.path.commonpath([os.path.dirname(path) for path in paths])
        if len({"://" in path for path in paths}) == 1
        else ""
    )
    items_by_name: dict[str, Item] = {}
    for item, path in zip(items, paths, strict=True):
        name = os.path.relpath(path, common).removesuffix(".zst")
        if item.member:
            name = f"{name.removesuffix(ENDING)}/{item.member}"
        if items_by_name.setdefault(name, item) != item:
            raise ArchiveError(
                f"{items_by_name[name].place} and {item.place} would both have the name {name} in the "
                "pack. Put them into two packs."
            )
    return [
        _NamedItem(item.path, item.size, item.mtime_ns, item.member, item.weight, name)
        for name, item in sorted(items_by_name.items())
    ]


def _pack_row(item: Item, data: bytes, judged: bool = True) -> PackRow:
    assert isinstance(item, _NamedItem)
    name = item.pack_name
    record = parse_record(data, name)
    game = game_row(record.header, assess(record)[1], name, "") if judged and record.header else None
    lines = compact_record(data, record) if record.problem is None else None
    if lines is None:
        return PackRow(name, len(data), None, None, b64encode(data).decode(), game)
    return PackRow(name, len(data), record.head, lines, None, game)
