"""The archive's tables about a league: its rules, rounds, people and the organiser's corrections.

They are filled from a file ``league.toml`` (`gamelog.league`). The views and questions about the league read
them together with the records, so new records count without a new run.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Struct

from gamelog.archive.schema.columns import Table, declared_table


class LeagueRow(Struct, kw_only=True):
    """The league, in one row. Without a league, the table is empty."""

    name: Annotated[str, "name of the league"]
    path: Annotated[str, "path of the file that describes the league"]
    places_by: Annotated[
        str,
        "origin of the places: game for the places that the game gives, score to order the seats that did "
        "not win by their scores",
    ] = "game"
    ties: Annotated[
        str, "points of seats with equal places: mean of the points for their places, or best of them"
    ] = "mean"
    draw: Annotated[float | None, "points of each seat in a draw; null if ties decides"] = None
    walkover_win: Annotated[
        float | None, "points for the winner of a walkover; null if places and ties decide"
    ] = None
    walkover_loss: Annotated[float | None, "points for the others in a walkover; null if places decide"] = (
        None
    )
    credit: Annotated[
        str,
        "the person who gets the result of a seat at which several people decided: none, starter, "
        "finisher or share",
    ] = "none"
    round_tag: Annotated[str | None, "tag of the records with the name of the round; null without one"] = None
    meetings: Annotated[
        int | None, "number of games that each two people play against each other; null if not fixed"
    ] = None
    tie_breaks: Annotated[tuple[str, ...], "the tie-breaks, in the order in which they decide"] = ()


class LeagueKindRow(Struct, kw_only=True):
    """One kind of game that counts in the league. Without rows, all games count."""

    game: Annotated[str, "id of the game"]
    boards: Annotated[tuple[str, ...] | None, "names of the boards that count; null for all"] = None
    players: Annotated[tuple[int, ...] | None, "numbers of seats that count; null for all"] = None
    options: Annotated[dict[str, str], "values that options must have, as text"] = {}


class LeaguePointsRow(Struct, kw_only=True):
    """The points for one place in the league's games with one number of seats."""

    players: Annotated[int, "number of seats"]
    place: Annotated[int, "place at the end, from 1"]
    points: Annotated[float, "points for the place"]


class LeagueRoundRow(Struct, kw_only=True):
    """One round of the league that its file lists."""

    position: Annotated[int, "position of the round, from 1"]
    round: Annotated[str, "name of the round"]
    first_day: Annotated[str | None, "first day of the round, UTC; null without dates", "DATE"] = None
    last_day: Annotated[str | None, "last day of the round, UTC; null without dates", "DATE"] = None


class LeaguePairingRow(Struct, kw_only=True):
    """One game that the league's file pairs in a round."""

    position: Annotated[int, "position of the round, from 1"]
    number: Annotated[int, "number of the pairing in its round, from 1"]
    people: Annotated[tuple[str, ...], "the people who play, as in the column person of seats, sorted"]


class LeaguePersonRow(Struct, kw_only=True):
    """One person whom the league's file names."""

    person: Annotated[str, "the person across records, as in seats"]
    player: Annotated[str, "name of the person in answers"]
    names: Annotated[tuple[str, ...] | None, "other names and ids of the person; null if it joins none"] = (
        None
    )
    newcomer: Annotated[bool, "whether the person may have no game yet"] = False


class LeagueCorrectionRow(Struct, kw_only=True):
    """One decision of the organiser about a game of the league. The record stays unchanged."""

    number: Annotated[int, "number of the correction in its file, from 1"]
    record: Annotated[str | None, "id of the record; null for a game without a record"] = None
    kind: Annotated[str, "decision: annulled, forfeit or result"]
    people: Annotated[tuple[str, ...], "the people whose places it gives, as in seats"] = ()
    places: Annotated[tuple[int, ...], "the places of these people, from 1"] = ()
    round: Annotated[str | None, "name of the round, for a game without a record"] = None
    day: Annotated[
        str | None,
        "day of the decision, or of a game without a record; the table of an earlier day ignores it; null "
        "for a decision that always applies",
        "DATE",
    ] = None
    reason: Annotated[str, "reason for the decision"]


LeagueTableRow = (
    LeagueRow
    | LeagueKindRow
    | LeaguePointsRow
    | LeagueRoundRow
    | LeaguePairingRow
    | LeaguePersonRow
    | LeagueCorrectionRow
)

LEAGUE_ROW_TYPES: dict[str, type[LeagueTableRow]] = {
    "league": LeagueRow,
    "league_kinds": LeagueKindRow,
    "league_points": LeaguePointsRow,
    "league_rounds": LeagueRoundRow,
    "league_pairings": LeaguePairingRow,
    "league_people": LeaguePersonRow,
    "league_corrections": LeagueCorrectionRow,
}
"""The tables about a league by name."""

LEAGUE_TABLES: dict[str, Table] = {name: declared_table(name, row) for name, row in LEAGUE_ROW_TYPES.items()}
"""The tables about a league, as data."""

TieBreak = Literal[
    "head_to_head",
    "wins",
    "sonneborn_berger",
    "buchholz",
    "difference",
    "score",
    "per_game",
    "games",
    "forfeits",
]

TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
"""The tie-breaks that a league can use. Each is a column of the standings."""
