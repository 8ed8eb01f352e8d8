"""Findings as plain data in a language, for pages, live streams and programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import structs

from gamelog.finding import Finding
from gamelog.message import Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.prefixes import prefixes
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.findings import legal_events


def finding_data(
    view: RecordView, fold: Fold, findings: Sequence[Finding], language: str
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return findings as plain data, and the texts of the rules that they name, by id.

    Args:
        view: The record as the viewer may see it.
        fold: The fold of the record.
        findings: The findings, as the viewer may know them.
        language: The language of the texts.
    """
    if not view.viewer.seats:
        findings = _with_legal(fold, findings)
    rules = rulebook(fold.game, language)
    named = sorted({finding.rule for finding in findings if finding.rule})
    plain = list(findings_in(language, fold.game, findings))
    return plain, {id_: rules[id_].text for id_ in named if id_ in rules}


def findings_in(language: str, game: AnyGame | None, findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    """Yield `findings` about a record of `game` as plain data, their messages in `language`."""
    renderer = Renderer(load_locale(language, game))
    for finding in findings:
        yield msgspec.to_builtins(
            structs.replace(finding.plain, text=renderer.text(finding.message))
            if language != "en"
            else finding.plain
        )


def _with_legal(fold: Fold, findings: Iterable[Finding]) -> list[Finding]:
    """Return `findings` with the legal events instead of each illegal event that was played."""
    broken = [n for n, violation in fold.violations.items() if violation.rule]
    known = prefixes(fold, [n - 1 for n in broken])
    legal = {n: legal_events(prefix, fold.events[n - 1].t) for n, prefix in zip(broken, known, strict=True)}
    return [
        structs.replace(finding, legal=legal.get(finding.n or 0, ()))
        if finding.rule and not finding.legal
        else finding
        for finding in findings
    ]
