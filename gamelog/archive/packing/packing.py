"""Making packs, and taking them apart."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain, count
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from msgspec import Struct, structs

from gamelog.archive.judging.worker import assess
from gamelog.archive.judging.workers import Bounds, Workers
from gamelog.archive.packing.anonymous import anonymous as without_people
from gamelog.archive.packing.pack_rows import PACK, Packed, copy_to, groups
from gamelog.archive.packing.pseudonyms import Pseudonyms
from gamelog.archive.rows.arrow import ArrowStream, insert_columns
from gamelog.archive.rows.columns import Columns
from gamelog.archive.rows.record_rows import game_row
from gamelog.archive.schema import connecting
from gamelog.archive.sources import remote
from gamelog.archive.sources.items import NAMELESS, Item, find_items, item_contents, records
from gamelog.archive.sources.packs import ENDING, Pack
from gamelog.archive.sources.stripping import strip
from gamelog.errors import ArchiveError, Damaged, Exists, NotReadable, RecordError, WriteFailed, clause
from gamelog.record.atomic_files import atomic_file
from gamelog.record.names import file_name_trouble
from gamelog.record.reading import Record, parse_record


class _Due(Item, frozen=True):
    """A record, and what it is called in the pack."""

    called: str = ""


class Packing(Struct, frozen=True):
    """What came of packing: ``records`` in the pack, others ``left_out`` as they cannot be anonymous, its
    ``size`` in bytes.

    ``unreadable`` says of each record that could not be read where it lies and why.
    """

    records: int
    left_out: int
    size: int
    unreadable: tuple[str, ...] = ()


class Unpacked(Struct, frozen=True):
    """What came of unpacking: how many ``records`` were written, why others could not be taken out
    (``unreadable``), and which had to be called otherwise (``renamed``).
    """

    records: int
    unreadable: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()


def pack(
    paths: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    anonymous: bool = False,
    jobs: int | None = 1,
    bounds: Bounds | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Packing:
    """Put the records under `paths` into a new pack at `out`; both may be URLs, and `paths` may name packs.

    A record's name is its path below the folder that all of them share, without ``.zst``; one from
    a pack has that pack's name before its own. With `anonymous`, people are replaced by
    pseudonyms (see `gamelog.archive.packing.anonymous`) and records are called by numbers; what cannot be
    read to its end is left out, and what would be judged otherwise then (a forged signature is
    gone). A record that cannot be read is told of, and the others go on. Raises `NotReadable` or what is
    wrong with the first of them when there is none, and `ArchiveError` when `out` exists or
    two records would have one name. `jobs` and `bounds` are those of `verdicts`, and `progress` is told how
    many records are done, of how many; the pack has the same bytes whoever makes it.
    """
    if not remote.is_remote(out) and os.path.lexists(out):
        raise _taken(out)
    found = find_items(paths)
    if not found:
        raise NotReadable("There is no record under these paths.")
    due = _named(found)
    if anonymous:
        digits = len(str(len(due)))
        due = [structs.replace(one, called=f"{at:0{digits}}.jsonl") for at, one in enumerate(due, 1)]
    nameless = [] if anonymous else [one for one in due if one.name != one.path]
    due = [one for one in due if one not in nameless]
    unreadable: list[RecordError] = [NotReadable(f"{one.name}: {NAMELESS}.") for one in nameless]
    held = 0

    def made() -> Iterator[Packed]:
        nonlocal held
        with Workers(jobs, bounds=bounds) as workers:
            make = partial(_anonymous, people=_pseudonyms(workers, due)) if anonymous else _whole
            lost = _left_out if anonymous else _unjudged
            done = 0
            for batch in workers.work(make, lost, due):
                done += len(batch)
                for one in batch:
                    if isinstance(one, Packed):
                        held += 1
                        yield one
                    elif one is not None:
                        unreadable.append(one)
                progress(done, len(due))
        if not held and unreadable and not anonymous:
            raise unreadable[0]
        if not held:
            raise NotReadable(
                "None of these records can be anonymous: they cannot be read to their end, or would be "
                "judged otherwise."
            )

    some = groups(made())
    first = next(some)  # processes are forked before DuckDB has threads beside this one
    size = _write(chain([first], some), os.fspath(out))
    return Packing(held, len(due) + len(nameless) - held - len(unreadable), size, tuple(map(str, unreadable)))


_Made = list[Packed | RecordError | None]
"""What came of some records; None is one that cannot be anonymous."""


def _whole(batch: Sequence[Item]) -> _Made:
    made: dict[Item, Packed | RecordError] = {}
    for item, data in item_contents(batch):
        made[item] = data if isinstance(data, RecordError) else _packed(item, data)
    return [made[item] for item in batch]


def _unjudged(item: Item, _error: Exception) -> _Made:
    """A record over which its judge failed is in the pack all the same, without what a judge says of it."""
    [data] = [data for _, data in item_contents([item])]
    return [data if isinstance(data, RecordError) else _packed(item, data, judged=False)]


def _left_out(_item: Item, _error: Exception) -> _Made:
    return [None]


def _pseudonyms(workers: Workers, due: list[_Due]) -> Pseudonyms:
    return Pseudonyms(head for heads in workers.work(_heads, _no_head, due) for head in heads)


def _no_head(_item: Item, _error: Exception) -> list[str | None]:
    return [None]


def _heads(batch: Sequence[Item]) -> list[str | None]:
    return [None if isinstance(record, RecordError) else record.head for _, record in records(batch)]


def _anonymous(batch: Sequence[Item], people: Pseudonyms) -> _Made:
    made: dict[Item, Packed] = {}
    for item, record in records(batch):
        data = None if isinstance(record, RecordError) else without_people(record, people)
        if (
            data is not None
            and not isinstance(record, RecordError)
            and _status(parse_record(data)) == _status(record)
        ):
            made[item] = _packed(item, data)
    return [made.get(item) for item in batch]


def _status(record: Record) -> str | None:
    return assess(record)[1].status


def _write(some: Iterator[Columns], out: str) -> int:
    """Make the pack of these rows while they are made, whole or not at all, and say how large it is."""
    import duckdb

    far = remote.is_remote(out)
    try:
        with (
            TemporaryDirectory(prefix="gamelog-") if far else nullcontext("") as folder,
            nullcontext(Path(folder, "pack")) if far else atomic_file(out, replace=False) as part,
            duckdb.connect() as connection,
        ):
            # One row group is held at a time when one thread writes them.
            connecting.disable_progress_bar(connection)
            connection.execute("SET threads = 1")

            def read(flow: ArrowStream) -> None:
                connection.register("flow", flow)
                connection.execute(copy_to(connecting.quote_path(part)))

            insert_columns(PACK, some, read)
            size = part.stat().st_size
            if far:
                remote.upload(part, out)
    except (FileExistsError, Exists):
        raise _taken(out) from None
    except WriteFailed as error:
        raise ArchiveError(str(error)) from None
    except (OSError, duckdb.Error) as error:
        raise ArchiveError(f"Cannot write {out}: {connecting.write_failure(error)}.") from None
    return size


def _taken(out: str | os.PathLike[str]) -> ArchiveError:
    return ArchiveError(f"{out} exists already; packs are never overwritten.")


def _named(items: list[Item]) -> list[_Due]:
    """The records with the names that they have in a pack, in their order."""
    paths = [item.path if remote.is_remote(item.path) else os.path.abspath(item.path) for item in items]
    common = (
        os.path.commonpath([os.path.dirname(path) for path in paths])
        if len({"://" in path for path in paths}) == 1
        else ""
    )
    named: dict[str, Item] = {}
    for item, path in zip(items, paths, strict=True):
        name = os.path.relpath(path, common).removesuffix(".zst")
        if item.member:
            name = f"{name.removesuffix(ENDING)}/{item.member}"
        if named.setdefault(name, item) != item:
            raise ArchiveError(
                f"{named[name].place} and {item.place} would both be called {name} in the pack; pack them "
                "apart."
            )
    return [
        _Due(item.path, item.size, item.mtime_ns, item.member, item.weight, name)
        for name, item in sorted(named.items())
    ]


def _packed(item: Item, data: bytes, judged: bool = True) -> Packed:
    assert isinstance(item, _Due)
    name = item.called
    record = parse_record(data, name)
    game = game_row(record.header, assess(record)[1], name, "") if judged and record.header else None
    lines = strip(data, record) if record.problem is None else None
    if lines is None:
        return Packed(name, len(data), None, None, b64encode(data).decode(), game)
    return Packed(name, len(data), record.head, lines, None, game)


def unpack(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Unpacked:
    """Write every record of a pack to its name below `folder`, byte for byte; those that cannot be taken out
    are told of. A record whose name some system takes for no file's gets another one: ``record-3.jsonl``.

    Links below `folder` are not followed. Raises `NotReadable` or `Damaged` for the pack, and `ArchiveError`
    when a file exists already or a folder is a link (then nothing was written), or something cannot be
    written.
    """
    with Pack(path) as pack:
        names = [name for name in pack.sizes() if not file_name_trouble(name)]
        targets = {name: Path(folder, name) for name in names}
        taken = next((target for target in targets.values() if os.path.lexists(target)), None)
        if taken:
            raise ArchiveError(f"{taken} exists already; unpack into an empty folder.")
        for below in {below for name in targets for below in list(PurePosixPath(name).parents)[:-1]}:
            if os.path.islink(Path(folder, below)):
                raise ArchiveError(f"{Path(folder, below)} leads elsewhere; unpack into an empty folder.")
        places = {name: at for at, name in enumerate(pack.index, 1)}
        written, unreadable, renamed = 0, [], []
        for name, data in _all_contents(pack):
            if isinstance(data, RecordError):
                unreadable.append(str(data))
                continue
            why = _write_new(targets[name], data) if name in targets else str(file_name_trouble(name) or "")
            if why or name in pack.misnamed:
                target = _spare_name(folder, places[name], targets.values())
                if refused := _write_new(target, data):
                    raise ArchiveError(f"{targets.get(name, target)} cannot be written: {why or refused}.")
                renamed.append(f"{_name_trouble(pack, name, why)}; it is now {target}.")
            written += 1
    return Unpacked(written, tuple(unreadable), tuple(renamed))


def _name_trouble(pack: Pack, name: str, why: str | None) -> str:
    """Return what is wrong with the name of a record, as a clause."""
    known = pack.index[name]
    return str(clause(known)) if isinstance(known, Damaged) else f"{pack.path}: record {name[:80]}: {why}"


def _all_contents(pack: Pack) -> Iterator[tuple[str, bytes | RecordError]]:
    """The records of a pack, those last that have no name but their place."""
    for name, data in pack.items():
        if name not in pack.misnamed:
            yield name, data
    yield from pack.misnamed_items()


def _spare_name(folder: str | os.PathLike[str], place: int, taken: Container[Path]) -> Path:
    """A free name for the record at a `place` of a pack."""
    for end in chain(("",), (f"-{number}" for number in count(2))):
        target = Path(folder, f"record-{place}{end}.jsonl")
        if target not in taken and not os.path.lexists(target):
            return target
    raise AssertionError("there is no last number")


def _write_new(target: Path, data: bytes) -> str | None:
    """Write a new file, or return why the system refuses it; then there is none."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            try:
                file.write(data)
            except OSError:
                target.unlink()
                raise
    except OSError as error:
        return error.strerror or str(error)
    return None
