"""The sections on broken rules and findings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from msgspec import structs

from gamelog.errors import PlayError
from gamelog.play.contract import registry
from gamelog.play.contract.rulebook import rulebook
from gamelog_reports.report.section import MAX_ROWS, Quotation, Section, TableCell
from gamelog_reports.report.source import Source

_MAX_ROWS = 6
"""The rows of a list that are visible at first."""


def rules_broken_section(source: Source) -> Section:
    """Return the section on the rules that are broken most often."""
    say = source.wording
    section = Section("rules", say("Rules broken"), say("No record breaks a rule."))
    rows = source.ask("rules_broken")
    if not rows:
        return section
    texts = _texts(source.game or "", say.language)
    shown = [
        {
            "rule": row["rule"],
            "text": texts.get(row["rule"], ""),
            "times": row["times"],
            "stood": row["stood"],
        }
        | {"disputed": row["disputed"]}
        | {"example": source.file(row["example"], "", row["n"], say("event {=n}", n=row["n"]))}
        for row in rows[:MAX_ROWS]
    ]
    times, stood, disputed = (sum(row[name] for row in rows) for name in ("times", "stood", "disputed"))
    broken = sum(row["times"] > 0 for row in rows)
    title = say(
        "{rules} {rules:rule was|rules were} broken, {times} {times:time|times} in all",
        rules=broken,
        times=times,
    )
    basis = say("In {stood} of these cases the illegal event was played anyway.", stood=stood)
    text = (
        "{n} {n:event that breaks a rule is|events that break a rule are} disputed and not "
        "included, because there is no ruling yet."
    )
    notes = (say(text, n=disputed),) if disputed else ()
    heads = {
        "rule": "rule",
        "text": "text of the rule",
        "times": "times",
        "stood": "played anyway",
        "disputed": "disputed",
        "example": "example",
    }
    rules = source.table(
        shown,
        heads,
        name="Rules",
        shown=_MAX_ROWS,
        left_out=len(rows) - len(shown),
        question="rules_broken",
    )
    return structs.replace(
        section, title=title, basis=basis, notes=notes, tables=(rules,), is_summary=True, is_wide=True
    )


def _texts(game: str, language: str) -> dict[str, str]:
    """Return the text of each rule of `game`, or none if the game is not installed or has no rulebook."""
    try:
        return {id_: rule.text for id_, rule in rulebook(registry.find(game), language).items()}
    except (PlayError, ValueError, OSError):
        return {}


def findings_section(source: Source) -> Section:
    """Return the section on records with findings."""
    say = source.wording
    section = Section("findings", say("Findings"), say("No record has findings."))
    return _findings(source, source.ask("findings"), section)


_UNREADABLE = """
SELECT files.path, files.member, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE files.game IS NULL AND $game::VARCHAR IS NULL ORDER BY files.path, files.member, n
"""


def unreadable_section(source: Source) -> Section | None:
    """Return the section on files that are not records, or None if there are none."""
    rows = source.ask(_UNREADABLE)
    section = Section("files", source.wording("Files"), source.wording("Files that are not records"))
    return structs.replace(_findings(source, rows, section), title=section.title) if rows else None


def _folders(paths: Iterable[str]) -> list[str]:
    """Return the folders of `paths`, the longest first, to remove them from messages."""
    folders = {str(parent) for path in paths for parent in PurePath(path).parents if parent.name}
    ends = {f"{folder}{end}" for folder in folders for end in "/\\" if not folder.endswith(end)}
    return sorted(ends, key=len, reverse=True)


def _findings(source: Source, rows: list[dict[str, object]], section: Section) -> Section:
    """Return `section` with a table of findings, or as it is if there are none."""
    say = source.wording
    if not rows:
        return section
    anonymous, translated = source.people.anonymous, say.language != "en"
    folders = _folders(str(row["path"]) for row in rows[:MAX_ROWS])
    shown: list[dict[str, TableCell]] = []
    for number, row in enumerate(rows[:MAX_ROWS], 1):
        path, n = str(row["path"]), row["n"] if isinstance(row["n"], int) else None
        file = PurePath(path).name
        name = say("record {n}", n=number) if anonymous else str(row["member"] or file)
        label, message = str(row["rule"] or row["code"]), str(row["message"])
        for folder in folders:
            message = message.replace(folder, "")
        problem: TableCell = label if anonymous else Quotation(label, message) if translated else message
        shown.append(
            {
                "file": source.file(path, str(row["member"]), n, name),
                "status": say(str(row["status"])),
                "n": n,
            }
            | {"what": problem}
            | {"severity": say(str(row["severity"]))}
        )
    files = len({(row["path"], row["member"]) for row in rows})
    title = say("{n} {n:finding|findings} in {files} {files:file|files}", n=len(rows), files=files)
    text = "The archive has findings only in English, so they are quoted here."
    notes = (say(text),) if translated and not anonymous else ()
    heads = {"file": "file", "status": "status", "severity": "severity", "n": "event", "what": "problem"}
    findings = source.table(
        shown,
        heads,
        name="Findings",
        shown=_MAX_ROWS,
        left_out=len(rows) - len(shown),
        question="findings",
    )
    return structs.replace(
        section, title=title, notes=notes, tables=(findings,), is_summary=True, is_wide=True
    )
