"""The model of the file ``league.toml``."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from msgspec import Struct

from gamelog.archive.schema.league_tables import TieBreak
from gamelog.league.toml_lines import Place
from gamelog.message import Message

Problem = tuple[Place, Message, str]
"""The place of a problem in the file, the problem, and a word that is in its line."""

Decision = Literal["annulled", "forfeit", "result"]


class Points(Struct, forbid_unknown_fields=True, kw_only=True):
    """The points for results.

    Attributes:
        places: For each number of players, the points for the places, from the first.
        draw: Points of each player in a draw; None for the mean of the points for all places.
        walkover: Points for the winner of a walkover and for the others; None for the points of the places.
        ties: Points of players with equal places: the mean of the points for these places, or the best.
    """

    places: dict[int, list[float]]
    draw: float | None = None
    walkover: list[float] | None = None
    ties: Literal["mean", "best"] = "mean"


class Kind(Struct, forbid_unknown_fields=True, kw_only=True):
    """Games that count.

    Attributes:
        boards: Names of the boards that count; None for all.
        players: Numbers of players that count; None for all.
        options: Values that options must have.
    """

    game: str
    boards: list[str] | None = None
    players: list[int] | None = None
    options: dict[str, Any] = {}


class Round(Struct, forbid_unknown_fields=True, kw_only=True):
    """A round.

    Attributes:
        name: Name of the round, and value of the tag of its records, if the league has such a tag.
        first_day: First day (UTC) of its games.
        last_day: Last day (UTC) of its games.
        pairings: The people of each game.
    """

    name: str
    first_day: date | None = None
    last_day: date | None = None
    pairings: list[list[str]] = []


class Correction(Struct, forbid_unknown_fields=True, kw_only=True):
    """A decision of the organiser.

    Attributes:
        decision: The game does not count, is won by forfeit, or has the given places.
        reason: Reason for the decision, for readers.
        record: Id or file of the record; None for a game without a record.
        winner: The person who wins by forfeit.
        people: The people of a forfeit without a record, the winner included.
        places: For a result, the place of each person.
        round: Name of the round, for a game without a record.
        day: Day of the decision, or of a game without a record.
    """

    decision: Decision
    reason: str
    record: str | None = None
    winner: str | None = None
    people: list[str] = []
    places: dict[str, int] = {}
    round: str | None = None
    day: date | None = None


class SeparateGames(Struct, forbid_unknown_fields=True, kw_only=True):
    """Records that look like one game, and are several: their ids or files."""

    records: list[str]


class League(Struct, forbid_unknown_fields=True, kw_only=True):
    """A league.

    Attributes:
        tie_breaks: Tie-breaks, in the order in which they decide.
        places_by: Origin of the places: the game, or the scores of the players who did not win.
        substitutes: The person who gets the result of a seat at which several people decided.
        round_tag: Tag of the records with the name of the round.
        meetings: Number of games that each two people play against each other.
        games: Games that count; empty for all.
        rounds: Rounds, in their order.
        people: Other names and ids of each person, as in a file of aliases.
        newcomers: People who may have no game yet.
        corrections: Decisions of the organiser.
        separate: Records that look like one game, but are several games.
    """

    name: str
    points: Points
    tie_breaks: list[TieBreak] = []
    places_by: Literal["game", "score"] = "game"
    substitutes: Literal["none", "starter", "finisher", "share"] = "none"
    round_tag: str | None = None
    meetings: int | None = None
    games: list[Kind] = []
    rounds: list[Round] = []
    people: dict[str, list[str]] = {}
    newcomers: list[str] = []
    corrections: list[Correction] = []
    separate: list[SeparateGames] = []
