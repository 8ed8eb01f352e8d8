"""`gamelog games`: the installed games, and the records that none of them can judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from gamelog.errors import PlayError, RecordError
from gamelog.message import many
from gamelog.play.contract.registry import Installed, distribution_of, find, installed_games, names
from gamelog.play.fold.start import start
from gamelog.record.envelope import Header
from gamelog_cli.arguments import Headings, Json
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import emit, print_line, print_table


def games(
    check: Annotated[
        list[str],
        typer.Option(
            "--check",
            help="List the records in PATH that no installed game can judge, and show how to change that.",
            metavar="PATH",
            show_default=False,
        ),
    ] = [],
    json: Json = False,
    headings: Headings = True,
) -> None:
    """List the installed games: id, title, numbers and names of seats, rules version, boards and origin."""
    if check:
        _check(check, json)
        return
    rows = [_row(game) for game in installed_games()]
    if json:
        for row in rows:
            emit(row)
        return
    columns = ("id", "title", "seats", "names", "rules", "boards", "from")
    shown = [row | {"title": row["title"] or row["error"]} for row in rows]
    print_table(columns, [[_cell(row[name]) for name in columns] for row in shown], headings=headings)


def _cell(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _row(entry: Installed) -> dict[str, str | list[int] | list[str] | None]:
    """Return the members of a game. ``names`` are its seats with the largest number of players."""
    game = entry.game
    return {
        "id": entry.name,
        "title": game.title if game else None,
        "seats": sorted(game.seats) if game else None,
        "names": list(game.seats[max(game.seats)]) if game else None,
        "rules": game.rules_version if game else None,
        "boards": list(game.boards) if game else None,
        "from": entry.origin,
        "error": entry.error,
    }


def _check(paths: list[str], json: bool) -> None:
    """Print which records no installed game can judge. If there are any, exit with status 1."""
    reasons: dict[tuple[str, str, str], dict[str, str]] = {}
    counts = Counter[tuple[str, str, str]]()
    judged = unread = 0
    for place, header in _headers(paths):
        if header is None:
            unread += 1
            continue
        why = _problem(header)
        judged += why is None
        if why is not None:
            key = header.game, header.rules, why
            counts[key] += 1
            reasons.setdefault(key, {"example": place, "why": why, "do": _remedy(header)})
    for (game, rules, why), row in reasons.items():
        count = counts[game, rules, why]
        if json:
            emit({"game": game, "rules": rules, "records": count, **row})
        else:
            print_line(
                f"{many(count, 'record')} of {game}, rules {rules} ({row['example']}): {row['why']} "
                f"{row['do']}"
            )
    if not json:
        print_line(f"The installed games can judge {many(judged, 'record')}.")
        if unread:
            print_line(f"{many(unread, 'file')} cannot be read. To see why, run: gamelog validate PATH")
    if reasons:
        raise typer.Exit(NOT_VALID)


def _headers(paths: list[str]) -> Iterator[tuple[str, Header | None]]:
    """Yield the place of each record and its header, or None if the record cannot be read."""
    from gamelog.archive import find_items, read_records

    for item, record in read_records(find_items(paths)):
        yield item.place, None if isinstance(record, RecordError) else record.header


def _problem(header: Header) -> str | None:
    """Return why no installed game can judge a record with this header, or None if one can."""
    try:
        start(find(header.game, header.rules), header)
    except PlayError as error:
        return text_of(error.message)
    return None


def _remedy(header: Header) -> str:
    """Return an instruction to make records with this header judged."""
    if header.game not in names():
        return "Install the distribution that contains the game."
    try:
        current = find(header.game)
    except PlayError:
        return "Repair the distribution, or install another version of it."
    if current.rules_version == header.rules:
        return "Install the version of the distribution with which they were played."
    place = f'"{header.game}@{header.rules}" = "{header.game}.v{header.rules.replace(".", "_")}:GAME"'
    return f"Keep the code of these rules in {distribution_of(current)}, and also register it: {place}."
