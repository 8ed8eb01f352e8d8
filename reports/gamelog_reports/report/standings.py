"""The section on places and payoffs, for games that give them."""

from __future__ import annotations

from gamelog_reports.report.section import Section
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_GAMES

HEADS = {"players": "players", "seat": "seat", "games": "games"}
PLACES = {"first": "first", "last": "last", "place": "mean place"}


def standings_section(source: Source) -> Section:
    """Return the section on the places and payoffs of each seat."""
    say = source.say
    title = say("Places and payoffs")
    rows = source.ask("standings")
    if not rows:
        return Section(title, (say("No game gives places or payoffs."),))
    shown = [
        row
        | {"seat": say.word(row["seat"])}
        | {"place": _mean(source, row["games"], row["place_mean"], row["place_error"])}
        | {"payoff": _mean(source, row["games"], row["payoff_mean"], row["payoff_error"])}
        for row in rows
    ]
    placed = any(row["place_mean"] is not None for row in rows)
    paid = any(row["payoff_mean"] is not None for row in rows)
    columns = HEADS | (PLACES if placed else {}) | ({"payoff": "mean payoff"} if paid else {})
    says = [say("The number after ± is half of the 95% interval of the mean.")]
    if placed:
        says.insert(0, say("Place 1 is the best. Tied seats share a place."))
    if min(row["games"] for row in rows) < MIN_GAMES:
        says.append(say("Means of fewer than {n} {n:game|games} are not shown.", n=MIN_GAMES))
    return Section(title, tuple(says), tables=(source.table(shown, columns, folded=False),))


def _mean(source: Source, games: int, mean: float | None, error: float | None) -> str:
    """Return a mean with half of its 95% interval; nothing without a mean or with too few games."""
    if mean is not None and error is not None and games >= MIN_GAMES:
        return f"{source.say.number(mean, 2)} ± {source.say.number(1.96 * error, 2)}"
    return ""
