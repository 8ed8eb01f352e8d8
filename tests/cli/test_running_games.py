"""Games that are not over: pages and positions leave out the seed of their dice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamelog.games.slicewars import rules
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog, forge
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


def test_a_comparison_leaves_the_seed_out_and_reports_it(gamelog: Gamelog, seeded: tuple[Path, str]) -> None:
    path, seed = seeded
    gamelog("new", "slicewars", "b.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui", "--dice", "seeded")
    done = gamelog("compare", path, "b.jsonl", "-o", "page.html")
    notice = "The game is not over, so the comparison leaves out the seed of the dice."
    assert notice in done.out
    for text in (done.out, Path("page.html").read_text(), gamelog("compare", path, "b.jsonl", "--json").out):
        assert seed not in text
    done = gamelog("compare", path, "b.jsonl", "--reveal")
    assert seed in done.out
    assert notice not in done.out


def test_a_game_whose_code_failed_is_not_called_unfinished(
    gamelog: Gamelog, seeded: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = seeded
    monkeypatch.setattr(rules, "CHECKS", {})
    for out in ("page.html", "site"):
        done = gamelog("export", path if out == "page.html" else ".", "-o", out)
        assert "from the package gamelog, failed in gamelog.games.slicewars.rules." in done.err
        assert "on, so" not in done.err


@pytest.mark.parametrize(
    ("old", "new"),
    [('"game":"slicewars"', '"game":"noslices"'), ('"seats"', '"places"')],
    ids=["a game that is not installed", "a bad header"],
)
def test_events_of_a_record_that_cannot_be_replayed_are_left_out_of_pages(
    gamelog: Gamelog, seeded: tuple[Path, str], old: str, new: str
) -> None:
    path, seed = seeded
    gamelog("note", path, "a secret\x80")
    forge(path, old, new)
    for out in (Path("page.html"), Path("site")):
        done = gamelog("export", path if out.suffix else ".", "-o", out)
        (page,) = [out] if out.suffix else [*out.rglob("evening.html"), *out.rglob("dice.html")]
        data = json.dumps(payload.page_data(payload.site_page(page)))
        assert "secret" not in data
        assert seed not in data
        assert "the events" in done.err or "their events" in done.err
        assert "To include" in done.err
        done = gamelog("export", path if out.suffix else ".", "-o", out, "--reveal")
        assert "To include" not in done.err
        assert "secret" in json.dumps(payload.page_data(payload.site_page(page)))
