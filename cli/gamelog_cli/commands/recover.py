"""`gamelog recover`: make a torn record appendable again, or keep the good prefix of a damaged one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog.play.recorder import recover as recover_record
from gamelog.record.recovery import salvage as copy_prefix
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, say


def recover(
    file: File,
    salvage: Annotated[bool, typer.Option("--salvage", help="Copy the good prefix of a damaged record to NEW.")] = False,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Where the salvaged record goes.")] = None,
    json: Json = False,
) -> None:
    """Set the torn end of a record aside (in FILE.torn), so that it can be appended to again."""
    if salvage != (out is not None):
        usage("--salvage and -o NEW go together: gamelog recover FILE --salvage -o NEW.")
    if out is not None:
        kept = copy_prefix(file, out)
        if json:
            emit(kept)
        else:
            say(f"{out}: {kept.events} good events copied; {kept.lost} bytes left behind in {file}.")
        return
    for aside in recover_record(file):
        if json:
            emit(aside)
        else:
            say(f"{file}: {aside.bytes} torn bytes are in {aside.path}; event {aside.ack.n} says so, and the record goes on.")
