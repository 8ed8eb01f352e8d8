"""Games that are not over: pages and positions leave out the seed of their dice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamelog.games.slicewars import rules
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog
from tests.reports import payload


@pytest.fixture
def seeded(gamelog: Gamelog) -> tuple[Path, str]:
    """Return an unfinished game of SliceWars with seeded dice, and its seed."""
    done = gamelog(
        "new", "slicewars", "dice.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--dice", "seeded"
    )
    assert done.status == 0, done.err
    gamelog("record", "dice.jsonl", stdin="")
    header = read_record("dice.jsonl").header
    assert header and header.dice.seed
    return Path("dice.jsonl"), header.dice.seed


def test_a_page_leaves_the_seed_out_and_reports_it(gamelog: Gamelog, seeded: tuple[Path, str]) -> None:
    path, seed = seeded
    done = gamelog("export", path, "-o", "page.html")
    assert (
        "The game is not over, so this is left out: the seed of the dice. To include it, add --reveal."
        in done.err
    )
    assert seed not in json.dumps(payload.page_data(Path("page.html").read_text()))
    done = gamelog("export", path, "-o", "page.html", "--reveal")
    assert done.err == ""
    assert seed in payload.page_data(Path("page.html").read_text())["first"]


def test_a_position_has_no_seed_and_needs_no_notice(gamelog: Gamelog, seeded: tuple[Path, str]) -> None:
    path, seed = seeded
    done = gamelog("export", path, "-o", "position.json")
    assert (done.status, done.err) == (0, "")
    assert seed not in Path("position.json").read_text()


def test_a_game_whose_code_failed_is_not_called_unfinished(
    gamelog: Gamelog, seeded: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = seeded
    monkeypatch.setattr(rules, "CHECKS", {})
    for out in ("page.html", "site"):
        done = gamelog("export", path if out == "page.html" else ".", "-o", out)
        assert "from the package gamelog, failed in gamelog.games.slicewars.rules." in done.err
        assert "on, so" not in done.err
