"""The findings and corrections of a record, as they were known after each of its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gamelog.finding import Finding
from gamelog.play.judging.prefixes import Prefix
from gamelog.play.judging.warnings import findings_of_play
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer


class KnownFindings(NamedTuple):
    """The findings that were known after an event.

    Attributes:
        played: Number of the last event until then that was not refused.
        findings: The findings, for a viewer who sees everything.
    """

    played: int
    findings: tuple[Finding, ...]


class StatusHistory:
    """The findings and corrections of the record of `prefix`, as they were known after each of its events."""

    def __init__(self, prefix: Prefix) -> None:
        self.prefix = prefix
        self._findings: dict[int, KnownFindings] = {}
        self._corrections: dict[tuple[int, Viewer], Mapping[int, int]] = {}

    def findings(self, n: int) -> KnownFindings:
        """Return the findings that were known after event `n`."""
        known = self._findings.get(n)
        if known is None:
            fold = self.prefix.shared_fold_until(n)
            known = self._findings[n] = KnownFindings(fold.n, (*findings_of_play(fold),))
        return known

    def corrections(self, n: int, viewer: Viewer) -> Mapping[int, int]:
        """Return the removed events that `viewer` knew after event `n`, each with its replacement or 0."""
        if not self.prefix.has_slip(n):
            return {}
        known = self._corrections.get((n, viewer))
        if known is None:
            known = RecordView(self.prefix.shared_fold_until(n), viewer).corrections()
            self._corrections[n, viewer] = known
        return known
