"""The archive's tables: one struct for each table, with the names, types and meanings of its columns.

The tables with few rows for each record are filled from these structs. The tables of the play have many rows
and are filled column by column. The tables `files` and `findings` are about files, because several files may
hold one record, and some files hold none. All other tables of this module are about records, by ``id``. The
tables about a league are in `gamelog.archive.schema.league_tables`, and those about analyses in
`gamelog.archive.schema.analysis_tables`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Raw, Struct

from gamelog.archive.schema.analysis_tables import ANALYSIS_ROW_TYPES, AnalysisTableRow
from gamelog.archive.schema.columns import Table, declared_table
from gamelog.archive.schema.league_tables import LEAGUE_TABLES

SCHEMA_VERSION = 12
"""Version of this schema. An archive of another version has to be rebuilt from its records."""

Id = Annotated[str, "id of the record"]
N = Annotated[int, "number of the event in its record, from 1"]
"""Type of a column with the number of an event."""
Stands = Annotated[bool, "false if a takeback undid the event"]


class FileRow(Struct, kw_only=True):
    """One record in one file or pack."""

    path: Annotated[str, "absolute path of the file, or its URL"]
    member: Annotated[str, "name of the record in its pack; empty for a record in a file of its own"] = ""
    size: Annotated[
        int | None,
        "size of the file in bytes; -1 until all records of a pack are indexed; null, like head, if the file "
        "has an unfinished game with hidden information, because the size depends on it",
    ]
    mtime_ns: Annotated[
        int,
        "time of the last change of the file, in ns since 1970; for a URL, a fingerprint of the metadata in "
        "its store; 0 if the next run has to read a file without a size again",
    ]
    id: Annotated[str | None, "id of the record; null if its header cannot be read"] = None
    game: Annotated[str | None, "id of the game"] = None
    head: Annotated[
        str | None,
        "digest of the last good line, which identifies the version of the record; null for an unfinished "
        "game with hidden information",
    ] = None
    events: Annotated[int, "number of good event lines"] = 0
    status: Annotated[str, "ok, ruled, disputed, illegal, torn, damaged, unknown or unread"]
    judge: Annotated[
        str,
        "the judge: judge version, distribution with a digest of its code, rules; a different judge judges "
        "the record again, unless it is older",
    ]


class GameRow(Struct, kw_only=True):
    """One record. If several files hold it, the longest valid version."""

    id: Id
    game: Annotated[str, "id of the game"]
    rules: Annotated[str, "version of the rules"]
    board: Annotated[str, "name of the built-in board; 'own' for an embedded one"]
    players: Annotated[int, "number of seats"]
    started: Annotated[str | None, "start of the game, UTC", "TIMESTAMP"] = None
    dice: Annotated[str, "source of chance: table, seeded or commit-reveal"]
    options: Annotated[Raw, "all options of the game, with defaults filled in"]
    tags: Annotated[dict[str, str], "tags of the header, with later corrections"]
    status: Annotated[str, "ok, ruled, disputed, illegal, torn, damaged or unknown"]
    valid: Annotated[bool, "whether the status is ok or ruled"]
    finished: Annotated[bool | None, "whether the game ended; null if unknown"] = None
    counted: Annotated[
        bool,
        "whether the stock questions use it: valid, not forked, not a copy, and not a branch of a record in "
        "the archive",
    ] = False
    copy_of: Annotated[
        str | None,
        "id of the record that counts instead, if this one is a copy: the same people on neighbouring days, "
        "with the same or a longer play",
    ] = None
    parent: Annotated[str | None, "id of the record that this branch continues"] = None
    events: Annotated[int, "number of events, without slips and their corrections"]
    turns: Annotated[
        int | None,
        "number of turns; null, like all columns below, if the record could not be folded to its end",
    ] = None
    chances: Annotated[int | None, "number of events with dice or draws, without undone ones"] = None
    unit: Annotated[str | None, "unit of the score, as the game names it: points, territories"] = None
    duration: Annotated[int | None, "time of play up to its last event, without pauses, in ms"] = None
    winners: Annotated[
        tuple[str, ...] | None, "seats that share the victory; empty for a draw; null while unfinished"
    ] = None
    reason: Annotated[str | None, "reason for the end, as the game names it"] = None
    result_by: Annotated[
        str | None,
        "origin of the result: play, resignation, agreement, ruling, or walkover if one of the last "
        "three came before two seats had decided anything; null while unfinished",
    ] = None
    gaps: Annotated[
        int | None,
        "number of declared positions that replace moves that were not recorded, without undone ones",
    ] = None
    play: Annotated[
        str | None,
        "digest of the play; two score sheets of one game have the same; null, like beginning and head, for "
        "an unfinished game with hidden information",
    ] = None
    beginning: Annotated[
        str | None, "digest of the first 4 decisions, dice and draws; null if the play has fewer"
    ] = None
    head: Annotated[str | None, "digest of the last good line"] = None
    path: Annotated[str, "file from which the record was read"]
    member: Annotated[str, "name of the record in its pack; empty for a record in a file of its own"] = ""


class SeatRow(Struct, kw_only=True):
    """One seat of one record."""

    id: Id
    seat: Annotated[str, "name of the seat"]
    position: Annotated[int, "position round the table, from 1"]
    turn_order: Annotated[
        int | None, "rank by first turn: 1 for the seat that acted first; null if the seat never acted"
    ] = None
    name: Annotated[str, "name of the last person at the seat, with corrections"] = ""
    same_name: Annotated[
        str, "the name for comparison: composed Unicode, without case, with single spaces"
    ] = ""
    key: Annotated[
        str | None,
        "the person, from this record alone: id:, bot: or name:, followed by the id, bot or same_name",
    ] = None
    person: Annotated[
        str | None,
        "the person across records: the key, or the key of the id, if exactly one id goes with the name",
    ] = None
    player: Annotated[
        str | None,
        "name of that person in answers: the id, otherwise the bot, otherwise the most frequent spelling of "
        "the name",
    ] = None
    bot: Annotated[str | None, "name of the bot that plays"] = None
    sitters: Annotated[
        int,
        "number of people who sat there, one after another; if several, the table stays has a row for each",
    ] = 1
    won: Annotated[bool | None, "whether the seat is among the winners; null while unfinished"] = None
    share: Annotated[
        float | None,
        "share of the victory: 1 for the only winner, 0.5 for one of two, 0 for a loss, 1 / players for a "
        "draw",
    ] = None
    place: Annotated[
        int | None, "place at the end, from 1, equal for ties; null if the game gives no places"
    ] = None
    payoff: Annotated[float | None, "payoff, in the unit of the game; null if the game gives no payoffs"] = (
        None
    )
    team: Annotated[str | None, "name of the team; null if the seat has no team"] = None
    score: Annotated[int | None, "score at the end"] = None
    overtakes: Annotated[int | None, "number of times the seat took the lead from another seat"] = None
    half_way: Annotated[
        bool | None, "whether the seat alone had the most points after half of the events"
    ] = None
    max_deficit: Annotated[int | None, "largest distance to the highest score, in points"] = None
    max_deficit_at: Annotated[
        int | None, "number of the event after which that distance was first reached, 0 for the start"
    ] = None
    decisions: Annotated[int | None, "number of decisions, without undone ones"] = None
    thinking: Annotated[int | None, "thinking time of these decisions, in ms"] = None


class StayRow(Struct, kw_only=True):
    """One person at a seat at which several people sat, one after another.
    The view sittings also has the seats at which one person sat all the time.
    """

    id: Id
    seat: Annotated[str, "name of the seat"]
    from_n: Annotated[int, "number of the first event at which the person sat there, 0 for the start"]
    to_n: Annotated[
        int | None, "number of the last event at which the person sat there; null if they stayed to the end"
    ] = None
    name: Annotated[str, "name of the person when they left, with corrections"] = ""
    same_name: Annotated[
        str, "the name for comparison: composed Unicode, without case, with single spaces"
    ] = ""
    key: Annotated[str | None, "the person, from this record alone, as in seats"] = None
    person: Annotated[str | None, "the person across records, as in seats"] = None
    player: Annotated[str | None, "name of that person in answers, as in seats"] = None
    bot: Annotated[str | None, "name of the bot that plays"] = None
    decisions: Annotated[int, "number of their decisions, without undone ones"] = 0
    thinking: Annotated[int, "thinking time of these decisions, in ms"] = 0


class EventRow(Struct, kw_only=True):
    """One event of a record that can be folded to its end."""

    id: Id
    n: N
    elapsed_ms: Annotated[
        int,
        "time of play since the last event of play, without pauses, in ms; the sum is the time of play; 0 "
        "if the event is not play",
    ]
    seat: Annotated[str, "author of the event ('by' in the record): a seat, table or arbiter"]
    kind: Annotated[str, "kind of event ('do' in the record); common events begin with @"]
    chance: Annotated[bool, "whether the event records dice or draws"]
    stands: Stands
    slip: Annotated[
        bool,
        "whether the event is a slip, which was never played, or the takeback that corrects one; such "
        "events are in no other table",
    ]
    turn: Annotated[int | None, "number of its turn, from 1; null if undone"] = None
    decision: Annotated[
        int | None,
        "number of the decision among the decisions of the seat, from 1; null if undone or not a decision",
    ] = None
    data: Annotated[Raw, "the members of the event, without do, n, t and by"]


class TurnRow(Struct, kw_only=True):
    """One turn: the events after the end of the turn before, up to its own end, without undone ones."""

    id: Id
    turn: Annotated[int, "number of the turn, from 1"]
    n: Annotated[int, "number of its first event"]
    seat: Annotated[str | None, "the seat that decided in the turn; null if several did, or none"] = None
    elapsed_ms: Annotated[int, "time of play, without pauses, in ms"]


class RollRow(Struct, kw_only=True):
    """Dice that were thrown together. Undone throws are included, because the dice fell.
    Slips are left out, because these dice were never thrown.
    """

    id: Id
    n: N
    seat: Annotated[str | None, "seat whose dice they are; null if they belong to no seat"] = None
    sides: Annotated[int, "number of sides of each die"]
    faces: Annotated[tuple[int, ...], "faces of the dice, in recorded order"]
    stands: Stands


class CorrectedRollRow(Struct, kw_only=True):
    """Dice of an event that was corrected as a slip. By the record, these dice were never thrown, so they are
    in no other table.
    """

    id: Id
    n: N
    seat: Annotated[str | None, "seat whose dice they are; null if they belong to no seat"] = None
    sides: Annotated[int, "number of sides of each die"]
    faces: Annotated[tuple[int, ...], "faces of the dice, in recorded order"]


class ContestRow(Struct, kw_only=True):
    """One contest: two sums that were compared."""

    id: Id
    n: N
    seat: Annotated[str, "the attacking seat"]
    against: Annotated[str | None, "the defending seat; null if there is none"] = None
    place: Annotated[str | None, "place on the board"] = None
    attack: Annotated[tuple[int, ...], "dice and values of the attacker"]
    defence: Annotated[tuple[int, ...], "dice and values of the defender"]
    attack_sum: Annotated[int, "sum of the attack"]
    defence_sum: Annotated[int, "sum of the defence"]
    won: Annotated[bool, "whether the attacker won"]
    odds: Annotated[float, "exact probability, before the roll, that the attacker would win"]
    stands: Stands


class ScoreRow(Struct, kw_only=True):
    """The score of a seat after an event that changed it; n is 0 at the start.
    Penalties are included, and undone events are left out.
    """

    id: Id
    n: Annotated[int, "number of the event, 0 for the start"]
    seat: Annotated[str, "name of the seat"]
    score: Annotated[int, "score of the seat after the event"]
    leader_score: Annotated[int, "highest score of any seat at that moment"]
    leader: Annotated[str | None, "the seat that alone has the highest score; null if several have it"] = None


class FactRow(Struct, kw_only=True):
    """One consequence that the game computed, such as a capture, an income or the end of a turn."""

    id: Id
    n: N
    kind: Annotated[str, "kind of consequence, as the game names it"]
    seat: Annotated[str | None, "the seat that it affects, or the seat that caused it"] = None
    place: Annotated[str | None, "place on the board"] = None
    count: Annotated[int | None, "number that the game gives, for example of pieces"] = None
    stands: Stands
    data: Annotated[Raw, "all members of the consequence"]


class FindingRow(Struct, kw_only=True):
    """One finding of a judge about a file."""

    path: Annotated[str, "path or URL of the file"]
    member: Annotated[str, "name of the record in its pack; empty for a record in a file of its own"] = ""
    id: Annotated[str | None, "id of the record, if known"] = None
    n: Annotated[int | None, "number of the event; null if the finding is about the file"] = None
    byte_offset: Annotated[int | None, "position of the event's line in the file, in bytes"] = None
    code: Annotated[str, "code of the finding, the same in all releases"]
    severity: Annotated[str, "error or warning"]
    rule: Annotated[str | None, "id of the rule that was broken"] = None
    message: Annotated[str, "the finding as a sentence"]


Row = (
    FileRow
    | GameRow
    | SeatRow
    | StayRow
    | EventRow
    | TurnRow
    | RollRow
    | CorrectedRollRow
    | ContestRow
    | ScoreRow
    | FactRow
    | FindingRow
    | AnalysisTableRow
)

ROW_TYPES: dict[str, type[Row]] = {
    "games": GameRow,
    "seats": SeatRow,
    "stays": StayRow,
    "events": EventRow,
    "turns": TurnRow,
    "rolls": RollRow,
    "corrected_rolls": CorrectedRollRow,
    "contests": ContestRow,
    "scores": ScoreRow,
    "facts": FactRow,
    "findings": FindingRow,
    "files": FileRow,
    **ANALYSIS_ROW_TYPES,
}
"""The tables that indexing fills, by name."""

TABLES: dict[str, Table] = {
    **{name: declared_table(name, row) for name, row in ROW_TYPES.items()},
    **LEAGUE_TABLES,
}
"""All tables that a question can read."""

RECORD_TABLES = tuple(name for name in ROW_TYPES if name not in ("files", "findings"))
"""The tables about records, not about files."""
