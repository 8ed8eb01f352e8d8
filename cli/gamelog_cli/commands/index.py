"""`gamelog index`: update an archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamelog.message import many
from gamelog_cli.arguments import (
    Archive,
    Jobs,
    Json,
    NoFallback,
    Paths,
    RecordMemory,
    RecordSeconds,
    Scheduler,
    limits,
)
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.printing.output import emit, print_line, print_warning, print_warnings, progress_bar

if TYPE_CHECKING:
    from gamelog.archive import RunLog, Update


def index(
    paths: Paths,
    archive: Archive,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    no_fallback: NoFallback = False,
    again: Annotated[bool, typer.Option("--again", help="Also judge files that have not changed.")] = False,
    prune: Annotated[
        bool,
        typer.Option("--prune", help=("Remove deleted records from the archive, even if many were deleted.")),
    ] = False,
    allow_empty: Annotated[
        bool,
        typer.Option(
            "--allow-empty", help=("If a folder is now empty, remove all its records from the archive.")
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 if any record is not valid.")
    ] = False,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Log file. Each action of the run adds a JSON object to this file.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Add new records to the archive, and remove deleted ones.

    The status is 1 if a record could not be indexed: it is unreadable, damaged or without a header, or
    judging it took too much time or memory. If the record is not the cause, the next run tries again, and the
    archive keeps its rows until then. If you stop a run, the next run continues after the records that are
    done.
    """
    from gamelog.archive import cluster
    from gamelog.archive import index as bring_up_to_date

    allowed = limits(record_seconds, record_memory)
    with (
        _log(log) as note,
        cluster(scheduler, limits=allowed, fallback=not no_fallback, say=print_warning)
        if scheduler
        else nullcontext((None, jobs)) as (executor, workers),
        progress_bar("indexing") as progress,
    ):
        done = bring_up_to_date(
            paths,
            archive,
            jobs=workers,
            executor=executor,
            force=again,
            progress=progress,
            limits=allowed,
            prune=prune,
            allow_empty=allow_empty,
            log=note,
        )
    if json:
        emit(done)
    else:
        _report(done, archive)
    if done.hidden:
        print_warnings(
            [
                f"{many(done.hidden, 'game')} with hidden information {'is' if done.hidden == 1 else 'are'} "
                "not over. The archive has only what all players see. After the end of the game, index the "
                "record again."
            ]
        )
    if done.not_taken or (strict and done.not_valid):
        raise typer.Exit(NOT_VALID)


def _report(done: Update, archive: Path) -> None:
    """Print the results of a run."""
    from gamelog.archive import uncounted_records

    print_line(
        f"{archive}: {done.new} new, {done.changed} changed, {done.same} unchanged, {done.gone} removed; "
        f"{many(done.records, 'record')}, {done.counted:,} counted."
    )
    if done.analyses:
        print_line(f"{many(done.analyses, 'analysis', 'analyses')} of games.")
    for note in uncounted_records(done.copies, done.forks):
        print_line(note)
    if done.others:
        print_warnings(
            [
                f"{' and '.join(done.others)}: some records keep the verdict of other code with the same "
                "version. To judge them with the code that is installed here, add --again."
            ]
        )
    if done.findings:
        print_line(
            "Findings: " + ", ".join(f"{number:,} {code}" for code, number in done.findings.items()) + "."
        )
    if done.not_taken:
        print_line(f"Not indexed: {done.not_taken}.")
        for item in done.first_not_taken:
            print_line(
                f"  {item.path}{':' if item.member else ''}{item.member}: {item.message} ({item.code})"
            )
        if done.not_taken > len(done.first_not_taken):
            print_line(
                f"  and {done.not_taken - len(done.first_not_taken)} more. To list them, run: gamelog query "
                f"findings --archive {archive}"
            )


@contextmanager
def _log(path: Path | None) -> Iterator[RunLog]:
    """Yield a function that adds an action of this run to the log, or does nothing without a log."""
    if path is None:
        yield lambda _action, _members: None
        return
    from gamelog_cli.journal import journal

    with journal(path) as note:
        yield note
