"""`gamelog recover`: make a torn record appendable again, or keep the good prefix of a damaged one."""

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
from gamelog_cli.output import emit, print_line


def recover(
    file: File,
    salvage: Annotated[
        bool, typer.Option("--salvage", help="Copy the good prefix of a damaged record to NEW.")
    ] = False,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Where the salvaged record goes.")] = None,
    json: Json = False,
) -> None:
    """Set the torn end of a record aside (in FILE.torn), so that it can be appended to again.

    A last line that lacks nothing but its line end gets it back. With --salvage, what is good of a damaged
    record is copied to NEW; line ends rewritten as CR LF and a byte order mark are put right there, wherever
    the digests prove it.
    """
    if salvage != (out is not None):
        usage("--salvage and -o NEW go together: gamelog recover FILE --salvage -o NEW.")
    if out is not None:
        kept = copy_prefix(file, out)
        if json:
            emit(kept)
        else:
            right = (
                f", the ends of {many(kept.mended, 'line')} put right, as the digests prove"
                if kept.mended
                else ""
            )
            print_line(
                f"{out}: {many(kept.events, 'good event')} copied{right}; {many(kept.lost, 'byte')} left "
                f"behind in {file}."
            )
        return
    for done in recover_record(file):
        if json:
            emit(done)
        elif isinstance(done, SavedTail):
            torn = many(done.bytes, "torn byte is", "torn bytes are")
            print_line(f"{file}: {torn} in {done.path}; event {done.ack.n} says so, and the record goes on.")
        else:
            print_line(
                f"{file}: the last line has its line end again; event {done.n} stands, nothing was lost, "
                "and the record goes on."
            )
