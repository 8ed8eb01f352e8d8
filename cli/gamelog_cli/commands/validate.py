"""`gamelog validate`: judge records."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec import structs

from gamelog.errors import BrokenGame, GamelogError, NotReadable, ReadFailed, UnknownGame
from gamelog.finding import Finding
from gamelog.message import Message, verbatim, with_names
from gamelog.play.contract.outcome import Outcome, result_message
from gamelog.play.contract.registry import find, has_foreign_game
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import Verdict, unreadable_verdict
from gamelog.play.judging.verdict import validate as judge
from gamelog.play.judging.verdict import verdict as judgement
from gamelog.record.discovery import ENDINGS
from gamelog.record.reading import parse_record
from gamelog_cli.arguments import (
    ChosenLanguage,
    Jobs,
    Json,
    NoFallback,
    RecordMemory,
    RecordSeconds,
    Scheduler,
    limits,
)
from gamelog_cli.exits import NOT_VALID, USAGE
from gamelog_cli.named_record import STANDARD_INPUT, read_named, standard_input
from gamelog_cli.printing.language import counted_events, current_language, text_of, use_game, word_of
from gamelog_cli.printing.output import emit, print_coloured, print_line, print_warning, progress_bar

if TYPE_CHECKING:
    from gamelog.archive import RecordLimits

OpenExecutor = Callable[[], AbstractContextManager[tuple[Executor, int]]]
"""Function that lends the workers of a cluster."""

_UNREADABLE, _NOT_READ = "unreadable", "not read"
"""Words for a path without a status: it cannot be read, or the disk, the network or the store failed."""

_COLOURS = {
    **dict.fromkeys(("ok", "ruled"), "green"),
    **dict.fromkeys(("disputed", "unknown", "warning", _NOT_READ), "yellow"),
    "error": "red",
}
"""Colours of statuses and severities on a terminal. The other statuses are bold and red."""


def validate(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Records, folders of records, packs, URLs of any of these, or - for standard input.",
            show_default=False,
        ),
    ],
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    no_fallback: NoFallback = False,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    _language: ChosenLanguage = None,
    json: Json = False,
) -> None:
    """Judge records: their bytes, play and results."""
    counts: dict[str, int] = {}
    faults = Counter[str]()
    allowed = limits(record_seconds, record_memory)
    open_executor = (
        partial(_cluster, scheduler, limits=allowed, fallback=not no_fallback) if scheduler else None
    )
    with (
        _verdicts(paths, jobs, open_executor, allowed) as (total, verdicts),
        progress_bar("validating") as show,
    ):
        for done, verdict in enumerate(verdicts, 1):
            status = _status(verdict)
            counts[status] = counts.get(status, 0) + 1
            faults.update({_label(finding) for finding in verdict.findings})
            show(done, total)
            if json:
                emit(verdict)
            elif total == 1 or verdict.findings:
                print_verdict(verdict)
    if not counts:
        text = "No records found. Names of records end with .jsonl, .jsonl.zst or .gamelog.parquet."
        print_line(Message(text))
    elif not json and total > 1:
        for label, number in faults.most_common():
            if number > 1:
                print_line(Message.of("{=label}: {n} {n:record|records}", label=label, n=number))
        each = ", ".join(f"{number} {word_of(status)}" for status, number in sorted(counts.items()))
        text = "{=count} {n:record|records}: {=each}."
        print_line(Message.of(text, count=f"{total:,}", n=total, each=each))
    if _UNREADABLE in counts:
        raise typer.Exit(USAGE)
    if set(counts) - {"ok", "ruled"}:
        raise typer.Exit(NOT_VALID)


def _label(finding: Finding) -> str:
    """Return the rule that a finding names, or else its code."""
    return finding.rule or finding.code


def _cluster(
    scheduler: str, limits: RecordLimits, fallback: bool
) -> AbstractContextManager[tuple[Executor, int]]:
    from gamelog.archive import cluster

    return cluster(scheduler, limits=limits, fallback=fallback, say=print_warning)


@contextmanager
def _verdicts(
    paths: list[str], jobs: int | None, open_executor: OpenExecutor | None, allowed: RecordLimits
) -> Iterator[tuple[int, Iterator[Verdict]]]:
    """Yield the number of records and their verdicts, standard input first.

    A single file is judged without the archive's modules, because they take long to import.
    """
    given = [path for path in paths if path != STANDARD_INPUT]
    if len(given) < len(paths):
        first = _judge_standard_input(allowed)
        if not given:
            yield 1, iter([first])
            return
        with _verdicts(given, jobs, open_executor, allowed) as (total, others):
            yield total + 1, chain([first], others)
        return
    if (
        len(paths) == 1
        and open_executor is None
        and not has_foreign_game()
        and paths[0].endswith(ENDINGS)
        and os.path.isfile(paths[0])
    ):
        yield 1, map(judge, paths)
        return
    from gamelog.archive import absolute_paths, find_items, verdicts

    with open_executor() if open_executor else nullcontext((None, jobs)) as (executor, workers):
        items = find_items(absolute_paths(paths) if executor else paths)
        yield len(items), verdicts(items, workers, executor, allowed)


def _judge_standard_input(allowed: RecordLimits) -> Verdict:
    """Return the verdict on the record on standard input.

    If games are installed, the record is first saved to a file, so that another process can judge it, which
    can be stopped.
    """
    try:
        data = standard_input()
    except NotReadable as error:
        return unreadable_verdict(STANDARD_INPUT, error)
    if not has_foreign_game():
        return judgement(fold_record(parse_record(data, STANDARD_INPUT)))
    from tempfile import TemporaryDirectory

    from gamelog.archive import find_items, verdicts

    with TemporaryDirectory() as folder:
        file = Path(folder, "standard-input.jsonl")
        file.write_bytes(data)
        (verdict,) = verdicts(find_items([file]), limits=allowed)
    return structs.replace(verdict, path=STANDARD_INPUT)


def _result(verdict: Verdict, outcome: Outcome) -> Message:
    """Return the winners or a draw, and the reason, in the words of the game if it is installed here."""
    with suppress(UnknownGame, BrokenGame):
        if verdict.game is not None:
            use_game(find(verdict.game))
    return with_names(result_message(outcome), lambda seat: verdict.people.get(seat) or seat)


def _status(verdict: Verdict) -> str:
    """Return the status of a record, or a short text if the path has no status."""
    failed = any(finding.code == ReadFailed.code for finding in verdict.findings)
    return verdict.status or (_NOT_READ if failed else _UNREADABLE)


def _findings_with_templates(verdict: Verdict) -> Sequence[Finding]:
    """Return the findings of a verdict with their templates, as far as the language in use needs them.

    A verdict has English sentences only, so the record is judged again. Records of installed games are not,
    because their code runs in processes of its own.
    """
    if current_language() == "en" or has_foreign_game() or not verdict.findings:
        return verdict.findings
    try:
        folded = fold_record(read_named(Path(verdict.path)))
    except GamelogError as error:
        messages = {str(error.clause): error.clause}
    else:
        if folded.fold:
            use_game(folded.fold.game)
        messages = {finding.text: finding.message for finding in folded.findings}
    return [finding.with_message(messages.get(finding.text, finding.message)) for finding in verdict.findings]


def print_verdict(verdict: Verdict) -> None:
    """Print a verdict for people: one line, and one or two for each finding."""
    status = word_of(_status(verdict))
    parts = [verbatim(status)]
    if verdict.events is not None:
        parts.append(counted_events(verdict.events))
    if verdict.outcome:
        result = _result(verdict, verdict.outcome)
        parts.append(Message.of("won by {result}", result=result) if verdict.outcome.winners else result)
    elif verdict.finished is False:
        parts.append(Message.of("not finished"))
    colour = _COLOURS.get(_status(verdict), "bold red")
    print_coloured(f"{verdict.path}: {', '.join(map(text_of, parts))}", status, colour, len(verdict.path))
    for finding in _findings_with_templates(verdict):
        severity = text_of(Message(finding.severity))
        print_coloured(f"  {_finding_text(finding)}", severity, _COLOURS[finding.severity])
        if finding.legal:
            legal = msgspec.json.encode(finding.legal[0]).decode()
            text = "legal instead: {=event}"
            if len(finding.legal) > 1:
                text = "legal instead: {=event} and {n} more"
            more = Message.of(text, event=legal, n=len(finding.legal) - 1)
            print_line(f"    {text_of(more)}")


def _finding_text(finding: Finding) -> str:
    """Return a finding in words, with its rule and code."""
    text = "{severity}: {problem}"
    if finding.n and finding.offset is not None:
        text = "{severity}: event {n}, byte {offset}: {problem}"
    elif finding.n:
        text = "{severity}: event {n}, {problem}"
    elif finding.offset is not None:
        text = "{severity}: byte {offset}: {problem}"
    said = Message.of(
        text,
        severity=Message(finding.severity),
        n=finding.n,
        offset=finding.offset,
        problem=finding.message,
    )
    rule = f" [{finding.rule}]" if finding.rule else ""
    return f"{text_of(said)}{rule} ({finding.code})"
