"""`gamelog pack` and `gamelog unpack`: many records in one file."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gamelog.message import many
from gamelog_cli.arguments import Jobs, Json, Paths, RecordMemory, RecordSeconds, RecordsPeopleFile, limits
from gamelog_cli.exits import NOT_VALID, usage
from gamelog_cli.printing.output import emit, print_first_warnings, print_line, progress_bar


def pack(
    paths: Paths,
    out: Annotated[
        str, typer.Option("-o", "--out", metavar="PACK", help="Output file for the pack (Parquet).")
    ],
    anonymous: Annotated[
        bool,
        typer.Option(
            "--anonymous",
            help="Replace people with pseudonyms, leave out all text that they wrote, and give the records "
            "new ids and digests.",
        ),
    ] = False,
    people: RecordsPeopleFile = None,
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Put records into one Parquet file. Unpacked records are the same byte for byte.

    A pack contains everything in the records, also hidden information and seeds of games that are not over.
    """
    from gamelog.archive import pack as write_pack

    if people is not None and not anonymous:
        usage("--people works only with --anonymous. Add --anonymous, or leave out --people.")
    allowed = limits(record_seconds, record_memory)
    with progress_bar("packing") as progress:
        done = write_pack(
            paths,
            out,
            anonymous=anonymous,
            people=people,
            jobs=jobs,
            limits=allowed,
            progress=progress,
        )
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
            what = many(done.left_out, "record was left out", "records were left out")
            print_line(f"{what}: damaged, or with another verdict when anonymous.")
    _report_problems(done.unreadable, paths)


def unpack(
    file: Annotated[str, typer.Argument(metavar="PACK", help="A pack.", show_default=False)],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FOLDER", help="Output folder for the records.")
    ],
    json: Json = False,
) -> None:
    """Write every record of a pack to a file of its own, byte for byte.

    If the name of a record is not a valid file name on every system, the file is record-N.jsonl, and the
    status is 1.
    """
    from gamelog.archive import unpack as write_records

    done = write_records(file, out)
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
    _report_problems([*done.unreadable, *done.renamed], [file])


def _report_problems(problems: Sequence[str], paths: Sequence[str]) -> None:
    """Print the first problems of the records under `paths`, and exit with status 1 if there are any."""
    print_first_warnings(problems, command=f"gamelog validate {shlex.join(paths)}")
    if problems:
        raise typer.Exit(NOT_VALID)
