"""Archives made of a few rows, for which every answer is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import count, groupby
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gamelog.archive import Reader
from gamelog.archive.indexing.store import Store
from gamelog.archive.schema import analysis_tables, tables

from .conftest import begun

TABLE_OF = {row: name for name, row in tables.ROW_TYPES.items()}


def table_of(row: tables.Row) -> str:
    """Return the table to which a row belongs."""
    return TABLE_OF[type(row)]


Ask = Callable[..., list[dict[str, Any]]]

SEATS = ("red", "blue", "green")
"""All seats, for games in which the same bot has every seat."""

BOT = "greedy"
"""Name of the bot."""


class Pile:
    """The rows of a small archive. Its games count by default."""

    def __init__(self) -> None:
        self.rows: list[tables.Row] = []
        self.number = count(1)

    def game(
        self,
        winners: Sequence[str] | None = ("red",),
        seats: Sequence[str] = ("red", "blue"),
        order: Sequence[int] = (),
        **more: Any,
    ) -> str:
        """A game of these seats, whose players are called like them unless `players_` says otherwise; its id.

        `told_` is what else there is to say of a seat, `bots_` are the seats that bots play, as they are called
        in `players_`, or else one bot.
        """
        told = more.pop("told_", {})
        bots = more.pop("bots_", ())
        players = more.pop("players_", [BOT if seat in bots else seat for seat in seats])
        id: str = more.pop("id", f"g{next(self.number):04}")
        sharing = winners or seats
        ended = winners is not None
        self.rows += [
            tables.SeatRow(
                id=id,
                seat=seat,
                position=at,
                turn_order=order[at - 1] if order else at,
                name=str(player),
                player=player,
                won=None if winners is None else seat in winners,
                share=None if winners is None else (seat in sharing) / len(sharing),
                decisions=10,
                thinking=at * 10_000,
                bot=str(player) if seat in bots else None,
                **{"overtakes": 0, "half_way": False, "max_deficit": 0, "max_deficit_at": 0}
                | told.get(seat, {}),
            )
            for at, (seat, player) in enumerate(zip(seats, players, strict=True), 1)
        ]
        game: dict[str, Any] = {
            "id": id, "game": "tug", "rules": "1", "board": "ropes", "players": len(seats), "started": "2026-03-01 20:00:00",
            "dice": "table", "options": Raw(b"{}"), "tags": {}, "status": "ok", "valid": True, "finished": ended,
            "counted": True, "events": 10, "turns": 5, "duration": 600_000, "winners": tuple(winners or ()) if ended else None,
            "reason": "points" if ended else None, "result_by": "play" if ended else None, "gaps": 0, "path": f"/{id}.jsonl",
        }  # fmt: skip
        self.rows.append(tables.GameRow(**game | more))
        return id

    def contest(self, id: str, n: int, won: bool, odds: float = 0.5, **more: Any) -> None:
        """Add a contest of red against blue, with one die each."""
        told: dict[str, Any] = {
            "seat": "red",
            "against": "blue",
            "attack": (1,),
            "defence": (1,),
            "attack_sum": 1,
            "defence_sum": 1,
            "stands": True,
        }
        self.rows.append(tables.ContestRow(id=id, n=n, won=won, odds=odds, **told | more))

    def analysed(self, id: str, *swings: tuple[int, str, float], share: float = 1.0, **more: Any) -> None:
        """Add the analysis of a game of red and blue, with turning points given as (event, seat, change)."""
        told: dict[str, Any] = {"used": True, "bot": BOT, "fit_games": 40, "playouts": 100, "large": 9}
        self.rows.append(
            analysis_tables.AnalysisRow(id=id, path=f"/{id}.analysis.json", size=1, mtime_ns=1, **told | more)
        )
        for seat, result in (("red", share), ("blue", 1 - share)):
            gained = result - 0.5
            told = {"initial": 0.5, "result": result, "luck": gained / 2, "choices": gained / 2, "other": 0.0}
            self.rows.append(
                analysis_tables.SeatLuckRow(id=id, seat=seat, error=0.01, feature_luck=(gained / 4,), **told)
            )
            for n, chance in ((0, 0.5), (1, result)):
                self.rows.append(
                    analysis_tables.ChanceRow(id=id, n=n, seat=seat, chance=chance, error=0.01, cause="luck")
                )
        for n, seat, change in swings:
            self.rows.append(
                analysis_tables.SwingRow(
                    id=id, n=n, seat=seat, change=change, error=0.02, threshold=0.05, cause="luck"
                )
            )

    def stored(self, archive: Path) -> Path:
        """Write an archive of these rows, and return its path."""
        with Store(begun(archive)) as store:
            for name, rows in groupby(sorted(self.rows, key=table_of), table_of):
                store.add(name, [*rows])
        return archive

    def event(
        self, id: str, n: int, kind: str = "pull", seat: str = "red", data: bytes = b"{}", **more: Any
    ) -> None:
        """Add an event that counts."""
        told = {"elapsed_ms": 1000, "chance": False, "stands": True, "slip": False, "turn": 1}
        self.rows.append(tables.EventRow(id=id, n=n, kind=kind, seat=seat, data=Raw(data), **told | more))


@pytest.fixture
def pile() -> Pile:
    return Pile()


@pytest.fixture
def ask(pile: Pile, archive: Path) -> Iterator[Ask]:
    """Return a function that stores the pile at its first use, and asks the archive."""
    with ExitStack() as opened:

        @cache
        def reader() -> Reader:
            return opened.enter_context(Reader(archive if archive.exists() else pile.stored(archive)))

        yield lambda question, **values: reader().ask(question, values).dicts()
