"""`gamelog study --records`: samples of recorded games, with the strengths of the players where the games show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamelog.archive import Reader, index

from .conftest import gamelog

GAMES = 60


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two samples of Territory, and one of Zone S."""
    folder = tmp_path_factory.mktemp("samples")
    for name, game, seed, options in (
        ("a", "gp02a_territory", "1", ()),
        ("b", "gp02a_territory", "2", ("--option", "dummy_blocks=false")),
        ("c", "zone_s", "3", ()),
    ):
        done = gamelog(
            *(
                "simulate",
                game,
                "--bot",
                "greedy",
                "--games",
                GAMES,
                "--seed",
                seed,
                "-o",
                folder / name,
                *options,
            )
        )
        assert done.status == 0, done
    return folder


def test_samples_are_independent_and_strengths_count(samples: Path, tmp_path: Path) -> None:
    """The adjusted share is the share of the decided games, because one bot plays all seats."""
    a, b = str(samples / "a"), str(samples / "b")
    done = gamelog("study", "--records", a, b, "-o", tmp_path / "out", "--json")
    assert done.status == 0, done
    answer = json.loads(done.out)
    assert answer["games"] == {a: GAMES, b: GAMES}
    assert not answer["is_paired"]
    results = {result["measure"]["name"]: result for result in answer["results"]}
    with Reader(tmp_path / "out" / "records-1.duckdb") as reader:
        ((share,),) = reader.ask(
            "SELECT avg(won::INTEGER) FROM seats JOIN games USING (id) WHERE turn_order = 1 AND len(winners) = 1"
        ).rows
    assert results["adjusted"]["estimates"][a]["value"] == pytest.approx(share)
    assert results["adjusted"]["measure"]["is_main"]
    assert not results["turn:1"]["measure"]["is_main"]
    assert all(one["gain"] is None for result in answer["results"] for one in result["differences"].values())
    for name, result in results.items():
        if name.startswith("end:"):
            assert len(result["estimates"]) == 2, "a reason that one sample lacks is 0 there"
    page = (tmp_path / "out" / "study.html").read_text()
    assert "takes the strengths of the players into account" in page


def test_the_records_of_a_study_are_recorded_games(folder: Path, tmp_path: Path) -> None:
    chosen = [tmp_path / name for name in ("one", "two")]
    for number, sample in enumerate(chosen, 1):
        sample.mkdir()
        for path in (folder / "records").glob(f"{number}-equal-*.jsonl"):
            (sample / path.name).write_bytes(path.read_bytes())
    answer = json.loads(gamelog("study", "--records", *chosen, "-o", tmp_path / "out", "--json").out)
    assert len({*answer["games"].values()} - {0}) == 1
    assert len(answer["games"]) == 2


def test_few_games_say_that_strengths_do_not_count(samples: Path, tmp_path: Path) -> None:
    few = tmp_path / "few"
    assert gamelog("simulate", "gp02a_territory", "--games", 12, "-o", few).status == 0
    archive = tmp_path / "a.duckdb"
    index([samples / "a"], archive)
    done = gamelog("study", "--records", archive, few, "-o", tmp_path / "out")
    assert "are not taken into account" in " ".join(done.out.split())
    assert "Not known yet." in done.out


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(("a", "c"), "No game with the same number of players"), (("a", "a"), "named twice")],
)
def test_samples_must_be_different_and_of_one_game(
    samples: Path, tmp_path: Path, names: tuple[str, str], sentence: str
) -> None:
    done = gamelog("study", "--records", *(samples / name for name in names), "-o", tmp_path / "out")
    assert done.status != 0
    assert sentence in " ".join(done.err.split())


def test_records_need_a_folder_for_the_page(samples: Path) -> None:
    done = gamelog("study", "--records", samples / "a", samples / "b")
    assert done.status != 0
    assert "Name the folder for the page" in done.err
