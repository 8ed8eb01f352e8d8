"""Refusals of proposed events: the events that are legal instead, and the explanation for a viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Message, verbatim
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold import game_errors
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.viewer import WHOLE_TABLE, Viewer
from gamelog.play.telling.visibility import LEFT_OUT, finding_for, legal_in_view, public_viewer
from gamelog.record.envelope import Event, as_proposal

MAX_LISTED_LEGAL = 20
"""Largest number of legal events that a finding lists."""

_EXPLAINED = {
    (False, False): "Refused: {problem}.",
    (False, True): "Refused: {problem}; legal: {legal}.",
    (True, False): "Refused: {problem} [{=rule}: {words}].",
    (True, True): "Refused: {problem} [{=rule}: {words}]; legal: {legal}.",
}
"""The templates of a refusal, by whether it has a rule and whether it has legal events."""

UNSHOWN = "Refused. The reason is not shown, because it could reveal hidden information."
"""The text of a refusal whose reason depends on hidden information."""


_FROM_THE_DICE = frozenset(("chance.seed", "chance.reveals"))
"""Codes of results that do not follow from the dice. Their messages quote the results that are due."""


def legal_events(
    fold: Fold, t: int, seat: str | None = None, viewer: Viewer = WHOLE_TABLE
) -> tuple[dict[str, Any], ...]:
    """Return at most `MAX_LISTED_LEGAL` events that are legal at `t`, as proposals.

    Args:
        fold: The fold of the record.
        t: The time, in ms since the start. If the game's clock has run out by then, the only event is the
            timeout.
        seat: The seat whose events are listed, or None for all players who are to act.
        viewer: Without a seat, the viewer for whom they are listed.
    """
    pending = fold.pending
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return (as_proposal(pending.next_timeout.event),)
    if not pending.by:
        return ()
    legal = legal_for(fold.game, fold.state, seat) if seat else legal_in_view(fold.game, fold.state, viewer)
    return tuple(as_proposal(event) for event in legal.events[:MAX_LISTED_LEGAL])


def with_legal(fold: Fold, finding: Finding, t: int, by: str | None = None) -> Finding:
    """Return `finding` with the events that are legal at `t`.

    Args:
        fold: The fold up to the event before.
        finding: The finding on the refused event.
        t: The time, in ms since the start.
        by: The author of the refused event, who reads the finding. If it is not a seat, the legal events are
            of all players who are to act, as far as everyone may know them.
    """
    seat = by if by in fold.header.seat_ids else None
    try:
        viewer = WHOLE_TABLE if seat else public_viewer(fold)
        return structs.replace(finding, legal=legal_events(fold, t, seat, viewer))
    except Exception as error:
        failure = game_errors.failure_finding(error, fold.game, audience=fold.audience).message
        return finding.with_message(
            Message.of(
                "{problem}; the legal events are unknown because {failure}",
                problem=finding.message,
                failure=failure,
            )
        )


def finding_in_view(fold: Fold, event: Event, viewer: Viewer) -> Finding | None:
    """Return the finding that says why `event` cannot come next, as `viewer` may know it, or None.

    The last state of `fold` has only what `viewer` knows. If the game's rules fail at it, the answer is None.
    The answer is also None for results that do not follow from the dice, because `viewer` may not know the
    bag from which they are drawn.
    """
    try:
        finding = fold.judge(event)
    except Exception:  # a game's rules may fail on what is hidden
        return None
    if finding is None or finding.code in _FROM_THE_DICE:
        return None
    if finding.code == "play.illegal":
        finding = with_legal(fold, finding, event.t, event.by)
    return proposal_finding(fold, finding, event, viewer)


def proposal_finding(fold: Fold, finding: Finding, proposed: Event, viewer: Viewer) -> Finding:
    """Return `finding` as far as `viewer` may know it.

    The legal events are of the player who proposed the event, so they stay in the finding.

    Args:
        fold: The fold of the record, without the event.
        finding: The finding on the proposed event.
        proposed: The event.
        viewer: The viewer.
    """
    shown = finding_for(fold, finding, proposed, viewer)
    return finding if shown.text == finding.text else hidden_reason(finding.n)


def hidden_reason(n: int | None) -> Finding:
    """Return the finding that the proposed event `n` is refused for a reason that its viewer cannot know.

    It is the same for all reasons, so that its code reveals none of them.
    """
    return Finding.of("play.hidden", Message(LEFT_OUT), n=n)


def explain(fold: Fold, finding: Finding) -> Message:
    """Return the explanation of the refusal in `finding`: reason, rule and its text, some legal events."""
    return refusal(fold.game, finding, _first_legal(fold, finding.legal) if finding.legal else None)


def refusal(game: AnyGame, finding: Finding, legal: Message | None = None) -> Message:
    """Return the sentence on the refusal of an event of `game` for the reason in `finding`.

    If the reason was removed from `finding`, the sentence is `UNSHOWN`.

    Args:
        game: The game, whose rulebook has the text of the broken rule.
        finding: The reason.
        legal: Legal events to name, or None for none.
    """
    if finding.text == LEFT_OUT:
        return Message(UNSHOWN)
    rule = rulebook(game).get(finding.rule or "")
    members: dict[str, Any] = {"problem": finding.message}
    if rule:
        members |= {"rule": rule.id, "words": Message(rule.text.rstrip("."))}
    if legal is not None:
        members["legal"] = legal
    return Message(_EXPLAINED[rule is not None, legal is not None], members)


def without_legal(explanation: Message) -> Message:
    """Return an explanation by `explain` without the legal events, which are JSON for programs."""
    text = next(
        (_EXPLAINED[key[0], False] for key, text in _EXPLAINED.items() if text == explanation.text), ""
    )
    args = {name: value for name, value in explanation.args.items() if name != "legal"}
    return Message(text, args) if text else explanation


def _first_legal(fold: Fold, events: Sequence[dict[str, Any]]) -> Message:
    """Return the first three of the legal `events` of a finding, and the number of others."""
    shown = ", ".join(msgspec.json.encode(event).decode() for event in events[:3])
    if len(events) <= 3:
        return verbatim(shown)
    legal = legal_for(fold.game, fold.state, str(events[0]["by"]))
    text = "{=shown}, and at least {n} more" if legal.cut else "{=shown}, and {n} more"
    return Message.of(text, shown=shown, n=f"{len(legal.events) - 3:,}")
