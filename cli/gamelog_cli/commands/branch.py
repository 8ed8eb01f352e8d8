"""`gamelog branch`: what if the game had gone on differently."""

from __future__ import annotations

import shlex
import uuid
from pathlib import Path
from typing import Annotated

import typer

from gamelog.record.reading import is_compressed, parse_record, read_record
from gamelog_cli.arguments import File, Json
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line


def branch(
    file: File,
    at: Annotated[int, typer.Option(min=0, help="The last event that is kept; 0 keeps the header alone.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The new record.")],
    json: Json = False,
) -> None:
    """Start a new record that continues FILE from event N,
    under a header that names its parent's head there.
    """
    from gamelog.dispute.branch import branch as branch_off
    from gamelog.record.disk import write_new

    if is_compressed(out):
        usage(
            f"{out} is named as a compressed record, and those are only read; name it {out.with_suffix('')}."
        )
    data = branch_off(read_record(file), at, str(uuid.uuid4()))
    write_new(out, data)
    made = parse_record(data, str(out))
    if json:
        emit(
            {"path": str(out), "id": made.header.id if made.header else None, "events": at, "head": made.head}
        )
    else:
        print_line(
            f"{out}: goes on from event {at} of {file}. Continue with: gamelog record {shlex.quote(str(out))}"
        )
