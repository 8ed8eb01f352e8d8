"""In which places seats end, and with what payoffs, where a game says so."""

from __future__ import annotations

from gamelog.message import many
from gamelog_reports.report.section import Section, table
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_GAMES

HEADS = {"players": "players", "seat": "seat", "games": "games"}
PLACES = {"first": "first", "last": "last", "place": "mean place"}


def standings_section(source: Source) -> Section:
    """Where does each seat end?"""
    title = "Places and payoffs"
    rows = source.ask("standings")
    if not rows:
        return Section(title, ("No game says more of its end than who has won.",))
    told = [
        row
        | {"place": _mean(row["games"], row["place_mean"], row["place_error"])}
        | {"payoff": _mean(row["games"], row["payoff_mean"], row["payoff_error"])}
        for row in rows
    ]
    placed = any(row["place_mean"] is not None for row in rows)
    paid = any(row["payoff_mean"] is not None for row in rows)
    columns = HEADS | (PLACES if placed else {}) | ({"payoff": "mean payoff"} if paid else {})
    says = ["After ± stands half of the 95 % interval of the mean."]
    if placed:
        says.insert(0, "Place 1 is the first; who is tied is in the same place.")
    if min(row["games"] for row in rows) < MIN_GAMES:
        says.append(f"Means of fewer than {many(MIN_GAMES, 'game')} are not shown.")
    return Section(title, tuple(says), tables=(table(told, columns, folded=False),))


def _mean(games: int, mean: float | None, error: float | None) -> str:
    """A mean with half of its 95 % interval; nothing where games are too few to say, or there is none."""
    if mean is not None and error is not None and games >= MIN_GAMES:
        return f"{mean:.2f} ± {1.96 * error:.2f}"
    return ""
