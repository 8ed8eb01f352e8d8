"""The sections on broken rules, findings and slow turns."""

from __future__ import annotations

from pathlib import PurePath

from gamelog.errors import PlayError
from gamelog.play.contract import registry
from gamelog.play.contract.rulebook import rulebook
from gamelog_reports.report.section import MAX_ROWS, Quotation, Section, TableCell
from gamelog_reports.report.source import Source

_MAX_ROWS = 15
"""The rows of a list that are visible at first."""


def rules_broken_section(source: Source) -> Section:
    """Return the section on the rules that are broken most often."""
    say = source.say
    title = say("Rules most often broken")
    rows = source.ask("rules_broken")
    if not rows:
        return Section(title, (say("No record breaks a rule."),))
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
    says = (
        say(
            "{rules} {rules:rule was|rules were} broken, {times} {times:time|times} in all. In "
            "{stood} of these cases the illegal event was played anyway.",
            rules=broken,
            times=times,
            stood=stood,
        ),
        say(
            "Judging stops at the first error of a record, so later errors are not counted. No "
            "record contains the events that a recorder refused."
        ),
        say(
            "{n} {n:event that breaks a rule is|events that break a rule are} disputed and not "
            "included, because there is no ruling yet.",
            n=disputed,
        )
        if disputed
        else "",
    )
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
        folded=False,
        shown=_MAX_ROWS,
        left_out=len(rows) - len(shown),
        question="rules_broken",
    )
    return Section(title, says, tables=(rules,))


def _texts(game: str, language: str) -> dict[str, str]:
    """Return the text of each rule of `game`, or none if the game is not installed or has no rulebook."""
    try:
        return {id_: rule.text for id_, rule in rulebook(registry.find(game), language).items()}
    except (PlayError, ValueError, OSError):
        return {}


def findings_section(source: Source) -> Section:
    """Return the section on records with findings."""
    rows = source.ask("findings")
    return _findings(source, rows, "Records with findings", "No record has findings.")


_UNREADABLE = """
SELECT files.path, files.member, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE files.game IS NULL AND $game::VARCHAR IS NULL ORDER BY files.path, files.member, n
"""


def unreadable(source: Source) -> Section | None:
    """Return the section on files that are not records, or None if there are none."""
    rows = source.ask(_UNREADABLE)
    return _findings(source, rows, "Files that are not records", "") if rows else None


def _findings(source: Source, rows: list[dict[str, object]], title: str, none: str) -> Section:
    """Return the section with a table of findings, or with the sentence `none` if there are none."""
    say = source.say
    if not rows:
        return Section(say(title), (say(none),))
    anonymous, translated = source.people.anonymous, say.language != "en"
    shown: list[dict[str, TableCell]] = []
    for at, row in enumerate(rows[:MAX_ROWS], 1):
        path, n = str(row["path"]), row["n"] if isinstance(row["n"], int) else None
        file = PurePath(path).name
        name = say("record {n}", n=at) if anonymous else str(row["member"] or file)
        # a message about a file has the path that the archive knows, which shows folders of the machine
        label, message = str(row["rule"] or row["code"]), str(row["message"]).replace(path, file)
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
    says = (
        say(
            "{n} {n:finding|findings} in {files} {files:file|files}, errors first. Records with "
            "errors are used nowhere else in this report. A disputed record is not used until an "
            "arbiter rules.",
            n=len(rows),
            files=files,
        ),
        say("The archive has findings only in English, so they are quoted here.")
        if translated and not anonymous
        else "",
    )
    heads = {"file": "file", "status": "status", "severity": "severity", "n": "event", "what": "problem"}
    findings = source.table(
        shown,
        heads,
        name="Findings",
        folded=False,
        shown=_MAX_ROWS,
        left_out=len(rows) - len(shown),
        question="findings",
    )
    return Section(say(title), tuple(filter(None, says)), tables=(findings,))


def slow_section(source: Source) -> Section:
    """Return the section on the turns that took longest."""
    say = source.say
    title = say("Slowest turns")
    rows = source.ask("slow", most=_MAX_ROWS)
    if not rows:
        return Section(title, (say("No turn has a time."),))
    shown = [
        {
            "record": source.record(row["id"], row["n"]),
            "turn": row["turn"],
            "who": source.player_at(row["id"], row["seat"], row["n"]),
        }
        | {"minutes": say.number(row["seconds"] / 60, 1)}
        | {"times": None if row["times_the_middle"] is None else say.number(row["times_the_middle"], 1)}
        for row in rows
    ]
    says = (
        say(
            "Minutes of play without pauses, by the recorder's clock. If the scorer records "
            "late, the player looks slow."
        ),
    )
    heads = {
        "record": "record",
        "turn": "turn",
        "who": "player",
        "minutes": "minutes",
        "times": "times the median turn of the game",
    }
    return Section(title, says, tables=(source.table(shown, heads, name="Turns", folded=False),))
