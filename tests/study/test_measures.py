"""The measures of a study, against an independent computation from the records."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Reader
from gamelog.play.contract.effects import TurnOver
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from gamelog.study.definition import ARCHIVE, RECORDS
from gamelog.study.measures import read_values

Game = dict[str, float]


def first_turns(fold: Fold) -> list[str]:
    """Return the seats in the order of their first turns, by the effects that end turns."""
    ended = [
        effect.seat
        for n, event in enumerate(fold.events)
        for effect in fold.game.effects(fold.states[n], event, fold.states[n + 1])
        if isinstance(effect, TurnOver)
    ]
    return list(dict.fromkeys(ended))


def measured(path: Path) -> tuple[tuple[str, str, str], Game]:
    """Return the variant, the part and the unit of a record, and its measures, from its states alone."""
    fold = fold_record(read_record(path)).fold
    assert fold is not None
    game, states, events, tags = fold.game, fold.states, fold.events, fold.header.tags
    outcome = game.pending(states[-1]).outcome
    assert outcome is not None
    seats = [seat.seat for seat in fold.header.seats]
    share = {
        seat: (1 / len(outcome.winners) if seat in outcome.winners else 0.0)
        if outcome.winners
        else 1 / len(seats)
        for seat in seats
    }
    order = first_turns(fold)
    found: Game = {f"turn:{place}": share[seat] for place, seat in enumerate(order, 1)}
    found |= {f"seat:{place}": share[seat] for place, seat in enumerate(seats, 1)}
    found |= {"events": len(events), "undecided": len(outcome.winners) != 1, f"end:{outcome.reason}": 1}
    stronger = tags["study_part"].split(">")[0]
    found["stronger"] = sum(share[seat.seat] for seat in fold.header.seats if seat.bot == stronger)
    if len(outcome.winners) == 1:
        (winner,) = outcome.winners
        leaders, behind, changes, last = [], 0, 0, None
        for state in states:
            points = game.score(state)
            top = [seat for seat in seats if points[seat] == max(points.values())]
            leader = top[0] if len(top) == 1 else None
            leaders.append(leader)
            behind = max(behind, max(points.values()) - points[winner])
            if leader is not None:
                changes += last is not None and leader != last
                last = leader
        found |= {"behind": behind, "lead_changes": changes}
        others = [n for n, leader in enumerate(leaders) if leader != winner]
        found["for_good"] = min(others[-1] + 1, len(events)) / len(events) if others else 0.0
        for quarter in (1, 2, 3):
            leader = leaders[int(len(events) * quarter / 4)]
            if leader is not None:
                found[f"quarter:{quarter}"] = leader == winner
    return (tags["study_variant"], tags["study_part"], tags["study_unit"]), found


def test_measures_are_those_of_the_records(folder: Path) -> None:
    rotations: dict[tuple[str, str], list[float]] = defaultdict(list)
    with Reader(folder / ARCHIVE) as reader:
        values = read_values(reader, "gp02a_territory", paired=True)
    for path in sorted((folder / RECORDS).iterdir())[::3]:
        (variant, part, unit), found = measured(path)
        if part != "equal":
            rotations[variant, unit].append(found["stronger"])
            continue
        for name, value in found.items():
            if name != "stronger":
                assert values[name][variant][unit] == pytest.approx(float(value)), (path.name, name)
        read = {name for name in values if ":" not in name and unit in values[name].get(variant, {})}
        assert read - {"turns"} <= {*found}, path.name
    for (variant, unit), shares in rotations.items():
        if len(shares) == 3:
            assert values["skill:greedy>random"][variant][unit] == pytest.approx(sum(shares) / 3)


def test_choices_are_counted_at_decisions(answer: dict[str, Any]) -> None:
    results = {result["measure"]["name"]: result for result in answer["results"]}
    for name, least, most in (("choices", 1, 10_000), ("forced", 0, 1)):
        for one in results[name]["estimates"].values():
            assert least <= one["value"] <= most
            assert one["units"] == 40
