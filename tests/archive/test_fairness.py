"""Fairness of the dice of each person: the numbers by hand, and the rate of alarms in simulated leagues."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gamelog.archive import Reader, index
from gamelog.archive.schema import tables
from gamelog.dice_statistics import dice_needed, face_probability, runs_probability, undone_probability
from gamelog.play.fold import common_events
from gamelog.statistics import LEVEL, holm
from tests.shares import examples

from .conftest import Table
from .dice_leagues import ALARM, CHEATS, FAIR, PEOPLE, alarms
from .piles import Ask, Pile, ask, pile

__all__ = ["ask", "pile"]

TESTS = ("p_faces", "p_runs", "p_undone", "p_corrected")


def test_the_numbers_of_each_person(pile: Pile, ask: Ask) -> None:
    rng, throws = Random("fairness"), dict[tuple[str, str], list[tuple[tuple[int, ...], bool]]]()
    for _ in range(6):
        id = pile.game(players_=("Ana", "Rui"))
        for n in range(12):
            for seat, player in (("red", "Ana"), ("blue", "Rui")):
                faces, stands = tuple(rng.choices(range(1, 7), k=rng.randint(1, 3))), rng.random() < 0.8
                pile.rows.append(tables.RollRow(id=id, n=n, seat=seat, sides=6, faces=faces, stands=stands))
                throws.setdefault((player, id), []).append((faces, stands))
        pile.rows.append(tables.CorrectedRollRow(id=id, n=90, seat="red", sides=6, faces=(1,)))
        pile.rows.append(tables.CorrectedRollRow(id=id, n=91, seat="red", sides=6, faces=(3, 4)))
    rows = {row["player"]: row for row in ask("fairness")}
    looks: list[float] = []
    for player, row in rows.items():
        own = [list(made) for (name, _), made in throws.items() if name == player]
        every = [throw for made in own for throw in made]
        sides = [
            [
                (sum(faces) > 3.5 * len(faces), stands)
                for faces, stands in made
                if sum(faces) != 3.5 * len(faces)
            ]
            for made in own
        ]
        flat = [one for made in sides for one in made]
        counts = [sum(faces.count(face) for faces, _ in every) for face in range(1, 7)]
        games = [(sum(high for high, _ in made), sum(not high for high, _ in made)) for made in sides]
        runs = [[high for high, _ in groupby(made, lambda one: one[0])] for made in sides]
        low, undone = sum(not high for high, _ in flat), sum(not stands for _, stands in flat)
        undone_low = sum(not high and not stands for high, stands in flat)
        longest = max(
            len([*group]) for made in sides for high, group in groupby(made, lambda one: one[0]) if not high
        )
        assert row["counts"] == counts
        assert (row["dice"], row["games"]) == (sum(counts), 6)
        assert (row["throws"], row["low"], row["runs"]) == (len(flat), low, sum(map(len, runs)))
        assert row["longest_low"] == longest
        assert (row["undone"], row["undone_low"]) == (undone, undone_low)
        wrong = 6 if player == "Ana" else 0
        assert (row["corrected"], row["corrected_low"]) == (wrong, wrong), "3 and 4 are neither low nor high"
        assert row["p_faces"] == pytest.approx(face_probability(counts))
        assert row["p_runs"] == pytest.approx(runs_probability(games, row["runs"]))
        assert row["p_undone"] == pytest.approx(undone_probability(undone_low, undone, low, len(flat)))
        expected = undone_probability(wrong, wrong, low + wrong, len(flat) + wrong)
        assert row["p_corrected"] == (None if expected is None else pytest.approx(expected))
        looks += [row[name] for name in TESTS if row[name] is not None]
        assert row["needed"] == dice_needed(6, 0.05, 1 - (1 - LEVEL) / row["tests"])
    assert {row["tests"] for row in rows.values()} == {len(looks)} == {7}
    assert min(row["p_all"] for row in rows.values()) == pytest.approx(min(holm(looks)))


def test_an_empty_answer_has_its_reason(pile: Pile, archive: Path) -> None:
    id = pile.game(players_=("Ana", "Rui"))
    with Reader(pile.stored(archive)) as reader:
        assert reader.ask("fairness").notes == ("The chosen games have no dice.",)
    nobody = Pile()
    nobody.game(id=id)
    nobody.rows = [row for row in nobody.rows if not isinstance(row, tables.SeatRow)]
    nobody.rows.append(tables.SeatRow(id=id, seat="red", position=1))
    nobody.rows.append(tables.RollRow(id=id, n=1, seat="red", sides=6, faces=(1,), stands=True))
    with Reader(nobody.stored(archive.with_name("nobody.archive"))) as reader:
        assert reader.ask("fairness").notes == ("No person who threw dice has a name.",)


def test_dice_of_corrected_events_are_in_a_table_of_their_own(table: Table, archive: Path) -> None:
    """A recorder enters 1 and corrects it to 6. The wrong dice do not count as a throw, but they are kept."""
    slip = common_events.Takeback(0, 0, "red", to=1, slip=True)
    dice = [("left", 1, 6)]
    path = table(*dice, slip, id="slip")
    index([path], archive)
    with Reader(archive) as reader:
        wrong = reader.ask("SELECT n, seat, sides, faces FROM corrected_rolls ORDER BY seat").rows
        assert wrong == [(2, "blue", 6, [6]), (2, "red", 6, [1])]
        assert reader.ask("FROM rolls").rows == []


def test_fair_leagues_have_no_more_false_alarms_than_promised(tmp_path: Path) -> None:
    leagues, count = examples(1_000), 0
    for first in range(0, leagues, 25):
        seeds = range(first, min(leagues, first + 25))
        count += alarms(seeds, 60, FAIR, tmp_path / f"{first}.archive")
    assert count / leagues <= ALARM + 3 * (ALARM * (1 - ALARM) / leagues) ** 0.5


def test_each_test_finds_its_own_bias(tmp_path: Path) -> None:
    expected = {
        "a face 6 with probability 0.25": "p_faces",
        "a third of the low throws taken back": "p_undone",
        "a fifth of the low throws corrected": "p_corrected",
        "a fifth of the throws repeated": "p_runs",
    }
    for number, (kind, test) in enumerate(expected.items()):
        archive = tmp_path / f"{number}.archive"
        alarms([1], 1_000, CHEATS[kind], archive)
        with Reader(archive) as reader:
            rows: list[dict[str, Any]] = reader.ask("fairness").dicts()
        assert rows[0]["player"] == PEOPLE[0], "the rows begin with the least likely"
        assert rows[0]["p_all"] < ALARM
        assert min(TESTS, key=lambda name, row=rows[0]: row[name]) == test  # type: ignore[misc]
