"""The tables of a league's pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamelog_reports.league_site.source import LeagueSource, Result
from gamelog_reports.report.section import ReportTable, TableCell, table

_SHOWN = 12
"""Number of games to be played that are not folded."""

_WITHOUT_LUCK = ("analysed", "share", "adjusted")
"""The columns about results less luck. They are shown if a person has enough analysed games."""

_ALWAYS = ("points", "games", "wins", "draws", "losses")
"""The columns that the standings have in any league."""


def _heads(source: LeagueSource) -> dict[str, str]:
    """Return the headings of the columns of standings."""
    say = source.say
    return {
        "points": say("points"),
        "games": say("games"),
        "wins": say("wins"),
        "draws": say("draws"),
        "losses": say("losses"),
        "head_to_head": say("head to head"),
        "sonneborn_berger": say("Sonneborn-Berger"),
        "buchholz": say("Buchholz"),
        "difference": say("difference"),
        "score": say("score"),
        "per_game": say("points per game"),
        "forfeits": say("forfeits"),
        "analysed": say("analysed games"),
        "share": say("share of wins in them"),
        "adjusted": say("without luck"),
    }


def standings_table(source: LeagueSource, tie_breaks: Sequence[str], *, all_columns: bool) -> ReportTable:
    """Return the standings with all columns, or with the points and the tie-breaks that have a value."""
    heads = _heads(source)
    used = [
        name for name in tie_breaks if all_columns or any(row[name] is not None for row in source.standings)
    ]
    adjusted = _WITHOUT_LUCK if any(row["adjusted"] is not None for row in source.standings) else ()
    others = [name for name in heads if name not in _WITHOUT_LUCK] if all_columns else _ALWAYS
    names = [*dict.fromkeys(("points", *used, *others, *adjusted))]
    decimals = {
        name: 2 * any(row[name] is not None and row[name] % 1 for row in source.standings) for name in names
    }
    rows: list[dict[str, Any]] = [
        {
            "rank": source.say.number(row["rank"]),
            "player": source.player(row["player"]),
            **{name: source.points(row[name], decimals[name]) for name in names},
        }
        for row in source.standings
    ]
    columns = {"rank": source.say("rank"), "player": source.say("player")}
    return table(rows, columns | {name: heads[name] for name in names}, source.say("Standings"))


def crosstable(source: LeagueSource) -> ReportTable:
    """Return the wins, draws and losses of each person against each other, with a column for each rank."""
    say = source.say
    players = [row["player"] for row in source.standings]
    cells = {
        (row["player"], row["against"]): "–".join(
            source.points(row[name]) for name in ("wins", "draws", "losses")
        )
        for row in source.ask("league_crosstable")
    }
    rows: list[dict[str, TableCell]] = [
        {
            "rank": say.number(number),
            "player": source.player(player),
            **{
                str(column): "×" if player == other else cells.get((player, other), "")
                for column, other in enumerate(players, 1)
            },
        }
        for number, player in enumerate(players, 1)
    ]
    heads = {"rank": say("number"), "player": say("player")}
    return table(rows, heads | {str(n): str(n) for n in range(1, len(players) + 1)}, say("Crosstable"))


def form_table(source: LeagueSource) -> ReportTable:
    """Return the last results of each person."""
    say = source.say
    letters = {"W": say("W"), "D": say("D"), "L": say("L")}
    rows = [
        {
            "player": source.player(row["player"]),
            "form": " ".join(letters[letter] for letter in row["form"]),
            "points": source.points(row["points"]),
        }
        for row in source.ask("league_form")
    ]
    return table(rows, {"player": say("player"), "form": say("form"), "points": say("points")}, say("Form"))


def unplayed_table(source: LeagueSource) -> ReportTable:
    """Return the games that are still to be played."""
    say = source.say
    rows = [
        {
            "round": row["round"] or "",
            "people": " – ".join(map(source.name_of, row["people"])),
            "games": say.number(row["games"]),
        }
        for row in source.ask("league_to_play")
    ]
    heads = {"round": say("round"), "people": say("people"), "games": say("games")}
    heads = {key: head for key, head in heads.items() if any(row[key] for row in rows)}
    return table(rows, heads, say("Games to be played"), shown=_SHOWN)


def games_table(
    source: LeagueSource,
    games: Sequence[Sequence[Result]],
    name: str,
    *,
    of_round: bool = False,
    person: str = "",
    up: str = "",
) -> ReportTable:
    """Return games with links to their pages, and the game if the league has several.

    Args:
        source: The league.
        games: The results of each game.
        name: The name of the table.
        of_round: Whether all are games of one round, which the table then does not repeat.
        person: A person for whom the table has a win, draw or loss, or an empty text.
        up: The way from the page to the site.
    """
    say = source.say
    rows = [
        {
            "day": source.day(game[0].day),
            "round": "" if of_round else game[0].round or "",
            "game": source.game_title(game[0].game) if source.has_several_games and game[0].game else "",
            "people": source.page(game[0].id, source.people_of(game), up),
            "won": _letter(source, game, person),
            "points": " : ".join(source.points(result.points) for result in game),
            "result": ". ".join(filter(None, (source.origin(game[0].result), _reason(source, game[0])))),
        }
        for game in games
    ]
    heads = {
        "day": say("day"),
        "round": say("round"),
        "game": say("game"),
        "people": say("people"),
        "won": "",
        "points": say("points"),
        "result": say("result"),
    }
    return table(rows, {key: head for key, head in heads.items() if any(row[key] for row in rows)}, name)


def _letter(source: LeagueSource, game: Sequence[Result], person: str) -> str:
    """Return the letter of a win, draw or loss of a person in a game, or an empty text."""
    own = next((result for result in game if person and result.person == person), None)
    return "" if own is None else source.say("W" if own.won else "D" if own.drawn else "L")


def _reason(source: LeagueSource, result: Result) -> str:
    """Return the reason of a decision. It is free text, so an anonymous site leaves it out."""
    return "" if source.anonymous else result.reason or ""
