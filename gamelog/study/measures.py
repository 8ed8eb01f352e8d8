"""The measures of a study: each with its kind, its source, and its values from the archive of the study.

`games.sql` defines the values of a game. The texts ``study_…`` of the pages give each measure its name and
its definition in words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from gamelog.study.definition import EQUAL

if TYPE_CHECKING:
    from gamelog.archive import Reader

Values = dict[str, dict[str, dict[str, float]]]
"""For each measure, for each variant, the value of each unit by the name of the unit."""

_TAG = "Tabletop Games framework (Gaina, Balla, Dockhorn, Montoliu, Perez-Liebana 2020)"
_BROWNE = "Browne and Maire (2010), Evolutionary Game Design"
_MIVAT = "White and Bowling (2009), Learning a value analysis tool for agent evaluation"
_LUDII = "Ludii Portal of evaluation concepts (Stephenson, Soemers, Piette, Browne 2021)"


class Measure(Struct, frozen=True):
    """A measure of the games of a variant.

    Attributes:
        name: Name, with a number, a reason or a step of the ladder after a colon.
        kind: Whether the mean is a share of games, a mean number, or a mean part from 0 to 1.
        source: Literature that uses the measure.
        is_main: Whether the measure is one of the few that a study asks first. These are corrected for their
            own number only.
        fair: Value if the measure favoured no player, or None.
        step: Smallest difference between the values of two units; 0 for numbers.
    """

    name: str
    kind: Literal["share", "number", "part"]
    source: str
    is_main: bool = False
    fair: float | None = None
    step: float = 0.0


def measures_of(values: Values, players: int, steps: tuple[str, ...]) -> list[Measure]:
    """Return the measures that `values` has, in the order of the page.

    Args:
        values: The values of all measures.
        players: The number of seats.
        steps: The steps of the ladder of bots.
    """
    places = range(1, players + 1) if players > 2 else (1,)
    fair = 1 / players
    endings = sorted(name for name in values if name.startswith("end:"))
    measures = (
        *(Measure(f"turn:{place}", "share", _BROWNE, place == 1, fair, step=1.0) for place in places),
        *(Measure(f"seat:{place}", "share", _BROWNE, fair=fair, step=1.0) for place in places),
        Measure("events", "number", _TAG, is_main=True),
        Measure("turns", "number", _BROWNE),
        Measure("minutes", "number", _BROWNE),
        *(Measure(name, "share", _LUDII, step=1.0) for name in endings),
        Measure("undecided", "share", _BROWNE, step=1.0),
        Measure("lead_changes", "number", _BROWNE, is_main=True),
        Measure("for_good", "part", _BROWNE),
        Measure("behind", "number", _BROWNE),
        *(Measure(f"quarter:{number}", "share", _LUDII, step=1.0) for number in (1, 2, 3)),
        Measure("luck", "part", _MIVAT),
        Measure("choices", "number", _TAG),
        Measure("forced", "part", _TAG),
        *(Measure(f"skill:{step}", "share", _TAG, step == steps[-1], fair, step=fair) for step in steps),
    )
    return [measure for measure in measures if any(values.get(measure.name, {}).values())]


def read_values(
    reader: Reader, game: str, *, paired: bool, variant: str = "", players: int | None = None
) -> Values:
    """Return the values of all measures in an archive.

    Args:
        reader: The archive.
        game: The id of the game.
        paired: Whether the games are of a study. Otherwise, all counted games that are not are used.
        variant: The name of the variant for games that are not of a study.
        players: The number of seats; None for all numbers.
    """
    sql = files("gamelog.study").joinpath("games.sql").read_text("utf-8")
    rows = reader.ask(sql, {"game": game, "paired": paired, "players": players}).dicts()
    values: Values = defaultdict(lambda: defaultdict(dict))
    rotations: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    reasons = {f"end:{row['reason']}" for row in rows if row["part"] == EQUAL}
    for row in rows:
        name = row["variant"] if paired else variant
        if row["part"] == EQUAL:
            for measure, value in _values_of_game(row, reasons):
                values[measure][name][row["pair"]] = float(value)
        elif row["stronger"] is not None:
            rotations[row["part"], name, row["pair"]].append(row["stronger"])
    for (step, name, unit), results in rotations.items():
        values[f"skill:{step}"][name][unit] = sum(results) / len(results)
    return values


def _values_of_game(row: dict[str, Any], reasons: Iterable[str]) -> Iterable[tuple[str, float]]:
    """Yield the values that an equal game has, by the names of their measures."""
    for place, share in enumerate(row["turn_shares"] or (), 1):
        yield f"turn:{place}", share
    for place, share in enumerate(row["seat_shares"] or (), 1):
        yield f"seat:{place}", share
    for reason in reasons:
        yield reason, reason == f"end:{row['reason']}"
    for name in ("events", "turns", "minutes", "undecided", "lead_changes", "for_good", "behind"):
        if row[name] is not None:
            yield name, row[name]
    for number in (1, 2, 3):
        if row[f"quarter_{number}"] is not None:
            yield f"quarter:{number}", row[f"quarter_{number}"]
