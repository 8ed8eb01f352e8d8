"""`gamelog games`: what is installed, and which records none of it judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from gamelog.errors import PlayError, RecordError
from gamelog.message import many
from gamelog.play.contract.registry import Installed, distribution_of, find, installed, names
from gamelog.play.fold.start import start
from gamelog.record.envelope import Header
from gamelog_cli.arguments import Headings, Json
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.output import emit, print_line, print_table, print_wrapped


def games(
    check: Annotated[
        list[str],
        typer.Option(
            "--check",
            help="Tell which records under PATH no installed game judges, and what to register so that one "
            "does.",
            metavar="PATH",
            show_default=False,
        ),
    ] = [],
    json: Json = False,
    headings: Headings = True,
) -> None:
    """List the installed games: id, title, seats, rules version, and where each comes from."""
    if check:
        _check(check, json)
        return
    rows = [_row(found) for found in installed()]
    if json:
        for row in rows:
            emit(row)
        return
    columns = ("id", "title", "seats", "rules", "boards", "from")
    shown = [row | {"title": row["title"] or row["error"]} for row in rows]
    print_table(columns, [[_cell(row[name]) for name in columns] for row in shown], headings=headings)


def _cell(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _row(found: Installed) -> dict[str, str | list[int] | list[str] | None]:
    game = found.game
    return {
        "id": found.name,
        "title": game.title if game else None,
        "seats": sorted(game.seats) if game else None,
        "rules": game.rules_version if game else None,
        "boards": list(game.boards) if game else None,
        "from": found.origin,
        "error": found.error,
    }


def _check(paths: list[str], json: bool) -> None:
    """Say of which records nobody judges the play. Ends with status 1 where there are any."""
    told: dict[tuple[str, str, str], dict[str, str]] = {}
    counts = Counter[tuple[str, str, str]]()
    judged = unread = 0
    for place, header in _headers(paths):
        if header is None:
            unread += 1
            continue
        why = _unjudged(header)
        judged += why is None
        if why is not None:
            key = header.game, header.rules, why
            counts[key] += 1
            told.setdefault(key, {"example": place, "why": why, "do": _remedy(header)})
    for (game, rules, why), row in told.items():
        count = counts[game, rules, why]
        if json:
            emit({"game": game, "rules": rules, "records": count, **row})
        else:
            print_wrapped(
                f"{many(count, 'record')} of {game}, rules {rules} ({row['example']}): {row['why']} "
                f"{row['do']}"
            )
    if not json:
        rest = f"; {many(unread, 'file')} cannot be read, gamelog validate says why" if unread else ""
        print_line(f"{many(judged, 'record is', 'records are')} judged by what is installed{rest}.")
    if told:
        raise typer.Exit(NOT_VALID)


def _headers(paths: list[str]) -> Iterator[tuple[str, Header | None]]:
    """Where each record lies, and its header; None where it cannot be read."""
    from gamelog.archive import find_items
    from gamelog.archive.sources.items import read_records

    for item, record in read_records(find_items(paths)):
        yield item.place, None if isinstance(record, RecordError) else record.header


def _unjudged(header: Header) -> str | None:
    """Why no installed game judges the play of a record with this header; None where one does."""
    try:
        start(find(header.game, header.rules), header)
    except PlayError as error:
        return str(error)
    return None


def _remedy(header: Header) -> str:
    """What to do so that records with this header are judged."""
    if header.game not in names():
        return "Install the distribution that brings it."
    try:
        current = find(header.game)
    except PlayError:
        return "Mend that distribution, or install another version of it."
    if current.rules_version == header.rules:
        return "Install the version of the distribution that they were played with."
    place = f'"{header.game}@{header.rules}" = "{header.game}.v{header.rules.replace(".", "_")}:GAME"'
    where = distribution_of(current)
    return f"Keep the code of these rules in {where}, and register it beside the new: {place}."
