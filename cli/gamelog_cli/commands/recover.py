"""`gamelog recover`: repair a torn record, or copy the good lines of a damaged record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog.message import many
from gamelog.play.recording.recorder import recover_record
from gamelog.record.recovery import SavedTail
from gamelog.record.recovery import salvage as copy_prefix
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import usage
from gamelog_cli.printing.output import emit, print_line


def recover(
    file: File,
    salvage: Annotated[
        bool, typer.Option("--salvage", help="Copy the good lines of a damaged record to a new record.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Output file for the new record.", metavar="NEW")
    ] = None,
    json: Json = False,
) -> None:
    """Move the torn end of a record to another file (FILE.torn), so that you can record again.

    If the last line is complete except for its line end, it gets its line end back. With --salvage, the good
    lines of a damaged record are copied to NEW. The copy has the right line ends (not CR LF) and no byte
    order mark, if the digests prove that this is right.
    """
    if salvage != (out is not None):
        usage("--salvage and -o NEW need each other: gamelog recover FILE --salvage -o NEW")
    if out is not None:
        kept = copy_prefix(file, out)
        if json:
            emit(kept)
        else:
            fixed = f" The ends of {many(kept.repaired, 'line')} were fixed." if kept.repaired else ""
            lost = many(kept.lost, "byte was", "bytes were")
            print_line(
                f"{out}: {many(kept.events, 'good event')} copied.{fixed} {lost} not copied from {file}."
            )
        return
    for done in recover_record(file):
        if json:
            emit(done)
        elif isinstance(done, SavedTail):
            torn = many(done.bytes, "torn byte was", "torn bytes were")
            print_line(
                f"{file}: {torn} moved to {done.path}. Event {done.ack.n} notes this. You can record again."
            )
        else:
            print_line(
                f"{file}: the last line has its line end again. Event {done.n} counts, and nothing is lost. "
                "You can record again."
            )
