"""Tests of the mutants: each one changes the code, and the tests that must notice it exist."""

from __future__ import annotations

import ast

import pytest

from tests.fuzz.covering import Covered
from tests.fuzz.mistakes import mutants, parsed, source
from tests.fuzz.mutants import AREAS, ROOT, draw_mutants, files, main


@pytest.mark.parametrize("name", AREAS)
def test_an_area_has_files_and_tests(name: str) -> None:
    assert files(AREAS[name].files)
    assert [test for test in AREAS[name].tests if not (ROOT / test).exists()] == []


def test_a_seed_draws_the_same_mutants_at_most_one_for_a_line() -> None:
    found = [mutant for path in files(AREAS["dispute"].files) for mutant in mutants(path)]
    chosen = draw_mutants(found, 60, 1)
    assert chosen == draw_mutants(found, 60, 1) != draw_mutants(found, 60, 2)
    assert len({(mutant.path, mutant.line) for mutant in chosen}) == 60


@pytest.mark.parametrize(
    "path",
    [
        "gamelog/dispute/tampering.py",
        "gamelog/archive/schema/macros.sql",
        "gamelog/archive/querying/sql/luck.sql",
    ],
)
def test_every_mutant_changes_the_code(path: str) -> None:
    place = ROOT / path
    before = ast.unparse(parsed(place)) if place.suffix == ".py" else place.read_text()
    for mutant in mutants(place):
        assert source(mutant) != before, mutant


def test_the_quickest_tests_of_the_line_come_first() -> None:
    seconds = {"slow": 2.0, "quick": 1.0, "other": 0.1}
    covered = Covered(seconds, {("a.py", 3): frozenset({"slow", "quick"})}, dict.fromkeys(seconds, ""))
    assert covered.tests_near("a.py", 3, "") == ["quick", "slow"]
    assert covered.tests_near("a.py", 4, "") == []


def test_tests_that_name_the_question_or_macro_come_first() -> None:
    words = {"of": 'ask("luck")', "p": 'ask("SELECT chi2_p(1, 2)")', "none": "luckily, normal_p"}
    covered = Covered(dict.fromkeys(words, 1.0), {}, words)
    macros = (ROOT / "gamelog/archive/schema/macros.sql").read_text()
    line = next(at for at, text in enumerate(macros.split("\n"), 1) if "WHEN x <= 0 THEN 1.0" in text)
    assert covered.tests_near("gamelog/archive/querying/sql/luck.sql", 3, "") == ["of"]
    assert covered.tests_near("gamelog/archive/schema/macros.sql", line, macros) == ["p"]


def test_a_draw_of_none_says_that_none_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--area", "dispute", "--count", "0", "--seed", "7", "--near"])
    assert capsys.readouterr().out.startswith("seed 7: 0 mutants, 0 noticed (none), 0 survived")
