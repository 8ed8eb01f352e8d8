"""`gamelog analyse`: files beside records, tables, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Gamelog

FAST = ("--fit-games", "10", "--bot", "random", "--jobs", "1")


def test_an_analysis_is_a_file_beside_the_record_which_does_not_change(gamelog: Gamelog) -> None:
    made = gamelog("simulate", "slicewars", "--games", 2, "--option", "max_rounds=1", "-o", "out")
    assert made.status == 0
    record = Path("out/slicewars-1-00000.jsonl")
    before = record.read_bytes()
    done = gamelog("analyse", "out", "--luck", *FAST)
    assert done.status == 0, done.err
    assert record.read_bytes() == before
    found = json.loads(Path("out/slicewars-1-00000.analysis.json").read_text())
    head = json.loads(gamelog("validate", record, "--json").out)["head"]
    assert (found["head"], found["bot"], found["playouts"]) == (head, "random", 0)
    assert "if all seats go on like the random bot" in done.out
    assert "by luck" in done.out and "random red" in done.out
    again = gamelog("analyse", record, "-o", "elsewhere", "--swings", 2, "--error", 0.1, *FAST, "--json")
    assert again.status == 0
    assert json.loads(again.out)["playouts"] > 0
    assert Path("elsewhere/slicewars-1-00000.analysis.json").is_file()
    assert gamelog("index", "out", "--archive", "a.db").status == 0, "analyses are not records"


def test_a_running_game_is_refused_and_the_others_are_analysed(gamelog: Gamelog) -> None:
    assert gamelog("simulate", "zone_s", "-o", "out", "--bot", "greedy").status == 0
    lines = Path("out/zone_s-1-00000.jsonl").read_bytes().splitlines(keepends=True)
    Path("out/running.jsonl").write_bytes(b"".join(lines[:20]))
    done = gamelog("analyse", "out", "--luck", *FAST)
    assert done.status == 1
    assert "is not over" in done.err
    assert Path("out/zone_s-1-00000.analysis.json").is_file()
    assert not Path("out/running.analysis.json").exists()


def test_wrong_arguments_are_refused_in_one_sentence(gamelog: Gamelog) -> None:
    Path("empty").mkdir()
    assert "there are no records" in gamelog("analyse", "empty").err
    assert gamelog("simulate", "zone_s", "-o", "out").status == 0
    wrong = gamelog("analyse", "out", "--bot", "deep", "--luck")
    assert (wrong.status, "its bots are random, greedy" in wrong.err) == (1, True)


def test_results_without_luck_are_beside_the_results(gamelog: Gamelog) -> None:
    made = gamelog("simulate", "slicewars", "--games", 10, "--option", "max_rounds=1", "-o", "out")
    assert made.status == 0
    done = gamelog("analyse", "out", "--luck", *FAST)
    assert done.status == 0, done.err
    heading, titles, *rows = done.out.splitlines()[-4:]
    assert heading.startswith("10 games of slicewars: results with and without luck. The variance")
    assert titles.split("\t") == ["name", "games", "result", "without luck"]
    raw, less = zip(*((float(row.split("\t")[2]), float(row.split("\t")[3])) for row in rows), strict=True)
    assert [row.split("\t")[1] for row in rows] == ["10", "10"]
    assert abs(sum(raw) - 1) < 0.002 and abs(sum(less) - 1) < 0.002


def test_each_record_has_an_analysis_of_its_own(gamelog: Gamelog) -> None:
    for seed, folder in enumerate(("a", "b")):
        assert gamelog("simulate", "zone_s", "--seed", seed, "-o", f"games/{folder}").status == 0
        (record,) = Path("games", folder).glob("*.jsonl")
        record.rename(record.with_name("game.jsonl"))
    same = gamelog("analyse", "games", "-o", "one", "--luck", *FAST)
    assert same.status == 2
    assert "would both be one/game.analysis.json" in same.err
    assert not Path("one").exists()
    assert gamelog("analyse", "games", "--luck", *FAST).status == 0
    assert gamelog("pack", "games", "-o", "games.gamelog").status == 0
    assert gamelog("analyse", "games.gamelog", "-o", "packed", "--luck", *FAST).status == 0
    heads = {json.loads(path.read_text())["head"] for path in Path("packed").iterdir()}
    assert len(heads) == 2
    remote = gamelog("analyse", "https://127.0.0.1:1/games.gamelog", "--luck", *FAST)
    assert remote.status != 0


def test_a_few_games_say_nothing_about_the_calibration(gamelog: Gamelog) -> None:
    assert gamelog("simulate", "zone_s", "-o", "out").status == 0
    done = gamelog("analyse", "out", "--luck", *FAST)
    assert "compared with 2 other games, too few to say" in " ".join(done.out.split())
    assert "overconfident" not in done.out


def test_the_output_is_in_the_chosen_language(gamelog: Gamelog) -> None:
    made = gamelog("simulate", "slicewars", "--games", 10, "--option", "max_rounds=1", "-o", "out")
    assert made.status == 0
    done = gamelog("analyse", "out", "--luck", *FAST, "--language", "pt")
    assert done.status == 0, done.err
    for words in ("é a parte de vitórias", "no início", "por sorte", "± é a margem de erro", "sem sorte"):
        assert words in done.out
    assert "luck" not in done.out
