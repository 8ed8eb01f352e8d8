"""`gamelog query`: query an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from gamelog.question_limits import MEMORY, SECONDS, QuestionLimits
from gamelog_cli import completion
from gamelog_cli.arguments import (
    ArchiveFiles,
    Headings,
    Json,
    Memory,
    PeopleFile,
    Raw,
    Seconds,
    parse_pairs,
)
from gamelog_cli.exits import usage
from gamelog_cli.printing.answers import print_rows
from gamelog_cli.printing.output import emit, print_line, warn

_DEFAULT_ROWS = 1000
"""Default maximum number of rows of a table on a terminal."""


def query(
    archive: ArchiveFiles,
    sql: Annotated[
        str | None,
        typer.Argument(
            help="A query in SQL, or the name of a stock question.",
            metavar="SQL",
            autocompletion=completion.complete_questions,
        ),
    ] = None,
    set_: Annotated[
        list[str],
        typer.Option(
            "--set",
            help="A parameter of the stock question, for example rules=1.0 or option=NAME=VALUE.",
            metavar="NAME=VALUE",
        ),
    ] = [],
    by: Annotated[
        list[str],
        typer.Option(
            help="Answer the stock question once for each version of the rules, or each value of an option.",
            metavar="rules|option=NAME",
        ),
    ] = [],
    people: PeopleFile = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the tables with their columns, and the stock questions.")
    ] = False,
    format: Annotated[
        Literal["table", "csv", "json", "parquet"],
        typer.Option(
            help=(
                "Output format. Tables show control characters in names and notes as escapes. "
                "CSV files and pipes contain them unchanged."
            ),
        ),
    ] = "table",
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Output file.")] = None,
    memory: Memory = MEMORY,
    headings: Headings = True,
    seconds: Seconds = SECONDS,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"Maximum number of rows. Default: {_DEFAULT_ROWS:,} for a table on a terminal, "
            "otherwise all.",
            min=0,
        ),
    ] = None,
    raw: Raw = False,
    json: Json = False,
) -> None:
    """Query an archive in SQL (read-only), or with the name of a stock question.

    If a stock question combines several versions of the rules or several values of an option, a note on
    standard error reports it. Use --by to separate them, or --set to choose one of them.

    If you give several archives, each table has the rows of all archives and a column "archive". A record
    that is in several archives counts once.
    """
    from gamelog.archive import SubprocessReader, all_questions

    if json:
        if format not in ("table", "json"):
            usage(f"--json and --format {format} exclude each other. Leave one of them out.")
        format = "json"
    if list_:
        _list(format == "json")
        return
    if sql is None:
        usage("Type a query. To list tables and stock questions, run: gamelog query --archive FILE --list")
    if format == "parquet" and out is None:
        usage("Parquet is written to a file only: add -o OUT.")
    values = _values(set_, by)
    if limit is None and format == "table" and sys.stdout.isatty():
        limit = _DEFAULT_ROWS
    with SubprocessReader(archive, QuestionLimits(memory, seconds), out=out, people=people) as reader:
        for note in reader.notes(sql, values):
            warn(note)
        if out is not None:
            reader.save(sql, "csv" if format == "table" else format, values, for_spreadsheets=not raw)
            print_line(out)
            return
        answer = reader.ask(sql, values, limit=None if limit is None else limit + 1)
    rows = answer.rows[:limit]
    assert format != "parquet"  # which has a file
    question = all_questions().get(sql.strip())
    print_rows(
        answer.columns, rows, format, parts=question.table if question else (), raw=raw, headings=headings
    )
    if len(answer.rows) > len(rows):
        warn(f"Only {len(rows):,} rows are shown. To show more, add --limit N. To save all, add -o FILE.")


def _values(given: list[str], by: list[str]) -> dict[str, Any]:
    """Return the parameters of a stock question: those given with --set, and `by`, which is given once."""
    options = [text.partition("=")[2] for text in given if text.startswith("option=")]
    values: dict[str, Any] = dict(
        parse_pairs([text for text in given if not text.startswith("option=")], "parameter")
    )
    if options:
        values["option"] = options
    if len(by) > 1:
        usage(
            f"--by can be given only once, but you gave {' and '.join(by)}. Use --by for one of them, and "
            "choose a value of the other with --set."
        )
    for variant in by:
        if variant != "rules" and not variant.startswith("option="):
            usage(f'--by cannot be "{variant}". Use --by rules or --by option=NAME.')
        values["variant"] = variant
    return values


def _list(json: bool) -> None:
    """Print the tables, views and stock questions."""
    from gamelog.archive import TABLES, VIEWS, all_questions

    if json:
        for described in (*TABLES.values(), *VIEWS.values(), *all_questions().values()):
            emit(described)
        return
    for table in (*TABLES.values(), *VIEWS.values()):
        print_line(f"\n{table.name}: {' '.join(table.meaning.split())}")
        for column in table.columns:
            print_line(f"  {column.name:16} {column.sql:12} {column.meaning}")
    print_line("\nStock questions (use the name as the query):")
    for question in all_questions().values():
        print_line(f"  {question.name}: {question.text}")
        for parameter in question.parameters:
            default = "none" if parameter.default is None else parameter.default
            print_line(f"      --set {parameter.name}=…  {parameter.meaning} ({default} by default)")
