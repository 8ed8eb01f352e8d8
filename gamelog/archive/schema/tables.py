"""The archive's tables: one struct a table, the single source of names, types and meanings.

The members of a struct are its table's columns. Rows that are few are made as such structs; the
many that tell a play are made column by column and never are one. Every table but `files` and
`findings` is about records, whose ``id`` is in each row; `files` and `findings` are about files, for
several may hold one record, and some hold none.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Raw, Struct

from gamelog.archive.schema.columns import Table, declared_table

SCHEMA_VERSION = 9
"""The version of this schema. An archive of another one is made anew from its records."""

Id = Annotated[str, "the record's id"]
N = Annotated[int, "number of the event in its record, from 1"]
Stands = Annotated[bool, "false when a takeback undid the event"]


class FileRow(Struct, kw_only=True):
    """One record as it lies in one file (or pack)."""

    path: Annotated[str, "the file, absolute, or its URL"]
    member: Annotated[str, "the record's name inside a pack; empty for a file of its own"] = ""
    size: Annotated[int, "bytes of the file; negative while not all records of a pack are in"]
    mtime_ns: Annotated[
        int, "when the file last changed, ns since 1970; of a URL a fingerprint of what its store says"
    ]
    id: Annotated[str | None, "the record's id; null where the header cannot be read"] = None
    game: Annotated[str | None, "the game's id"] = None
    head: Annotated[str | None, "digest of the last good line: the version of the record"] = None
    events: Annotated[int, "good event lines"] = 0
    status: Annotated[str, "ok, ruled, disputed, illegal, torn, damaged, unknown or unread"]
    judge: Annotated[
        str,
        "who judged it: judge version, distribution and its code, rules; another one judges again unless "
        "it is older",
    ]


class GameRow(Struct, kw_only=True):
    """One record. Where several files hold it, the longest valid one."""

    id: Id
    game: Annotated[str, "the game's id"]
    rules: Annotated[str, "version of its rules"]
    board: Annotated[str, "name of the built-in board; 'own' for an embedded one"]
    players: Annotated[int, "number of seats"]
    started: Annotated[str | None, "when the game began, UTC", "TIMESTAMP"] = None
    dice: Annotated[str, "source of chance: table, seeded or commit-reveal"]
    options: Annotated[Raw, "every option of the game, resolved"]
    tags: Annotated[dict[str, str], "the header's tags, amended"]
    status: Annotated[str, "ok, ruled, disputed, illegal, torn, damaged or unknown"]
    valid: Annotated[bool, "status is ok or ruled"]
    finished: Annotated[bool | None, "the play reached an end; null where that is unknown"] = None
    counted: Annotated[
        bool, "feeds the stock questions: valid, not forked, no copy, no branch of a record that is here"
    ] = False
    copy_of: Annotated[
        str | None,
        "id of the record of the same game that counts: the same people on neighbouring days, and the same "
        "play or more of it",
    ] = None
    parent: Annotated[str | None, "id of the record that this one continues"] = None
    events: Annotated[int, "events in the record, but for slips of the pen and their corrections"]
    turns: Annotated[
        int | None, "turns played; null for what could not be folded to its end, like all below"
    ] = None
    chances: Annotated[int | None, "events that stand and record dice or draws"] = None
    unit: Annotated[str | None, "what its scores count, in the game's word: points, territories"] = None
    duration: Annotated[int | None, "ms of play up to the last event of play, pauses taken out"] = None
    winners: Annotated[
        tuple[str, ...] | None, "seats that share the victory; none is a draw; null while unfinished"
    ] = None
    reason: Annotated[str | None, "why the game ended, the game's word"] = None
    result_by: Annotated[
        str | None,
        "what made the result: play, resignation, agreement, ruling, or walkover, when one of the three came "
        "before two seats had decided anything; null while unfinished",
    ] = None
    gaps: Annotated[
        int | None, "positions declared where moves were not written down, as far as they stand"
    ] = None
    play: Annotated[str | None, "digest of the play, which two score sheets of one game share"] = None
    beginning: Annotated[
        str | None, "digest of how the play begins; null if it has fewer than 4 decisions, dice and draws"
    ] = None
    head: Annotated[str | None, "digest of the last good line"] = None
    path: Annotated[str, "the file it was read from"]
    member: Annotated[str, "its name inside a pack; empty for a file of its own"] = ""


class SeatRow(Struct, kw_only=True):
    """One seat of one record."""

    id: Id
    seat: Annotated[str, "the seat"]
    position: Annotated[int, "place in the order round the table, from 1"]
    turn_order: Annotated[int | None, "whose first turn came first: 1, 2, …; null for who never acted"] = None
    name: Annotated[str, "the name of who sat there last, corrections included"] = ""
    same_name: Annotated[str, "the name as it is compared: composed, without case, with single spaces"] = ""
    key: Annotated[
        str | None, "who it is by this record alone: id:, bot: or name: and the id, bot or same_name"
    ] = None
    person: Annotated[
        str | None, "who it is across records: the key, or that of the one id that goes with the name"
    ] = None
    player: Annotated[
        str | None, "what that person is called: the id, else the bot, else the name as it is spelled most"
    ] = None
    bot: Annotated[str | None, "the bot that plays"] = None
    sitters: Annotated[
        int, "how many people sat there, one after the other; if several, the table stays has each"
    ] = 1
    won: Annotated[bool | None, "is among the winners; null while unfinished"] = None
    share: Annotated[
        float | None, "part of the victory: 1 alone, 0.5 of two, 0 lost; of a draw 1 / players"
    ] = None
    place: Annotated[
        int | None, "place at the end, from 1, equal for those that tie; null where the game gives none"
    ] = None
    payoff: Annotated[
        float | None, "what it won or lost, in the game's own measure; null where the game gives none"
    ] = None
    team: Annotated[str | None, "name of the team it played in; null where there are none"] = None
    score: Annotated[int | None, "points at the end"] = None
    overtakes: Annotated[
        int | None, "how often it came to have more points than all others after another seat had them"
    ] = None
    half_way: Annotated[bool | None, "alone had the most points after half of the events"] = None
    max_deficit: Annotated[int | None, "points it was behind the most that any seat had, at its worst"] = None
    max_deficit_at: Annotated[
        int | None, "number of the event at which it was so far behind first, 0 for the start"
    ] = None
    decisions: Annotated[int | None, "decisions that stand"] = None
    thinking: Annotated[int | None, "ms those decisions took"] = None


class StayRow(Struct, kw_only=True):
    """One person at a seat that changed hands, from when they sat down to when the next person did.
    The view sittings has the seats that one person kept, too.
    """

    id: Id
    seat: Annotated[str, "the seat"]
    from_n: Annotated[int, "number of the first event at which they sat there, 0 for the start"]
    to_n: Annotated[int | None, "number of the last such event; null if they kept the seat"] = None
    name: Annotated[str, "the person's name when they left, corrections included"] = ""
    same_name: Annotated[str, "the name as it is compared: composed, without case, with single spaces"] = ""
    key: Annotated[str | None, "who it is by this record alone, as in seats"] = None
    person: Annotated[str | None, "who it is across records, as in seats"] = None
    player: Annotated[str | None, "what that person is called, as in seats"] = None
    bot: Annotated[str | None, "the bot that plays"] = None
    decisions: Annotated[int | None, "decisions of theirs that count"] = None
    thinking: Annotated[int | None, "ms those decisions took"] = None


class EventRow(Struct, kw_only=True):
    """One event of a record that folds to its end."""

    id: Id
    n: N
    elapsed_ms: Annotated[
        int,
        "ms of play since the play before, pauses taken out; their sum is the time of play. 0 for what is "
        "not play",
    ]
    seat: Annotated[str, "who did it (the record's 'by'): a seat, table or arbiter"]
    kind: Annotated[str, "what it is (the record's 'do'); common events begin with @"]
    chance: Annotated[bool, "records dice or draws"]
    stands: Stands
    slip: Annotated[
        bool,
        "a slip of the pen, never played, or the takeback that corrects one; such events are in no other "
        "table",
    ]
    turn: Annotated[int | None, "number of the turn it belongs to, from 1; null when undone"] = None
    decision: Annotated[
        int | None, "ordinal of the decision among the seat's own, from 1; null for what is not one or undone"
    ] = None
    data: Annotated[Raw, "its own members"]


class TurnRow(Struct, kw_only=True):
    """One turn: what stands between the end of the turn before and its own."""

    id: Id
    turn: Annotated[int, "number of the turn, from 1"]
    n: Annotated[int, "number of its first event"]
    seat: Annotated[str | None, "who decided in it; null where several did, or nobody"] = None
    elapsed_ms: Annotated[int, "ms of play, pauses taken out"]


class RollRow(Struct, kw_only=True):
    """Dice thrown together, undone ones too: they fell all the same.
    Not what slips of the pen say, which never fell.
    """

    id: Id
    n: N
    seat: Annotated[str | None, "whose dice; null for nobody's"] = None
    sides: Annotated[int, "sides of each die"]
    faces: Annotated[tuple[int, ...], "what they show, in recorded order"]
    stands: Stands


class ContestRow(Struct, kw_only=True):
    """Two sums that were compared."""

    id: Id
    n: N
    seat: Annotated[str, "the attacker"]
    against: Annotated[str | None, "the defender; null for nobody"] = None
    place: Annotated[str | None, "where on the board"] = None
    attack: Annotated[tuple[int, ...], "the attacker's dice and values"]
    defence: Annotated[tuple[int, ...], "the defender's"]
    attack_sum: Annotated[int, "sum of the attack"]
    defence_sum: Annotated[int, "sum of the defence"]
    won: Annotated[bool, "by the attacker"]
    odds: Annotated[float, "exact probability, before the roll, that the attacker would win"]
    stands: Stands


class ScoreRow(Struct, kw_only=True):
    """A seat's points, from the event that changed them; n is 0 at the start.
    Only of what stands, penalties included.
    """

    id: Id
    n: Annotated[int, "number of the event, 0 for the start"]
    seat: Annotated[str, "the seat"]
    score: Annotated[int, "its points after the event"]
    leader_score: Annotated[int, "the most points that any seat has then"]
    leader: Annotated[str | None, "the seat that alone has the most; null where several do"] = None


class FactRow(Struct, kw_only=True):
    """A consequence the game computed: captures, incomes, ends of turns, whatever it has words for."""

    id: Id
    n: N
    kind: Annotated[str, "the game's word for it"]
    seat: Annotated[str | None, "whom it happens to or who does it"] = None
    place: Annotated[str | None, "where on the board"] = None
    count: Annotated[int | None, "how many"] = None
    stands: Stands
    data: Annotated[Raw, "all its members"]


class FindingRow(Struct, kw_only=True):
    """What a judge had to say about a file."""

    path: Annotated[str, "the file"]
    member: Annotated[str, "the record's name inside a pack; empty for a file of its own"] = ""
    id: Annotated[str | None, "the record's id, where it is known"] = None
    n: Annotated[int | None, "number of the event"] = None
    byte_offset: Annotated[int | None, "where the event's line begins in the file, bytes"] = None
    code: Annotated[str, "stable code of the finding"]
    severity: Annotated[str, "error or warning"]
    rule: Annotated[str | None, "the rule that was broken"] = None
    message: Annotated[str, "the finding in words"]


Row = (
    FileRow
    | GameRow
    | SeatRow
    | StayRow
    | EventRow
    | TurnRow
    | RollRow
    | ContestRow
    | ScoreRow
    | FactRow
    | FindingRow
)

ROW_TYPES: dict[str, type[Row]] = {
    "games": GameRow,
    "seats": SeatRow,
    "stays": StayRow,
    "events": EventRow,
    "turns": TurnRow,
    "rolls": RollRow,
    "contests": ContestRow,
    "scores": ScoreRow,
    "facts": FactRow,
    "findings": FindingRow,
    "files": FileRow,
}
"""The tables by name."""

TABLES: dict[str, Table] = {name: declared_table(name, row) for name, row in ROW_TYPES.items()}
"""Every table a person may ask, as data."""

RECORD_TABLES = tuple(name for name in TABLES if name not in ("files", "findings"))
"""The tables whose rows belong to a record, whichever file holds it."""
