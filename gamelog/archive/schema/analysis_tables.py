"""The archive's tables about analyses of finished games, from files ``NAME.analysis.json`` beside records.

All of these tables are about records, by ``id``. They have rows only if the analysis is of the same version
of the record as the archive has.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

_Id = Annotated[str, "id of the record"]


class AnalysisRow(Struct, kw_only=True):
    """One file of an analysis beside the file of a record.
    The columns from bot on are null if the analysis is not used.
    """

    id: _Id
    path: Annotated[str, "path or URL of the file of the analysis"]
    size: Annotated[int, "size of this file in bytes"]
    mtime_ns: Annotated[
        int,
        "time of the last change of this file, in ns since 1970; for a URL, a fingerprint of the metadata in "
        "its store",
    ]
    used: Annotated[bool, "whether the analysis is used; otherwise a finding about the record has the reason"]
    bot: Annotated[str | None, "bot for which the chances hold: if all seats went on like it"] = None
    fit_games: Annotated[
        int | None, "number of games of this bot against itself that the evaluator is fitted on"
    ] = None
    checked_games: Annotated[int | None, "number of such games outside the fit, for the comparison"] = None
    slope: Annotated[
        float | None, "slope of wins on chances in these games: 1 is right, less is overconfident"
    ] = None
    playouts: Annotated[int | None, "number of games that playouts finished; 0 without swings"] = None
    large: Annotated[int | None, "number of events that are large by the evaluator"] = None
    examined: Annotated[int | None, "number of these events that playouts examined"] = None


class SeatLuckRow(Struct, kw_only=True):
    """One seat of one analysed game. initial + luck + choices + other = result."""

    id: _Id
    seat: Annotated[str, "name of the seat"]
    initial: Annotated[float, "chance of the seat at the start, from 0 to 1"]
    result: Annotated[float, "share of the victory, as in seats"]
    luck: Annotated[float, "sum of the changes of the chance by rolls, undone ones included"]
    choices: Annotated[float, "sum of the changes by decisions of all seats"]
    other: Annotated[float, "sum of the changes by takebacks, rulings, clocks and other events"]
    error: Annotated[float, "standard error of luck and of choices, by playouts; 0 without playouts"]
    feature_luck: Annotated[
        tuple[float, ...], "luck in each feature of the evaluator, for results without luck"
    ]


class ChanceRow(Struct, kw_only=True):
    """The chance of one seat after one event of an analysed game; n is 0 at the start."""

    id: _Id
    n: Annotated[int, "number of the event, 0 for the start"]
    seat: Annotated[str, "name of the seat"]
    chance: Annotated[float, "chance of the seat to win, from 0 to 1, if all seats go on like the bot"]
    change: Annotated[float | None, "change of the chance by this event; null at the start"] = None
    error: Annotated[float, "standard error of the largest chance that playouts measured nearby"]
    cause: Annotated[str, "cause of the change: luck (a roll), choice (a decision) or other"]
    decider: Annotated[str | None, "the seat whose decision caused the change; null if none did"] = None


class SwingRow(Struct, kw_only=True):
    """One turning point of an analysed game: a change of the chances that exceeds its error."""

    id: _Id
    n: Annotated[int, "number of the event"]
    seat: Annotated[str, "the seat whose chance changed most; of equal changes, the one that gained"]
    change: Annotated[float, "change of the chance of this seat, from -1 to 1"]
    error: Annotated[float, "standard error of the change"]
    threshold: Annotated[
        float,
        "size that the change exceeds, so that chance alone gives a turning point in at most one analysis of "
        "twenty",
    ]
    cause: Annotated[str, "cause of the change: luck (a roll), choice (a decision) or other"]
    decider: Annotated[str | None, "the seat whose decision caused the change; null if none did"] = None
    alternative: Annotated[
        str | None, "for a choice, the best other event that was found, as JSON; null if none was"
    ] = None
    alternative_chance: Annotated[float | None, "chance of the decider after this other event"] = None
    alternative_error: Annotated[float | None, "standard error of that chance"] = None
    gain: Annotated[float | None, "that chance minus the chance after the event that was chosen"] = None
    is_better: Annotated[bool | None, "whether the gain exceeds its error"] = None


AnalysisTableRow = AnalysisRow | SeatLuckRow | ChanceRow | SwingRow

ANALYSIS_ROW_TYPES: dict[str, type[AnalysisTableRow]] = {
    "analyses": AnalysisRow,
    "seat_luck": SeatLuckRow,
    "chances": ChanceRow,
    "swings": SwingRow,
}
"""The tables about analyses by name."""
