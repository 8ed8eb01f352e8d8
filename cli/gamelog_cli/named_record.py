"""The record that a person names: a file, one inside a pack, or what comes in on standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from gamelog.errors import NotReadable
from gamelog.message import many
from gamelog.record.envelope import MAX_RECORD
from gamelog.record.reading import Record, parse_record, read_record
from gamelog_cli.output import print_warnings

PARQUET = ".parquet"
STANDARD_INPUT = "-"


def is_whole_pack(file: Path) -> bool:
    """Whether a person means all records of a pack."""
    return file.name.endswith(PARQUET) and not file.is_dir()


def named(file: Path) -> Record:
    """The record in a file, on standard input (``-``), or in a pack: ``PACK:NAME``, or a pack of one alone.

    Raises like `read_record`.
    """
    if str(file) == STANDARD_INPUT:
        return parse_record(standard_input(), STANDARD_INPUT)
    before, ending, name = str(file).partition(PARQUET)
    if not ending or (name and name[0] != ":") or (name and file.exists()):
        return read_record(file)
    from gamelog.archive import Pack

    with Pack(before + ending) as pack:
        if name:
            return pack.read(name[1:])
        held = list(pack.sizes())
        if len(held) != 1:
            raise NotReadable(
                f"{file} is a pack of {many(len(held), 'record')}; name one of them: "
                f"{file}:{(held or ['NAME'])[0]}"
            )
        return pack.read(held[0])


def warn_of_damage(record: Record) -> bool:
    """Warn on standard error if a part of `record` could not be read. Return whether that is so."""
    if record.problem is None:
        return False
    text = f"{record.path} can be read up to event {len(record.bodies)} only. Then "
    print_warnings([f"{text}{record.problem.message}."])
    return True


def standard_input() -> bytes:
    """All bytes on standard input. Raises `NotReadable` for more than a record can have."""
    data = sys.stdin.buffer.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise NotReadable(f"Standard input has more than {MAX_RECORD:,} bytes, so it is not a record.")
    return data
