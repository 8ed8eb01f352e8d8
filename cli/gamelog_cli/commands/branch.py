"""`gamelog branch`: continue a copy of a record from an earlier event."""

from __future__ import annotations

import shlex
import uuid
from pathlib import Path
from typing import Annotated

import typer

from gamelog.record.reading import parse_record, read_record
from gamelog_cli.arguments import File, Json, refuse_compressed_output
from gamelog_cli.printing.output import emit, print_line


def branch(
    file: File,
    at: Annotated[
        int, typer.Option(min=0, metavar="N", help="Number of the last event to keep. 0 keeps no events.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="NEW", help="Output file for the new record.")],
    json: Json = False,
) -> None:
    """Start a new record that continues FILE after event N. Its header names FILE as its parent."""
    from gamelog.dispute.branch import branch as branch_off
    from gamelog.record.disk import write_new

    refuse_compressed_output(out)
    data = branch_off(read_record(file), at, str(uuid.uuid4()))
    write_new(out, data)
    branched = parse_record(data, str(out))
    if json:
        emit(
            {
                "path": str(out),
                "id": branched.header.id if branched.header else None,
                "events": at,
                "head": branched.head,
            }
        )
    else:
        print_line(
            f"{out} continues {file} after event {at}. To record, run: gamelog record {shlex.quote(str(out))}"
        )
