"""Findings as plain data in a language, for pages, live streams and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.view.record_view import RecordView


def finding_data(
    view: RecordView, findings: Sequence[Finding], language: str
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return findings as plain data, and the texts of the rules that they name, by id.

    Args:
        view: The record as the viewer may see it.
        findings: The findings, as the viewer may know them.
        language: The language of the texts.
    """
    if not view.viewer.seats:
        findings = view.with_legal_events(findings)
    rules = rulebook(view.game, language)
    named = sorted({finding.rule for finding in findings if finding.rule})
    plain = list(translated_findings(language, view.game, findings))
    return plain, {id_: rules[id_].text for id_ in named if id_ in rules}


def translated_findings(
    language: str, game: AnyGame | None, findings: Sequence[Finding]
) -> Iterator[dict[str, Any]]:
    """Yield `findings` about a record of `game` as plain data, their messages in `language`."""
    renderer = Renderer(load_locale(language, game))
    for finding in findings:
        yield msgspec.to_builtins(
            structs.replace(finding.plain, text=renderer.text(finding.message))
            if language != "en"
            else finding.plain
        )
