"""Tests of stock questions: their parameters, descriptions and notes, and the games that they choose."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from gamelog.archive import Reader, all_questions
from gamelog.archive.querying import questions
from gamelog.archive.schema import tables
from gamelog.errors import ArchiveError

from .piles import SEATS, Ask, Pile, ask, pile

__all__ = ["ask", "pile"]


def test_uncounted_records_are_included_on_request(pile: Pile, ask: Ask) -> None:
    pile.game(("red",))
    pile.game(("blue",), counted=False, valid=False, status="disputed")
    pile.game(("blue",), counted=False, valid=False, status="illegal", turns=None)
    assert [row["won"] for row in ask("seats")] == [1, 0]
    assert [row["won"] for row in ask("seats", uncounted="true")] == [1, 1]


def test_each_question_names_the_games_that_it_takes() -> None:
    parts = {name: one.part for name, one in all_questions().items()}
    assert [name for name, part in parts.items() if part == "to_the_end"] == ["lengths"]
    assert {name for name, part in parts.items() if part == "played"} == {
        *("players", "standings", "seats", "turn_order", "openings", "leads", "comebacks"),
        *("streaks", "time_trouble", "rating_history", "upsets", "adjusted"),
    }


def test_games_are_chosen_by_period_seats_and_kind_of_players(pile: Pile, ask: Ask) -> None:
    pile.game(started="2026-01-01 00:00:00")
    pile.game(started="2026-02-01 00:00:00", bots_=("red", "blue"))
    pile.game(started="2026-03-01 00:00:00", bots_=("blue",), seats=("red", "blue", "green"))
    pile.game(started=None, bots_=("red",))

    def games(**given: Any) -> int:
        return sum(row["games"] for row in ask("lengths", **given))

    asked: list[tuple[dict[str, Any], int]] = [
        ({}, 4), ({"since": "2026-02-01"}, 2), ({"until": "2026-02-01"}, 1), ({"since": "2026-02-01", "until": "2026-02-02"}, 1),
        ({"players": 3}, 1), ({"who": "people"}, 1), ({"who": "bots"}, 1), ({"who": "mixed"}, 2),
        ({"who": "mixed", "players": 2}, 1), ({"since": "2026-02-01", "who": "people"}, 0),
    ]  # fmt: skip
    assert [(given, games(**given)) for given, _ in asked] == asked
    with pytest.raises(ArchiveError, match="who must be people, bots or mixed"):
        games(who="humans")
    with pytest.raises(ArchiveError, match="yesterday"):
        games(since="yesterday")


PICKS = {"game", "since", "until", "players", "who"}


def test_every_question_about_games_has_these_parameters() -> None:
    asked = {
        name: {parameter.name for parameter in question.parameters}
        for name, question in all_questions().items()
    }
    others = {name for name, parameters in asked.items() if not parameters >= PICKS}
    assert {name for name in others if not name.startswith("league_")} == {"overview"}, (
        "overview is about all records, and a league chooses its games itself"
    )


def test_an_empty_archive_answers_every_question_with_nothing(ask: Ask) -> None:
    assert {name: ask(name) for name in all_questions()} == {name: [] for name in all_questions()}


def test_every_question_is_tested() -> None:
    tests = Path(__file__).parent.parent
    files = [*tests.glob("archive/test_*.py"), *tests.glob("league/test_*.py")]
    source = "".join(path.read_text("utf-8") for path in files)
    assert [name for name in all_questions() if f'ask("{name}"' not in source] == []


def test_questions_describe_themselves_and_their_parameters() -> None:
    for question in all_questions().values():
        assert question.title
        assert question.text
        assert all(parameter.meaning for parameter in question.parameters), question.name
    seats = all_questions()["seats"]
    assert seats.title == "Advantage of the seat"
    assert seats.parameters[0] == questions.Parameter("game", "VARCHAR", None, "only this game")
    assert seats.values({"game": "tug"}) == {
        "game": "tug", "since": None, "until": None, "players": None, "who": None, "rules": None,
        "option": None, "variant": None, "uncounted": "false",
    }  # fmt: skip


def test_a_parameter_that_is_not_there_is_named(ask: Ask) -> None:
    with pytest.raises(
        ArchiveError,
        match=r'no parameter "gmae"\. Did you mean game\? Its parameters: game, since, until, players, who, rules',
    ):
        ask("seats", gmae="tug")
    with pytest.raises(ArchiveError, match="many"):
        ask("slow", most="many")


def test_a_question_must_declare_its_parameters() -> None:
    with pytest.raises(ValueError, match="declares the parameters"):
        questions.parse_question("x", "-- Title\n-- Words.\n-- $a VARCHAR = NULL: a thing\nSELECT $b")


def test_versions_and_options_are_distinguished_on_request(pile: Pile, ask: Ask) -> None:
    for rules, ropes, times in (("1", 2, 3), ("1", 5, 2), ("2", 5, 1)):
        for _ in range(times):
            options = Raw(
                b'{"ropes":%d,"open":%s,"name":null}' % (ropes, b"true" if ropes == 5 else b"false")
            )
            pile.game(rules=rules, options=options, bots_=SEATS)

    def games(**given: Any) -> list[Any]:
        return [
            tuple(row[name] for name in ("variant", "games") if name in row)
            for row in ask("lengths", **given)
        ]

    assert games() == [(6,)]
    assert games(rules="1") == [(5,)]
    assert (
        games(option={"ropes": 5})
        == [(3,)]
        == games(option="ropes=5")
        == games(option=["ropes=5", "open=true", "name=null"])
    )
    assert games(option="ropes=5", rules="2") == [(1,)]
    assert games(variant="rules") == [("1", 5), ("2", 1)]
    assert games(variant="option=ropes") == [("2", 3), ("5", 3)]
    with pytest.raises(ArchiveError, match="by must be rules, or option=NAME"):
        games(variant="colour")
    with pytest.raises(ArchiveError, match="option=NAME=VALUE"):
        games(option="ropes")


def test_every_question_tells_versions_apart(pile: Pile, ask: Ask) -> None:
    for rules in ("1",) * 11 + ("2",) * 10:
        id = pile.game(
            rules=rules,
            told_={"red": {"max_deficit": 2, "place": 1}, "blue": {"place": 2}},
        )
        for n in range(1, 9):
            pile.event(id, n, decision=n)
        pile.contest(id, 1, True, place="A1")
        pile.analysed(id, (1, "red", 0.5))
        pile.rows.append(tables.RollRow(id=id, n=1, seat="red", sides=6, faces=(1, 2), stands=True))
        pile.rows.append(tables.TurnRow(id=id, turn=1, n=1, seat="red", elapsed_ms=5))
    given: dict[str, dict[str, Any]] = {
        name: {"most": 1000}
        for name, question in all_questions().items()
        if "most" in {parameter.name for parameter in question.parameters}
    }
    given["sitters"] = given.get("sitters", {}) | {"changed": False}
    given["time_trouble"] = given.get("time_trouble", {}) | {"least": 1}
    plain = {
        name: ask(name, **given.get(name, {}))
        for name in all_questions()
        if questions.GAME_PARAMETERS[0] in all_questions()[name].parameters
    }
    for name in plain:
        chosen = given.get(name, {})
        rows = ask(name, variant="rules", **chosen)
        if name not in ("findings", "rules_broken", "copies"):
            assert {row["variant"] for row in rows} == {"1", "2"}, name
            assert set(rows[0]) - {"variant"} == set(plain[name][0]), name
        if name not in ("findings", "rules_broken", "copies"):
            assert len(ask(name, rules="2", **chosen)) == len(
                [row for row in rows if row["variant"] == "2"]
            ), name


def test_notes_name_merged_variants(pile: Pile, ask: Ask, archive: Path) -> None:
    for rules, ropes in (("1", 2), ("2", 5)):
        pile.game(rules=rules, options=Raw(b'{"ropes":%d,"same":1}' % ropes))
    ask("overview")
    with Reader(archive) as reader:
        (note,) = reader.ask("lengths").notes
        assert note.startswith(
            "tug: games that differ in rules (1, 2); option ropes (2, 5) are taken together. For a row for each value, set variant=rules; for one value only"
        )
        assert "option ropes" in reader.notes("lengths", {"variant": "rules"})[0]
        assert reader.notes("lengths", {"rules": "1"}) == ()
        assert reader.notes("findings") == reader.notes("SELECT 1") == ()


def test_an_option_that_no_game_has_is_said(pile: Pile, ask: Ask, archive: Path) -> None:
    pile.game(options=Raw(b'{"ropes":2}'))
    pile.game(game="go", options=Raw(b'{"komi":7}'))
    ask("overview")
    with Reader(archive) as reader:
        assert reader.notes("lengths", {"option": "rope=2"}) == (
            'No chosen game has an option "rope". Did you mean ropes?',
        )
        assert reader.notes("findings", {"variant": "option=zzz"}) == (
            'No chosen game has an option "zzz". Choose from: komi, ropes.',
        )
        (told,) = reader.notes("lengths", {"option": "komi=7", "game": "tug"})
        assert told == 'No chosen game has an option "komi". Choose from: ropes.'
        assert reader.notes("lengths", {"option": "komi=7"}) == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, 'The archive has no record of the game "chess". Choose from: go, tug.'),
        ({"game": "tugs"}, 'The archive has no record of the game "tugs". Did you mean tug?'),
        ({"rules": "1.0"}, 'No chosen game has the rules "1.0". Choose from: 1, 2.'),
        ({"rules": "2", "game": "tug"}, 'No chosen game has the rules "2". Choose from: 1.'),
        ({"players": "5"}, "No chosen game has 5 seats. Choose from: 2, 3."),
        ({"option": "ropes=3"}, 'No chosen game has the value "3" of the option ropes. Choose from: 2.'),
        (
            {"option": "knot=rreef"},
            'No chosen game has the value "rreef" of the option knot. Did you mean reef?',
        ),
        (
            {"since": "2027-01-01"},
            "No record in the archive matches all of these: since=2027-01-01 00:00:00.",
        ),
        (
            {"who": "bots", "game": "tug"},
            "No record in the archive matches all of these: game=tug, who=bots.",
        ),
    ],
)
def test_hints_name_unmatched_values_and_existing_ones(
    given: dict[str, Any], said: str, pile: Pile, ask: Ask, archive: Path
) -> None:
    pile.game(options=Raw(b'{"ropes":2,"knot":"reef","none":null}'))
    pile.game(game="go", rules="2", seats=("red", "blue", "green"))
    assert ask("lengths", **given) == []
    with Reader(archive) as reader:
        assert reader.notes("lengths", given) == (said,)
        assert reader.notes("findings", given) == (said,)
        assert reader.notes("lengths", {"option": "none=null"}) == ()


def test_a_tag_that_no_record_has_is_said(pile: Pile, ask: Ask, archive: Path) -> None:
    pile.game(tags={"scorer": "Ana"})
    ask("overview")
    with Reader(archive) as reader:
        none = ("The chosen games have no dice.",)
        assert reader.notes("dice", {"by": "scorers"}) == (
            'No chosen game has a tag "scorers". Did you mean scorer?',
            *none,
        )
        assert reader.notes("dice", {"by": "scorer"}) == reader.notes("dice", {"by": "seat"}) == none
        assert reader.notes("luck", {"by": "seat"}) == ("The chosen games have no contests with odds.",)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"players": "x"}, 'players must be a whole number, 0 or more, not "x".'),
        ({"players": "-2"}, 'players must be a whole number, 0 or more, not "-2".'),
        (
            {"since": "yesterday"},
            'since must be a day or a time, for example 2026-02-28 or 2026-02-28 20:00, not "yesterday".',
        ),
        ({"who": "humans"}, 'who must be people, bots or mixed, not "humans".'),
        ({"uncounted": "perhaps"}, 'uncounted must be true or false, not "perhaps".'),
        (
            {"gmae": "tug"},
            'The question lengths has no parameter "gmae". Did you mean game? Its parameters: game, since, until, players',
        ),
    ],
)
def test_an_impossible_value_is_reported_in_a_sentence(given: dict[str, Any], said: str, ask: Ask) -> None:
    with pytest.raises(ArchiveError, match=f"^{re.escape(said)}"):
        ask("lengths", **given)


def test_times_are_taken_as_people_and_programs_write_them(pile: Pile, ask: Ask) -> None:
    pile.game(started="2026-03-01 20:00:00")
    for since in (
        "2026-03-01",
        "2026-03-01 20:00",
        "2026-03-01T20:00:00Z",
        "2026-03-01T21:00:00+01:00",
        datetime(2026, 3, 1, 20),
    ):
        assert [row["games"] for row in ask("lengths", since=since)] == [1], since
    assert ask("lengths", since="2026-03-01 20:01") == []
