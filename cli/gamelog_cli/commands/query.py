"""`gamelog query`: ask an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from gamelog.question_limits import MEMORY, SECONDS, QuestionBounds
from gamelog_cli import completion
from gamelog_cli.arguments import ArchiveFiles, Headings, Json, Memory, PeopleFile, Seconds, parse_pairs
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, print_line, print_table, shown, warn

_SHOWN = 1000
"""Rows of a table on a terminal; nobody reads more."""


def query(
    archive: ArchiveFiles,
    sql: Annotated[
        str | None,
        typer.Argument(
            help="SQL, or the name of a stock question.", metavar="SQL", autocompletion=completion.questions
        ),
    ] = None,
    set_: Annotated[
        list[str],
        typer.Option(
            "--set",
            help="A parameter of the question; rules=1.0, say, or option=NAME=VALUE.",
            metavar="NAME=VALUE",
        ),
    ] = [],
    by: Annotated[
        str | None,
        typer.Option(help="One row of a stock question for each value of this.", metavar="rules|option=NAME"),
    ] = None,
    people: PeopleFile = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Show the tables, their columns, and the stock questions.")
    ] = False,
    format: Annotated[
        Literal["table", "csv", "json", "parquet"],
        typer.Option(
            help="How the answer is written. Text that people wrote is escaped in a table, and as it was "
            "in a CSV file or pipe.",
        ),
    ] = "table",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file to write.")] = None,
    memory: Memory = MEMORY,
    headings: Headings = True,
    seconds: Seconds = SECONDS,
    limit: Annotated[
        int | None,
        typer.Option(help=f"The most rows to show; {_SHOWN:,} by default of a table on a terminal.", min=0),
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Write CSV for programs: text that looks like a formula is not marked, and a file does not "
            "begin with a byte order mark.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Ask an archive in SQL (read-only), or by the name of a stock question.

    A stock question that takes several versions of the rules or values of an option together says so on
    standard error: --by gives a row for each, --set only one of them.

    Several archives are opened side by side: each table has the rows of all and a column "archive", and what
    lies in several of them counts once.
    """
    from gamelog.archive import SubprocessReader

    if json:
        if format not in ("table", "json"):
            usage(f"--json and --format {format} exclude each other; leave one out.")
        format = "json"
    if list_:
        _list(format == "json")
        return
    if sql is None:
        usage("Say what to ask; gamelog query --list --archive FILE shows what there is.")
    if (format == "parquet") > (out is not None):
        usage("Parquet is written to a file: add -o OUT.")
    values = _values(set_, by)
    if limit is None and format == "table" and sys.stdout.isatty():
        limit = _SHOWN
    with SubprocessReader(archive, QuestionBounds(memory, seconds), out=out, people=people) as reader:
        for note in reader.notes(sql, values):
            warn(note)
        if out is not None:
            reader.save(sql, "csv" if format == "table" else format, values, for_spreadsheets=not raw)
            print_line(out)
            return
        answer = reader.ask(sql, values, limit=None if limit is None else limit + 1)
    rows = answer.rows[:limit]
    if format == "json":
        for row in rows:
            emit(dict(zip(answer.columns, row, strict=True)))
    elif format == "csv":
        import csv

        from gamelog.archive.asking.answers import spreadsheet_cell

        writer = csv.writer(sys.stdout, lineterminator="\n")
        # For a program it is data; on a terminal it is looked at.
        cell = shown if sys.stdout.isatty() else str
        marked = (row if raw else map(spreadsheet_cell, row) for row in (answer.columns, *rows))
        writer.writerows([cell(one) if isinstance(one, str) else one for one in row] for row in marked)
    else:
        print_table(answer.columns, rows, headings=headings)
    if len(answer.rows) > len(rows):
        warn(f"There are more rows than these {len(rows):,}; --limit shows more, -o FILE writes all of them.")


def _values(given: list[str], by: str | None) -> dict[str, Any]:
    """The parameters of a question; several options may be given, and `by` is one of them."""
    options = [text.partition("=")[2] for text in given if text.startswith("option=")]
    values: dict[str, Any] = dict(
        parse_pairs([text for text in given if not text.startswith("option=")], "parameter")
    )
    if options:
        values["option"] = options
    if by is not None:
        if by != "rules" and not by.startswith("option="):
            usage(f'--by takes rules, or option=NAME, not "{by}".')
        values["variant"] = by
    return values


def _list(json: bool) -> None:
    from gamelog.archive import TABLES, VIEWS, all_questions

    if json:
        for described in (*TABLES.values(), *VIEWS.values(), *all_questions().values()):
            emit(described)
        return
    for found in (*TABLES.values(), *VIEWS.values()):
        print_line(f"\n{found.name}: {' '.join(found.meaning.split())}")
        for column in found.columns:
            print_line(f"  {column.name:16} {column.sql:12} {column.meaning}")
    print_line("\nStock questions, asked by name:")
    for question in all_questions().values():
        print_line(f"  {question.name}: {question.text}")
        for parameter in question.parameters:
            default = "none" if parameter.default is None else parameter.default
            print_line(f"      --set {parameter.name}=…  {parameter.meaning} ({default} by default)")
