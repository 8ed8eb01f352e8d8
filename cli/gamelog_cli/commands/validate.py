"""`gamelog validate`: judge records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gamelog.errors import NotReadable
from gamelog.play.verify import Verdict
from gamelog.play.verify import validate as judge
from gamelog.record.shelf import records
from gamelog_cli.arguments import Json, Paths
from gamelog_cli.exits import NOT_VALID, USAGE
from gamelog_cli.output import emit, say, watched

BATCH = 32


def validate(
    paths: Paths,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes share the work.")] = 1,
    json: Json = False,
) -> None:
    """Judge every record under PATHS: its bytes, its rules, its result."""
    files = list(records(paths))
    if not files:
        say("No records there: files ending in .jsonl or .jsonl.zst are looked for.")
        return
    counts: dict[str, int] = {}
    unreadable = False
    with watched("validating") as watch:
        for done, verdict in enumerate(_judged(files, jobs), 1):
            counts[verdict.status] = counts.get(verdict.status, 0) + 1
            unreadable |= any(finding.code == NotReadable.code for finding in verdict.findings)
            if json:
                emit(verdict)
            elif len(files) == 1 or verdict.findings:
                say(describe(verdict))
            watch(done, len(files))
    if not json and len(files) > 1:
        say(f"{len(files)} records: " + ", ".join(f"{number} {status}" for status, number in sorted(counts.items())) + ".")
    if unreadable:
        raise typer.Exit(USAGE)
    if set(counts) - {"ok", "ruled"}:
        raise typer.Exit(NOT_VALID)


def _judged(files: list[Path], jobs: int) -> Iterator[Verdict]:
    if jobs == 1 or len(files) == 1:
        yield from map(judge, files)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(jobs))
        yield from pool.map(judge, files, chunksize=min(BATCH, -(-len(files) // jobs)))


def describe(verdict: Verdict) -> str:
    """A verdict for people: one line, and one more for each finding."""
    size = "" if verdict.events is None else f", {verdict.events} events"
    lines = [f"{verdict.path}: {verdict.status}{size}"]
    if verdict.outcome:
        lines[0] += f", won by {' and '.join(verdict.outcome.winners) or 'nobody'} ({verdict.outcome.reason})"
    elif verdict.finished is False:
        lines[0] += ", not finished"
    for finding in verdict.findings:
        where = f"event {finding.n}, " if finding.n else ""
        where += f"byte {finding.offset}: " if finding.offset is not None else ""
        rule = f" [{finding.rule}]" if finding.rule else ""
        lines.append(f"  {finding.severity}: {where}{finding.message}{rule} ({finding.code})")
        if finding.legal:
            legal = msgspec.json.encode(finding.legal[0]).decode()
            more = f" and {len(finding.legal) - 1} more" if len(finding.legal) > 1 else ""
            lines.append(f"    legal was: {legal}{more}")
    return "\n".join(lines)
