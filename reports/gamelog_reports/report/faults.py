"""What went wrong: rules that are broken, records with findings, turns that took long."""

from __future__ import annotations

from pathlib import PurePath

from gamelog.errors import PlayError
from gamelog.message import many
from gamelog.play.contract import registry
from gamelog.play.contract.rulebook import rulebook
from gamelog_reports.report.section import MOST_ROWS, Section, TableCell, table
from gamelog_reports.report.source import Source

_MAX_ROWS = 15
"""Rows of a list."""


def rules_broken_section(source: Source) -> Section:
    """Which rules are broken most often?"""
    title = "Rules most often broken"
    rows = source.ask("rules_broken")
    if not rows:
        return Section(title, ("No record breaks a rule.",))
    texts = _texts(source.game or "")
    shown = [
        {
            "rule": row["rule"],
            "text": texts.get(row["rule"], ""),
            "times": row["times"],
            "stood": row["stood"],
        }
        | {"disputed": row["disputed"]}
        | {"example": source.file(row["example"], "", row["n"], f"event {row['n']}")}
        for row in rows[:MOST_ROWS]
    ]
    times, stood, disputed = (sum(row[name] for row in rows) for name in ("times", "stood", "disputed"))
    broken = many(sum(row["times"] > 0 for row in rows), "rule")
    says = (
        f"{broken} broken, {many(times, 'time')}, of which {stood:,} stood: played all the same. Judging "
        "stops at a record's "
        "first error, so later ones are not counted, and what a recorder refused never reached a record.",
        f"{many(disputed, 'event that breaks a rule is', 'events that break a rule are')} disputed: nobody "
        f"has ruled on {'it' if disputed == 1 else 'them'} yet, and "
        f"{'it is' if disputed == 1 else 'they are'} not among these."
        if disputed
        else "",
    )
    heads = {
        "rule": "rule",
        "text": "what it says",
        "times": "times",
        "stood": "stood",
        "disputed": "disputed",
        "example": "example",
    }
    return Section(
        title,
        says,
        tables=(
            table(
                shown,
                heads,
                name="Rules",
                folded=False,
                shown=_MAX_ROWS,
                left_out=len(rows) - len(shown),
                question="rules_broken",
            ),
        ),
    )


def _texts(game: str) -> dict[str, str]:
    """The words of each rule of `game`; none where it is not installed, or has no spaced rulebook."""
    try:
        return {id_: rule.text for id_, rule in rulebook(registry.find(game)).items()}
    except (PlayError, ValueError, OSError):
        return {}


def findings_section(source: Source) -> Section:
    """Which records have something wrong?"""
    rows = source.ask("findings")
    return _findings(source, rows, "Records with findings", "No record has anything wrong.")


_UNREADABLE = """
SELECT files.path, files.member, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE files.game IS NULL AND $game::VARCHAR IS NULL ORDER BY files.path, files.member, n
"""


def unreadable(source: Source) -> Section | None:
    """Files of which not even the game is known."""
    rows = source.ask(_UNREADABLE)
    return _findings(source, rows, "Files that are not records", "") if rows else None


def _findings(source: Source, rows: list[dict[str, object]], title: str, none: str) -> Section:
    if not rows:
        return Section(title, (none,))
    shown: list[dict[str, TableCell]] = []
    for at, row in enumerate(rows[:MOST_ROWS], 1):
        path, n = str(row["path"]), row["n"] if isinstance(row["n"], int) else None
        name = f"record {at}" if source.people.anonymous else str(row["member"] or PurePath(path).name)
        shown.append(
            {"file": source.file(path, str(row["member"]), n, name), "status": str(row["status"]), "n": n}
            | {"what": str(row["rule"] or row["code"]) if source.people.anonymous else str(row["message"])}
            | {"severity": str(row["severity"])}
        )
    files = len({(row["path"], row["member"]) for row in rows})
    says = (
        f"{many(len(rows), 'finding')} in {many(files, 'file')}, errors first. Records with errors feed "
        "nothing else here; a disputed one does not either until an arbiter rules.",
    )
    heads = {
        "file": "file",
        "status": "status",
        "severity": "severity",
        "n": "event",
        "what": "what is wrong",
    }
    return Section(
        title,
        says,
        tables=(
            table(
                shown,
                heads,
                name="Findings",
                folded=False,
                shown=_MAX_ROWS,
                left_out=len(rows) - len(shown),
                question="findings",
            ),
        ),
    )


def slow_section(source: Source) -> Section:
    """Which turns took longest?"""
    title = "Slowest turns"
    rows = source.ask("slow", most=_MAX_ROWS)
    if not rows:
        return Section(title, ("No turn has been timed.",))
    shown = [
        {
            "record": source.record(row["id"], row["n"]),
            "turn": row["turn"],
            "who": source.people.seated(row["id"], row["seat"], row["n"]),
        }
        | {"minutes": f"{row['seconds'] / 60:.1f}"}
        | {"times": None if row["times_the_middle"] is None else f"{row['times_the_middle']:.1f}"}
        for row in rows
    ]
    says = (
        "Minutes of play, pauses taken out, by the recorder's clock: a scorer who writes late looks like a "
        "slow player.",
    )
    heads = {
        "record": "record",
        "turn": "turn",
        "who": "who",
        "minutes": "minutes",
        "times": "times its game's middle turn",
    }
    return Section(title, says, tables=(table(shown, heads, name="Turns", folded=False),))
