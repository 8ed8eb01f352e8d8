"""`gamelog query`: ask an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from gamelog_cli import completion
from gamelog_cli.arguments import Archive, Headings, People, pairs
from gamelog_cli.exits import usage
from gamelog_cli.output import emit, say, shown, spreadsheet_cell, table, warn


def query(
    archive: Archive,
    sql: Annotated[
        str | None,
        typer.Argument(help="SQL, or the name of a stock question.", metavar="SQL", autocompletion=completion.questions),
    ] = None,
    set_: Annotated[
        list[str],
        typer.Option("--set", help="A parameter of the question; rules=1.0, say, or option=NAME=VALUE.", metavar="NAME=VALUE"),
    ] = [],
    by: Annotated[
        str | None,
        typer.Option(help="One row of a stock question for each value of this.", metavar="rules|option=NAME"),
    ] = None,
    people: People = None,
    list_: Annotated[bool, typer.Option("--list", help="Show the tables, their columns, and the stock questions.")] = False,
    format: Annotated[Literal["table", "csv", "json", "parquet"], typer.Option(help="How the answer is written.")] = "table",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file to write.")] = None,
    memory: Annotated[str | None, typer.Option(help="The most memory to use, 512MB say.")] = None,
    headings: Headings = True,
    seconds: Annotated[float | None, typer.Option(help="The most time to take.")] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Leave text in a CSV as it is that a spreadsheet would take for a formula.")
    ] = False,
) -> None:
    """Ask an archive in SQL (read-only), or by the name of a stock question.

    A stock question that takes several versions of the rules or values of an option together says so on standard error:
    --by gives a row for each, --set only one of them.
    """
    from gamelog.archive import Reader

    if list_:
        _list(format == "json")
        return
    if sql is None:
        usage("Say what to ask; gamelog query --list --archive FILE shows what there is.")
    if (format == "parquet") > (out is not None):
        usage("Parquet is written to a file: add -o OUT.")
    values = _values(set_, by)
    with Reader(archive, memory=memory, seconds=seconds, out=out, people=people) as reader:
        for note in reader.notes(sql, values):
            warn(note)
        if out is not None:
            reader.save(sql, "csv" if format == "table" else format, values, for_spreadsheets=not raw)
            say(out)
            return
        answer = reader.ask(sql, values)
    if format == "json":
        for row in answer.dicts():
            emit(row)
    elif format == "csv":
        import csv

        writer = csv.writer(sys.stdout, lineterminator="\n")
        # For a program it is data; on a terminal it is looked at.
        cell = shown if sys.stdout.isatty() else str
        rows = (row if raw else map(spreadsheet_cell, row) for row in answer.rows)
        writer.writerows([cell(one) if isinstance(one, str) else one for one in row] for row in (answer.columns, *rows))
    else:
        table(answer.columns, answer.rows, headings=headings)


def _values(given: list[str], by: str | None) -> dict[str, Any]:
    """The parameters of a question; several options may be given, and `by` is one of them."""
    options = [text.partition("=")[2] for text in given if text.startswith("option=")]
    values: dict[str, Any] = dict(pairs([text for text in given if not text.startswith("option=")], "parameter"))
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
        say(f"\n{found.name}: {' '.join(found.meaning.split())}")
        for column in found.columns:
            say(f"  {column.name:16} {column.sql:12} {column.meaning}")
    say("\nStock questions, asked by name:")
    for question in all_questions().values():
        say(f"  {question.name}: {question.text}")
        for parameter in question.parameters:
            default = "none" if parameter.default is None else parameter.default
            say(f"      --set {parameter.name}=…  {parameter.meaning} ({default} by default)")
