"""`gamelog games`: what is installed."""

from __future__ import annotations

from gamelog.play.contract.registry import Installed, installed
from gamelog_cli.arguments import Headings, Json
from gamelog_cli.output import emit, print_table


def games(json: Json = False, headings: Headings = True) -> None:
    """List the installed games: id, title, seats, rules version, and where each comes from."""
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
