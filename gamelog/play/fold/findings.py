"""Findings: what a judge has to say about a record, with codes that stay the same for ever.

========================  ========  =============================================================
code                      severity  meaning
========================  ========  =============================================================
record.unreadable         error     the file cannot be read
record.read_failed        error     reading failed on the way (disk, network, store); nothing is known of it
record.torn               error     the last line has no line end
record.damaged            error     a line does not verify, or breaks the format
record.format             error     a format this release does not read
record.json               error     an event is not sound JSON (duplicate members, huge integers)
record.members            error     an event's members are not those of its type
record.sequence           error     ``n`` is not the number of the line
record.time               error     ``t`` goes backwards
play.unknown_game         error     no such game, rules version or board is installed
play.unknown_event        error     an event type this version does not have
play.broken_game          error     the game's own code failed over the record, which may be good
play.setup                error     the game does not accept the header's seats, options or board
play.by                   error     ``by`` is not a seat of the header
play.over                 error     an event after the end
play.common               error     a common event that does not fit (an answer to no offer, say)
play.illegal              error     a rule of the game forbids the event; ``rule`` names it
play.as_played            warning   an illegal event that stood, or a declared position: disputed until ruled
play.ruled                warning   the same, with the ruling that settled it; any that changed the game
play.undone               warning   an illegal event that stood until it was taken back
play.claim                warning   a claim that nobody has ruled on
play.offer                warning   an offer to take back, or to end the game, that somebody has not answered
play.cannot_apply         error     an illegal event that cannot be carried out, no position declared after it
play.result_differs       warning   the result written down is not the one the play gives
chance.seed               error     a result does not follow from the seed
chance.reveals            error     a result does not follow from the links that the seats have revealed
chance.link               error     a link that is not the next of its seat's chain, or not due
chance.missing            error     something else where a link or the roll is due
chance.waiting            warning   the roll that is due waits for links: whose, it says
chance.closed             warning   what lies face down is opened, and judged, when the game is over
chance.unopened           error     the game is over, and the table has not opened what it dealt face down
chance.unchecked          error     commit-reveal dice in a fold that was not given the lines' digests
sign.forged               error     a signature that does not cover what stands before it
sign.key                  error     a signature with another key than the header names for the seat
sign.unchecked            error     a signature that cannot be checked: PyNaCl, or the digests, are missing; a
                          warning   where it was taken over from a parent that the record does not prove
sign.doubt                warning   a good signature whose key the record does not name, or before a branch
========================  ========  =============================================================
"""

from __future__ import annotations

from typing import Literal

from gamelog.finding import Finding

Status = Literal["ok", "ruled", "disputed", "illegal", "torn", "damaged", "unknown"]

UNKNOWN = frozenset(
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


def status_of(findings: list[Finding] | tuple[Finding, ...]) -> Status:
    """The status of a record with these findings: what has to be mended first."""
    codes = {finding.code for finding in findings}
    if codes & DAMAGED:
        return "damaged"
    if "record.torn" in codes:
        return "torn"
    if codes & UNKNOWN:
        return "unknown"
    if any(finding.severity == "error" for finding in findings):
        return "illegal"
    if "play.as_played" in codes:
        return "disputed"
    return "ruled" if "play.ruled" in codes else "ok"
