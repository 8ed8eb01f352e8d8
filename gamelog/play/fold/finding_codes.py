"""Codes of findings, and the status that follows from them.

Codes never change.

========================  ========  =============================================================
code                      severity  meaning
========================  ========  =============================================================
record.unreadable         error     the file cannot be read
record.read_failed        error     reading failed (disk, network, store); the content is unknown
record.torn               error     the last line has no line end
record.damaged            error     a line does not verify or breaks the format
record.format             error     this release does not read the format
record.json               error     an event is not sound JSON (duplicate members, huge integers)
record.members            error     an event does not have the members of its type
record.sequence           error     ``n`` is not the number of the line
record.time               error     ``t`` goes backwards
play.unknown_game         error     the game, rules version or board is not installed
play.unknown_event        error     this version does not know the event type
play.broken_game          error     the game's own code failed; the record may be good
play.setup                error     the game does not accept the header's seats, options or board
play.by                   error     ``by`` is not a seat of the header
play.over                 error     an event after the end
play.common               error     a common event does not fit (for example an answer to no offer)
play.illegal              error     a rule of the game forbids the event; ``rule`` names it
play.hidden               error     the event is refused for a reason that could reveal hidden information
play.as_played            warning   an illegal event or declared position counts: disputed until ruled on
play.ruled                warning   the same with a ruling; also any ruling that changed the game
play.undone               warning   an illegal event counted until it was taken back
play.claim                warning   an open claim without a ruling
play.offer                warning   an offer to take back or to end the game has no answer
play.cannot_apply         error     an illegal event cannot be carried out, and no position was declared
play.result_differs       warning   the recorded result differs from the result of the play
chance.seed               error     a result does not follow from the seed
chance.reveals            error     a result does not follow from the links that the seats have revealed
chance.link               error     a link is not the next of its seat's chain, or not due
chance.missing            error     another event is recorded although a link or the roll is due
chance.waiting            warning   the due roll waits for links; the message names the seats
chance.closed             warning   face-down rolls are opened and judged when the game is over
chance.unopened           error     the game is over, and the table has not opened the face-down rolls
chance.unchecked          error     commit-reveal dice in a fold without the digests of the lines
sign.forged               error     a signature does not cover the lines before it
sign.key                  error     a signature has another key than the header names for the seat
sign.unchecked            error     a signature cannot be checked: PyNaCl or the digests are missing; a
                          warning   if it comes from a parent that the record does not prove
sign.doubt                warning   a good signature, but the record does not name its key, or it was
                                    made for a parent
========================  ========  =============================================================
"""

from __future__ import annotations

from typing import Literal

from gamelog.finding import Finding

Status = Literal["ok", "ruled", "disputed", "illegal", "torn", "damaged", "unknown"]

UNKNOWN_CODES = frozenset(
    {
        "record.format",
        "play.unknown_game",
        "play.unknown_event",
        "play.broken_game",
        "chance.unchecked",
        "chance.unopened",
        "sign.unchecked",
    }
)
"""Codes of findings about content that this installation cannot check."""
DAMAGED = frozenset(
    {
        "record.damaged",
        "record.unreadable",
        "record.read_failed",
        "record.json",
        "record.members",
        "record.sequence",
        "record.time",
        "sign.forged",
    }
)
"""Codes of findings about a file that cannot be read, or whose lines or signatures are invalid."""

OVERRIDABLE_CODES = frozenset({"play.illegal", "chance.seed", "chance.reveals", "chance.missing"})
"""Codes of failures with which an event can count anyway."""

SETTLED_BY_RULING = OVERRIDABLE_CODES | {"play.cannot_apply"}
"""Codes of failures that a ruling can settle."""


def status_of(findings: list[Finding] | tuple[Finding, ...]) -> Status:
    """Return the status of a record with these findings: the problem to solve first."""
    codes = {finding.code for finding in findings}
    if codes & DAMAGED:
        return "damaged"
    if "record.torn" in codes:
        return "torn"
    if codes & UNKNOWN_CODES:
        return "unknown"
    if any(finding.severity == "error" for finding in findings):
        return "illegal"
    if "play.as_played" in codes:
        return "disputed"
    return "ruled" if "play.ruled" in codes else "ok"
