"""Refusals of proposed events as sentences: the reason, the rule, and the events that are legal instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from gamelog.finding import Finding
from gamelog.message import Message, verbatim
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.fold import Fold
from gamelog.play.visibility.findings import LEFT_OUT

_REFUSAL_TEMPLATES = {
    (False, False): "Refused: {problem}.",
    (False, True): "Refused: {problem}; legal: {legal}.",
    (True, False): "Refused: {problem} [{=rule}: {words}].",
    (True, True): "Refused: {problem} [{=rule}: {words}]; legal: {legal}.",
}
"""The templates of a refusal, by whether it has a rule and whether it has legal events."""

HIDDEN_REASON_TEXT = "Refused. The reason is not shown, because it could reveal hidden information."
"""The text of a refusal whose reason depends on hidden information."""


def explain(fold: Fold, finding: Finding) -> Message:
    """Return the explanation of the refusal in `finding`: reason, rule and its text, some legal events."""
    return refusal(fold.game, finding, _first_legal(fold, finding.legal) if finding.legal else None)


def refusal(game: AnyGame, finding: Finding, legal: Message | None = None) -> Message:
    """Return the sentence on the refusal of an event of `game` for the reason in `finding`.

    If the reason was removed from `finding`, the sentence is `HIDDEN_REASON_TEXT`.

    Args:
        game: The game, whose rulebook has the text of the broken rule.
        finding: The reason.
        legal: Legal events to name, or None for none.
    """
    if finding.text == LEFT_OUT:
        return Message(HIDDEN_REASON_TEXT)
    rule = rulebook(game).get(finding.rule or "")
    members: dict[str, Any] = {"problem": finding.message}
    if rule:
        members |= {"rule": rule.id, "words": Message(rule.text.rstrip("."))}
    if legal is not None:
        members["legal"] = legal
    return Message(_REFUSAL_TEMPLATES[rule is not None, legal is not None], members)


def without_legal(explanation: Message) -> Message:
    """Return an explanation by `explain` without the legal events, which are JSON for programs."""
    text = next(
        (
            _REFUSAL_TEMPLATES[key[0], False]
            for key, text in _REFUSAL_TEMPLATES.items()
            if text == explanation.text
        ),
        "",
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
