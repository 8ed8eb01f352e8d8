"""`gamelog study`: the records, the archive and the page of a study, and what it refuses."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import Reader
from gamelog.record.reading import read_record
from gamelog.study.definition import ARCHIVE, PAGE, RECORDS

from .conftest import COMMAND, GAMES, gamelog

BOARD = resources.files("gamelog.games.slicewars") / "boards" / "hex50.json"


def files(folder: Path) -> dict[str, bytes]:
    """Return the records of a study by their names."""
    return {path.name: path.read_bytes() for path in (folder / RECORDS).iterdir()}


def test_records_and_archive_are_ordinary(folder: Path) -> None:
    records = files(folder)
    assert len(records) == 2 * 2 * GAMES, "two variants, each with as many games of unequal bots"
    with Reader(folder / ARCHIVE) as reader:
        assert reader.ask("SELECT DISTINCT status, finished, counted FROM games").rows == [("ok", True, True)]
        rows = reader.ask("seats", {"variant": "option=dummy_blocks"}).dicts()
    assert {row["variant"] for row in rows} == {"true", "false"}
    assert sum(row["games"] for row in rows) == 3 * len(records)


def test_line_ups_rotate_with_the_same_dice_and_variants_share_both(folder: Path) -> None:
    line_ups: dict[tuple[str, str, str], list[tuple[str | None, ...]]] = {}
    for name in sorted(files(folder)):
        header = read_record(folder / RECORDS / name).header
        assert header is not None
        key = (header.tags["study_part"], header.tags["study_unit"], header.tags["study_variant"])
        line_ups.setdefault(key, []).append(tuple(seat.bot for seat in header.seats))
    rotation = [tuple("greedy" if at == seat else "random" for at in range(3)) for seat in range(3)]
    for (part, unit, _), seated in line_ups.items():
        assert sorted(seated) == sorted(rotation if ">" in part else [("greedy",) * 3])
        both = [line_ups[part, unit, f"dummy_blocks={value}"] for value in ("true", "false")]
        assert both[0] == both[1]


def test_a_study_continues_and_can_be_asked_again(folder: Path, tmp_path: Path) -> None:
    """Missing games are played again as they were; with more games, the records stay."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    before = files(copy)
    for name in sorted(before)[::7]:
        (copy / RECORDS / name).unlink()
    asked = gamelog("study", copy, "--json")
    assert asked.status == 0
    assert len(files(copy)) < len(before), "the folder alone is only asked"
    assert gamelog(*COMMAND, "--games", GAMES, "-o", copy).status == 0
    assert files(copy) == before
    assert gamelog(*COMMAND, "--games", GAMES + 3, "-o", copy).status == 0
    more = files(copy)
    assert len(more) == len(before) + 12
    assert {name: more[name] for name in before} == before


