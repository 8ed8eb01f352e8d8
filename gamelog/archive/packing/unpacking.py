"""Writing the records of a pack to files."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from itertools import chain, count
from pathlib import Path, PurePosixPath

from msgspec import Struct

from gamelog.archive.sources.packs import Pack
from gamelog.errors import ArchiveError, Damaged, RecordError, clause
from gamelog.record.names import file_name_problem


class Unpacked(Struct, frozen=True):
    """The result of unpacking.

    Attributes:
        records: The number of records that were written.
        unreadable: For each record that could not be read, a sentence with the reason.
        renamed: For each record that got another name, a sentence with the reason and the new name.
    """

    records: int
    unreadable: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()


def unpack(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Unpacked:
    """Write every record of a pack to a file of its name below `folder`, byte for byte.

    Records that cannot be read are reported. A record whose name is not a valid file name on every system
    gets a name like ``record-3.jsonl``. Links below `folder` are not followed.

    Raises:
        NotReadable: The pack cannot be read.
        Damaged: The pack is damaged.
        ArchiveError: A file exists already or a folder is a link, so nothing was written; or a file cannot be
            written.
    """
    with Pack(path) as pack:
        names = [name for name in pack.sizes() if not file_name_problem(name)]
        targets = {name: Path(folder, name) for name in names}
        existing = next((target for target in targets.values() if os.path.lexists(target)), None)
        if existing:
            raise ArchiveError(f"{existing} exists already. Unpack into an empty folder.")
        for below in {below for name in targets for below in list(PurePosixPath(name).parents)[:-1]}:
            if os.path.islink(Path(folder, below)):
                raise ArchiveError(f"{Path(folder, below)} leads elsewhere; unpack into an empty folder.")
        places = {name: place for place, name in enumerate(pack.index, 1)}
        written_count, unreadable, renamed = 0, [], []
        for name, data in _all_contents(pack):
            if isinstance(data, RecordError):
                unreadable.append(str(data))
                continue
            problem = (
                _write_new(targets[name], data) if name in targets else str(file_name_problem(name) or "")
            )
            if problem or name in pack.misnamed_sizes:
                target = _unused_name(folder, places[name], targets.values())
                if refused := _write_new(target, data):
                    raise ArchiveError(
                        f"Cannot write {targets.get(name, target)}: {problem or refused}. Unpack "
                        "into another folder."
                    )
                renamed.append(f"{_name_problem(pack, name, problem)}; it is now {target}.")
            written_count += 1
    return Unpacked(written_count, tuple(unreadable), tuple(renamed))


def _name_problem(pack: Pack, name: str, why: str | None) -> str:
    """Return the problem with the name of a record, as a clause."""
    known = pack.index[name]
    return str(clause(known)) if isinstance(known, Damaged) else f"{pack.path}: record {name[:80]}: {why}"


def _all_contents(pack: Pack) -> Iterator[tuple[str, bytes | RecordError]]:
    """Yield the records of a pack. Records without a valid name come last."""
    for name, data in pack.items():
        if name not in pack.misnamed_sizes:
            yield name, data
    yield from pack.misnamed_items()


def _unused_name(folder: str | os.PathLike[str], place: int, used_names: Container[Path]) -> Path:
    """Return an unused name for the record at a `place` of a pack."""
    for end in chain(("",), (f"-{number}" for number in count(2))):
        target = Path(folder, f"record-{place}{end}.jsonl")
        if target not in used_names and not os.path.lexists(target):
            return target
    raise AssertionError(f"no unused file name was found for record {place}")


def _write_new(target: Path, data: bytes) -> str | None:
    """Write a new file. Return None, or the system's reason if writing fails.

    A partly written file is removed.
    """
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
