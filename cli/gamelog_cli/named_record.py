"""Records by their names: a file, a record in a pack, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from gamelog.errors import NotReadable
from gamelog.message import Message
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.record.envelope import MAX_RECORD
from gamelog.record.reading import Record, parse_record, read_record
from gamelog_cli.printing.output import print_warnings

_PARQUET = ".parquet"
"""Ending of a pack."""
STANDARD_INPUT = "-"
"""File name that means standard input."""


def is_whole_pack(file: Path) -> bool:
    """Return whether `file` names a whole pack, not a record in it."""
    return file.name.endswith(_PARQUET) and not file.is_dir()


def read_named(file: Path) -> Record:
    """Return the record in a file, on standard input (``-``), or in a pack.

    ``PACK:NAME`` is a record in a pack; the name is not needed if the pack has only one record.

    Raises:
        NotReadable: The file cannot be read, or is a pack of several records and none was named.
        Damaged: The record or pack cannot be decompressed or restored.
    """
    if str(file) == STANDARD_INPUT:
        return parse_record(standard_input(), STANDARD_INPUT)
    before, ending, name = str(file).partition(_PARQUET)
    if not ending or (name and name[0] != ":") or (name and file.exists()):
        return read_record(file)
    from gamelog.archive import Pack

    with Pack(before + ending) as pack:
        if name:
            return pack.read(name[1:])
        names = list(pack.sizes())
        if len(names) != 1:
            text = "{=file} is a pack of {n} {n:record|records}. Name one of them: {=file}:{=name}"
            raise NotReadable(Message.of(text, file=str(file), n=len(names), name=(names or ["NAME"])[0]))
        return pack.read(names[0])


def warn_of_damage(record: Record, *, reveal: bool = True) -> bool:
    """Warn on standard error if a part of `record` could not be read. Return whether that is so.

    The warning has the reason, which can quote hidden information, only with `reveal`.
    """
    if record.problem is None:
        return False
    text = "{=path} can be read up to event {n} only."
    if reveal:
        text = "{=path} can be read up to event {n} only. Then {problem}."
    print_warnings([Message.of(text, path=record.path, n=len(record.bodies), problem=record.problem.message)])
    return True


def cannot_replay(file: Path, folded: FoldedRecord) -> Message:
    """Return the message that the record cannot be replayed, with the reason."""
    text = "Cannot replay {=file}: {problem}."
    return Message.of(text, file=str(file), problem=folded.findings[0].message)


def standard_input() -> bytes:
    """Return all bytes of standard input.

    Raises:
        NotReadable: There are more bytes than a record can have.
    """
    data = sys.stdin.buffer.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        text = "Standard input has more than {=n} bytes, so it is not a record."
        raise NotReadable(Message.of(text, n=f"{MAX_RECORD:,}"))
    return data
