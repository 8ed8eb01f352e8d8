"""`gamelog index`: bring an archive up to date."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from gamelog_cli.arguments import Archive, Jobs, Json, Paths, Scheduler
from gamelog_cli.output import emit, say, watched


def index(
    paths: Paths,
    archive: Archive,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    again: Annotated[bool, typer.Option("--again", help="Judge unchanged files too.")] = False,
    json: Json = False,
) -> None:
    """Add what is new under PATHS to the archive, and let go what has vanished there."""
    from gamelog.archive import cluster
    from gamelog.archive import index as bring_up_to_date
    from gamelog.archive.remarks import left_out

    with cluster(scheduler) if scheduler else nullcontext((None, jobs)) as (executor, workers), watched("indexing") as watch:
        done = bring_up_to_date(paths, archive, jobs=workers, executor=executor, again=again, watch=watch)
    if json:
        emit(done)
    else:
        say(
            f"{archive}: {done.new} new, {done.changed} changed, {done.same} as before, {done.gone} gone; "
            f"records: {done.records}, counted: {done.counted}."
        )
        for note in left_out(done.copies, done.forks):
            say(note)
