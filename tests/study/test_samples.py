"""The samples of a study: luck and choices in its first games, and the answers as data."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pytest

from gamelog.study.results import LEVEL
from gamelog.study.samples import MIN_LUCK_GAMES, Samples

from .conftest import gamelog

GAMES = MIN_LUCK_GAMES + 10


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of one round of SliceWars."""
    path = tmp_path_factory.mktemp("study") / "short"
    done = gamelog(
        *("study", "slicewars", "--vary", "max_rounds=1", "--bot", "random", "--games", GAMES, "-o", path)
    )
    assert done.status == 0, done
    return path


def measure(answer: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Return the result of a measure."""
    return next((one for one in answer["results"] if one["measure"]["name"] == name), None)


def test_luck_is_the_part_of_the_variance_without_it(short: Path) -> None:
    answer = json.loads(gamelog("study", short, "--json").out)
    luck = measure(answer, "luck")
    assert luck
    (estimate,) = luck["estimates"].values()
    assert estimate["units"] == GAMES
    assert 0 <= estimate["low"] <= estimate["value"] <= estimate["high"] <= 1
    games = msgspec.json.decode((short / "samples.json").read_bytes(), type=Samples).games
    lucky = [one.luck for one in games.values() if one and one.luck]
    assert len(lucky) == GAMES
    for column in zip(*(game.luck[0] for game in lucky), strict=True):  # luck is fair in every feature
        error = (fmean(value**2 for value in column) / GAMES) ** 0.5
        assert abs(fmean(column)) < 4 * error + 1e-9
    assert any(any(row) for game in lucky for row in game.luck)


def test_the_output_and_the_page_tell_the_luck_and_its_gain(short: Path) -> None:
    done = gamelog("study", short)
    lines = [line for line in done.out.splitlines() if line.strip()]
    assert len(lines) == len({*lines}), "nothing is said twice"
    assert "Luck of rolls and draws, at least" in done.out
    assert "Number of results that one result less its luck replaces" in " ".join(done.out.split())
    page = (short / "study.html").read_text("utf-8")
    assert "Number of results that one result less its luck replaces" in page


def test_samples_are_kept_and_made_again_if_they_cannot_be_read(short: Path) -> None:
    path = short / "samples.json"
    before = path.read_bytes()
    answer = gamelog("study", short, "--json").out
    assert path.read_bytes() == before
    samples = json.loads(before)
    for text in ("[]", json.dumps({**samples, "usual_length": 0})):
        path.write_text(text)
        assert gamelog("study", short, "--json").out == answer
        assert path.read_bytes() == before


@pytest.mark.parametrize("row", [[], [1.0], [1e200] * 17])
def test_luck_that_somebody_else_has_changed_is_not_used(
    short: Path, tmp_path: Path, row: list[float]
) -> None:
    """Rows of another length, or of numbers that cannot be squared."""
    copy = tmp_path / "copy"
    shutil.copytree(short, copy)
    path = copy / "samples.json"
    samples = json.loads(path.read_bytes())
    games = [one["luck"] for one in samples["games"].values()]
    size = len(games[0]["luck"][0])
    for game in games[: 1 if len(row) < 2 else None]:
        game["luck"][0] = row[:size]
    path.write_text(json.dumps(samples))
    done = gamelog("study", copy, "--json")
    assert done.status == 0, done.err
    assert measure(json.loads(done.out), "luck") is None


def test_fewer_games_have_no_part_of_luck(answer: dict[str, Any]) -> None:
    assert measure(answer, "luck") is None
    assert measure(answer, "choices")


def test_the_four_answers_are_data(answer: dict[str, Any]) -> None:
    assert [*answer["answers"]] == ["fairness", "length", "drama", "skill"]
    for slug, name in (("length", "events"), ("drama", "lead_changes")):
        (one,) = answer["answers"][slug]
        result = measure(answer, name)
        assert result
        difference = result["differences"][one["variant"]]
        assert (one["verdict"] in ("yes", "no")) == (difference["corrected"] < LEVEL)
        assert one["sentence"]
