"""`gamelog index`: bring an archive up to date."""

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
    bounds,
)
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.output import emit, print_line, print_warning, print_warnings, watched

if TYPE_CHECKING:
    from gamelog.archive import Update
    from gamelog.archive.indexing.update import RunLog


def index(
    paths: Paths,
    archive: Archive,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    no_fallback: NoFallback = False,
    again: Annotated[bool, typer.Option("--again", help="Judge unchanged files too.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Let records leave that have vanished, though many have.")
    ] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Let all records of a folder leave that is empty now.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Status 1 also for every record that is not valid.")
    ] = False,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    log: Annotated[
        Path | None,
        typer.Option(help="Add a JSON object for each action of the run to this file.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Add what is new under PATHS to the archive, and let go what has vanished there.

    Status 1 when something under PATHS could not be taken: unreadable, damaged, without a header, out of time
    or memory. What failed for no fault of the record's is tried again by the next run, and what the archive
    had of it stays until then. A run that is stopped has kept what it has committed, and the next one goes on
    from there.
    """
    from gamelog.archive import cluster
    from gamelog.archive import index as bring_up_to_date

    allowed = bounds(record_seconds, record_memory)
    with (
        _log(log) as note,
        cluster(scheduler, bounds=allowed, fallback=not no_fallback, say=print_warning)
        if scheduler
        else nullcontext((None, jobs)) as (executor, workers),
        watched("indexing") as progress,
    ):
        done = bring_up_to_date(
            paths,
            archive,
            jobs=workers,
            executor=executor,
            force=again,
            progress=progress,
            bounds=allowed,
            prune=prune,
            allow_empty=allow_empty,
            log=note,
        )
    if json:
        emit(done)
    else:
        _tell(done, archive)
    if done.hidden:
        goes = "goes" if done.hidden == 1 else "go"
        print_warnings(
            [
                f"{many(done.hidden, 'game')} {goes} on in which players hide something: the archive has "
                "only what all of them see, until the game is over and indexed again."
            ]
        )
    if done.not_taken or (strict and done.not_valid):
        raise typer.Exit(NOT_VALID)


def _tell(done: Update, archive: Path) -> None:
    from gamelog.archive.asking.answer_notes import uncounted_records

    print_line(
        f"{archive}: {done.new} new, {done.changed} changed, {done.same} as before, {done.gone} gone; "
        f"{many(done.records, 'record')}, {done.counted:,} counted."
    )
    for note in uncounted_records(done.copies, done.forks):
        print_line(note)
    if done.others:
        print_warnings(
            [
                f"{' and '.join(done.others)}: some records stay as other code of the same version has "
                "judged them, which came "
                "to this archive later; --again judges them by what is installed here."
            ]
        )
    if done.findings:
        print_line(
            "Findings: " + ", ".join(f"{number:,} {code}" for code, number in done.findings.items()) + "."
        )
    if done.not_taken:
        print_line(f"Could not be taken: {done.not_taken}.")
        for one in done.first_not_taken:
            print_line(f"  {one.path}{':' if one.member else ''}{one.member}: {one.message} ({one.code})")
        if done.not_taken > len(done.first_not_taken):
            print_line(
                f"  and {done.not_taken - len(done.first_not_taken)} more; ask: gamelog query findings "
                f"--archive {archive}"
            )


@contextmanager
def _log(path: Path | None) -> Iterator[RunLog]:
    """What notes each action of a run in a file: an object a line, with the run's id, time and seconds."""
    if path is None:
        yield lambda _action, _told: None
        return
    from gamelog_cli.journal import journal

    with journal(path) as note:
        yield note
