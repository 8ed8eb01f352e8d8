"""`gamelog league --check`: everything that the organiser has to decide, and the lines that decide it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamelog.archive import all_questions
from gamelog.league import checking
from tests.league.conftest import WON, Gamelog, Play

OTHER = (("right", 6, 1), *WON[1:])

HEAD = 'name = "Club"\n[points.places]\n2 = [3, 0]\n'


class Check:
    """A league that is checked after each change of its file."""

    def __init__(self, gamelog: Gamelog, records: Path) -> None:
        self._gamelog = gamelog
        self._words = ("league", records, "--archive", "club.archive", "--check")
        self.file = records / "league.toml"
        self.file.write_text(HEAD)

    def __call__(self, *more: str) -> list[Any]:
        done = self._gamelog(*self._words, *more, "--json")
        assert done.err == ""
        assert done.status == bool(done.json)
        return done.json

    def text(self, *more: str) -> str:
        return self._gamelog(*self._words, *more).out

    def write(self, choice: dict[str, Any], **replaced: str) -> None:
        """Add the lines of a choice, with the reason, to the file."""
        text = "\n".join(choice["lines"]).replace('reason = ""', 'reason = "decided by the club"')
        for old, new in replaced.items():
            text = text.replace(old, new)
        table = "[people]\n" if "under [people]" in choice["text"] else ""
        self.file.write_text(f"{self.file.read_text()}{table}{text}\n")


@pytest.fixture
def check(gamelog: Gamelog, records: Path) -> Check:
    return Check(gamelog, records)


def test_a_league_with_nothing_to_decide(check: Check, play: Play) -> None:
    play("Ana", "Rui")
    assert check() == []
    assert check.text() == "Nothing is open.\n"
    assert check.text("--language", "pt") == "Nada está em aberto.\n"


def test_near_names_are_joined_or_kept_apart_by_the_lines(check: Check, play: Play) -> None:
    play("Catarina Melo", "Rui Pinto")
    play("Catarina Melo", "Ole Reis", day=3)
    play("Catharina Melo", "Ole Reis", day=9, turns=OTHER)
    (matter,) = check()
    assert matter["matter"] == "people"
    assert matter["problem"] == '"Catharina Melo" (1 game) may be Catarina Melo.'
    one, apart = matter["choices"]
    assert one["lines"] == ['"Catarina Melo" = ["Catharina Melo"]']
    check.write(one)
    (unlisted,) = check()
    assert unlisted["people"] == ["Ole Reis", "Rui Pinto"], "a list of people has to be whole"
    check.write({**unlisted["choices"][0], "text": ""})
    assert check() == []
    check.file.write_text(HEAD)
    check.write({**apart, "text": "under [people]"})
    assert [matter["people"] for matter in check()] == [["Ole Reis", "Rui Pinto"]]


def test_a_name_is_added_to_the_line_that_the_person_has(check: Check, play: Play) -> None:
    play("Ana Sousa", "A. Sousa-Reis")
    play("Anna Sousa", "Rui", day=8)
    check.file.write_text(HEAD + '[people]\n"Ana Sousa" = ["ana@club"]\n"A. Sousa-Reis" = []\nRui = []\n')
    (matter,) = check()
    assert matter["choices"][0]["lines"] == ['"Ana Sousa" = ["ana@club", "Anna Sousa"]']


def test_records_of_one_game_are_annulled_or_kept_apart(check: Check, play: Play) -> None:
    play("Ana", "Rui", file="sheet.jsonl")
    play("Rui", "Ana", file="second.jsonl")
    (matter,) = check()
    assert matter["matter"] == "copy"
    assert matter["problem"].endswith("may be one game: the same play, with the people at other seats.")
    annulled, apart = matter["choices"]
    check.write(annulled)
    assert check() == []
    check.file.write_text(HEAD)
    check.write(apart)
    assert check() == []


def test_names_in_an_annulled_record_are_not_open(check: Check, play: Play) -> None:
    play("Catarina Melo", "Rui Pinto", file="sheet.jsonl")
    play("Catharina Melo", "Rui Pinto", file="second.jsonl")
    assert [matter["matter"] for matter in check()] == ["people", "copy"]
    correction = '[[corrections]]\nrecord = "second.jsonl"\ndecision = "annulled"\nreason = "second sheet"\n'
    check.file.write_text(HEAD + correction)
    assert check() == []


def test_every_reason_for_one_game_has_a_translation() -> None:
    sql = all_questions()["copies"].sql
    assert all(f"'{reason}'" in sql for reason in checking._REASONS)
    assert sql.count("'the same p") + sql.count("'the beginning of") == len(checking._REASONS) + 2, (
        "two reasons are about copies that are sure"
    )


def test_a_record_without_a_result_is_decided(check: Check, play: Play, gamelog: Gamelog) -> None:
    play("Ana", "Rui", turns=WON[:1], file="open.jsonl")
    (matter,) = check()
    assert (matter["matter"], matter["problem"]) == ("result", "open.jsonl (Ana, Rui) has no result.")
    result, annulled = matter["choices"]
    check.write(result)
    assert check() == []
    rows = gamelog("query", "league_games", "--archive", "club.archive", "--json").json
    assert [(row["people"], row["points"]) for row in rows] == [(["Ana", "Rui"], [3, 0])]
    check.file.write_text(HEAD)
    check.write(annulled)
    assert check() == []


def test_disputed_and_unreadable_records(check: Check, play: Play, records: Path) -> None:
    play("Ana", "Rui", turns=[("middle", 1, 1)], file="wrong.jsonl")
    (records / "none.jsonl").write_text("nothing\n")
    unread, wrong = check()
    assert (unread["matter"], wrong["matter"]) == ("file", "disputed")
    assert unread["problem"].startswith("none.jsonl cannot be read: ")
    assert wrong["problem"] == "wrong.jsonl (Ana, Rui) does not count: an event of it breaks the rules."
    check.write(wrong["choices"][0])
    (records / "none.jsonl").unlink()
    assert check() == []


def test_two_files_of_one_record_that_differ(check: Check, play: Play) -> None:
    play("Ana", "Rui", id="a", file="1.jsonl")
    play("Ana", "Rui", id="a", file="2.jsonl", turns=OTHER)
    (matter,) = check()
    assert matter["problem"].endswith("does not count: another file of this record differs from it.")


def test_games_of_no_round_and_of_an_unknown_round(check: Check, play: Play) -> None:
    play("Ana", "Rui", file="1.jsonl")
    play("Rui", "Ana", file="2.jsonl", day=3, tags={"round": "frist"})
    check.file.write_text('round_tag = "round"\n' + HEAD + '[[rounds]]\nname = "first"\n')
    none, other = check()
    assert none["problem"] == "1.jsonl (Ana, Rui, 2026-10-01) is of no round and does not count."
    assert other["problem"].endswith('is of the round "frist", which the league does not list.')
    assert (
        other["choices"][0]["text"] == 'Correct the tag "round" of the record, or the rounds in league.toml.'
    )
    for matter in (none, other):
        check.write(matter["choices"][1])
    assert check() == []


def test_games_that_are_missing_in_rounds_that_are_over(check: Check, play: Play) -> None:
    play("Ana", "Rui", day=2)
    rounds = "".join(
        f'[[rounds]]\nname = "{number}"\nfirst_day = 2026-10-{number}1\nlast_day = 2026-10-{number}8\n'
        'pairings = [["Ana", "Rui"], ["Eva", "Zoe"]]\n'
        for number in (0, 1)
    )
    check.file.write_text('newcomers = ["Eva", "Zoe"]\n' + HEAD + rounds)
    assert check("--as-of", "2026-10-08") == []
    (matter,) = check("--as-of", "2026-10-09")
    assert (matter["matter"], matter["people"]) == ("pairing", ["Eva", "Zoe"])
    assert matter["problem"] == "In round 0, the game of Eva, Zoe is missing."
    assert len(check("--as-of", "2026-10-30")) == 3
    check.write(matter["choices"][0])
    assert check("--as-of", "2026-10-09") == []


def test_a_round_without_days_is_over_when_a_later_one_has_begun(check: Check, play: Play) -> None:
    play("Ana", "Rui")
    rounds = '[[rounds]]\nname = "1"\npairings = [["Eva", "Zoe"]]\n[[rounds]]\nname = "2"\npairings = [["Ana", "Rui"]]\n'
    check.file.write_text('newcomers = ["Eva", "Zoe"]\n' + HEAD + rounds)
    assert [matter["people"] for matter in check()] == [["Eva", "Zoe"]]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_list_on_a_terminal_has_the_lines_to_copy(language: str, check: Check, play: Play) -> None:
    play("Ana", "Rui", turns=WON[:1], file="open.jsonl")
    lines = check.text("--language", language).splitlines()
    assert '    record = "open.jsonl"' in lines
    last = {"en": "1 matter is open.", "pt": "Está em aberto 1 assunto."}
    assert lines[-1] == last[language]


@pytest.mark.usefixtures("check")
def test_parameters_and_csv_are_refused(gamelog: Gamelog, records: Path) -> None:
    words = ("league", records, "--archive", "club.archive", "--check")
    assert gamelog(*words, "--format", "csv").status == 2
    assert gamelog(*words, "--set", "most=1").status == 2


def test_the_league_must_name_records_that_exist(check: Check, play: Play) -> None:
    play("Ana", "Rui", file="1.jsonl")
    for lines, said in (
        ('[[separate]]\nrecords = ["1.jsonl"]\n', "line 5: Name two different records or more."),
        ('[[separate]]\nrecords = ["1.jsonl", "2.json"]\n', 'line 5: The archive has no record "2.json".'),
        ('[[separate]]\nrecord = ["1.jsonl", "2.json"]\n', "line 5: There is no key"),
    ):
        check.file.write_text(HEAD + lines)
        done = check._gamelog(*check._words)
        assert (done.status, done.out) == (2, "")
        assert said in done.err
