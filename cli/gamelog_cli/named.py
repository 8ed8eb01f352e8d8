"""The record that a person names: a file, or one inside a pack."""

from __future__ import annotations

from pathlib import Path

from gamelog.errors import NotReadable
from gamelog.record.reading import Record, read

PARQUET = ".parquet"


def is_whole_pack(file: Path) -> bool:
    """Whether a person means all records of a pack."""
    return file.name.endswith(PARQUET) and not file.is_dir()


def named(file: Path) -> Record:
    """The record in a file, or in a pack: ``PACK:NAME``, or the pack alone when it holds one. Raises like `read`."""
    before, ending, name = str(file).partition(PARQUET)
    if not ending or (name and name[0] != ":") or (name and file.exists()):
        return read(file)
    from gamelog.archive import Pack

    with Pack(before + ending) as pack:
        if name:
            return pack.read(name[1:])
        held = list(pack.sizes())
        if len(held) != 1:
            raise NotReadable(f"{file} is a pack of {len(held)} records; name one of them: {file}:{(held or ['NAME'])[0]}")
        return pack.read(held[0])
