"""`gamelog simulate --loaded`: the records say that their dice were loaded, and the tests of dice find it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog


def test_loaded_dice_are_named_in_the_record_and_found(gamelog: Gamelog) -> None:
    words = ("simulate", "slicewars", "--bot", "greedy", "--bot", "random", "--games", "4", "-o", "loaded")
    done = gamelog(*words, "--loaded", "red=6:0.6")
    assert (done.status, done.err) == (0, "")
    header = read_record(next(Path("loaded").glob("*.jsonl"))).header
    assert header is not None
    assert (header.tags["loaded"], header.dice.source) == ("red=6:0.6", "table")
    assert gamelog("validate", "loaded").status == 0
    assert gamelog("index", "loaded", "--archive", "loaded.archive").status == 0
    sql = "SELECT avg((face = 6)::INTEGER) AS share FROM dice WHERE seat = 'red'"
    (found,) = gamelog("query", sql, "--archive", "loaded.archive", "--json").json
    assert found["share"] == pytest.approx(0.6, abs=0.06)
    rows = gamelog("query", "fairness", "--archive", "loaded.archive", "--json").json
    assert min(row["p_all"] for row in rows) < 1e-6
    assert done.out == gamelog(*words, "--loaded", "red=6:0.6").out, "the same games again"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            ("--loaded", "pink=6:0.2"),
            "No dice belong to pink. The dice of these seats can be loaded: red, blue.",
        ),
        (("--loaded", "red=7:0.2"), "A die of red has 6 sides, and no face 7."),
        (("--loaded", "red=6:2"), "add up to more than 1"),
        (("--loaded", "red=6:0.2", "--dice", "seeded"), "Only dice of the table can be loaded"),
        (("--loaded", "red=6:0.2", "--dice", "commit-reveal"), "Only dice of the table can be loaded"),
    ],
)
def test_impossible_dice_are_refused(gamelog: Gamelog, given: tuple[str, ...], words: str) -> None:
    done = gamelog("simulate", "slicewars", "-o", "loaded", *given)
    assert done.status == 2
    assert words in done.err
    assert not [*Path("loaded").glob("*.jsonl")]