def test_the_output_tells_needed_games_differences_and_the_gain(folder: Path, answer: dict[str, Any]) -> None:
    done = gamelog(*COMMAND, "--games", GAMES, "-o", folder)
    assert done.status == 0
    assert "5 percentage points 1,572 games" in done.out
    assert "Fairer?" in done.out
    assert "Number of unpaired games that one paired game replaces" in done.out
    assert done.out.rstrip().endswith(str(folder / PAGE))
    assert answer["games"] == dict.fromkeys(answer["variants"], GAMES)
    assert all(len(result["differences"]) <= 1 for result in answer["results"])


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_page_states_every_difference(folder: Path, tmp_path: Path, language: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert gamelog("study", copy, "--language", language, "--json").status == 0
    page = (copy / PAGE).read_text()
    assert f'<html lang="{language}">' in page
    for text in {"en": ("Fairer?", "Shorter?"), "pt": ("Mais justo?", "Mais curto?")}[language]:
        assert text in page
    told = {
        "en": ("no difference was found", " than with ", " the same value "),
        "pt": ("não se encontrou diferença", " do que com ", " o mesmo valor "),
    }
    count = sum(page.count(text) for text in told[language])
    answer = json.loads(gamelog("study", copy, "--json").out)
    assert count >= sum(len(result["differences"]) for result in answer["results"])


def test_a_study_of_one_game_describes_it(tmp_path: Path) -> None:
    done = gamelog("study", "zone_s", "--games", 30, "--bot", "random", "-o", tmp_path / "one")
    assert done.status == 0
    assert "not distinguishable" not in done.out
    assert "Difference" not in done.out
    assert "Wins of the player who moves 1st" in done.out


def test_bots_boards_and_combinations_are_variants(tmp_path: Path) -> None:
    done = gamelog(
        *("study", "slicewars", "--vary", "max_rounds=1,2", "--vary", "bot=random,greedy"),
        *("--games", 2, "--bot", "random", "-o", tmp_path / "four", "--json"),
    )
    assert json.loads(done.out)["variants"] == [
        f"max_rounds={rounds}, bot={bot}" for rounds in (1, 2) for bot in ("random", "greedy")
    ]


def test_a_precise_study_stops_when_it_is_precise(tmp_path: Path) -> None:
    done = gamelog(
        *("study", "slicewars", "--vary", "max_rounds=1,2", "--bot", "random", "--precision", 0.2),
        *("--games", 1_000, "-o", tmp_path / "p", "--json"),
    )
    answer = json.loads(done.out)
    assert answer["games"]["max_rounds=1"] < 1_000
    (first,) = (result for result in answer["results"] if result["measure"]["name"] == "turn:1")
    assert all(one["high"] - one["low"] <= 0.4 for one in first["estimates"].values())
    again = ("study", "slicewars", "--vary", "max_rounds=1,2", "--bot", "random", "-o", tmp_path / "p")
    enough = gamelog(*again, "--precision", 0.2).out
    assert "ended because the main shares are known as precisely as asked." in " ".join(enough.split())
    early = gamelog(*again, "--precision", 0.01, "--games", 60).out
    assert "ended by its number of games. The main shares are not known" in " ".join(early.split())


def test_a_sequential_study_stops_when_it_is_sure(tmp_path: Path) -> None:
    """One round is shorter than three, by far."""
    done = gamelog(
        *("study", "slicewars", "--vary", "max_rounds=3,1", "--bot", "random", "--until-sure"),
        *("--games", 200, "-o", tmp_path / "s", "--json"),
    )
    answer = json.loads(done.out)
    assert answer["is_sequential"]
    (length,) = (result for result in answer["results"] if result["measure"]["name"] == "events")
    assert length["differences"]["max_rounds=1"]["found"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("slicewars",), "Name the folder of the study with -o FOLDER."),
        (("slicewars", "-o", "x", "--until-sure"), "--until-sure compares variants."),
        (("slicewars", "-o", "x", "--until-sure", "--precision", "0.1"), "Choose one of"),
        (("slicewars", "-o", "x", "--vary", "max_rounds"), "is not of the form NAME=A,B"),
        (("slicewars", "-o", "x", "--bot", "deep-blue"), 'and no "deep-blue"'),
        (("slicewars", "-o", "x", "--bot", "random", "--bot", "random"), "named twice"),
        (("slicewars", "-o", "x", "--seats", "9"), "not 9"),
        (("slicewars", "-o", "x", "--vary", "max_rounds=1,1"), "A variant is named twice."),
        (("slicewars", "zone_s", "-o", "x"), "compares variants of one game"),
        (("slicewars", "-o", "x", "--vary", "max_rounds=1,2,3,4,5,6,7,8,9"), "at most 8 variants, not 9"),
        (("slicewars", "-o", "x", "--vary", "no_option=1,2"), "no_option"),
        (("slicewars", "-o", "x", "--vary", "max_rounds=6,abc"), "max_rounds"),
        (("slicewars", "-o", "x", "--vary", "max_rounds=6,0"), "max_rounds"),
        (("slicewars", "-o", "x", "--vary", "board=hex50,hexx"), "hexx"),
        (("slicewars", "-o", "x", "--vary", f"board=hex50,{BOARD}"), "are the same game"),
    ],
)
def test_what_a_study_refuses(
    args: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = gamelog("study", *args)
    assert done.status != 0
    assert sentence in " ".join(done.err.split())
    assert not [*tmp_path.iterdir()], "nothing was played, so the corrected command can have the folder"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": 0}, "players, not 0"),
        ({"players": 99}, "players, not 99"),
        ({"variants": []}, "has 0 variants"),
        ({"game": "nope"}, 'No game "nope" is installed'),
        ({"bots": 1}, "is not the definition of a study"),
    ],
)
def test_the_definition_of_a_study_by_somebody_else_is_checked(
    folder: Path, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    shutil.copytree(folder, tmp_path / "s")
    path = tmp_path / "s" / "study.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    done = gamelog("study", tmp_path / "s")
    assert done.status != 0
    assert sentence in " ".join(done.err.split())


def test_names_of_variants_cannot_steer_the_terminal(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "s")
    path = tmp_path / "s" / "study.json"
    definition = json.loads(path.read_text())
    definition["variants"][0]["name"] = "\x1b[31m<b>red</b>"
    path.write_text(json.dumps(definition))
    done = gamelog("study", tmp_path / "s")
    assert "\x1b" not in done.out + done.err
    assert "<b>red" not in (tmp_path / "s" / PAGE).read_text()


def test_a_folder_has_one_study(folder: Path) -> None:
    done = gamelog("study", "slicewars", "-o", folder)
    assert done.status != 0
    assert "has another study" in " ".join(done.err.split())
