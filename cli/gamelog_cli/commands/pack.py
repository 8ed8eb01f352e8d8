"""`gamelog pack` and `gamelog unpack`: many records in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gamelog_cli.arguments import Json, Paths
from gamelog_cli.output import emit, say


def pack(
    paths: Paths,
    out: Annotated[Path, typer.Option("-o", "--out", help="The pack to write, a Parquet file.")],
    json: Json = False,
) -> None:
    """Put the records under PATHS into one Parquet file, from which each comes back byte for byte."""
    from gamelog.archive import pack as put_together

    records = put_together(paths, out)
    if json:
        emit({"path": str(out), "records": records, "bytes": out.stat().st_size})
    else:
        say(f"{out}: {records} records in {out.stat().st_size:,} bytes.")


def unpack(
    file: Annotated[Path, typer.Argument(metavar="PACK", help="A pack.", show_default=False)],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder for the records.")],
    json: Json = False,
) -> None:
    """Write every record of a pack to a file of its own, byte for byte."""
    from gamelog.archive import unpack as take_apart

    records = take_apart(file, out)
    if json:
        emit({"path": str(out), "records": records})
    else:
        say(f"{records} records in {out}.")
