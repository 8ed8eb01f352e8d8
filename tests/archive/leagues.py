"""Random leagues with known strengths. An archive can have many of them, each as a game of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .piles import Pile

COLOURS = ("red", "blue", "green", "gold", "black", "white")

KINDS = ("anybody", "ladder", "clubs", "newcomers")
"""Ways in which people meet."""

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


class League(Struct, frozen=True):
    """A league: the players of each game by number, the final order of the seats, and the known strengths."""

    strengths: Real
    tables: Whole
    orders: Whole
    whole: bool
    """Whether the games give all places, not only the winner."""

    def played(self) -> Whole:
        """Return all people who played."""
        return np.unique(self.tables)


def meetings(rng: np.random.Generator, people: int, players: int, games: int, kind: str) -> Whole:
    """Yield the players of each game: anyone, neighbours in strength, clubs that seldom meet, or newcomers."""
    scores = rng.random((games, people))
    if kind == "ladder":
        places = np.arange(people)
        scores = np.abs(places - rng.integers(0, people, (games, 1))) + 3 * scores
    elif kind == "clubs":
        club = np.arange(people) % 2
        scores = scores + 2 * (club != rng.integers(0, 2, (games, 1))) * (rng.random((games, 1)) > 0.1)
    elif kind == "newcomers":
        scores = scores ** (1 / np.where(np.arange(people) < people // 2, 1.0, 3.0))
    return scores.argsort(axis=1)[:, :players]


def league(
    rng: np.random.Generator,
    players: int,
    *,
    people: int,
    games: int,
    spread: float = 1.0,
    kind: str = "anybody",
    sitting: str = "random",
    seat: float = 0.0,
    whole: bool = False,
) -> League:
    """A league of so many people and games; `spread` is the standard deviation of strengths, `seat` what red adds to them.

    People sit at random, or mostly at seats of their own (``sticky``), or the stronger the earlier (``strong``).
    """
    strengths = rng.normal(0, spread, people)
    if kind == "ladder":
        strengths.sort()
    tables = rng.permuted(meetings(rng, people, players, games, kind), axis=1)
    if sitting != "random":
        own = rng.integers(0, players, people) if sitting == "sticky" else -strengths
        noise = (
            rng.random(tables.shape) * players * 0.6
            if sitting == "sticky"
            else rng.normal(0, spread, tables.shape)
        )
        tables = np.take_along_axis(tables, (own[tables] + noise).argsort(axis=1), axis=1)
    adds = np.zeros(players)
    adds[0] = seat
    orders = (-(strengths[tables] + adds + rng.gumbel(size=tables.shape))).argsort(axis=1)
    return League(strengths, tables, orders, whole)


def index_leagues(leagues: Iterable[tuple[str, League]], archive: Path) -> Path:
    """Return an archive of these leagues by name. The names of people are their numbers."""
    pile = Pile()
    for name, one in leagues:
        seats = COLOURS[: one.tables.shape[1]]
        for line, order in zip(one.tables.tolist(), one.orders.tolist(), strict=True):
            told: dict[str, Any] = (
                {seats[at]: {"place": place} for place, at in enumerate(order, 1)} if one.whole else {}
            )
            pile.game(
                (seats[order[0]],), seats=seats, players_=[str(who) for who in line], game=name, told_=told
            )
    return pile.stored(archive)
