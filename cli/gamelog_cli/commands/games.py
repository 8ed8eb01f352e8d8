"""`gamelog games`: what is installed."""

from __future__ import annotations

from gamelog.play.registry import Installed, installed
from gamelog_cli.arguments import Json
from gamelog_cli.output import emit, table


def games(json: Json = False) -> None:
    """List the installed games: id, title, seats, rules version, and where each comes from."""
    rows = [_row(found) for found in installed()]
    if json:
        for row in rows:
            emit(row)
        return
    columns = ("id", "title", "seats", "rules", "boards", "from")
    table(columns, [[row["id"], row["title"] or row["error"], *(row[name] for name in columns[2:])] for row in rows])


def _row(found: Installed) -> dict[str, str | None]:
    game = found.game
    return {
        "id": found.name,
        "title": game.title if game else None,
        "seats": ", ".join(map(str, sorted(game.seats))) if game else None,
        "rules": game.rules_version if game else None,
        "boards": ", ".join(game.boards) if game else None,
        "from": found.origin,
        "error": found.error,
    }
