"""The list of results of an archive with few games: game, players, winner and points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gamelog_reports.report.section import ReportTable, table
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import Wording
from gamelog_reports.templates import texts

MAX_LISTED = 20
"""Maximum number of records of an archive whose report lists the results."""

_RESULTS = """
SELECT id, started, status, valid, winners, reason, list(score ORDER BY position) AS points,
  list(seat ORDER BY position) FILTER (won) AS seats, list(player ORDER BY position) FILTER (won) AS players,
  list(name ORDER BY position) FILTER (won) AS names, list(bot ORDER BY position) FILTER (won) AS bots
FROM games JOIN seats USING (id) WHERE game = $game AND copy_of IS NULL GROUP BY ALL
ORDER BY started, id
"""
"""Each record of a game with its winners and the points of all seats."""

Result = dict[str, Any]


def results(source: Source, title: str) -> Iterator[Result]:
    """Yield the result of each game of `source`, which has the `title`."""
    say, words = source.wording, texts(source.wording.language)
    for row in source.ask(_RESULTS):
        people = zip(
            row["seats"] or (), row["names"] or (), row["players"] or (), row["bots"] or (), strict=True
        )
        if row["winners"] is None:
            winner, reason = words["unfinished"], "" if row["valid"] else words[f"status_{row['status']}"]
        else:
            winner = say.join([source.short_name(*one) for one in people]) or words["draw"]
            reason = say.word(row["reason"] or "")
        points = " : ".join("–" if one is None else say.number(one) for one in row["points"])
        yield {
            "started": str(row["started"] or ""),
            "game": title,
            "players": source.record(row["id"]),
            "winner": winner,
            "points": points if any(one is not None for one in row["points"]) else "–",
            "result": reason,
        }


def results_table(say: Wording, found: list[Result]) -> ReportTable | None:
    """Return the list of the results `found`, the earliest game first, or None without results."""
    words = texts(say.language)
    heads = {
        "game": words["game"],
        "players": say("players"),
        "winner": words["winner"],
        "points": words["final_points"].lower(),
        "result": words["result"].lower(),
    }
    rows = sorted(found, key=lambda row: str(row["started"]))
    return table(rows, heads, words["results"]) if rows else None
