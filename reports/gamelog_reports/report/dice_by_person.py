"""The section on whether the dice of each person behave like fair dice."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from gamelog_reports.report.section import Section, Test
from gamelog_reports.report.source import Source

_MAX_ROWS = 12
"""Maximum number of people whose row is visible at first."""

_TESTS = ("p_faces", "p_runs", "p_undone", "p_corrected")
"""The tests of a person, as columns of the stock question."""


def dice_by_person_section(source: Source) -> Section:
    """Return the section on the dice of each person."""
    say, rows = source.wording, source.ask("fairness")
    section = Section(
        "people-dice",
        say("Dice by person"),
        say("The dice of no person differ from fair dice beyond chance"),
    )
    if not rows:
        return structs.replace(section, title=say("No person has thrown dice."))
    tested = [row for row in rows if row["p_all"] is not None]
    if not tested:
        return structs.replace(section, title=say("Too few dice for a comparison"), is_weak=True)
    basis = say(
        "{n} {n:test|tests} of the dice of {people} {people:person|people}, corrected together (Holm): if "
        "all dice are fair, at most one archive in twenty has an alarm here.",
        n=tested[0]["tests"],
        people=len({row["player"] for row in rows}),
    )
    return structs.replace(
        section,
        basis=basis,
        notes=(_power_note(source, rows),),
        tables=(_table(source, rows),),
        tests=(_test(source, tested[0]),),
        is_wide=True,
    )


def _power_note(source: Source, rows: list[dict[str, Any]]) -> str:
    """Return the sentence on the number of dice that a bias would need."""
    say = source.wording
    row = max(rows, key=lambda row: row["dice"])
    text = (
        "A face that comes up 5 percentage points too often would be found in four of five cases with {n} "
        "dice of one person; half the bias needs four times as many. The most dice, {dice}, are of "
        "{=player}. Low throws are those below the mean sum."
    )
    return say(text, n=row["needed"], dice=row["dice"], player=source.player(row["player"]))


def _table(source: Source, rows: list[dict[str, Any]]) -> Any:
    """Return the list of people with the numbers of each test."""
    say = source.wording
    several = len({row["sides"] for row in rows}) > 1
    shown = [
        {
            "player": source.player(row["player"]),
            "sides": row["sides"],
            "dice": row["dice"],
            "faces": say.probability(row["p_faces"]),
            "runs": _part_of(source, row["runs"], say.number(row["expected_runs"], 1), row["p_runs"]),
            "longest": row["longest_low"],
            "undone": _part_of(source, row["undone_low"], say.number(row["undone"]), row["p_undone"]),
            "corrected": _part_of(
                source, row["corrected_low"], say.number(row["corrected"]), row["p_corrected"]
            ),
            "found": "–" if row["detectable"] >= 1 else say.percent(row["detectable"]),
            "p": say.probability(row["p_all"]),
        }
        for row in rows
    ]
    heads = {
        "player": "player",
        **({"sides": "sides"} if several else {}),
        "dice": "dice",
        "faces": "faces",
        "runs": "runs of low and high throws (expected)",
        "longest": "longest run of low throws",
        "undone": "low throws among those taken back",
        "corrected": "low throws among those corrected",
        "found": "share of a face that would be found",
        "p": "corrected for all tests",
    }
    return source.table(shown, heads, name="Dice by person", shown=_MAX_ROWS)


def _part_of(source: Source, count: int, whole: str, p: float | None) -> str:
    """Return a number beside another and the probability of the test, or a dash without numbers."""
    say = source.wording
    if p is None:
        return "–" if whole in ("0", say.number(0, 1)) else say("{n} ({=whole})", n=count, whole=whole)
    return say("{n} ({=whole}), {=p}", n=count, whole=whole, p=say.probability(p))


def _test(source: Source, row: dict[str, Any]) -> Test:
    """Return the comparison of the dice that differ most from fair ones, as one for all people."""
    say, player = source.wording, source.player(row["player"])
    least = min((name for name in _TESTS if row[name] is not None), key=lambda name: row[name])
    even = row["dice"] / row["sides"]
    face, count = max(enumerate(row["counts"], 1), key=lambda face_and_count: abs(face_and_count[1] - even))
    statement = {
        "p_faces": say(
            "The dice of {=player} do not show all faces equally often: {face} came up {n} {n:time|times}, "
            "{=even} expected",
            player=player,
            face=face,
            n=count,
            even=say.number(even),
        ),
        "p_runs": say(
            "The throws of {=player} are not in random order: {n} {n:run|runs} of low and high throws, "
            "{=expected} expected",
            player=player,
            n=row["runs"],
            expected=say.number(row["expected_runs"]),
        ),
        "p_undone": say(
            "{=player} takes back low throws: {low} of {n} throws that were taken back were low",
            player=player,
            low=row["undone_low"],
            n=row["undone"],
        ),
        "p_corrected": say(
            "Low throws of {=player} are corrected: {low} of {n} throws that were corrected were low",
            player=player,
            low=row["corrected_low"],
            n=row["corrected"],
        ),
    }[least]
    needed = say("it needs {n} dice to find 5 percentage points", n=row["needed"])
    basis = say("{n} {n:die|dice} in {games} {games:game|games}", n=row["dice"], games=row["games"])
    return Test(statement, row["p_all"], needed, basis)
