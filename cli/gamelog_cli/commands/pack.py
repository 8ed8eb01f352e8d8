"""`gamelog pack` and `gamelog unpack`: many records in one file, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gamelog.message import many
from gamelog_cli.arguments import Jobs, Json, Paths, RecordMemory, RecordSeconds, bounds
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.output import emit, print_line, print_warnings, watched


def pack(
    paths: Paths,
    out: Annotated[str, typer.Option("-o", "--out", help="The pack to write, a Parquet file.")],
    anonymous: Annotated[
        bool,
        typer.Option(
            "--anonymous",
            help="Replace people by pseudonyms and leave out what they wrote; chains are made anew.",
        ),
    ] = False,
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Put the records under PATHS into one Parquet file, from which each comes back byte for byte.

    A pack holds all that the records hold: of games that go on, hidden information and seeds of dice too.
    """
    from gamelog.archive import pack as put_together

    allowed = bounds(record_seconds, record_memory)
    with watched("packing") as progress:
        done = put_together(paths, out, anonymous=anonymous, jobs=jobs, bounds=allowed, progress=progress)
    if json:
        emit(
            {
                "path": out,
                "records": done.records,
                "left_out": done.left_out,
                "bytes": done.size,
                "unreadable": done.unreadable,
            }
        )
    else:
        print_line(f"{out}: {many(done.records, 'record')} in {many(done.size, 'byte')}.")
        if done.left_out:
            them = "was left out: it" if done.left_out == 1 else "were left out: they"
            print_line(f"{done.left_out:,} {them} cannot be read to the end, or would be judged otherwise.")
    _end(done.unreadable)


def unpack(
    file: Annotated[str, typer.Argument(metavar="PACK", help="A pack.", show_default=False)],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder for the records.")],
    json: Json = False,
) -> None:
    """Write every record of a pack to a file of its own, byte for byte.

    A record whose name some system takes for no file's is called record-N.jsonl; then the status is 1.
    """
    from gamelog.archive import unpack as take_apart

    done = take_apart(file, out)
    if json:
        emit(
            {
                "path": str(out),
                "records": done.records,
                "unreadable": done.unreadable,
                "renamed": done.renamed,
            }
        )
    else:
        print_line(f"{many(done.records, 'record')} in {out}.")
    _end([*done.unreadable, *done.renamed])


def _end(troubles: Sequence[str]) -> None:
    print_warnings(troubles)
    if troubles:
        raise typer.Exit(NOT_VALID)
